//! Solutions satisfy the law of contact, checked without the solver's own projections.

use crate::assemblies;
use drystone_engine::solver::{
    ContactOperator, Delassus, DelassusBlock, DelassusContact, FrictionModel, Impulse, RFactor, Rollback, Solution,
    SolverSettings, solve,
};
use proptest::prelude::*;

const STRATEGIES: [RFactor; 4] =
    [RFactor::GLOBAL, RFactor::Blocked { reduction: 0.7 }, RFactor::ADAPTIVE, RFactor::EXACT];
const MODELS: [FrictionModel; 3] = [FrictionModel::Ball, FrictionModel::Ellipsoid, FrictionModel::Box];

/// By how much the worst contact misses its law: Signorini's condition (m/s and N s), the bounds of friction (N s), and
/// maximal dissipation, that is no allowed friction takes more power out of the sliding velocity (J).
fn misfit(mu: [f64; 3], model: FrictionModel, impulse: &Impulse, u: &[f64; 4]) -> f64 {
    let normal = impulse[0];
    let sides = mu.map(|m| m * normal);
    let friction = [impulse[1], impulse[2], impulse[3]];
    let slip = [u[1], u[2], u[3]];
    let norm = |v: [f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    let each = |f: &dyn Fn(usize) -> f64| [0, 1, 2].map(f);
    let (beyond, most) = match model {
        FrictionModel::Ball => (norm(friction) - sides[0], sides[0] * norm(slip)),
        FrictionModel::Ellipsoid => {
            (norm(each(&|i| friction[i] / mu[i])) - normal, norm(each(&|i| sides[i] * slip[i])))
        }
        FrictionModel::Box => (
            each(&|i| friction[i].abs() - sides[i]).into_iter().fold(f64::MIN, f64::max),
            each(&|i| sides[i] * slip[i].abs()).iter().sum(),
        ),
    };
    let power: f64 = -(0..3).map(|i| friction[i] * slip[i]).sum::<f64>();
    [-normal, -u[0], (normal * u[0]).abs(), beyond, (most - power).abs()].into_iter().fold(0.0, f64::max)
}

fn worst<P: ContactOperator>(problem: &P, model: FrictionModel, solution: &Solution) -> f64 {
    let motion = problem.motion(&solution.impulses);
    let at = |(k, x)| misfit(problem.friction(k), model, x, &problem.velocity(k, &motion));
    solution.impulses.iter().enumerate().map(at).fold(0.0, f64::max)
}

/// Up to five contacts whose matrix is G Gᵀ + 1, with moderate friction: one solution.
fn well_posed() -> impl Strategy<Value = Delassus> {
    let row = prop::array::uniform5(-0.5..0.5f64);
    let contact =
        (prop::array::uniform4(row), prop::array::uniform4(-2.0..1.0f64), prop::array::uniform3(0.05..0.4f64));
    prop::collection::vec(contact, 1..=5).prop_map(|contacts| {
        let mut blocks = Vec::new();
        for (i, (x, ..)) in contacts.iter().enumerate() {
            for (j, (y, ..)) in contacts.iter().enumerate().skip(i) {
                let entry = |a: usize, b: usize| {
                    let product: f64 = (0..5).map(|k| x[a][k] * y[b][k]).sum();
                    product + f64::from(u8::from(i == j && a == b))
                };
                let entries = std::array::from_fn(|a| std::array::from_fn(|b| entry(a, b)));
                blocks.push(DelassusBlock { row: i, column: j, entries });
            }
        }
        let contact = |&(_, velocity, friction): &(_, [f64; 4], [f64; 3])| DelassusContact { velocity, friction };
        Delassus::new(contacts.iter().map(contact).collect(), &blocks).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_strategy_finds_the_solution_of_a_well_posed_problem(problem in well_posed()) {
        for friction in MODELS {
            let mut first: Option<Vec<[f64; 4]>> = None;
            for r_factor in STRATEGIES {
                for rollback in [Rollback::Best, Rollback::Conjugate] {
                    let settings = SolverSettings { r_factor, friction, rollback, ..SolverSettings::CONVERGENT };
                    let solution = solve(&problem, &settings, &[]).unwrap();
                    let miss = worst(&problem, friction, &solution);
                    prop_assert!(miss < 1e-10, "{friction:?} {r_factor:?} {rollback:?}: {miss}");
                    let velocities = problem.velocities(&solution.impulses);
                    // Friction takes energy and never gives any.
                    for (x, u) in solution.impulses.iter().zip(&velocities) {
                        prop_assert!((1..4).map(|i| x[i] * u[i]).sum::<f64>() < 1e-12);
                    }
                    let first = first.get_or_insert(velocities.clone());
                    let pairs = velocities.iter().flatten().zip(first.iter().flatten());
                    let off = pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
                    prop_assert!(off < 1e-10, "{friction:?} {r_factor:?} {rollback:?}: {off}");
                }
            }
        }
    }
}

/// Four equal cubes carry each other: the velocities after the step are zero although the impulses are not unique.
#[test]
fn a_tower_stands_under_every_model_and_strategy() {
    let assembly = assemblies::tower(4, 1.0, 2, 0.0);
    let problem = assembly.problem();
    for friction in MODELS {
        for r_factor in [RFactor::Blocked { reduction: 0.7 }, RFactor::EXACT] {
            let settings = SolverSettings { r_factor, friction, ..SolverSettings::CONVERGENT };
            let solution = solve(&problem, &settings, &[]).unwrap();
            let changes = problem.twist_changes(&solution.impulses);
            for (body, change) in assembly.bodies.iter().zip(&changes) {
                let still = (0..6).all(|i| (body.twist[i] + body.forced_change[i] + change[i]).abs() < 1e-6);
                assert!(still, "{friction:?} {r_factor:?} {change:?}");
            }
            assert!(worst(&problem, friction, &solution) < 1e-2 * 0.0981, "{friction:?} {r_factor:?}");
        }
    }
}

/// The convergent settings leave far less than local r-factors on the stones of an arch.
#[test]
fn an_arch_is_solved_to_rounding() {
    let problem = assemblies::arch(13).problem();
    let residual = |settings: SolverSettings| solve(&problem, &settings, &[]).unwrap().natural_residual;
    let convergent = residual(SolverSettings::CONVERGENT);
    assert!(convergent < 1e-12, "{convergent}");
    assert!(residual(SolverSettings::default()) > 1e-6);
    let solution = solve(&problem, &SolverSettings::CONVERGENT, &[]).unwrap();
    assert!(worst(&problem, FrictionModel::Ball, &solution) < 1e-9);
}

/// Embedding: a warm start makes the next step cheap.
#[test]
fn a_warm_start_saves_sweeps() {
    let problem = assemblies::arch(7).problem();
    let settings = SolverSettings { max_iterations: 2000, ..SolverSettings::SIMULATION };
    let cold = solve(&problem, &settings, &[]).unwrap();
    let mut next = assemblies::arch(7);
    for body in &mut next.bodies[1..] {
        body.forced_change[1] *= 1.0 + 1e-6;
    }
    let warm = solve(&next.problem(), &settings, &cold.impulses).unwrap();
    assert!(warm.residuals.len() < cold.residuals.len(), "{} {}", warm.residuals.len(), cold.residuals.len());
    assert!(warm.natural_residual < 1e-5);
}
