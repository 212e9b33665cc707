//! The intersection points of two tetrahedra: vertices of one inside the other, and edges of one through faces of
//! the other (assessment paper, sections 6 and appendix A and B). They are the corners of the common volume.

use super::TOUCHING;
use super::local::LocalFeature;
use super::overlap::Projected;
use super::tetrahedron::{EDGE_VERTICES, NormalLength, Tetrahedron, is_inside};
use crate::precision::Vector;
use serde::{Deserialize, Serialize};

/// How touching is decided.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Touching {
    /// The length of face normals in the tests.
    pub normal_length: NormalLength,
    /// What counts as touching, m (times the normals' length): a point in front of a face by no more is inside.
    pub tolerance: f64,
    /// Which vertices the test for overlap projects.
    pub projected: Projected,
}

impl Touching {
    /// Without a tolerance, with as few projections as there can be: what touches by the last bit only is decided by it.
    pub const EXACT: Self =
        Self { normal_length: NormalLength::TwiceArea, tolerance: 0.0, projected: Projected::OneEndOfEachEdge };
}

impl Default for Touching {
    /// Within [`TOUCHING`].
    fn default() -> Self {
        Self { normal_length: NormalLength::Unit, tolerance: TOUCHING, projected: Projected::AllVertices }
    }
}

/// A corner of the common volume of A and B, and the features that make it.
#[derive(Clone, Copy, Debug)]
pub struct IntersectionPoint<V> {
    /// World position, m.
    pub position: V,
    /// What it is of A.
    pub feature_a: LocalFeature,
    /// What it is of B.
    pub feature_b: LocalFeature,
}

/// All intersection points; the same position may come more than once, by different features.
pub fn intersection_points<V: Vector>(
    a: &Tetrahedron<V>,
    b: &Tetrahedron<V>,
    touching: &Touching,
) -> Vec<IntersectionPoint<V>> {
    let tolerance = V::real(touching.tolerance);
    let planes_a = a.planes(touching.normal_length);
    let planes_b = b.planes(touching.normal_length);
    let mut points = Vec::with_capacity(16);
    for v in 0..4 {
        if is_inside(b.points[v], &planes_a, tolerance) {
            let (feature_a, feature_b) = (LocalFeature::Element, LocalFeature::Vertex(v));
            points.push(IntersectionPoint { position: b.points[v], feature_a, feature_b });
        }
        if is_inside(a.points[v], &planes_b, tolerance) {
            let (feature_a, feature_b) = (LocalFeature::Vertex(v), LocalFeature::Element);
            points.push(IntersectionPoint { position: a.points[v], feature_a, feature_b });
        }
    }
    for (e, [i, j]) in EDGE_VERTICES.into_iter().enumerate() {
        for k in 0..4 {
            if planes_a[k].separates(b.points[i], b.points[j], tolerance) {
                let position = planes_a[k].crossing(b.points[i], b.points[j]);
                if is_inside(position, &planes_a, tolerance) {
                    let (feature_a, feature_b) = (LocalFeature::Face(k), LocalFeature::Edge(e));
                    points.push(IntersectionPoint { position, feature_a, feature_b });
                }
            }
            if planes_b[k].separates(a.points[i], a.points[j], tolerance) {
                let position = planes_b[k].crossing(a.points[i], a.points[j]);
                if is_inside(position, &planes_b, tolerance) {
                    let (feature_a, feature_b) = (LocalFeature::Edge(e), LocalFeature::Face(k));
                    points.push(IntersectionPoint { position, feature_a, feature_b });
                }
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    const EXACT: Touching =
        Touching { normal_length: NormalLength::TwiceArea, tolerance: 0.0, projected: Projected::AllVertices };

    #[test]
    fn a_corner_pushed_through_a_face_leaves_a_small_tetrahedron() {
        let a = Tetrahedron::alone([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]);
        // A point reflection turns the orientation over: two vertices change places.
        let [p0, p1, p2, p3] = a.points.map(|p| DVec3::new(0.1, 0.2, 0.25) - p);
        let b = Tetrahedron::alone([p0, p2, p1, p3]);
        let points = intersection_points(&a, &b, &EXACT);
        for point in &points {
            let planes = [a.planes(NormalLength::Unit), b.planes(NormalLength::Unit)];
            assert!(planes.iter().all(|p| is_inside(point.position, p, 1e-15)));
        }
        assert!(points.iter().any(|p| p.feature_b == LocalFeature::Vertex(0)));
    }

    #[test]
    fn a_tetrahedron_meets_itself_in_its_vertices() {
        let a = Tetrahedron::alone([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]);
        let points = intersection_points(&a, &a, &EXACT);
        assert_eq!(points.len(), 8);
        assert!(points.iter().all(|p| a.points.contains(&p.position)));
    }

    #[test]
    fn without_a_tolerance_crossings_are_lost_to_rounding() {
        // A crossing lies in the plane of its face; rounded to the front of it by the last bit, it is not inside.
        let a = Tetrahedron::alone([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| p * 10.0));
        let mut lost = 0;
        for step in 0..100 {
            let apex = DVec3::new(3.0, 3.0, 3.0) + DVec3::new(0.0001, 0.0003, 0.0007) * f64::from(step);
            let b = Tetrahedron::alone([
                apex,
                apex + DVec3::new(1.3, 1.1, 0.9),
                apex + DVec3::new(0.9, 1.3, 1.1),
                apex + DVec3::new(1.1, 0.9, 1.3),
            ]);
            assert_eq!(intersection_points(&a, &b, &Touching::default()).len(), 4);
            lost += 4 - intersection_points(&a, &b, &Touching::EXACT).len();
        }
        assert!(lost > 0);
    }
}
