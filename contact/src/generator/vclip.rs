//! V-Clip with contact sets: the closest features of convex pieces, and those that were the closest before (Mirtich,
//! TR98-01, section 3).
//!
//! Each shape is its convex pieces ([`crate::shape::Polyhedron::pieces`]); two pieces that are near each other have a
//! contact set ([`crate::vclip::contact_set`]). Of the set of the step before, the pairs that still face each other
//! stay. New is the closest pair, or, where the pieces overlap, the pair that let them in. That one is found by going
//! back: along the motion as far as it brought the pieces here, else straight out by the shortest way. A generator
//! that is asked once a step finds one pair of two pieces at a time, so that it takes some steps until a resting body
//! has all; where the stepper looks ahead ([`Generator::speculative_contacts`]) it finds the others within the step.
//!
//! Pieces know nothing of the whole: faces inside the solid, where pieces were cut apart, are faces to them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use glamx::DRot3;

use super::{Generator, GeneratorError, Placed, Workspace};
use crate::contact::{Contact, Feature};
use crate::pose::{Pose, Twist};
use crate::shape::Shape;
use crate::shape::features::FeatureId;
use crate::vclip::contact_set::{ContactMargin, ContactSet, Member, Motion, Promotion, missing, promoted, search};
use crate::vclip::hierarchy::PieceHierarchy;
use crate::vclip::{Closest, ConvexPolyhedron, Outcome, Pair, RelativePose, Tracking, certified, certify};

/// The generator's settings. Lengths are shares of the thickness ([`crate::shape::Features::thickness`]) of the thinner
/// shape, so that results do not depend on the unit of length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VClip {
    /// Up to this gap a new pair comes into a set.
    pub enter: f64,
    /// Beyond this gap a pair leaves it.
    pub leave: f64,
    /// Deeper than this a pair leaves it, too.
    pub depth: f64,
    /// Pieces that overlap without a pair in their set are taken out of each other from this depth at most.
    pub last_depth: f64,
    /// Points that are nearer to each other are one.
    pub same: f64,
    /// With it, faces and edges beside the closest features that are parallel are taken as a whole.
    pub promotion: Option<Promotion>,
}

impl Default for VClip {
    fn default() -> Self {
        Self { enter: 0.01, leave: 0.02, depth: 0.1, last_depth: 1.0, same: 1e-3, promotion: None }
    }
}

/// How often the way back is doubled until the pieces are apart.
const DOUBLINGS: i32 = 12;

/// How many pairs are looked for beside the closest one, at most, between two pieces in a call.
const ADDED: usize = 8;

/// The features of all pairs in the set of each pair of pieces.
type Kept = BTreeMap<[u32; 2], Vec<Pair>>;

/// The pieces of two shapes.
struct Bodies<'s> {
    a: &'s PieceHierarchy,
    b: &'s PieceHierarchy,
    reach: ContactMargin,
}

impl<'s> Bodies<'s> {
    fn polyhedra(&self, pieces: [u32; 2]) -> [&'s ConvexPolyhedron; 2] {
        [self.a.polyhedron(pieces[0]), self.b.polyhedron(pieces[1])]
    }

    /// The pairs by their pieces; names of other methods are nothing to this one.
    fn kept(&self, previous: &[(Feature, Feature)]) -> Kept {
        let mut kept = Kept::new();
        for &(a, b) in previous {
            let Some((p, a)) = number(a).and_then(|a| self.a.feature(a)) else { continue };
            let Some((q, b)) = number(b).and_then(|b| self.b.feature(b)) else { continue };
            kept.entry([p, q]).or_default().push(Pair { a, b });
        }
        kept
    }

    fn contact(&self, a: &Pose, pieces: [u32; 2], member: &Member) -> Option<Contact> {
        Some(Contact {
            position: a.transform_point(member.tracked.middle()),
            normal: (a.rotation * member.tracked.normal).normalize(),
            gap: member.tracked.gap,
            feature_a: feature(self.a.number(pieces[0], member.pair.a)?),
            feature_b: feature(self.b.number(pieces[1], member.pair.b)?),
        })
    }
}

impl VClip {
    fn pieces<'s>(&self, shape: &'s Shape) -> Result<&'s PieceHierarchy, GeneratorError> {
        let pieces = shape.polyhedron("convex pieces").and_then(|polyhedron| polyhedron.pieces());
        pieces.map_err(|e| GeneratorError::needs(self.name(), shape.kind(), "the convex pieces of a polyhedron", e))
    }

    fn bodies<'s>(&self, a: &'s Shape, b: &'s Shape) -> Result<Bodies<'s>, GeneratorError> {
        let thickness = thickness(a, b);
        let reach = ContactMargin {
            enter: self.enter * thickness,
            leave: self.leave * thickness,
            depth: self.depth * thickness,
            same: self.same * thickness,
        };
        Ok(Bodies { a: self.pieces(a)?, b: self.pieces(b)?, reach })
    }
}

/// The thickness of the thinner of two shapes, m.
fn thickness(a: &Shape, b: &Shape) -> f64 {
    a.thickness().min(b.thickness())
}

/// Two pieces that are near each other, and their set as it grows.
struct Touching<'p> {
    promotion: Option<Promotion>,
    solids: [&'p ConvexPolyhedron; 2],
    here: &'p RelativePose,
    reach: &'p ContactMargin,
    set: ContactSet,
}

impl Touching<'_> {
    /// The set with what is closest, or let the pieces of two bodies into each other, and what else it does not keep
    /// apart.
    fn filled(mut self, [a, b]: [&Placed<'_>; 2], outcome: &Outcome) -> ContactSet {
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
    fn add_by_search(&mut self, motion: &impl Motion) -> bool {
        let [a, b] = self.solids;
        match search(motion, &self.set, a, b, self.reach.enter) {
            Some((time, closest)) => self.add(&closest, &motion.relative_pose(time)),
            None => false,
        }
    }

    /// Adds the pair that the members of the set, as they are `there`, do not keep apart there; `false` if there is
    /// none.
    fn add_missing(&mut self, there: &RelativePose) -> bool {
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

impl Generator for VClip {
    fn name(&self) -> &str {
        "vclip"
    }

    fn prepare(&self, shape: &Shape) -> Result<(), GeneratorError> {
        self.pieces(shape).map(|_| ())
    }

    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        let mut contacts = Vec::new();
        self.contacts_into(a, b, &[], &mut Workspace::default(), &mut contacts)?;
        Ok(contacts)
    }

    fn contacts_into(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        previous: &[(Feature, Feature)],
        _: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        let bodies = self.bodies(a.shape, b.shape)?;
        let mut kept = bodies.kept(previous);
        let (here, reach) = (RelativePose::new(&a.pose, &b.pose), &bodies.reach);
        let deep = ContactMargin { depth: self.last_depth * thickness(a.shape, b.shape), ..*reach };
        for near in Tracking::default().within(bodies.a, bodies.b, &here, reach.leave) {
            let pairs = kept.remove(&near.pieces).unwrap_or_default();
            let touching = |reach, pairs| {
                let solids = bodies.polyhedra(near.pieces);
                let set = ContactSet::of(pairs, solids[0], solids[1], &here, reach);
                Touching { promotion: self.promotion, solids, here: &here, reach, set }
            };
            let mut set = touching(reach, pairs).filled([a, b], &near.outcome);
            if set.members().is_empty() && matches!(near.outcome, Outcome::Overlapping { .. }) {
                set = touching(&deep, Vec::new()).filled([a, b], &near.outcome);
            }
            contacts.extend(set.members().iter().filter_map(|m| bodies.contact(&a.pose, near.pieces, m)));
        }
        Ok(())
    }

    fn margin(&self, shape: &Shape) -> f64 {
        self.leave * shape.thickness()
    }

    fn slop(&self) -> f64 {
        0.0
    }

    fn is_speculative(&self) -> bool {
        true
    }

    fn speculative_contacts(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        ends: [&Pose; 2],
        held: &[(Feature, Feature)],
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        let bodies = self.bodies(a.shape, b.shape)?;
        // What comes in within the step may be far away now.
        let reach = ContactMargin { leave: f64::INFINITY, ..bodies.reach };
        let (here, end) = (RelativePose::new(&a.pose, &b.pose), RelativePose::new(ends[0], ends[1]));
        let mut kept = None;
        for near in Tracking::default().within(bodies.a, bodies.b, &end, 0.0) {
            if !matches!(near.outcome, Outcome::Overlapping { .. }) {
                continue;
            }
            let kept = kept.get_or_insert_with(|| bodies.kept(held));
            let solids = bodies.polyhedra(near.pieces);
            let [p, q] = solids;
            let pairs = kept.remove(&near.pieces).unwrap_or_default();
            let set = ContactSet::of(pairs.iter().copied(), p, q, &here, &reach);
            let before: Vec<Pair> = set.members().iter().map(|member| member.pair).collect();
            let mut touching = Touching { promotion: self.promotion, solids, here: &here, reach: &reach, set };
            let between = |s: f64| {
                let at = |from: &Pose, to: &Pose| Pose {
                    rotation: from.rotation.slerp(to.rotation, s),
                    translation: from.translation.lerp(to.translation, s),
                };
                RelativePose::new(&at(&a.pose, ends[0]), &at(&b.pose, ends[1]))
            };
            if !touching.add_by_search(&between) {
                touching.add_missing(&end);
            }
            let members = touching.set.members().iter();
            let new = members.filter(|member| !before.contains(&member.pair) && !pairs.contains(&member.pair));
            contacts.extend(new.filter_map(|member| bodies.contact(&a.pose, near.pieces, member)));
        }
        Ok(())
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

/// How a contact names a feature of a piece.
fn feature(id: FeatureId) -> Feature {
    match id {
        FeatureId::Facet(f) => Feature::PieceFace(f),
        FeatureId::Edge(e) => Feature::PieceEdge(e),
        FeatureId::Vertex(v) => Feature::PieceVertex(v),
    }
}

/// The feature of a piece that a contact names.
fn number(feature: Feature) -> Option<FeatureId> {
    match feature {
        Feature::PieceFace(f) => Some(FeatureId::Facet(f)),
        Feature::PieceEdge(e) => Some(FeatureId::Edge(e)),
        Feature::PieceVertex(v) => Some(FeatureId::Vertex(v)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
