//! States that a program sets and that are none.

use super::workbench::{at, cube, is_sound, slab, stone};
use drystone_engine::{Body, BodyHandle, World, WorldError};
use glam::{DQuat, DVec3};

/// What is wrong with a body, and how it gets so.
type Damage = (&'static str, fn(&mut Body));

const DAMAGES: [Damage; 6] = [
    ("position not a number", |b| b.position.x = f64::NAN),
    ("velocity not a number", |b| b.velocity.y = f64::NAN),
    ("endless spin", |b| b.angular_velocity.z = f64::INFINITY),
    ("no rotation", |b| b.orientation = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
    ("twice a rotation", |b| b.orientation = DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0)),
    ("spin whose length is infinite", |b| b.angular_velocity = DVec3::splat(1e300)),
];

/// A body on a slab, at work for a few steps.
fn resting() -> (World, BodyHandle) {
    let mut world = World::default();
    let stone = stone(&mut world);
    world.add(slab().fixed(stone, at(0.0, -0.5, 0.0)).unwrap()).unwrap();
    let body = world.add(cube().dynamic(stone, at(0.0, 0.5, 0.0)).unwrap()).unwrap();
    for _ in 0..5 {
        world.step().unwrap();
    }
    (world, body)
}

#[test]
fn a_state_that_is_none_is_refused_by_name_and_leaves_no_trace() {
    for (what, damage) in DAMAGES {
        let (mut world, body) = resting();
        let (mut untouched, _) = resting();
        let before = world.body(body).unwrap().clone();
        damage(world.body_mut(body).unwrap());
        for _ in 0..2 {
            match world.step() {
                Err(WorldError::State { body: named, .. }) => assert_eq!(named, body, "{what}"),
                other => panic!("{what}: {:?}", other.map(|report| report.step)),
            }
        }
        assert_eq!(world.steps(), 5, "{what}");
        *world.body_mut(body).unwrap() = before;
        for _ in 0..20 {
            world.step().unwrap();
            untouched.step().unwrap();
        }
        assert!(is_sound(&world), "{what}");
        assert_eq!(world.bodies(), untouched.bodies(), "{what}");
    }
}

#[test]
fn contacts_are_not_looked_for_at_a_pose_that_is_none() {
    for (what, damage) in DAMAGES.into_iter().take(5) {
        let (mut world, body) = resting();
        damage(world.body_mut(body).unwrap());
        assert!(world.detect().is_err(), "{what}");
        assert!(world.detect_now().is_err(), "{what}");
    }
}

#[test]
fn forces_whose_sum_overflows_are_refused_and_not_kept() {
    let (mut world, body) = resting();
    world.apply_force(body, DVec3::Y * f64::MAX).unwrap();
    let error = world.apply_force(body, DVec3::Y * f64::MAX).unwrap_err();
    assert!(matches!(error, WorldError::NotFinite { quantity: "force", body: named, .. } if named == body), "{error}");
    world.apply_force(body, DVec3::Y * -f64::MAX).unwrap();
    world.step().unwrap();
    assert!(is_sound(&world));
}
