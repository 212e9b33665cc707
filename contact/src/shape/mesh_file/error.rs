//! Why a mesh file cannot be read or written, and where in the file.

use std::fmt;
use std::path::{Path, PathBuf};

/// The failure to read or write one mesh file. Its message names the file, the place and the cure.
#[derive(Debug, thiserror::Error)]
#[error("{}{problem}", prefix(path.as_deref(), *place))]
pub struct MeshFileError {
    /// The file that was read or written; for TetGen parts given as bytes, the part's extension.
    pub path: Option<PathBuf>,
    /// The first offending place, where one exists.
    pub place: Option<Location>,
    /// What is wrong and what to do.
    pub problem: Box<Problem>,
}

/// A place in a mesh file or in a mesh to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// Line of a text file, from 1. A statement over several lines is named by its first.
    Line(u64),
    /// Offset into a binary file, bytes, from 0.
    Byte(u64),
    /// Vertex of a mesh, from 0.
    Vertex(u64),
    /// Triangle of a mesh, from 0.
    Triangle(u64),
    /// Tetrahedron of a mesh, from 0.
    Tetrahedron(u64),
}

/// What is wrong with a mesh file.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The operating system refuses.
    #[error("the file cannot be {action}: {cause}; check that the path exists and that you may use it")]
    Io {
        /// `read` or `written`.
        action: &'static str,
        /// The system's own account.
        cause: std::io::Error,
    },
    /// The file's name does not tell its format.
    #[error("`{found}` is not the extension of a known mesh format (known: {known}); rename the file or convert it")]
    UnknownExtension {
        /// The extension as found, without its dot; empty where there is none.
        found: String,
        /// The known extensions.
        known: &'static str,
    },
    /// A format of several files is asked of one run of bytes.
    #[error("a TetGen mesh is spread over .node, .ele and .face; read it by path or with `tetgen_files::parse`")]
    SeveralFiles,
    /// A field that must be a finite number is something else.
    #[error("{what} must be a finite number, found `{found}`; correct it or export the mesh again")]
    Number {
        /// The field.
        what: String,
        /// The text or value found.
        found: String,
    },
    /// A field that must be an integer of some range is something else.
    #[error("{what} must be {range}, found `{found}`; correct it or export the mesh again")]
    Integer {
        /// The field.
        what: String,
        /// The values allowed.
        range: &'static str,
        /// The text or value found.
        found: String,
    },
    /// A reference to a vertex that does not exist.
    #[error("{what} refers to vertex {index}, but the {vertices} vertices are {known}; correct the index")]
    Index {
        /// The element that refers.
        what: String,
        /// The index as the file states it.
        index: i128,
        /// How many vertices there are.
        vertices: usize,
        /// How the file numbers them.
        known: String,
    },
    /// The file's grammar asks for something else here.
    #[error("expected {expected}, found {found}; correct the file or export the mesh again")]
    Syntax {
        /// What the format asks for.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The file declares another amount than it holds.
    #[error("the file declares {declared} {what}, but holds {found}; it is damaged or cut short: export it again")]
    Count {
        /// What is counted.
        what: String,
        /// The declared count.
        declared: i128,
        /// What the file holds or can hold at most.
        found: String,
    },
    /// Two vertices carry one number.
    #[error("node number {tag} is given twice; every node needs its own")]
    RepeatedNode {
        /// The number.
        tag: u64,
    },
    /// The format allows it, this reader does not.
    #[error("{what} cannot be read; {cure}")]
    Unsupported {
        /// The construct.
        what: String,
        /// What to do.
        cure: &'static str,
    },
    /// A polygon that no cut into triangles represents.
    #[error("the face of {corners} corners crosses, touches or folds over itself; split it into triangles")]
    FoldedPolygon {
        /// Its number of corners.
        corners: usize,
    },
    /// A facet with corners at one place.
    #[error(
        "facet {facet} has corners {first} and {second} at the same place after welding; \
         remove it, weld by a smaller distance, or let the reader drop degenerate facets"
    )]
    DegenerateFacet {
        /// Its number in the file, from 1.
        facet: u64,
        /// A corner, 1 to 3.
        first: usize,
        /// The corner at the same place, 1 to 3.
        second: usize,
    },
    /// No elements to make a shape of.
    #[error("there are no triangles and no tetrahedra; export the mesh with its faces")]
    Empty,
    /// A mesh to be written holds more than the format does.
    #[error("{format} cannot hold {what}; {cure}")]
    CannotHold {
        /// The format.
        format: &'static str,
        /// What does not fit.
        what: String,
        /// What to do.
        cure: &'static str,
    },
    /// A setting outside its range.
    #[error("the setting {name} must be {range}, found {found}")]
    Setting {
        /// The field's name.
        name: &'static str,
        /// The values allowed.
        range: &'static str,
        /// The value given.
        found: f64,
    },
}

impl MeshFileError {
    /// An error at a known place.
    pub(super) fn at(place: Location, problem: Problem) -> Self {
        Self { path: None, place: Some(place), problem: Box::new(problem) }
    }

    /// An error of a file as a whole.
    pub(super) fn whole(problem: Problem) -> Self {
        Self { path: None, place: None, problem: Box::new(problem) }
    }

    /// The same error, told of a path unless it names one already.
    pub(super) fn of_path(mut self, path: &Path) -> Self {
        self.path.get_or_insert_with(|| path.to_owned());
        self
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(offset) => write!(f, "byte {offset}"),
            Self::Vertex(number) => write!(f, "vertex {number}"),
            Self::Triangle(number) => write!(f, "triangle {number}"),
            Self::Tetrahedron(number) => write!(f, "tetrahedron {number}"),
        }
    }
}

/// What stands before the problem in a message: the path and the place, where known.
fn prefix(path: Option<&Path>, place: Option<Location>) -> String {
    let path = path.map(|path| format!("{}: ", path.display())).unwrap_or_default();
    let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
    path + &place
}

/// The text of a token for a message: lossy, and cut when it is long.
pub(super) fn quote(token: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(&token[..token.len().min(LONGEST)]).into_owned();
    if token.len() > LONGEST { format!("{text}…") } else { text }
}
