//! The normals of the Pillar with finer meshes (paper, section 8.6, figure 32).
//!
//! Differs from the paper in: it has TetGen make finer meshes, with splitting of the boundary and bounds on quality and
//! volume that paper, configuration and code give in three ways; here every tetrahedron is split into eight, none to two
//! times, which needs no other program and splits the boundary too.

use super::pillar_quality::STEP;
use super::plan::{Plan, Study};
use super::run::Run;
use crate::builtin::BuiltIn;

/// How often every tetrahedron is split into eight.
pub const LEVELS: [usize; 3] = [0, 1, 2];

/// A run for each method and level.
pub fn runs(plan: &Plan) -> Vec<Run> {
    let of_method = |run: Run| LEVELS.into_iter().map(move |level| Run { level: Some(level), ..run.clone() });
    plan.runs(Study::Refinement, BuiltIn::Pillar, STEP).into_iter().flat_map(of_method).collect()
}
