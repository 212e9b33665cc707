//! The normals of the Pillar in "simulation step 3" (paper, section 8.1, table 7 and figure 21).
//!
//! The program behind the table wrote contacts out before each step, so that its step 3 shows those of the second.

use super::plan::{Plan, Study};
use super::run::Run;
use crate::builtin::BuiltIn;

/// Step 3 of the paper, counted as everywhere else here.
pub const STEP: usize = 2;

/// The minimal number of contacts of the Pillar (paper, figure 6), by which table 7 divides.
pub const MINIMUM: usize = 40;

/// One run a method.
pub fn runs(plan: &Plan) -> Vec<Run> {
    plan.runs(Study::PillarQuality, BuiltIn::Pillar, STEP)
}
