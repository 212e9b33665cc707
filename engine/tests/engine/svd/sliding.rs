//! Friction: inclines, pushed and braking blocks.

use super::workbench::{Bench, G, GROUND, assert_near};
use drystone_engine::solver::svd::{Forces, SvdStatus};
use glam::DVec3;

/// A box with half-sides 1, 1 and `half_height` on an incline along x, in the frame of the incline.
fn incline(degrees: f64, friction: f64, half_height: f64) -> (Bench, usize) {
    let (sine, cosine) = libm::sincos(degrees.to_radians());
    let mut bench = Bench::under(DVec3::new(G * sine, 0.0, -G * cosine));
    let body = bench.cuboid(2.0, DVec3::new(1.0, 1.0, half_height), DVec3::ZERO);
    for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        bench.touch([GROUND, body], DVec3::new(x, y, -half_height), DVec3::Z, friction);
    }
    (bench, body)
}

fn solved(bench: &Bench, body: usize) -> (Forces, [f64; 6]) {
    let found = bench.solve();
    assert_eq!(found.report.status, SvdStatus::Exact, "{:?}", found.report);
    let motion = bench.accelerations(&found.forces)[body];
    (found, motion)
}

/// It sticks up to tan θ = μ and slides with g (sin θ − μ cos θ) beyond, upright as long as μ h < 1.
#[test]
fn sticking_and_sliding_on_an_incline() {
    let friction = 0.5;
    for half_height in [0.2, 0.9, 1.5] {
        for degrees in [10.0, 20.0, 26.0, 26.5, 26.56, 26.57, 27.0, 30.0, 40.0, 60.0] {
            let (bench, body) = incline(degrees, friction, half_height);
            let (found, motion) = solved(&bench, body);
            let (sine, cosine) = libm::sincos(f64::to_radians(degrees));
            let expected = (G * (sine - friction * cosine)).max(0.0);
            assert!((motion[0] - expected).abs() < 1e-11, "{half_height} {degrees}: {motion:?}");
            assert!(motion[1..].iter().all(|a| a.abs() < 1e-11), "{half_height} {degrees}: {motion:?}");
            assert!(found.report.solves <= 3);
        }
    }
}

/// With μ beyond a/h it tips about its lower edge, at m g (h sin θ − a cos θ)/(I + m (a² + h²)).
#[test]
fn tipping_on_an_incline() {
    let (friction, half_height) = (2.0, 1.5);
    for degrees in [30.0, 33.0, 33.6, 33.8, 35.0, 40.0] {
        let (bench, body) = incline(degrees, friction, half_height);
        let (_, motion) = solved(&bench, body);
        let (sine, cosine) = libm::sincos(f64::to_radians(degrees));
        let arm = 1.0 + half_height * half_height;
        let expected = (G * (half_height * sine - cosine) / (arm / 3.0 + arm)).max(0.0);
        assert!((motion[4] - expected).abs() < 1e-10, "{degrees}: {motion:?} {expected}");
    }
}

/// A force F along x through the centre: it slips beyond F = μ w.
#[test]
fn a_pushed_block() {
    for push in [0.0, 3.0, 5.88, 5.89, 20.0] {
        let mut bench = Bench::new();
        let mass = 2.0;
        let body = bench.cuboid(mass, DVec3::new(1.0, 1.0, 0.5), DVec3::ZERO);
        bench.bodies[body].free[0] = push / mass;
        for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            bench.touch([GROUND, body], DVec3::new(x, y, -0.5), DVec3::Z, 0.3);
        }
        let (_, motion) = solved(&bench, body);
        assert!((motion[0] - (push / mass - 0.3 * G).max(0.0)).abs() < 1e-12, "{push} {motion:?}");
        assert!(motion[1..].iter().all(|a| a.abs() < 1e-12), "{motion:?}");
    }
}

/// A sliding block slows down with μ g, pressed on its front corners.
#[test]
fn a_braking_block() {
    for heading in [0.0f64, 0.4, 2.0, 4.5] {
        let direction = DVec3::new(libm::cos(heading), libm::sin(heading), 0.0);
        let mut bench = Bench::new();
        let body = bench.cuboid(2.0, DVec3::new(1.0, 1.0, 0.5), DVec3::ZERO);
        for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            let point = DVec3::new(x, y, -0.5);
            bench.touch_sliding([GROUND, body], point, DVec3::Z, 0.3, direction * 2.0);
        }
        let (found, motion) = solved(&bench, body);
        for k in 0..3 {
            assert!((motion[k] + 0.3 * G * direction.to_array()[k]).abs() < 1e-12, "{motion:?}");
        }
        for (force, (x, y)) in found.forces.iter().zip([(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)]) {
            let ahead = direction.x * x + direction.y * y;
            // Friction at the depth h below the centre turns the load forwards: w/4 (1 + μ h (d·p)/a²).
            assert_near(force[0], 2.0 * G / 4.0 * (1.0 + 0.3 * 0.5 * ahead), 1e-12);
        }
    }
}
