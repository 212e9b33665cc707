use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::*;
use crate::builtin::BuiltIn;
use crate::cases::Model;
use drystone_contact::generator::semi_local::SemiLocal;
use drystone_contact::generator::{Generator, GeneratorError, Placed, methods};
use drystone_contact::shape::Shape;
use drystone_contact::{Contact, Feature};
use drystone_engine::PrescribedMotion;

/// Semi-local with its contacts changed, given how often it was asked before.
struct Changed<F>(SemiLocal, AtomicUsize, F);

impl<F: Fn(usize, &mut Vec<Contact>) + Send + Sync> Generator for Changed<F> {
    fn name(&self) -> &'static str {
        "changed"
    }

    fn prepare(&self, shape: &Shape) -> Result<(), GeneratorError> {
        self.0.prepare(shape)
    }

    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        let mut contacts = self.0.contacts(a, b)?;
        (self.2)(self.1.fetch_add(1, Relaxed), &mut contacts);
        Ok(contacts)
    }

    fn margin(&self, shape: &Shape) -> f64 {
        self.0.margin(shape)
    }
}

fn changed(change: impl Fn(usize, &mut Vec<Contact>) + Send + Sync + 'static) -> Method {
    let generator = Changed(SemiLocal::default(), AtomicUsize::new(0), change);
    Method::fixed("changed", "semi-local with its contacts changed", std::sync::Arc::new(generator))
}

fn scene(name: BuiltIn) -> Scene {
    name.scene(Model::Procedural, None).unwrap()
}

/// A box that slides over a floor of triangles.
fn sliding() -> Scene {
    BuiltIn::all().into_iter().find(|scene| scene.name() == "triangulated-floor").map(scene).unwrap()
}

fn look(scene: &Scene, method: &Method, steps: usize) -> Temporal {
    temporal(scene, method, &TemporalSettings::new(steps, TruthKind::Corrected), || true).unwrap().unwrap()
}

#[test]
fn right_contacts_neither_flicker_nor_add_energy_nor_are_ghosts() {
    for scene in [sliding(), scene(BuiltIn::Pillar)] {
        let seen = look(&scene, &methods::semi_local(), 12);
        assert!(seen.contacts > 12 && seen.lift > 0.0, "{seen:?}");
        assert_eq!((seen.flashes, seen.dropouts, seen.ghosts), (0, 0, Some(0)), "{} {seen:?}", scene.name);
        assert!(seen.energy_gain.unwrap() <= 1e-5 * seen.lift, "{} {seen:?}", scene.name);
        assert_eq!(seen.ghost_work, Some(0.0));
    }
}

#[test]
fn contacts_that_come_and_go_flicker() {
    let is_third = |call: usize| call % 3 == 1;
    let missing = changed(move |call, contacts| contacts.retain(|_| !is_third(call)));
    let seen = look(&sliding(), &missing, 11);
    // Steps 2, 5, 8 have none of the four, and neighbours that have them; step 11 is the last.
    assert_eq!((seen.dropouts, seen.flashes), (12, 0), "{seen:?}");
    let lone = changed(move |call, contacts| contacts.retain(|_| is_third(call)));
    let seen = look(&sliding(), &lone, 11);
    assert_eq!((seen.flashes, seen.dropouts, seen.flicker), (12, 0, 1.0), "{seen:?}");
}

/// A wall that is not there, in the way of a box that slides: it takes the energy that the box has.
#[test]
fn the_work_of_a_ghost_is_what_the_body_loses() {
    let mut scene = sliding();
    for body in &mut scene.bodies {
        body.body.angular_velocity = DVec3::ZERO;
    }
    let mover = scene.bodies.iter().position(|body| body.body.is_dynamic()).unwrap();
    let (velocity, mass) = (scene.bodies[mover].body.velocity, scene.bodies[mover].body.mass());
    let (ahead, centre) = (velocity.normalize(), scene.bodies[mover].body.position);
    let sense = if mover == 0 { 1.0 } else { -1.0 };
    let ghost = changed(move |call, contacts| {
        if call == 0 {
            let feature = Feature::UNKNOWN;
            let normal = ahead * sense;
            contacts.push(Contact { position: centre, normal, gap: 0.0, feature_a: feature, feature_b: feature });
        }
    });
    let seen = look(&scene, &ghost, 3);
    let kinetic = 0.5 * mass * velocity.length_squared();
    assert_eq!(seen.ghosts, Some(1));
    let share = seen.ghost_work.unwrap() / kinetic;
    // Friction takes a little of it in the same step.
    assert!((0.9..=1.0).contains(&share), "{share} {seen:?}");
}

/// A spike that slides tips over: the mid-point scheme adds up to m (g Δt)²/8 in a step in which a contact acts.
#[test]
fn energy_that_appears_is_counted_where_nothing_may_add_any() {
    let mut scene = BuiltIn::all().into_iter().find(|scene| scene.name() == "sliding-spike").map(scene).unwrap();
    let seen = look(&scene, &methods::semi_local(), 20);
    assert!(seen.energy_gain.unwrap() > 1e-4 * seen.lift, "{seen:?}");
    let ground = &mut scene.bodies[0];
    let pose = ground.body.pose();
    ground.body = Body::kinematic(ground.body.material);
    (ground.body.position, ground.body.orientation) = (pose.translation, pose.rotation);
    ground.prescribed_motion = Some(PrescribedMotion::default());
    assert_eq!(look(&scene, &methods::semi_local(), 5).energy_gain, None);
}

#[test]
fn a_run_ends_when_it_is_asked_to() {
    let mut left = 4;
    let goes_on = || {
        left -= 1;
        left > 0
    };
    let settings = TemporalSettings::new(10, TruthKind::Corrected);
    assert_eq!(temporal(&sliding(), &methods::semi_local(), &settings, goes_on).unwrap(), None);
    assert_eq!(left, 0);
}
