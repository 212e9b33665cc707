//! Sleeping and waking through joints.

use crate::workbench::{ghost_at, world};
use drystone_engine::joint::Motor;
use drystone_engine::{Body, MaterialId, NewBody, NewJoint, Solid};
use glam::DVec3;

/// Three bodies in a row that hang from a body told where to be.
#[test]
fn islands_of_joints_sleep_and_wake_as_a_whole() {
    let mut world = world(1.0 / 60.0);
    let shape = Solid::cuboid(DVec3::splat(0.1), 1000.0).unwrap().shape;
    let hook = world.add(NewBody::new(Body::kinematic(MaterialId::new(0)), shape)).unwrap();
    let bodies = [1.0, 2.0, 3.0].map(|y| ghost_at(&mut world, 1.0, DVec3::splat(0.1), DVec3::NEG_Y * y));
    let mut joints = Vec::new();
    for (k, a) in [hook, bodies[0], bodies[1]].into_iter().enumerate() {
        let joint = NewJoint::hinge(Some(a), bodies[k], DVec3::NEG_Y * (k as f64 + 0.5), DVec3::Z, &world).unwrap();
        joints.push(world.add_joint(joint).unwrap());
    }
    let asleep = |world: &drystone_engine::World| bodies.map(|body| world.is_asleep(body).unwrap());
    let settle = |world: &mut drystone_engine::World| {
        for _ in 0..120 {
            world.step().unwrap();
        }
        assert_eq!(asleep(world), [true; 3]);
    };
    settle(&mut world);
    let before = world.joint_reaction(joints[0]).unwrap();
    let report = world.step().unwrap();
    assert_eq!(world.joint_reaction(joints[0]).unwrap(), before, "reactions stay while bodies sleep");
    assert!((before[0] - DVec3::Y * 3.0 * 9.82).length() < 1e-6, "{before:?}");
    assert_eq!((report.joints.len(), report.joints[0].force), (3, before[0]));
    // A push wakes all of them.
    world.apply_force(bodies[2], DVec3::X * 1e-3).unwrap();
    world.step().unwrap();
    assert_eq!(asleep(&world), [false; 3]);
    settle(&mut world);
    // A motor does.
    world.joint_mut(joints[1]).unwrap().set_motor(Some(Motor::Velocity { target: 0.5, max_force: 1.0 })).unwrap();
    world.step().unwrap();
    assert_eq!(asleep(&world), [false; 3]);
    world.joint_mut(joints[1]).unwrap().set_motor(Some(Motor::Velocity { target: 0.0, max_force: 100.0 })).unwrap();
    world.joint_mut(joints[0]).unwrap().axes[3].friction = 10.0;
    world.joint_mut(joints[2]).unwrap().axes[3].friction = 10.0;
    settle(&mut world);
    // So does the hook, once it moves; and while it does none falls asleep.
    world.body_mut(hook).unwrap().velocity = DVec3::X * 1e-4;
    for _ in 0..120 {
        world.step().unwrap();
        assert_eq!(asleep(&world), [false; 3]);
    }
    let at = world.body(bodies[2]).unwrap().position;
    world.body_mut(hook).unwrap().velocity = DVec3::ZERO;
    settle(&mut world);
    // And a joint that is removed: what hung from it falls.
    world.remove_joint(joints[2]).unwrap();
    world.step().unwrap();
    assert_eq!(asleep(&world), [false; 3]);
    for _ in 0..30 {
        world.step().unwrap();
    }
    assert!(world.body(bodies[2]).unwrap().position.y < at.y - 1.0);
    // A body takes its joints with it.
    world.remove(bodies[0]).unwrap();
    assert_eq!(world.joints().count(), 0);
    world.step().unwrap();
}
