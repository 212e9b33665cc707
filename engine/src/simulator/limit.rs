//! Limits that a step has hit: where a report is not all that was asked for.

use crate::world::WorldReport;
use std::fmt;

/// A limit that a step has hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// An island's iteration ended at its limit.
    Iterations,
    /// The iteration of a position correction ended at its limit.
    PositionIterations,
    /// Iterations diverged and were taken back.
    Divergence,
    /// Speculative contacts were still missing when the step was solved for the last time.
    Speculative,
    /// The step ended early: continuous collision detection used up its substeps, or no body could move.
    Substeps,
    /// The step ended early: it had too many events.
    Events,
    /// Forces of an event-driven simulator were left to the iterative solver, or satisfy no law of contact.
    InexactForces,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Iterations => "the limit of sweeps",
            Self::PositionIterations => "the limit of sweeps of post-stabilisation",
            Self::Divergence => "sweeps that diverged and were taken back",
            Self::Speculative => "the limit of solves for speculative contacts",
            Self::Substeps => "the limit of substeps, or bodies that are jammed",
            Self::Events => "the limit of events",
            Self::InexactForces => "forces left to the iterative solver",
        })
    }
}

impl WorldReport {
    /// The limits that the step has hit, in a fixed order.
    pub fn limits(&self) -> Vec<Limit> {
        let events = self.backtracking.as_ref();
        let is_inexact = |statuses: &super::backtracking::StatusCounts| statuses.fallback + statuses.inconsistent > 0;
        let all = [
            (Limit::Iterations, self.counts.iteration_limits > 0),
            (Limit::PositionIterations, self.counts.position_iteration_limits > 0),
            (Limit::Divergence, self.islands.iter().any(|island| island.divergences > 0)),
            (Limit::Speculative, self.counts.speculative_limits > 0),
            (Limit::Substeps, self.ccd.as_ref().is_some_and(|ccd| ccd.is_cut_short)),
            (Limit::Events, events.is_some_and(|report| report.unfinished > 0.0)),
            (Limit::InexactForces, events.is_some_and(|report| is_inexact(&report.work.statuses))),
        ];
        all.into_iter().filter(|(_, is_hit)| *is_hit).map(|(limit, _)| limit).collect()
    }
}
