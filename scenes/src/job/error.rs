//! Why a job cannot be read or run.

use drystone_contact::generator::{SettingsError, UnknownName};
use drystone_engine::WorldError;

use crate::detection::DetectionFailure;
use crate::opening::OpenError;
use crate::scene_file::SceneFileError;

/// Why a job cannot be read or run.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The text is not JSON, or not that of a job.
    #[error("this is not a job: {0}; see docs/jobs.md")]
    Json(#[from] serde_json::Error),
    /// A field has a value that it cannot have.
    #[error("{field} {problem}")]
    Field {
        /// Which.
        field: &'static str,
        /// What is wrong, and what it must be.
        problem: String,
    },
    /// The scene is not one.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The text of the scene is wrong.
    #[error("the scene of the job: {0}")]
    Scene(#[from] SceneFileError),
    /// There is no such method, variant or solver.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// The method has no such settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Nothing is known of the contacts of the scene.
    #[error(
        "scene {scene} cannot be scored: nothing is known of the contacts that it should have; ask for a simulation alone"
    )]
    Unknown {
        /// Its name.
        scene: String,
    },
    /// A solver without joints for a scene with some.
    #[error(
        "scene {scene} has joints or locked axes, which the solver {solver} does not hold; give soft or global, or leave it out"
    )]
    Ties {
        /// The scene's name.
        scene: String,
        /// The solver.
        solver: &'static str,
    },
    /// Contacts cannot be looked for, or the world cannot be made.
    #[error(transparent)]
    Detection(#[from] DetectionFailure),
    /// A step cannot be made.
    #[error("step {step}: {source}")]
    Step {
        /// From 1.
        step: u64,
        /// What is wrong.
        source: WorldError,
    },
    /// A checkpoint cannot be kept or taken.
    #[error("checkpoint {path}: {problem}")]
    Checkpoint {
        /// The file.
        path: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// Someone asked for an end.
    #[error("the job was interrupted")]
    Interrupted,
}
