//! Consistent vertex: a vertex inside a tetrahedron takes the normal of the surface face through which its edges
//! leave (assessment paper, section 6; after Heidelberger et al. 2004).
//!
//! An edge that leaves runs from a vertex inside to one outside; of the surface faces whose planes it crosses the
//! nearest along the edge gives the normal, so that a vertex may have up to three contacts. Without a
//! tolerance of touching a vertex exactly on the face leaves through no plane.

use num_traits::Float;
use serde::{Deserialize, Serialize};

use super::intersection_points::Touching;
use super::local::{ElementMethod, LocalContact};
use super::tetrahedron::{Plane, Tetrahedron, is_inside};
use super::vertex_inside::{VertexAtFace, contacts_both_ways};
use crate::precision::Vector;

/// Settings of the consistent-vertex method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsistentVertex {
    /// How touching is decided.
    pub touching: Touching,
    /// Whether a vertex within the tolerance of a face counts as crossing it (at the start of its edge).
    pub crosses_when_touching: bool,
}

impl Default for ConsistentVertex {
    /// As the paper means it.
    fn default() -> Self {
        Self { touching: Touching::default(), crosses_when_touching: true }
    }
}

impl ConsistentVertex {
    /// Calls `report` for the vertices of `other` inside `tetrahedron`.
    fn inside<V: Vector>(
        &self,
        tetrahedron: &Tetrahedron<V>,
        other: &Tetrahedron<V>,
        report: &mut dyn FnMut(VertexAtFace<V>),
    ) {
        let tolerance = V::real(self.touching.tolerance);
        let planes = tetrahedron.planes(self.touching.normal_length);
        let inside = other.points.map(|p| is_inside(p, &planes, tolerance));
        for i in (0..4).filter(|&i| inside[i]) {
            for j in (0..4).filter(|&j| !inside[j]) {
                let (start, end) = (other.points[i], other.points[j]);
                let mut nearest = V::Real::infinity();
                let mut face = None;
                for k in (0..4).filter(|&k| tetrahedron.surface_faces[k]) {
                    if !self.crosses(&planes[k], start, end, tolerance) {
                        continue;
                    }
                    let parameter = planes[k].crossing_parameter(start, end);
                    if parameter < nearest {
                        nearest = parameter;
                        face = Some(k);
                    }
                }
                if let Some(k) = face {
                    let normal = planes[k].normal;
                    let gap = planes[k].distance(start) / normal.length();
                    report(VertexAtFace { vertex: i, face: k, normal: normal.unit(), gap });
                }
            }
        }
    }

    fn crosses<V: Vector>(&self, plane: &Plane<V>, start: V, end: V, tolerance: V::Real) -> bool {
        let touches = plane.distance(start).abs() <= tolerance && plane.distance(end) > tolerance;
        plane.separates(start, end, tolerance) || (self.crosses_when_touching && touches)
    }
}

impl ElementMethod for ConsistentVertex {
    fn name(&self) -> &'static str {
        "consistent-vertex"
    }

    fn contacts<V: Vector>(&self, a: &Tetrahedron<V>, b: &Tetrahedron<V>, contacts: &mut Vec<LocalContact<V>>) {
        contacts_both_ways(a, b, contacts, |tetrahedron, other, report| self.inside(tetrahedron, other, report));
    }
}

#[cfg(test)]
mod tests {
    use super::super::fundamental::{DEPTH, all_have, apex_at, apex_in_face, contacts, corner, face_in_face};
    use super::*;
    use glam::DVec3;

    /// Every choice made otherwise.
    fn otherwise() -> ConsistentVertex {
        ConsistentVertex { touching: Touching::EXACT, crosses_when_touching: false }
    }

    fn both() -> [ConsistentVertex; 2] {
        [ConsistentVertex::default(), otherwise()]
    }

    #[test]
    fn an_apex_in_a_face_leaves_by_it_with_three_edges() {
        for method in both() {
            let found = contacts(&method, &corner(), &apex_in_face());
            assert_eq!(found.len(), 3, "one for each edge; the post-filter makes them one");
            assert!(all_have(&found, DVec3::Y, -DEPTH));
            assert!(found.iter().all(|c| c.position == DVec3::new(1.0, -DEPTH, 2.0)));
        }
    }

    #[test]
    fn a_face_in_a_face_leaves_with_one_edge_at_each_corner() {
        for method in both() {
            let found = contacts(&method, &corner(), &face_in_face());
            assert!(found.len() == 3 && all_have(&found, DVec3::Y, -DEPTH));
        }
    }

    #[test]
    fn at_a_cliff_the_edges_know_the_top() {
        // The side is half a millimetre away, and the steep edges leave by the top all the same.
        let apex = apex_at([DEPTH / 2.0, -DEPTH, 2.0]);
        for method in both() {
            assert!(all_have(&contacts(&method, &corner(), &apex), DVec3::Y, -DEPTH));
        }
    }

    #[test]
    fn an_apex_on_a_face_leaves_no_plane_otherwise() {
        let touching = apex_at([1.0, 0.0, 2.0]);
        let found = contacts(&ConsistentVertex::default(), &corner(), &touching);
        assert!(found.len() == 3 && all_have(&found, DVec3::Y, 0.0));
        assert!(contacts(&otherwise(), &corner(), &touching).is_empty());
    }
}
