//! Normals and contact areas of Wall and Arch (paper, sections 8.2 and 8.3, figures 24, 25, 27 and 28).
//!
//! The paper shows closest points and most opposing; here all methods run.

use super::pillar_quality::STEP;
use super::plan::{Plan, Study};
use super::run::Run;
use crate::builtin::BuiltIn;

/// One run a method in one of the two scenes.
pub fn runs(study: Study, scene: BuiltIn, plan: &Plan) -> Vec<Run> {
    plan.runs(study, scene, STEP)
}
