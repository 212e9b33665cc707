//! Certificates: bounds of a distance that do not rest on the search.
//!
//! For a unit direction n, no point of A is farther along n than its farthest vertex, none of B less far than its nearest.
//! The difference is a lower bound of the distance; the distance of any two points is an upper bound.

use glam::DVec3;

use super::{Closest, ConvexPolyhedron, Pair, Placing};
use crate::shape::features::FeatureId;

/// What is known of a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certificate {
    /// From A to B, unit, frame of A.
    pub direction: DVec3,
    /// The polyhedra are at least this far apart along the direction, m.
    pub lower: f64,
    /// They have points no farther apart than this, m.
    pub upper: f64,
    /// What rounding may make of the difference, m: a few units in the last place of the coordinates.
    pub rounding: f64,
}

impl Certificate {
    /// Whether the two bounds are one but for rounding.
    pub fn is_tight(&self) -> bool {
        self.upper - self.lower <= self.rounding
    }
}

/// Units in the last place by which bounds may differ: some twenty roundings of coordinates go into them.
const UNITS: f64 = 16.0;

/// What a few units in the last place of all coordinates are, m.
pub(super) fn rounding(a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing) -> f64 {
    UNITS * f64::EPSILON * (a.reach() + b.reach() + placing.translation().length())
}

/// The bounds that the closest points and their features give: the best of the directions that the features suggest.
pub fn certify(a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing, closest: &Closest) -> Certificate {
    let [own, other] = closest.points;
    let offset = placing.point_of_b(other) - own;
    let (upper, rounding) = (offset.length(), rounding(a, b, placing));
    let start = closest.pair;
    let bounds = |direction: DVec3| {
        let lower = separation(a, b, placing, direction, own, offset, start);
        Certificate { direction, lower, upper, rounding }
    };
    // Normals of faces and cross products of edges have all of their digits, a difference of two near points has few.
    let first = by_features(a, b, placing, closest.pair, offset).map(bounds);
    if let Some(first) = first
        && first.is_tight()
    {
        return first;
    }
    let second = offset.try_normalize().map(bounds);
    match (first, second) {
        (Some(first), Some(second)) if second.lower > first.lower => second,
        (Some(first), _) => first,
        (None, Some(second)) => second,
        (None, None) => Certificate { direction: DVec3::X, lower: f64::NEG_INFINITY, upper, rounding },
    }
}

/// How far B is from A along a direction, m: by climbing from two features, in heights over the point `own` of A.
pub(super) fn separation(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    placing: &Placing,
    direction: DVec3,
    own: DVec3,
    offset: DVec3,
    start: Pair,
) -> f64 {
    let there = placing.direction_to_b(direction);
    let other = placing.point_of_a(own + offset);
    direction.dot(offset) - b.extent(-there, other, start.b) - a.extent(direction, own, start.a)
}

/// The unit direction from A to B that the features suggest, frame of A.
fn by_features(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    placing: &Placing,
    pair: Pair,
    offset: DVec3,
) -> Option<DVec3> {
    match (pair.a, pair.b) {
        (FeatureId::Facet(f), _) => Some(a.plane(f).normal),
        (_, FeatureId::Facet(f)) => Some(-placing.direction_of_b(b.plane(f).normal)),
        (FeatureId::Edge(e), FeatureId::Edge(d)) => {
            let across = a.edge_at(e).direction.cross(placing.direction_of_b(b.edge_at(d).direction));
            let sense = match across.dot(offset) {
                0.0 => across.dot(placing.point_of_b(b.centre()) - a.centre()),
                sense => sense,
            };
            across.try_normalize().map(|n| if sense < 0.0 { -n } else { n })
        }
        (FeatureId::Edge(e), _) => across(a.edge_at(e).direction, offset),
        (_, FeatureId::Edge(e)) => across(placing.direction_of_b(b.edge_at(e).direction), offset),
        _ => None,
    }
}

/// The part of an offset across an edge, unit.
fn across(edge: DVec3, offset: DVec3) -> Option<DVec3> {
    (offset - edge * edge.dot(offset)).try_normalize()
}
