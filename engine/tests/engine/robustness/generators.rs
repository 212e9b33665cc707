//! Generators that a program brings along and that return nonsense.

use super::workbench::{at, cube, is_sound, slab, stone};
use drystone_contact::generator::{Generator, GeneratorError, Method, Placed};
use drystone_contact::shape::Shape;
use drystone_contact::{Contact, Feature};
use drystone_engine::{World, WorldSettings};
use glam::DVec3;
use std::sync::Arc;

/// The same contact for every pair.
struct Always(Contact);

impl Generator for Always {
    fn name(&self) -> &str {
        "always"
    }

    fn prepare(&self, _: &Shape) -> Result<(), GeneratorError> {
        Ok(())
    }

    fn contacts(&self, _: &Placed<'_>, _: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        Ok(vec![self.0])
    }

    fn margin(&self, _: &Shape) -> f64 {
        0.0
    }
}

const GOOD: Contact = Contact {
    position: DVec3::ZERO,
    normal: DVec3::Y,
    gap: -1e-3,
    feature_a: Feature::Face(0),
    feature_b: Feature::Vertex(0),
};

fn world_with(contact: Contact) -> World {
    let mut world =
        World::new(WorldSettings::default(), Method::fixed("always", "the same for all", Arc::new(Always(contact))));
    let stone = stone(&mut world);
    world.add(slab().fixed(stone, at(0.0, -0.5, 0.0)).unwrap()).unwrap();
    world.add(cube().dynamic(stone, at(0.0, 0.499, 0.0)).unwrap()).unwrap();
    world
}

#[test]
fn contacts_that_are_not_numbers_are_refused() {
    let bad = [
        ("normal", Contact { normal: DVec3::NAN, ..GOOD }),
        ("no normal", Contact { normal: DVec3::ZERO, ..GOOD }),
        ("endless normal", Contact { normal: DVec3::Y * f64::INFINITY, ..GOOD }),
        ("position", Contact { position: DVec3::NAN, ..GOOD }),
        ("gap", Contact { gap: f64::NAN, ..GOOD }),
        ("endless gap", Contact { gap: f64::NEG_INFINITY, ..GOOD }),
    ];
    for (what, contact) in bad {
        let mut world = world_with(contact);
        let before = world.bodies().to_vec();
        assert!(world.step().is_err(), "{what}");
        assert_eq!(world.bodies(), before, "{what}");
        assert_eq!(world.steps(), 0, "{what}");
    }
}

#[test]
fn long_and_short_normals_keep_states_finite() {
    for length in [1e-3, 0.5, 2.0, 1e3] {
        let mut world = world_with(Contact { normal: DVec3::Y * length, ..GOOD });
        for _ in 0..20 {
            if world.step().is_err() {
                break;
            }
        }
        assert!(is_sound(&world), "{length}");
    }
}

/// A generator that gives up is an error of the step that names it, and the world stays as it was.
#[test]
fn a_generator_that_fails_fails_the_step() {
    struct GivesUp;
    impl Generator for GivesUp {
        fn name(&self) -> &str {
            "gives-up"
        }

        fn prepare(&self, _: &Shape) -> Result<(), GeneratorError> {
            Ok(())
        }

        fn contacts(&self, _: &Placed<'_>, _: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
            let source = Arc::from(Box::<dyn std::error::Error + Send + Sync>::from("no convergence"));
            Err(GeneratorError::Failed { generator: "gives-up".into(), source })
        }

        fn margin(&self, _: &Shape) -> f64 {
            0.1
        }
    }
    let method = Method::fixed("gives-up", "never finds any", Arc::new(GivesUp));
    let mut world = World::new(WorldSettings::default(), method);
    let stone = stone(&mut world);
    world.add(slab().fixed(stone, at(0.0, -0.5, 0.0)).unwrap()).unwrap();
    world.add(cube().dynamic(stone, at(0.0, 0.499, 0.0)).unwrap()).unwrap();
    let before = world.bodies().to_vec();
    assert_eq!(world.step().unwrap_err().to_string(), "gives-up: no convergence");
    assert_eq!((world.bodies(), world.steps()), (&before[..], 0));
}
