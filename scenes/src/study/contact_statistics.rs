//! How many contacts the Pillar has in each of its first 500 steps (paper, section 8.1, table 6 and figure 22).

use super::plan::{Plan, Study};
use super::run::Run;
use crate::builtin::BuiltIn;

/// As many as in table 6.
pub const STEPS: usize = 500;

/// One run a method.
pub fn runs(plan: &Plan) -> Vec<Run> {
    plan.runs(Study::ContactStatistics, BuiltIn::Pillar, STEPS)
}
