//! Kinematic trees as scenes: models in MJCF (the XML files of MuJoCo) and in URDF. What becomes of every element is told in
//! `docs/mjcf-urdf.md`.
//!
//! Every element and attribute is understood, passed over because it has nothing to do with the motion, noted, or refused by an error that
//! names it. What is read in another way than the file says is told in [`Note`]s. The frame of the file is kept; z is up in most.
//!
//! ```
//! use drystone_scenes::kinematic_tree::parse;
//!
//! let text = r#"<mujoco>
//!   <worldbody>
//!     <body pos="0 0 1">
//!       <joint type="hinge" axis="0 1 0"/>
//!       <geom type="sphere" size="0.1" pos="0 0 -0.5" mass="2"/>
//!     </body>
//!   </worldbody>
//! </mujoco>"#;
//! let read = parse(text, "pendulum.xml")?;
//! assert_eq!((read.scene.bodies.len(), read.scene.joints.len()), (1, 1));
//! assert!((read.scene.bodies[0].body.position.z - 0.5).abs() < 1e-12);
//! # Ok::<(), drystone_scenes::kinematic_tree::TreeError>(())
//! ```

mod assemble;
mod element;
mod error;
mod joint;
mod mass;
mod mesh_mass;
mod mjcf;
mod model;
mod name;
mod note;
mod solid;
mod touch;
mod urdf;

use std::path::{Path, PathBuf};

use crate::scene::Scene;
use element::{Element, quoted};

pub use error::{Place, TreeError, TreeProblem};
pub use note::Note;

/// A scene and what became of it on the way.
#[derive(Clone, Debug)]
pub struct TreeScene {
    /// The scene; nothing is known about its contacts, so its truth is empty.
    pub scene: Scene,
    /// What is not as in the file.
    pub notes: Vec<Note>,
}

/// Reads a file of MJCF or URDF; which one it is, its root element tells. Files that it names count from its folder.
///
/// # Errors
/// See [`TreeProblem`]; every error names the file and the line.
pub fn read(path: impl AsRef<Path>) -> Result<TreeScene, TreeError> {
    let path = path.as_ref();
    scene(Element::read(path)?, path)
}

/// Makes a scene of the text of a file that would be at a path.
///
/// # Errors
/// See [`TreeProblem`].
pub fn parse(text: &str, path: impl AsRef<Path>) -> Result<TreeScene, TreeError> {
    let path = path.as_ref();
    scene(Element::parse(text, path)?, path)
}

/// The files that a file reads besides itself: meshes and included files. Of a file that cannot be read, none.
pub fn files(path: impl AsRef<Path>) -> Vec<PathBuf> {
    let path = path.as_ref();
    let Ok(root) = Element::read(path) else { return Vec::new() };
    match root.name.as_str() {
        "mujoco" => mjcf::files(root, path),
        _ => urdf::files(&root, path),
    }
}

/// Whether a path is that of such a file, by its ending.
pub fn is_named(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    matches!(extension.as_str(), "xml" | "urdf")
}

fn scene(root: Element, path: &Path) -> Result<TreeScene, TreeError> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let model = match root.name.as_str() {
        "mujoco" => mjcf::model(root, path)?,
        "robot" => urdf::model(&root, path)?,
        other => return Err(root.error("", TreeProblem::Root(quoted(other)))),
    };
    assemble::scene(model, &stem)
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
