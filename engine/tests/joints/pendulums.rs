//! Pendulums.

use crate::workbench::{GRAVITY, energy, ghost, ghost_at, world};
use drystone_engine::{NewJoint, Pose};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// The arithmetic-geometric mean.
fn mean(mut a: f64, mut b: f64) -> f64 {
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

/// A pendulum of 1 kg, its centre of mass at 0.7 m, let go at an angle: its period, from the times at which it hangs straight down.
fn period(amplitude: f64, time_step: f64) -> f64 {
    let mut world = world(time_step);
    let hang = DVec3::new(amplitude.sin(), -amplitude.cos(), 0.0) * 0.7;
    let body =
        ghost(&mut world, 1.0, DVec3::new(0.03, 0.02, 0.04), Pose::from_parts(hang, DQuat::from_rotation_z(amplitude)));
    let hinge = NewJoint::hinge(None, body, DVec3::ZERO, DVec3::Z, &world).unwrap();
    let hinge = world.add_joint(hinge).unwrap();
    let mut crossings = Vec::new();
    let mut before = 0.0;
    while crossings.len() < 7 {
        world.step().unwrap();
        // From where it was let go.
        let angle = world.joint(hinge).unwrap().coordinates()[3] + amplitude;
        if before * angle < 0.0 {
            crossings.push(world.time() - time_step * angle / (angle - before));
        }
        before = angle;
        assert!(world.time() < 30.0);
    }
    (crossings[6] - crossings[0]) / 3.0
}

#[test]
fn a_pendulum_has_the_period_of_any_amplitude() {
    for amplitude in [0.1, 1.0, 2.0, 3.0] {
        let about_hinge: f64 = 0.04 + 0.7 * 0.7;
        let expected = TAU * (about_hinge / (GRAVITY * 0.7)).sqrt()
            / mean(
                1.0,
                (0.5 * f64::cos(amplitude)).cos().max(f64::cos(0.5 * amplitude)).min(f64::cos(0.5 * amplitude)),
            );
        let found = period(amplitude, 1.0 / 240.0);
        println!("{amplitude}: {found} {expected} {:e}", found / expected - 1.0);
        assert!((found / expected - 1.0).abs() < 1e-4, "{amplitude}: {found} in place of {expected}");
    }
}

/// Of second order: half the time step, a quarter of the error.
#[test]
fn the_error_of_the_period_is_of_second_order() {
    let expected = TAU * ((0.04 + 0.7 * 0.7f64) / (GRAVITY * 0.7)).sqrt() / mean(1.0, f64::cos(1.0));
    let [coarse, fine] = [1.0 / 40.0, 1.0 / 80.0].map(|time_step| (period(2.0, time_step) - expected).abs());
    println!("{coarse:e} {fine:e}");
    assert!((3.0..5.5).contains(&(coarse / fine)), "{coarse} {fine}");
}

#[test]
fn a_double_pendulum_keeps_its_energy() {
    let mut world = world(1.0 / 240.0);
    let thin = DVec3::new(0.001, 1.0 / 12.0, 1.0 / 12.0);
    let upper = ghost_at(&mut world, 1.0, thin, DVec3::X * 0.5);
    let lower = ghost_at(&mut world, 1.0, thin, DVec3::X * 1.5);
    let hinge = NewJoint::hinge(None, upper, DVec3::ZERO, DVec3::Z, &world).unwrap();
    world.add_joint(hinge).unwrap();
    let hinge = NewJoint::hinge(Some(upper), lower, DVec3::X, DVec3::Z, &world).unwrap();
    world.add_joint(hinge).unwrap();
    let start = energy(&world);
    let (mut worst, mut apart): (f64, f64) = (0.0, 0.0);
    for _ in 0..2400 {
        world.step().unwrap();
        worst = worst.max((energy(&world) - start).abs());
        let ends = [(upper, DVec3::X * 0.5), (lower, DVec3::NEG_X * 0.5)];
        let ends = ends.map(|(body, end)| world.body(body).unwrap().pose().transform_point(end));
        apart = apart.max((ends[1] - ends[0]).length());
    }
    println!("{worst:e} {apart:e}");
    // Velocities are those of half a substep before: the power of gravity (30 W) over that time comes and goes.
    assert!(worst < 0.05, "{worst} J of 30 J");
    assert!(apart < 1e-12, "{apart}");
}
