//! Why a scene file cannot be read or written, and where in it.

use std::path::{Path, PathBuf};

use drystone_contact::shape::mesh_file::MeshFileError;
use drystone_contact::shape::{ShapeError, SurfaceError, TetrahedralMeshError};
use drystone_engine::simulator::asynchronous::AsynchronousError;
use drystone_engine::{MaterialError, PrescribedMotionError};
use glam::DVec3;

use crate::scene::BodyProblem;

/// The failure to read or write one scene file. Its message names the file, the place and the cure.
#[derive(Debug, thiserror::Error)]
#[error("{}{problem}", prefix(file.as_deref(), place.as_deref()))]
pub struct SceneFileError {
    /// The file; `None` for text that comes from none.
    pub file: Option<PathBuf>,
    /// Whose value or key is wrong, for people: `body "spike", shape.scale`.
    pub place: Option<String>,
    /// What is wrong and what to do.
    pub problem: Box<SceneFileProblem>,
}

/// What is wrong with a scene file.
#[derive(Debug, thiserror::Error)]
pub enum SceneFileProblem {
    /// The operating system refuses.
    #[error("the file cannot be {action}: {cause}; check the path and its permissions")]
    Io {
        /// `read` or `written`.
        action: &'static str,
        /// The system's own account.
        cause: std::io::Error,
    },
    /// The text is not TOML, or a key is unknown, missing or of another type.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// The file is of another version of the format, or of another format.
    #[error("the schema is \"{found}\", but this program reads \"{}\"; convert the file", super::SCHEMA)]
    Schema {
        /// What the file states.
        found: String,
    },
    /// The file names a program, and programs are not allowed.
    #[error(
        "the file asks for the program \"{found}\" to be run; if you trust whoever made the file, allow programs \
         (`--allow-programs`, `SceneOptions::programs`), else remove the key"
    )]
    Program {
        /// As the file names it.
        found: String,
    },
    /// There are no bodies.
    #[error("the scene has no bodies; add `[[body]]` tables")]
    NoBodies,
    /// The file states another number of bodies than it holds.
    #[error(
        "`body_count` is {declared}, but there are {found} bodies; the file may be cut short: correct one of the two"
    )]
    BodyCount {
        /// The number stated.
        declared: usize,
        /// The number of bodies.
        found: usize,
    },
    /// A value is out of its range.
    #[error("must be {must}, found {found}")]
    Value {
        /// What is allowed.
        must: &'static str,
        /// The value.
        found: String,
    },
    /// A count is out of its range.
    #[error("must be from {least} to {most}, found {found}")]
    Range {
        /// The smallest allowed.
        least: usize,
        /// The largest allowed.
        most: usize,
        /// The value.
        found: usize,
    },
    /// A position, vertex, velocity or the gravity is absurdly large.
    #[error(
        "must be at most {:e} along each axis, in SI units and after any `scale`, but is {found}; check the units",
        super::MAXIMUM_COMPONENT
    )]
    Magnitude {
        /// The vector.
        found: DVec3,
    },
    /// Keys that need each other or exclude each other.
    #[error("{0}")]
    Keys(&'static str),
    /// A direction or quaternion is not of unit length.
    #[error("must be of unit length, but {found} has the length {length}; divide it by that")]
    UnitLength {
        /// The vector or quaternion.
        found: String,
        /// Its length.
        length: f64,
    },
    /// Two expected normals of a pair are the same.
    #[error("is parallel to normals[{other}] and would count twice; either sense counts: remove one of the two")]
    Parallel {
        /// The place of the earlier one, from 0.
        other: usize,
    },
    /// A name or pair is given twice.
    #[error("there is already one; each {of} may be given once")]
    Repeated {
        /// Of what kind.
        of: &'static str,
    },
    /// No body has this name.
    #[error("no body is named \"{name}\"; the bodies are: {known}")]
    UnknownBody {
        /// The name.
        name: String,
        /// The names of all bodies.
        known: String,
    },
    /// A gear or rack couples a joint that does not come before it.
    #[error("no joint above it is named \"{name}\"; those are: {known}; put a gear or rack after its joints")]
    UnknownJoint {
        /// The name.
        name: String,
        /// The names of the joints above.
        known: String,
    },
    /// A key that the kind of joint does not have.
    #[error("{what}; it takes: {takes}")]
    NotOfJoint {
        /// Which kind and which key.
        what: String,
        /// The keys that it has in its place.
        takes: String,
    },
    /// A material is unknown, given twice, or a coefficient is out of range.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The phases of a kinematic body are no prescribed motion.
    #[error(transparent)]
    PrescribedMotion(#[from] PrescribedMotionError),
    /// A mesh file cannot be read.
    #[error(transparent)]
    MeshFile(#[from] MeshFileError),
    /// The mesh of a file is no solid.
    #[error("{}: {source}", path.display())]
    MeshOfFile {
        /// The mesh file.
        path: PathBuf,
        /// What is wrong with it.
        source: BodyProblem,
    },
    /// A deformable surface or its contact cannot be made.
    #[error(transparent)]
    Surface(#[from] AsynchronousError),
    /// The solid or the body cannot be made.
    #[error(transparent)]
    Body(#[from] BodyProblem),
    /// A scene of deformable surfaces to be written holds what the format cannot hold.
    #[error("the scene cannot be written as a scene file: {why}")]
    NotOfSurfaces {
        /// What it holds.
        why: &'static str,
    },
    /// A scene to be written holds what the format cannot hold.
    #[error(
        "the scene cannot be kept exactly: line {line} would be `{written}` when written, but `{read}` when read back \
         and written again"
    )]
    NotKept {
        /// The first line that differs, from 1.
        line: usize,
        /// That line.
        written: String,
        /// That line after reading.
        read: String,
    },
}

impl From<SurfaceError> for SceneFileProblem {
    fn from(error: SurfaceError) -> Self {
        Self::Body(error.into())
    }
}

impl From<AsynchronousError> for SceneFileError {
    fn from(error: AsynchronousError) -> Self {
        Self::whole(error.into())
    }
}

impl From<ShapeError> for SceneFileProblem {
    fn from(error: ShapeError) -> Self {
        Self::Body(error.into())
    }
}

impl From<TetrahedralMeshError> for SceneFileProblem {
    fn from(error: TetrahedralMeshError) -> Self {
        Self::Body(error.into())
    }
}

impl SceneFileError {
    /// A problem of the whole file.
    pub(super) fn whole(problem: SceneFileProblem) -> Self {
        Self { file: None, place: None, problem: Box::new(problem) }
    }

    /// A problem at a place.
    pub(super) fn at(place: impl Into<String>, problem: impl Into<SceneFileProblem>) -> Self {
        Self { file: None, place: Some(place.into()), problem: Box::new(problem.into()) }
    }

    /// The same error, in this file.
    pub(super) fn of_file(self, file: &Path) -> Self {
        Self { file: Some(file.to_owned()), ..self }
    }
}

fn prefix(file: Option<&Path>, place: Option<&str>) -> String {
    let file = file.map(|f| format!("{}: ", f.display())).unwrap_or_default();
    let place = place.map(|p| format!("{p}: ")).unwrap_or_default();
    file + &place
}
