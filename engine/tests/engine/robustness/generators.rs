//! Generators that a program brings along and that return nonsense.

use super::workbench::{at, cube, is_sound, slab, stone};
use drystone_contact::generator::{Generator, Placed};
use drystone_contact::shape::Shape;
use drystone_contact::{Contact, Feature};
use drystone_engine::{World, WorldSettings};
use glam::DVec3;
use std::sync::Arc;

/// The same contact for every pair.
struct Always(Contact);

impl Generator for Always {
    fn contacts(&self, _: &Placed<'_>, _: &Placed<'_>) -> Vec<Contact> {
        vec![self.0]
    }

    fn reach(&self, _: &Shape) -> f64 {
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
    let mut world = World::with_generator(WorldSettings::default(), Arc::new(Always(contact)));
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
