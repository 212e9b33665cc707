//! The proximal projected Gauss–Seidel method.
//!
//! A sweep visits the contacts in their order: z = λ_k − R_k (J_k w + b_k) with w = M⁻¹Jᵀλ of the newest impulses, then the
//! normal impulse is the positive part of z_n, the friction impulse the projection of z's rest onto what the new normal
//! impulse allows, and w follows. A sweep counts as divergent if it moves the impulses further (largest component)
//! than the last good sweep did; then the r-factors shrink by ν and the impulses go back.
//!
//! Differs from the published program in: what goes back is a setting ([`Rollback`]); the iteration ends as soon as a sweep
//! changes nothing; initial impulses start with the velocities that belong to them.

use super::contact_problem::ContactProblem;
use super::friction::FrictionModel;
use super::r_factor::{RBlock, RFactor};
use super::{Impulse, SolverError, Twist, narrow, widen};
use drystone_contact::precision::Vector;
use num_traits::Float;

/// What goes back when a sweep diverges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rollback {
    /// The impulses go back, but the velocities w that belong to them do not, and stay off by the discarded change: what
    /// the published program does.
    Published,
    /// Impulses and velocities both go back. With a reduction ν of one the next sweep would only repeat the divergent
    /// one, so nothing goes back then.
    #[default]
    Corrected,
}

/// How a contact problem is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverSettings {
    /// Sweeps at most; at least one.
    pub max_iterations: usize,
    /// Stop when no impulse component moves by this much in a sweep (N s; N m s for torsion). Zero never stops.
    pub absolute_tolerance: f64,
    /// Stop when the largest move changes by less than this share from one good sweep to the next. Zero never stops.
    pub relative_tolerance: f64,
    /// How the r-factors are chosen.
    pub r_factor: RFactor,
    /// Which friction impulses are allowed.
    pub friction: FrictionModel,
    /// What goes back when a sweep diverges.
    pub rollback: Rollback,
}

impl Default for SolverSettings {
    /// The settings of the assessment suite, with the corrected roll-back: 1000 sweeps, no tolerance, local r-factors,
    /// friction ball.
    fn default() -> Self {
        Self {
            max_iterations: 1000,
            absolute_tolerance: 0.0,
            relative_tolerance: 0.0,
            r_factor: RFactor::LOCAL,
            friction: FrictionModel::Ball,
            rollback: Rollback::Corrected,
        }
    }
}

/// Why the iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A sweep changed no bit of the impulses (or there was no contact), so that no later one will.
    FixedPoint,
    /// The absolute tolerance was met.
    AbsoluteTolerance,
    /// The relative tolerance was met.
    RelativeTolerance,
    /// The number of sweeps was used up.
    IterationLimit,
}

/// The impulses and how they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// One impulse for each contact, in the order of the contacts.
    pub impulses: Vec<Impulse>,
    /// The largest move of an impulse component in each sweep, divergent sweeps included.
    pub residuals: Vec<f64>,
    /// How many sweeps diverged.
    pub divergences: usize,
    /// Why the iteration ended.
    pub stop: Stop,
    /// How far the impulses are from solving the problem; see [`natural_residual`]. Unlike the residuals it does not get
    /// small because the r-factors do.
    pub natural_residual: f64,
}

/// Solves a contact problem in its precision from the initial impulses `start`: one for each contact, or none at all for
/// zero.
///
/// # Errors
/// [`SolverError::Setting`], [`SolverError::InitialImpulses`], [`SolverError::SingularBlock`], and
/// [`SolverError::NotFinite`] if the iteration runs away.
pub fn solve<V: Vector>(
    problem: &ContactProblem<V>,
    settings: &SolverSettings,
    start: &[Impulse],
) -> Result<Solution, SolverError> {
    check(settings)?;
    let count = problem.contacts().len();
    let mut accepted = match start.len() {
        0 => vec![[V::real(0.0); 4]; count],
        n if n == count => start.iter().map(narrow::<V, 4>).collect(),
        given => {
            return Err(SolverError::InitialImpulses { expected: count, given });
        }
    };
    let mut factors = settings.r_factor.blocks(problem)?;
    let reduction = settings.r_factor.reduction();
    let stays = settings.rollback == Rollback::Corrected && reduction == 1.0;
    let mut impulses = accepted.clone();
    let mut changes = problem.changes_by(start);
    let mut accepted_changes = changes.clone();
    let mut last_good = f64::INFINITY;
    let mut residuals = Vec::with_capacity(settings.max_iterations);
    let mut divergences = 0;
    let (mut stop, sweeps) = match count {
        0 => (Stop::FixedPoint, 0),
        _ => (Stop::IterationLimit, settings.max_iterations),
    };

    for number in 0..sweeps {
        sweep(problem, &factors, settings.friction, &mut impulses, &mut changes);
        let residual: f64 = largest_difference(&accepted, &impulses).into();
        if !residual.is_finite() {
            return Err(SolverError::NotFinite { sweep: number });
        }
        residuals.push(residual);
        if residual == 0.0 {
            stop = Stop::FixedPoint;
            break;
        }
        if residual < settings.absolute_tolerance {
            stop = Stop::AbsoluteTolerance;
            break;
        }
        if (residual - last_good).abs() < settings.relative_tolerance * last_good {
            stop = Stop::RelativeTolerance;
            break;
        }
        let diverged = residual > last_good;
        divergences += usize::from(diverged);
        if diverged && !stays {
            factors.iter_mut().for_each(|factor| *factor = factor.scaled(V::real(reduction)));
            impulses.copy_from_slice(&accepted);
            if settings.rollback == Rollback::Corrected {
                changes.copy_from_slice(&accepted_changes);
            }
        } else {
            last_good = residual;
            accepted.copy_from_slice(&impulses);
            accepted_changes.copy_from_slice(&changes);
        }
    }
    let impulses: Vec<Impulse> = impulses.iter().map(widen).collect();
    let natural_residual = natural_residual(problem, settings.friction, &impulses);
    Ok(Solution { impulses, residuals, divergences, stop, natural_residual })
}

/// How far impulses are from solving the problem: the largest component of λ − prox_C(λ − R(Aλ + b)), with R one over the
/// diagonal of A whatever the r-factors of the solver (N s; N m s for torsion). Zero if and only if λ solves it.
pub fn natural_residual<V: Vector>(problem: &ContactProblem<V>, friction: FrictionModel, impulses: &[Impulse]) -> f64 {
    let changes = problem.changes_by(impulses);
    let mut largest = V::real(0.0);
    for (rows, impulse) in problem.contacts().iter().zip(impulses) {
        let impulse = narrow::<V, 4>(impulse);
        let velocity = rows.relative_velocity(&changes);
        let block = rows.diagonal_block();
        let z: [V::Real; 4] = std::array::from_fn(|i| impulse[i] - (velocity[i] + rows.bias[i]) / block[i][i]);
        let nearest = proximal_point(z, rows.friction, friction);
        for (x, y) in impulse.into_iter().zip(nearest) {
            largest = largest.max((x - y).abs());
        }
    }
    largest.into()
}

fn check(settings: &SolverSettings) -> Result<(), SolverError> {
    let refuse = |setting, value, allowed| Err(SolverError::Setting { setting, value, allowed });
    if settings.max_iterations == 0 {
        return refuse("the number of iterations", 0.0, "it must be at least 1");
    }
    let tolerances = [
        ("the absolute tolerance", settings.absolute_tolerance),
        ("the relative tolerance", settings.relative_tolerance),
    ];
    for (setting, value) in tolerances {
        if !(value.is_finite() && value >= 0.0) {
            return refuse(setting, value, "it must be finite and not negative");
        }
    }
    Ok(())
}

/// The normal impulse first; friction within what it allows.
#[inline]
fn proximal_point<R: Float>(z: [R; 4], friction: [R; 3], model: FrictionModel) -> Impulse<R> {
    // A comparison, so that a number that is not one stays visible.
    let normal = if z[0] <= R::zero() { R::zero() } else { z[0] };
    let [s, t, torsion] = model.project([z[1], z[2], z[3]], friction, normal);
    [normal, s, t, torsion]
}

/// One sweep over all contacts; `changes` is M⁻¹Jᵀ of `impulses` and follows it.
fn sweep<V: Vector>(
    problem: &ContactProblem<V>,
    factors: &[RBlock<V>],
    model: FrictionModel,
    impulses: &mut [Impulse<V::Real>],
    changes: &mut [Twist<V::Real>],
) {
    for ((rows, factor), impulse) in problem.contacts().iter().zip(factors).zip(impulses) {
        let gained = rows.relative_velocity(changes);
        let velocity: [V::Real; 4] = std::array::from_fn(|i| gained[i] + rows.bias[i]);
        let [n, s, t, torsion] = velocity;
        let slide = factor.friction.times(V::from_coordinates(s, t, torsion)).coordinates();
        let z = [impulse[0] - factor.normal * n, impulse[1] - slide[0], impulse[2] - slide[1], impulse[3] - slide[2]];
        let next = proximal_point(z, rows.friction, model);
        let step: Impulse<V::Real> = std::array::from_fn(|i| next[i] - impulse[i]);
        *impulse = next;
        rows.push(&step, changes);
    }
}

/// The largest difference of a component; not a number if there is one.
fn largest_difference<R: Float>(x: &[Impulse<R>], y: &[Impulse<R>]) -> R {
    let differences = x.iter().flatten().zip(y.iter().flatten()).map(|(x, y)| (*x - *y).abs());
    differences.fold(R::zero(), |largest, d| if d > largest || d.is_nan() { d } else { largest })
}

#[cfg(test)]
mod tests;
