//! What is known when a search ends.

use glam::DVec3;

use crate::solid::NoNormal;

/// What is known of a point and a solid over an interval of time.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The first time within the union of boxes around the path; until then the point was surely outside.
    Contact(Contact),
    /// There is no contact in the interval: certified by boxes (with [`super::Boxes::Chord`]).
    Apart,
    /// There is surely no contact before this time (s), and nothing is known of what comes then.
    Stopped {
        /// s.
        time: f64,
        /// Why the search ended there.
        reason: StopReason,
    },
}

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// [`super::TocSettings::max_boxes`] boxes were tested.
    Boxes,
    /// The solid cannot tell whether boxes below the precision meet it, such as in a sharp wedge between two parts.
    Undecided,
}

/// A point at a solid.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// s; never later than the first contact.
    pub time: f64,
    /// Where the point is then, in the frame of the solid, m.
    pub position: DVec3,
    /// The point is no farther from the solid than this, m.
    pub within: f64,
    /// The outward normal of the solid there, in its frame, unit.
    pub normal: Result<DVec3, NoNormal>,
}

/// What a search took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Boxes, or chords, tested against the solid.
    pub tests: u32,
    /// Intervals whose chord was farther from the path than the precision.
    pub curved: u32,
}

/// What [`super::determine_toc`] finds.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeOfContact {
    /// What is known.
    pub outcome: Outcome,
    /// What it took.
    pub counts: Counts,
}

impl TimeOfContact {
    /// The contact, if there is one.
    pub fn contact(&self) -> Option<&Contact> {
        match &self.outcome {
            Outcome::Contact(contact) => Some(contact),
            _ => None,
        }
    }

    /// There is surely no contact before this time, s; infinite without a contact.
    pub fn safe_until(&self) -> f64 {
        match &self.outcome {
            Outcome::Contact(contact) => contact.time,
            Outcome::Apart => f64::INFINITY,
            Outcome::Stopped { time, .. } => *time,
        }
    }
}
