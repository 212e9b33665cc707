//! Why a snapshot is none of a world.

use crate::body::BodyError;
use crate::material::MaterialError;
use crate::script::ScriptError;
use crate::simulator::backtracking::BacktrackingError;
use drystone_contact::shape::TetrahedralMeshError;

/// Why a world cannot be made from a snapshot.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The generator is not one of the registry, and none was given.
    #[error("the snapshot does not name its contact method; give the generator that the world had")]
    NoGenerator,
    /// A mesh that is none.
    #[error("shape {shape} of the snapshot: {source}")]
    Mesh {
        /// The shape, from zero.
        shape: usize,
        /// What is wrong.
        source: TetrahedralMeshError,
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
    /// A script that is none.
    #[error("the script of body {body} of the snapshot: {source}")]
    Script {
        /// The body, from zero.
        body: usize,
        /// What is wrong.
        source: ScriptError,
    },
    /// A body without a state.
    #[error("body {body} of the snapshot has a state, force or script that is not finite")]
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
    /// Parts that do not fit together.
    #[error("the snapshot is damaged: {0}")]
    Damaged(&'static str),
}
