//! Two pieces that are near each other, and their contact set as it grows.

use glamx::DRot3;

use crate::generator::Placed;
use crate::pose::{Pose, Twist};
use crate::vclip::contact_set::{ContactMargin, ContactSet, Motion, Promotion, missing, promoted, search};
use crate::vclip::{Closest, ConvexPolyhedron, Outcome, Pair, RelativePose, certified, certify};

/// How often the way back is doubled until the pieces are apart.
const DOUBLINGS: i32 = 12;

/// How many pairs are looked for beside the closest one, at most, between two pieces in a call.
const ADDED: usize = 8;

/// Two pieces that are near each other, and their set as it grows.
pub(super) struct Touching<'p> {
    pub promotion: Option<Promotion>,
    pub solids: [&'p ConvexPolyhedron; 2],
    pub here: &'p RelativePose,
    pub reach: &'p ContactMargin,
    pub set: ContactSet,
}

impl Touching<'_> {
    /// The set with what is closest, or let the pieces of two bodies into each other, and what else it does not keep
    /// apart.
    pub fn filled(mut self, [a, b]: [&Placed<'_>; 2], outcome: &Outcome) -> ContactSet {
        let overlaps = match outcome {
            Outcome::Apart { closest, .. } => {
                if closest.distance <= self.reach.enter {
                    self.add(closest, self.here);
                }
                false
            }
            Outcome::Overlapping { .. } => {
                if let Some(way) = back_along_motion(a, b, self.solids, self.reach.depth) {
                    self.add_by_search(&way);
                }
                true
            }
        };
        if overlaps || self.set.members().iter().any(|m| m.tracked.gap <= self.reach.enter) {
            for _ in 0..ADDED {
                if !self.add_missing(self.here) {
                    break;
                }
            }
        }
        self.set
    }

    /// Adds the pair that let the pieces into each other on a motion; `false` if there is none.
    pub fn add_by_search(&mut self, motion: &impl Motion) -> bool {
        let [a, b] = self.solids;
        match search(motion, &self.set, a, b, self.reach.enter) {
            Some((time, closest)) => self.add(&closest, &motion.relative_pose(time)),
            None => false,
        }
    }

    /// Adds the pair that the members of the set, as they are `there`, do not keep apart there; `false` if there is
    /// none.
    pub fn add_missing(&mut self, there: &RelativePose) -> bool {
        let [a, b] = self.solids;
        let mut members = self.set.clone();
        members.follow(a, b, there, self.reach);
        match missing(&members, a, b, there, self.reach) {
            Some((at, closest)) => self.add(&closest, &at),
            None => false,
        }
    }

    /// Adds what is closest at a relative pose, one pair or the region around it, as it is here.
    fn add(&mut self, closest: &Closest, at: &RelativePose) -> bool {
        let [a, b] = self.solids;
        let pairs = match &self.promotion {
            None => vec![closest.pair],
            Some(promotion) => promoted(promotion, closest, certify(a, b, at, closest).direction, a, b, at),
        };
        let before = self.set.members().len();
        for pair in pairs {
            self.set.add(pair, a, b, self.here, self.reach);
        }
        self.set.members().len() > before
    }
}

/// The motion that brought two bodies here, from where the two pieces were apart; `None` if they were not within the
/// depth (m) of here.
fn back_along_motion(
    a: &Placed<'_>,
    b: &Placed<'_>,
    [p, q]: [&ConvexPolyhedron; 2],
    depth: f64,
) -> Option<impl Motion + use<>> {
    let fastest = |body: &Placed<'_>, solid: &ConvexPolyhedron| {
        let arm = (body.pose.rotation * solid.centre()).length() + solid.radius();
        body.twist.angular.length() * arm
    };
    let speed = (b.twist.linear - a.twist.linear).length() + fastest(a, p) + fastest(b, q);
    if speed <= 0.0 || !speed.is_finite() {
        return None;
    }
    let ((pose_a, twist_a), (pose_b, twist_b)) = ((a.pose, a.twist), (b.pose, b.twist));
    let at = move |time: f64| RelativePose::new(&moved(&pose_a, &twist_a, time), &moved(&pose_b, &twist_b, time));
    let mut pair = Pair::FIRST;
    let mut is_apart = |time: f64| matches!(certified(p, q, &at(time), &mut pair), Outcome::Apart { .. });
    let time = (1..=DOUBLINGS).map(|k| -depth / speed * 2.0_f64.powi(k - DOUBLINGS)).find(|&t| is_apart(t))?;
    Some(move |s: f64| at(time * (1.0 - s)))
}

/// A pose after a time (s, negative for before) with the same velocities.
fn moved(pose: &Pose, twist: &Twist, time: f64) -> Pose {
    let turn = twist.angular * time;
    let (half_sine, half_cosine) = libm::sincos(0.5 * turn.length());
    let axis = turn.normalize_or_zero() * half_sine;
    let rotation = DRot3::from_xyzw(axis.x, axis.y, axis.z, half_cosine) * pose.rotation;
    Pose { rotation: rotation.normalize(), translation: pose.translation + twist.linear * time }
}
