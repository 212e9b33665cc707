//! Closest points: contacts where features of two eroded shapes come within the collision envelope (assessment
//! paper, section 6). It looks at the shapes eroded by ε; the envelope is 2ε wide.
//!
//! In this order: vertex against face, edge against edge, and edge through face for shapes that overlap all the same.
//! The gap is the distance of the closest points less the width 2ε of the envelope. Erosion moves vertices by ε along
//! their normals, so that faces recede by less (a cube's by ε/√3): where faces of the shapes before the erosion touch,
//! the gap is not zero but negative by what both together recede less than 2ε.

use num_traits::{Float, Zero};
use serde::{Deserialize, Serialize};

use super::lines::closest_interior_points;
use super::local::{ElementMethod, LocalContact, LocalFeature};
use super::tetrahedron::{EDGE_VERTICES, NormalLength, Plane, Tetrahedron, is_in_prism};
use crate::precision::Vector;

/// Half the width of the collision envelope in the assessment suite, m.
pub const EPSILON: f64 = 0.01;

/// Settings of the closest-points method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClosestPoints {
    /// By how much the shapes were eroded, m; features up to twice as far apart are in contact.
    pub epsilon: f64,
    /// The normal of a vertex–face contact.
    pub face_normal: FaceNormal,
    /// The normal of an edge–edge contact.
    pub edge_normal: EdgeNormal,
    /// How the flags of features that already have a contact are read.
    pub used: UsedFlags,
}

/// The normal of a vertex–face contact. Both are the same but for rounding, which is that of world coordinates over the
/// distance of the features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaceNormal {
    /// The unit normal of the face's plane.
    Plane,
    /// From the vertex to its foot on the face, by their distance.
    Separation,
}

/// The normal of an edge–edge contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EdgeNormal {
    /// Along the separation of the closest points.
    Separation,
    /// The product of A's edge with the line from its start to the end of B's edge.
    LineToOtherEnd,
}

/// How the flags of used features are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UsedFlags {
    /// By the feature's own number. Any number of edges of one shape may be close to one edge of the other.
    Own,
    /// An edge of B takes part in the first of its edge–edge contacts only, an edge of A in all. B's edge is looked up
    /// by the number of A's edge in the edge–edge loop, and by the numbers of vertices in the loop of B's edges through
    /// faces of A, which therefore stops after the fourth edge.
    Foreign,
}

impl Default for ClosestPoints {
    /// As the paper means it.
    fn default() -> Self {
        Self {
            epsilon: EPSILON,
            face_normal: FaceNormal::Plane,
            edge_normal: EdgeNormal::Separation,
            used: UsedFlags::Own,
        }
    }
}

/// Which features of a tetrahedron already have a contact.
#[derive(Default)]
struct Used {
    vertices: [bool; 4],
    edges: [bool; 6],
}

impl Used {
    fn both_ends(&self, e: usize) -> bool {
        EDGE_VERTICES[e].iter().all(|&v| self.vertices[v])
    }
}

/// Vertices of `from` within the envelope of faces of `onto`: calls `report` with (vertex, face, plane, foot,
/// distance).
fn vertices_near_faces<V: Vector>(
    from: &Tetrahedron<V>,
    onto: &Tetrahedron<V>,
    envelope: V::Real,
    used: &mut Used,
    mut report: impl FnMut(usize, usize, &Plane<V>, V, V::Real),
) {
    let planes = onto.planes(NormalLength::TwiceArea);
    for i in (0..4).filter(|&i| from.has_surface_face_at_vertex(i)) {
        let p = from.points[i];
        for k in (0..4).filter(|&k| onto.surface_faces[k]) {
            let normal = planes[k].normal;
            if !is_in_prism(p, &onto.face(k), normal, V::Real::zero()) {
                continue;
            }
            let distance = planes[k].distance(p) / normal.length();
            if distance > envelope || distance <= V::Real::zero() {
                continue;
            }
            let foot = p - normal * planes[k].distance(p) / normal.dot(normal);
            report(i, k, &planes[k], foot, distance);
            used.vertices[i] = true;
        }
    }
}

/// Edges of `from` through faces of `onto`: calls `report` with (edge, face, plane, crossing, depth of the deeper
/// end); `is_open` says which edges are looked at.
fn edges_through_faces<V: Vector>(
    from: &Tetrahedron<V>,
    onto: &Tetrahedron<V>,
    is_open: impl Fn(usize) -> bool,
    mut report: impl FnMut(usize, usize, &Plane<V>, V, V::Real),
) {
    let planes = onto.planes(NormalLength::TwiceArea);
    for e in (0..6).filter(|&e| is_open(e)) {
        let [p0, p1] = from.edge(e);
        for k in (0..4).filter(|&k| onto.surface_faces[k]) {
            if !planes[k].separates(p0, p1, V::Real::zero()) {
                continue;
            }
            let crossing = planes[k].crossing(p0, p1);
            if is_in_prism(crossing, &onto.face(k), planes[k].normal, V::Real::zero()) {
                let length = planes[k].normal.length();
                let depth = (planes[k].distance(p0) / length).min(planes[k].distance(p1) / length);
                report(e, k, &planes[k], crossing, depth);
            }
        }
    }
}

impl ClosestPoints {
    /// The normal of a vertex–face contact, against the face's outward normal.
    fn face_normal<V: Vector>(&self, plane: &Plane<V>, vertex: V, foot: V, distance: V::Real) -> V {
        match self.face_normal {
            FaceNormal::Plane => -plane.normal.unit(),
            FaceNormal::Separation => (foot - vertex) / distance,
        }
    }

    /// The unit normal from A to B of an edge–edge contact with closest points `p` on A and `q` on B at a distance.
    fn edge_normal<V: Vector>(&self, [a0, a1]: [V; 2], [_, b1]: [V; 2], p: V, q: V, distance: V::Real) -> V {
        match self.edge_normal {
            EdgeNormal::Separation => (q - p) / distance,
            EdgeNormal::LineToOtherEnd => {
                let direction = (a1 - a0).cross(b1 - a0).unit();
                if p.dot(direction) > q.dot(direction) { -direction } else { direction }
            }
        }
    }
}

impl ElementMethod for ClosestPoints {
    fn name(&self) -> &'static str {
        "closest-points"
    }

    /// The width of the envelope.
    fn margin(&self) -> f64 {
        2.0 * self.epsilon
    }

    fn erosion(&self) -> Option<f64> {
        Some(self.epsilon)
    }

    fn contacts<V: Vector>(&self, a: &Tetrahedron<V>, b: &Tetrahedron<V>, contacts: &mut Vec<LocalContact<V>>) {
        let half = V::real(0.5);
        let envelope = V::real(2.0 * self.epsilon);
        let (mut used_a, mut used_b) = (Used::default(), Used::default());

        vertices_near_faces(a, b, envelope, &mut used_a, |v, k, plane, foot, distance| {
            contacts.push(LocalContact {
                position: (a.points[v] + foot) * half,
                normal: self.face_normal(plane, a.points[v], foot, distance),
                gap: distance - envelope,
                feature_a: LocalFeature::Vertex(v),
                feature_b: LocalFeature::Face(k),
            });
        });
        vertices_near_faces(b, a, envelope, &mut used_b, |v, k, plane, foot, distance| {
            contacts.push(LocalContact {
                position: (foot + b.points[v]) * half,
                normal: -self.face_normal(plane, b.points[v], foot, distance),
                gap: distance - envelope,
                feature_a: LocalFeature::Face(k),
                feature_b: LocalFeature::Vertex(v),
            });
        });

        for e in (0..6).filter(|&e| a.has_surface_face_at_edge(e)) {
            if used_a.both_ends(e) {
                continue;
            }
            for f in (0..6).filter(|&f| b.has_surface_face_at_edge(f)) {
                let flag = match self.used {
                    UsedFlags::Own => f,
                    UsedFlags::Foreign => e,
                };
                let is_taken = self.used == UsedFlags::Foreign && used_b.edges[f];
                if is_taken || used_b.both_ends(flag) {
                    continue;
                }
                let Some((p, q)) = closest_interior_points(a.edge(e), b.edge(f)) else {
                    continue;
                };
                let distance = (p - q).length();
                if distance > envelope || distance == V::Real::zero() {
                    continue;
                }
                contacts.push(LocalContact {
                    position: (p + q) * half,
                    normal: self.edge_normal(a.edge(e), b.edge(f), p, q, distance),
                    gap: distance - envelope,
                    feature_a: LocalFeature::Edge(e),
                    feature_b: LocalFeature::Edge(f),
                });
                used_a.edges[e] = true;
                used_b.edges[f] = true;
            }
        }

        let is_open_a = |e: usize| !used_a.edges[e] && a.has_surface_face_at_edge(e);
        let is_open_b = |e: usize| match self.used {
            UsedFlags::Own => !used_b.edges[e] && b.has_surface_face_at_edge(e),
            UsedFlags::Foreign => e < 4 && !used_b.vertices[e] && b.has_surface_face_at_vertex(e),
        };
        edges_through_faces(a, b, is_open_a, |e, k, plane, position, depth| {
            contacts.push(LocalContact {
                position,
                normal: -plane.normal / plane.normal.length(),
                gap: depth - envelope,
                feature_a: LocalFeature::Edge(e),
                feature_b: LocalFeature::Face(k),
            });
        });
        edges_through_faces(b, a, is_open_b, |e, k, plane, position, depth| {
            contacts.push(LocalContact {
                position,
                normal: plane.normal / plane.normal.length(),
                gap: depth - envelope,
                feature_a: LocalFeature::Face(k),
                feature_b: LocalFeature::Edge(e),
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::fundamental::{DEPTH, ROUNDING, all_have, apex_at, contacts, corner, ridge_above, ridge_below};
    use super::*;
    use glam::DVec3;

    /// Every choice made otherwise.
    fn otherwise() -> ClosestPoints {
        ClosestPoints { edge_normal: EdgeNormal::LineToOtherEnd, used: UsedFlags::Foreign, ..ClosestPoints::default() }
    }

    fn both() -> [ClosestPoints; 2] {
        [ClosestPoints::default(), otherwise()]
    }

    #[test]
    fn an_apex_above_a_face_is_as_deep_as_it_is_in_the_envelope() {
        for method in both() {
            let found = contacts(&method, &corner(), &apex_at([1.0, 5.0 * DEPTH, 2.0]));
            assert_eq!(found.len(), 1);
            assert!(all_have(&found, DVec3::Y, 5.0 * DEPTH - 2.0 * EPSILON));
            assert!((found[0].position - DVec3::new(1.0, 2.5 * DEPTH, 2.0)).length() < ROUNDING);
            assert!(contacts(&method, &corner(), &apex_at([1.0, 21.0 * DEPTH, 2.0])).is_empty(), "out of the envelope");
        }
    }

    #[test]
    fn an_apex_off_a_cliff_has_no_face_below() {
        for method in both() {
            let found = contacts(&method, &corner(), &apex_at([-DEPTH, 5.0 * DEPTH, 2.0]));
            assert!(!found.iter().any(|c| c.feature_b == LocalFeature::Vertex(0)), "{found:?}");
        }
    }

    #[test]
    fn faces_above_each_other_have_their_corners() {
        let b = super::super::fundamental::face_in_face();
        let raised = Tetrahedron::alone(b.points.map(|p| p + DVec3::Y * 11.0 * DEPTH));
        for method in both() {
            let found = contacts(&method, &corner(), &raised);
            assert!(found.len() == 3 && all_have(&found, DVec3::Y, 10.0 * DEPTH - 2.0 * EPSILON), "{found:?}");
        }
    }

    #[test]
    fn crossing_edges_are_apart_along_their_separation_unless_chosen_otherwise() {
        // Edge 0 of A runs from (0, 0, −1) to (0, 0, 1), edge 0 of B 1 cm above from (−1, 0.01, 0) to (1, 0.01, 0):
        // the product of A's edge with the line from its start to the end of B's edge is (−0.02, 2, 0).
        let tilted = DVec3::new(-0.02, 2.0, 0.0).normalize();
        for (method, normal) in [(ClosestPoints::default(), DVec3::Y), (otherwise(), tilted)] {
            let found = contacts(&method, &ridge_below(0.0), &ridge_above(10.0 * DEPTH));
            assert_eq!(found.len(), 1);
            assert!(all_have(&found, normal, 10.0 * DEPTH - 2.0 * EPSILON), "{found:?}");
        }
    }

    #[test]
    fn along_the_separation_the_rounding_of_coordinates_tilts_or_stretches_normals() {
        // In 32 bits coordinates up to 10 m round by up to 5e-7 m, which over a distance of 5 mm is 1e-4.
        let turn = glam::DQuat::from_rotation_z(0.5);
        let single = |t: &Tetrahedron<DVec3>| Tetrahedron::alone(t.points.map(|p| (turn * p).as_vec3()));
        let (below, apex) = (single(&corner()), single(&apex_at([1.0, 5.0 * DEPTH, 2.0])));
        let expected = (turn * DVec3::Y).as_vec3();
        let error = |method: ClosestPoints| {
            let mut found = Vec::new();
            method.contacts(&below, &apex, &mut found);
            assert_eq!(found.len(), 1, "{method:?}");
            (found[0].normal - expected).length()
        };
        assert!(error(otherwise()) < 1e-6);
        assert!(
            (1e-6..1e-3).contains(&error(ClosestPoints {
                face_normal: FaceNormal::Separation,
                used: UsedFlags::Foreign,
                ..ClosestPoints::default()
            })),
            "{}",
            error(ClosestPoints {
                face_normal: FaceNormal::Separation,
                used: UsedFlags::Foreign,
                ..ClosestPoints::default()
            })
        );
    }

    #[test]
    fn shapes_that_overlap_all_the_same_meet_in_edges_through_faces() {
        let found = contacts(&ClosestPoints::default(), &corner(), &apex_at([1.0, -DEPTH, 2.0]));
        assert!(found.len() == 3 && all_have(&found, DVec3::Y, -DEPTH - 2.0 * EPSILON), "{found:?}");
        assert!(found.iter().all(|c| c.position.y.abs() < ROUNDING));
    }
}
