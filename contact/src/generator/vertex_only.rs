//! Vertex only: a vertex inside a tetrahedron takes the normal of the closest surface face (assessment paper,
//! section 6).

use num_traits::{Float, One};
use serde::{Deserialize, Serialize};

use super::intersection_points::Touching;
use super::local::{ElementMethod, LocalContact};
use super::tetrahedron::{Tetrahedron, is_inside};
use super::vertex_inside::{VertexAtFace, contacts_both_ways};
use crate::precision::Vector;

/// Settings of the vertex-only method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VertexOnly {
    /// Which surface face gives the normal. Of equally good ones each gives a contact.
    pub face: FaceChoice,
    /// How touching is decided.
    pub touching: Touching,
}

/// Which surface face gives the normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaceChoice {
    /// The closest.
    Closest,
    /// The farthest.
    Farthest,
}

impl Default for VertexOnly {
    /// As the paper means it.
    fn default() -> Self {
        Self { face: FaceChoice::Closest, touching: Touching::default() }
    }
}

impl VertexOnly {
    /// Calls `report` for the vertices of `other` inside `tetrahedron`.
    fn inside<V: Vector>(
        &self,
        tetrahedron: &Tetrahedron<V>,
        other: &Tetrahedron<V>,
        report: &mut dyn FnMut(VertexAtFace<V>),
    ) {
        let tolerance = V::real(self.touching.tolerance);
        let planes = tetrahedron.planes(self.touching.normal_length);
        for (v, &vertex) in other.points.iter().enumerate() {
            if !is_inside(vertex, &planes, tolerance) {
                continue;
            }
            let distance = |k: usize| planes[k].distance(vertex) / planes[k].normal.length();
            let surface = || (0..4).filter(|&k| tetrahedron.surface_faces[k]);
            let sign = match self.face {
                FaceChoice::Closest => -V::Real::one(),
                FaceChoice::Farthest => V::Real::one(),
            };
            let best = surface().fold(V::Real::infinity(), |best, k| best.min(sign * distance(k)));
            for k in surface().filter(|&k| sign * distance(k) - best <= tolerance) {
                report(VertexAtFace { vertex: v, face: k, normal: planes[k].normal.unit(), gap: distance(k) });
            }
        }
    }
}

impl ElementMethod for VertexOnly {
    fn name(&self) -> &'static str {
        "vertex-only"
    }

    fn contacts<V: Vector>(&self, a: &Tetrahedron<V>, b: &Tetrahedron<V>, contacts: &mut Vec<LocalContact<V>>) {
        contacts_both_ways(a, b, contacts, |tetrahedron, other, report| self.inside(tetrahedron, other, report));
    }
}

#[cfg(test)]
mod tests {
    use super::super::fundamental::{DEPTH, all_have, apex_at, apex_in_face, contacts, corner, face_in_face};
    use super::super::local::LocalFeature;
    use super::super::tetrahedron::NormalLength;
    use super::*;
    use glam::DVec3;

    /// Every choice made otherwise.
    fn otherwise() -> VertexOnly {
        VertexOnly { face: FaceChoice::Farthest, touching: Touching::EXACT }
    }

    fn both() -> [VertexOnly; 2] {
        [VertexOnly::default(), otherwise()]
    }

    #[test]
    fn an_apex_in_a_face_takes_the_closest_face_or_otherwise_the_farthest() {
        let found = contacts(&VertexOnly::default(), &corner(), &apex_in_face());
        assert_eq!(found.len(), 1);
        assert!(all_have(&found, DVec3::Y, -DEPTH));
        assert_eq!(found[0].position, DVec3::new(1.0, -DEPTH, 2.0));
        assert_eq!(found[0].feature_b, LocalFeature::Vertex(0));
        // Of the faces at −1 mm, −1 m, −2 m and (1 + 0.001 + 2 − 10)/√3 m the slant is the farthest.
        let found = contacts(&otherwise(), &corner(), &apex_in_face());
        assert!(all_have(&found, DVec3::new(1.0, -1.0, 1.0) / 3f64.sqrt(), -6.999 / 3f64.sqrt()));
    }

    #[test]
    fn a_face_in_a_face_has_its_three_corners() {
        let found = contacts(&VertexOnly::default(), &corner(), &face_in_face());
        assert_eq!(found.len(), 3);
        assert!(all_have(&found, DVec3::Y, -DEPTH));
        let turned = contacts(&VertexOnly::default(), &face_in_face(), &corner());
        assert!(turned.len() == 3 && all_have(&turned, -DVec3::Y, -DEPTH));
    }

    #[test]
    fn at_a_cliff_the_side_may_be_closer_than_the_top() {
        let apex = apex_at([DEPTH / 2.0, -DEPTH, 2.0]);
        let found = contacts(&VertexOnly::default(), &corner(), &apex);
        assert!(all_have(&found, -DVec3::X, -DEPTH / 2.0));
    }

    #[test]
    fn crossing_edges_have_no_vertex_inside() {
        use super::super::fundamental::{ridge_above, ridge_below};
        for method in both() {
            assert!(contacts(&method, &ridge_below(DEPTH), &ridge_above(0.0)).is_empty());
        }
    }

    #[test]
    fn interior_faces_give_no_normal() {
        let mut inner = corner();
        let top = inner.planes(NormalLength::Unit).iter().position(|p| p.normal == DVec3::Y).unwrap();
        inner.surface_faces[top] = false;
        let found = contacts(&VertexOnly::default(), &inner, &apex_in_face());
        assert!(all_have(&found, -DVec3::X, -1.0));
    }
}
