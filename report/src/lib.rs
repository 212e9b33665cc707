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
mod chart;
mod continuous;
pub mod inspection;
mod machine;
mod markup;
mod number;
pub mod page;
mod picture;

pub use assessment::{
    About, DataError, File, Filtered, Head, Note, Picture, Rendered, Report, Study, StudyKind, known_notes,
};
pub use chart::{OperationCurves, operations};
pub use continuous::{ContinuousReport, TruthBehind};
pub use machine::{Machine, commit};
