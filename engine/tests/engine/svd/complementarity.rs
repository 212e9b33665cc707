//! Contacts without friction, against the law f ≥ 0 ⟂ a ≥ 0, which determines the accelerations.

use super::random_sets::{Numbers, random};
use super::workbench::Bench;
use drystone_engine::solver::svd::{Forces, SvdStatus};
use glam::DVec3;

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
    for (count, most) in [(3, 1), (4, 1), (6, 1), (8, 2), (12, 4)] {
        let (mut exact, mut fallbacks, mut worst) = (0, 0, 0.0f64);
        for k in 0..2000 {
            let bench = random(count, 0.0, &mut numbers);
            let found = bench.solve();
            match found.report.status {
                SvdStatus::Exact => exact += 1,
                SvdStatus::Complementarity(_) => fallbacks += 1,
                other => panic!("set {k} of {count}: {other:?}"),
            }
            let misfit = misfit(&bench, &found);
            assert!(misfit < 1e-6, "set {k} of {count}: {misfit:e}, {:?}", found.report);
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
