//! Intersection: contacts of intersecting pairs of surface triangles, vertex against face and edge against edge
//! (assessment paper, section 6).
//!
//! Only triangles that intersect or touch are looked at, unless [`TrianglePairs`] says otherwise.

use num_traits::{Float, One, Zero};
use serde::{Deserialize, Serialize};

use super::TOUCHING;
use super::intersection_points::Touching;
use super::lines::closest_parameters;
use super::local::{ElementMethod, LocalContact, LocalFeature};
use super::overlap::{interval, triangles_overlap};
use super::separating_axis::AxisSense;
use super::tetrahedron::{FACE_VERTICES, Plane, Tetrahedron, edge_between, is_in_prism};
use crate::precision::Vector;

/// How far a vertex may be behind a face, m: more than bodies of the suite overlap in its
/// first steps, less than they are wide.
pub const DEEPEST: f64 = 0.1;

/// More than any body of the suite measures, m.
pub const FARTHEST: f64 = 1e3;

/// Settings of the intersection method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intersection {
    /// How touching is decided.
    pub touching: Touching,
    /// Which pairs of surface triangles are looked at.
    pub triangles: TrianglePairs,
    /// The length of the normals of vertex–face contacts; their gaps are scaled alike.
    pub reported: ReportedNormal,
    /// The sense of the normal of an edge–edge contact.
    pub sense: AxisSense,
    /// What happens if the product of two edges separates the tetrahedra.
    pub on_separation: OnSeparation,
    /// A vertex farther behind a face has no contact with it, m. The paper asks for vertices "sufficiently close" and
    /// gives no number.
    pub deepest: f64,
}

/// Which pairs of surface triangles are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrianglePairs {
    /// Those that intersect or touch.
    Intersecting,
    /// All of two overlapping tetrahedra.
    All,
}

/// The length of a reported vertex–face normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReportedNormal {
    /// One.
    Unit,
    /// As in the tests: [`Touching::normal_length`].
    AsInTests,
}

/// What happens if the product of two edges separates the tetrahedra.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnSeparation {
    /// These two edges give no contact; tetrahedra that touch are not separated.
    SkipEdges,
    /// The pair of tetrahedra gives no more contacts; those found so far, in the order of faces and edges, stay.
    /// Tetrahedra that touch are separated.
    EndPair,
}

impl Default for Intersection {
    /// As the paper means it.
    fn default() -> Self {
        Self {
            touching: Touching::default(),
            triangles: TrianglePairs::Intersecting,
            reported: ReportedNormal::Unit,
            sense: AxisSense::Shallower,
            on_separation: OnSeparation::SkipEdges,
            deepest: DEEPEST,
        }
    }
}

/// The contacts of vertices of `triangle` with the face: calls `report` with (corner 0..3, gap).
fn vertices_at_face<V: Vector>(
    triangle: &[V; 3],
    face: &[V; 3],
    plane: &Plane<V>,
    method: &Intersection,
    mut report: impl FnMut(usize, V::Real),
) {
    let tolerance = V::real(method.touching.tolerance);
    let deepest = V::real(method.deepest) * plane.normal.length();
    for (corner, &vertex) in triangle.iter().enumerate() {
        let gap = plane.distance(vertex);
        if gap <= tolerance && -gap <= deepest && is_in_prism(vertex, face, plane.normal, V::Real::zero()) {
            report(corner, gap);
        }
    }
}

/// The contact of an edge of each triangle.
enum EdgeContact<V: Vector> {
    /// The product of the edges separates the tetrahedra.
    Separated,
    /// None of these two edges.
    None,
    /// Midpoint of the closest points, unit product of the edges, and the gaps in the senses that count.
    Found { position: V, axis: V, along: Option<V::Real>, against: Option<V::Real> },
}

fn edge_contact<V: Vector>(
    method: &Intersection,
    (a, [a0, a1], plane_a): (&Tetrahedron<V>, [V; 2], &Plane<V>),
    (b, [b0, b1], plane_b): (&Tetrahedron<V>, [V; 2], &Plane<V>),
) -> EdgeContact<V> {
    let small = V::WORKING_PRECISION;
    let (direction_a, direction_b) = ((a1 - a0).unit(), (b1 - b0).unit());
    let product = direction_a.cross(direction_b);
    if product.length() < small {
        return EdgeContact::None;
    }
    let axis = product.unit();
    let (a_min, a_max) = interval(axis, &a.points);
    let (b_min, b_max) = interval(axis, &b.points);
    let tolerance = V::real(method.touching.tolerance);
    let is_separated = match method.on_separation {
        OnSeparation::SkipEdges => b_min - a_max > tolerance || a_min - b_max > tolerance,
        OnSeparation::EndPair => a_max <= b_min || b_max <= a_min,
    };
    if is_separated {
        return EdgeContact::Separated;
    }
    let zero = V::Real::zero();
    let (s, t) = closest_parameters(a0, direction_a, b0, direction_b).unwrap_or((zero, zero));
    let (p, q) = (a0 + direction_a * s, b0 + direction_b * t);
    let is_inside = direction_a.dot(p - a1) < -small
        && (-direction_a).dot(p - a0) < -small
        && direction_b.dot(q - b1) < -small
        && (-direction_b).dot(q - b0) < -small;
    let position = (p + q) * V::real(0.5);
    let is_outside_face = |plane: &Plane<V>| plane.distance(position) > small.max(tolerance) * plane.normal.length();
    if !is_inside || is_outside_face(plane_a) || is_outside_face(plane_b) {
        return EdgeContact::None;
    }
    let is_along_shallower = b_min - a_max >= a_min - b_max;
    let (is_along, is_against) = match method.sense {
        AxisSense::Shallower => (is_along_shallower, !is_along_shallower),
        AxisSense::EarlierStart => (a_min <= b_min && b_min <= a_max, b_min <= a_min && a_min <= b_max),
    };
    let along = is_along.then(|| b_min - a_max);
    let against = is_against.then(|| a_min - b_max);
    EdgeContact::Found { position, axis, along, against }
}

impl ElementMethod for Intersection {
    fn name(&self) -> &'static str {
        "intersection"
    }

    /// Without a test of the triangles there are contacts wherever the bounds of two tetrahedra overlap, which lie
    /// across the diagonals and may do so as far apart as the tetrahedra are large. No body is larger than
    /// [`FARTHEST`].
    fn margin(&self) -> f64 {
        match self.triangles {
            TrianglePairs::Intersecting => TOUCHING,
            TrianglePairs::All => FARTHEST,
        }
    }

    fn contacts<V: Vector>(&self, a: &Tetrahedron<V>, b: &Tetrahedron<V>, contacts: &mut Vec<LocalContact<V>>) {
        let tolerance = V::real(self.touching.tolerance);
        let planes_a = a.planes(self.touching.normal_length);
        let planes_b = b.planes(self.touching.normal_length);
        // Factor of normal and gap.
        let scale = |plane: &Plane<V>| match self.reported {
            ReportedNormal::Unit => V::Real::one() / plane.normal.length(),
            ReportedNormal::AsInTests => V::Real::one(),
        };
        for k in (0..4).filter(|&k| a.surface_faces[k]) {
            for m in (0..4).filter(|&m| b.surface_faces[m]) {
                let (face_a, face_b) = (a.face(k), b.face(m));
                let are_looked_at = self.triangles == TrianglePairs::All
                    || triangles_overlap(&face_a, &face_b, tolerance, self.touching.projected);
                if !are_looked_at {
                    continue;
                }
                let (corners_a, corners_b) = (FACE_VERTICES[k], FACE_VERTICES[m]);
                vertices_at_face(&face_a, &face_b, &planes_b[m], self, |corner, gap| {
                    let scale = scale(&planes_b[m]);
                    let (position, normal, gap) = (face_a[corner], -planes_b[m].normal * scale, gap * scale);
                    let (feature_a, feature_b) = (LocalFeature::Vertex(corners_a[corner]), LocalFeature::Face(m));
                    contacts.push(LocalContact { position, normal, gap, feature_a, feature_b });
                });
                vertices_at_face(&face_b, &face_a, &planes_a[k], self, |corner, gap| {
                    let scale = scale(&planes_a[k]);
                    let (position, normal, gap) = (face_b[corner], planes_a[k].normal * scale, gap * scale);
                    let (feature_a, feature_b) = (LocalFeature::Face(k), LocalFeature::Vertex(corners_b[corner]));
                    contacts.push(LocalContact { position, normal, gap, feature_a, feature_b });
                });
                for i in 0..3 {
                    let edge_a = [corners_a[i], corners_a[(i + 1) % 3]];
                    for j in 0..3 {
                        let edge_b = [corners_b[j], corners_b[(j + 1) % 3]];
                        let on_a = (a, edge_a.map(|v| a.points[v]), &planes_a[k]);
                        let on_b = (b, edge_b.map(|v| b.points[v]), &planes_b[m]);
                        let (position, axis, along, against) = match edge_contact(self, on_a, on_b) {
                            EdgeContact::Separated if self.on_separation == OnSeparation::EndPair => return,
                            EdgeContact::Separated => continue,
                            EdgeContact::None => continue,
                            EdgeContact::Found { position, axis, along, against } => (position, axis, along, against),
                        };
                        let feature_a = LocalFeature::Edge(edge_between(edge_a));
                        let feature_b = LocalFeature::Edge(edge_between(edge_b));
                        for (gap, normal) in [(along, axis), (against, -axis)] {
                            if let Some(gap) = gap {
                                contacts.push(LocalContact { position, normal, gap, feature_a, feature_b });
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fundamental::{
        DEPTH, ROUNDING, all_have, apex_in_face, contacts, corner, face_in_face, ridge_above, ridge_below,
    };
    use super::*;
    use glam::DVec3;

    /// Every choice made otherwise.
    fn otherwise() -> Intersection {
        Intersection {
            touching: Touching::EXACT,
            reported: ReportedNormal::AsInTests,
            sense: AxisSense::EarlierStart,
            on_separation: OnSeparation::EndPair,
            deepest: f64::MAX,
            ..Intersection::default()
        }
    }

    fn both() -> [Intersection; 2] {
        [Intersection::default(), otherwise()]
    }

    fn of_vertices_of_b(found: &[LocalContact<DVec3>]) -> Vec<LocalContact<DVec3>> {
        found.iter().filter(|c| matches!(c.feature_b, LocalFeature::Vertex(_))).copied().collect()
    }

    #[test]
    fn an_apex_in_a_face_takes_its_normal_with_twice_the_area_otherwise() {
        // The top of the corner has sides of ten: twice its area is 100 m².
        for (method, length) in [(Intersection::default(), 1.0), (otherwise(), 100.0)] {
            let found = of_vertices_of_b(&contacts(&method, &corner(), &apex_in_face()));
            assert!(all_have(&found, DVec3::Y * length, -DEPTH * length));
            assert!(found.iter().all(|c| c.position == DVec3::new(1.0, -DEPTH, 2.0)));
        }
    }

    #[test]
    fn a_face_in_a_face_has_its_three_corners() {
        for (method, length) in [(Intersection::default(), 1.0), (otherwise(), 100.0)] {
            let found = of_vertices_of_b(&contacts(&method, &corner(), &face_in_face()));
            assert!(all_have(&found, DVec3::Y * length, -DEPTH * length));
            let mut positions: Vec<_> = found.iter().map(|c| c.position.to_array()).collect();
            positions.sort_by(|p, q| p.partial_cmp(q).unwrap());
            positions.dedup();
            assert_eq!(positions, [[1.0, -DEPTH, 1.0], [1.0, -DEPTH, 3.0], [3.0, -DEPTH, 1.0]]);
        }
    }

    #[test]
    fn crossing_edges_meet_in_the_middle() {
        for method in both() {
            let found = contacts(&method, &ridge_below(DEPTH), &ridge_above(0.0));
            let ridges: Vec<_> = found
                .into_iter()
                .filter(|c| (c.feature_a, c.feature_b) == (LocalFeature::Edge(0), LocalFeature::Edge(0)))
                .collect();
            assert!(all_have(&ridges, DVec3::Y, -DEPTH), "{ridges:?}");
            assert!(ridges.iter().all(|c| (c.position - DVec3::Y * DEPTH / 2.0).length() < ROUNDING));
        }
    }

    #[test]
    fn edges_that_touch_are_in_contact_unless_chosen_otherwise() {
        let found = contacts(&Intersection::default(), &ridge_below(0.0), &ridge_above(0.0));
        assert!(all_have(&found, DVec3::Y, 0.0), "{found:?}");
        assert!(contacts(&otherwise(), &ridge_below(0.0), &ridge_above(0.0)).is_empty());
    }

    #[test]
    fn all_pairs_of_triangles_give_more_than_those_that_intersect() {
        // A small tetrahedron inside a large one: no triangle meets another, and yet every vertex is behind every face.
        let outer = corner();
        let inner = Tetrahedron::alone(outer.points.map(|p| outer.centre() + (p - outer.centre()) * 0.1));
        assert!(contacts(&otherwise(), &outer, &inner).is_empty());
        let found = contacts(&Intersection { triangles: TrianglePairs::All, ..otherwise() }, &outer, &inner);
        assert!(found.iter().any(|c| matches!(c.feature_b, LocalFeature::Vertex(_))), "{found:?}");
    }
}
