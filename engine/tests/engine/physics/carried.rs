//! A turntable: a kinematic body that turns about y. A box on it goes round with it if ω²r < μ g.
//!
//! The velocity of a step is that of the table under the box in the middle of the step, a tangent of the circle, so
//! that the box spirals outward by √(1 + ω²Δt²) a step: first order in Δt, with r exp(ω²Δt t/2) as the closed-form
//! solution.

use super::workbench::{G, Workbench, at, undamped};
use drystone_engine::{BodyHandle, Solid};
use glam::DVec3;

const MU: f64 = 0.4;
const RADIUS: f64 = 1.2;

/// A table turning with `rate` (rad/s) and a flat box that rides on it.
fn turntable(rate: f64, time_step: f64) -> (Workbench, BodyHandle) {
    let mut settings = undamped();
    settings.step.time_step = time_step;
    let mut bench = Workbench::new(settings, MU, 0.0);
    let slab = Solid::cuboid(DVec3::new(8.0, 0.5, 8.0), 1000.0).unwrap();
    let table = bench.world.add(slab.kinematic(bench.stone, at(0.0, -0.25, 0.0)).unwrap()).unwrap();
    bench.world.body_mut(table).unwrap().angular_velocity = DVec3::Y * rate;
    let rider = bench.cuboid(DVec3::new(0.3, 0.08, 0.3), at(RADIUS, 0.04, 0.0));
    let body = bench.world.body_mut(rider).unwrap();
    body.velocity = DVec3::Y.cross(DVec3::X * RADIUS) * rate;
    body.angular_velocity = DVec3::Y * rate;
    (bench, rider)
}

fn radius(bench: &Workbench, body: BodyHandle) -> f64 {
    let position = bench.position(body);
    position.x.hypot(position.z)
}

/// Two per cent below the threshold it rides, on the spiral of the scheme and no further.
#[test]
fn below_the_threshold_it_rides() {
    let rate = (0.96 * MU * G / RADIUS).sqrt();
    for time_step in [0.005, 0.0025] {
        let (mut bench, rider) = turntable(rate, time_step);
        let steps = (0.2 / time_step) as usize;
        bench.run(steps);
        let spiral = RADIUS * (1.0 + (rate * time_step).powi(2)).powf(0.5 * steps as f64);
        let now = radius(&bench, rider);
        println!(
            "turntable below the threshold, Δt = {time_step} s: radius {now:.6} m, spiral of the scheme {spiral:.6} m, \
             circle {RADIUS} m"
        );
        // The solver's tolerance, and the step in which the box finds its depth.
        assert!((now - spiral).abs() < 1e-4, "{now} {spiral}");
        let slips = bench.velocity(rider).length() - rate * now;
        assert!(slips.abs() < rate * now * rate * time_step, "{slips}");
    }
}

/// Far above the threshold it slides off outward, slower than the table.
#[test]
fn above_the_threshold_it_slides_off() {
    let rate = (1.3 * MU * G / RADIUS).sqrt();
    let (mut bench, rider) = turntable(rate, 0.0025);
    bench.run(200);
    let (now, spiral) = (radius(&bench, rider), RADIUS * (0.5 * rate * rate * 0.0025 * 0.5).exp());
    println!("turntable above the threshold: radius {now:.4} m after 0.5 s, a rider would be at {spiral:.4} m");
    assert!(now > spiral + 0.02, "{now} {spiral}");
    assert!(bench.velocity(rider).length() < 0.99 * rate * now);
}
