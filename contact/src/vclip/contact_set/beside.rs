//! The face of the solid beside features that pieces have alone.
//!
//! Where a piece ends in a notch of its solid or at a cut, its edge or vertex is often nearest to another piece, and
//! there is no contact at it. What holds the other piece there is the wall that ends at this feature.

use glam::DVec3;

use super::track::faces_at;
use crate::shape::features::FeatureId;
use crate::vclip::{ConvexPolyhedron, Pair, RelativePose};

/// Of the faces of the solids at or beside two features, that which keeps the two polyhedra apart best, with the vertices
/// of the other feature, and with the one of the other polyhedron that is nearest to the face's plane, or deepest below it.
/// None without such a face.
pub(super) fn faces_beside(
    pair: Pair,
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    relative_pose: &RelativePose,
) -> Vec<Pair> {
    if !a.is_piece() && !b.is_piece() {
        return Vec::new();
    }
    let of_a = best(pair.a, a, b, relative_pose);
    let of_b = best(pair.b, b, a, &relative_pose.exchanged());
    match (of_a, of_b) {
        (Some((gap, face)), of_b) if of_b.is_none_or(|(other, _)| gap >= other) => with_vertices(face, pair.b, b),
        (_, Some((_, face))) => with_vertices(face, pair.a, a).into_iter().map(Pair::exchanged).collect(),
        (_, None) => Vec::new(),
    }
}

/// A face with its vertex, and with those of a feature of the vertex's polyhedron.
fn with_vertices(face: Pair, feature: FeatureId, other: &ConvexPolyhedron) -> Vec<Pair> {
    let vertices = match feature {
        FeatureId::Vertex(v) => vec![v],
        FeatureId::Edge(e) => other.edge(e).to_vec(),
        FeatureId::Facet(_) => Vec::new(),
    };
    let of_feature = vertices.into_iter().map(|v| Pair { b: FeatureId::Vertex(v), ..face });
    std::iter::once(face).chain(of_feature.filter(|pair| *pair != face)).collect()
}

/// The best of the faces at or beside a feature of the first, and the gap to the nearest vertex of the second, m.
fn best(
    feature: FeatureId,
    own: &ConvexPolyhedron,
    other: &ConvexPolyhedron,
    relative_pose: &RelativePose,
) -> Option<(f64, Pair)> {
    let nearest = |f: u32| {
        let plane = own.plane(f);
        let towards: DVec3 = -relative_pose.direction_to_b(plane.normal);
        let v = other.support(towards, 0);
        let gap = plane.height(relative_pose.point_of_b(other.vertices()[v as usize]));
        let pair = Pair { a: FeatureId::Facet(f), b: FeatureId::Vertex(v) };
        other.allows(pair.b, towards).then_some((gap, pair))
    };
    let faces = faces_around(own, feature).into_iter().filter(|&f| !own.is_cut(f));
    faces.filter_map(nearest).max_by(|x, y| x.0.total_cmp(&y.0).then(y.1.cmp(&x.1)))
}

/// The faces at a feature, or a face and those around it.
fn faces_around(solid: &ConvexPolyhedron, feature: FeatureId) -> Vec<u32> {
    let FeatureId::Facet(f) = feature else { return faces_at(solid, feature) };
    let mut faces: Vec<u32> = solid.corners(f).flat_map(|(_, e)| solid.faces_beside(e)).collect();
    faces.sort_unstable();
    faces.dedup();
    faces
}
