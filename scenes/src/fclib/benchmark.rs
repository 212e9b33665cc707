//! How long a solver takes for a problem.
//!
//! A solver is asked for the fewest sweeps whose impulses reach the tolerance: for 1, 2, 4, … sweeps until they do, then halving between. A run
//! with that many sweeps, which looks at no residual on its way, is what is timed.

use std::time::Instant;

use drystone_engine::solver::SolverError;
use serde::Serialize;

use super::problem::FclibProblem;
use super::residual::{Residual, residual};
use super::solvers::BenchSolver;

/// What is asked of every solver.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BenchSettings {
    /// [`Residual::relative`] may be this at most.
    pub tolerance: f64,
    /// Sweeps at most; at least one.
    pub max_sweeps: usize,
    /// Runs that are timed, of which the fastest counts; at least one.
    pub repeats: usize,
}

/// What came of a solver on a problem.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measurement {
    /// Whether the tolerance was reached.
    pub reached: bool,
    /// The fewest sweeps that reach it; else the most that were made.
    pub sweeps: usize,
    /// The fastest run with these sweeps, s.
    pub seconds: f64,
    /// [`Residual::relative`] after them; none if the solver failed.
    pub residual: Option<f64>,
    /// [`Residual::merit`] after them.
    pub merit: Option<f64>,
    /// Why the solver failed.
    pub failure: Option<String>,
}

/// Measures a solver; `None` if `goes_on` said no between two runs.
pub fn measure(
    problem: &FclibProblem,
    solver: &BenchSolver,
    settings: &BenchSettings,
    goes_on: impl Fn() -> bool,
) -> Option<Measurement> {
    let look = |sweeps: usize| -> Option<Result<Residual, SolverError>> {
        goes_on().then(|| solver.run(problem, sweeps).map(|impulses| residual(problem, &impulses)))
    };
    let reaches = |found: &Result<Residual, SolverError>| {
        found.as_ref().is_ok_and(|residual| residual.relative <= settings.tolerance)
    };
    let (mut below, mut sweeps) = (0, 1);
    let mut found = look(sweeps)?;
    while !reaches(&found) && sweeps < settings.max_sweeps {
        below = sweeps;
        sweeps = (2 * sweeps).min(settings.max_sweeps);
        found = look(sweeps)?;
    }
    let reached = reaches(&found);
    while reached && sweeps - below > 1 {
        let middle = below + (sweeps - below) / 2;
        let between = look(middle)?;
        if reaches(&between) {
            (sweeps, found) = (middle, between);
        } else {
            below = middle;
        }
    }
    let mut seconds = f64::INFINITY;
    for _ in 0..settings.repeats {
        if !goes_on() {
            return None;
        }
        let start = Instant::now();
        let _ = std::hint::black_box(solver.run(std::hint::black_box(problem), sweeps));
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    let (residual, failure) = match found {
        Ok(residual) => (Some(residual), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let [relative, merit] = [residual.map(|r| r.relative), residual.map(|r| r.merit)];
    Some(Measurement { reached, sweeps, seconds, residual: relative, merit, failure })
}
