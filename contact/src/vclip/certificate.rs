//! Certificates: bounds of a distance that do not rest on the search.
//!
//! For a unit direction n, no point of A is farther along n than its farthest vertex, none of B less far than its nearest.
//! The difference is a lower bound of the distance; the distance of any two points is an upper bound.

use std::collections::BTreeSet;

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
    let reach = |solid: &ConvexPolyhedron| solid.radius() + solid.centre().length();
    UNITS * f64::EPSILON * (reach(a) + reach(b) + placing.parts().1.length())
}

/// The bounds that the closest points and their features give: the best of the directions that the features suggest.
pub fn certify(a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing, closest: &Closest) -> Certificate {
    let offset = placing.point_of_b(closest.points[1]) - closest.points[0];
    best_of(a, b, placing, closest, directions(a, b, placing, closest.pair, offset).into_iter().flatten())
}

/// The bounds that the closest points give with the directions of all features around theirs.
///
/// Near points say little of the direction between them. If that is all there is, as between vertices, and features
/// around them are nearly parallel, then only those tell how to turn it.
pub(super) fn certify_around(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    placing: &Placing,
    closest: &Closest,
) -> Certificate {
    let around = [around(a, &corners(a, closest.pair.a)), around(b, &corners(b, closest.pair.b))];
    certify_between(a, b, placing, closest, &around)
}

/// The bounds that the closest points give with the directions of some features of A and some of B.
pub(super) fn certify_between(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    placing: &Placing,
    closest: &Closest,
    features: &[Vec<FeatureId>; 2],
) -> Certificate {
    let offset = placing.point_of_b(closest.points[1]) - closest.points[0];
    let pairs = features[0].iter().flat_map(|&a| features[1].iter().map(move |&b| Pair { a, b }));
    best_of(a, b, placing, closest, pairs.flat_map(|pair| directions(a, b, placing, pair, offset)).flatten())
}

/// The best bounds of some directions; the first that are tight.
fn best_of(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    placing: &Placing,
    closest: &Closest,
    directions: impl Iterator<Item = DVec3>,
) -> Certificate {
    let own = closest.points[0];
    let offset = placing.point_of_b(closest.points[1]) - own;
    let start = (a.vertex_of(closest.pair.a), b.vertex_of(closest.pair.b));
    let (upper, rounding) = (offset.length(), rounding(a, b, placing));
    let mut best = Certificate { direction: DVec3::X, lower: f64::NEG_INFINITY, upper, rounding };
    for direction in directions {
        let lower = separation(a, b, placing, direction, own, offset, start);
        if lower > best.lower {
            best = Certificate { direction, lower, upper, rounding };
        }
        if best.is_tight() {
            break;
        }
    }
    best
}

fn corners(solid: &ConvexPolyhedron, feature: FeatureId) -> Vec<u32> {
    match feature {
        FeatureId::Vertex(v) => vec![v],
        FeatureId::Edge(e) => solid.edge(e).to_vec(),
        FeatureId::Facet(f) => solid.corners(f).map(|(v, _)| v).collect(),
    }
}

/// Some vertices, their edges and the faces beside these, those of lower dimension first.
pub(super) fn around(solid: &ConvexPolyhedron, vertices: &[u32]) -> Vec<FeatureId> {
    let edges: BTreeSet<u32> = vertices.iter().flat_map(|&v| solid.edges_at(v).map(|(e, _)| e)).collect();
    let faces: BTreeSet<u32> = edges.iter().flat_map(|&e| solid.faces_beside(e)).collect();
    let vertices = vertices.iter().copied().map(FeatureId::Vertex);
    vertices.chain(edges.into_iter().map(FeatureId::Edge)).chain(faces.into_iter().map(FeatureId::Facet)).collect()
}

/// How far B is from A along a direction, m: by climbing from two vertices, in heights over the point `own` of A.
pub(super) fn separation(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    placing: &Placing,
    direction: DVec3,
    own: DVec3,
    offset: DVec3,
    start: (u32, u32),
) -> f64 {
    let there = placing.direction_to_b(direction);
    let farthest = a.vertices()[a.support(direction, start.0) as usize];
    let nearest = b.vertices()[b.support(-there, start.1) as usize];
    let other = placing.point_of_a(own + offset);
    direction.dot(offset) + there.dot(nearest - other) - direction.dot(farthest - own)
}

/// Unit directions from A to B, frame of A, the surest first. A difference of two near points has few digits; normals of
/// faces and cross products of edges have all of theirs.
fn directions(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    placing: &Placing,
    pair: Pair,
    offset: DVec3,
) -> [Option<DVec3>; 3] {
    let between = offset.try_normalize();
    let by_features = match (pair.a, pair.b) {
        (FeatureId::Facet(f), _) => [Some(a.plane(f).normal), None],
        (_, FeatureId::Facet(f)) => [Some(-placing.direction_of_b(b.plane(f).normal)), None],
        (FeatureId::Edge(e), FeatureId::Edge(d)) => {
            let own = a.edge_at(e).direction;
            let normal = own.cross(placing.direction_of_b(b.edge_at(d).direction));
            let towards = placing.point_of_b(b.centre()) - a.centre();
            let sense = if normal.dot(offset) != 0.0 { normal.dot(offset) } else { normal.dot(towards) };
            // The product of edges that are nearly parallel is across neither; turned about one that is across it, it is
            // across both.
            let normal = normal.try_normalize().and_then(|n| across(own, if sense < 0.0 { -n } else { n }));
            [normal, across(own, offset)]
        }
        (FeatureId::Edge(e), _) => [across(a.edge_at(e).direction, offset), None],
        (_, FeatureId::Edge(e)) => [across(placing.direction_of_b(b.edge_at(e).direction), offset), None],
        _ => [None; 2],
    };
    [by_features[0], by_features[1], between]
}

/// The part of an offset across an edge, unit.
fn across(edge: DVec3, offset: DVec3) -> Option<DVec3> {
    (offset - edge * edge.dot(offset)).try_normalize()
}
