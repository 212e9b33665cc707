//! Contacts without friction, against the law f ≥ 0 ⟂ a ≥ 0, which determines the accelerations.

use super::workbench::Bench;
use drystone_engine::solver::svd::{Forces, SvdStatus};
use glam::DVec3;

/// A sequence of numbers in −1…1 that follows from its seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

/// One body that falls and turns, with contacts anywhere whose normals point more or less upwards.
fn random(count: usize, numbers: &mut Numbers) -> Bench {
    let mut bench = Bench::new();
    let inertia = DVec3::splat(1.0) + 0.5 * numbers.vector();
    let body = bench.body(1.5 + 0.5 * numbers.next(), inertia, DVec3::ZERO);
    let (push, turn) = (3.0 * numbers.vector(), 3.0 * numbers.vector());
    bench.bodies[body].free = [push.x, push.y, -9.81, turn.x, turn.y, turn.z];
    for _ in 0..count {
        let point = 1.5 * numbers.vector();
        let mut normal = numbers.vector();
        normal.z = normal.z.abs() + 0.2;
        bench.touch([0, body], point, normal.normalize(), 0.0);
    }
    bench
}

/// By how much the worst contact misses the law, as a share of the largest force or acceleration.
fn misfit(bench: &Bench, found: &Forces) -> f64 {
    let motions = bench.relative(&bench.accelerations(&found.forces));
    let free = bench.relative(&bench.accelerations(&vec![[0.0; 3]; found.forces.len()]));
    let fastest = free.iter().map(|a| a[0].abs()).fold(0.0, f64::max);
    let largest = found.forces.iter().map(|f| f[0]).fold(0.0, f64::max).max(1e-300);
    let of = |(force, motion): (&[f64; 3], &[f64; 3])| {
        let (f, a) = (force[0] / largest, motion[0] / fastest);
        (-f).max(-a).max((f * a).abs()).max(force[1].abs().max(force[2].abs()) / largest)
    };
    found.forces.iter().zip(&motions).map(of).fold(0.0, f64::max)
}

#[test]
fn random_sets_end_at_the_exact_solution() {
    let mut numbers = Numbers(1);
    // The share of fall-backs that is not to be exceeded, per cent.
    for (count, most) in [(3, 5), (4, 10), (6, 20), (8, 30), (12, 50)] {
        let (mut exact, mut fallbacks, mut worst) = (0, 0, 0.0f64);
        for k in 0..2000 {
            let bench = random(count, &mut numbers);
            let found = bench.solve();
            match found.report.status {
                SvdStatus::Exact => exact += 1,
                SvdStatus::Complementarity(_) => fallbacks += 1,
                other => panic!("set {k} of {count}: {other:?}"),
            }
            let misfit = misfit(&bench, &found);
            assert!(misfit < 1e-5, "set {k} of {count}: {misfit:e}, {:?}", found.report);
            worst = worst.max(misfit);
        }
        println!("{count} contacts: {exact} by the loop, {fallbacks} by fall-back; worst misfit {worst:.1e}");
        assert!(100 * fallbacks <= most * 2000, "{count} contacts: {fallbacks} fall-backs");
    }
}

/// Two wedges from both sides that both push: no motion satisfies them.
#[test]
fn contacts_that_contradict_each_other_are_inconsistent() {
    let mut bench = Bench::new();
    let body = bench.body(1.0, DVec3::ONE, DVec3::ZERO);
    bench.touch([0, body], DVec3::ZERO, DVec3::Z, 0.0);
    bench.touch([0, body], DVec3::ZERO, DVec3::NEG_Z, 0.0);
    bench.contacts[0].bias[0] = -30.0;
    bench.contacts[1].bias[0] = -30.0;
    assert_eq!(bench.solve().report.status, SvdStatus::Inconsistent);
}
