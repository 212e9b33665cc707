//! Problems of the FCLIB collection, solved.

#[path = "problems/fclib.rs"]
mod problems;

use drystone_engine::solver::{
    ContactOperator, FrictionModel, Impulse, RFactor, ResidualScale, Rollback, SolverSettings, natural_residual, solve,
};

const BLOCKED: SolverSettings = SolverSettings {
    r_factor: RFactor::Blocked { reduction: 0.7 },
    rollback: Rollback::Best,
    ..SolverSettings::CONVERGENT
};

/// Name, sweeps, and what the plain natural map may be at most after them.
const TARGETS: [(&str, usize, f64); 4] = [
    ("local_problem_test", 1000, 1.1e-5),
    ("Spheres-i099-356-679", 1000, 1.1e-14),
    ("LMGC_100_PR_PerioBox-i00361-60-03000", 1000, 7.4e-7),
    ("Box_Stacks-i0122-82-5", 100, 2.6e-18),
];

#[test]
fn every_problem_is_solved_as_well_as_it_should_be() {
    for (name, max_iterations, most) in TARGETS {
        let problem = problems::problem(name);
        // Conjugate directions need more than 100 sweeps for rounding accuracy of the last problem.
        for (rollback, max_iterations) in [(Rollback::Best, max_iterations), (Rollback::Conjugate, 1000)] {
            let settings = SolverSettings { max_iterations, rollback, ..BLOCKED };
            let solution = solve(&problem, &settings, &[]).unwrap();
            assert!(solution.natural_residual <= most, "{name} {rollback:?}: {}", solution.natural_residual);
            let again = natural_residual(&problem, FrictionModel::Ball, &solution.impulses, ResidualScale::Unit);
            assert_eq!(again, solution.natural_residual);
        }
    }
}

/// The largest component of FCLIB's own natural map with the factor one: r − P_K(r − (u + μ|u_t| n)), where P_K projects
/// onto the cone |r_t| ≤ μ r_n. Written out here, apart from the solver.
fn cone_residual(velocities: &[[f64; 4]], mu: &[f64], impulses: &[Impulse]) -> f64 {
    let mut largest = 0.0f64;
    for ((u, mu), r) in velocities.iter().zip(mu).zip(impulses) {
        let sliding = u[1].hypot(u[2]);
        let z = [r[0] - u[0] - mu * sliding, r[1] - u[1], r[2] - u[2]];
        let tangential = z[1].hypot(z[2]);
        let nearest = if tangential <= mu * z[0] {
            z
        } else if mu * tangential <= -z[0] {
            [0.0; 3]
        } else {
            let normal = (z[0] + mu * tangential) / (1.0 + mu * mu);
            [normal, mu * normal * z[1] / tangential, mu * normal * z[2] / tangential]
        };
        largest = (0..3).map(|i| (r[i] - nearest[i]).abs()).fold(largest, f64::max);
    }
    largest
}

/// The law here and FCLIB's are the same: De Saxcé's term makes a complementarity of cones of it, with the same solutions.
#[test]
fn the_solutions_solve_the_problems_as_the_collection_states_them() {
    for (name, _, most) in TARGETS {
        let problem = problems::problem(name);
        let mu: Vec<f64> = problem.contacts().iter().map(|c| c.friction[0]).collect();
        let settings = SolverSettings { rollback: Rollback::Conjugate, ..BLOCKED };
        let solution = solve(&problem, &settings, &[]).unwrap();
        let residual = cone_residual(&problem.velocities(&solution.impulses), &mu, &solution.impulses);
        assert!(residual <= 2.0 * most, "{name}: {residual}");
        assert!(solution.impulses.iter().all(|r| r[3] == 0.0));
    }
}

/// W is rank-deficient in three of the problems, so that different impulses may do the same; velocities agree. The
/// local strategy is left out: its factors differ between the rows of a contact and bend the direction of friction.
#[test]
fn strategies_agree_in_velocity() {
    for (name, close) in [(TARGETS[1].0, 1e-13), (TARGETS[2].0, 1e-8), (TARGETS[3].0, 1e-17)] {
        let problem = problems::problem(name);
        let solved = [BLOCKED.r_factor, RFactor::EXACT].map(|r_factor| {
            let settings = SolverSettings { r_factor, rollback: Rollback::Conjugate, ..BLOCKED };
            problem.velocities(&solve(&problem, &settings, &[]).unwrap().impulses)
        });
        let pairs = solved[0].iter().flatten().zip(solved[1].iter().flatten());
        let off = pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(off <= close, "{name}: {off}");
    }
}

/// What the local strategy converges to is not Coulomb's law where the diagonal entries of friction differ.
#[test]
fn factors_by_rows_bend_friction() {
    let problem = problems::problem("Spheres-i099-356-679");
    let settings = SolverSettings { r_factor: RFactor::LOCAL, ..BLOCKED };
    let solution = solve(&problem, &settings, &[]).unwrap();
    let residual = |scale| natural_residual(&problem, FrictionModel::Ball, &solution.impulses, scale);
    assert!(residual(ResidualScale::Rows) < 1e-14);
    assert!(residual(ResidualScale::Unit) > 1e-6 && residual(ResidualScale::Contact) > 1e-6);
}

#[test]
fn a_start_from_the_solution_stays_there() {
    let problem = problems::problem("Spheres-i099-356-679");
    let settings = SolverSettings { absolute_tolerance: 1e-10, rollback: Rollback::Conjugate, ..BLOCKED };
    let cold = solve(&problem, &settings, &[]).unwrap();
    let warm = solve(&problem, &settings, &cold.impulses).unwrap();
    assert!(
        cold.residuals.len() > 50 && warm.residuals.len() == 1,
        "{} {}",
        cold.residuals.len(),
        warm.residuals.len()
    );
}

#[test]
fn the_texts_hold_what_they_promise() {
    for (name, contacts) in problems::NAMES.into_iter().zip([48, 356, 60, 82]) {
        assert_eq!(problems::problem(name).contact_count(), contacts, "{name}");
    }
    assert_eq!(problems::parse("contacts 1\ncontact 0.5 1 2\n"), Err(2));
    assert_eq!(problems::parse("contacts 2\ncontact 0.5 1 2 3\n"), Err(1));
    assert_eq!(problems::parse("contacts 0\nblock 0 0 1\n"), Err(2));
    assert_eq!(problems::parse("contacts 0\nblocks\n"), Err(2));
}
