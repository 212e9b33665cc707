//! Why a snapshot is none of a world.

use crate::body::BodyError;
use crate::material::MaterialError;
use crate::prescribed_motion::PrescribedMotionError;
use crate::simulator::asynchronous::AsynchronousError;
use crate::simulator::backtracking::BacktrackingError;
use drystone_contact::generator::{GeneratorError, SettingsError, UnknownName};
use drystone_contact::shape::ShapeError;

/// Why a world cannot be made from a snapshot.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The registry does not have the contact method.
    #[error("the contact method of the snapshot: {0}; give a registry that has it")]
    Method(#[from] UnknownName),
    /// The contact method does not have the settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The contact method cannot serve a shape.
    #[error(transparent)]
    Generator(#[from] GeneratorError),
    /// A shape that is none.
    #[error("shape {shape} of the snapshot: {source}")]
    Mesh {
        /// The shape, from zero.
        shape: usize,
        /// What is wrong.
        source: ShapeError,
    },
    /// A body that names a shape that is not there.
    #[error("body {body} of the snapshot names the shape {shape}, but there are {count}")]
    Shape {
        /// The body, from zero.
        body: usize,
        /// The shape it names.
        shape: usize,
        /// How many shapes there are.
        count: usize,
    },
    /// A body that cannot be.
    #[error("body {body} of the snapshot: {source}")]
    Body {
        /// The body, from zero.
        body: usize,
        /// What is wrong.
        source: BodyError,
    },
    /// A prescribed motion that is none.
    #[error("the prescribed motion of body {body} of the snapshot: {source}")]
    PrescribedMotion {
        /// The body, from zero.
        body: usize,
        /// What is wrong.
        source: PrescribedMotionError,
    },
    /// A body without a state.
    #[error("body {body} of the snapshot has a state, force or prescribed motion that is not finite")]
    State {
        /// The body, from zero.
        body: usize,
    },
    /// Materials that are none.
    #[error("the materials of the snapshot: {0}")]
    Material(#[from] MaterialError),
    /// The backtracking simulator does not take a body or a setting.
    #[error(transparent)]
    Backtracking(#[from] BacktrackingError),
    /// The asynchronous simulator does not take it.
    #[error(transparent)]
    Asynchronous(#[from] AsynchronousError),
    /// JSON that is none of a snapshot.
    #[error("the text is no snapshot: {0}")]
    Json(String),
    /// Parts that do not fit together.
    #[error("the snapshot is damaged: {0}")]
    Damaged(&'static str),
}
