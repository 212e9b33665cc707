//! The normals of the Pillar after time steps of other lengths, in "simulation step 4" (paper, section 8.7, figure 34).

use super::plan::{Plan, Study};
use super::run::Run;
use crate::builtin::BuiltIn;

/// Lengths of the time step, s.
pub const TIME_STEPS: [f64; 3] = [0.001, 0.01, 0.1];

/// Step 4 of the paper, counted as everywhere else here.
pub const STEP: usize = 3;

/// A run for each method and length.
pub fn runs(plan: &Plan) -> Vec<Run> {
    let of_method = |run: Run| TIME_STEPS.into_iter().map(move |dt| Run { time_step: Some(dt), ..run.clone() });
    plan.runs(Study::TimeStep, BuiltIn::Pillar, STEP).into_iter().flat_map(of_method).collect()
}
