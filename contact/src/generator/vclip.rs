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
//! Pieces know of the solid what is around their features ([`PieceHierarchy::part`]), so that neither a face that was cut
//! nor an edge in a notch gives a normal. Pieces that would stay in each other without a contact, though all others were
//! kept, are taken for solids of their own.

mod touching;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::{Generator, GeneratorError, Placed, Workspace};
use crate::contact::{Contact, Feature};
use crate::pose::Pose;
use crate::shape::Shape;
use crate::shape::features::FeatureId;
use crate::vclip::contact_set::{ContactMargin, ContactSet, Member, Promotion, Tracked, parted};
use crate::vclip::hierarchy::PieceHierarchy;
use crate::vclip::{ConvexPolyhedron, NearPieces, Outcome, Pair, RelativePose, Tracking, certified};
use touching::Touching;

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

/// The features of all pairs in the set of each pair of pieces.
type Kept = BTreeMap<[u32; 2], Vec<Pair>>;

/// What pieces are taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    /// Parts of their solids.
    Parts,
    /// Solids of their own.
    Alone,
}

/// The pieces of two shapes.
struct Bodies<'s> {
    a: &'s PieceHierarchy,
    b: &'s PieceHierarchy,
    reach: ContactMargin,
}

impl<'s> Bodies<'s> {
    fn polyhedra(&self, [p, q]: [u32; 2], view: View) -> [&'s ConvexPolyhedron; 2] {
        match view {
            View::Parts => [self.a.part(p), self.b.part(q)],
            View::Alone => [self.a.polyhedron(p), self.b.polyhedron(q)],
        }
    }

    /// Whether there is more than one pair of pieces, which makes views differ.
    fn are_cut(&self) -> bool {
        [self.a, self.b].iter().any(|body| body.pieces().pieces().len() > 1)
    }

    /// Whether two pieces have a point in common where contacts (frame of A) keep the bodies.
    fn are_left_in(&self, pieces: [u32; 2], kept: &RelativePose) -> bool {
        let [p, q] = self.polyhedra(pieces, View::Alone);
        matches!(certified(p, q, kept, &mut Pair::cold(p, q, kept)), Outcome::Overlapping { .. })
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
        let kept = bodies.kept(previous);
        let (here, reach) = (RelativePose::new(&a.pose, &b.pose), &bodies.reach);
        let deep = ContactMargin { depth: self.last_depth * thickness(a.shape, b.shape), ..*reach };
        let near = Tracking::default().within(bodies.a, bodies.b, &here, reach.leave);
        let filled = |near: &NearPieces, view| {
            let touching = |reach, pairs: &[Pair]| {
                let solids = bodies.polyhedra(near.pieces, view);
                let set = ContactSet::of(pairs.iter().copied(), solids[0], solids[1], &here, reach);
                Touching { promotion: self.promotion, solids, here: &here, reach, set }
            };
            let pairs = kept.get(&near.pieces).map_or(&[][..], Vec::as_slice);
            let set = touching(reach, pairs).filled([a, b], &near.outcome);
            if set.members().is_empty() && near.overlaps() {
                return touching(&deep, &[]).filled([a, b], &near.outcome);
            }
            set
        };
        let mut sets: Vec<ContactSet> = near.iter().map(|near| filled(near, View::Parts)).collect();
        let is_empty = |(near, set): (&NearPieces, &ContactSet)| near.overlaps() && set.members().is_empty();
        if bodies.are_cut() && near.iter().zip(&sets).any(is_empty) {
            let held: Vec<Tracked> = sets.iter().flat_map(|set| set.members()).map(|m| m.tracked).collect();
            let there = parted(&held, bodies.b.hull(), &here, reach);
            for (near, set) in near.iter().zip(&mut sets) {
                if is_empty((near, &*set)) && bodies.are_left_in(near.pieces, &there) {
                    *set = filled(near, View::Alone);
                }
            }
        }
        for (near, set) in near.iter().zip(&sets) {
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
        let mut near = Tracking::default().within(bodies.a, bodies.b, &end, 0.0);
        near.retain(NearPieces::overlaps);
        if near.is_empty() {
            return Ok(());
        }
        let kept = bodies.kept(held);
        let between = |s: f64| {
            let at = |from: &Pose, to: &Pose| Pose {
                rotation: from.rotation.slerp(to.rotation, s),
                translation: from.translation.lerp(to.translation, s),
            };
            RelativePose::new(&at(&a.pose, ends[0]), &at(&b.pose, ends[1]))
        };
        let mut add = |near: &NearPieces, view| {
            let solids = bodies.polyhedra(near.pieces, view);
            let [p, q] = solids;
            let pairs = kept.get(&near.pieces).map_or(&[][..], Vec::as_slice);
            let set = ContactSet::of(pairs.iter().copied(), p, q, &here, &reach);
            let before: Vec<Pair> = set.members().iter().map(|member| member.pair).collect();
            let mut touching = Touching { promotion: self.promotion, solids, here: &here, reach: &reach, set };
            if !touching.add_by_search(&between) {
                touching.add_missing(&end);
            }
            let members = touching.set.members().iter();
            let new = members.filter(|member| !before.contains(&member.pair) && !pairs.contains(&member.pair));
            let first = contacts.len();
            contacts.extend(new.filter_map(|member| bodies.contact(&a.pose, near.pieces, member)));
            contacts.len() > first
        };
        let mut is_added = false;
        for near in &near {
            is_added |= add(near, View::Parts);
        }
        // What is held already may keep these pieces apart, too.
        if bodies.are_cut() && !is_added && held.is_empty() {
            near.iter().for_each(|near| {
                add(near, View::Alone);
            });
        }
        Ok(())
    }
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
