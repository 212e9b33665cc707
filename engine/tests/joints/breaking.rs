//! Joints that break.

use crate::workbench::{GRAVITY, ghost_at, world};
use drystone_engine::world::{Event, EventSettings};
use drystone_engine::{NewJoint, WorldError};
use glam::DVec3;

/// A load that grows until the joint breaks: force and torque at that moment.
#[test]
fn a_joint_breaks_at_its_force_and_torque() {
    for limits in [[Some(120.0), None], [None, Some(30.0)]] {
        let mut world = world(1.0 / 100.0);
        let body = ghost_at(&mut world, 1.0, DVec3::splat(0.1), DVec3::X * 0.5);
        let at = DVec3::ZERO;
        let mut fixed = NewJoint::hinge(None, body, at, DVec3::Z, &world).unwrap().with_limits(0.0, 0.0);
        fixed = fixed.with_breaking(limits[0], limits[1]);
        let joint = world.add_joint(fixed).unwrap();
        world.set_events(EventSettings { joints: true, ..EventSettings::default() });
        let rate = 20.0;
        let broken = loop {
            let push = rate * world.time();
            world.apply_force(body, DVec3::NEG_Y * push).unwrap();
            let report = world.step().unwrap();
            if report.broken_joints.contains(&joint) {
                let [event] = world.events() else { panic!("{:?}", world.events()) };
                let Event::JointBroke { joint: own, force, torque } = *event else { panic!("{event:?}") };
                assert_eq!(own, joint);
                let [force, torque] = [force, torque].map(DVec3::length);
                assert!(limits[0].is_none_or(|limit| force >= limit) && limits[1].is_none_or(|limit| torque >= limit));
                assert_eq!(report.joints.len(), 1);
                break push + GRAVITY;
            }
            assert!(world.time() < 20.0 && world.events().is_empty());
        };
        let expected = limits[0].unwrap_or(60.0);
        println!("{broken} N, limits {limits:?}");
        assert!((broken / expected - 1.0).abs() < 0.01, "{broken} {expected}");
        assert_eq!(world.joint(joint).err(), Some(WorldError::StaleJoint(joint)));
        // It falls from then on.
        let before = world.body(body).unwrap().velocity.y;
        world.step().unwrap();
        assert!((before - world.body(body).unwrap().velocity.y - 0.01 * GRAVITY).abs() < 1e-9);
    }
}
