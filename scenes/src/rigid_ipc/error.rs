//! Why a rigid-ipc scene cannot be read, and where in it.

use std::fmt;
use std::path::{Path, PathBuf};

use drystone_contact::shape::mesh_file::MeshFileError;
use drystone_contact::shape::{MassPropertiesError, ShapeError, SurfaceError};
use drystone_engine::{BodyError, MaterialError, PrescribedMotionError};

use crate::scene::BodyProblem;
use crate::scene_file::{MAXIMUM_COMPONENT, SceneFileProblem};

/// The failure to read one scene. Its message names the file, the place and the cure.
#[derive(Debug, thiserror::Error)]
#[error("{}{problem}", prefix(file.as_deref(), place.as_deref()))]
pub struct RigidIpcError {
    /// The scene file; `None` for text that comes from none.
    pub file: Option<PathBuf>,
    /// Which value is wrong, for people: `body 3 (cube.obj), density`. Bodies are counted from 0, as the file lists
    /// them.
    pub place: Option<String>,
    /// What is wrong and what to do.
    pub problem: Box<RigidIpcProblem>,
}

/// What is wrong with a rigid-ipc scene, or with reading it here.
#[derive(Debug, thiserror::Error)]
pub enum RigidIpcProblem {
    /// The operating system refuses.
    #[error("the file cannot be read: {0}; check the path and its permissions")]
    Io(std::io::Error),
    /// The text is not JSON.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// A value is of another type or out of its range.
    #[error("must be {must}, found {found}")]
    Value {
        /// What is allowed.
        must: &'static str,
        /// The value, shortened.
        found: String,
    },
    /// A length, velocity or acceleration is absurdly large.
    #[error("must be at most {MAXIMUM_COMPONENT:e} along each axis, in SI units, but is {found}; check the units")]
    Magnitude {
        /// The vector.
        found: String,
    },
    /// A key that the format does not have.
    #[error("unknown key \"{key}\"; the keys are: {known}; to keep a note in the file, begin its key with #")]
    UnknownKey {
        /// The key.
        key: String,
        /// The known ones.
        known: String,
    },
    /// The scene needs something that the engine does not have.
    #[error("the scene needs {0}, which this program does not have")]
    Unsupported(Feature),
    /// There are no bodies that take part.
    #[error("the scene has no bodies that are enabled; add some to `rigid_bodies`")]
    NoBodies,
    /// The mesh file is nowhere.
    #[error("the mesh \"{mesh}\" was not found; looked for {looked}")]
    NoMesh {
        /// As the scene names it.
        mesh: String,
        /// The paths that were tried.
        looked: String,
    },
    /// A mesh file cannot be read.
    #[error(transparent)]
    MeshFile(#[from] MeshFileError),
    /// A mesh is no solid.
    #[error("the mesh is no solid: {0}")]
    Surface(#[from] SurfaceError),
    /// A solid cannot be filled with tetrahedra.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A solid has no mass that a body can have.
    #[error(transparent)]
    Mass(#[from] MassPropertiesError),
    /// The body cannot be made.
    #[error(transparent)]
    Body(#[from] BodyProblem),
    /// The state of the body is none.
    #[error(transparent)]
    State(#[from] BodyError),
    /// The friction coefficient is none.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The kinematic poses are no prescribed motion.
    #[error(transparent)]
    PrescribedMotion(#[from] PrescribedMotionError),
    /// What came out is out of the bounds of a scene.
    #[error(transparent)]
    Bounds(SceneFileProblem),
}

/// What rigid-ipc has and this program has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// Results of a simulation, with the scene as their `args`.
    SavedSimulation,
    /// A `scene_type` other than `distance_barrier_rb_problem`.
    SceneType,
    /// Scenes in the plane.
    TwoDimensions,
    /// Dynamic bodies that do not turn about one axis, but about the two others; kinematic poses with fixed degrees of freedom.
    PartlyFixed,
    /// Bodies that are kept a distance apart.
    MinimumSeparation,
    /// Bodies of one group, which pass through each other.
    Group,
    /// Edges that belong to no triangle.
    Edges,
    /// Vertices that belong to no triangle.
    Points,
    /// Open surfaces of which nobody can say which side is which.
    UnorientedSurface,
    /// Kinematic poses, which rigid-ipc gives to the principal axes, where these are not the axes of the world.
    PosesOfTiltedAxes,
}

impl Feature {
    /// All of them.
    pub const ALL: [Feature; 10] = [
        Feature::SavedSimulation,
        Feature::SceneType,
        Feature::TwoDimensions,
        Feature::PartlyFixed,
        Feature::MinimumSeparation,
        Feature::Group,
        Feature::Edges,
        Feature::Points,
        Feature::UnorientedSurface,
        Feature::PosesOfTiltedAxes,
    ];
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Feature::SavedSimulation => "saved simulations (`args`; give the scene that they were made from)",
            Feature::SceneType => "another `scene_type` than distance_barrier_rb_problem",
            Feature::TwoDimensions => "scenes in the plane",
            Feature::PartlyFixed => "bodies with one rotation fixed, or with kinematic poses and fixed degrees of freedom (`is_dof_fixed`)",
            Feature::MinimumSeparation => "bodies that are kept a distance apart (`minimum_separation_distance`)",
            Feature::Group => "bodies that pass through each other (equal `group_id`)",
            Feature::Edges => "edges that belong to no triangle",
            Feature::Points => "vertices that belong to no triangle",
            Feature::UnorientedSurface => "open surfaces with triangles that have no area or do not agree about their sides",
            Feature::PosesOfTiltedAxes => {
                "kinematic poses of a body whose principal axes do not lie along x, y and z in ascending order of their \
                 moments"
            }
        })
    }
}

impl From<Feature> for RigidIpcProblem {
    fn from(feature: Feature) -> Self {
        Self::Unsupported(feature)
    }
}

impl RigidIpcError {
    /// A problem of the whole scene.
    pub(super) fn whole(problem: impl Into<RigidIpcProblem>) -> Self {
        Self { file: None, place: None, problem: Box::new(problem.into()) }
    }

    /// A problem at a place.
    pub(super) fn at(place: impl Into<String>, problem: impl Into<RigidIpcProblem>) -> Self {
        Self { place: Some(place.into()), ..Self::whole(problem) }
    }

    /// The same error, in this file.
    pub(super) fn of_file(self, file: &Path) -> Self {
        Self { file: Some(file.to_owned()), ..self }
    }

    /// What the scene needs and this program does not have, if that is the reason.
    pub fn feature(&self) -> Option<Feature> {
        match *self.problem {
            RigidIpcProblem::Unsupported(feature) => Some(feature),
            _ => None,
        }
    }
}

fn prefix(file: Option<&Path>, place: Option<&str>) -> String {
    let file = file.map(|f| format!("{}: ", f.display())).unwrap_or_default();
    let place = place.map(|p| format!("{p}: ")).unwrap_or_default();
    file + &place
}
