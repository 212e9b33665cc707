//! Snapshots keep the shapes, and what cannot be is refused by name.

use super::workbench::{add_fixed, at, field, mesh, world};
use drystone_contact::generator::{Registry, methods};
use drystone_contact::shape::{Ball, MeshSides, Shape};
use drystone_engine::world::Snapshot;
use drystone_engine::{Body, NewBody, Pose, Solid, World, WorldSettings};
use glam::DVec3;
use std::sync::Arc;

#[test]
fn a_snapshot_goes_on_with_the_same_bits() {
    let (mut world, stuff) = world(0.4, 0.01);
    let ground = field(20, 20, 0.2, |x, z| 0.1 * libm::sin(x + z));
    let sheet = mesh(&field(4, 4, 0.5, |_, _| 1.0), MeshSides::Both);
    add_fixed(&mut world, ground.into(), stuff);
    add_fixed(&mut world, sheet.into(), stuff);
    let ball: Shape = Ball::new(0.2).unwrap().into();
    let rod = Solid::cuboid(DVec3::new(0.6, 0.1, 0.1), 1000.0).unwrap();
    let club =
        Solid::compound([(rod.shape.as_ref().clone(), Pose::IDENTITY), (ball, at(0.3, 0.0, 0.0))], 500.0).unwrap();
    for k in 0..4 {
        let x = 0.4 + 0.7 * f64::from(k);
        world.add(club.dynamic(stuff, at(x, 1.5, 0.7 + 0.6 * f64::from(k))).unwrap()).unwrap();
    }
    for _ in 0..40 {
        world.step().unwrap();
    }
    let text = world.snapshot().to_json().unwrap();
    let read = Snapshot::from_json(&text).unwrap();
    let mut again = World::from_snapshot(&read, &Registry::default()).unwrap();
    assert!(world.shapes().zip(again.shapes()).all(|(own, read)| own == read));
    for _ in 0..40 {
        world.step().unwrap();
        again.step().unwrap();
    }
    assert_eq!(world.bodies(), again.bodies());
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let (mut world, stuff) = world(0.4, 0.01);
    let ground = || Arc::new(Shape::from(field(3, 3, 1.0, |_, _| 0.0)));
    let dynamic = NewBody::new(Body::dynamic(1.0, DVec3::ONE, stuff).unwrap(), ground());
    assert!(world.add(dynamic).unwrap_err().to_string().contains("a height field has no mass"));
    assert!(Solid::new(&ground(), 1000.0).unwrap_err().to_string().contains("neither volume nor mass"));
    for method in [methods::most_opposing(), methods::vclip(), methods::closest_points()] {
        let name = method.generator().name().to_owned();
        let mut world = World::new(WorldSettings::default(), method);
        let stuff = world.materials_mut().add("stuff").unwrap();
        let error = world.add(NewBody::fixed(ground().as_ref().clone(), stuff, Pose::IDENTITY).unwrap()).unwrap_err();
        assert!(error.to_string().contains("height field"), "{name}: {error}");
    }
}
