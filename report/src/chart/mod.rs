//! Charts as inline SVG: one kind a file. Colours and strokes are classes, so that the page's style decides them, in light
//! and in dark.

mod axis;
mod counts;
mod dumbbell;
mod histogram;
mod operations;
mod over_setting;
mod over_time;
mod plateaus;
mod plot;
mod sorted_curves;
mod step_histogram;
mod time_histogram;

pub use counts::{Counts, counts};
pub use dumbbell::{Pair, dumbbell};
pub use histogram::{BINS, Histogram, bins, histogram};
pub use operations::{OperationCurves, operations};
pub use over_setting::{OverSetting, Upright, over_setting};
pub use over_time::{OverTime, Spread, over_time};
pub use plateaus::{Plateaus, plateaus};
pub use plot::svg;
pub use sorted_curves::{Curve, sorted_curves, swatch, value_at};
pub use step_histogram::step_histogram;
pub use time_histogram::{NEGATIVE, POSITIVE, TimeHistogram, time_histogram};
