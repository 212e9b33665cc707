//! A scene as a world that runs on: with the settings for embedding, or with those of the assessment suite.

use drystone_contact::generator::{Method, Variant};
use drystone_engine::{World, WorldSettings};

use crate::detection::{self, DetectionFailure, step_settings};
use crate::scene::Scene;

/// Which settings a scene runs with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// As in a program that embeds the engine: [`WorldSettings::default`].
    #[default]
    Embedding,
    /// As in the assessment suite: [`WorldSettings::suite`].
    Suite,
}

/// How the world of a scene steps. Time step, forces and friction come from the scene.
pub fn settings(scene: &Scene, purpose: Purpose) -> WorldSettings {
    let mut step = step_settings(scene);
    match purpose {
        Purpose::Suite => WorldSettings::suite(step),
        Purpose::Embedding => {
            let embedding = WorldSettings::default();
            step.solver.max_iterations = embedding.step.solver.max_iterations;
            WorldSettings { step, ..embedding }
        }
    }
}

/// The world of a scene; bodies are added in their order.
///
/// # Errors
/// [`DetectionFailure::Erosion`], [`DetectionFailure::Body`].
pub fn world(scene: &Scene, method: Method, variant: Variant, purpose: Purpose) -> Result<World, DetectionFailure> {
    let mut world = detection::world(scene, method, variant)?;
    *world.settings_mut() = settings(scene, purpose);
    Ok(world)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::BuiltIn;
    use crate::cases::Model;
    use drystone_engine::solver::FrictionModel;

    #[test]
    fn settings_are_those_of_the_scene() {
        let mut scene = BuiltIn::Pillar.scene(Model::Procedural, None).unwrap();
        scene.set_time_step(0.004);
        scene.friction = FrictionModel::Box;
        for purpose in [Purpose::Embedding, Purpose::Suite] {
            let world = world(&scene, Method::VolumeSat, Variant::Corrected, purpose).unwrap();
            let settings = world.settings();
            assert_eq!(settings.step.time_step, 0.004);
            assert_eq!(settings.step.forces, scene.forces);
            assert_eq!(settings.step.solver.friction, FrictionModel::Box);
            assert_eq!(settings.warm_start.is_some(), purpose == Purpose::Embedding);
            assert_eq!(world.bodies().len(), scene.bodies.len());
        }
    }
}
