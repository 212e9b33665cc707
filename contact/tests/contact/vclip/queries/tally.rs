//! Counts of what queries found.

use std::fmt;

use drystone_contact::vclip::FoundBy;

/// Descriptions of wrong answers that are kept.
const KEPT: usize = 5;

/// What some queries found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    pub queries: u64,
    pub apart: u64,
    pub overlapping: u64,
    /// By search, circle, restart and nearest points.
    pub ways: [u64; 4],
    /// The largest difference of upper and lower bound over the magnitude of the coordinates.
    pub gap: f64,
    /// Called overlapping without a common point, or with a known distance.
    pub false_penetrations: u64,
    /// All other wrong answers.
    pub misses: u64,
    /// The first wrong answers.
    pub wrong: Vec<String>,
}

impl Tally {
    /// The heads of the columns.
    pub const HEADS: &'static str = "   queries     apart   overlap    search   circle  restart  nearest  largest gap  \
                                     false pen.   misses";

    pub fn found(&mut self, found_by: FoundBy) {
        self.ways[match found_by {
            FoundBy::Search => 0,
            FoundBy::Circle => 1,
            FoundBy::Restart => 2,
            FoundBy::Nearest => 3,
        }] += 1;
    }

    pub fn note(&mut self, describe: impl FnOnce() -> String) {
        if self.wrong.len() < KEPT {
            self.wrong.push(describe());
        }
    }

    /// Whether every answer was right.
    pub fn is_right(&self) -> bool {
        self.false_penetrations == 0 && self.misses == 0
    }

    pub fn add(&mut self, other: &Self) {
        self.queries += other.queries;
        self.apart += other.apart;
        self.overlapping += other.overlapping;
        (0..self.ways.len()).for_each(|k| self.ways[k] += other.ways[k]);
        self.gap = self.gap.max(other.gap);
        self.false_penetrations += other.false_penetrations;
        self.misses += other.misses;
        other.wrong.iter().for_each(|wrong| self.note(|| wrong.clone()));
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [search, circle, restart, nearest] = self.ways;
        write!(
            f,
            "{:10}{:10}{:10}{search:10}{circle:9}{restart:9}{nearest:9}{:13.1e}{:12}{:9}",
            self.queries, self.apart, self.overlapping, self.gap, self.false_penetrations, self.misses
        )
    }
}
