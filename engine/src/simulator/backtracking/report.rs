//! What happened in a step.

use crate::handle::BodyHandle;
use crate::solver::SvdStatus;
use crate::stepper::Energy;
use drystone_contact::vclip::Pair;
use glam::DVec3;

/// What stopped an interval before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Features that came near faster than the collision speed: an impulse with restitution and friction.
    Collision,
    /// Features that came near slowly, or not at all: an impulse that brings them to rest.
    Contact,
    /// A contact of a set came back faster than the collision speed.
    Rebound,
    /// A contact of a set came back slowly, or sank.
    Return,
    /// A contact stopped sliding.
    Stick,
}

/// An event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// When, s since the simulation was made.
    pub time: f64,
    /// What.
    pub kind: EventKind,
    /// The two bodies.
    pub bodies: [BodyHandle; 2],
    /// Their pieces.
    pub pieces: [u32; 2],
    /// The features.
    pub pair: Pair,
    /// Along the normal before the event, m/s; negative for approach.
    pub normal_speed: f64,
}

/// A contact of a set at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SetContact {
    /// The two bodies, A and B.
    pub bodies: [BodyHandle; 2],
    /// Their pieces.
    pub pieces: [u32; 2],
    /// The features.
    pub pair: Pair,
    /// Midway between the closest points, world frame, m.
    pub position: DVec3,
    /// From A to B, unit, world frame.
    pub normal: DVec3,
    /// Between the closest points, m.
    pub gap: f64,
    /// On B, world frame, N.
    pub force: DVec3,
}

/// How many systems of contact forces and impulses were solved, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatusCounts {
    /// By the loop of statuses, exactly.
    pub exact: usize,
    /// The loop failed; solved exactly in another way: equilibrium within the cones, or complementarity.
    pub otherwise_exact: usize,
    /// The iterative solver took over.
    pub fallback: usize,
    /// No forces satisfy the law; the iterative solver came as near as it could.
    pub inconsistent: usize,
}

impl StatusCounts {
    pub(super) fn count(&mut self, status: SvdStatus) {
        match status {
            SvdStatus::Exact => self.exact += 1,
            SvdStatus::Equilibrium(_) | SvdStatus::Complementarity(_) => self.otherwise_exact += 1,
            SvdStatus::ProximalGaussSeidel(_) | SvdStatus::Undecided(_) => self.fallback += 1,
            SvdStatus::Inconsistent => self.inconsistent += 1,
        }
    }
}

/// What a step or many cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Questions to V-Clip: one for each pair of near bodies at each state that is looked at, one for each pair of pieces
    /// at each state of a search in time.
    pub vclip_calls: usize,
    /// Linear systems that were solved by singular values.
    pub svd_solves: usize,
    /// What became of the systems of contacts.
    pub statuses: StatusCounts,
    /// Intervals that were halved because an overlap at their end was not explained.
    pub halvings: usize,
    /// Contacts whose torsional friction is left out, at the end.
    pub torsion_ignored: usize,
    /// Collisions whose restitution or friction was left out because energy would have risen.
    pub tamed: usize,
}

/// What happened in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct BacktrackingReport {
    /// Time at the end, s.
    pub time: f64,
    /// How much of the step is left because there were too many events, s; zero for a whole step.
    pub unfinished: f64,
    /// Accepted states.
    pub accepted: usize,
    /// What stopped intervals.
    pub events: Vec<Event>,
    /// What it cost.
    pub work: Work,
    /// The least distance between pieces at accepted states, m, by certificate; infinite if nothing was near.
    pub least_gap: f64,
    /// The contacts at the end with their forces, in the order of bodies, pieces and features.
    pub contacts: Vec<SetContact>,
    /// Energy at the end.
    pub energy: Energy,
}
