//! A turntable: a kinematic body that turns about y. A box on it goes round with it if ω²r < μ g.
//!
//! The velocity of a step is that of the table under the box in the middle of the step, a tangent of the circle, so
//! that the box spirals outward by √(1 + ω²Δt²) a step: first order in Δt, with r exp(ω²Δt t/2) as the closed-form
//! solution.

use super::undamped;
use super::workbench::G;
use crate::closed_forms::turntable::{MU, RADIUS, radius, turntable};

/// Two per cent below the threshold it rides, on the spiral of the scheme and no further.
#[test]
fn below_the_threshold_it_rides() {
    let rate = (0.96 * MU * G / RADIUS).sqrt();
    for time_step in [0.005, 0.0025] {
        let (mut bench, rider) = turntable(undamped(), rate, time_step);
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
    let (mut bench, rider) = turntable(undamped(), rate, 0.0025);
    bench.run(200);
    let (now, spiral) = (radius(&bench, rider), RADIUS * (0.5 * rate * rate * 0.0025 * 0.5).exp());
    println!("turntable above the threshold: radius {now:.4} m after 0.5 s, a rider would be at {spiral:.4} m");
    assert!(now > spiral + 0.02, "{now} {spiral}");
    assert!(bench.velocity(rider).length() < 0.99 * rate * now);
}
