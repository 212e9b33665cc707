//! What the forces may not depend on.

use super::workbench::{Bench, GROUND};
use drystone_engine::solver::svd::{ForceContact, Forces, SvdSettings, SvdStatus};
use glam::{DMat3, DVec3};
use proptest::prelude::*;

/// A box with contacts around it: on the ground and against a second box beside it.
fn heap(numbers: &[f64]) -> Bench {
    let mut bench = Bench::new();
    let half = DVec3::new(1.0, 0.8, 0.5);
    let lower = bench.cuboid(2.0 + numbers[0], half, DVec3::ZERO);
    let upper = bench.cuboid(1.5 + numbers[1], half, DVec3::new(0.3 * numbers[2], 0.2 * numbers[3], 1.0));
    bench.bodies[upper].free[0] = 2.0 * numbers[4];
    bench.bodies[lower].free[1] = 2.0 * numbers[5];
    for (x, y) in [(-1.0, -0.8), (-1.0, 0.8), (1.0, -0.8), (1.0, 0.8)] {
        bench.touch([GROUND, lower], DVec3::new(x, y, -0.5), DVec3::Z, 0.4);
        bench.touch([lower, upper], DVec3::new(0.6 * x, 0.6 * y, 0.5), DVec3::Z, 0.3);
    }
    bench
}

fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

fn size(forces: &[DVec3]) -> f64 {
    forces.iter().map(|f| f.length()).fold(0.0, f64::max)
}

/// −(A + r)⁻¹ b by conjugate gradients of its own, for static contacts.
fn regularised(bench: &Bench, r: f64) -> Vec<f64> {
    let apply = |f: &[f64]| -> Vec<f64> {
        let forces: Vec<[f64; 3]> = f.as_chunks::<3>().0.to_vec();
        let none = vec![[0.0; 3]; forces.len()];
        let with = bench.relative(&bench.accelerations(&forces));
        let without = bench.relative(&bench.accelerations(&none));
        let change = with.iter().flatten().zip(without.iter().flatten()).map(|(a, b)| a - b);
        change.zip(f).map(|(a, f)| a + r * f).collect()
    };
    let b: Vec<f64> =
        bench.relative(&bench.accelerations(&vec![[0.0; 3]; bench.contacts.len()])).into_iter().flatten().collect();
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let mut x = vec![0.0; b.len()];
    let mut rest: Vec<f64> = b.iter().map(|b| -b).collect();
    let mut direction = rest.clone();
    let mut square = dot(&rest, &rest);
    for _ in 0..400 {
        if square == 0.0 {
            break;
        }
        let image = apply(&direction);
        let along = square / dot(&direction, &image);
        x.iter_mut().zip(&direction).for_each(|(x, d)| *x += along * d);
        rest.iter_mut().zip(&image).for_each(|(r, a)| *r -= along * a);
        let next = dot(&rest, &rest);
        direction.iter_mut().zip(&rest).for_each(|(d, r)| *d = r + next / square * *d);
        square = next;
    }
    x
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_contacts(numbers in prop::array::uniform6(-1.0..1.0f64), turn in 1usize..8) {
        let bench = heap(&numbers);
        let found = bench.solve();
        let mut turned = bench.clone();
        turned.contacts.rotate_left(turn);
        turned.normals.rotate_left(turn);
        let mut other = turned.solve();
        prop_assert_eq!(found.report.status, other.report.status);
        other.forces.rotate_right(turn);
        let (found, other) = (bench.in_world(&found), bench.in_world(&other));
        prop_assert!(distance(&found, &other) <= 1e-9 * size(&found));
    }

    /// B pushes A as A pushes B.
    #[test]
    fn which_body_is_called_a(numbers in prop::array::uniform6(-1.0..1.0f64)) {
        let bench = heap(&numbers);
        let mut swapped = Bench { contacts: Vec::new(), normals: Vec::new(), ..bench.clone() };
        for (k, contact) in bench.contacts.iter().enumerate() {
            let [a, b] = contact.bodies.map(|body| body.index());
            let (x, y) = ([-1.0, -1.0, 1.0, 1.0][k / 2], [-0.8, 0.8, -0.8, 0.8][k / 2]);
            let (point, friction) = if k % 2 == 0 {
                (DVec3::new(x, y, -0.5), 0.4)
            } else {
                (DVec3::new(0.6 * x, 0.6 * y, 0.5), 0.3)
            };
            swapped.touch([b, a], point, -bench.normals[k], friction);
        }
        let (found, other) = (bench.solve(), swapped.solve());
        prop_assert_eq!(found.report.status, other.report.status);
        let turned: Vec<DVec3> = swapped.in_world(&other).iter().map(|f| -*f).collect();
        let found = bench.in_world(&found);
        prop_assert!(distance(&found, &turned) <= 1e-9 * size(&found));
    }

    /// Metres as millimetres, kilograms as tonnes, seconds as minutes: the forces are the same ones.
    #[test]
    fn units(numbers in prop::array::uniform6(-1.0..1.0f64), length in 0.001..1000.0f64, mass in 0.001..1000.0f64) {
        let bench = heap(&numbers);
        let mut scaled = bench.clone();
        for body in &mut scaled.bodies {
            body.inverse_mass /= mass;
            body.inverse_inertia = DMat3::from_cols_array(
                &body.inverse_inertia.to_cols_array().map(|x| x / (mass * length * length)),
            );
            body.free[..3].iter_mut().for_each(|a| *a *= length);
        }
        let arms = |contact: &mut ForceContact| {
            for row in &mut contact.jacobian {
                (0..12).filter(|k| k % 6 >= 3).for_each(|k| row[k] *= length);
            }
        };
        scaled.contacts.iter_mut().for_each(arms);
        let (found, other) = (bench.solve(), scaled.solve());
        prop_assert_eq!(found.report.status, other.report.status);
        let back: Vec<DVec3> = bench.in_world(&other).iter().map(|f| *f / (mass * length)).collect();
        let found = bench.in_world(&found);
        prop_assert!(distance(&found, &back) <= 1e-9 * size(&found));
    }

    /// Singular values and normal equations lead to the same forces and statuses.
    #[test]
    fn the_way_of_solving(numbers in prop::array::uniform6(-1.0..1.0f64)) {
        let bench = heap(&numbers);
        let by = |dense_columns| bench.solve_with(&SvdSettings { dense_columns, ..SvdSettings::default() });
        let (dense, sparse): (Forces, Forces) = (by(100), by(0));
        prop_assert_eq!((dense.report.status, &dense.statuses), (sparse.report.status, &sparse.statuses));
        prop_assert_eq!(dense.report.rank, sparse.report.rank);
        let (dense, sparse) = (bench.in_world(&dense), bench.in_world(&sparse));
        prop_assert!(distance(&dense, &sparse) <= 1e-9 * size(&dense));
    }

    /// −(A + r)⁻¹ b tends to −A⁺ b, with an error in proportion to r.
    #[test]
    fn the_limit_of_regularisation(numbers in prop::array::uniform6(-0.2..0.2f64)) {
        let mut bench = heap(&numbers);
        bench.contacts.iter_mut().for_each(|contact| contact.friction = [100.0; 2]);
        let found = bench.solve();
        prop_assert_eq!((found.report.status, found.report.solves), (SvdStatus::Exact, 1));
        let exact: Vec<f64> = found.forces.into_iter().flatten().collect();
        let error = |r: f64| {
            let other = regularised(&bench, r);
            exact.iter().zip(&other).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
        };
        let (coarse, fine) = (error(1e-3), error(1e-5));
        prop_assert!(fine < 1e-2, "{coarse:e} {fine:e}");
        prop_assert!(fine < 0.02 * coarse, "{coarse:e} {fine:e}");
    }
}

#[test]
fn a_contact_given_twice_bears_half_each_time() {
    let bench = heap(&[0.0; 6]);
    let once = bench.exact();
    let mut twice = bench.clone();
    twice.contacts.extend(bench.contacts.clone());
    twice.normals.extend(bench.normals.clone());
    let forces = twice.exact();
    let (first, second) = forces.split_at(once.len());
    let halves: Vec<DVec3> = once.iter().map(|f| *f * 0.5).collect();
    assert!(distance(first, &halves) < 1e-12 * size(&once) && distance(second, &halves) < 1e-12 * size(&once));
}
