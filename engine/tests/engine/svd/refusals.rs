//! Input that is none, and systems with nothing to solve.

use super::workbench::{Bench, GROUND};
use drystone_engine::BodyId;
use drystone_engine::solver::svd::{ContactStatus, Level, SvdSettings, SvdStatus, solve_forces};
use drystone_engine::solver::{ContactSolver, SolverError};
use drystone_engine::{StepSettings, WorldSettings};
use glam::{DMat3, DVec3};

fn resting() -> Bench {
    let mut bench = Bench::new();
    let body = bench.cuboid(1.0, DVec3::ONE, DVec3::Z);
    bench.touch([GROUND, body], DVec3::ZERO, DVec3::Z, 0.5);
    bench
}

#[test]
fn nothing_to_solve() {
    for dense_columns in [0, 24] {
        let settings = SvdSettings { dense_columns, ..SvdSettings::default() };
        let found = solve_forces(&[], &[], Level::Velocity, &settings).unwrap();
        assert!(found.forces.is_empty() && found.report.status == SvdStatus::Exact);
        let mut bench = resting();
        bench.contacts.clear();
        assert_eq!(bench.solve_with(&settings).report.status, SvdStatus::Exact);
        // Parting bodies need no force.
        let mut bench = resting();
        bench.bodies[1].free = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        let found = bench.solve_with(&settings);
        assert_eq!((found.report.status, found.statuses[0]), (SvdStatus::Exact, ContactStatus::Inactive));
        assert_eq!(found.forces[0], [0.0; 3]);
        // Neither do bodies without weight.
        let mut bench = resting();
        bench.bodies[1].free = [0.0; 6];
        let found = bench.solve_with(&settings);
        assert_eq!((found.report.status, found.forces[0]), (SvdStatus::Exact, [0.0; 3]));
    }
}

/// A body that does not turn, whatever pushes it.
#[test]
fn a_body_without_rotation() {
    let mut bench = resting();
    bench.bodies[1].inverse_inertia = DMat3::ZERO;
    bench.bodies[1].free[4] = 0.3;
    for dense_columns in [0, 24] {
        let found = bench.solve_with(&SvdSettings { dense_columns, ..SvdSettings::default() });
        assert_eq!(found.report.status, SvdStatus::Exact, "{:?}", found.report);
        let motion = bench.accelerations(&found.forces);
        assert!(bench.relative(&motion)[0].iter().all(|a| a.abs() < 1e-12) && motion[1][4] == 0.3);
    }
}

#[test]
fn numbers_that_are_none() {
    type Spoil = fn(&mut Bench);
    let spoils: [Spoil; 8] = [
        |b| b.contacts[0].jacobian[1][7] = f64::NAN,
        |b| b.contacts[0].bias[0] = f64::INFINITY,
        |b| b.contacts[0].sliding[1] = f64::NAN,
        |b| b.contacts[0].friction[0] = -0.1,
        |b| b.contacts[0].friction[1] = f64::NAN,
        |b| b.bodies[1].free[3] = f64::NAN,
        |b| b.bodies[1].inverse_mass = -1.0,
        |b| b.bodies[1].inverse_inertia = DMat3::from_diagonal(DVec3::new(1.0, f64::NAN, 1.0)),
    ];
    for spoil in spoils {
        let mut bench = resting();
        spoil(&mut bench);
        let found = solve_forces(&bench.bodies, &bench.contacts, Level::Velocity, &SvdSettings::default());
        assert_eq!(found.unwrap_err(), SolverError::Rows { contact: 0 });
    }
}

#[test]
fn bodies_and_settings_that_are_none() {
    let solve = |bodies: [u32; 2], settings: SvdSettings| {
        let mut bench = resting();
        bench.bodies.push(bench.bodies[0]);
        bench.contacts[0].bodies = bodies.map(BodyId::new);
        solve_forces(&bench.bodies, &bench.contacts, Level::Velocity, &settings).unwrap_err()
    };
    let usual = SvdSettings::default();
    assert!(matches!(solve([0, 7], usual), SolverError::UnknownBody { contact: 0, count: 3, .. }));
    assert!(matches!(solve([1, 1], usual), SolverError::SameBody { contact: 0, .. }));
    assert!(matches!(solve([0, 2], usual), SolverError::Immovable { contact: 0, .. }));
    for settings in [
        SvdSettings { static_speed: -1.0, ..usual },
        SvdSettings { rank_tolerance: f64::NAN, ..usual },
        SvdSettings { motion_tolerance: f64::INFINITY, ..usual },
    ] {
        assert!(matches!(solve([0, 1], settings), SolverError::Setting { .. }));
    }
    assert_eq!(StepSettings::default().contact_solver, ContactSolver::ProximalGaussSeidel);
    assert_eq!(WorldSettings::gauss_seidel().step.contact_solver, ContactSolver::ProximalGaussSeidel);
    assert_eq!(WorldSettings::default(), WorldSettings::fast());
}
