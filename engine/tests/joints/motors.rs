//! Motors, springs and friction against loads.

use crate::workbench::{GRAVITY, ghost_at, restless, weightless, world};
use drystone_engine::joint::Motor;
use drystone_engine::{NewJoint, World};
use glam::DVec3;

/// An arm of 2 kg whose centre of mass is 0.5 m from a hinge about z, level.
fn arm(world: &mut World) -> drystone_engine::JointHandle {
    let arm = ghost_at(world, 2.0, DVec3::splat(0.1), DVec3::X * 0.5);
    let hinge = NewJoint::hinge(None, arm, DVec3::ZERO, DVec3::Z, world).unwrap();
    world.add_joint(hinge).unwrap()
}

const LOAD: f64 = 2.0 * GRAVITY * 0.5;

/// The angle after a time (s) to which the load turns the arm against a torque (N m) that is too small for it, rad.
fn fallen(torque: f64, time: f64) -> f64 {
    let steps = 100_000;
    let duration = time / f64::from(steps);
    let (mut angle, mut speed) = (0.0_f64, 0.0);
    for _ in 0..steps {
        let change = (torque - LOAD * angle.cos()) / (0.1 + 2.0 * 0.25) * duration;
        angle += (speed + 0.5 * change) * duration;
        speed += change;
    }
    angle
}

/// A motor that holds still carries the load, and not more than it can.
#[test]
fn a_motor_carries_its_load() {
    for (most, holds) in [(LOAD * 1.01, true), (LOAD * 0.99, false)] {
        let mut world = world(1.0 / 100.0);
        let hinge = arm(&mut world);
        world.joint_mut(hinge).unwrap().set_motor(Some(Motor::Velocity { target: 0.0, max_force: most })).unwrap();
        for _ in 0..100 {
            world.step().unwrap();
        }
        let angle = world.joint(hinge).unwrap().coordinates()[3];
        let [force, torque] = world.joint_reaction(hinge).unwrap();
        if holds {
            assert!(angle.abs() < 1e-9, "{angle}");
            assert!((torque - DVec3::Z * LOAD).length() < 1e-9 * LOAD, "{torque}");
            assert!((force - DVec3::Y * 2.0 * GRAVITY).length() < 1e-9, "{force}");
        } else {
            let expected = fallen(most, 1.0);
            assert!((angle / expected - 1.0).abs() < 5e-3, "{angle} {expected}");
            assert!((torque.z - most).abs() < 1e-9);
        }
    }
}

/// Dry friction holds up to its torque as a motor does, and brakes by it.
#[test]
fn friction_brakes() {
    let mut world = weightless(world(1.0 / 100.0));
    let hinge = arm(&mut world);
    world.joint_mut(hinge).unwrap().axes[3].friction = 0.3;
    let body = world.handles()[0];
    let own = world.body_mut(body).unwrap();
    (own.angular_velocity, own.velocity) = (DVec3::Z * 2.0, DVec3::Y);
    // I ω / M = 0.6 · 2 / 0.3.
    let stop = 4.0;
    while world.time() < stop - 0.02 {
        world.step().unwrap();
    }
    assert!(world.body(body).unwrap().angular_velocity.z > 0.0);
    while world.time() < stop + 0.02 {
        world.step().unwrap();
    }
    let turned = world.joint(hinge).unwrap().coordinates()[3];
    assert!(world.body(body).unwrap().angular_velocity.z.abs() < 1e-12);
    assert!((turned - 4.0).abs() < 1e-2, "{turned}");
}

/// A motor with a spring and a damper ends where the load and the spring are in balance.
#[test]
fn a_position_motor_yields_to_its_load_as_its_stiffness_says() {
    let mut world = restless(world(1.0 / 100.0));
    let hinge = arm(&mut world);
    let motor = Motor::Position { target: 0.3, stiffness: 400.0, damping: 60.0, max_force: f64::INFINITY };
    world.joint_mut(hinge).unwrap().set_motor(Some(motor)).unwrap();
    for _ in 0..500 {
        world.step().unwrap();
    }
    let angle = world.joint(hinge).unwrap().coordinates()[3];
    let missing = 400.0 * (0.3 - angle) - LOAD * angle.cos();
    assert!(missing.abs() < 1e-6, "{angle}: {missing}");
}

/// A stiff motor and a strong damper are stable at any step.
#[test]
fn stiff_motors_are_stable() {
    for [stiffness, damping] in [[1e9, 0.0], [1e9, 1e9], [0.0, 1e9], [1e3, 1.0]] {
        let mut world = world(1.0 / 30.0);
        let hinge = arm(&mut world);
        let motor = Motor::Position { target: 1.0, stiffness, damping, max_force: f64::INFINITY };
        world.joint_mut(hinge).unwrap().set_motor(Some(motor)).unwrap();
        for _ in 0..100 {
            world.step().unwrap();
            assert!(world.body(world.handles()[0]).unwrap().angular_velocity.length() < 200.0);
        }
    }
}

/// A mass on a spring: the period, and no energy lost in a hundred of them.
#[test]
fn a_spring_keeps_its_energy() {
    let mut world = weightless(world(1.0 / 100.0));
    let (mass, stiffness) = (2.0, 300.0);
    let body = ghost_at(&mut world, mass, DVec3::ONE, DVec3::X * 1.2);
    let spring = NewJoint::spring(None, body, [DVec3::ZERO; 2], [1.0, stiffness, 0.0]);
    world.add_joint(spring).unwrap();
    let period = std::f64::consts::TAU * f64::sqrt(mass / stiffness);
    let (mut crossings, mut before, mut largest) = (Vec::new(), 0.2, 0.0_f64);
    while crossings.len() < 201 {
        world.step().unwrap();
        let stretch = world.body(body).unwrap().position.x - 1.0;
        if before * stretch < 0.0 {
            crossings.push(world.time() - 0.01 * stretch / (stretch - before));
        }
        before = stretch;
        if crossings.len() > 190 {
            largest = largest.max(stretch);
        }
    }
    let found = (crossings[200] - crossings[0]) / 100.0;
    println!("{found} {period} {largest}");
    assert!((found / period - 1.0).abs() < 2e-4, "{found} {period}");
    assert!((largest / 0.2 - 1.0).abs() < 5e-3, "{largest}");
}
