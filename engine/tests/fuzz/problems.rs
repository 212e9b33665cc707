//! Contact problems of any masses, normals and settings: what a solver returns is finite and pushes, and it returns the same again.

use drystone_engine::BodyId;
use drystone_engine::solver::{
    ContactProblem, FrictionModel, RFactor, Rollback, SolverBody, SolverContact, SolverSettings, SvdSettings, solve,
    solve_forces, svd,
};
use glam::{DMat3, DVec3};

use crate::random::Random;

fn body(random: &mut Random, masses: f64) -> SolverBody {
    let inverse_mass = if random.is(0.2) { 0.0 } else { random.power(-masses, masses) };
    let moments = DVec3::from_array([(); 3].map(|()| random.power(-2.0, 2.0))) * inverse_mass;
    let axes = DMat3::from_quat(random.rotation());
    let mut twist = [(); 6].map(|()| random.between(-10.0, 10.0));
    if random.is(0.005) {
        twist[random.below(6)] = random.hostile();
    }
    SolverBody {
        position: random.vector(1.0),
        inverse_mass,
        inverse_inertia: axes * DMat3::from_diagonal(moments) * axes.transpose(),
        twist,
        forced_change: [(); 6].map(|()| random.between(-0.1, 0.1)),
    }
}

fn contact(random: &mut Random, bodies: usize) -> SolverContact {
    let normal = if random.is(0.3) { DVec3::Y } else { random.vector(1.0) };
    let normal = if random.is(0.98) { normal.normalize_or(DVec3::X) } else { normal };
    let coefficient = random.one_of(&[0.0, 1.0, 1e-9, 1e9, 0.3]);
    SolverContact {
        a: BodyId::new(random.below(bodies) as u32),
        b: BodyId::new(random.below(bodies) as u32),
        position: random.vector(1.0),
        normal,
        friction: [coefficient, random.between(0.0, 1.0), random.between(0.0, 0.1)],
        restitution: random.between(0.0, 1.0),
        stabilisation: if random.is(0.3) { random.between(-1.0, 1.0) } else { 0.0 },
    }
}

fn settings(random: &mut Random) -> SolverSettings {
    let mut settings = SolverSettings {
        max_iterations: random.one_of(&[0, 1, 50, 1000]),
        friction: random.one_of(&[FrictionModel::Ball, FrictionModel::Ellipsoid, FrictionModel::Box]),
        rollback: random.one_of(&[Rollback::Corrected, Rollback::Best, Rollback::Conjugate]),
        r_factor: random.one_of(&[
            RFactor::GLOBAL,
            RFactor::LOCAL,
            RFactor::BLOCKED,
            RFactor::ADAPTIVE,
            RFactor::EXACT,
        ]),
        ..random.one_of(&[SolverSettings::CONVERGENT, SolverSettings::SIMULATION])
    };
    if random.is(0.02) {
        settings.absolute_tolerance = random.hostile();
    }
    settings
}

#[test]
fn solutions_of_any_problem_are_sound() {
    crate::run("problems", 1500, faults);
}

/// Impulses of one sweep, and forces of the SVD method, that were not finite.
#[test]
fn numbers_that_were_not_finite_are_refused() {
    for seed in [21332, 27357, 28662] {
        assert_eq!(faults(seed), Ok(()), "seed {seed}");
    }
}

/// What is wrong with the solutions of a random problem.
fn faults(seed: u64) -> Result<(), String> {
    let random = &mut Random::new(seed);
    let masses = random.one_of(&[1.0, 6.0, 12.0, 100.0]);
    let bodies: Vec<SolverBody> = (0..1 + random.below(8)).map(|_| body(random, masses)).collect();
    let contacts: Vec<SolverContact> = (0..random.below(24)).map(|_| contact(random, bodies.len())).collect();
    let touches = |c: &SolverContact| c.a != c.b && [c.a, c.b].iter().any(|i| bodies[i.index()].inverse_mass > 0.0);
    let contacts: Vec<SolverContact> = contacts.into_iter().filter(|c| touches(c) || random.is(0.01)).collect();
    let Ok(problem) = ContactProblem::assemble(&bodies, &contacts) else { return Ok(()) };
    let settings = settings(random);
    let start = if random.is(0.3) { vec![[1.0, 0.2, -0.3, 0.0]; contacts.len()] } else { Vec::new() };
    if let Ok(found) = solve(&problem, &settings, &start) {
        if !found.impulses.iter().flatten().all(|x| x.is_finite()) || !found.natural_residual.is_finite() {
            return Err(format!("impulses that are not finite by {settings:?}"));
        }
        if found.impulses.iter().any(|impulse| impulse[0] < 0.0) {
            return Err("a contact that pulls".into());
        }
        if solve(&problem, &settings, &start).as_ref() != Ok(&found) {
            return Err("not the same again".into());
        }
    }
    forces(random, &bodies, &problem)
}

/// The SVD force method: its numbers are finite whatever it says of them.
fn forces(random: &mut Random, bodies: &[SolverBody], problem: &ContactProblem) -> Result<(), String> {
    let all: Vec<svd::ForceBody> = bodies
        .iter()
        .map(|b| svd::ForceBody { inverse_mass: b.inverse_mass, inverse_inertia: b.inverse_inertia, free: b.twist })
        .collect();
    let contacts: Vec<svd::ForceContact> = (problem.contacts().iter())
        .map(|contact| svd::ForceContact {
            bodies: contact.bodies,
            jacobian: std::array::from_fn(|row| std::array::from_fn(|column| contact.jacobian[column][row])),
            bias: [contact.bias[0], contact.bias[1], contact.bias[2]],
            sliding: [random.between(-1.0, 1.0), random.between(-1.0, 1.0)],
            friction: [contact.friction[0], contact.friction[1]],
        })
        .collect();
    let found = format!("{:?}", solve_forces(&all, &contacts, svd::Level::Velocity, &SvdSettings::STEPS));
    if found.contains("NaN") || found.contains("inf") {
        return Err(format!("forces that are not finite: {:.300}", found));
    }
    Ok(())
}
