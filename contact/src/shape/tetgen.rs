//! Tetrahedra by the TetGen program, run as a separate process over files.
//!
//! TetGen (Si 2015) takes any closed surface. It is not linked: the user installs it, and it is found on the PATH or
//! named in the settings. Whatever it answers is checked against the surface.

#[cfg(feature = "mesh-files")]
mod guarded;
#[cfg(feature = "mesh-files")]
mod process;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;

use super::mesh_file::MeshFileError;
use super::tetrahedral_mesh::{MeshMismatch, TetrahedralMeshError};

#[cfg(feature = "mesh-files")]
pub use process::tetrahedralize;

#[cfg(not(feature = "mesh-files"))]
use super::{surface::Surface, tetrahedral_mesh::TetrahedralMesh};

/// How to run TetGen. The boundary is never split (switch `Y`), so fine interior tetrahedra need a fine surface.
#[derive(Clone, Debug, PartialEq)]
pub struct TetgenSettings {
    /// The program; `None` looks for `tetgen` on the PATH.
    pub program: Option<PathBuf>,
    /// Largest ratio of circumscribed radius to shortest edge that TetGen aims for (switch `q`), at least 1.
    pub quality_ratio: Option<f64>,
    /// Largest volume of a tetrahedron that TetGen aims for (switch `a`), m³, positive.
    pub maximum_volume: Option<f64>,
    /// The program is ended after this time.
    pub timeout: Duration,
}

impl Default for TetgenSettings {
    /// `tetgen` on the PATH, no quality or volume bound, one minute.
    fn default() -> Self {
        Self { program: None, quality_ratio: None, maximum_volume: None, timeout: Duration::from_secs(60) }
    }
}

impl TetgenSettings {
    /// The program that is run.
    pub fn program(&self) -> &Path {
        self.program.as_deref().unwrap_or(Path::new("tetgen"))
    }

    /// The command-line switches, such as `-pYQq2a0.015`.
    pub fn switches(&self) -> Result<String, TetgenError> {
        let mut switches = String::from("-pYQ");
        if let Some(ratio) = self.quality_ratio {
            if !(ratio.is_finite() && ratio >= 1.0) {
                return Err(TetgenError::QualityRatio { ratio });
            }
            switches += &format!("q{ratio}");
        }
        if let Some(volume) = self.maximum_volume {
            if !(volume.is_finite() && volume > 0.0) {
                return Err(TetgenError::MaximumVolume { volume });
            }
            switches += &format!("a{volume}");
        }
        Ok(switches)
    }
}

/// Why TetGen did not fill a surface.
#[derive(Debug, Error)]
pub enum TetgenError {
    /// The library was built without what runs it.
    #[error(
        "this build cannot run TetGen, which this surface needs for its tetrahedra: turn on the feature `mesh-files` of drystone-contact, \
         or make a compound of convex parts"
    )]
    NotBuilt,
    /// The quality ratio is out of range.
    #[error("the quality ratio is {ratio}; it must be a finite number of at least 1")]
    QualityRatio {
        /// The ratio given.
        ratio: f64,
    },
    /// The maximal volume is out of range.
    #[error("the maximal volume is {volume} m³; it must be a finite positive number")]
    MaximumVolume {
        /// The volume given, m³.
        volume: f64,
    },
    /// There is no such program.
    #[error(
        "this surface needs the program TetGen, as only star-shaped ones are filled without it, but `{program}` was not found; \
         install it (Debian and Ubuntu: apt install tetgen; otherwise build it from https://wias-berlin.de/software/tetgen) \
         or set the path of the program"
    )]
    MissingProgram {
        /// The program looked for.
        program: String,
    },
    /// The program could not be started or watched.
    #[error("the program `{program}` could not be run: {source}; check that the path is right and executable")]
    Run {
        /// The program.
        program: String,
        /// What the system says.
        source: io::Error,
    },
    /// A file for the exchange with the program could not be written.
    #[error("cannot write the files for TetGen: {0}; check the directory for temporary files")]
    Files(#[source] io::Error),
    /// The program ended with an error or crashed.
    #[error(
        "`{program} {switches}` failed ({status}){}; the surface may be too degenerate for it, or it may not be TetGen",
        quoted(said)
    )]
    Failed {
        /// The program.
        program: String,
        /// Its switches.
        switches: String,
        /// How it ended.
        status: ExitStatus,
        /// The end of what it printed.
        said: String,
    },
    /// The program took too long and was ended.
    #[error("`{program} {switches}` was ended after {seconds} s; raise the timeout or simplify the surface")]
    Timeout {
        /// The program.
        program: String,
        /// Its switches.
        switches: String,
        /// The time allowed, s.
        seconds: f64,
    },
    /// The program reported success without making tetrahedra.
    #[error("`{program} {switches}` ended without an error but made no tetrahedra{}", quoted(said))]
    NoTetrahedra {
        /// The program.
        program: String,
        /// Its switches.
        switches: String,
        /// The end of what it printed.
        said: String,
    },
    /// The program's output cannot be read.
    #[error("the output of TetGen cannot be read: {0}")]
    Output(#[from] MeshFileError),
    /// The output does not begin with the input vertices.
    #[error("TetGen did not keep vertex {vertex} of the surface")]
    LostVertex {
        /// The first vertex that is missing or moved.
        vertex: u32,
    },
    /// The program's tetrahedra are no valid mesh.
    #[error("TetGen made an invalid mesh: {0}")]
    Mesh(#[from] TetrahedralMeshError),
    /// The program's tetrahedra do not fill the surface.
    #[error("TetGen's mesh does not fill the surface: {0}")]
    Mismatch(#[from] MeshMismatch),
}

fn quoted(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(", saying: {said}") }
}

/// Refuses: the feature `mesh-files` is off.
///
/// # Errors
/// [`TetgenError::NotBuilt`].
#[cfg(not(feature = "mesh-files"))]
pub fn tetrahedralize(_: &Surface, _: &TetgenSettings) -> Result<TetrahedralMesh, TetgenError> {
    Err(TetgenError::NotBuilt)
}
