//! Most opposing surfaces: the normal comes from the two surface faces that face each other most (assessment paper,
//! appendix A, algorithm 1; the idea is Niebe's, 2013).
//!
//! Differs from the paper in: faces at right angles, but for a hundredth, do not oppose each other by default; in the
//! paper any negative cosine does (line 1).

use super::SAME;
use super::contact_plane::{ContactPlane, Earlier, PlanePosition};
use super::intersection_points::{Touching, intersection_points};
use super::local::{ElementMethod, LocalContact};
use super::overlap::tetrahedra_overlap;
use super::tetrahedron::Tetrahedron;
use crate::precision::Vector;
use serde::{Deserialize, Serialize};

/// Faces within this cosine of a right angle do not oppose each other by default: a box that lies flat,
/// or tilted by some rounding, would otherwise meet the face under it with its side, at half a right angle, and stop
/// dead when it slides.
const PERPENDICULAR: f64 = 1e-2;

/// Settings of the most-opposing method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MostOpposing {
    /// What the pair of faces gives as normal.
    pub normal: OpposingNormal,
    /// Cosine that the outward normals of two faces have to stay below to oppose each other; negative.
    pub least_opposition: f64,
    /// When the tetrahedra count as sandwiched between their faces.
    pub sandwich: Sandwich,
    /// How touching is decided.
    pub touching: Touching,
    /// How intersection points become contacts.
    pub plane: ContactPlane,
}

/// The normal of a pair of opposing faces with outward unit normals n_A and n_B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpposingNormal {
    /// n_A − n_B, scaled to unit length (algorithm 1, line 11).
    Mean,
    /// n_A.
    FaceOfA,
}

/// When a pair of faces is refused because the tetrahedra lie between them (algorithm 1, line 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sandwich {
    /// If the vertex opposite to either face is behind the other face.
    Either,
    /// Only if both are.
    Both,
}

impl Default for MostOpposing {
    /// As the paper means it, but for faces at right angles.
    fn default() -> Self {
        Self {
            normal: OpposingNormal::Mean,
            least_opposition: -PERPENDICULAR,
            sandwich: Sandwich::Either,
            touching: Touching::default(),
            plane: ContactPlane { position: PlanePosition::MidRange, merge: Some(SAME), compare: Earlier::Contacts },
        }
    }
}

impl MostOpposing {
    /// The normal of the most opposing pair of surface faces; `None` if no pair opposes or all are refused.
    fn normal<V: Vector>(&self, a: &Tetrahedron<V>, b: &Tetrahedron<V>) -> Option<V> {
        let tolerance = V::real(self.touching.tolerance);
        let planes_a = a.planes(self.touching.normal_length);
        let planes_b = b.planes(self.touching.normal_length);
        let mut best = V::real(self.least_opposition); // line 1
        let mut normal = None;
        for k in (0..4).filter(|&k| a.surface_faces[k]) {
            let normal_a = planes_a[k].normal.unit();
            for m in (0..4).filter(|&m| b.surface_faces[m]) {
                let normal_b = planes_b[m].normal.unit();
                let opposition = normal_a.dot(normal_b);
                if opposition >= best {
                    continue; // line 6
                }
                let b_is_behind = planes_a[k].distance(b.points[m]) < -tolerance; // lines 7 to 9
                let a_is_behind = planes_b[m].distance(a.points[k]) < -tolerance;
                let is_sandwiched = match self.sandwich {
                    Sandwich::Either => a_is_behind || b_is_behind,
                    Sandwich::Both => a_is_behind && b_is_behind,
                };
                if is_sandwiched {
                    continue;
                }
                best = opposition; // line 10
                normal = Some(match self.normal {
                    OpposingNormal::Mean => (normal_a - normal_b).unit(), // line 11
                    OpposingNormal::FaceOfA => normal_a,
                });
            }
        }
        normal
    }
}

impl ElementMethod for MostOpposing {
    fn name(&self) -> &'static str {
        "most-opposing"
    }

    fn contacts<V: Vector>(&self, a: &Tetrahedron<V>, b: &Tetrahedron<V>, contacts: &mut Vec<LocalContact<V>>) {
        if !tetrahedra_overlap(a, b, V::real(self.touching.tolerance), self.touching.projected) {
            return;
        }
        if let Some(normal) = self.normal(a, b) {
            let points = intersection_points(a, b, &self.touching);
            contacts.append(&mut self.plane.contacts(&points, normal));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fundamental::{DEPTH, ROUNDING, all_have, contacts, corner, face_in_face, tetrahedron};
    use super::*;
    use glam::DVec3;

    /// Every choice made otherwise.
    fn otherwise() -> MostOpposing {
        MostOpposing {
            normal: OpposingNormal::FaceOfA,
            least_opposition: 0.0,
            sandwich: Sandwich::Both,
            touching: Touching::EXACT,
            plane: ContactPlane { position: PlanePosition::MidRange, merge: None, compare: Earlier::Points },
        }
    }

    fn both() -> [MostOpposing; 2] {
        [MostOpposing::default(), otherwise()]
    }

    /// A slab whose lower face has the outward normal (0.6, −0.8, 0) and crosses the top of the corner.
    fn tilted() -> Tetrahedron<DVec3> {
        tetrahedron([[2.0, -0.1, 2.0], [3.6, 1.1, 2.2], [2.4, 0.2, 4.0], [1.0, 3.0, 2.6]])
    }

    #[test]
    fn faces_on_each_other_give_their_common_normal() {
        for method in both() {
            let found = contacts(&method, &corner(), &face_in_face());
            // Otherwise, crossings that are rounded to the front of their face are lost.
            assert!(found.len() == 6 || (method == otherwise() && found.len() > 3));
            assert!(all_have(&found, DVec3::Y, -DEPTH));
            assert!(found.iter().all(|c| (c.position.y + DEPTH / 2.0).abs() < ROUNDING));
            let turned = contacts(&method, &face_in_face(), &corner());
            assert!(turned.len() == found.len() && all_have(&turned, -DVec3::Y, -DEPTH));
        }
    }

    #[test]
    fn tilted_faces_give_the_mean_or_otherwise_the_face_of_a() {
        let normal = |method: MostOpposing, a, b| contacts(&method, a, b)[0].normal;
        let (a, b) = (&corner(), &tilted());
        let mean = DVec3::new(-0.6, 1.8, 0.0).normalize();
        assert!((normal(MostOpposing::default(), a, b) - mean).length() < ROUNDING);
        assert!((normal(MostOpposing::default(), b, a) + mean).length() < ROUNDING);
        // Otherwise: swapping A and B changes the direction, not its sign alone.
        assert!((normal(otherwise(), a, b) - DVec3::Y).length() < ROUNDING);
        assert!((normal(otherwise(), b, a) - DVec3::new(0.6, -0.8, 0.0)).length() < ROUNDING);
    }

    #[test]
    fn a_tetrahedron_inside_another_is_sandwiched_unless_chosen_otherwise() {
        // Every vertex of the inner one is behind every face of the outer one, but none the other way round.
        let outer = corner();
        let inner = Tetrahedron::alone(outer.points.map(|p| outer.centre() + (p - outer.centre()) * 0.1));
        for (method, has_normal) in [
            (MostOpposing::default(), false),
            (otherwise(), true),
            (MostOpposing { sandwich: Sandwich::Either, ..otherwise() }, false),
        ] {
            assert_eq!(method.normal(&outer, &inner).is_some(), has_normal, "{method:?}");
        }
    }
}
