//! The axis of least overlap of two tetrahedra, taken as contact normal (assessment paper, section 6).
//!
//! The candidates are the eight face normals, in the order A0, B0, A1, B1, …, and the 36 products of edges.

use num_traits::Float;
use serde::{Deserialize, Serialize};

use super::overlap::interval;
use super::tetrahedron::{NormalLength, Tetrahedron};
use crate::precision::Vector;

/// Which axes may become the normal, and how faces compare with edges.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AxisRule {
    /// Which features give axes.
    pub features: AxisFeatures,
    /// A product of edges is taken only if its overlap is smaller than that of the best face by more than this, m.
    pub face_preference: f64,
    /// Tetrahedra this far apart on an axis still touch, m.
    pub tolerance: f64,
    /// Which sense of an axis is the way from A to B.
    pub sense: AxisSense,
}

/// Which sense of an axis is the way from A to B. They differ where the interval of one tetrahedron lies inside that of
/// the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AxisSense {
    /// That in which the tetrahedra come apart sooner.
    Shallower,
    /// That in which the interval of A starts earlier, whichever way the axis happens to point: the sense of a product
    /// of edges turns with the order of A and B and of the edges' ends.
    EarlierStart,
}

/// The features that give axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AxisFeatures {
    /// All faces and edges.
    Volume,
    /// Surface faces, and edges that a surface face of the same tetrahedron has.
    SurfaceOfElement,
    /// Surface faces, and edges on the surface of the mesh.
    SurfaceOfMesh,
}

impl AxisFeatures {
    fn face<V>(self, tetrahedron: &Tetrahedron<V>, k: usize) -> bool {
        self == AxisFeatures::Volume || tetrahedron.surface_faces[k]
    }

    fn edge<V: Vector>(self, tetrahedron: &Tetrahedron<V>, e: usize) -> bool {
        match self {
            AxisFeatures::Volume => true,
            AxisFeatures::SurfaceOfElement => tetrahedron.has_surface_face_at_edge(e),
            AxisFeatures::SurfaceOfMesh => tetrahedron.surface_edges[e],
        }
    }
}

/// The best axis of a family so far.
struct Best<V: Vector> {
    /// Unit axis from A to B.
    axis: V,
    /// The gap along it, m: the largest (least negative) so far.
    gap: V::Real,
}

impl<V: Vector> Best<V> {
    /// Takes `axis` or its opposite, as the rule has it, if the gap is larger than all before. `false`: the axis
    /// separates.
    #[inline]
    fn offer(&mut self, axis: V, a: &Tetrahedron<V>, b: &Tetrahedron<V>, rule: &AxisRule) -> bool {
        let tolerance = V::real(rule.tolerance);
        let (a_min, a_max) = interval(axis, &a.points);
        let (b_min, b_max) = interval(axis, &b.points);
        if b_min - a_max > tolerance || a_min - b_max > tolerance {
            return false;
        }
        let (along, against) = match rule.sense {
            AxisSense::Shallower => (true, true),
            AxisSense::EarlierStart => (a_min <= b_min, b_min <= a_min),
        };
        if along && b_min - a_max > self.gap {
            *self = Best { axis, gap: b_min - a_max };
        }
        if against && a_min - b_max > self.gap {
            *self = Best { axis: -axis, gap: a_min - b_max };
        }
        true
    }
}

/// The unit axis of least overlap from A to B and the gap along it (m; negative: overlap). `None`: an axis separates
/// the tetrahedra, or the rule allows no axis.
pub fn least_overlap<V: Vector>(a: &Tetrahedron<V>, b: &Tetrahedron<V>, rule: &AxisRule) -> Option<(V, V::Real)> {
    let none = || Best { axis: a.points[0], gap: V::Real::neg_infinity() };
    let (mut faces, mut edges) = (none(), none());
    let planes_a = a.planes(NormalLength::Unit);
    let planes_b = b.planes(NormalLength::Unit);
    for k in 0..4 {
        for (tetrahedron, plane) in [(a, planes_a[k]), (b, planes_b[k])] {
            if rule.features.face(tetrahedron, k) && !faces.offer(plane.normal, a, b, rule) {
                return None;
            }
        }
    }
    let (edges_a, edges_b) = (a.edge_vectors(), b.edge_vectors());
    for e in (0..6).filter(|&e| rule.features.edge(a, e)) {
        for f in (0..6).filter(|&f| rule.features.edge(b, f)) {
            let product = edges_a[e].cross(edges_b[f]);
            let length = product.length();
            if length > V::WORKING_PRECISION && !edges.offer(product / length, a, b, rule) {
                return None;
            }
        }
    }
    let best = if edges.gap > faces.gap + V::real(rule.face_preference) { edges } else { faces };
    (best.gap > V::Real::neg_infinity()).then_some((best.axis, best.gap))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    const RULE: AxisRule =
        AxisRule { features: AxisFeatures::Volume, face_preference: 0.0, tolerance: 0.0, sense: AxisSense::Shallower };

    fn corner_at(origin: DVec3) -> Tetrahedron<DVec3> {
        Tetrahedron::alone([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| p + origin))
    }

    #[test]
    fn a_face_on_a_face_gives_their_normal() {
        let a = corner_at(DVec3::ZERO);
        let b = Tetrahedron::alone([DVec3::X, DVec3::ZERO, DVec3::Y, -DVec3::Z].map(|p| p + DVec3::Z * 0.01));
        let (axis, gap) = least_overlap(&a, &b, &RULE).unwrap();
        assert!((axis + DVec3::Z).length() < 1e-15);
        assert!((gap + 0.01).abs() < 1e-15);
        let (opposite, same_gap) = least_overlap(&b, &a, &RULE).unwrap();
        assert_eq!((opposite, same_gap), (-axis, gap));
    }

    #[test]
    fn interior_faces_give_no_axis_of_the_surface() {
        let a = corner_at(DVec3::ZERO);
        let mut b = Tetrahedron::alone([DVec3::X, DVec3::ZERO, DVec3::Y, -DVec3::Z].map(|p| p + DVec3::Z * 0.01));
        b.surface_faces = [false; 4];
        let mut inner = a;
        inner.surface_faces = [true, false, false, false];
        let rule = AxisRule { features: AxisFeatures::SurfaceOfElement, ..RULE };
        let (axis, _) = least_overlap(&inner, &b, &rule).unwrap();
        assert!(
            (axis.abs() - DVec3::splat(3f64.sqrt().recip())).length() < 1e-15,
            "the slanted face alone may: {axis}"
        );
        inner.surface_faces = [false; 4];
        assert!(least_overlap(&inner, &b, &rule).is_none());
    }

    #[test]
    fn an_edge_must_beat_the_faces_by_the_preference() {
        // Two ridges cross at right angles: the edges overlap by 0.1, the faces by more.
        let ridge = |y: f64, s: f64, along: DVec3, across: DVec3| {
            Tetrahedron::alone([along, DVec3::Y * s - across, DVec3::Y * s + across, -along].map(|p| p + DVec3::Y * y))
        };
        let a = ridge(0.1, -1.0, DVec3::Z, -DVec3::X);
        let b = ridge(0.0, 1.0, DVec3::X, -DVec3::Z);
        let (axis, gap) = least_overlap(&a, &b, &RULE).unwrap();
        assert!((axis - DVec3::Y).length() < 1e-12 && (gap + 0.1).abs() < 1e-12, "{axis} {gap}");
        let (axis, _) = least_overlap(&a, &b, &AxisRule { face_preference: 10.0, ..RULE }).unwrap();
        assert!(axis.y < 0.9);
    }

    #[test]
    fn inside_the_shallower_sense_does_not_turn_with_the_edges() {
        // A slab's edges along z and x would push B out up by 0.1 or down by 1.3; the product decides nothing.
        let a = Tetrahedron::alone([-DVec3::Z, DVec3::Z, DVec3::new(-1.0, -1.5, 0.0), DVec3::new(1.0, -1.5, 0.0)]);
        let b = Tetrahedron::alone([-DVec3::X, DVec3::X, DVec3::new(0.0, 0.2, -1.0), DVec3::new(0.0, 0.2, 1.0)])
            .points
            .map(|p| p * 0.1 - DVec3::Y * 0.1);
        for axis in [DVec3::Y, -DVec3::Y] {
            let offered = |sense| {
                let mut best = Best { axis: DVec3::ZERO, gap: f64::NEG_INFINITY };
                assert!(best.offer(axis, &a, &Tetrahedron::alone(b), &AxisRule { sense, ..RULE }));
                (best.axis, (best.gap * 1e6).round() / 1e6)
            };
            assert_eq!(offered(AxisSense::Shallower), (DVec3::Y, -0.1));
            let arbitrary = if axis.y > 0.0 { -0.1 } else { -1.42 };
            assert_eq!(offered(AxisSense::EarlierStart), (axis, arbitrary));
        }
    }
}
