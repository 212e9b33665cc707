//! Scenes of deformable surfaces for the asynchronous simulator, one file each.
//!
//! Source: Harmon and others, "Asynchronous contact mechanics", Communications of the ACM 55 (2012), section 6. Its parameters are lost;
//! those here are our own.

mod bed_of_nails;
mod compactor_cubes;
mod curtains;
mod drape;
mod particle_on_floor;
mod reef_knot;
mod sheet;
mod trash_compactor;
mod two_shells;
mod zeno;

use drystone_contact::shape::SurfaceError;
use drystone_engine::simulator::asynchronous::{
    AsynchronousError, AsynchronousSimulation, ContactLaw, DeformableSurface, VelocityKey,
};
use glam::DVec3;

/// A scene.
#[derive(Clone, Debug)]
pub struct SurfaceScene {
    /// All surfaces, with what they are made of.
    pub surface: DeformableSurface,
    /// Vertices that no force moves.
    pub prescribed: Vec<u32>,
    /// m/s².
    pub gravity: DVec3,
    /// How surfaces push each other apart.
    pub law: ContactLaw,
    /// Velocities from times on; those at 0 s are initial.
    pub velocities: Vec<VelocityKey>,
    /// When there is no more to see, s.
    pub duration: f64,
}

impl SurfaceScene {
    /// The simulation at the start.
    ///
    /// # Errors
    /// [`AsynchronousError`].
    pub fn simulation(&self) -> Result<AsynchronousSimulation, AsynchronousError> {
        AsynchronousSimulation::new(self.surface.clone(), &self.prescribed, self.gravity)?
            .with_contact(&self.law)?
            .with_velocities(self.velocities.clone())
    }

    /// The simulation at the start, with contact by speculative windows.
    ///
    /// # Errors
    /// [`AsynchronousError`].
    pub fn simulation_by_windows(&self) -> Result<AsynchronousSimulation, AsynchronousError> {
        AsynchronousSimulation::new(self.surface.clone(), &self.prescribed, self.gravity)?
            .with_contact_by_windows(&self.law)?
            .with_velocities(self.velocities.clone())
    }
}

/// A name, and what makes the scene.
pub type NamedScene = (&'static str, fn() -> Result<SurfaceScene, AsynchronousError>);

/// The scenes by name.
pub const SCENES: [NamedScene; 15] = [
    ("reef-knot", reef_knot::scene),
    ("bed-of-nails", bed_of_nails::scene),
    ("trash-compactor", trash_compactor::scene),
    ("compactor-cubes", compactor_cubes::scene),
    ("curtains", curtains::scene),
    ("drape-spike", drape::over_spike),
    ("drape-wedge", drape::over_wedge),
    ("drape-crack", drape::over_crack),
    ("drape-hole", drape::over_hole),
    ("drape-cliff", drape::over_cliff),
    ("drape-internal-edges", drape::over_internal_edges),
    ("particle-on-floor", particle_on_floor::scene),
    ("two-shells", two_shells::scene),
    ("fine-shells", two_shells::fine),
    ("zeno", zeno::scene),
];

/// What is wrong with the mesh of a solid.
fn mesh_error(error: SurfaceError) -> AsynchronousError {
    AsynchronousError::Mesh { problem: error.to_string() }
}

/// A scene by its name.
///
/// # Errors
/// A name that is none, or what is wrong with the scene.
pub fn named(name: &str) -> Result<SurfaceScene, AsynchronousError> {
    match SCENES.iter().find(|(known, _)| *known == name) {
        Some((_, scene)) => scene(),
        None => {
            let known = SCENES.map(|(known, _)| known).join(", ");
            Err(AsynchronousError::UnknownScene { name: name.to_owned(), known })
        }
    }
}
