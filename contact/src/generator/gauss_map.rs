//! The Gauss map of a tetrahedron: which feature has a given direction among its outward normals (assessment paper,
//! appendix B, BESTNORMAL). Features of higher dimension come first.

use num_traits::{Float, One, Zero};
use serde::{Deserialize, Serialize};

use super::tetrahedron::Tetrahedron;
use crate::precision::Vector;

/// Corners of the faces, counter-clockwise; face k is opposite vertex k.
const FACES: [[usize; 3]; 4] = [[1, 2, 3], [2, 0, 3], [0, 1, 3], [0, 2, 1]];

/// Edges from the lower to the higher vertex, with the face that runs along them and the face that runs against.
const EDGES: [([usize; 2], [usize; 2]); 6] =
    [([1, 2], [0, 3]), ([2, 3], [0, 1]), ([1, 3], [2, 0]), ([0, 2], [3, 1]), ([0, 3], [1, 2]), ([0, 1], [2, 3])];

/// A feature and the normal that it offers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestNormal<V> {
    /// 2 for a face, 1 for an edge, 0 for a vertex.
    pub dimension: usize,
    /// Unit: the normal of the face, else the direction itself.
    pub normal: V,
}

/// Which of several faces within the cone is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaceSearch {
    /// The one closest to the direction.
    Closest,
    /// The first in the order of faces.
    First,
}

/// The feature whose normals contain the unit direction `s`, every set of normals fattened to a cone of `tolerance`
/// (the cosine of its half angle); `None` if rounding hides all of them.
pub fn best_normal<V: Vector>(
    tetrahedron: &Tetrahedron<V>,
    s: V,
    search: FaceSearch,
    tolerance: V::Real,
) -> Option<BestNormal<V>> {
    let normals = FACES.map(|face| {
        let [p0, p1, p2] = face.map(|i| tetrahedron.points[i]);
        (p1 - p0).cross(p2 - p0).unit()
    });
    let mut face: Option<(V::Real, V)> = None;
    for normal in normals {
        let cosine = s.dot(normal);
        let is_better = match (search, face) {
            (_, None) => true,
            (FaceSearch::First, Some(_)) => false,
            (FaceSearch::Closest, Some((best, _))) => cosine > best,
        };
        if cosine >= tolerance && is_better {
            face = Some((cosine, normal));
        }
    }
    if let Some((_, normal)) = face {
        return Some(BestNormal { dimension: 2, normal });
    }
    if (0..6).any(|e| is_normal_of_edge(tetrahedron, &normals, e, s, tolerance)) {
        return Some(BestNormal { dimension: 1, normal: s });
    }
    (0..4).any(|v| is_normal_of_vertex(tetrahedron, &normals, v, s)).then_some(BestNormal { dimension: 0, normal: s })
}

/// Whether `s` is within the cone about the plane across the edge, between the normals of its faces.
fn is_normal_of_edge<V: Vector>(
    tetrahedron: &Tetrahedron<V>,
    normals: &[V; 4],
    edge: usize,
    s: V,
    tolerance: V::Real,
) -> bool {
    let ([start, end], [left, right]) = EDGES[edge];
    let direction = tetrahedron.points[end] - tetrahedron.points[start];
    let (left, right) = (normals[left], normals[right]);
    let across = s - direction * s.dot(direction) / direction.dot(direction);
    if across.dot(across) < V::WORKING_PRECISION {
        return false;
    }
    let cosine = s.dot(across.unit()).max(-V::Real::one()).min(V::Real::one());
    if cosine < tolerance {
        return false;
    }
    if direction.dot(left.cross(right)) > V::Real::zero() {
        direction.dot(s.cross(right)) >= V::Real::zero() && direction.dot(left.cross(s)) >= V::Real::zero()
    } else {
        let is_outside =
            direction.dot(right.cross(s)) > V::Real::zero() && direction.dot(s.cross(left)) > V::Real::zero();
        !is_outside
    }
}

/// Whether `s` is on the vertex's side of the arcs of all its edges.
fn is_normal_of_vertex<V: Vector>(tetrahedron: &Tetrahedron<V>, normals: &[V; 4], vertex: usize, s: V) -> bool {
    EDGES.iter().filter(|(ends, _)| ends.contains(&vertex)).all(|&([start, end], [left, right])| {
        let (other, left, right) = if start == vertex { (end, left, right) } else { (start, right, left) };
        let direction = tetrahedron.points[other] - tetrahedron.points[vertex];
        let (left, right) = (normals[left], normals[right]);
        let is_acute = direction.dot(left.cross(right)) > V::Real::zero();
        let side = if is_acute { right.cross(left) } else { left.cross(right) };
        s.dot(side) > V::Real::zero()
    })
}

#[cfg(test)]
mod tests {
    use super::super::tetrahedron::FACE_VERTICES;
    use super::*;
    use glam::DVec3;

    fn corner() -> Tetrahedron<DVec3> {
        Tetrahedron::alone([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z])
    }

    #[test]
    fn edges_name_the_faces_that_run_along_and_against() {
        for ([i, j], [left, right]) in EDGES {
            let runs = |face: [usize; 3], from, to| (0..3).any(|k| face[k] == from && face[(k + 1) % 3] == to);
            assert!(runs(FACE_VERTICES[left], i, j) && runs(FACE_VERTICES[right], j, i));
        }
    }

    #[test]
    fn the_dimension_falls_with_the_distance_from_the_face_normal() {
        let find =
            |s: DVec3| best_normal(&corner(), s.normalize(), FaceSearch::Closest, 4f64.to_radians().cos()).unwrap();
        assert_eq!(find(DVec3::new(0.01, 0.0, -1.0)), BestNormal { dimension: 2, normal: -DVec3::Z });
        let between = DVec3::new(-1.0, 0.0, -1.0).normalize();
        let found = find(between);
        assert!(found.dimension == 1 && (found.normal - between).length() < 1e-15);
        let off = DVec3::new(-1.0, -1.0, -1.0).normalize();
        let found = find(off);
        assert!(found.dimension == 0 && (found.normal - off).length() < 1e-15);
    }
}
