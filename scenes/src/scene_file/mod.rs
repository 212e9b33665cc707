//! Scene files: scenes of the user's own, as TOML. The format is described in `docs/scene-files.md`.
//!
//! [`read`] and [`parse`] make a [`Scene`]; [`write()`] and [`encode`] turn any scene into a file that reads back to the
//! same scene, bit for bit.
//!
//! ```
//! use drystone_scenes::scene_file::parse;
//!
//! let text = r#"
//! name = "two-boxes"
//! materials = ["wood"]
//! interaction = [{ between = ["wood", "wood"], friction = 0.4 }]
//!
//! [[body]]
//! name = "table"
//! material = "wood"
//! fixed = true
//! shape.box = [2, 1, 2]
//!
//! [[body]]
//! name = "cube"
//! material = "wood"
//! density = 600
//! position = [0, 1, 0]
//! shape.box = [1, 1, 1]
//!
//! [[truth]]
//! bodies = ["table", "cube"]
//! normals = [[0, 1, 0]]
//! minimum = 4
//! "#;
//! let scene = parse(text, ".")?;
//! assert_eq!(scene.bodies[1].body.mass().round(), 600.0);
//!
//! let error = parse(&text.replace("bodies = [\"table\"", "bodies = [\"desk\""), ".").unwrap_err();
//! assert!(error.to_string().contains("no body is named \"desk\""));
//! # Ok::<(), drystone_scenes::scene_file::SceneFileError>(())
//! ```

mod assemble;
mod body;
mod composed;
mod document;
mod encode;
mod encode_joints;
mod encode_surfaces;
mod error;
mod joint;
mod joint_entry;
pub(crate) mod motion;
pub(crate) mod name;
pub(crate) mod number;
mod solid;
mod surfaces;

use std::io::Write;
use std::path::{Path, PathBuf};

use self::document::Document;
use crate::asynchronous::OpenedSurfaces;
use crate::scene::Scene;

pub use error::{SceneFileError, SceneFileProblem};

/// The value of the key `schema`: the format and its version.
pub const SCHEMA: &str = "drystone.scene/1";

/// Δt of scenes that state none, s.
pub const DEFAULT_TIME_STEP: f64 = 0.01;

/// The scored time step of scenes that state none, from 1.
pub const DEFAULT_STEP: usize = 2;

/// The largest scored time step, as on the command line.
pub const MAXIMUM_STEP: usize = 100_000;

/// The largest `minimum` of a truth: the minimal number of contacts that describe a pose.
pub const MAXIMUM_MINIMUM: usize = 1_000_000;

/// Largest magnitude of a component of a position or vertex (m), velocity (m/s), angular velocity (rad/s) or gravity
/// (m/s²). Beyond it a position in double precision is coarser than a tenth of a micrometre.
pub const MAXIMUM_COMPONENT: f64 = 1e9;

/// Expected normals of a pair whose lines make at most this angle (rad) are the same one.
pub const PARALLEL_ANGLE: f64 = 1e-3;

/// Whether programs that a scene file names may be run: opening a file from a stranger should run nothing that came with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Programs {
    /// A file that names one is refused.
    #[default]
    Refused,
    /// They are run where a shape needs it.
    Allowed,
}

/// Reads a scene file that names no program. Paths in it count from its folder.
///
/// # Errors
/// See [`SceneFileProblem`]; every error names the file.
pub fn read(path: impl AsRef<Path>) -> Result<Scene, SceneFileError> {
    read_with(path, Programs::Refused)
}

/// Reads a scene file. Paths in it count from its folder.
///
/// # Errors
/// As [`read`].
pub fn read_with(path: impl AsRef<Path>, programs: Programs) -> Result<Scene, SceneFileError> {
    let path = path.as_ref();
    let folder = path.parent().unwrap_or(Path::new(""));
    let io = |cause| SceneFileError::whole(SceneFileProblem::Io { action: "read", cause });
    let scene = std::fs::read_to_string(path).map_err(io).and_then(|text| parse_with(&text, folder, programs));
    scene.map_err(|error| error.of_file(path))
}

/// Reads a scene file with deformable surfaces; `None` if there are none in it, as in the files that [`read`] takes.
///
/// # Errors
/// See [`SceneFileProblem`]; every error names the file.
pub fn read_surfaces(path: impl AsRef<Path>) -> Result<Option<OpenedSurfaces>, SceneFileError> {
    let path = path.as_ref();
    let folder = path.parent().unwrap_or(Path::new(""));
    let io = |cause| SceneFileError::whole(SceneFileProblem::Io { action: "read", cause }).of_file(path);
    let text = std::fs::read_to_string(path).map_err(io)?;
    parse_surfaces(&text, folder).map_err(|error| error.of_file(path))
}

/// Makes the scene of deformable surfaces of a text; `None` if there are none in it. Paths in it count from `folder`.
///
/// # Errors
/// See [`SceneFileProblem`].
pub fn parse_surfaces(text: &str, folder: impl AsRef<Path>) -> Result<Option<OpenedSurfaces>, SceneFileError> {
    surfaces::is_of_surfaces(text).then(|| surfaces::parse(text, folder.as_ref())).transpose()
}

/// The mesh files that a scene file names. Of a file that cannot be read, none.
pub fn files(path: impl AsRef<Path>) -> Vec<PathBuf> {
    fn add(value: &toml::Value, folder: &Path, files: &mut Vec<PathBuf>) {
        match value {
            toml::Value::Array(values) => values.iter().for_each(|value| add(value, folder, files)),
            toml::Value::Table(table) => {
                for (key, value) in table {
                    match value.as_str().filter(|_| key == "file") {
                        Some(file) => files.push(folder.join(file)),
                        None => add(value, folder, files),
                    }
                }
            }
            _ => {}
        }
    }
    let path = path.as_ref();
    let table = std::fs::read_to_string(path).ok().and_then(|text| toml::from_str(&text).ok());
    let mut files = Vec::new();
    if let Some(table) = table {
        add(&toml::Value::Table(table), path.parent().unwrap_or(Path::new("")), &mut files);
    }
    files
}

/// Makes a scene from the text of a scene file that names no program. Paths in it count from `folder`.
///
/// # Errors
/// See [`SceneFileProblem`].
pub fn parse(text: &str, folder: impl AsRef<Path>) -> Result<Scene, SceneFileError> {
    parse_with(text, folder, Programs::Refused)
}

/// Makes a scene from the text of a scene file. Paths in it count from `folder`.
///
/// # Errors
/// See [`SceneFileProblem`].
pub fn parse_with(text: &str, folder: impl AsRef<Path>, programs: Programs) -> Result<Scene, SceneFileError> {
    let document: Document = toml::from_str(text).map_err(|error| syntax(text, &error))?;
    if programs == Programs::Refused {
        document.check_programs()?;
    }
    assemble::scene(document, folder.as_ref())
}

/// The text of a scene file with inline tetrahedra and exact numbers. Parsing it gives the same bodies, shapes,
/// materials and truths, bit for bit; it is parsed to make sure.
///
/// # Errors
/// What [`parse`] refuses, such as two bodies of one name or states that are not finite;
/// [`SceneFileProblem::NotKept`] for expected normals that are not of unit length.
pub fn encode(scene: &Scene) -> Result<String, SceneFileError> {
    let written = encode::text(scene)?;
    // All tetrahedra are in it, so that no program is run.
    let read = encode::text(&parse_with(&written, "", Programs::Allowed)?)?;
    if read == written {
        return Ok(written);
    }
    let mut lines = (1..).zip(written.lines().zip(read.lines()));
    let (line, (written, read)) = lines.find(|(_, (written, read))| written != read).unwrap_or_default();
    let (written, read) = (written.trim().to_owned(), read.trim().to_owned());
    Err(SceneFileError::whole(SceneFileProblem::NotKept { line, written, read }))
}

/// The text of a scene file of deformable surfaces, with inline meshes and exact numbers. Parsing it gives the same surfaces and motion, bit for
/// bit; it is parsed to make sure.
///
/// # Errors
/// [`SceneFileProblem::NotOfSurfaces`] of scenes with solids; what [`parse_surfaces`] refuses.
pub fn encode_surfaces(scene: &OpenedSurfaces) -> Result<String, SceneFileError> {
    let written = encode_surfaces::text(scene)?;
    surfaces::parse(&written, Path::new(""))?;
    Ok(written)
}

/// Writes a scene file as by [`encode`]. It appears whole or not at all: it is written beside its place, then renamed.
///
/// # Errors
/// Those of [`encode`]; a file that cannot be written.
pub fn write(scene: &Scene, path: impl AsRef<Path>) -> Result<(), SceneFileError> {
    let path = path.as_ref();
    let io = |cause| SceneFileError::whole(SceneFileProblem::Io { action: "written", cause });
    let written = encode(scene).and_then(|text| replace(path, text.as_bytes()).map_err(io));
    written.map_err(|error| error.of_file(path))
}

/// Puts the bytes at the path by way of a temporary file in the same folder.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // The usual permissions of a new file, instead of the private ones of a temporary file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// The parser's error with its place in the text.
fn syntax(text: &str, error: &toml::de::Error) -> SceneFileError {
    let start = error.span().map_or(text.len(), |span| span.start);
    let before = text.get(..start).unwrap_or(text);
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
    SceneFileError::whole(SceneFileProblem::Syntax { line, column, message: error.message().to_owned() })
}
