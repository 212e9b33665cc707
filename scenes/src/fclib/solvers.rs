//! The solvers that are compared, by names.

use std::fmt;
use std::str::FromStr;

use drystone_contact::generator::UnknownName;
use drystone_contact::named::by_name;
use drystone_engine::solver::{RFactor, Rollback, SolverError, SolverSettings, solve};

use super::nsgs::{LocalSolver, nsgs};
use super::problem::FclibProblem;

/// A way to solve a problem in the local form. Methods that need the bodies behind W (the SVD force method, the global solver) are not
/// among them: W does not tell the bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BenchSolver {
    name: &'static str,
    method: Method,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    /// Proximal projected Gauss–Seidel, as the engine has it.
    Proximal(RFactor, Rollback),
    /// The method that it is compared with.
    Nsgs(LocalSolver),
}

/// As [`SolverSettings::CONVERGENT`] has it.
const BLOCKED: RFactor = SolverSettings::CONVERGENT.r_factor;

const fn ours(name: &'static str, r_factor: RFactor, rollback: Rollback) -> BenchSolver {
    BenchSolver { name, method: Method::Proximal(r_factor, rollback) }
}

impl BenchSolver {
    /// All of them: every strategy of the engine with every rule of roll-back, then those for comparison.
    pub const ALL: [Self; 17] = [
        ours("global-corrected", RFactor::GLOBAL, Rollback::Corrected),
        ours("global-best", RFactor::GLOBAL, Rollback::Best),
        ours("global-conjugate", RFactor::GLOBAL, Rollback::Conjugate),
        ours("local-corrected", RFactor::LOCAL, Rollback::Corrected),
        ours("local-best", RFactor::LOCAL, Rollback::Best),
        ours("local-conjugate", RFactor::LOCAL, Rollback::Conjugate),
        ours("blocked-corrected", BLOCKED, Rollback::Corrected),
        ours("blocked-best", BLOCKED, Rollback::Best),
        ours("blocked-conjugate", BLOCKED, Rollback::Conjugate),
        ours("adaptive-corrected", RFactor::ADAPTIVE, Rollback::Corrected),
        ours("adaptive-best", RFactor::ADAPTIVE, Rollback::Best),
        ours("adaptive-conjugate", RFactor::ADAPTIVE, Rollback::Conjugate),
        ours("exact-corrected", RFactor::EXACT, Rollback::Corrected),
        ours("exact-best", RFactor::EXACT, Rollback::Best),
        ours("exact-conjugate", RFactor::EXACT, Rollback::Conjugate),
        Self { name: "nsgs-projection", method: Method::Nsgs(LocalSolver::Projection) },
        Self { name: "nsgs-exact", method: Method::Nsgs(LocalSolver::Exact) },
    ];

    /// The name on the command line and in results.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The impulses after a number of sweeps from zero (fewer, where a sweep changes nothing any more).
    ///
    /// # Errors
    /// Those of [`solve`]: the impulses stop being finite.
    pub fn run(&self, problem: &FclibProblem, sweeps: usize) -> Result<Vec<[f64; 3]>, SolverError> {
        match self.method {
            Method::Proximal(r_factor, rollback) => {
                let settings =
                    SolverSettings { max_iterations: sweeps, r_factor, rollback, ..SolverSettings::CONVERGENT };
                let solution = solve(problem, &settings, &[])?;
                Ok(solution.impulses.into_iter().map(|[n, s, t, _]| [n, s, t]).collect())
            }
            Method::Nsgs(local) => nsgs(problem, local, sweeps).ok_or(SolverError::NotFinite { sweep: sweeps }),
        }
    }
}

impl fmt::Display for BenchSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

impl FromStr for BenchSolver {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        by_name("solver", name, &Self::ALL, Self::name)
    }
}

#[cfg(test)]
mod tests;
