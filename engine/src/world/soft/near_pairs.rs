//! Broad phase of the soft step: the pairs of bodies whose boxes overlap, grown so that they stay while bodies move little.
//!
//! A pair that was seen to be apart is left alone until its bodies have moved by as much against each other, which is counted step by step.

use super::super::World;
use super::super::detection::BODIES_PER_TASK;
use super::super::near::bounds_at;
use super::SoftState;
use super::bodies::Traits;
use super::pairs::PersistentPair;
use crate::body::Pose;
use crate::motion::displacement;
use drystone_contact::parallel::prelude::*;
use glam::DVec3;

/// The boxes of bodies are grown by this share of their radius, so that they stay while bodies move by less.
const FAT: f64 = 0.05;

/// And by so many times what a body may move in a step.
const ROOM: f64 = 2.0;

/// Boxes of which more than this share is used are renewed with those that have no room left.
const RENEWED_FROM: f64 = 0.5;

/// Two bodies whose grown boxes overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NearPair {
    /// The places of A and B in the list of bodies, ascending.
    pub bodies: [u32; 2],
    /// How far they can move against each other without having contacts, m; not above zero if they may have some.
    pub apart: f64,
}

/// How a body has moved in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Move {
    /// Of its centre of mass, m.
    way: DVec3,
    /// How far its points have come by its rotation, m.
    turning: f64,
}

impl Move {
    /// By a displacement (m) and a rotation vector (rad), of a body with a radius (m).
    pub fn new(way: DVec3, turn: DVec3, radius: f64) -> Self {
        let angle = turn.length();
        Self { way, turning: if angle > 0.0 { radius * angle } else { 0.0 } }
    }

    /// No point of the smaller body has moved farther in the frame of the other one, m, if the bodies touch: their centres are no
    /// farther from each other than twice the larger radius.
    pub fn against(&self, other: &Self) -> f64 {
        (other.way - self.way).length() + 3.0 * (self.turning + other.turning)
    }
}

impl NearPair {
    /// Two bodies of which nothing is known.
    pub fn new((a, b): (usize, usize)) -> Self {
        Self { bodies: [a as u32, b as u32], apart: 0.0 }
    }

    /// A and B.
    pub fn places(&self) -> (usize, usize) {
        (self.bodies[0] as usize, self.bodies[1] as usize)
    }

    /// Counts how the bodies have moved against each other.
    pub fn count(&mut self, moves: &[Move]) {
        let (a, b) = self.places();
        if self.apart > 0.0 {
            self.apart -= (moves[b].way - moves[a].way).length() + moves[a].turning + moves[b].turning;
        }
    }
}

impl World {
    /// Finds the pairs of bodies whose grown boxes overlap.
    pub(super) fn set_fat_pairs(&mut self, state: &mut SoftState, poses: &[Pose]) {
        let (traits, sweeps) = (&state.traits, &state.sweeps);
        // Grown by as much on each side, m.
        let room = |i: usize| {
            let radius = traits[i].radius;
            let sweep = sweeps.get(i).copied().unwrap_or(0.0);
            if traits[i].is_fixed || !radius.is_finite() { 0.0 } else { FAT * radius + ROOM * sweep }
        };
        // The share of it that a body needs until the step ends, and what is left of it where the step begins, m.
        let used = |i: usize| {
            let entry = &self.entries[i];
            let Some((from, known)) = entry.boxed.filter(|(_, known)| 0.5 * known <= 2.0 * room(i)) else {
                return (f64::INFINITY, 0.0);
            };
            let way = if from == poses[i] { 0.0 } else { displacement(&from, &poses[i], traits[i].radius) };
            let needed = way + sweeps.get(i).copied().unwrap_or(0.0);
            (if needed > 0.0 { needed / (0.5 * known) } else { 0.0 }, 0.5 * known - way)
        };
        let all = (0..poses.len()).into_par_iter().in_tasks_of(BODIES_PER_TASK);
        all.map(used).unzip_into_vecs(&mut state.used_rooms, &mut state.rooms);
        let has_changed = state.used_rooms.iter().any(|&used| used > 1.0);
        if has_changed {
            // All pairs are looked for again: other boxes that would not last much longer are renewed with those that must be.
            let new = |i: usize| {
                let (shape, room) = (self.method.generator().contact_shape(&self.entries[i].shape), 2.0 * room(i));
                let is_new = state.used_rooms[i] > RENEWED_FROM;
                is_new.then(|| (room, bounds_at(shape, &poses[i], traits[i].margin + room)))
            };
            let all = (0..poses.len()).into_par_iter().in_tasks_of(BODIES_PER_TASK);
            all.map(new).collect_into_vec(&mut state.new_boxes);
            self.renew_boxes(state, poses);
        }
        if has_changed || !state.pairs_are_known {
            state.set_near(&self.wanted_pairs(&state.bodies));
            state.pairs_are_known = true;
        }
    }

    /// Takes the new boxes of bodies in place of those they have.
    fn renew_boxes(&mut self, state: &mut SoftState, poses: &[Pose]) {
        let handles = self.handles.dense();
        for (i, new) in state.new_boxes.iter().enumerate() {
            if let Some((room, bounds)) = *new {
                self.broad_phase.set(handles[i].slot(), bounds);
                self.entries[i].boxed = Some((poses[i], room));
                state.rooms[i] = 0.5 * room;
            }
        }
    }

    /// Widens the boxes of bodies that move farther than these allow for, and adds the pairs that come near each other by it.
    pub(super) fn widen_boxes(&mut self, state: &mut SoftState, poses: &[Pose]) {
        let is_wider = |i: usize| {
            let sweep = state.sweeps[i];
            sweep > state.rooms[i] && sweep > 0.5 * state.traits[i].margin && sweep.is_finite()
        };
        if !(0..poses.len()).any(is_wider) {
            return;
        }
        let wider = |i: usize| {
            if !is_wider(i) {
                return None;
            }
            let shape = self.method.generator().contact_shape(&self.entries[i].shape);
            let Traits { radius, margin, .. } = state.traits[i];
            let room = 2.0 * (1.5 * state.sweeps[i] + if radius.is_finite() { FAT * radius } else { 0.0 });
            Some((room, bounds_at(shape, &poses[i], margin + room)))
        };
        let all = (0..poses.len()).into_par_iter().in_tasks_of(BODIES_PER_TASK);
        all.map(wider).collect_into_vec(&mut state.new_boxes);
        self.renew_boxes(state, poses);
        let mut pairs = self.wanted_pairs(&state.bodies);
        pairs.extend(state.near.iter().map(NearPair::places));
        pairs.sort_unstable();
        pairs.dedup();
        state.set_near(&pairs);
    }
}

impl SoftState {
    /// Keeps what is known of the pairs of an ascending list, adds those that are new, and forgets all others.
    pub(super) fn set_near(&mut self, pairs: &[(usize, usize)]) {
        if self.near.iter().map(NearPair::places).eq(pairs.iter().copied()) {
            return;
        }
        let mut old = std::mem::take(&mut self.near_before);
        std::mem::swap(&mut self.near, &mut old);
        let mut known = old.iter().peekable();
        self.near.clear();
        self.near.reserve(pairs.len());
        for &bodies in pairs {
            while known.next_if(|pair| pair.places() < bodies).is_some() {}
            let known = known.next_if(|pair| pair.places() == bodies);
            self.near.push(known.copied().unwrap_or_else(|| NearPair::new(bodies)));
        }
        self.near_before = old;
        let mut near = self.near.iter().peekable();
        self.pairs.retain(|pair| {
            while near.next_if(|near| near.places() < pair.bodies).is_some() {}
            near.peek().is_some_and(|near| near.places() == pair.bodies)
        });
    }

    /// Adds pairs of an ascending list, in their order, where there are none of these bodies yet.
    pub(super) fn add_pairs(&mut self, new: impl IntoIterator<Item = PersistentPair>) {
        let before = self.pairs.len();
        for pair in new {
            if self.pairs[..before].binary_search_by_key(&pair.bodies, |known| known.bodies).is_err() {
                self.pairs.push(pair);
            }
        }
        if self.pairs.len() > before {
            self.pairs.sort_by_key(|pair| pair.bodies);
        }
    }

    /// The place of two bodies among those near each other.
    pub(super) fn near_place(&self, bodies: (usize, usize)) -> Result<usize, usize> {
        self.near.binary_search_by_key(&bodies, NearPair::places)
    }
}
