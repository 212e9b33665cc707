//! The proximal projected Gauss–Seidel method.
//!
//! A sweep visits the contacts in their order and brings each impulse to what its law asks for at the present velocity: z = λ_k
//! − R_k (Aλ + b)_k, then the normal impulse is the positive part of z_n, the friction impulse the projection of z's rest
//! onto what the new normal impulse allows. `r_factor` has the choices of R_k and updates that need none; `rollback` says
//! what follows a sweep that made things worse.
//!
//! What follows a bad sweep is a setting ([`Rollback`]); the iteration ends as soon as a sweep changes nothing; initial
//! impulses start with the velocities that belong to them.

use super::conjugate::ConjugateDirections;
use super::contact_operator::ContactOperator;
use super::friction::FrictionModel;
use super::global::GlobalReport;
use super::natural_map::{ResidualScale, natural_residual};
use super::r_factor::{LARGEST_SHARE, Measure, Order, RFactor, Updates};
use super::rollback::{Rollback, Watch};
use super::svd::SvdReport;
use super::{Impulse, SolverError};
use crate::interruption::Interruption;

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
    /// Whether [`Solution::natural_residuals`] is filled, at about half the cost of a sweep each.
    pub natural_history: bool,
}

impl SolverSettings {
    /// 1000 sweeps without tolerance that converge to the law itself, with the friction ball.
    pub const CONVERGENT: Self = Self {
        max_iterations: 1000,
        absolute_tolerance: 0.0,
        relative_tolerance: 0.0,
        r_factor: RFactor::Blocked { reduction: 0.7 },
        friction: FrictionModel::Ball,
        rollback: Rollback::Conjugate,
        natural_history: false,
    };

    /// For simulation: friction with its own torsional coefficient, at most 200 sweeps, which warm-started steps rarely need:
    /// they end where a sweep moves no impulse by 10⁻⁶ N s.
    pub const SIMULATION: Self =
        Self { max_iterations: 200, absolute_tolerance: 1e-6, friction: FrictionModel::Ellipsoid, ..Self::CONVERGENT };
}

impl Default for SolverSettings {
    /// As many sweeps as [`SolverSettings::CONVERGENT`], with local r-factors and the plain roll-back.
    fn default() -> Self {
        Self { r_factor: RFactor::LOCAL, rollback: Rollback::Corrected, ..Self::CONVERGENT }
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
    /// There were no sweeps: the [SVD force method](super::svd) or the [global method](super::global) found the impulses.
    Direct,
    /// The [soft step](crate::soft_step) made the sweeps that it was asked for.
    Substeps,
}

/// The impulses and how they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// One impulse for each contact, in the order of the contacts.
    pub impulses: Vec<Impulse>,
    /// The largest move of an impulse component in each sweep, divergent sweeps included. With [`Rollback::Best`] the move
    /// that unscaled factors would have made.
    pub residuals: Vec<f64>,
    /// The [`natural residual`](super::natural_residual) after each sweep, if it was asked for.
    pub natural_residuals: Vec<f64>,
    /// How many sweeps diverged.
    pub divergences: usize,
    /// Why the iteration ended.
    pub stop: Stop,
    /// How far the impulses are from solving the problem: the plain [`natural_residual`](super::natural_residual) with
    /// [`ResidualScale::Unit`]. It does not depend on the r-factors.
    pub natural_residual: f64,
    /// What the [SVD force method](super::svd) says, where it was asked.
    pub svd: Option<SvdReport>,
    /// What the [global method](super::global) says, where it was asked.
    pub global: Option<GlobalReport>,
}

/// Solves a contact problem from the initial impulses `start`: one for each contact, or none at all for
/// zero.
///
/// # Errors
/// [`SolverError::Setting`], [`SolverError::InitialImpulses`], [`SolverError::Unresponsive`], and
/// [`SolverError::NotFinite`] if the iteration runs away.
pub fn solve<P: ContactOperator>(
    problem: &P,
    settings: &SolverSettings,
    start: &[Impulse],
) -> Result<Solution, SolverError> {
    solve_unless(&Interruption::NEVER, problem, settings, start)
}

/// The same unless it is interrupted between two sweeps.
///
/// # Errors
/// As [`solve`]; [`SolverError::Interrupted`].
pub(crate) fn solve_unless<P: ContactOperator>(
    interruption: &Interruption,
    problem: &P,
    settings: &SolverSettings,
    start: &[Impulse],
) -> Result<Solution, SolverError> {
    check(settings)?;
    let count = problem.contact_count();
    let impulses = match start.len() {
        0 => vec![[0.0; 4]; count],
        n if n == count => start.to_vec(),
        given => {
            return Err(SolverError::InitialImpulses { expected: count, given });
        }
    };
    let updates = settings.r_factor.updates(problem, settings.friction)?;
    let state = State::<P> { motion: problem.motion(&impulses), impulses };
    let run = Run {
        interruption,
        problem,
        settings,
        updates,
        kept: State { impulses: state.impulses.clone(), motion: state.motion.clone() },
        state,
        residuals: Vec::new(),
        natural_residuals: Vec::new(),
        divergences: 0,
    };
    run.finish()
}

/// Impulses and what they do.
struct State<P: ContactOperator> {
    impulses: Vec<Impulse>,
    motion: P::Motion,
}

impl<P: ContactOperator> State<P> {
    fn copy_from(&mut self, other: &Self) {
        self.impulses.copy_from_slice(&other.impulses);
        self.motion.clone_from(&other.motion);
    }
}

/// A solution on its way.
struct Run<'a, P: ContactOperator> {
    interruption: &'a Interruption,
    problem: &'a P,
    settings: &'a SolverSettings,
    updates: Updates,
    state: State<P>,
    /// What a divergent sweep goes back to.
    kept: State<P>,
    residuals: Vec<f64>,
    natural_residuals: Vec<f64>,
    divergences: usize,
}

impl<P: ContactOperator> Run<'_, P> {
    fn finish(mut self) -> Result<Solution, SolverError> {
        let stop = match (self.problem.contact_count(), self.settings.rollback) {
            (0, _) => Stop::FixedPoint,
            (_, Rollback::Best | Rollback::Conjugate) => self.watch_the_residual()?,
            _ => self.watch_the_move()?,
        };
        let residual =
            |state: &State<P>, scale| natural_residual(self.problem, self.settings.friction, &state.impulses, scale);
        let best = match self.settings.rollback {
            Rollback::Best | Rollback::Conjugate => {
                let [last, kept] = [&self.state, &self.kept].map(|state| residual(state, ResidualScale::Contact));
                if kept < last { &self.kept } else { &self.state }
            }
            Rollback::Corrected => &self.state,
        };
        let natural_residual = residual(best, ResidualScale::Unit);
        let impulses = best.impulses.clone();
        if !(natural_residual.is_finite() && impulses.iter().flatten().all(|x| x.is_finite())) {
            return Err(SolverError::NotFinite { sweep: self.residuals.len() });
        }
        let Self { residuals, natural_residuals, divergences, .. } = self;
        Ok(Solution {
            impulses,
            residuals,
            natural_residuals,
            divergences,
            stop,
            natural_residual,
            svd: None,
            global: None,
        })
    }

    /// One sweep; its residual and whether that ends the iteration.
    fn sweep(&mut self, measure: Measure, order: Order, last: f64) -> Result<(f64, Option<Stop>), SolverError> {
        self.interruption.check()?;
        let State { impulses, motion } = &mut self.state;
        let residual = self.updates.sweep(self.problem, measure, order, impulses, motion);
        if !residual.is_finite() {
            return Err(SolverError::NotFinite { sweep: self.residuals.len() });
        }
        self.residuals.push(residual);
        if self.settings.natural_history {
            let SolverSettings { friction, .. } = *self.settings;
            let natural = natural_residual(self.problem, friction, &self.state.impulses, ResidualScale::Unit);
            self.natural_residuals.push(natural);
        }
        let stop = if residual == 0.0 {
            Some(Stop::FixedPoint)
        } else if residual < self.settings.absolute_tolerance {
            Some(Stop::AbsoluteTolerance)
        } else if (residual - last).abs() < self.settings.relative_tolerance * last {
            Some(Stop::RelativeTolerance)
        } else {
            None
        };
        Ok((residual, stop))
    }

    /// The plain rule.
    fn watch_the_move(&mut self) -> Result<Stop, SolverError> {
        let reduction = self.settings.r_factor.reduction();
        let stays = reduction == 1.0;
        let mut last_good = f64::INFINITY;
        for _ in 0..self.settings.max_iterations {
            let (residual, stop) = self.sweep(Measure::Move, Order::Forward, last_good)?;
            if let Some(stop) = stop {
                return Ok(stop);
            }
            let diverged = residual > last_good;
            self.divergences += usize::from(diverged);
            if diverged && !stays {
                self.updates.scale(reduction);
                self.state.copy_from(&self.kept);
            } else {
                if let RFactor::Adaptive { growth, stall, .. } = self.settings.r_factor
                    && residual > (1.0 - stall) * last_good
                {
                    let share = self.updates.share();
                    self.updates.scale(growth.min(LARGEST_SHARE / share));
                }
                last_good = residual;
                self.kept.copy_from(&self.state);
            }
        }
        Ok(Stop::IterationLimit)
    }

    /// The diagonal of A, by contacts.
    fn diagonal(&self) -> Vec<Impulse> {
        let entries = |block: [[f64; 4]; 4]| std::array::from_fn(|i| block[i][i]);
        (0..self.problem.contact_count()).map(|k| entries(self.problem.diagonal_block(k))).collect()
    }

    /// The rules that keep the best.
    fn watch_the_residual(&mut self) -> Result<Stop, SolverError> {
        let mut watch = Watch::new(self.settings.r_factor);
        let mut last = f64::INFINITY;
        let conjugate = self.settings.rollback == Rollback::Conjugate;
        let mut directions = conjugate.then(|| ConjugateDirections::new(self.diagonal()));
        // Conjugate directions need a symmetric step: each consists of a sweep forward and one backward.
        let mut order = Order::Forward;
        for number in 1..=self.settings.max_iterations {
            let share = self.updates.share();
            if let (Some(directions), Order::Forward) = (&mut directions, order) {
                directions.begin(&self.state.impulses);
            }
            let (residual, stop) = self.sweep(Measure::FullMove, order, last)?;
            if let Some(stop) = stop {
                return Ok(stop);
            }
            last = residual;
            let verdict = watch.judge(residual, share);
            if verdict.keep {
                self.kept.copy_from(&self.state);
            }
            if verdict.go_back {
                self.divergences += 1;
                self.state.copy_from(&self.kept);
            }
            if verdict.scale != 1.0 {
                self.updates.scale(verdict.scale);
            }
            if let Some(directions) = &mut directions {
                if verdict.go_back {
                    directions.restart();
                    order = Order::Forward;
                } else if order == Order::Forward {
                    order = Order::Backward;
                } else {
                    order = Order::Forward;
                    // The last impulses stay as they were swept, within the bounds of friction.
                    if number < self.settings.max_iterations && directions.advance(&mut self.state.impulses) {
                        self.state.motion = self.problem.motion(&self.state.impulses);
                    }
                }
            }
        }
        Ok(Stop::IterationLimit)
    }
}

pub(super) fn check(settings: &SolverSettings) -> Result<(), SolverError> {
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

#[cfg(test)]
mod tests;
