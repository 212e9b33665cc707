//! Which pairs are to be looked at: those whose bodies have moved far enough against each other since their contacts were found.
//!
//! What has moved is counted step by step, on the safe side, so that pairs that rest cost next to nothing; only when the count has run
//! out are the poses compared. Boxes are found for bodies of pairs that are looked at, and of no others.

use super::super::World;
use super::super::detection::BODIES_PER_TASK;
use super::super::near::bounds_at;
use super::SoftState;
use super::near_pairs::Move;
use super::pairs::PersistentPair;
use crate::body::Pose;
use crate::broad_phase::Bounds;
use crate::motion::displacement;
use drystone_contact::parallel::prelude::*;
use glam::DVec3;

/// Pairs that a thread takes at least.
const PAIRS_PER_TASK: usize = 512;

/// Contacts stay until their bodies have moved against each other by this share of the thickness of the thinner one.
const KEPT_UNTIL: f64 = 1e-3;

/// The count begins with this share of what may be moved, so that rounding decides nothing.
const SAFE: f64 = 0.5;

/// A box that was not asked for.
const NOWHERE: Bounds = Bounds { low: DVec3::ZERO, high: DVec3::ZERO };

/// The boxes of bodies where a step begins, for those that were asked for.
#[derive(Debug, Default)]
pub(super) struct Boxes {
    list: Vec<Bounds>,
    /// Whether the box of each body is wanted, or there.
    wanted: Vec<bool>,
    are_all: bool,
}

impl Boxes {
    /// The box of a body that was wanted.
    pub fn at(&self, body: usize) -> &Bounds {
        &self.list[body]
    }

    fn want(&mut self, (a, b): (usize, usize)) {
        (self.wanted[a], self.wanted[b]) = (true, true);
    }
}

impl PersistentPair {
    /// Counts how the bodies have moved against each other in the last step. Returns whether what they have done since their contacts
    /// were found may be too much.
    fn count(&mut self, moves: &[Move]) -> bool {
        let (a, b) = self.bodies;
        let way = moves.get(a).zip(moves.get(b)).map_or(f64::INFINITY, |(of_a, of_b)| of_a.against(of_b));
        self.room -= way;
        self.room <= 0.0
    }

    /// How far a point of the smaller body has come in the frame of the other one since contacts were found, m; infinite if they were not.
    fn moved(&self, [a, b]: [&Pose; 2], [radius_a, radius_b]: [f64; 2]) -> f64 {
        let Some(before) = self.found_at else { return f64::INFINITY };
        let now = a.inverse() * *b;
        match radius_a < radius_b {
            true => displacement(&before.inverse(), &now.inverse(), radius_a),
            false => displacement(&before, &now, radius_b),
        }
    }
}

impl World {
    /// Says which pairs are due, and which bodies near each other without contacts may come together. Finds their boxes. Returns how
    /// many contacts stay without being looked at.
    pub(super) fn set_due(&self, state: &mut SoftState, poses: &[Pose]) -> usize {
        let SoftState { near, near_due, pairs, boxes, stirs, written, moves, traits, .. } = state;
        // A hook may answer otherwise in every step.
        let is_hooked = self.has_contact_hook();
        let count = |pair: &mut PersistentPair| {
            let (a, b) = pair.bodies;
            let may_be_due = pair.count(moves) || pair.found_at.is_none() || written[a] || written[b] || is_hooked;
            let is_awake = stirs[a] || stirs[b];
            pair.is_due = false;
            if is_awake && may_be_due {
                let own = [&traits[a], &traits[b]];
                let kept = KEPT_UNTIL * own[0].thickness.min(own[1].thickness);
                let moved = pair.moved([&poses[a], &poses[b]], own.map(|own| own.radius));
                pair.is_due = moved > kept || is_hooked;
                pair.room = SAFE * (kept - moved);
            }
            if is_awake && !pair.is_due { pair.contacts.len() } else { 0 }
        };
        let stays = pairs.par_iter_mut().in_tasks_of(PAIRS_PER_TASK).map(count).sum();

        boxes.are_all = false;
        boxes.wanted.clear();
        boxes.wanted.resize(poses.len(), false);
        near_due.clear();
        let is_any_written = written.contains(&true);
        let mut known = pairs.iter().peekable();
        for (k, pair) in near.iter_mut().enumerate() {
            let (a, b) = pair.places();
            // Nothing that was known of a body that was put elsewhere still holds.
            let is_apart = pair.apart > 0.0 && !(is_any_written && (written[a] || written[b]));
            if is_apart || !(stirs[a] || stirs[b]) {
                continue;
            }
            pair.apart = 0.0;
            while known.next_if(|known| known.bodies < (a, b)).is_some() {}
            if known.peek().is_none_or(|known| known.bodies != (a, b)) {
                near_due.push(k as u32);
                boxes.want((a, b));
            }
        }
        pairs.iter().filter(|pair| pair.is_due).for_each(|pair| boxes.want(pair.bodies));
        if boxes.wanted.contains(&true) {
            self.find_boxes(boxes, poses);
        }
        stays
    }

    /// Finds the boxes of all bodies, unless they are there.
    pub(super) fn find_all_boxes(&self, boxes: &mut Boxes, poses: &[Pose]) {
        if !boxes.are_all {
            boxes.are_all = true;
            boxes.wanted.fill(true);
            self.find_boxes(boxes, poses);
        }
    }

    fn find_boxes(&self, boxes: &mut Boxes, poses: &[Pose]) {
        let generator = self.method.generator();
        let Boxes { list, wanted, .. } = boxes;
        list.resize(poses.len(), NOWHERE);
        let own = |(i, (bounds, &is_wanted)): (usize, (&mut Bounds, &bool))| {
            if is_wanted {
                let shape = generator.contact_shape(&self.entries[i].shape);
                *bounds = bounds_at(shape, &poses[i], self.contact_margin(i));
            }
        };
        let all = list.par_iter_mut().zip(&*wanted).enumerate();
        all.in_tasks_of(BODIES_PER_TASK).for_each(own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::advance;
    use proptest::prelude::*;

    proptest! {
        /// However two bodies that touch move, the count is, up to their turning, never less than what a point of the smaller one has come in the other's frame.
        #[test]
        fn what_is_counted_is_never_too_little(
            radii in prop::array::uniform2(0.1..3.0f64),
            direction in prop::array::uniform3(-1.0..1.0f64),
            steps in prop::collection::vec(prop::array::uniform4(prop::array::uniform3(-1e-4..1e-4f64)), 1..40),
        ) {
            let apart = DVec3::from(direction).normalize_or(DVec3::X) * (radii[0] + radii[1]);
            let mut poses = [Pose::IDENTITY, Pose::from_translation(apart)];
            let found_at = Some(poses[0].inverse() * poses[1]);
            let mut pair = PersistentPair { found_at, ..PersistentPair::new((0, 1)) };
            for step in steps {
                let motions = [[step[0], step[1]], [step[2], step[3]]].map(|motion| motion.map(DVec3::from));
                let moves = [0, 1].map(|k| Move::new(motions[k][0], motions[k][1], radii[k]));
                poses = [0, 1].map(|k| advance(poses[k], motions[k][0], motions[k][1], 1.0));
                pair.count(&moves);
                let moved = pair.moved([&poses[0], &poses[1]], radii);
                // The frames turn meanwhile, for which SAFE leaves more than enough.
                let counted = -pair.room;
                prop_assert!(moved <= 1.02 * counted, "{moved} m, counted {counted} m");
            }
        }
    }
}
