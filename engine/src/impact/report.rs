//! What limiting the motion did in a step.

use crate::body::BodyId;

/// What limiting the motion did in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactReport {
    /// In how many parts the step was made: 1 if nothing more had to be solved after the first time.
    pub parts: usize,
    /// When the first impact would have been, as a fraction of the step; 1 if there was none.
    pub fraction: f64,
    /// The bodies of that impact.
    pub pair: Option<(BodyId, BodyId)>,
    /// By how much time the world went on, s: the time step, or less if the parts were used up or led nowhere. Forces
    /// act for all of the time step nevertheless.
    pub advanced: f64,
    /// Pairs whose shapes met at the start of the step: they were not limited against each other in all of it.
    pub overlapping: Vec<(BodyId, BodyId)>,
    /// How many contacts were added between features that hindered the motion but that the generator reports none for.
    pub added_contacts: usize,
}
