//! Limits.

use crate::workbench::{GRAVITY, ghost_at, world};
use drystone_engine::NewJoint;
use glam::DVec3;

#[test]
fn a_hinge_stops_at_its_limit() {
    let mut world = world(1.0 / 60.0);
    let arm = ghost_at(&mut world, 2.0, DVec3::splat(0.1), DVec3::X * 0.5);
    let hinge = NewJoint::hinge(None, arm, DVec3::ZERO, DVec3::Z, &world).unwrap().with_limits(-0.7, 0.2);
    let hinge = world.add_joint(hinge).unwrap();
    let mut least: f64 = 0.0;
    for _ in 0..200 {
        world.step().unwrap();
        least = least.min(world.joint(hinge).unwrap().coordinates()[3]);
    }
    assert!((least + 0.7).abs() < 1e-9, "{least}");
    let [_, torque] = world.joint_reaction(hinge).unwrap();
    let load = 2.0 * GRAVITY * 0.5 * f64::cos(0.7);
    assert!((torque.z / load - 1.0).abs() < 1e-6, "{torque} {load}");
}

/// A ball on a rope: it falls freely, then hangs.
#[test]
fn a_rope_is_slack_until_it_is_taut() {
    let mut world = world(1.0 / 60.0);
    let ball = ghost_at(&mut world, 3.0, DVec3::ONE, DVec3::NEG_Y * 0.2);
    let rope = world.add_joint(NewJoint::rope(None, ball, [DVec3::ZERO; 2], 1.0)).unwrap();
    world.step().unwrap();
    assert_eq!(world.joint_reaction(rope).unwrap()[0], DVec3::ZERO);
    let mut longest: f64 = 0.0;
    for _ in 0..120 {
        world.step().unwrap();
        longest = longest.max(world.body(ball).unwrap().position.length());
    }
    assert!((longest - 1.0).abs() < 1e-9, "{longest}");
    let [force, _] = world.joint_reaction(rope).unwrap();
    assert!((force - DVec3::Y * 3.0 * GRAVITY).length() < 1e-6, "{force}");
}

/// A bob in a cone swings round, and never beyond the angle of the cone.
#[test]
fn a_cone_twist_joint_keeps_to_its_cone() {
    let mut world = world(1.0 / 60.0);
    let bob = ghost_at(&mut world, 1.0, DVec3::splat(0.01), DVec3::NEG_Y);
    let joint = NewJoint::cone_twist(None, bob, (DVec3::ZERO, DVec3::NEG_Y), (0.5, [-0.3, 0.4]), &world).unwrap();
    let joint = world.add_joint(joint).unwrap();
    let body = world.body_mut(bob).unwrap();
    (body.velocity, body.angular_velocity) = (DVec3::new(6.0, 0.0, 2.0), DVec3::new(-2.0, 5.0, 6.0));
    let mut reached = [0.0_f64; 3];
    for _ in 0..300 {
        world.step().unwrap();
        let [.., twist, swing, _] = world.joint(joint).unwrap().coordinates();
        reached = [reached[0].max(swing), reached[1].min(twist), reached[2].max(twist)];
    }
    println!("{reached:?}");
    assert!((reached[0] - 0.5).abs() < 1e-6, "{reached:?}");
    assert!(reached[1] > -0.3 - 1e-6 && reached[2] < 0.4 + 1e-6, "{reached:?}");
}
