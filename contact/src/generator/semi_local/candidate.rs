//! Candidates: pairs of features whose planes may keep two shapes apart, with the region in which they touch.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::feature;
use crate::contact::Contact;
use crate::pose::Pose;
use crate::shape::features::{FeatureId, Features, Placement};

/// The lengths of one pair of shapes, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Up to this gap features count as touching.
    pub envelope: f64,
    /// Down to this depth they are looked for.
    pub depth: f64,
    /// Lengths below this are none.
    pub same: f64,
}

impl Limits {
    /// A length in steps within which lengths are taken for equal when candidates are put in order: rounding is not to
    /// decide. The steps begin at odd places, for lengths are often round numbers.
    pub fn steps(&self, length: f64) -> i64 {
        const STEP: f64 = 4.0;
        const BEGIN: f64 = 0.3137;
        (length / (STEP * self.same) + BEGIN).floor() as i64
    }
}

/// The angles of the generator.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Angles {
    /// Facets and edges tilted by less are looked at as parallel, as long as the gap all over their region stays
    /// between depth and envelope, rad.
    pub parallel: f64,
    /// How far a normal may lie outside a normal cone, rad.
    pub cone: f64,
    /// Normals that differ by less are one, rad.
    pub same: f64,
    /// The border of a region that turns by less is straight, rad.
    pub turn: f64,
}

/// A point of A and the point of B across from it, in A's frame, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Across {
    /// On A's feature.
    pub a: DVec3,
    /// On B's feature.
    pub b: DVec3,
}

impl Across {
    pub fn middle(&self) -> DVec3 {
        0.5 * (self.a + self.b)
    }
}

/// A pair of features that touch in a region: a polygon (facet and facet), a segment (facet and edge) or a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// From A to B in A's frame, unit.
    pub normal: DVec3,
    /// The feature of A.
    pub a: FeatureId,
    /// The feature of B.
    pub b: FeatureId,
    /// Its corners in the list of points, first and one past the last: one of a point, two of a segment.
    pub points: (u32, u32),
    /// The smallest gap of its corners, m.
    pub gap: f64,
    /// The bounding box of its corners, A's frame, m.
    pub bounds: (DVec3, DVec3),
}

impl Candidate {
    /// 0: a point, 1: a segment, 2: a polygon.
    pub fn dimension(&self) -> u32 {
        (self.points.1 - self.points.0).min(3) - 1
    }

    /// The mean of a point of each corner, A's frame, m.
    pub fn mean(&self, points: &[Across], point: impl Fn(&Across) -> DVec3) -> DVec3 {
        let corners = self.corners(points);
        corners.iter().map(point).sum::<DVec3>() / corners.len() as f64
    }

    /// The contacts at its corners, where A is at a pose.
    pub fn contacts<'p>(&self, points: &'p [Across], pose: &'p Pose) -> impl Iterator<Item = Contact> + 'p {
        let (along, normal) = (self.normal, (pose.rotation * self.normal).normalize());
        let (feature_a, feature_b) = (feature(self.a), feature(self.b));
        self.corners(points).iter().map(move |corner| {
            let position = pose.transform_point(corner.middle());
            Contact { position, normal, gap: along.dot(corner.b - corner.a), feature_a, feature_b }
        })
    }

    /// Its corners.
    pub fn corners<'p>(&self, points: &'p [Across]) -> &'p [Across] {
        &points[self.points.0 as usize..self.points.1 as usize]
    }
}

/// Two shapes as one of them sees the other: the view of A, or with the roles exchanged that of B.
#[derive(Clone, Copy)]
pub struct View<'s> {
    /// The shape in whose frame things are.
    pub own: &'s Features,
    /// The other shape.
    pub other: &'s Features,
    /// Takes the other's frame to the own one.
    pub placement: Placement,
    pub limits: Limits,
    pub angles: Angles,
}

impl View<'_> {
    /// The same pair seen from the other shape.
    pub fn exchanged(&self) -> Self {
        let rotation = self.placement.rotation.transpose();
        let placement = Placement { rotation, translation: -(rotation * self.placement.translation) };
        Self { own: self.other, other: self.own, placement, ..*self }
    }

    /// Whether a gap (m) lies between depth and envelope.
    pub fn in_range(&self, gap: f64) -> bool {
        gap <= self.limits.envelope && gap >= -self.limits.depth
    }
}

/// The candidates of a pair and the corners of their regions.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    pub list: Vec<Candidate>,
    pub points: Vec<Across>,
}

impl Candidates {
    pub fn clear(&mut self) {
        self.list.clear();
        self.points.clear();
    }

    /// Whether facet f and one of the others' facets face each other: then their borders are part of that region.
    pub fn are_facing(&self, exchanged: bool, f: u32, others: [u32; 2]) -> bool {
        self.list.iter().take_while(|c| c.dimension() == 2).any(|c| {
            let (own, other) = if exchanged { (c.b, c.a) } else { (c.a, c.b) };
            own == FeatureId::Facet(f) && others.map(FeatureId::Facet).contains(&other)
        })
    }

    /// Adds a candidate. With `exchanged` the view is that of B: features and corners come with B's first, in B's
    /// frame, and the normal points from B to A.
    pub fn add(&mut self, view: &View<'_>, exchanged: bool, features: (FeatureId, FeatureId), found: Found<'_>) {
        let turned = |c: &Across| {
            // The view's placement takes the frame of A to that of B.
            let [a, b] = [c.b, c.a].map(|p| view.placement.inverse_point(p));
            Across { a, b }
        };
        let first = self.points.len();
        let (normal, (a, b)) = if exchanged {
            self.points.extend(found.corners.iter().map(turned));
            (-view.placement.inverse_direction(found.normal), (features.1, features.0))
        } else {
            self.points.extend_from_slice(found.corners);
            (found.normal, features)
        };
        let corners = &self.points[first..];
        let gap = corners.iter().map(|c| normal.dot(c.b - c.a)).fold(f64::INFINITY, f64::min);
        let low = corners.iter().fold(DVec3::INFINITY, |m, c| m.min(c.a).min(c.b));
        let high = corners.iter().fold(DVec3::NEG_INFINITY, |m, c| m.max(c.a).max(c.b));
        let points = (first as u32, self.points.len() as u32);
        self.list.push(Candidate { normal, a, b, points, gap, bounds: (low, high) });
    }
}

/// What was found of a candidate, in the frame of a view.
#[derive(Clone, Copy)]
pub struct Found<'c> {
    /// From the view's own shape to the other, unit.
    pub normal: DVec3,
    /// The corners of the region; `a` on the own shape.
    pub corners: &'c [Across],
}
