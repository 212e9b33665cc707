//! Painlevé's rod, which slides on its lower end: beyond a friction of (1 + 3 cos² θ)/(3 sin θ cos θ) no force satisfies
//! the law of contact.

use super::workbench::{Bench, G, GROUND, assert_near};
use drystone_engine::solver::svd::{ContactStatus, SvdStatus};
use glam::DVec3;

/// Half a length of 1 m, at an angle to the ground, its end ahead and below; it slides along +x.
fn rod(angle: f64, friction: f64) -> Bench {
    let mut bench = Bench::new();
    let rod = bench.body(1.0, DVec3::splat(1.0 / 3.0), DVec3::ZERO);
    let end = DVec3::new(libm::cos(angle), 0.0, -libm::sin(angle));
    bench.touch_sliding([GROUND, rod], end, DVec3::Z, friction, DVec3::X);
    bench
}

fn critical(angle: f64) -> f64 {
    let (sine, cosine) = libm::sincos(angle);
    (1.0 + 3.0 * cosine * cosine) / (3.0 * sine * cosine)
}

#[test]
fn below_the_critical_friction() {
    for degrees in [45.0f64, 60.0, 75.0] {
        let angle = degrees.to_radians();
        let (sine, cosine) = libm::sincos(angle);
        for share in [0.0, 0.4, 0.9, 0.99] {
            let friction = share * critical(angle);
            let found = rod(angle, friction).solve();
            assert_eq!(found.report.status, SvdStatus::Exact);
            let expected = G / (1.0 + 3.0 * cosine * (cosine - friction * sine));
            assert_near(found.forces[0][0], expected, 1e-9);
            let slide = found.forces[0][1].hypot(found.forces[0][2]);
            assert!((slide - friction * expected).abs() <= 1e-9 * expected);
        }
    }
}

#[test]
fn above_the_critical_friction() {
    for degrees in [45.0f64, 60.0, 75.0] {
        let angle = degrees.to_radians();
        for share in [1.01, 1.5, 4.0] {
            let found = rod(angle, share * critical(angle)).solve();
            assert_eq!(found.report.status, SvdStatus::Inconsistent, "{degrees} {share}");
            assert_eq!((found.forces[0], found.statuses[0]), ([0.0; 3], ContactStatus::Inactive));
        }
    }
}

/// Two rods that do not touch: one without an answer leaves none to the whole; the count of sets is small.
#[test]
fn a_rod_beside_a_rod() {
    let angle = 1.0;
    let mut both = rod(angle, 0.5 * critical(angle));
    let other = both.body(1.0, DVec3::splat(1.0 / 3.0), DVec3::Y * 9.0);
    let end = DVec3::new(libm::cos(angle), 9.0, -libm::sin(angle));
    both.touch_sliding([GROUND, other], end, DVec3::Z, 1.2 * critical(angle), DVec3::X);
    let found = both.solve();
    assert_eq!(found.report.status, SvdStatus::Inconsistent);
    assert!(found.report.solves <= 4 * 2 + 4, "{:?}", found.report);
}
