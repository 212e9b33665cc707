//! Following a pair of features: its closest points as the bodies move (paper, section 3.2).

use glam::DVec3;

use crate::shape::features::FeatureId;
use crate::vclip::{ConvexPolyhedron, Pair, Placing};

/// Where the features of a contact are, frame of A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tracked {
    /// The point on the feature of A and that on the feature of B, m.
    pub points: [DVec3; 2],
    /// From A to B, unit.
    pub normal: DVec3,
    /// Along the normal from the point of A to that of B, m: negative where the features have passed each other.
    pub gap: f64,
}

impl Tracked {
    /// Midway between the two points, m.
    pub fn middle(&self) -> DVec3 {
        0.5 * (self.points[0] + self.points[1])
    }
}

/// Two points that are nearer than this share of what their coordinates are do not tell a direction.
const NEAR: f64 = 1e-9;

/// The closest points of two features, by their own geometry alone, and the pair's name there; `None` if they do not face
/// each other. A vertex beside its edge has that of the face that it is above.
pub fn track(pair: Pair, a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing) -> Option<(Pair, Tracked)> {
    use FeatureId::{Edge, Facet, Vertex};
    if !(a.has(pair.a) && b.has(pair.b)) {
        return None;
    }
    match (pair.a, pair.b) {
        (Vertex(v), Vertex(w)) => {
            let points = [a.vertices()[v as usize], placing.point_of_b(b.vertices()[w as usize])];
            let outward = outward_at(a, v) - placing.direction_of_b(outward_at(b, w));
            Some((pair, between(points, outward)?))
        }
        (Vertex(v), _) => {
            let (feature, tracked) = vertex(v, pair.b, a, b, placing)?;
            Some((Pair { b: feature, ..pair }, tracked))
        }
        (_, Vertex(v)) => {
            let (feature, tracked) = vertex(v, pair.a, b, a, &placing.exchanged())?;
            let [p, q] = tracked.points.map(|x| placing.point_of_b(x));
            let normal = -placing.direction_of_b(tracked.normal);
            Some((Pair { a: feature, ..pair }, Tracked { points: [q, p], normal, ..tracked }))
        }
        (Edge(e), Edge(d)) => Some((pair, edges(e, d, a, b, placing)?)),
        (Facet(_) | Edge(_), Facet(_) | Edge(_)) => None,
    }
}

/// Vertex `v` of a body against an edge or face of another, frame of the vertex's body.
fn vertex(
    v: u32,
    feature: FeatureId,
    own: &ConvexPolyhedron,
    other: &ConvexPolyhedron,
    placing: &Placing,
) -> Option<(FeatureId, Tracked)> {
    let x = own.vertices()[v as usize];
    let there = placing.point_of_a(x);
    match feature {
        // Case 2 of the paper.
        FeatureId::Facet(f) => {
            if other.sides_of(f).iter().any(|side| side.plane.height(there) < 0.0) {
                return None;
            }
            let plane = other.plane(f);
            let gap = plane.height(there);
            let points = [x, placing.point_of_b(there - plane.normal * gap)];
            Some((feature, Tracked { points, normal: -placing.direction_of_b(plane.normal), gap }))
        }
        // Case 1.
        FeatureId::Edge(e) => {
            let edge = other.edge_at(e);
            if edge.planes[..2].iter().any(|plane| plane.height(there) < 0.0) {
                return None;
            }
            for k in [0, 1] {
                let is_above = other.plane(edge.faces[k]).height(there) > -edge.planes[2 + k].height(there).abs();
                if edge.planes[2 + k].height(there) < 0.0 && is_above {
                    return vertex(v, FeatureId::Facet(edge.faces[k]), own, other, placing);
                }
            }
            let tail = other.vertices()[edge.ends[0] as usize];
            let nearest = tail + edge.direction * edge.direction.dot(there - tail);
            let edge_outward: DVec3 = edge.faces.iter().map(|&f| other.plane(f).normal).sum();
            let outward = outward_at(own, v) - placing.direction_of_b(edge_outward);
            Some((feature, between([x, placing.point_of_b(nearest)], outward)?))
        }
        FeatureId::Vertex(_) => None,
    }
}

/// Case 3 of the paper, with the squared sine in place of 1 − k², and the edges' common normal for the direction.
fn edges(e: u32, d: u32, a: &ConvexPolyhedron, b: &ConvexPolyhedron, placing: &Placing) -> Option<Tracked> {
    let (own, other) = (a.edge_at(e), b.edge_at(d));
    let (p, u) = (a.vertices()[own.ends[0] as usize], own.direction);
    let q = placing.point_of_b(b.vertices()[other.ends[0] as usize]);
    let w = placing.direction_of_b(other.direction);
    let across = u.cross(w);
    let squared_sine = across.length_squared();
    if squared_sine < super::PARALLEL * super::PARALLEL {
        return None;
    }
    let along_own = (q - p).cross(w).dot(across) / squared_sine;
    let along_other = (q - p).cross(u).dot(across) / squared_sine;
    let is_on = |s: f64, length: f64| (0.0..=length).contains(&s);
    if !(is_on(along_own, own.length) && is_on(along_other, other.length)) {
        return None;
    }
    let outward =
        |solid: &ConvexPolyhedron, faces: [u32; 2]| -> DVec3 { faces.map(|f| solid.plane(f).normal).iter().sum() };
    let apart = outward(a, own.faces) - placing.direction_of_b(outward(b, other.faces));
    let normal = across.normalize() * if across.dot(apart) < 0.0 { -1.0 } else { 1.0 };
    let points = [p + u * along_own, q + w * along_other];
    Some(Tracked { points, normal, gap: normal.dot(points[1] - points[0]) })
}

/// The direction from one point to another, or out of both bodies where the points are too near to tell, or have passed
/// each other.
fn between(points: [DVec3; 2], outward: DVec3) -> Option<Tracked> {
    let offset = points[1] - points[0];
    let outward = outward.try_normalize()?;
    let size = points[0].abs().max_element().max(points[1].abs().max_element());
    if offset.length() <= NEAR * size {
        return Some(Tracked { points, normal: outward, gap: outward.dot(offset) });
    }
    let (normal, gap) = (offset.normalize(), offset.length());
    let sense = if normal.dot(outward) < 0.0 { -1.0 } else { 1.0 };
    Some(Tracked { points, normal: normal * sense, gap: gap * sense })
}

/// Out of a body at a vertex: against the sum of its edges' directions.
fn outward_at(solid: &ConvexPolyhedron, vertex: u32) -> DVec3 {
    solid.spokes_of(vertex).iter().map(|spoke| spoke.plane.normal).sum()
}
