//! A scene as a simulator that runs on: as a world with the settings for embedding or those of the assessment suite, or by
//! another simulator.

use std::sync::Arc;

use drystone_contact::generator::Method;
use drystone_engine::backtracking::{BacktrackingError, BacktrackingSettings, BacktrackingSimulator};
use drystone_engine::simulator::{Simulator, SimulatorError, SimulatorKind};
use drystone_engine::solver::{ContactSolver, FrictionModel};
use drystone_engine::{BodyHandle, BodyId, NewBody, World, WorldSettings};

use crate::detection::{self, DetectionFailure, step_settings};
use crate::scene::Scene;

/// Which settings a scene runs with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorldPreset {
    /// As in a program that embeds the engine: [`WorldSettings::default`].
    #[default]
    Embedding,
    /// As in the assessment suite: [`WorldSettings::suite`].
    Suite,
}

/// How a scene is simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationSettings {
    /// What moves the bodies.
    pub simulator: SimulatorKind,
    /// What finds the contacts of the time-stepping simulator; others have their own.
    pub method: Method,
    /// With which settings the time-stepping simulator steps; others have their own.
    pub world_preset: WorldPreset,
}

/// Why a scene cannot be simulated.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// The time-stepping simulator does not take it.
    #[error(transparent)]
    World(#[from] DetectionFailure),
    /// A body that the simulator does not take.
    #[error("{body}: {source}")]
    Body {
        /// The body's name.
        body: String,
        /// What is wrong.
        source: SimulatorError,
    },
    /// Bodies that are not apart at the start.
    #[error(
        "{a} and {b} touch or overlap at the start (pieces {} and {}), and backtracking needs bodies that are apart; \
         simulate the scene by time-stepping, or move them apart (drop-scene is a scene to try)", pieces[0], pieces[1]
    )]
    Overlapping {
        /// The first body's name.
        a: String,
        /// The second body's name.
        b: String,
        /// Their convex pieces.
        pieces: [u32; 2],
    },
    /// A friction model that the simulator does not have.
    #[error("the scene has box friction, and backtracking has elliptic friction cones alone; use time-stepping")]
    BoxFriction,
    /// Locked axes, which the simulator does not have.
    #[error("{body} has locked axes, and backtracking has none; use time-stepping")]
    LockedAxes {
        /// The body's name.
        body: String,
    },
    /// Joints, which the simulator does not have.
    #[error("the scene has joints (the first is {joint}), and backtracking has none; use time-stepping")]
    Joints {
        /// The first joint's name.
        joint: String,
    },
    /// Bodies where the simulator has surfaces.
    #[error(
        "the scene is one of bodies, and the simulator asynchronous moves deformable surfaces: use another, or a scene of surfaces ({})",
        crate::asynchronous::NAMES.join(", ")
    )]
    OfBodies,
    /// Settings or states that the simulator does not take.
    #[error(transparent)]
    Simulator(#[from] SimulatorError),
}

/// The solver of a scene's steps where none is asked for. The settings for embedding have their own, which all scenes but those with box
/// friction take; the suite has another, which holds neither joints nor locked axes.
pub fn usual_solver(scene: &Scene, world_preset: WorldPreset) -> ContactSolver {
    match world_preset {
        WorldPreset::Embedding if scene.friction != FrictionModel::Box => WorldSettings::default().step.contact_solver,
        WorldPreset::Embedding | WorldPreset::Suite => Scene::solver_for(&scene.bodies, &scene.joints),
    }
}

/// How the world of a scene steps. Time step, forces and friction come from the scene.
pub fn settings(scene: &Scene, world_preset: WorldPreset) -> WorldSettings {
    let mut step = step_settings(scene);
    match world_preset {
        WorldPreset::Suite => WorldSettings::suite(step),
        WorldPreset::Embedding => {
            let embedding = WorldSettings::default();
            step.solver.max_iterations = embedding.step.solver.max_iterations;
            WorldSettings { step, ..embedding }
        }
    }
}

/// The world of a scene; bodies are added in their order, then joints in theirs.
///
/// # Errors
/// [`DetectionFailure::Generator`], [`DetectionFailure::Body`], [`DetectionFailure::Joint`].
pub fn world(scene: &Scene, method: &Method, world_preset: WorldPreset) -> Result<World, DetectionFailure> {
    let mut world = detection::world(scene, method)?;
    *world.settings_mut() = settings(scene, world_preset);
    Ok(world)
}

/// The backtracking simulator of a scene; bodies are added in their order. Time step, gravity and damping come from the
/// scene. Its solver, its integrator and its torsional friction are without effect.
///
/// # Errors
/// Joints, bodies with prescribed motions, locked axes, or without convex pieces, bodies that are not apart, box friction.
pub fn backtracking(scene: &Scene) -> Result<BacktrackingSimulator, SimulationError> {
    if scene.friction == FrictionModel::Box {
        return Err(SimulationError::BoxFriction);
    }
    if let Some(body) = scene.locked_body() {
        return Err(SimulationError::LockedAxes { body: body.name.clone() });
    }
    if let Some(joint) = scene.joints.first() {
        return Err(SimulationError::Joints { joint: joint.name.clone() });
    }
    let settings =
        BacktrackingSettings { time_step: scene.time_step, forces: scene.forces, ..BacktrackingSettings::default() };
    let mut simulator = BacktrackingSimulator::new(settings, scene.materials.clone()).map_err(SimulatorError::from)?;
    for body in &scene.bodies {
        let new = NewBody {
            prescribed_motion: body.prescribed_motion.clone(),
            groups: body.groups,
            ..NewBody::new(body.body.clone(), Arc::clone(&body.shape))
        };
        let failed =
            |source: BacktrackingError| SimulationError::Body { body: body.name.clone(), source: source.into() };
        simulator.add(new).map_err(failed)?;
    }
    for [a, b] in scene.excluded.iter().map(|pair| pair.map(BodyId::index)) {
        if let (Some(&a), Some(&b)) = (simulator.handles().get(a), simulator.handles().get(b)) {
            simulator.set_excluded(a, b, true).map_err(SimulatorError::from)?;
        }
    }
    match simulator.detect_now() {
        Ok(_) => Ok(simulator),
        Err(SimulatorError::Backtracking(BacktrackingError::Overlapping { a, b, pieces })) => {
            let name = |handle: BodyHandle| {
                let index = simulator.handles().iter().position(|&known| known == handle);
                index.and_then(|index| scene.bodies.get(index)).map_or(handle.to_string(), |body| body.name.clone())
            };
            Err(SimulationError::Overlapping { a: name(a), b: name(b), pieces })
        }
        Err(error) => Err(error.into()),
    }
}

/// The simulator of a scene.
///
/// # Errors
/// Those of [`world`] and [`backtracking`]; [`SimulationError::OfBodies`].
pub fn simulator(scene: &Scene, settings: &SimulationSettings) -> Result<Box<dyn Simulator>, SimulationError> {
    Ok(match settings.simulator {
        SimulatorKind::TimeStepping => Box::new(world(scene, &settings.method, settings.world_preset)?),
        SimulatorKind::Backtracking => Box::new(backtracking(scene)?),
        SimulatorKind::Asynchronous => return Err(SimulationError::OfBodies),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::BuiltIn;
    use crate::cases::Model;
    use drystone_contact::generator::methods;
    use drystone_engine::PrescribedMotion;

    #[test]
    fn settings_are_those_of_the_scene() {
        let mut scene = BuiltIn::Pillar.scene(Model::Procedural, None).unwrap();
        scene.set_time_step(0.004);
        scene.friction = FrictionModel::Box;
        for world_preset in [WorldPreset::Embedding, WorldPreset::Suite] {
            let world = world(&scene, &methods::volume_sat(), world_preset).unwrap();
            let settings = world.settings();
            assert_eq!(settings.step.time_step, 0.004);
            assert_eq!(settings.step.forces, scene.forces);
            assert_eq!(settings.step.solver.friction, FrictionModel::Box);
            assert_eq!(settings.warm_start.is_some(), world_preset == WorldPreset::Embedding);
            assert_eq!(world.bodies().len(), scene.bodies.len());
        }
    }

    #[test]
    fn backtracking_takes_what_it_can_and_says_why_it_refuses_the_rest() {
        let mut scene = BuiltIn::DropScene.scene(Model::Procedural, None).unwrap();
        scene.set_time_step(0.02);
        let mut dropped = backtracking(&scene).unwrap();
        assert_eq!((dropped.settings().time_step, dropped.settings().forces), (0.02, scene.forces));
        let report = Simulator::step(&mut dropped).unwrap();
        assert_eq!((report.handles.len(), report.step), (3, 1));

        let refusal = |scene: &Scene| backtracking(scene).map(|_| ()).unwrap_err().to_string();
        let mut driven = scene.clone();
        driven.bodies[0].prescribed_motion = Some(PrescribedMotion::default());
        assert!(refusal(&driven).contains("ground: backtracking has no prescribed motion"));
        let mut locked = scene.clone();
        locked.bodies[1].locked_axes[1] = [true; 3];
        assert!(refusal(&locked).contains("has locked axes"));
        let boxed = Scene { friction: FrictionModel::Box, ..scene };
        assert!(refusal(&boxed).contains("box friction"));
        let stack = BuiltIn::BoxStack.scene(Model::Procedural, Some(2.0)).unwrap();
        let text = refusal(&stack);
        assert!(text.contains("box 1 and box 2 touch or overlap") && text.contains("apart"), "{text}");
    }
}
