//! What contacts do from step to step: contacts that flicker, energy that appears, the work of contacts that should not be there.
//!
//! A scene is simulated by the suite's stepper with the contacts of one method. No generator has a part in the measures; their
//! definitions and reasons are in `docs/temporal-scores.md`.

use drystone_contact::Pose;
use drystone_contact::generator::Method;
use drystone_engine::solver::Impulse;
use drystone_engine::solver::contact_problem::tangents;
use drystone_engine::{Body, ContactBetween, WorldReport};
use glam::DVec3;
use serde::Serialize;

use crate::detection::DetectionFailure;
use crate::measure::Matching;
use crate::scene::Scene;
use crate::simulation::{WorldPreset, world};
use crate::truth::{Truth, TruthKind};

/// How runs are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TemporalSettings {
    /// Time steps to simulate; with fewer than three none is compared with others.
    pub steps: usize,
    /// By which truth contacts should not be there.
    pub truth: TruthKind,
    /// When a normal is an expected one.
    pub matching: Matching,
    /// Contacts of one pair in different steps are one contact if their points, carried along by one of the bodies, are no farther apart than this
    /// share of the thickness of the thinner body.
    pub same: f64,
    /// And their normals, carried along as well, by no more than this angle, rad.
    pub angle: f64,
}

impl TemporalSettings {
    /// With the usual limits.
    pub fn new(steps: usize, truth: TruthKind) -> Self {
        Self { steps, truth, matching: Matching::default(), same: 0.02, angle: 0.1 }
    }
}

/// What contacts did over a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Temporal {
    /// Time steps.
    pub steps: usize,
    /// Contacts over all steps.
    pub contacts: usize,
    /// Contacts that are in no other step than their own, of the steps that have a step before and one after.
    pub flashes: usize,
    /// Contacts that are missing in one step and are there in the step before and in the one after.
    pub dropouts: usize,
    /// Flashes and dropouts by the dropouts and the contacts of the steps that have a step before and one after; 0 of none.
    pub flicker: f64,
    /// What the energy of the bodies grows by in the steps in which it grows, J. `None` where prescribed motions, belts, motors or springs may add energy.
    pub energy_gain: Option<f64>,
    /// Contacts whose normal is none of those that their pair should have. `None` without a truth.
    pub ghosts: Option<usize>,
    /// The work that these do, whatever its sign, J.
    pub ghost_work: Option<f64>,
    /// What would lift all bodies that can move by their thickness, J: the unit in which the other energies are small or large. 0 without gravity.
    pub lift: f64,
}

/// A step as it is compared with others.
struct Step {
    contacts: Vec<ContactBetween>,
    poses: Vec<Pose>,
}

/// Simulates a scene with the contacts of a method and looks at them; `None` if `goes_on`, which is asked before each step, says no.
///
/// # Errors
/// See [`DetectionFailure`].
pub fn temporal(
    scene: &Scene,
    method: &Method,
    settings: &TemporalSettings,
    mut goes_on: impl FnMut() -> bool,
) -> Result<Option<Temporal>, DetectionFailure> {
    let mut world = world(scene, method, WorldPreset::Suite)?;
    let truth = scene.truth(settings.truth);
    let has_truth = !truth.pairs.is_empty();
    let mut steps: Vec<Step> = Vec::with_capacity(3);
    let (mut contacts, mut inner, mut flashes, mut dropouts) = (0, 0, 0, 0);
    let (mut energy_gain, mut ghosts, mut ghost_work) = (0.0, 0, 0.0);
    let mut report = WorldReport::default();
    for step in 1..=settings.steps {
        if !goes_on() {
            return Ok(None);
        }
        let before = world.bodies().to_vec();
        world.step_into(&mut report).map_err(|source| DetectionFailure::Step { step, source })?;
        contacts += report.contacts.len();
        energy_gain += (report.energy_after.total() - report.energy_before.total()).max(0.0);
        if has_truth {
            let here = truth.at(&report.poses);
            for (contact, impulse) in report.contacts.iter().zip(&report.impulses) {
                if !is_expected(contact, &here, &settings.matching) {
                    ghosts += 1;
                    ghost_work += work(contact, impulse, [&before, world.bodies()]).abs();
                }
            }
        }
        steps.push(Step { contacts: report.contacts.clone(), poses: report.poses.clone() });
        if let [first, middle, last] = &steps[..] {
            inner += middle.contacts.len();
            flashes += count(middle, |k| {
                !is_in(scene, settings, (middle, k), first) && !is_in(scene, settings, (middle, k), last)
            });
            dropouts += count(first, |k| {
                !is_in(scene, settings, (first, k), middle) && is_in(scene, settings, (first, k), last)
            });
            steps.remove(0);
        }
    }
    let flicker = if inner + dropouts > 0 { (flashes + dropouts) as f64 / (inner + dropouts) as f64 } else { 0.0 };
    // A belt is a fixed body with a velocity.
    let drives =
        |body: &Body| !body.is_dynamic() && (body.velocity, body.angular_velocity) != (DVec3::ZERO, DVec3::ZERO);
    let is_driven = !scene.joints.is_empty()
        || scene.bodies.iter().any(|body| body.prescribed_motion.is_some() || drives(&body.body));
    Ok(Some(Temporal {
        steps: settings.steps,
        contacts,
        flashes,
        dropouts,
        flicker,
        energy_gain: (!is_driven).then_some(energy_gain),
        ghosts: has_truth.then_some(ghosts),
        ghost_work: has_truth.then_some(ghost_work),
        lift: lift(scene),
    }))
}

fn count(step: &Step, is_one: impl Fn(usize) -> bool) -> usize {
    (0..step.contacts.len()).filter(|&k| is_one(k)).count()
}

/// Whether a contact of one step is there in another, carried along by either of its bodies.
fn is_in(scene: &Scene, settings: &TemporalSettings, (from, k): (&Step, usize), to: &Step) -> bool {
    let own = &from.contacts[k];
    let thickness = [own.a, own.b].map(|body| scene.bodies[body.index()].shape.thickness());
    let reach = settings.same * thickness[0].min(thickness[1]);
    let cosine = libm::cos(settings.angle);
    let carried = [own.a, own.b].map(|body| {
        let way = to.poses[body.index()] * from.poses[body.index()].inverse();
        (way.transform_point(own.contact.position), way.rotation * own.contact.normal)
    });
    to.contacts.iter().filter(|other| (other.a, other.b) == (own.a, own.b)).any(|other| {
        let is_one = |(position, normal): &(DVec3, DVec3)| {
            position.distance(other.contact.position) <= reach && normal.dot(other.contact.normal) >= cosine
        };
        carried.iter().any(is_one)
    })
}

/// Whether the pair of a contact should have its normal, in either sense.
fn is_expected(own: &ContactBetween, truth: &Truth, matching: &Matching) -> bool {
    let pair = truth.of(own.a, own.b);
    pair.is_some_and(|pair| pair.directions().any(|expected| matching.matches(own.contact.normal, expected)))
}

/// The work of a contact's impulse in a step, J, from the velocities before and after it.
fn work(own: &ContactBetween, &[normal, s, t, torsion]: &Impulse, bodies: [&[Body]; 2]) -> f64 {
    let contact = &own.contact;
    let [along_s, along_t] = tangents(contact.normal);
    let impulse = contact.normal * normal + along_s * s + along_t * t;
    let mean = |of: &dyn Fn(&Body) -> DVec3, body: usize| 0.5 * (of(&bodies[0][body]) + of(&bodies[1][body]));
    let [[on_a, spin_a], [on_b, spin_b]] = [own.a, own.b].map(|body| {
        let at_point = |body: &Body| body.velocity + body.angular_velocity.cross(contact.position - body.position);
        [mean(&at_point, body.index()), mean(&|body| body.angular_velocity, body.index())]
    });
    impulse.dot(on_b - on_a) + torsion * contact.normal.dot(spin_b - spin_a)
}

fn lift(scene: &Scene) -> f64 {
    let gravity = scene.forces.gravity.length();
    let moving = scene.bodies.iter().filter(|body| body.body.is_dynamic());
    moving.map(|body| body.body.mass() * gravity * body.shape.thickness()).sum()
}

#[cfg(test)]
mod tests;
