//! Contact problems of FCLIB, the collection of frictional contact problems (V. Acary and others), and solvers beside each other on them.
//!
//! A problem is u = W r + q with r_n ≥ 0 perpendicular to u_n ≥ 0 and friction within μ r_n that opposes sliding, three rows a contact,
//! normal first. Files state it so (local form) or by bodies, M v = H r + f and u = Hᵀ v + w (global form), which becomes the local
//! one with W = Hᵀ M⁻¹ H and q = Hᵀ M⁻¹ f + w. [`read`] reads both; [`measure`](benchmark::measure) looks how long a
//! [`BenchSolver`] takes, [`profiles`](profile::profiles) compares them over many problems.

pub mod benchmark;
mod error;
mod file;
mod mass;
mod matrix;
mod nsgs;
mod problem;
pub mod profile;
mod residual;
mod solvers;

pub use error::{FclibError, FclibFault};
pub use file::{parse, read};
pub use nsgs::{LocalSolver, nsgs};
pub use problem::{FclibContact, FclibProblem};
pub use residual::{Residual, residual};
pub use solvers::BenchSolver;
