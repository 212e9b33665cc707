//! The published solver: projected Gauss–Seidel sweeps with one r-factor a row, and what follows a divergent sweep.
//!
//! A sweep moves the impulses of each contact by −R u, with u the present velocity and R one over the row's diagonal entry,
//! and projects them onto what friction allows. A sweep that moves an impulse component further than the last good one did
//! diverges: the factors shrink by [`REDUCTION`] and the impulses go back, but the velocities that belong to them do not,
//! and stay off by the discarded change. A thousand sweeps do not converge, so that the order of every sum shows in the
//! figures. [`drystone_engine::solver`] has the rules that do converge.

use drystone_contact::precision::Vector;
use drystone_engine::solver::{
    ContactProblem, FrictionModel, Solution, SolverBody, SolverContact, SolverError, Stop, Twist,
};
use num_traits::{Float, Zero};

use super::arithmetic::Arithmetic;
use super::problem::{Impulse, Motion, Problem};

/// What r-factors shrink by when a sweep diverges.
const REDUCTION: f64 = 0.9;

/// The impulses at the contacts after at most `sweeps` sweeps from zero, and the change of each body's twist by them,
/// computed in the precision of `V`.
///
/// # Errors
/// [`SolverError`]: contacts that lead to no problem, or impulses that grow without bound.
pub fn solve<V: Arithmetic>(
    bodies: &[SolverBody],
    contacts: &[SolverContact],
    friction: FrictionModel,
    sweeps: usize,
) -> Result<(Solution, Vec<Twist>), SolverError> {
    // What can be wrong with a problem is known there.
    ContactProblem::assemble(bodies, contacts)?;
    let problem = Problem::<V>::new(bodies, contacts);
    let zero = vec![[V::Real::zero(); 4]; problem.len()];
    let mut factors = (0..problem.len()).map(|k| r_factors(&problem, k)).collect::<Result<Vec<_>, _>>()?;
    let (mut impulses, mut kept) = (zero.clone(), zero);
    let mut motion = problem.motion(&impulses);
    let (mut residuals, mut divergences, mut last_good) = (Vec::with_capacity(sweeps), 0, f64::INFINITY);
    let mut stop = if problem.len() == 0 { Stop::FixedPoint } else { Stop::IterationLimit };
    while stop == Stop::IterationLimit && residuals.len() < sweeps {
        let moved: f64 = sweep(&problem, &factors, friction, &mut impulses, &mut motion).into();
        if !moved.is_finite() {
            return Err(SolverError::NotFinite { sweep: residuals.len() });
        }
        residuals.push(moved);
        if moved == 0.0 {
            stop = Stop::FixedPoint;
        } else if moved > last_good {
            divergences += 1;
            factors.iter_mut().flatten().for_each(|r| *r = *r * V::real(REDUCTION));
            impulses.copy_from_slice(&kept);
        } else {
            last_good = moved;
            kept.copy_from_slice(&impulses);
        }
    }
    let natural_residual = natural_residual(&problem, friction, &impulses);
    let changes = problem.motion(&impulses).iter().map(|twist| twist.map(Into::into)).collect();
    let impulses = impulses.iter().map(|impulse| impulse.map(Into::into)).collect();
    let natural_residuals = Vec::new();
    Ok((
        Solution {
            impulses,
            residuals,
            natural_residuals,
            divergences,
            stop,
            natural_residual,
            svd: None,
            global: None,
        },
        changes,
    ))
}

/// One over the diagonal entry of each row.
fn r_factors<V: Arithmetic>(problem: &Problem<V>, contact: usize) -> Result<[V::Real; 4], SolverError> {
    let factors = problem.diagonal(contact).map(V::Real::recip);
    let usable = factors.iter().all(|r| r.is_finite() && *r > V::Real::zero());
    if usable { Ok(factors) } else { Err(SolverError::Unresponsive { contact }) }
}

/// One visit of all contacts; the largest move of an impulse component.
fn sweep<V: Arithmetic>(
    problem: &Problem<V>,
    factors: &[[V::Real; 4]],
    friction: FrictionModel,
    impulses: &mut [Impulse<V::Real>],
    motion: &mut Motion<V>,
) -> V::Real {
    let mut largest = V::Real::zero();
    for (contact, (r, impulse)) in factors.iter().zip(impulses).enumerate() {
        let u = problem.velocity(contact, motion);
        let z = std::array::from_fn(|i| impulse[i] - r[i] * u[i]);
        let next = allowed::<V>(z, problem.friction(contact), friction);
        let step: Impulse<V::Real> = std::array::from_fn(|i| next[i] - impulse[i]);
        *impulse = next;
        problem.push(contact, &step, motion);
        for x in step.map(V::Real::abs) {
            // A comparison, so that a number that is not one stays visible.
            largest = if x > largest || x.is_nan() { x } else { largest };
        }
    }
    largest
}

/// The largest component of λ − prox(λ − (Aλ + b)), N s (N m s for torsion).
fn natural_residual<V: Arithmetic>(problem: &Problem<V>, model: FrictionModel, impulses: &[Impulse<V::Real>]) -> f64 {
    let motion = problem.motion(impulses);
    let mut largest = V::Real::zero();
    for (contact, impulse) in impulses.iter().enumerate() {
        let u = problem.velocity(contact, &motion);
        let z = std::array::from_fn(|i| impulse[i] - u[i]);
        for (x, y) in impulse.iter().zip(allowed::<V>(z, problem.friction(contact), model)) {
            let distance = (*x - y).abs();
            largest = if distance <= largest { largest } else { distance };
        }
    }
    largest.into()
}

/// The normal impulse first; friction within what it allows.
fn allowed<V: Vector>(z: [V::Real; 4], mu: [V::Real; 3], model: FrictionModel) -> Impulse<V::Real> {
    let zero = V::Real::zero();
    let normal = if z[0] <= zero { zero } else { z[0] };
    let [s, t, torsion] = match model {
        _ if normal <= zero => [zero; 3],
        FrictionModel::Ball => onto_ball([z[1], z[2], z[3]], mu[0] * normal),
        // Nothing that was published hangs on the last bits of these.
        FrictionModel::Ellipsoid | FrictionModel::Box => {
            model.project([z[1], z[2], z[3]].map(Into::into), mu.map(Into::into), normal.into()).map(V::real)
        }
    };
    [normal, s, t, torsion]
}

fn onto_ball<R: Float>(z: [R; 3], radius: R) -> [R; 3] {
    let squared = z[0] * z[0] + z[1] * z[1] + z[2] * z[2];
    if squared <= radius * radius {
        return z;
    }
    let scale = radius / squared.sqrt();
    z.map(|x| x * scale)
}
