//! Certificates: bounds of a distance that do not rest on the search.
//!
//! For a unit direction n, no point of A is farther along n than its farthest vertex, none of B less far than its
//! nearest. The difference is a lower bound of the distance; the distance of any two points is an upper bound.

use std::collections::BTreeSet;

use glam::DVec3;

use super::{Closest, ConvexPolyhedron, Pair, RelativePose};
use crate::shape::features::FeatureId;
use crate::sorting::inserted;

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
pub(super) fn rounding(a: &ConvexPolyhedron, b: &ConvexPolyhedron, relative_pose: &RelativePose) -> f64 {
    UNITS * f64::EPSILON * (a.reach() + b.reach() + relative_pose.translation().length())
}

/// The bounds that the closest points and their features give: the best of the directions that the features suggest.
pub fn certify(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    closest: &Closest,
) -> Certificate {
    let directions = Directions::new(a, b, relative_pose, closest);
    directions.best(closest, directions.of_pair(closest.pair))
}

/// The bounds that the closest points give with the directions of all features around theirs, if these are tight.
///
/// Near points say little of the direction between them. If that is all there is, as between vertices, and features
/// around them are nearly parallel, then only those tell how to turn it.
pub(super) fn certify_around(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    closest: &Closest,
) -> Option<Certificate> {
    let around = [around(a, &corners(a, closest.pair.a)), around(b, &corners(b, closest.pair.b))];
    let directions = Directions::new(a, b, relative_pose, closest);
    // No lower bound is above the difference of the two points along its direction.
    let least = directions.offset.length() - rounding(a, b, relative_pose);
    let hopeful = directions.of_features(&around).filter(|n| n.dot(directions.offset) >= least);
    Some(directions.best(closest, hopeful)).filter(Certificate::is_tight)
}

/// The bounds that the closest points give with the directions of some features of A and some of B.
pub(super) fn certify_between(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    closest: &Closest,
    features: &[Vec<FeatureId>; 2],
) -> Certificate {
    let directions = Directions::new(a, b, relative_pose, closest);
    directions.best(closest, directions.of_features(features))
}

/// The vertices of a feature.
pub(super) fn corners(solid: &ConvexPolyhedron, feature: FeatureId) -> Vec<u32> {
    match feature {
        FeatureId::Vertex(v) => vec![v],
        FeatureId::Edge(e) => solid.edge(e).to_vec(),
        FeatureId::Facet(f) => solid.corners(f).map(|(v, _)| v).collect(),
    }
}

/// Some vertices, their edges and the faces beside these, those of lower dimension first.
pub(super) fn around(solid: &ConvexPolyhedron, vertices: &[u32]) -> Vec<FeatureId> {
    let edges: BTreeSet<u32> = inserted(vertices.iter().flat_map(|&v| solid.edges_at(v).map(|(e, _)| e)));
    let faces: BTreeSet<u32> = inserted(edges.iter().flat_map(|&e| solid.faces_beside(e)));
    let vertices = vertices.iter().copied().map(FeatureId::Vertex);
    vertices.chain(edges.into_iter().map(FeatureId::Edge)).chain(faces.into_iter().map(FeatureId::Facet)).collect()
}

/// How far B is from A along a direction, m: by climbing from two features, in heights over the point `own` of A.
pub(super) fn separation(
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
    direction: DVec3,
    own: DVec3,
    offset: DVec3,
    start: Pair,
) -> f64 {
    let there = relative_pose.direction_to_b(direction);
    let other = relative_pose.point_of_a(own + offset);
    direction.dot(offset) - b.extent(-there, other, start.b) - a.extent(direction, own, start.a)
}

/// Unit directions from A to B, frame of A. A difference of two near points has few digits; normals of faces and cross
/// products of edges have all of theirs.
struct Directions<'p> {
    a: &'p ConvexPolyhedron,
    b: &'p ConvexPolyhedron,
    relative_pose: &'p RelativePose,
    /// From the closest point of A to that of B.
    offset: DVec3,
}

impl<'p> Directions<'p> {
    fn new(
        a: &'p ConvexPolyhedron,
        b: &'p ConvexPolyhedron,
        relative_pose: &'p RelativePose,
        closest: &Closest,
    ) -> Self {
        Self { a, b, relative_pose, offset: relative_pose.point_of_b(closest.points[1]) - closest.points[0] }
    }

    /// The best bounds of some directions; the first that are tight.
    fn best(&self, closest: &Closest, directions: impl Iterator<Item = DVec3>) -> Certificate {
        let Self { a, b, relative_pose, offset } = *self;
        let (upper, rounding) = (offset.length(), rounding(a, b, relative_pose));
        let mut best = Certificate { direction: DVec3::X, lower: f64::NEG_INFINITY, upper, rounding };
        for direction in directions {
            let lower = separation(a, b, relative_pose, direction, closest.points[0], offset, closest.pair);
            if lower > best.lower {
                best = Certificate { direction, lower, upper, rounding };
            }
            if best.is_tight() {
                break;
            }
        }
        best
    }

    /// Those of a pair of features, the surest first.
    fn of_pair(&self, pair: Pair) -> impl Iterator<Item = DVec3> {
        use FeatureId::{Edge, Facet};
        let first = match (pair.a, pair.b) {
            (Edge(e), Edge(d)) => self.of_edges(e, d),
            (Edge(_), Facet(_)) => self.of_b(pair.b),
            _ => self.of_a(pair.a).or_else(|| self.of_b(pair.b)),
        };
        let rest = std::iter::once_with(move || [self.of_a(pair.a), self.offset.try_normalize()]);
        first.into_iter().chain(rest.flatten().flatten())
    }

    /// Those of some features of A and some of B, each once.
    fn of_features(&self, features: &[Vec<FeatureId>; 2]) -> impl Iterator<Item = DVec3> {
        let edges = |k: usize| {
            let edge = |feature: &FeatureId| if let FeatureId::Edge(e) = *feature { Some(e) } else { None };
            features[k].iter().filter_map(edge)
        };
        let between = self.offset.try_normalize().into_iter();
        let single = features[0].iter().map(|&f| self.of_a(f)).chain(features[1].iter().map(|&f| self.of_b(f)));
        let crossed = edges(0).flat_map(move |e| edges(1).map(move |d| self.of_edges(e, d)));
        between.chain(single.chain(crossed).flatten())
    }

    fn of_a(&self, feature: FeatureId) -> Option<DVec3> {
        match feature {
            FeatureId::Facet(f) => Some(self.a.plane(f).normal),
            FeatureId::Edge(e) => across(self.a.edge_at(e).direction, self.offset),
            FeatureId::Vertex(_) => None,
        }
    }

    fn of_b(&self, feature: FeatureId) -> Option<DVec3> {
        match feature {
            FeatureId::Facet(f) => Some(-self.relative_pose.direction_of_b(self.b.plane(f).normal)),
            FeatureId::Edge(e) => across(self.relative_pose.direction_of_b(self.b.edge_at(e).direction), self.offset),
            FeatureId::Vertex(_) => None,
        }
    }

    /// The product of edges that are nearly parallel is across neither; turned about one that is across it, it is
    /// across both.
    fn of_edges(&self, e: u32, d: u32) -> Option<DVec3> {
        let own = self.a.edge_at(e).direction;
        let product = own.cross(self.relative_pose.direction_of_b(self.b.edge_at(d).direction));
        let towards = self.relative_pose.point_of_b(self.b.centre()) - self.a.centre();
        let sense = if product.dot(self.offset) != 0.0 { product.dot(self.offset) } else { product.dot(towards) };
        product.try_normalize().and_then(|n| across(own, if sense < 0.0 { -n } else { n }))
    }
}

/// The part of an offset across an edge, unit.
fn across(edge: DVec3, offset: DVec3) -> Option<DVec3> {
    (offset - edge * edge.dot(offset)).try_normalize()
}
