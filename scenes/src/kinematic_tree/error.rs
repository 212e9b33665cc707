//! Why a file of a kinematic tree cannot be read, and where in it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use drystone_contact::shape::mesh_file::MeshFileError;
use drystone_contact::shape::{MassPropertiesError, ShapeError, SurfaceError};
use drystone_engine::{BodyError, MaterialError};

use super::element::{MAXIMUM_DEPTH, MAXIMUM_ELEMENTS, MAXIMUM_SIZE};
use crate::scene_file::MAXIMUM_COMPONENT;

/// A place in a file: an element, and the attribute of it that is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file; an included one where the element is in such.
    pub file: Arc<Path>,
    /// The line on which the element begins, from 1.
    pub line: u32,
    /// The element and the attribute, for people: `geom "torso", size`.
    pub what: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}: {}", self.file.display(), self.line, self.what)
    }
}

/// The failure to read one file. Its message names the file, the line, the element and the cure.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct TreeError {
    /// Where.
    pub place: Place,
    /// What is wrong and what to do.
    pub problem: Box<TreeProblem>,
}

impl TreeError {
    pub(super) fn new(place: Place, problem: impl Into<TreeProblem>) -> Self {
        Self { place, problem: Box::new(problem.into()) }
    }

    /// A problem of a whole file.
    pub(super) fn of_file(file: &Path, problem: impl Into<TreeProblem>) -> Self {
        let place = Place { file: file.into(), line: 1, what: "the file".into() };
        Self::new(place, problem)
    }
}

/// What is wrong with a file, or with reading it here.
#[derive(Debug, thiserror::Error)]
pub enum TreeProblem {
    /// The operating system refuses.
    #[error("cannot be read: {0}; check the path and its permissions")]
    Io(std::io::Error),
    /// The file is very large.
    #[error("is {0} bytes long; at most {MAXIMUM_SIZE} are read, as meshes are in files of their own")]
    TooLong(u64),
    /// The text is not XML.
    #[error("column {column}: the text is no XML that is read here: {message}")]
    Syntax {
        /// From 1.
        column: u32,
        /// What the parser says.
        message: String,
    },
    /// The text has a document type, whose entities could expand without end.
    #[error(
        "has a document type (<!DOCTYPE …>), which is not read because its entities can grow without end; remove it"
    )]
    DocumentType,
    /// Elements are nested too deeply.
    #[error("is nested more than {MAXIMUM_DEPTH} elements deep; make the tree flatter")]
    TooDeep,
    /// There are too many elements.
    #[error("brings the file to more than {MAXIMUM_ELEMENTS} elements; split the model")]
    TooMany,
    /// The root element is none that is read.
    #[error("the root element is <{0}>; give a file of MJCF (<mujoco>) or URDF (<robot>)")]
    Root(String),
    /// A value is missing, of another type or out of its range.
    #[error("must be {must}, found {found}")]
    Value {
        /// What is allowed.
        must: &'static str,
        /// The value, shortened.
        found: String,
    },
    /// A number is absurdly large.
    #[error("must be at most {MAXIMUM_COMPONENT:e}, in SI units, but is {found}; check the units")]
    Magnitude {
        /// The number.
        found: f64,
    },
    /// An attribute that is not read.
    #[error("the attribute {0} is unknown here; remove it, or correct its name")]
    UnknownAttribute(String),
    /// An element that is not read.
    #[error("the element <{0}> is unknown here; remove it, or correct its name")]
    UnknownElement(String),
    /// Something is asked for that this program does not have.
    #[error("{what} is not supported; {cure}")]
    Unsupported {
        /// What.
        what: String,
        /// What to do.
        cure: &'static str,
    },
    /// Something contradicts itself or is not there; the message says what to do.
    #[error("{0}")]
    Wrong(String),
    /// A name stands for nothing.
    #[error("there is no {what} \"{name}\"; {known}")]
    Unknown {
        /// What is named: body, class, mesh.
        what: &'static str,
        /// The name.
        name: String,
        /// What there is.
        known: String,
    },
    /// A name that is given twice.
    #[error("there is another {what} \"{name}\"; give each a name of its own")]
    Repeated {
        /// What is named.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A mesh file cannot be read.
    #[error(transparent)]
    MeshFile(#[from] MeshFileError),
    /// A mesh bounds no solid.
    #[error("the mesh is no solid: {0}")]
    Surface(#[from] SurfaceError),
    /// There is no such shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// There is no such mass.
    #[error(transparent)]
    Mass(#[from] MassPropertiesError),
    /// There is no such body.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// There is no such material.
    #[error(transparent)]
    Material(#[from] MaterialError),
}

impl TreeProblem {
    /// Something that this program does not have.
    pub(super) fn unsupported(what: impl Into<String>, cure: &'static str) -> Self {
        Self::Unsupported { what: what.into(), cure }
    }
}
