//! Scenes of [rigid-ipc](https://github.com/ipc-sim/rigid-ipc) (Ferguson et al. 2021, *Intersection-free Rigid Body
//! Dynamics*), as JSON with mesh files. What becomes of every key is told in `docs/rigid-ipc.md`.
//!
//! Every key is understood, passed over because it has nothing to do with the motion, or refused by an error that names
//! what it needs. What is read in another way than rigid-ipc would is told in [`Note`]s.
//!
//! ```
//! use drystone_scenes::rigid_ipc::{Feature, parse};
//!
//! let text = r#"{
//!     "timestep": 0.01,
//!     "max_time": 2,
//!     "rigid_body_problem": {
//!         "gravity": [0, -9.81, 0],
//!         "coefficient_friction": 0.5,
//!         "rigid_bodies": [{
//!             "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
//!             "faces": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
//!             "density": 600
//!         }]
//!     }
//! }"#;
//! let read = parse(text, "falling", ".")?;
//! assert_eq!(read.scene.bodies[0].body.mass().round(), 100.0);
//! assert_eq!(read.duration, Some(2.0));
//!
//! let flat = text.replace("[0, -9.81, 0]", "[0, -9.81]");
//! assert_eq!(parse(&flat, "flat", ".").unwrap_err().feature(), Some(Feature::TwoDimensions));
//! # Ok::<(), drystone_scenes::rigid_ipc::RigidIpcError>(())
//! ```

mod assemble;
mod bodies;
mod body_name;
mod entry;
mod error;
mod group;
mod kinematic;
mod mesh;
mod object;
mod shell;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::scene::Scene;

pub use error::{Feature, RigidIpcError, RigidIpcProblem};

/// A scene and what became of it on the way.
#[derive(Clone, Debug)]
pub struct RigidIpcScene {
    /// The scene; nothing is known about its contacts, so its truth is empty.
    pub scene: Scene,
    /// How long rigid-ipc would run it, s, if the file says so.
    pub duration: Option<f64>,
    /// What is not as in rigid-ipc.
    pub notes: Vec<Note>,
}

/// Something that was changed or left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where, as in errors: `body 3 (cube.obj)`; `None` for the whole scene.
    pub place: Option<String>,
    /// What.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// Reads a scene file. Meshes are looked for beside it, then in folders named `meshes` beside it and beside each folder
/// that it lies in.
///
/// # Errors
/// See [`RigidIpcProblem`]; every error names the file.
pub fn read(path: impl AsRef<Path>) -> Result<RigidIpcScene, RigidIpcError> {
    let path = path.as_ref();
    let io = |cause| RigidIpcError::whole(RigidIpcProblem::Io(cause));
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let scene = std::fs::read_to_string(path).map_err(io).and_then(|text| parse(&text, &name, folder));
    scene.map_err(|error| error.of_file(path))
}

/// The mesh files that a scene reads. Of a file that cannot be read, none.
pub fn files(path: impl AsRef<Path>) -> Vec<PathBuf> {
    let path = path.as_ref();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let document = std::fs::read_to_string(path).ok().and_then(|text| serde_json::from_str(&text).ok());
    document.map_or_else(Vec::new, |document: serde_json::Value| mesh::files(&document, folder))
}

/// Makes a scene of this name from the text of a scene file that lies in `folder`.
///
/// # Errors
/// See [`RigidIpcProblem`].
pub fn parse(text: &str, name: &str, folder: impl AsRef<Path>) -> Result<RigidIpcScene, RigidIpcError> {
    let document = serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        // The parser repeats the place at the end of its message.
        let said = error.to_string();
        let message = said.split(" at line ").next().unwrap_or_default().to_owned();
        RigidIpcError::whole(RigidIpcProblem::Syntax { line, column, message })
    })?;
    assemble::scene(&document, name, folder.as_ref())
}
