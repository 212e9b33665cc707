//! Feature promotion: the whole region of contact from one pair of closest features, where faces or edges beside them
//! are parallel. An alternative to the search in time, which finds the same pairs one after the other.
//!
//! Of each polyhedron the face or edge is taken that faces the other most squarely. Two faces are clipped against each
//! other, an edge against a face, an edge against a parallel edge: the corners of what is left are vertices over faces,
//! crossing edges, and vertices beside edges.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::shape::features::FeatureId;
use crate::sorting::CompactSort;
use crate::vclip::polyhedron::Plane;
use crate::vclip::{Closest, ConvexPolyhedron, Pair, RelativePose};

/// When features are promoted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promotion {
    /// Faces and edges that are tilted against each other by no more than this are parallel, rad.
    pub angle: f64,
}

impl Default for Promotion {
    /// 2 mrad, as in the University of British Columbia's V-Clip.
    fn default() -> Self {
        Self { angle: 2e-3 }
    }
}

/// A corner of the region on its way through the clipping: a point, and the features of both bodies that meet there.
#[derive(Clone, Copy, Debug)]
struct Corner {
    /// Frame of A, m.
    point: DVec3,
    pair: Pair,
    /// The feature between this corner and the next: an edge of the clipped polygon, or of what clipped it.
    next: Border,
}

/// What bounds the region from a corner to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Border {
    /// An edge of the polygon that is clipped.
    Clipped(u32),
    /// An edge of the face that clips.
    Clipping(u32),
}

/// The pairs of features at the corners of the region around a pair of closest features; that pair alone if nothing
/// beside it is parallel.
pub fn promoted(
    settings: &Promotion,
    closest: &Closest,
    direction: DVec3,
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
) -> Vec<Pair> {
    let sine = libm::sin(settings.angle);
    let there = relative_pose.direction_to_b(-direction);
    let (own, other) = (squarest(a, closest.pair.a, direction, sine), squarest(b, closest.pair.b, there, sine));
    let mut pairs = match (own, other) {
        (FeatureId::Facet(f), FeatureId::Facet(g)) => face_face(f, g, a, b, relative_pose),
        (FeatureId::Facet(f), FeatureId::Edge(e)) => face_edge(f, e, a, b, relative_pose),
        (FeatureId::Edge(e), FeatureId::Facet(f)) => {
            face_edge(f, e, b, a, &relative_pose.exchanged()).into_iter().map(Pair::exchanged).collect()
        }
        (FeatureId::Edge(_), FeatureId::Edge(_)) => {
            super::canonical(Pair { a: own, b: other }, a, b, relative_pose, 0.0)
        }
        _ => Vec::new(),
    };
    if pairs.is_empty() {
        pairs.push(closest.pair);
    }
    pairs
}

/// The face, edge or vertex around a feature that faces a direction: a face whose normal is within the angle of it,
/// an edge across it within the angle, or the feature itself.
fn squarest(solid: &ConvexPolyhedron, feature: FeatureId, direction: DVec3, sine: f64) -> FeatureId {
    let (faces, edges): (Vec<u32>, Vec<u32>) = match feature {
        FeatureId::Facet(f) => (vec![f], Vec::new()),
        FeatureId::Edge(e) => (solid.faces_beside(e).to_vec(), vec![e]),
        FeatureId::Vertex(v) => {
            let edges: Vec<u32> = solid.edges_at(v).map(|(e, _)| e).collect();
            let mut faces: Vec<u32> = edges.iter().flat_map(|&e| solid.faces_beside(e)).collect();
            faces.sort_unstable();
            faces.dedup();
            (faces, edges)
        }
    };
    let tilt = |normal: DVec3| if normal.dot(direction) > 0.0 { normal.cross(direction).length() } else { 1.0 };
    let face = faces.into_iter().map(|f| (f, tilt(solid.plane(f).normal))).min_by(|x, y| x.1.total_cmp(&y.1));
    if let Some((f, _)) = face.filter(|(_, tilt)| *tilt <= sine) {
        return FeatureId::Facet(f);
    }
    let slope = |e: u32| solid.edge_at(e).direction.dot(direction).abs();
    let edge = edges.into_iter().map(|e| (e, slope(e))).min_by(|x, y| x.1.total_cmp(&y.1));
    match edge.filter(|(_, slope)| *slope <= sine) {
        Some((e, _)) => FeatureId::Edge(e),
        None => feature,
    }
}

/// The corners of where two faces lie over each other: B's face clipped by the sides of A's (Sutherland and Hodgman
/// 1974).
fn face_face(f: u32, g: u32, a: &ConvexPolyhedron, b: &ConvexPolyhedron, relative_pose: &RelativePose) -> Vec<Pair> {
    // Corners of B over the face of A, until something cuts them off.
    let mut region: Vec<Corner> = b
        .corners(g)
        .map(|(v, edge)| Corner {
            point: relative_pose.point_of_b(b.vertices()[v as usize]),
            pair: Pair { a: FeatureId::Facet(f), b: FeatureId::Vertex(v) },
            next: Border::Clipped(edge),
        })
        .collect();
    for side in a.sides_of(f) {
        let height = |corner: &Corner| side.plane.height(corner.point);
        let mut clipped = Vec::with_capacity(region.len() + 1);
        for (k, corner) in region.iter().enumerate() {
            let next = &region[(k + 1) % region.len()];
            let (here, there) = (height(corner), height(next));
            if here >= 0.0 {
                clipped.push(*corner);
            }
            if (here < 0.0) != (there < 0.0) {
                let point = corner.point.lerp(next.point, here / (here - there));
                let pair = match corner.next {
                    Border::Clipped(edge) => Pair { a: FeatureId::Edge(side.edge), b: FeatureId::Edge(edge) },
                    // Where two sides of A's face meet: its corner over the face of B.
                    Border::Clipping(edge) => {
                        Pair { a: FeatureId::Vertex(common_end(a, edge, side.edge)), b: FeatureId::Facet(g) }
                    }
                };
                let next = if there < 0.0 { Border::Clipping(side.edge) } else { corner.next };
                clipped.push(Corner { point, pair, next });
            }
        }
        region = clipped;
    }
    let mut pairs: Vec<Pair> = region.into_iter().map(|corner| corner.pair).collect();
    pairs.compact_sort();
    pairs.dedup();
    pairs
}

/// The vertex that two neighbouring sides of a face share.
fn common_end(solid: &ConvexPolyhedron, e: u32, d: u32) -> u32 {
    let [tail, head] = solid.edge(e);
    if solid.edge(d).contains(&tail) { tail } else { head }
}

/// The ends of where an edge of B lies over a face of A.
fn face_edge(f: u32, e: u32, a: &ConvexPolyhedron, b: &ConvexPolyhedron, relative_pose: &RelativePose) -> Vec<Pair> {
    let [tail, head] = b.edge(e);
    let ends = [tail, head].map(|v| relative_pose.point_of_b(b.vertices()[v as usize]));
    let over = |b: FeatureId| Pair { a: FeatureId::Facet(f), b };
    let mut low = (0.0, over(FeatureId::Vertex(tail)));
    let mut high = (1.0, over(FeatureId::Vertex(head)));
    for side in a.sides_of(f) {
        let height = |plane: &Plane, k: usize| plane.height(ends[k]);
        let (t, h) = (height(&side.plane, 0), height(&side.plane, 1));
        let crossing = Pair { a: FeatureId::Edge(side.edge), b: FeatureId::Edge(e) };
        match (t < 0.0, h < 0.0) {
            (true, true) => return Vec::new(),
            (true, false) if t / (t - h) > low.0 => low = (t / (t - h), crossing),
            (false, true) if t / (t - h) < high.0 => high = (t / (t - h), crossing),
            _ => {}
        }
    }
    if low.0 > high.0 { Vec::new() } else { vec![low.1, high.1] }
}
