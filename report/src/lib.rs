//! What people look at: the report of an assessment, a benchmark's page, runs as one HTML page, moments of a run.
//!
//! ```text
//! scenes::assessment ─ rows, samples ─▶ Report ─ page, files ─▶ HTML, CSV, JSON
//! a scene or a recording ─ inspection::open ─▶ Subject, Frame, … ─▶ page::Page, the viewer
//! ```
//! A [`Report`] is a pure function from results to text, as is the [`ContinuousReport`] of a benchmark of continuous collision
//! detection. [`inspection`] has the moments of a run with everything that is known of their contacts; [`page`] and the viewer
//! build on it.

mod assessment;
mod asynchronous;
mod ccd;
mod chart;
pub mod date;
mod head;
pub mod inspection;
mod layout;
mod machine;
mod markup;
mod number;
pub mod page;
mod picture;
mod study;

pub use assessment::{About, DataError, File, Filtered, Note, Rendered, Report, known_notes};
pub use asynchronous::{SurfaceFrame, SurfaceReport};
pub use ccd::{ContinuousReport, TruthBehind};
pub use chart::{OperationCurves, operations};
pub use head::Head;
pub use machine::{Machine, commit};
pub use picture::Picture;
pub use study::{Study, StudyKind};
