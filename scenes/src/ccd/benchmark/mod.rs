//! What a method gets wrong over sets of queries, and how long it takes.
//!
//! [`timed`] asks a method every query of a slice, [`untimed`] asks again without looking at the clock in between;
//! a [`Truth`] says what the answers should be; [`Figures`] are what comes of both, for one set or for several together;
//! a [`Row`] says whose figures they are. [`Parameter`] is what a sweep varies.

mod figures;
mod histogram;
mod measure;
mod row;
mod sweep;
mod truth;

pub use figures::{Checks, Earliness, Figures, Seconds};
pub use histogram::LogHistogram;
pub use measure::{Measured, Sample, timed, untimed};
pub use row::{Row, Scope};
pub use sweep::Parameter;
pub use truth::Truth;
