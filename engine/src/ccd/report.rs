//! What continuous collision detection did in a step.

use crate::body::BodyId;

/// What continuous collision detection did in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct CcdReport {
    /// In how many substeps the step was made: 1 if nothing more had to be solved after the first time.
    pub substeps: usize,
    /// The first time of impact, as a fraction of the step; 1 if there was no impact.
    pub time_of_impact: f64,
    /// The bodies of that impact.
    pub pair: Option<(BodyId, BodyId)>,
    /// By how much time the world went on, s: the time step, or less if the substeps were used up or led nowhere. Forces
    /// act for all of the time step nevertheless.
    pub advanced: f64,
    /// Whether the step ended before its time was over. Where next to no time has gone by the bodies are jammed, for example
    /// between kinematic bodies that close on them; no body keeps then more kinetic energy than it had before the step, or
    /// than [`super::CcdSettings::parting_speed`] gives it.
    pub is_cut_short: bool,
    /// Pairs whose shapes met at the start of the step: their motion against each other was free in all of it.
    pub overlapping: Vec<(BodyId, BodyId)>,
    /// How many contacts were added between features that stopped the motion but that the generator reports none for.
    pub added_contacts: usize,
}
