//! Forces within the cones where the loop of statuses fails.

use super::workbench::{Bench, G, GROUND};
use drystone_engine::solver::svd::{SvdSettings, SvdStatus};
use glam::DVec3;

/// A box wedged between two walls and on the ground: walls without load hold no friction, and the force of least norm without
/// cones would hang the box on them.
fn wedged(friction: f64) -> Bench {
    let mut bench = Bench::new();
    let body = bench.cuboid(3.0, DVec3::splat(0.5), DVec3::Z * 0.5);
    for (y, z) in [(-0.5, 0.0), (-0.5, 1.0), (0.5, 0.0), (0.5, 1.0)] {
        for side in [-1.0, 1.0] {
            bench.touch([GROUND, body], DVec3::new(0.5 * side, y, z), DVec3::NEG_X * side, friction);
        }
    }
    for (x, y) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)] {
        bench.touch([GROUND, body], DVec3::new(x, y, 0.0), DVec3::Z, friction);
    }
    bench
}

/// One solve is too few for the loop, so that the equilibrium is what is left.
#[test]
fn a_wedged_box_rests_within_all_cones() {
    let friction = 0.5;
    let bench = wedged(friction);
    let settings = SvdSettings { most_solves: 1, ..SvdSettings::default() };
    let found = bench.solve_with(&settings);
    assert!(matches!(found.report.status, SvdStatus::Equilibrium(_)), "{:?}", found.report);
    let motion = bench.accelerations(&found.forces)[1];
    assert!(motion.iter().all(|a| a.abs() < 1e-8), "{motion:?}");
    for [n, s, t] in &found.forces {
        assert!(*n >= 0.0 && s.hypot(*t) <= friction * n * (1.0 + 1e-12) + 1e-12);
    }
    // By symmetry each wall corner bears N and f up along the edge of its cone, f = μ N, and each floor corner the rest:
    // 8 f + 4 F = w. The least of 8 (N² + f²) + 4 F² under that is at N = f/μ, f (1 + 1/μ²) = F.
    let share = 1.0 + 1.0 / (friction * friction);
    let up = 3.0 * G / (8.0 + 4.0 * share);
    let forces = bench.in_world(&found);
    for force in &forces[..8] {
        assert!((force.z - up).abs() < 1e-8 && (force.x.abs() - up / friction).abs() < 1e-8, "{force} {up}");
    }
    for force in &forces[8..] {
        assert!((force.z - share * up).abs() < 1e-8, "{force}");
    }
}

/// A tall block that slides and would tip: one solve is too few, and no force makes it stand still at once.
#[test]
fn what_slides_is_not_at_rest() {
    let mut bench = Bench::new();
    let body = bench.cuboid(2.0, DVec3::new(1.0, 1.0, 1.5), DVec3::ZERO);
    for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        bench.touch_sliding([GROUND, body], DVec3::new(x, y, -1.5), DVec3::Z, 0.9, DVec3::X);
    }
    let settings = SvdSettings { most_solves: 1, enumerated_contacts: 0, ..SvdSettings::default() };
    assert!(matches!(bench.solve_with(&settings).report.status, SvdStatus::Undecided(_)));
    assert_eq!(bench.solve().report.status, SvdStatus::Exact);
}

/// What has to slide is no equilibrium.
#[test]
fn a_slope_too_steep_is_none() {
    let mut bench = Bench::under(DVec3::new(8.0, 0.0, -5.0));
    let body = bench.cuboid(1.0, DVec3::splat(0.5), DVec3::Z * 0.5);
    for (x, y) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)] {
        bench.touch([GROUND, body], DVec3::new(x, y, 0.0), DVec3::Z, 0.5);
    }
    let found = bench.solve_with(&SvdSettings { most_solves: 1, ..SvdSettings::default() });
    assert!(matches!(found.report.status, SvdStatus::Undecided(_)), "{:?}", found.report);
}
