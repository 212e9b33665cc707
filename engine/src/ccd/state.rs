//! What continuous collision detection knows in the course of a step.

use super::{CcdReport, CcdSettings};
use crate::body::BodyId;
use std::collections::{BTreeMap, BTreeSet};

/// A motion that ends before this share of the time step is over was stopped at once.
const STALL: f64 = 1e-3;

/// After so many substeps without any motion a step is given up.
const MOST_STALLS: usize = 16;

/// The indices of two bodies, the lower one first.
pub(crate) type Pair = (usize, usize);

/// How far all bodies can move together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FirstImpact {
    /// The first time of impact, as a fraction of the motion; 1 without impact.
    pub time: f64,
    /// The pairs that stop the motion then, in ascending order.
    pub pairs: Vec<Pair>,
}

impl FirstImpact {
    /// No impact: the whole motion.
    pub const NONE: Self = Self { time: 1.0, pairs: Vec::new() };
}

/// What is known of the impacts of a step.
#[derive(Clone, Debug)]
pub(crate) struct CcdState {
    pub settings: CcdSettings,
    /// Pairs that meet at the start of the step, whose motion is free; `None` before it was looked.
    pub overlapping: Option<BTreeSet<Pair>>,
    /// Pairs that stopped the motion at once: they get contacts from their own features.
    pub stalling: BTreeSet<Pair>,
    /// How many such contacts were added.
    pub added_contacts: usize,
    /// How often pairs have stopped the motion.
    impacts: BTreeMap<Pair, u32>,
    /// The first impact: fraction of the step, and pair.
    first: Option<(f64, Pair)>,
    substeps: usize,
    stalls: usize,
    is_cut_short: bool,
}

impl CcdState {
    /// Nothing is known before the step.
    pub fn new(settings: CcdSettings) -> Self {
        Self {
            settings,
            overlapping: None,
            stalling: BTreeSet::new(),
            added_contacts: 0,
            impacts: BTreeMap::new(),
            first: None,
            substeps: 0,
            stalls: 0,
            is_cut_short: false,
        }
    }

    /// Takes account of where a motion ended, at a fraction `at` of the step.
    pub fn add(&mut self, impact: &FirstImpact, at: f64) {
        for &pair in &impact.pairs {
            *self.impacts.entry(pair).or_insert(0) += 1;
        }
        if let (None, Some(&pair)) = (self.first, impact.pairs.first()) {
            self.first = Some((at, pair));
        }
    }

    /// How fast the bodies of a pair with this clearance (m) are to part, m/s.
    pub fn parting_speed(&self, pair: Pair, clearance: f64, time_step: f64) -> f64 {
        self.impacts.get(&pair).map_or(0.0, |&impacts| self.settings.parting_speed(clearance, impacts, time_step))
    }

    /// Counts a substep whose motion, of `duration` (s), ended at `impact`, and decides whether another one follows.
    pub fn goes_on(&mut self, impact: &FirstImpact, duration: f64, time_step: f64) -> bool {
        self.substeps += 1;
        if impact.time == 1.0 {
            return false;
        }
        if impact.time * duration < STALL * time_step {
            self.stalling.extend(&impact.pairs);
        }
        self.stalls = if impact.time == 0.0 { self.stalls + 1 } else { 0 };
        self.is_cut_short = self.stalls >= MOST_STALLS || self.substeps >= self.settings.max_substeps;
        !self.is_cut_short
    }

    /// Whether the step was cut short by when next to none of its time had gone by: bodies are jammed.
    pub fn is_jammed(&self, elapsed: f64, time_step: f64) -> bool {
        self.is_cut_short && elapsed < STALL * time_step
    }

    /// The report of a step by which the world went on by `advanced` (s).
    pub fn report(&self, advanced: f64) -> CcdReport {
        let ids = |&(a, b): &Pair| (BodyId::new(a as u32), BodyId::new(b as u32));
        CcdReport {
            substeps: self.substeps,
            time_of_impact: self.first.map_or(1.0, |(time, _)| time),
            pair: self.first.map(|(_, pair)| ids(&pair)),
            advanced,
            is_cut_short: self.is_cut_short,
            overlapping: self.overlapping.iter().flatten().map(ids).collect(),
            added_contacts: self.added_contacts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_ends_with_its_motion_its_substeps_or_stalls() {
        let at = |time: f64| FirstImpact { time, pairs: vec![(2, 5)] };
        let settings = CcdSettings { max_substeps: 40, ..CcdSettings::default() };
        let mut state = CcdState::new(settings);
        assert!(state.goes_on(&at(0.5), 0.01, 0.01) && state.stalling.is_empty());
        assert!(!state.goes_on(&FirstImpact::NONE, 0.005, 0.01));
        assert_eq!(state.report(0.01).substeps, 2);
        let substeps = |time: f64| {
            let mut state = CcdState::new(settings);
            let made = 1 + (0..99).take_while(|_| state.goes_on(&at(time), 0.01, 0.01)).count();
            (made, state.report(0.0).substeps, state.stalling.len())
        };
        assert_eq!((substeps(0.0), substeps(1e-4), substeps(1e-2)), ((16, 16, 1), (40, 40, 1), (40, 40, 0)));
    }

    #[test]
    fn the_first_impact_is_reported_and_pairs_that_come_again_part_faster() {
        let mut state = CcdState::new(CcdSettings::default());
        let report = state.report(0.01);
        assert_eq!((report.time_of_impact, report.pair), (1.0, None));
        for (time, pair) in [(0.25, (1, 2)), (0.5, (0, 3)), (0.75, (1, 2))] {
            state.add(&FirstImpact { time, pairs: vec![pair] }, time);
        }
        let report = state.report(0.01);
        assert_eq!((report.time_of_impact, report.pair), (0.25, Some((BodyId::new(1), BodyId::new(2)))));
        let parting = |pair| state.parting_speed(pair, 1e-4, 0.01);
        assert_eq!((parting((1, 2)), parting((0, 3)), parting((4, 5))), (1e-2, 0.0, 0.0));
    }
}
