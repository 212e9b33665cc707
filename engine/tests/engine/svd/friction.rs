//! Random contacts with friction, at the level of velocities, against Coulomb's law.

use super::random_sets::{Numbers, random};
use super::workbench::Bench;
use drystone_engine::solver::svd::{Level, SvdSettings, SvdStatus, solve_forces};

/// By how much the worst contact misses Coulomb's law, as shares of the largest force and velocity: it pushes, does not
/// approach, bears no force where it parts; friction stays in its cone, does no work, and where the contact slides it is on the
/// edge of the cone.
fn misfit(bench: &Bench, forces: &[[f64; 3]]) -> f64 {
    let motions = bench.relative(&bench.accelerations(forces));
    let free = bench.relative(&bench.accelerations(&vec![[0.0; 3]; forces.len()]));
    let fastest = free.iter().flatten().map(|u| u.abs()).fold(0.0, f64::max);
    let largest = forces.iter().flatten().map(|f| f.abs()).fold(0.0, f64::max).max(1e-300);
    let mut worst = 0.0f64;
    for ((force, motion), contact) in forces.iter().zip(&motions).zip(&bench.contacts) {
        let ([n, s, t], [u, us, ut]) = (force.map(|f| f / largest), motion.map(|u| u / fastest));
        let within = contact.friction[0] * n - s.hypot(t);
        let work = s * us + t * ut;
        worst = [-n, -u, (n * u).abs(), -within, work, us.hypot(ut) * within].into_iter().fold(worst, f64::max);
    }
    worst
}

#[test]
fn what_counts_as_exact_satisfies_the_law() {
    let mut numbers = Numbers(2);
    for friction in [0.2, 0.6] {
        for count in [1, 3, 4, 8, 12] {
            let (mut exact, mut equilibria, mut worst) = (0, 0, 0.0f64);
            for _ in 0..500 {
                let bench = random(count, friction, &mut numbers);
                let found =
                    solve_forces(&bench.bodies, &bench.contacts, Level::Velocity, &SvdSettings::default()).unwrap();
                match found.report.status {
                    SvdStatus::Exact => exact += 1,
                    SvdStatus::Equilibrium(_) => equilibria += 1,
                    SvdStatus::Undecided(_) => {
                        assert!(found.forces.iter().flatten().all(|f| *f == 0.0));
                        continue;
                    }
                    other => panic!("{other:?}"),
                }
                worst = worst.max(misfit(&bench, &found.forces));
            }
            println!(
                "friction {friction}, {count} contacts: {exact} by the loop, {equilibria} equilibria, {} undecided; worst \
                 misfit {worst:.1e}",
                500 - exact - equilibria
            );
            assert!(worst < 1e-5, "{worst:e}");
            assert!(exact >= if count == 1 { 500 } else { 250 });
        }
    }
}
