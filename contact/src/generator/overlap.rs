//! Whether two elements overlap: the separating-axis test over faces and pairs of edges.
//!
//! Gottschalk, Lin, Manocha 1996 for the principle. Touching elements overlap.

use num_traits::{Float, Zero};
use serde::{Deserialize, Serialize};

use super::tetrahedron::Tetrahedron;
use crate::precision::Vector;

/// Which vertices are projected on the product of two edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Projected {
    /// All. Whatever the product of nearly parallel edges is, it separates only what it separates in truth.
    AllVertices,
    /// One end of each of the two edges, because both project alike. Which one decides touching positions by the last
    /// bit. The product of nearly parallel edges is noise on which
    /// both ends do not project alike: on it, elements that overlap may seem apart.
    OneEndOfEachEdge,
}

/// The vertices of A that are projected on a product with edge e of A.
const PROJECTED_A: [[usize; 3]; 6] = [[1, 2, 3], [1, 2, 3], [1, 2, 3], [0, 1, 3], [0, 1, 2], [0, 1, 2]];

/// The vertices of B that are projected on the product of edge e of A and edge f of B.
fn projected_b(e: usize, f: usize) -> [usize; 3] {
    match (e, f) {
        (0, 1) | (_, 3) => [0, 1, 3],
        (0 | 1, 2) | (_, 4 | 5) => [0, 1, 2],
        _ => [1, 2, 3],
    }
}

/// Whether two tetrahedra share a point, or come closer than `tolerance` (m) on every axis of the test.
/// With [`Projected::AllVertices`], `false` is certain up to rounding: an axis separates them by more.
pub fn tetrahedra_overlap<V: Vector>(
    a: &Tetrahedron<V>,
    b: &Tetrahedron<V>,
    tolerance: V::Real,
    projected: Projected,
) -> bool {
    if is_in_front_of_a_face(a, &b.points, tolerance) || is_in_front_of_a_face(b, &a.points, tolerance) {
        return false;
    }
    let edges_b = b.edge_vectors();
    for (e, edge_a) in a.edge_vectors().into_iter().enumerate() {
        let [i, j, k] = PROJECTED_A[e];
        let points_a = [a.points[i], a.points[j], a.points[k]];
        for (f, &edge_b) in edges_b.iter().enumerate() {
            let axis = edge_a.cross(edge_b);
            let is_separated = match projected {
                Projected::AllVertices => separates(axis, &a.points, &b.points, tolerance),
                Projected::OneEndOfEachEdge => {
                    let [i, j, k] = projected_b(e, f);
                    separates(axis, &points_a, &[b.points[i], b.points[j], b.points[k]], tolerance)
                }
            };
            if is_separated {
                return false;
            }
        }
    }
    true
}

/// Whether two triangles share a point, or come closer than `tolerance` (m) on every axis of the test: the normals of
/// both planes and the nine products of edges. Coplanar triangles overlap: no axis of this test lies in their plane.
pub fn triangles_overlap<V: Vector>(a: &[V; 3], b: &[V; 3], tolerance: V::Real, projected: Projected) -> bool {
    if is_on_one_side(a, b, tolerance) || is_on_one_side(b, a, tolerance) {
        return false;
    }
    const EDGES: [[usize; 2]; 3] = [[0, 1], [0, 2], [1, 2]];
    const PROJECTED_A: [[usize; 2]; 3] = [[1, 2], [1, 2], [0, 2]];
    let projected_b = |e, f| match (e, f) {
        (_, 0) | (1 | 2, 1) => [1, 2],
        (2, 2) => [0, 2],
        _ => [0, 1],
    };
    for e in 0..3 {
        for f in 0..3 {
            let axis = (a[EDGES[e][1]] - a[EDGES[e][0]]).cross(b[EDGES[f][1]] - b[EDGES[f][0]]);
            let is_separated = match projected {
                Projected::AllVertices => separates(axis, a, b, tolerance),
                Projected::OneEndOfEachEdge => {
                    separates(axis, &PROJECTED_A[e].map(|i| a[i]), &projected_b(e, f).map(|i| b[i]), tolerance)
                }
            };
            if is_separated {
                return false;
            }
        }
    }
    true
}

/// Unit normal and offset of the plane of three points, for tests of all points against one plane.
fn unit_plane<V: Vector>([p0, p1, p2]: [V; 3]) -> (V, V::Real) {
    let normal = (p1 - p0).cross(p2 - p0).unit();
    let offset = p0.dot(normal);
    // The length is brought to one twice: once leaves it off by a rounding.
    (normal.unit(), offset)
}

fn is_in_front_of_a_face<V: Vector>(tetrahedron: &Tetrahedron<V>, points: &[V; 4], tolerance: V::Real) -> bool {
    (0..4).any(|k| {
        let (normal, offset) = unit_plane(tetrahedron.face(k));
        points.iter().all(|&p| normal.dot(p) - offset > tolerance)
    })
}

fn is_on_one_side<V: Vector>(triangle: &[V; 3], points: &[V; 3], tolerance: V::Real) -> bool {
    let (normal, offset) = unit_plane(*triangle);
    let distances = points.map(|p| normal.dot(p) - offset);
    distances.iter().all(|&d| d > tolerance) || distances.iter().all(|&d| d < -tolerance)
}

/// `axis` need not have unit length; `tolerance` is in metres.
#[inline]
fn separates<V: Vector>(axis: V, a: &[V], b: &[V], tolerance: V::Real) -> bool {
    let (a_min, a_max) = interval(axis, a);
    let (b_min, b_max) = interval(axis, b);
    let gap = (b_min - a_max).max(a_min - b_max);
    gap > V::Real::zero() && (tolerance == V::Real::zero() || gap > tolerance * axis.length())
}

/// The interval that the points cover along the axis: (smallest, largest) product with it.
#[inline]
pub fn interval<V: Vector>(axis: V, points: &[V]) -> (V::Real, V::Real) {
    let (mut smallest, mut largest) = (V::Real::infinity(), V::Real::neg_infinity());
    for &p in points {
        let d = axis.dot(p);
        smallest = if d < smallest { d } else { smallest };
        largest = if d > largest { d } else { largest };
    }
    (smallest, largest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn corner_at(origin: DVec3) -> Tetrahedron<DVec3> {
        Tetrahedron::alone([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| p + origin))
    }

    #[test]
    fn touching_overlaps_and_a_hair_apart_does_not() {
        let a = corner_at(DVec3::ZERO);
        assert!(tetrahedra_overlap(&a, &corner_at(DVec3::X), 0.0, Projected::AllVertices));
        assert!(!tetrahedra_overlap(&a, &corner_at(DVec3::X * (1.0 + 1e-12)), 0.0, Projected::AllVertices));
        // Two edges cross at right angles: only a product of edges separates them.
        let pointing = |y: f64, s: f64| {
            Tetrahedron::alone([
                DVec3::new(-1.0, y, 0.0),
                DVec3::new(0.0, y + s, -1.0),
                DVec3::new(0.0, y + s, 1.0),
                DVec3::new(1.0, y, 0.0),
            ])
        };
        let below = Tetrahedron::alone([
            DVec3::new(0.0, 0.0, -1.0),
            DVec3::new(-1.0, -1.0, 0.0),
            DVec3::new(1.0, -1.0, 0.0),
            DVec3::new(0.0, 0.0, 1.0),
        ]);
        assert!(tetrahedra_overlap(&below, &pointing(0.0, 1.0), 0.0, Projected::AllVertices));
        assert!(!tetrahedra_overlap(&below, &pointing(1e-9, 1.0), 0.0, Projected::AllVertices));
        assert!(tetrahedra_overlap(&below, &pointing(1e-9, 1.0), 1e-8, Projected::AllVertices));
    }

    #[test]
    fn triangles_that_cross_overlap() {
        let a = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let through = [DVec3::new(0.2, 0.2, -1.0), DVec3::new(0.2, 0.2, 1.0), DVec3::new(2.0, 2.0, 0.0)];
        assert!(triangles_overlap(&a, &through, 0.0, Projected::AllVertices));
        assert!(!triangles_overlap(&a, &through.map(|p| p + DVec3::X * 2.0), 0.0, Projected::AllVertices));
        assert!(!triangles_overlap(&a, &a.map(|p| p + DVec3::Z * 1e-12), 0.0, Projected::AllVertices));
    }

    #[test]
    fn the_product_of_nearly_parallel_edges_separates_nothing_that_overlaps() {
        // Two edges are parallel, the tetrahedra overlap by about a metre, and a rotation rounds all coordinates. In
        // some of the positions one end of each edge is not enough.
        let points = |c: [[f64; 3]; 4]| c.map(DVec3::from_array);
        let a = points([[1.0, 0.0, 0.0], [1.0, 0.0, -1.0], [-3.0, -2.0, 1.0], [0.0, 0.0, -2.0]]);
        let b = points([[0.0, 1.0, 0.0], [-1.0, -2.0, 0.0], [0.0, 1.0, -1.0], [3.0, 0.0, -2.0]]);
        let mut missed = 0;
        for step in 1..=1000 {
            let turn = glam::DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.006 * f64::from(step));
            let moved = |t: [DVec3; 4]| Tetrahedron::alone(t.map(|p| turn * p + DVec3::new(1.5, 0.0, 7.6)));
            assert!(tetrahedra_overlap(&moved(a), &moved(b), 0.0, Projected::AllVertices));
            missed += u32::from(!tetrahedra_overlap(&moved(a), &moved(b), 0.0, Projected::OneEndOfEachEdge));
        }
        assert!(missed > 0, "one end of each edge fails here");
    }
}
