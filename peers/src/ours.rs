//! The solids in Drystone.

use std::time::Duration;

use anyhow::Result;
use drystone_contact::generator::Method;
use drystone_engine::soft_step::SoftSettings;
use drystone_engine::solver::ContactSolver;
use drystone_engine::world::WorldReport;
use drystone_engine::{Friction, Interaction, MaterialId, MaterialTable, Pose, World, WorldSettings};
use drystone_scenes::detection;
use drystone_scenes::scene::Scene;

/// A Drystone world of a scene.
pub struct Ours {
    world: World,
    report: WorldReport,
    /// Broad phase, narrow phase, solver, post-stabilisation.
    phases: [Duration; 4],
}

impl Ours {
    /// The scene with the settings for embedding, a solver and the given friction for all pairs.
    ///
    /// # Errors
    /// A scene that makes no world.
    pub fn new(scene: &Scene, method: &Method, solver: ContactSolver, friction: f64, time_step: f64) -> Result<Self> {
        let mut scene = scene.clone();
        scene.materials = one_friction(&scene.materials, friction)?;
        let mut world = detection::world(&scene, method)?;
        let mut settings = WorldSettings::default();
        settings.step.time_step = time_step;
        settings.step.forces = scene.forces;
        settings.step.contact_solver = match solver {
            // Nothing sleeps, as in the other engine.
            ContactSolver::Soft(soft) => ContactSolver::Soft(SoftSettings { sleep_time: 0.0, ..soft }),
            other => other,
        };
        *world.settings_mut() = settings;
        Ok(Self { world, report: WorldReport::default(), phases: [Duration::ZERO; 4] })
    }

    /// One time step.
    ///
    /// # Errors
    /// Those of the world.
    pub fn step(&mut self) -> Result<()> {
        self.world.step_into(&mut self.report)?;
        let t = &self.report.timings;
        let phases = [t.broad_phase, t.narrow_phase, t.solver, t.post_stabilisation];
        for (sum, phase) in self.phases.iter_mut().zip(phases) {
            *sum += phase;
        }
        Ok(())
    }

    /// Where the centres of mass are, in the order of the scene's bodies.
    pub fn poses(&self) -> Vec<Pose> {
        self.world.bodies().iter().map(|body| body.pose()).collect()
    }

    /// How many contacts the last step had.
    pub fn contacts(&self) -> usize {
        self.report.contacts.len()
    }

    /// Time in the broad phase, the narrow phase, the solver and the post-stabilisation of all steps.
    pub fn phases(&self) -> [Duration; 4] {
        self.phases
    }
}

/// The same materials with the same friction between any two, without bounce.
fn one_friction(materials: &MaterialTable, friction: f64) -> Result<MaterialTable> {
    let mut table = MaterialTable::new();
    let mut ids: Vec<MaterialId> = Vec::new();
    while let Ok(name) = materials.name(MaterialId::new(ids.len() as u16)) {
        ids.push(table.add(name)?);
    }
    for &a in &ids {
        for &b in &ids {
            table.set(a, b, Interaction::dry(Friction::sliding(friction)))?;
        }
    }
    Ok(table)
}
