//! Gears and racks.

use crate::workbench::{ghost_at, weightless, world};
use drystone_engine::joint::Motor;
use drystone_engine::{JointHandle, NewJoint, World};
use glam::DVec3;
use std::f64::consts::TAU;

fn wheel(world: &mut World, at: DVec3) -> JointHandle {
    let wheel = ghost_at(world, 1.0, DVec3::new(0.1, 0.1, 0.2), at);
    let hinge = NewJoint::hinge(None, wheel, at, DVec3::Z, world).unwrap();
    world.add_joint(hinge).unwrap()
}

/// Two wheels with a load, 1,000 turns of the first one.
#[test]
fn a_gear_keeps_its_ratio() {
    let mut world = weightless(world(1.0 / 60.0));
    let ratio = -2.5;
    let (first, second) = (wheel(&mut world, DVec3::ZERO), wheel(&mut world, DVec3::X));
    let gear = world.add_joint(NewJoint::gear(first, second, ratio)).unwrap();
    let speed = 30.0;
    world.joint_mut(first).unwrap().set_motor(Some(Motor::Velocity { target: speed, max_force: 50.0 })).unwrap();
    world.joint_mut(second).unwrap().axes[3].friction = 2.0;
    let angle = |world: &World, joint| world.joint(joint).unwrap().coordinates()[3];
    let mut worst: f64 = 0.0;
    while angle(&world, first) < 1000.0 * TAU {
        world.step().unwrap();
        worst = worst.max((angle(&world, second) - ratio * angle(&world, first)).abs());
        assert!(world.time() < 300.0);
    }
    println!("{worst:e} rad");
    assert!(worst < 1e-9, "{worst} rad");
    // The motor carries the friction through the gear.
    let [_, torque] = world.joint_reaction(gear).unwrap();
    println!("{torque}");
    assert!((torque.length() - 2.0).abs() < 1e-6, "{torque}");
}

#[test]
fn a_rack_moves_as_its_pinion_turns() {
    let mut world = weightless(world(1.0 / 60.0));
    let pinion = wheel(&mut world, DVec3::ZERO);
    let bar = ghost_at(&mut world, 3.0, DVec3::ONE, DVec3::Y * 0.2);
    let slider = NewJoint::slider(None, bar, DVec3::X, &world).unwrap();
    let slider = world.add_joint(slider).unwrap();
    world.add_joint(NewJoint::rack(pinion, slider, 0.2)).unwrap();
    world.joint_mut(pinion).unwrap().set_motor(Some(Motor::Velocity { target: 1.0, max_force: 50.0 })).unwrap();
    for _ in 0..300 {
        world.step().unwrap();
    }
    let angle = world.joint(pinion).unwrap().coordinates()[3];
    let way = world.body(bar).unwrap().position - DVec3::Y * 0.2;
    // The motor takes two substeps to get to its speed.
    assert!((angle - 5.0).abs() < 2e-3, "{angle}");
    assert!((way - DVec3::X * (0.2 * angle)).length() < 1e-12, "{way}");
}
