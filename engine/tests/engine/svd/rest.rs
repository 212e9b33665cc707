//! Forces at rest.

use super::workbench::{Bench, G, GROUND, assert_near};
use drystone_engine::solver::svd::{SvdSettings, SvdStatus};
use glam::DVec3;

/// A table with legs at the given places around the middle and its centre of mass elsewhere.
fn table(legs: &[(f64, f64)], centre: (f64, f64), mass: f64) -> Bench {
    let mut bench = Bench::new();
    let top = bench.cuboid(mass, DVec3::new(1.0, 0.6, 0.1), DVec3::new(centre.0, centre.1, 0.8));
    for &(x, y) in legs {
        bench.touch([GROUND, top], DVec3::new(x, y, 0.0), DVec3::Z, 0.5);
    }
    bench
}

const CORNERS: [(f64, f64); 4] = [(-1.0, -0.6), (-1.0, 0.6), (1.0, -0.6), (1.0, 0.6)];

/// Paper, figure 7 (c): a quarter of the weight on each leg, no friction.
#[test]
fn a_table_stands_on_four_legs_alike() {
    for force in table(&CORNERS, (0.0, 0.0), 10.0).exact() {
        assert_near(force.z, 2.5 * G, 1e-14);
        assert!(force.truncate().length() < 1e-12);
    }
}

#[test]
fn a_table_with_its_weight_aside() {
    let (cx, cy) = (0.3, 0.12);
    for (force, (x, y)) in table(&CORNERS, (cx, cy), 10.0).exact().iter().zip(CORNERS) {
        assert_near(force.z, 10.0 * G / 4.0 * (1.0 + cx / x + cy / y), 1e-13);
    }
}

#[test]
fn a_table_on_any_number_of_legs() {
    for count in [3, 4, 5, 7, 12, 50] {
        let place = |k: usize| {
            let angle = std::f64::consts::TAU * k as f64 / count as f64;
            (libm::cos(angle), libm::sin(angle))
        };
        let legs: Vec<(f64, f64)> = (0..count).map(place).collect();
        // Forces of least norm are linear in the place: w/n (1 + 2 (c · p)/r²).
        let (cx, cy) = (0.1, -0.2);
        for (force, (x, y)) in table(&legs, (cx, cy), 3.0).exact().iter().zip(&legs) {
            assert_near(force.z, 3.0 * G / count as f64 * (1.0 + 2.0 * (cx * x + cy * y)), 1e-12);
        }
    }
}

/// Cubes of the given masses, four contacts between neighbours.
fn stack(masses: &[f64]) -> Bench {
    let mut bench = Bench::new();
    let mut below = GROUND;
    for (level, &mass) in masses.iter().enumerate() {
        let floor = DVec3::Z * level as f64;
        let body = bench.cuboid(mass, DVec3::splat(0.5), floor + DVec3::Z * 0.5);
        for (x, y) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)] {
            bench.touch([below, body], floor + DVec3::new(x, y, 0.0), DVec3::Z, 0.4);
        }
        below = body;
    }
    bench
}

fn assert_stack(masses: &[f64], settings: &SvdSettings, share: f64) {
    let found = stack(masses).solve_with(settings);
    let report = found.report;
    assert_eq!((report.status, report.solves, report.rank), (SvdStatus::Exact, 1, 6 * masses.len()));
    assert_eq!(report.unknowns, 12 * masses.len());
    for (k, [normal, s, t]) in found.forces.into_iter().enumerate() {
        let above: f64 = masses[k / 4..].iter().sum();
        assert_near(normal, above * G / 4.0, share);
        assert!(s.abs().max(t.abs()) < share * above * G, "{s} {t}");
    }
}

/// Each face bears a quarter of what is above on each corner.
#[test]
fn stacks_of_up_to_forty() {
    for count in [1, 2, 5, 10, 20, 40] {
        let masses: Vec<f64> = (0..count).map(|k| 1.0 + 0.1 * f64::from(k)).collect();
        assert_stack(&masses, &SvdSettings::default(), 1e-9);
    }
}

/// The same by singular values alone, and by the normal equations from the first body on.
#[test]
fn both_ways_to_the_least_norm_agree() {
    for count in [1, 3, 10] {
        let masses: Vec<f64> = (0..count).map(|k| 1.0 + 0.1 * f64::from(k)).collect();
        for dense_columns in [0, 60] {
            assert_stack(&masses, &SvdSettings { dense_columns, ..SvdSettings::default() }, 1e-9);
        }
    }
}

#[test]
fn masses_of_any_ratio() {
    for masses in [[1e6, 1.0], [1.0, 1e6], [1e-3, 1e3]] {
        for dense_columns in [0, 24] {
            assert_stack(&masses, &SvdSettings { dense_columns, ..SvdSettings::default() }, 1e-9);
        }
    }
}

/// A ladder against a smooth wall: the wall bears (w/2) cot φ, and the foot holds if cot φ ≤ 2 μ.
#[test]
fn a_ladder_on_both_sides_of_its_threshold() {
    let (length, mass) = (2.0, 3.0);
    for friction in [0.3, 0.5] {
        let threshold = libm::atan(1.0 / (2.0 * friction)).to_degrees();
        for degrees in [threshold - 10.0, threshold - 0.1, threshold + 0.1, threshold + 10.0] {
            let (sine, cosine) = libm::sincos(f64::to_radians(degrees));
            let mut bench = Bench::new();
            let inertia = DVec3::new(1e-2, mass * length * length / 12.0, mass * length * length / 12.0);
            let centre = DVec3::new(-0.5 * length * cosine, 0.0, 0.5 * length * sine);
            let ladder = bench.body(mass, inertia, centre);
            for y in [-0.2, 0.2] {
                bench.touch([GROUND, ladder], DVec3::new(-length * cosine, y, 0.0), DVec3::Z, friction);
                bench.touch([GROUND, ladder], DVec3::new(0.0, y, length * sine), DVec3::NEG_X, 0.0);
            }
            let found = bench.solve();
            assert_eq!(found.report.status, SvdStatus::Exact, "{degrees}");
            let motion = bench.accelerations(&found.forces)[ladder];
            let fastest = motion.iter().fold(0.0f64, |m, a| m.max(a.abs()));
            if degrees > threshold {
                assert!(fastest < 1e-12, "{motion:?}");
                let wall = found.forces[1][0] + found.forces[3][0];
                assert_near(wall, 0.5 * mass * G * cosine / sine, 1e-12);
            } else {
                assert!(fastest > 1e-3, "{motion:?}");
            }
        }
    }
}

/// A ball in a groove of half-angle α to the horizontal: each side bears w/(2 cos α).
#[test]
fn a_ball_in_a_groove() {
    for degrees in [10.0, 30.0, 45.0, 60.0] {
        for friction in [0.0, 0.2] {
            let (sine, cosine) = libm::sincos(f64::to_radians(degrees));
            let mut bench = Bench::new();
            let ball = bench.body(2.0, DVec3::splat(0.4 * 2.0), DVec3::ZERO);
            for side in [-1.0, 1.0] {
                let normal = DVec3::new(side * sine, 0.0, cosine);
                bench.touch([GROUND, ball], -normal, normal, friction);
            }
            let found = bench.solve();
            assert_eq!(found.report.status, SvdStatus::Exact);
            if friction == 0.0 {
                found.forces.iter().for_each(|force| assert_near(force[0], 2.0 * G / (2.0 * cosine), 1e-13));
            } else {
                // What friction takes does not show in the sum.
                let sum: DVec3 = bench.in_world(&found).into_iter().sum();
                assert!(sum.distance(DVec3::Z * 2.0 * G) < 1e-12);
            }
        }
    }
}

/// An arch of stones along a hanging chain turned upside down. The thrust of the chain, ρg times the horizontal scale, runs
/// through the middles of the joints. Any force X along x at any height may be added to all joints at once; the least norm is
/// that of X = −H n/(n + 4 S/t²), H the chain's thrust, n the number of joints, t their width, S = Σ (z − z̄)² over their
/// middles: a corner bears a quarter of the force and ± m/2t of a moment m.
#[test]
fn an_arch_along_a_hanging_chain() {
    let (count, thickness, depth, density) = (12, 0.1, 1.0, 2000.0);
    // The chain z = −cosh x between ±1.
    let point = |u: f64| DVec3::new(u, 0.0, -libm::cosh(u));
    let joint = |k: usize| {
        // Equal lengths of arc, sinh u.
        let share = 2.0 * k as f64 / f64::from(count) - 1.0;
        let u = libm::asinh(share * libm::sinh(1.0));
        let along = DVec3::new(1.0, 0.0, -libm::sinh(u)).normalize();
        (point(u), along, DVec3::new(-along.z, 0.0, along.x))
    };
    let arc = 2.0 * libm::sinh(1.0);
    let mass = density * depth * thickness * arc / f64::from(count);
    let mut bench = Bench::new();
    let mut before = GROUND;
    for k in 0..=count as usize {
        let (middle, along, across) = joint(k);
        let body = if k < count as usize {
            let centre = {
                // The middle of the arc of the chain between two joints.
                let (a, b) = (joint(k).0.x, joint(k + 1).0.x);
                let moment = |u: f64| u * libm::sinh(u) - libm::cosh(u);
                let height = |u: f64| 0.5 * (u + libm::sinh(u) * libm::cosh(u));
                let length = libm::sinh(b) - libm::sinh(a);
                DVec3::new((moment(b) - moment(a)) / length, 0.0, -(height(b) - height(a)) / length)
            };
            bench.cuboid(mass, DVec3::new(0.1, 0.5 * depth, 0.5 * thickness), centre)
        } else {
            GROUND
        };
        for y in [-0.5 * depth, 0.5 * depth] {
            for r in [-0.5 * thickness, 0.5 * thickness] {
                bench.touch([before, body], middle + across * r + DVec3::Y * y, along, 0.5);
            }
        }
        before = body;
    }
    let forces = bench.exact();
    let chain = density * depth * thickness * G;
    let heights: Vec<f64> = (0..=count as usize).map(|k| joint(k).0.z).collect();
    let joints = heights.len() as f64;
    let mean = heights.iter().sum::<f64>() / joints;
    let spread: f64 = heights.iter().map(|z| (z - mean) * (z - mean)).sum();
    let extra = -chain * joints / (joints + 4.0 * spread / (thickness * thickness));
    for (k, height) in heights.iter().enumerate() {
        let (_, along, _) = joint(k);
        let own = 4 * k..4 * k + 4;
        let sum: DVec3 = forces[own.clone()].iter().sum();
        assert!(sum.distance(along * (chain / along.x) + DVec3::X * extra) < 1e-9 * chain, "joint {k}: {sum}");
        let moment: f64 = own.map(|c| forces[c].dot(along) * [-0.5, 0.5][c % 2] * thickness).sum();
        assert!((moment - extra * (mean - height)).abs() < 1e-9 * chain, "joint {k}: {moment}");
    }
}
