//! Candidates of a surface and a polyhedron: vertex over triangle, crossing edges, facet over vertex.

use glam::{DMat3, DVec3};

use super::{EdgeKind, Found, Near, Other, Place};
use crate::generator::semi_local::SemiLocal;
use crate::generator::semi_local::above::is_above;
use crate::generator::semi_local::candidate::Limits;
use crate::shape::Polyhedron;
use crate::shape::features::{FeatureId, Features, Placement};

/// Edges whose directions span a parallelogram of less than this share of a square have no cross product to speak of.
const PARALLEL: f64 = 1e-6;

/// Two features of a pair.
struct Pair<'s> {
    near: &'s Near<'s>,
    features: &'s Features,
    placement: Placement,
    limits: Limits,
    cone: f64,
}

/// Appends the candidates, and returns whether a vertex lies deeper behind a triangle than features are looked for. The lists are scratch
/// space.
pub fn add(
    near: &Near<'_>,
    shape: &Polyhedron,
    settings: &SemiLocal,
    (pairs, ring): (&mut Vec<(u32, u32)>, &mut Vec<u32>),
    found: &mut Vec<Found>,
) -> bool {
    let features = shape.features();
    let placement = Placement { rotation: DMat3::from_quat(near.pose.rotation), translation: near.pose.translation };
    let lengths = near.lengths;
    let limits = Limits { envelope: lengths.envelope, depth: lengths.depth, same: lengths.same };
    let pair = Pair { near, features, placement, limits, cone: settings.angles.cone };
    let margin = lengths.envelope.max(lengths.depth);
    pairs.clear();
    for (t, triangle) in (0_u32..).zip(near.triangles) {
        let corners = triangle.corners.map(|p| placement.inverse_point(p));
        let [p, q, r] = corners;
        let (low, high) = (p.min(q).min(r) - margin, p.max(q).max(r) + margin);
        features.tree().leaves_within(low, high, |facet| pairs.push((t, facet)));
    }
    pairs.sort_unstable();
    let mut is_deep = false;
    for &(t, f) in pairs.iter() {
        for &v in features.owned_vertices(f) {
            is_deep |= pair.add_vertex(t, v, found);
        }
    }
    for &(t, f) in pairs.iter() {
        for (side, edge) in near.triangles[t as usize].edges.iter().enumerate() {
            if edge.is_owned && matches!(edge.kind, EdgeKind::Convex | EdgeKind::Border) {
                for &e in features.owned_edges(f) {
                    pair.add_crossing(t, side, e, found);
                }
            }
        }
        for corner in corners_of(near, t) {
            pair.add_corner(corner, f, ring, found);
        }
    }
    is_deep
}

/// The vertices that are looked at with a triangle.
fn corners_of<'n>(near: &'n Near<'_>, t: u32) -> impl Iterator<Item = &'n super::Corner> {
    near.triangles[t as usize].vertices.into_iter().filter_map(move |v| {
        let k = near.corners.binary_search_by_key(&v, |corner| corner.vertex).ok()?;
        Some(&near.corners[k]).filter(|corner| corner.triangle == t && corner.is_feature)
    })
}

impl Pair<'_> {
    fn is_in_range(&self, gap: f64) -> bool {
        gap <= self.limits.envelope && gap >= -self.limits.depth
    }

    /// A vertex of the polyhedron over or under a triangle. Returns whether it is too deep for a contact.
    fn add_vertex(&self, t: u32, v: u32, found: &mut Vec<Found>) -> bool {
        let (triangle, vertex) = (&self.near.triangles[t as usize], &self.features.vertices()[v as usize]);
        let other = self.placement.point(vertex.position);
        let gap = triangle.height(other);
        if gap > self.limits.envelope
            || !triangle.is_over(other, self.limits.same)
            || !vertex.supports(-self.placement.inverse_direction(triangle.normal), self.cone)
        {
            return false;
        }
        if gap < -self.limits.depth {
            return true;
        }
        let (own, normal) = (other - triangle.normal * gap, triangle.normal);
        let feature = Other::OfPolyhedron(FeatureId::Vertex(v));
        found.push(Found { own, other, normal, gap, place: Place::Triangle(t), feature });
        false
    }

    /// An edge of the surface and one of the polyhedron that cross.
    fn add_crossing(&self, t: u32, side: usize, e: u32, found: &mut Vec<Found>) {
        let (triangle, edge) = (&self.near.triangles[t as usize], &self.features.edges()[e as usize]);
        if !edge.is_convex {
            return;
        }
        let [p, q] = [triangle.corners[side], triangle.corners[(side + 1) % 3]];
        let length = p.distance(q);
        let own = (q - p) / length;
        let direction = self.placement.direction(edge.direction);
        let across = own.cross(direction);
        let sine = across.length();
        if sine <= PARALLEL {
            return;
        }
        let across = across / sine;
        let supports = |n: DVec3| {
            self.near.edge_supports(triangle, side, n, self.cone)
                && edge.supports(-self.placement.inverse_direction(n), self.cone)
        };
        let Some(normal) = [across, -across].into_iter().find(|&n| supports(n)) else { return };
        let [r, s] = edge.vertices.map(|v| self.placement.point(self.features.vertices()[v as usize].position));
        let between = r - p;
        let gap = normal.dot(between);
        if !self.is_in_range(gap) {
            return;
        }
        // The nearest points of two lines, by their distances from p and r.
        let (along, cosine, back) = (own.dot(between), own.dot(direction), direction.dot(between));
        let at_own = (along - cosine * back) / (sine * sine);
        let at_other = (cosine * along - back) / (sine * sine);
        let is_on = |at: f64, length: f64| at >= -self.limits.same && at <= length + self.limits.same;
        if is_on(at_own, length) && is_on(at_other, r.distance(s)) {
            let (own, other) = (p + own * at_own, r + direction * at_other);
            let feature = Other::OfPolyhedron(FeatureId::Edge(e));
            found.push(Found { own, other, normal, gap, place: Place::Edge(t, side as u32), feature });
        }
    }

    /// A vertex of the surface over or under a facet of the polyhedron.
    fn add_corner(&self, corner: &super::Corner, f: u32, ring: &mut Vec<u32>, found: &mut Vec<Found>) {
        let facet = &self.features.facets()[f as usize];
        let own = self.near.surface.vertex(corner.vertex);
        let at = self.placement.inverse_point(own);
        let gap = facet.height(at);
        let normal = -self.placement.direction(facet.normal);
        if self.is_in_range(gap)
            && is_above(self.features, f, at, &self.limits)
            && self.near.vertex_supports(corner, normal, self.cone, ring)
        {
            let (other, place) = (own + normal * gap, self.near.place_of(corner));
            let feature = Other::OfPolyhedron(FeatureId::Facet(f));
            found.push(Found { own, other, normal, gap, place, feature });
        }
    }
}
