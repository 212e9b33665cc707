//! Limiting the motion of rigid bodies to what is free of impact.
//!
//! A body moves with constant velocities; its points run on helices. Over a piece of the motion every point is no farther
//! from the straight line between its two ends than r (1 − cos φ/2), r being its distance from the axis and φ ≤ 2π the
//! angle of the piece ([`motion`]). So two bodies whose *straight* motions stay apart by d and the deviations of both
//! stay apart by d, and the queries of [`drystone_contact::ccd`] decide about that ([`approach`]).

mod approach;
mod limit;
mod motion;
mod report;

pub(crate) use approach::{Approach, Outcome, near_contacts};
pub use limit::ImpactLimit;
pub(crate) use motion::{Motion, Moving, ROUNDING};
pub use report::ImpactReport;
