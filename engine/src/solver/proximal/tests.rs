use super::super::{ContactProblem, SolverBody, SolverContact, Twist};
use super::*;
use crate::body::BodyId;
use glam::{DMat3, DVec3};
use proptest::prelude::*;

const MASS: f64 = 6.0;
const GRAVITY_CHANGE: f64 = -0.0982;

/// A cube of edge 1 m and mass [`MASS`] on a fixed ground, four contacts at the corners of its bottom face.
fn cube_and_corners(velocity: DVec3, friction: f64, restitution: f64) -> (Vec<SolverBody>, [SolverContact; 4]) {
    let cube = SolverBody {
        position: DVec3::new(0.0, 0.5, 0.0),
        inverse_mass: 1.0 / MASS,
        inverse_inertia: DMat3::IDENTITY * (6.0 / MASS),
        twist: [velocity.x, velocity.y, velocity.z, 0.0, 0.0, 0.0],
        forced_change: [0.0, GRAVITY_CHANGE, 0.0, 0.0, 0.0, 0.0],
    };
    let fixed = SolverBody { inverse_mass: 0.0, inverse_inertia: DMat3::ZERO, forced_change: [0.0; 6], ..cube };
    let ground = SolverBody { twist: [0.0; 6], ..fixed };
    let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)];
    let contacts = corners.map(|(x, z)| SolverContact {
        a: BodyId::new(0),
        b: BodyId::new(1),
        position: DVec3::new(x, 0.0, z),
        normal: DVec3::NEG_Y,
        friction: [friction; 3],
        restitution,
        stabilisation: 0.0,
    });
    (vec![cube, ground], contacts)
}

/// The cube and its problem.
fn cube_on_ground(velocity: DVec3, friction: f64, restitution: f64) -> (Vec<SolverBody>, ContactProblem) {
    let (bodies, contacts) = cube_and_corners(velocity, friction, restitution);
    let problem = ContactProblem::assemble(&bodies, &contacts).unwrap();
    (bodies, problem)
}

fn velocity_after(bodies: &[SolverBody], problem: &ContactProblem, solution: &Solution) -> Twist {
    let change = problem.twist_changes(&solution.impulses)[0];
    std::array::from_fn(|i| bodies[0].twist[i] + bodies[0].forced_change[i] + change[i])
}

const MODELS: [FrictionModel; 3] = [FrictionModel::Ball, FrictionModel::Ellipsoid, FrictionModel::Box];
const STRATEGIES: [RFactor; 5] = [RFactor::GLOBAL, RFactor::LOCAL, RFactor::BLOCKED, RFactor::ADAPTIVE, RFactor::EXACT];
const RULES: [Rollback; 3] = [Rollback::Corrected, Rollback::Best, Rollback::Conjugate];

#[test]
fn a_resting_cube_is_carried_under_every_model_and_strategy() {
    for friction in MODELS {
        for (r_factor, rollback) in STRATEGIES.into_iter().flat_map(|r| RULES.map(|rule| (r, rule))) {
            let settings = SolverSettings { friction, r_factor, rollback, ..SolverSettings::default() };
            let (bodies, problem) = cube_on_ground(DVec3::ZERO, 0.5, 0.0);
            let solution = solve(&problem, &settings, &[]).unwrap();
            let carried: f64 = solution.impulses.iter().map(|x| x[0]).sum();
            assert!((carried + MASS * GRAVITY_CHANGE).abs() < 1e-6, "{friction:?} {r_factor:?} {carried}");
            assert!(solution.natural_residual < 1e-6, "{friction:?} {r_factor:?} {}", solution.natural_residual);
            let after = velocity_after(&bodies, &problem, &solution);
            assert!(after.iter().all(|v| v.abs() < 1e-6), "{after:?}");
        }
    }
}

/// As many as a number can say would take more memory than there is.
#[test]
fn sweeps_that_are_not_made_take_no_memory() {
    let settings = SolverSettings { max_iterations: usize::MAX, ..SolverSettings::default() };
    let (_, problem) = cube_on_ground(DVec3::ZERO, 0.5, 0.0);
    assert!(solve(&problem, &settings, &[]).unwrap().natural_residual < 1e-6);
}

#[test]
fn a_sliding_cube_satisfies_complementarity_and_loses_speed_to_friction() {
    let (bodies, problem) = cube_on_ground(DVec3::X, 0.3, 0.0);
    let solution = solve(&problem, &SolverSettings::default(), &[]).unwrap();
    assert!(solution.natural_residual < 1e-10);
    let changes = problem.twist_changes(&solution.impulses);
    for (rows, impulse) in problem.contacts().iter().zip(&solution.impulses) {
        let gained = rows.relative_velocity(&changes);
        let apart = gained[0] + rows.bias[0];
        assert!(impulse[0] >= 0.0 && apart > -1e-10 && (impulse[0] * apart).abs() < 1e-10);
        let friction = DVec3::new(impulse[1], impulse[2], impulse[3]).length();
        assert!((friction - 0.3 * impulse[0]).abs() < 1e-10);
    }
    // The whole weight slides: the speed falls by μ g Δt (Coulomb), and the cube tips neither way.
    let after = velocity_after(&bodies, &problem, &solution);
    assert!((after[0] - (1.0 + 0.3 * GRAVITY_CHANGE)).abs() < 1e-9, "{after:?}");
    assert!(after[1..].iter().all(|v| v.abs() < 1e-9), "{after:?}");
}

#[test]
fn a_slow_cube_sticks_and_a_bouncy_one_rebounds() {
    let (bodies, problem) = cube_on_ground(DVec3::X * 0.02, 0.5, 0.0);
    let solution = solve(&problem, &SolverSettings::default(), &[]).unwrap();
    assert!(velocity_after(&bodies, &problem, &solution).iter().all(|v| v.abs() < 1e-9));
    let (bodies, problem) = cube_on_ground(DVec3::NEG_Y * 2.0, 0.0, 0.25);
    let solution = solve(&problem, &SolverSettings::default(), &[]).unwrap();
    assert!((velocity_after(&bodies, &problem, &solution)[1] - 0.5).abs() < 1e-9);
}

#[test]
fn a_leaving_cube_is_let_go() {
    let (_, problem) = cube_on_ground(DVec3::Y, 0.5, 0.0);
    let solution = solve(&problem, &SolverSettings::default(), &[]).unwrap();
    assert_eq!(solution.impulses, [[0.0; 4]; 4]);
    assert_eq!((solution.stop, solution.residuals.len()), (Stop::FixedPoint, 1));
}

#[test]
fn tolerances_and_starts_are_used() {
    let (_, problem) = cube_on_ground(DVec3::X, 0.3, 0.0);
    let exact = SolverSettings::default();
    let absolute = SolverSettings { absolute_tolerance: 1e-6, ..exact };
    let cold = solve(&problem, &absolute, &[]).unwrap();
    assert_eq!(cold.stop, Stop::AbsoluteTolerance);
    assert!(cold.residuals.iter().rev().skip(1).all(|r| *r >= 1e-6) && cold.residuals.last() < Some(&1e-6));
    let relative = SolverSettings { relative_tolerance: 0.9, ..exact };
    let early = solve(&problem, &relative, &[]).unwrap();
    assert_eq!(early.stop, Stop::RelativeTolerance);
    assert!(early.residuals.len() < cold.residuals.len());
    let warm = solve(&problem, &absolute, &cold.impulses).unwrap();
    assert!(warm.residuals.len() < cold.residuals.len());
    let short = solve(&problem, &SolverSettings { max_iterations: 2, ..exact }, &[]).unwrap();
    assert_eq!((short.stop, short.residuals.len()), (Stop::IterationLimit, 2));
    assert!(short.natural_residual > cold.natural_residual);
}

#[test]
fn the_natural_residual_is_recorded_after_every_sweep_if_asked_for() {
    let (_, problem) = cube_on_ground(DVec3::X, 0.3, 0.0);
    for rollback in RULES {
        let quiet = SolverSettings { max_iterations: 7, rollback, ..SolverSettings::default() };
        assert!(solve(&problem, &quiet, &[]).unwrap().natural_residuals.is_empty());
        let solution = solve(&problem, &SolverSettings { natural_history: true, ..quiet }, &[]).unwrap();
        assert_eq!(solution.natural_residuals.len(), 7);
        let recorded = solution.natural_residuals.contains(&solution.natural_residual);
        assert!(recorded || solution.divergences > 0, "{rollback:?} {solution:?}");
    }
}

/// Far too large a global factor: the rules that keep the best shrink it until the iteration converges.
#[test]
fn the_best_is_kept_when_sweeps_run_away() {
    let (_, problem) = cube_on_ground(DVec3::X, 0.3, 0.0);
    for rollback in [Rollback::Best, Rollback::Conjugate] {
        let r_factor = RFactor::Global { r: 100.0, reduction: 0.5 };
        let settings = SolverSettings { r_factor, rollback, ..SolverSettings::default() };
        let solution = solve(&problem, &settings, &[]).unwrap();
        assert!(solution.divergences > 0 && solution.natural_residual < 1e-6, "{rollback:?} {solution:?}");
    }
}

#[test]
fn bad_settings_are_refused() {
    let (_, problem) = cube_on_ground(DVec3::X, 0.3, 0.0);
    let good = SolverSettings::default();
    for bad in [
        SolverSettings { max_iterations: 0, ..good },
        SolverSettings { absolute_tolerance: -1.0, ..good },
        SolverSettings { relative_tolerance: f64::NAN, ..good },
        SolverSettings { r_factor: RFactor::Local { reduction: 0.0 }, ..good },
        SolverSettings { r_factor: RFactor::Local { reduction: 1.5 }, ..good },
        SolverSettings { r_factor: RFactor::Global { r: f64::INFINITY, reduction: 0.5 }, ..good },
        SolverSettings { r_factor: RFactor::Adaptive { growth: 0.9, reduction: 0.5, stall: 0.1 }, ..good },
        SolverSettings { r_factor: RFactor::Adaptive { growth: 1.1, reduction: 0.5, stall: -0.1 }, ..good },
    ] {
        assert!(matches!(solve(&problem, &bad, &[]), Err(SolverError::Setting { .. })), "{bad:?}");
    }
    let start = [[0.0; 4]; 3];
    let wrong = SolverError::InitialImpulses { expected: 4, given: 3 };
    assert_eq!(solve(&problem, &good, &start), Err(wrong));
}

#[test]
fn nothing_to_solve_is_solved() {
    let solution = solve(&ContactProblem::default(), &SolverSettings::default(), &[]).unwrap();
    assert_eq!((solution.stop, solution.residuals.len(), solution.natural_residual), (Stop::FixedPoint, 0, 0.0));
}

/// Two bodies of different masses that meet at up to twelve contacts with random points and normals.
fn collision() -> impl Strategy<Value = (Vec<SolverBody>, Vec<SolverContact>)> {
    let vector = || prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from);
    let contact = (vector(), vector()).prop_filter("a direction", |(_, n)| n.length() > 0.1);
    let body = (vector(), 0.1..5.0f64, prop::array::uniform3(0.5..2.0f64), prop::array::uniform6(-3.0..3.0f64));
    (body.clone(), body, prop::collection::vec(contact, 1..12)).prop_map(|(a, b, contacts)| {
        let body = |(position, inverse_mass, moments, twist): (DVec3, f64, [f64; 3], Twist)| SolverBody {
            position,
            inverse_mass,
            inverse_inertia: DMat3::from_diagonal(DVec3::from(moments) * inverse_mass),
            twist,
            forced_change: [0.0; 6],
        };
        let contact = |(position, normal): (DVec3, DVec3)| SolverContact {
            a: BodyId::new(0),
            b: BodyId::new(1),
            position,
            normal: normal.normalize(),
            friction: [0.0; 3],
            restitution: 0.0,
            stabilisation: 0.0,
        };
        (vec![body(a), body(b)], contacts.into_iter().map(contact).collect())
    })
}

fn kinetic_energy(body: &SolverBody, change: &Twist) -> f64 {
    let u: Twist = std::array::from_fn(|i| body.twist[i] + change[i]);
    let spin = DVec3::new(u[3], u[4], u[5]);
    let linear = (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / body.inverse_mass;
    0.5 * (linear + spin.dot(body.inverse_inertia.inverse() * spin))
}

proptest! {
    #[test]
    fn frictionless_contact_without_bounce_adds_no_energy(
        (bodies, contacts) in collision(),
        iterations in 1..60usize,
    ) {
        let problem = ContactProblem::assemble(&bodies, &contacts).unwrap();
        let settings = SolverSettings { max_iterations: iterations, ..SolverSettings::default() };
        let solution = solve(&problem, &settings, &[]).unwrap();
        let changes = problem.twist_changes(&solution.impulses);
        let before: f64 = bodies.iter().map(|body| kinetic_energy(body, &[0.0; 6])).sum();
        let after: f64 = bodies.iter().zip(&changes).map(|(body, change)| kinetic_energy(body, change)).sum();
        prop_assert!(after <= before * (1.0 + 1e-12), "{after} > {before}");
    }

    #[test]
    fn the_same_problem_gives_the_same_bits((bodies, mut contacts) in collision(), mu in 0.0..1.0f64) {
        for contact in &mut contacts {
            contact.friction = [mu; 3];
        }
        let run = || {
            let problem = ContactProblem::assemble(&bodies, &contacts).unwrap();
            solve(&problem, &SolverSettings { max_iterations: 100, ..SolverSettings::default() }, &[]).unwrap()
        };
        let bits = |s: &Solution| -> Vec<u64> {
            s.impulses.iter().flatten().chain(&s.residuals).map(|x| x.to_bits()).collect()
        };
        prop_assert_eq!(bits(&run()), bits(&run()));
    }
}
