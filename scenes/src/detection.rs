//! From a scene to the contacts of one of its time steps.

use std::sync::Arc;
use std::time::{Duration, Instant};

use drystone_contact::generator::{Generator, Method, Placed, Variant};
use drystone_contact::precision::Precision;
use drystone_contact::shape::{ErosionError, Shape};
use drystone_contact::{Pose, Twist};
use drystone_engine::solver::{Rollback, SolverSettings, Stop};
use drystone_engine::{Body, BodyId, ContactBetween, StepError, StepReport, StepSettings, step};

use crate::scene::Scene;

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
    /// How many pairs of bodies were handed to the method.
    pub pairs: usize,
    /// Time in the method for all of these pairs.
    pub time: Duration,
    /// The steps that were simulated on the way.
    pub steps: Vec<StepSummary>,
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

impl From<&StepReport> for StepSummary {
    fn from(report: &StepReport) -> Self {
        StepSummary {
            contacts: report.contacts.len(),
            iterations: report.iterations(),
            stop: report.solution.stop,
            natural_residual: report.solution.natural_residual,
        }
    }
}

/// Why there are no contacts to look at.
#[derive(Debug, thiserror::Error)]
pub enum DetectionFailure {
    /// A shape cannot be eroded for the method.
    #[error("{body}: {source}")]
    Erosion {
        /// The body's name.
        body: String,
        /// What is wrong.
        source: ErosionError,
    },
    /// Steps are counted from 1.
    #[error("there is no step 0: steps are counted from 1; for the pose before any motion ask for the start")]
    StepZero,
    /// A time step could not be made.
    #[error("step {step}: {source}")]
    Step {
        /// From 1.
        step: usize,
        /// What is wrong.
        source: StepError,
    },
}

/// A method ready to look at a scene: its generator, and the shapes as it wants them.
pub struct Detector {
    generator: Box<dyn Generator>,
    shapes: Vec<Arc<Shape>>,
    dynamic: Vec<bool>,
}

impl Detector {
    /// Prepares the shapes of the scene for a method.
    ///
    /// # Errors
    /// [`DetectionFailure::Erosion`].
    pub fn new(scene: &Scene, method: Method, variant: Variant) -> Result<Self, DetectionFailure> {
        let shape = |body: &crate::scene::SceneBody| {
            let erosion = |source| DetectionFailure::Erosion { body: body.name.clone(), source };
            body.shape_for(method.erosion()).map_err(erosion)
        };
        Ok(Detector {
            generator: method.generator(variant),
            shapes: scene.bodies.iter().map(shape).collect::<Result<_, _>>()?,
            dynamic: scene.bodies.iter().map(|b| b.body.is_dynamic()).collect(),
        })
    }

    /// The contacts of all pairs of bodies of which at least one moves: lower id first, in ascending order.
    pub fn contacts(&self, poses: &[Pose], states: &[Body]) -> (Vec<ContactBetween>, usize) {
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
                let found = self.generator.contacts(&placed(i), &placed(j));
                contacts.extend(found.into_iter().map(|contact| ContactBetween { a, b, contact }));
            }
        }
        (contacts, pairs)
    }
}

/// How a scene is stepped for a variant: the published figures with the roll-back and the precision of their program.
pub fn step_settings(scene: &Scene, variant: Variant) -> StepSettings {
    let (precision, rollback) = match variant {
        Variant::Corrected => (Precision::Double, Rollback::Corrected),
        Variant::Published | Variant::Earlier => (Precision::Single, Rollback::Published),
    };
    StepSettings {
        time_step: scene.time_step,
        precision,
        forces: scene.forces,
        solver: SolverSettings { rollback, friction: scene.friction, ..SolverSettings::default() },
        ..StepSettings::default()
    }
}

/// Runs the scene up to the moment and returns the contacts there.
///
/// # Errors
/// See [`DetectionFailure`].
pub fn detect(scene: &Scene, method: Method, variant: Variant, moment: Moment) -> Result<Detection, DetectionFailure> {
    let detector = Detector::new(scene, method, variant)?;
    let mut states = scene.states();
    let look = |poses: Vec<Pose>, states: &[Body], steps: Vec<StepSummary>| {
        let start = Instant::now();
        let (contacts, pairs) = detector.contacts(&poses, states);
        Detection { contacts, poses, pairs, time: start.elapsed(), steps }
    };
    let last = match moment {
        Moment::Start => return Ok(look(states.iter().map(Body::pose).collect(), &states, Vec::new())),
        Moment::Step(0) => return Err(DetectionFailure::StepZero),
        Moment::Step(last) => last,
    };
    let settings = step_settings(scene, variant);
    let mut steps = Vec::new();
    for k in 1..last {
        let before = states.clone();
        let find = |poses: &[Pose]| Ok(detector.contacts(poses, &before).0);
        let report = step(&mut states, &scene.materials, &settings, find)
            .map_err(|source| DetectionFailure::Step { step: k, source })?;
        steps.push(StepSummary::from(&report));
    }
    let poses = drystone_engine::stepper::detection_poses(&states, &settings);
    Ok(look(poses, &states, steps))
}
