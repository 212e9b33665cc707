//! From a scene to the contacts of one of its time steps.

use std::sync::Arc;
use std::time::Duration;

use drystone_contact::generator::{Generator, GeneratorError, Method, Placed};
use drystone_contact::shape::Shape;
use drystone_contact::{Pose, Twist};
use drystone_engine::solver::{ContactSolver, SolverSettings, Stop};
use drystone_engine::stepper;
use drystone_engine::world::Detected;
use drystone_engine::{
    Body, BodyId, ContactBetween, NewBody, StepSettings, World, WorldError, WorldReport, WorldSettings,
};
use drystone_replica::Variant;
use drystone_replica::stepper::{
    PublishedError, PublishedReport, PublishedSettings, PublishedSimulation, detection_poses as published_poses,
};
use glam::Vec3;

use crate::joint::{SceneJoint, SceneJointError, add_joints};
use crate::scene::{FREE_AXES, Scene};

/// When contacts are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// In time step n (from 1), at the mid-point pose q + Δt/2·u, after n − 1 steps of simulation with the same method.
    Step(usize),
    /// In the pose at t = 0, without any motion.
    Start,
}

/// The contacts of a scene at one moment.
#[derive(Clone, Debug)]
pub struct Detection {
    /// The contacts, pair by pair in ascending order.
    pub contacts: Vec<ContactBetween>,
    /// Where the bodies were.
    pub poses: Vec<Pose>,
    /// How many pairs of bodies were close enough to be handed to the method.
    pub pairs: usize,
    /// Time in the method for all of these pairs.
    pub time: Duration,
    /// The steps that were simulated on the way.
    pub steps: Vec<StepSummary>,
}

/// A scene at one moment, before anything is known of contacts there.
#[derive(Clone, Debug)]
pub struct SceneState {
    /// Where contacts are looked for, one pose a body.
    pub poses: Vec<Pose>,
    /// The bodies at the beginning of that step: in their poses then, with the velocities that they have until contacts act.
    pub bodies: Vec<Body>,
    /// Whether it is the pose at t = 0, without any motion.
    pub is_start: bool,
}

/// What is kept of a simulated step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSummary {
    /// How many contacts were solved for.
    pub contacts: usize,
    /// How many sweeps the solver made.
    pub iterations: usize,
    /// Why it ended.
    pub stop: Stop,
    /// How far its impulses are from a solution, N s.
    pub natural_residual: f64,
}

impl From<&WorldReport> for StepSummary {
    fn from(report: &WorldReport) -> Self {
        // The suite solves the whole system at once.
        let stop = report.islands.first().map_or(Stop::FixedPoint, |island| island.stop);
        StepSummary {
            contacts: report.contacts.len(),
            iterations: report.iterations(),
            stop,
            natural_residual: report.natural_residual(),
        }
    }
}

impl From<&PublishedReport> for StepSummary {
    fn from(report: &PublishedReport) -> Self {
        StepSummary {
            contacts: report.contacts.len(),
            iterations: report.solution.residuals.len(),
            stop: report.solution.stop,
            natural_residual: report.solution.natural_residual,
        }
    }
}

/// Why there are no contacts to look at.
#[derive(Debug, thiserror::Error)]
pub enum DetectionFailure {
    /// The method cannot serve the shape of a body.
    #[error("{body}: {source}")]
    Generator {
        /// The body's name.
        body: String,
        /// What is wrong.
        source: GeneratorError,
    },
    /// The method gave up.
    #[error(transparent)]
    Method(#[from] GeneratorError),
    /// Steps are counted from 1.
    #[error("there is no step 0: steps are counted from 1; for the pose before any motion ask for the start")]
    StepZero,
    /// A time step could not be made.
    #[error("step {step}: {source}")]
    Step {
        /// From 1.
        step: usize,
        /// What is wrong.
        source: WorldError,
    },
    /// A published time step could not be made.
    #[error("step {step}: {source}")]
    PublishedStep {
        /// From 1.
        step: usize,
        /// What is wrong.
        source: PublishedError,
    },
    /// The published steps cannot be made at all.
    #[error(transparent)]
    Published(#[from] PublishedError),
    /// A body cannot be added, or its state is not finite.
    #[error("{body}: {source}")]
    Body {
        /// The body's name.
        body: String,
        /// What is wrong.
        source: WorldError,
    },
    /// A joint cannot be added.
    #[error("joint {joint}: {source}")]
    Joint {
        /// The joint's name.
        joint: String,
        /// What is wrong.
        source: SceneJointError,
    },
    /// No contacts can be looked for.
    #[error(transparent)]
    World(#[from] WorldError),
    /// Someone asked for an end.
    #[error("interrupted before step {step}")]
    Interrupted {
        /// From 1.
        step: usize,
    },
}

/// A method ready to look at a scene in any poses: its generator, and the shapes as it wants them. It looks at all
/// pairs of bodies, whatever their distance.
pub struct Detector {
    generator: Arc<dyn Generator>,
    shapes: Vec<Arc<Shape>>,
    dynamic: Vec<bool>,
}

impl Detector {
    /// Prepares the shapes of the scene for a method.
    ///
    /// # Errors
    /// [`DetectionFailure::Generator`].
    pub fn new(scene: &Scene, method: &Method) -> Result<Self, DetectionFailure> {
        for body in &scene.bodies {
            let error = |source| DetectionFailure::Generator { body: body.name.clone(), source };
            method.generator().prepare(&body.shape).map_err(error)?;
        }
        Ok(Detector {
            generator: Arc::clone(method.generator()),
            shapes: scene.bodies.iter().map(|body| Arc::clone(&body.shape)).collect(),
            dynamic: scene.bodies.iter().map(|b| b.body.is_dynamic()).collect(),
        })
    }

    /// The contacts of all pairs of bodies of which at least one moves: lower id first, in ascending order.
    ///
    /// # Errors
    /// [`DetectionFailure::Method`].
    pub fn contacts(&self, poses: &[Pose], states: &[Body]) -> Result<(Vec<ContactBetween>, usize), DetectionFailure> {
        let placed = |i: usize| {
            let (linear, angular) = (states[i].velocity, states[i].angular_velocity);
            Placed { shape: &self.shapes[i], pose: poses[i], twist: Twist { linear, angular } }
        };
        let mut contacts = Vec::new();
        let mut pairs = 0;
        for i in 0..self.shapes.len() {
            for j in i + 1..self.shapes.len() {
                if !self.dynamic[i] && !self.dynamic[j] {
                    continue;
                }
                pairs += 1;
                let (a, b) = (BodyId::new(i as u32), BodyId::new(j as u32));
                let found = self.generator.contacts(&placed(i), &placed(j))?;
                contacts.extend(found.into_iter().map(|contact| ContactBetween { a, b, contact }));
            }
        }
        Ok((contacts, pairs))
    }
}

/// How a scene is stepped by the engine: with as many sweeps as the published figures, by a solver that converges.
pub fn step_settings(scene: &Scene) -> StepSettings {
    StepSettings {
        time_step: scene.time_step,
        forces: scene.forces,
        contact_solver: scene.solver,
        solver: SolverSettings { friction: scene.friction, ..SolverSettings::CONVERGENT },
        ..StepSettings::default()
    }
}

/// How a scene is stepped by the published program.
///
/// # Errors
/// [`PublishedError::ContactSolver`].
pub fn published_settings(scene: &Scene) -> Result<PublishedSettings, PublishedError> {
    if scene.solver != ContactSolver::ProximalGaussSeidel {
        return Err(PublishedError::ContactSolver(scene.solver.name()));
    }
    let (time_step, forces, friction) = (scene.time_step, scene.forces, scene.friction);
    Ok(PublishedSettings { time_step, forces, friction, ..PublishedSettings::default() })
}

/// The scene as a world that steps as the assessment suite does; bodies are added in their order, then joints in theirs.
///
/// # Errors
/// [`DetectionFailure::Generator`], [`DetectionFailure::Body`], [`DetectionFailure::Joint`].
pub fn world(scene: &Scene, method: &Method) -> Result<World, DetectionFailure> {
    let mut world = World::new(WorldSettings::suite(step_settings(scene)), method.clone());
    *world.materials_mut() = scene.materials.clone();
    let mut handles = Vec::with_capacity(scene.bodies.len());
    for body in &scene.bodies {
        let new = NewBody {
            prescribed_motion: body.prescribed_motion.clone(),
            groups: body.groups,
            ..NewBody::new(body.body.clone(), Arc::clone(&body.shape))
        };
        let failed = |source| match source {
            WorldError::Generator(source) => DetectionFailure::Generator { body: body.name.clone(), source },
            source => DetectionFailure::Body { body: body.name.clone(), source },
        };
        let handle = world.add(new).map_err(failed)?;
        if body.locked_axes != FREE_AXES {
            let [translations, rotations] = body.locked_axes;
            world.lock_axes(handle, translations, rotations).map_err(failed)?;
        }
        handles.push(handle);
    }
    let failed = |(joint, source): (&SceneJoint, _)| DetectionFailure::Joint { joint: joint.name.clone(), source };
    add_joints(&mut world, scene, &handles).map_err(failed)?;
    for [a, b] in scene.excluded.iter().map(|pair| pair.map(BodyId::index)) {
        if let (Some(&a), Some(&b)) = (handles.get(a), handles.get(b)) {
            world.set_excluded(a, b, true)?;
        }
    }
    Ok(world)
}

/// The poses at which the first step looks for contacts.
///
/// # Errors
/// [`DetectionFailure::Published`].
pub fn first_poses(scene: &Scene, variant: Variant) -> Result<Vec<Pose>, DetectionFailure> {
    let bodies = scene.states();
    Ok(match variant {
        Variant::Corrected => stepper::detection_poses(&bodies, &step_settings(scene)),
        Variant::Published | Variant::Earlier => published_poses::<Vec3>(&bodies, scene.time_step)?,
    })
}

/// A scene that is stepped as a variant asks for.
enum Run {
    /// By the engine.
    Engine(World),
    /// As by the published program.
    Published(PublishedSimulation),
}

impl Run {
    fn new(scene: &Scene, method: &Method) -> Result<Self, DetectionFailure> {
        let world = world(scene, method)?;
        Ok(match Variant::read(method) {
            Ok(Variant::Published | Variant::Earlier) => {
                Run::Published(PublishedSimulation::new(world, published_settings(scene)?))
            }
            // Methods of others are stepped by the engine as well.
            Ok(Variant::Corrected) | Err(_) => Run::Engine(world),
        })
    }

    /// Makes the step of this number, from 1.
    fn step(&mut self, step: usize) -> Result<StepSummary, DetectionFailure> {
        match self {
            Run::Engine(world) => {
                let report = world.step().map_err(|source| DetectionFailure::Step { step, source })?;
                Ok(StepSummary::from(&report))
            }
            Run::Published(run) => {
                let report = run.step().map_err(|source| DetectionFailure::PublishedStep { step, source })?;
                Ok(StepSummary::from(&report))
            }
        }
    }

    /// The contacts that the next step would find.
    fn detect(&mut self) -> Result<Detected, DetectionFailure> {
        Ok(match self {
            Run::Engine(world) => world.detect()?,
            Run::Published(run) => run.detect()?,
        })
    }

    /// The contacts where the bodies are now.
    fn detect_now(&mut self) -> Result<Detected, DetectionFailure> {
        Ok(match self {
            Run::Engine(world) => world.detect_now()?,
            Run::Published(run) => run.detect_now()?,
        })
    }

    /// The states of the bodies.
    fn bodies(&self) -> &[Body] {
        match self {
            Run::Engine(world) => world.bodies(),
            Run::Published(run) => run.world().bodies(),
        }
    }
}

/// Runs the scene up to the moment and returns the contacts there. The corrected variant is stepped by the engine,
/// the others as by the published program.
///
/// # Errors
/// See [`DetectionFailure`].
pub fn detect(scene: &Scene, method: &Method, moment: Moment) -> Result<Detection, DetectionFailure> {
    detect_until(scene, method, moment, &|| false)
}

/// The same, given up before the next step once someone asks for an end.
///
/// # Errors
/// See [`DetectionFailure`].
pub fn detect_until(
    scene: &Scene,
    method: &Method,
    moment: Moment,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Detection, DetectionFailure> {
    let last = match moment {
        Moment::Start => 1,
        Moment::Step(0) => return Err(DetectionFailure::StepZero),
        Moment::Step(last) => last,
    };
    let mut run = Run::new(scene, method)?;
    let one = |step| if is_cancelled() { Err(DetectionFailure::Interrupted { step }) } else { run.step(step) };
    let steps = (1..last).map(one).collect::<Result<_, _>>()?;
    let Detected { contacts, poses, pairs, timings } =
        if moment == Moment::Start { run.detect_now()? } else { run.detect()? };
    Ok(Detection { contacts, poses, pairs, time: timings.narrow_phase, steps })
}

/// Runs the scene up to the moment with a method and returns its state there: what [`detect`] hands to the method. At the start and
/// in the first step nothing is asked of the method but its variant.
///
/// # Errors
/// See [`DetectionFailure`].
pub fn state_at(scene: &Scene, method: &Method, moment: Moment) -> Result<SceneState, DetectionFailure> {
    let last = match moment {
        Moment::Start => {
            let bodies = scene.states();
            return Ok(SceneState { poses: bodies.iter().map(Body::pose).collect(), bodies, is_start: true });
        }
        Moment::Step(0) => return Err(DetectionFailure::StepZero),
        Moment::Step(1) => {
            let poses = first_poses(scene, Variant::read(method).unwrap_or(Variant::Corrected))?;
            return Ok(SceneState { poses, bodies: scene.states(), is_start: false });
        }
        Moment::Step(last) => last,
    };
    let mut run = Run::new(scene, method)?;
    for step in 1..last {
        run.step(step)?;
    }
    let poses = run.detect()?.poses;
    Ok(SceneState { poses, bodies: run.bodies().to_vec(), is_start: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{Case, Model};
    use drystone_contact::generator::{TOUCHING, methods};
    use glam::DVec3;

    /// The broad phase leaves out no pair that has contacts, in any case, method, variant and moment.
    #[test]
    fn the_world_finds_the_contacts_of_all_pairs() {
        for case in Case::ALL {
            for (variant, model) in [(Variant::Corrected, Model::Procedural), (Variant::Published, Model::Recorded)] {
                let scene = case.scene(model, None).unwrap();
                for method in methods::all().iter().map(|method| variant.of(method)) {
                    let detector = Detector::new(&scene, &method).unwrap();
                    let mut run = Run::new(&scene, &method).unwrap();
                    // With contact sets, what is found depends on the steps before, which the detector does not know.
                    for step in 1..if method.name() == "vclip" { 2 } else { 4 } {
                        let states = run.bodies().to_vec();
                        for found in [run.detect_now().unwrap(), run.detect().unwrap()] {
                            let (all, pairs) = detector.contacts(&found.poses, &states).unwrap();
                            assert_eq!(found.contacts, all, "{case} {method} {variant}");
                            assert!(found.pairs <= pairs);
                        }
                        run.step(step).unwrap();
                    }
                }
            }
        }
    }

    /// The same with one body lifted: contacts end within what the generator says, and no sooner in the world.
    #[test]
    fn generators_do_not_reach_further_than_they_say() {
        for variant in [Variant::Corrected, Variant::Published] {
            for case in [Case::InternalEdges, Case::CliffEdges, Case::SlidingWedge] {
                let scene = case.scene(Model::Procedural, None).unwrap();
                for method in methods::all().iter().map(|method| variant.of(method)) {
                    let generator = method.generator();
                    let detector = Detector::new(&scene, &method).unwrap();
                    for lift in [0.0, 0.5 * TOUCHING, TOUCHING, 2.0 * TOUCHING, 0.008, 0.015, 0.0199, 0.021, 0.03] {
                        let mut lifted = scene.clone();
                        let upper = lifted.bodies.iter_mut().find(|b| b.body.is_dynamic()).unwrap();
                        upper.body.position += DVec3::Y * lift;
                        let mut world = world(&lifted, &method).unwrap();
                        let found = world.detect_now().unwrap();
                        let (all, _) = detector.contacts(&found.poses, &lifted.states()).unwrap();
                        assert_eq!(found.contacts, all, "{case} {method} {variant} at {lift}");
                        let reach = |i: usize| 0.5 * generator.margin(&scene.bodies[i].shape);
                        assert!(
                            all.is_empty() || lift <= reach(0) + reach(1) + 1e-6,
                            "{case} {method} {variant} at {lift}"
                        );
                    }
                }
            }
        }
    }
}
