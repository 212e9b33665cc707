//! Scenes of deformable surfaces for the asynchronous simulator, one file each.
//!
//! Source: Harmon and others, "Asynchronous contact mechanics", Communications of the ACM 55 (2012), section 6. Its parameters are lost;
//! those here are our own.

mod bed_of_nails;
mod compactor_cubes;
mod curtains;
mod drape;
mod named_surface;
mod particle_on_floor;
mod reef_knot;
mod sheet;
mod trash_compactor;
mod two_shells;
mod zeno;

use drystone_contact::shape::SurfaceError;
use drystone_engine::simulator::asynchronous::{
    AsynchronousError, AsynchronousSimulation, AsynchronousSimulator, ContactLaw, DeformableSurface, VelocityKey,
};
use glam::DVec3;

pub use named_surface::{NamedSurface, place};

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

    /// The simulation at the start, with the paper's kinetic hierarchy as the broad phase.
    ///
    /// # Errors
    /// [`AsynchronousError`].
    pub fn simulation_by_hierarchy(&self) -> Result<AsynchronousSimulation, AsynchronousError> {
        AsynchronousSimulation::new(self.surface.clone(), &self.prescribed, self.gravity)?
            .with_contact_by_hierarchy(&self.law)?
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

/// A scene that comes with the crate.
#[derive(Clone, Copy, Debug)]
pub struct NamedScene {
    /// By which people ask for it.
    pub name: &'static str,
    /// What happens in it.
    pub title: &'static str,
    /// Of a frame, s.
    pub time_step: f64,
    /// Makes it.
    pub scene: fn() -> Result<SurfaceScene, AsynchronousError>,
}

/// The scenes by name.
pub const SCENES: [NamedScene; 15] = [
    NamedScene {
        name: "reef-knot",
        title: "two ribbons are pulled tight to a reef knot",
        time_step: 0.005,
        scene: reef_knot::scene,
    },
    NamedScene {
        name: "bed-of-nails",
        title: "two cloths fall onto nails, are tugged across them, and are thrown at",
        time_step: 0.005,
        scene: bed_of_nails::scene,
    },
    NamedScene {
        name: "trash-compactor",
        title: "four walls close in on hollow balls",
        time_step: 0.005,
        scene: trash_compactor::scene,
    },
    NamedScene {
        name: "compactor-cubes",
        title: "four walls close in on nearly rigid cubes that are dropped between them",
        time_step: 0.005,
        scene: compactor_cubes::scene,
    },
    NamedScene {
        name: "curtains",
        title: "a particle flies through four curtains, slowly, then fast",
        time_step: 0.005,
        scene: curtains::scene,
    },
    NamedScene { name: "drape-spike", title: "a cloth falls over a spike", time_step: 0.005, scene: drape::over_spike },
    NamedScene { name: "drape-wedge", title: "a cloth falls over a wedge", time_step: 0.005, scene: drape::over_wedge },
    NamedScene {
        name: "drape-crack",
        title: "a cloth falls over a block with a crack",
        time_step: 0.005,
        scene: drape::over_crack,
    },
    NamedScene {
        name: "drape-hole",
        title: "a cloth falls over a block with a hole",
        time_step: 0.005,
        scene: drape::over_hole,
    },
    NamedScene {
        name: "drape-cliff",
        title: "a cloth falls over the edges of a frustum",
        time_step: 0.005,
        scene: drape::over_cliff,
    },
    NamedScene {
        name: "drape-internal-edges",
        title: "a cloth falls over a solid with internal edges",
        time_step: 0.005,
        scene: drape::over_internal_edges,
    },
    NamedScene {
        name: "particle-on-floor",
        title: "a particle falls onto a floor",
        time_step: 0.005,
        scene: particle_on_floor::scene,
    },
    NamedScene {
        name: "two-shells",
        title: "two hollow balls collide off centre and go on swinging",
        time_step: 0.0025,
        scene: two_shells::scene,
    },
    NamedScene {
        name: "fine-shells",
        title: "the same with many more triangles",
        time_step: 0.0005,
        scene: two_shells::fine,
    },
    NamedScene {
        name: "zeno",
        title: "two plates leave a ribbon no room: ends with an error",
        time_step: 0.001,
        scene: zeno::scene,
    },
];

/// A scene that was opened, by name or from a file.
#[derive(Clone, Debug)]
pub struct OpenedSurfaces {
    /// As people call it.
    pub name: String,
    /// What happens in it.
    pub title: String,
    /// Of a frame, s.
    pub time_step: f64,
    /// The scene.
    pub scene: SurfaceScene,
    /// The surfaces that the scene file has names for.
    pub surfaces: Vec<NamedSurface>,
}

impl OpenedSurfaces {
    /// The simulator at the start.
    ///
    /// # Errors
    /// [`AsynchronousError`].
    pub fn simulator(&self) -> Result<AsynchronousSimulator, AsynchronousError> {
        AsynchronousSimulator::new(self.scene.simulation()?, self.time_step)
    }

    /// The simulator at the start, with contact by speculative windows.
    ///
    /// # Errors
    /// [`AsynchronousError`].
    pub fn simulator_by_windows(&self) -> Result<AsynchronousSimulator, AsynchronousError> {
        AsynchronousSimulator::new(self.scene.simulation_by_windows()?, self.time_step)
    }

    /// How many frames there are to see.
    pub fn steps(&self) -> u64 {
        (self.scene.duration / self.time_step).round().max(1.0) as u64
    }
}

/// What is wrong with the mesh of a solid.
fn mesh_error(error: SurfaceError) -> AsynchronousError {
    AsynchronousError::Mesh { problem: error.to_string() }
}

/// The names alone: a program that never makes one of the scenes is linked without them and their data.
pub const NAMES: [&str; SCENES.len()] = {
    let mut names = [""; SCENES.len()];
    let mut scene = 0;
    while scene < names.len() {
        names[scene] = SCENES[scene].name;
        scene += 1;
    }
    names
};

/// A scene by its name.
///
/// # Errors
/// A name that is none, or what is wrong with the scene.
pub fn named(name: &str) -> Result<SurfaceScene, AsynchronousError> {
    match SCENES.iter().find(|known| known.name == name) {
        Some(known) => (known.scene)(),
        None => Err(AsynchronousError::UnknownScene { name: name.to_owned(), known: NAMES.join(", ") }),
    }
}
