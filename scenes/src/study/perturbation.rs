//! The normals of the Pillar when every stone is shifted a little in x and z (paper, section 8.5, figure 30).
//!
//! Differs from the paper in: it says "x and y", but up is y and its program shifts along x and z; it shows one shift of
//! each magnitude, here several seeds make a mean and a spread; it shows three methods, here all run.

use super::pillar_quality::STEP;
use super::plan::{Plan, Study};
use super::run::Run;
use crate::builtin::BuiltIn;

/// Largest shifts along each axis, m.
pub const MAGNITUDES: [f64; 3] = [0.01, 0.02, 0.03];

/// How many shifts of each magnitude are tried.
pub const SEEDS: u64 = 5;

/// A run a method without noise, and one for each magnitude and seed.
pub fn runs(plan: &Plan) -> Vec<Run> {
    let of_method = |run: Run| {
        let still = Run { noise: Some(0.0), seed: Some(plan.seed), ..run.clone() };
        let shaken = MAGNITUDES.into_iter().flat_map(move |noise| {
            let run = run.clone();
            (0..SEEDS).map(move |k| Run { noise: Some(noise), seed: Some(plan.seed.wrapping_add(k)), ..run.clone() })
        });
        [still].into_iter().chain(shaken)
    };
    plan.runs(Study::Perturbation, BuiltIn::Pillar, STEP).into_iter().flat_map(of_method).collect()
}
