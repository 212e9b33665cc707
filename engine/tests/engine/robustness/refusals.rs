//! States that a program sets and that are none.

use super::workbench::{at, cube, is_sound, slab, stone};
use drystone_engine::{Body, BodyHandle, Solid, World, WorldError, WorldSettings};
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

#[test]
fn a_world_is_saved_after_its_first_soft_step_has_failed() {
    let mut world = World::default();
    let stone = stone(&mut world);
    world.add(slab().fixed(stone, at(0.0, -0.5, 0.0)).unwrap()).unwrap();
    let light = Solid::cuboid(DVec3::ONE, 1e-3).unwrap();
    let body = world.add(light.dynamic(stone, at(0.0, 0.5, 0.0)).unwrap()).unwrap();
    let soft = world.settings().step.contact_solver;
    world.settings_mut().step.contact_solver = WorldSettings::gauss_seidel().step.contact_solver;
    world.step().unwrap();
    world.settings_mut().step.contact_solver = soft;
    world.apply_force(body, DVec3::Y * f64::MAX).unwrap();
    assert!(matches!(world.step(), Err(WorldError::State { when: "after", .. })));
    world.apply_force(body, DVec3::Y * -f64::MAX).unwrap();
    let mut resumed = World::from_snapshot(&world.snapshot(), &Default::default()).unwrap();
    for world in [&mut world, &mut resumed] {
        (0..3).for_each(|_| drop(world.step().unwrap()));
    }
    assert_eq!(resumed.bodies(), world.bodies());
}
