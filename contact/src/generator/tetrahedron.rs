//! A placed tetrahedron: the element that the local methods work on.
//!
//! Numbering. Face k is opposite vertex k: (1,2,3), (0,3,2), (0,1,3), (0,2,1), outward for positive orientation.
//! Edges 0..6 join the vertices (0,1), (0,2), (0,3), (1,2), (1,3), (2,3).

use num_traits::{Float, Zero};
use serde::{Deserialize, Serialize};

use crate::precision::Vector;

/// The vertices of face k, counter-clockwise seen from outside.
pub const FACE_VERTICES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// The vertices of edge e.
pub const EDGE_VERTICES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// The two faces that meet in edge e.
pub const EDGE_FACES: [[usize; 2]; 6] = [[2, 3], [1, 3], [1, 2], [0, 3], [0, 2], [0, 1]];

/// The number of the edge between two different vertices.
pub fn edge_between([i, j]: [usize; 2]) -> usize {
    const NUMBER: [[usize; 4]; 4] = [[0, 0, 1, 2], [0, 0, 3, 4], [1, 3, 0, 5], [2, 4, 5, 0]];
    NUMBER[i][j]
}

/// A tetrahedron in world coordinates with the flags of its mesh.
#[derive(Clone, Copy, Debug)]
pub struct Tetrahedron<V> {
    /// Vertices, positively oriented, m.
    pub points: [V; 4],
    /// Whether face k lies on the surface of the mesh.
    pub surface_faces: [bool; 4],
    /// Whether edge e lies on the surface of the mesh (perhaps by faces of other tetrahedra).
    pub surface_edges: [bool; 6],
}

impl<V: Vector> Tetrahedron<V> {
    /// A tetrahedron that stands alone: everything on it is surface.
    pub fn alone(points: [V; 4]) -> Self {
        Tetrahedron { points, surface_faces: [true; 4], surface_edges: [true; 6] }
    }

    /// The corners of face k.
    #[inline]
    pub fn face(&self, k: usize) -> [V; 3] {
        let [u, v, w] = FACE_VERTICES[k];
        [self.points[u], self.points[v], self.points[w]]
    }

    /// The end points of edge e.
    #[inline]
    pub fn edge(&self, e: usize) -> [V; 2] {
        let [i, j] = EDGE_VERTICES[e];
        [self.points[i], self.points[j]]
    }

    /// From the first to the second end of each edge, m.
    #[inline]
    pub fn edge_vectors(&self) -> [V; 6] {
        let [p0, p1, p2, p3] = self.points;
        [p1 - p0, p2 - p0, p3 - p0, p2 - p1, p3 - p1, p3 - p2]
    }

    /// Whether a face of this very tetrahedron makes edge e a surface edge.
    #[inline]
    pub fn has_surface_face_at_edge(&self, e: usize) -> bool {
        EDGE_FACES[e].iter().any(|&k| self.surface_faces[k])
    }

    /// Whether a face of this very tetrahedron makes vertex i a surface vertex.
    #[inline]
    pub fn has_surface_face_at_vertex(&self, i: usize) -> bool {
        (0..4).any(|k| k != i && self.surface_faces[k])
    }

    /// The mean of the vertices.
    pub fn centre(&self) -> V {
        let [p0, p1, p2, p3] = self.points;
        (p0 + p1 + p2 + p3) / V::real(4.0)
    }

    /// Twice the largest distance from the centre to a vertex, m.
    pub fn diameter(&self) -> V::Real {
        let centre = self.centre();
        let mut largest = V::Real::zero();
        for p in self.points {
            let r = p - centre;
            largest = largest.max(r.dot(r));
        }
        V::real(2.0) * largest.sqrt()
    }

    /// This tetrahedron scaled about its centre.
    pub fn scaled(&self, factor: V::Real) -> Self {
        let centre = self.centre();
        Tetrahedron { points: self.points.map(|p| (p - centre) * factor + centre), ..*self }
    }

    /// The planes of the four faces.
    pub fn planes(&self, length: NormalLength) -> [Plane<V>; 4] {
        let plane = |k| Plane::through(self.face(k), length);
        [plane(0), plane(1), plane(2), plane(3)]
    }
}

/// How long the normal of a [`Plane`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NormalLength {
    /// Unit length: signed distances are in metres.
    Unit,
    /// Twice the area of the face: signed distances are scaled, their signs suffer less rounding.
    TwiceArea,
}

/// The plane of a face.
#[derive(Clone, Copy, Debug)]
pub struct Plane<V> {
    /// Outward normal.
    pub normal: V,
    /// A point of the plane, m.
    pub point: V,
}

impl<V: Vector> Plane<V> {
    /// The plane through three points, from that corner whose two edges span the largest computed product.
    #[inline]
    pub fn through(corners: [V; 3], length: NormalLength) -> Self {
        let [p0, p1, p2] = corners;
        let products = [(p1 - p0).cross(p2 - p0), (p2 - p1).cross(p0 - p1), (p0 - p2).cross(p1 - p2)];
        let (mut product, mut point) = (products[0], p0);
        let mut largest = product.dot(product);
        for (other, corner) in [(products[1], p1), (products[2], p2)] {
            let square = other.dot(other);
            if square >= largest {
                (product, point, largest) = (other, corner, square);
            }
        }
        let normal = match length {
            NormalLength::Unit => product.unit(),
            NormalLength::TwiceArea => product,
        };
        Plane { normal, point }
    }

    /// Signed distance of `q` times the length of the normal; positive outside.
    #[inline]
    pub fn distance(&self, q: V) -> V::Real {
        self.normal.dot(q - self.point)
    }

    /// Whether `a` and `b` lie strictly on different sides, both farther than `tolerance`.
    #[inline]
    pub fn separates(&self, a: V, b: V, tolerance: V::Real) -> bool {
        let (da, db) = (self.distance(a), self.distance(b));
        (da > tolerance && db < -tolerance) || (da < -tolerance && db > tolerance)
    }

    /// Where the line from `a` to `b` crosses the plane: 0 at `a`, 1 at `b`, for points on different sides.
    #[inline]
    pub fn crossing_parameter(&self, a: V, b: V) -> V::Real {
        let (da, db) = (self.distance(a).abs(), self.distance(b).abs());
        da / (da + db)
    }

    /// The point where the line from `a` to `b` crosses the plane.
    #[inline]
    pub fn crossing(&self, a: V, b: V) -> V {
        a + (b - a) * self.crossing_parameter(a, b)
    }
}

/// Whether `q` is behind all planes, or in front of one by no more than `tolerance`.
#[inline]
pub fn is_inside<V: Vector>(q: V, planes: &[Plane<V>; 4], tolerance: V::Real) -> bool {
    planes.iter().all(|plane| plane.distance(q) <= tolerance)
}

/// Whether the projection of `q` along `normal` falls into the triangle (its border belongs to it).
#[inline]
pub fn is_in_prism<V: Vector>(q: V, triangle: &[V; 3], normal: V, tolerance: V::Real) -> bool {
    (0..3).all(|i| {
        let (start, end) = (triangle[i], triangle[(i + 1) % 3]);
        normal.cross(end - start).dot(q - start) >= -tolerance
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn corner() -> Tetrahedron<DVec3> {
        Tetrahedron::alone([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z])
    }

    #[test]
    fn faces_point_outward_and_edges_lie_in_their_faces() {
        let tetrahedron = corner();
        for (k, plane) in tetrahedron.planes(NormalLength::Unit).iter().enumerate() {
            assert!((plane.normal.length() - 1.0).abs() < 1e-15);
            assert!(plane.distance(tetrahedron.points[k]) < 0.0, "vertex {k} is behind the face opposite to it");
        }
        for (e, faces) in EDGE_FACES.iter().enumerate() {
            assert_eq!(edge_between(EDGE_VERTICES[e]), e);
            for &k in faces {
                assert!(EDGE_VERTICES[e].iter().all(|v| FACE_VERTICES[k].contains(v)));
            }
        }
    }

    #[test]
    fn a_plane_of_twice_the_area_has_the_product_of_its_edges_as_normal() {
        let plane = Plane::through(corner().face(3), NormalLength::TwiceArea);
        assert_eq!(plane.normal, -DVec3::Z);
        assert_eq!(plane.distance(DVec3::new(0.2, 0.3, -2.0)), 2.0);
    }

    #[test]
    fn inside_includes_the_border() {
        let planes = corner().planes(NormalLength::TwiceArea);
        assert!(is_inside(DVec3::ZERO, &planes, 0.0));
        assert!(is_inside(DVec3::splat(0.25), &planes, 0.0));
        assert!(!is_inside(DVec3::splat(0.34), &planes, 0.0));
    }

    #[test]
    fn crossing_is_on_the_plane() {
        let plane = Plane::through(corner().face(0), NormalLength::Unit);
        let (a, b) = (DVec3::splat(0.1), DVec3::splat(1.0));
        assert!(plane.separates(a, b, 0.0));
        assert!(!plane.separates(a, DVec3::splat(1.0 / 3.0 + 1e-12), 1e-9));
        assert!(plane.distance(plane.crossing(a, b)).abs() < 1e-15);
    }

    #[test]
    fn the_prism_of_a_triangle_ends_at_its_edges() {
        let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
        assert!(is_in_prism(DVec3::new(0.0, 0.5, 7.0), &triangle, DVec3::Z, 0.0));
        assert!(!is_in_prism(DVec3::new(-1e-9, 0.5, 7.0), &triangle, DVec3::Z, 0.0));
        assert!(is_in_prism(DVec3::new(-1e-9, 0.5, 7.0), &triangle, DVec3::Z, 1e-8));
    }
}
