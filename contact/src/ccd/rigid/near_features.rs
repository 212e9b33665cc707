//! Contacts between the near features of two surfaces, by distance alone.

use super::RigidPair;
use super::rigid_pair::frozen;
use crate::ccd::Metric;
use crate::ccd::mesh::{Between, Candidate, between, distance_at_start};
use crate::{Contact, Feature};

/// Normals of one contact differ by an angle with at least this cosine.
const SIMILAR_NORMALS: f64 = 0.99;

/// Contacts of the surfaces where they are at the start, between features no farther apart than `distance` (m): for
/// pairs that a contact generator says nothing of. Features are numbered as in the surfaces. None where positions are
/// out of range.
pub fn near_contacts(pair: &RigidPair<'_>, distance: f64) -> Vec<Contact> {
    let positions = [&pair.a, &pair.b].map(|mesh| mesh.positions(0.0));
    let [Some(a), Some(b)] = [(&pair.a, &positions[0]), (&pair.b, &positions[1])].map(|(m, p)| frozen(m, p)) else {
        return Vec::new();
    };
    let mut contacts: Vec<Contact> = Vec::new();
    for candidate in between(&a, &b, distance, |_| true) {
        let [mut from, mut to] = distance_at_start(&candidate.query(&a, &b), Metric::Euclidean).points;
        if candidate.between == Between::FaceVertex {
            (from, to) = (to, from);
        }
        let (position, gap) = ((from + to) * 0.5, from.distance(to));
        let Some(normal) = (to - from).try_normalize() else { continue };
        let is_known =
            |c: &Contact| c.position.distance(position) <= distance && c.normal.dot(normal) > SIMILAR_NORMALS;
        if gap <= distance && !contacts.iter().any(is_known) {
            let (feature_a, feature_b) = features(&candidate);
            contacts.push(Contact { position, normal, gap, feature_a, feature_b });
        }
    }
    contacts
}

fn features(candidate: &Candidate) -> (Feature, Feature) {
    let Candidate { between, a, b } = *candidate;
    match between {
        Between::VertexFace => (Feature::Vertex(a), Feature::Face(b)),
        Between::FaceVertex => (Feature::Face(a), Feature::Vertex(b)),
        Between::EdgeEdge => (Feature::Edge(a), Feature::Edge(b)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NonlinearRigidMotion, RigidMesh};
    use super::*;
    use crate::Pose;
    use crate::ccd::mesh::Topology;
    use crate::shape::Surface;
    use glam::DVec3;

    #[test]
    fn a_tip_over_a_face_is_one_contact_however_many_features_are_near() {
        let corners = |tip: f64, base: f64| {
            [[0.0, tip, 0.0], [1.0, base, 0.0], [-1.0, base, 1.0], [-1.0, base, -1.0]].map(DVec3::from).to_vec()
        };
        let faces = vec![[0, 1, 3], [0, 3, 2], [0, 2, 1], [1, 2, 3]];
        let flipped = faces.iter().map(|&[a, b, c]: &[u32; 3]| [a, c, b]).collect();
        let below = Surface::new(corners(-2.0, 0.0), flipped).unwrap();
        let above = Surface::new(corners(0.0, 2.0), faces).or_else(|_| {
            let faces = vec![[0, 3, 1], [0, 2, 3], [0, 1, 2], [1, 3, 2]];
            Surface::new(corners(0.0, 2.0), faces)
        });
        let above = above.unwrap();
        let topologies = [&below, &above].map(Topology::of_surface);
        let mesh = |k: usize, surface| {
            let place = DVec3::new(-0.2, 1e-5, 0.1) * k as f64;
            RigidMesh::new(
                &topologies[k],
                Surface::vertices(surface),
                NonlinearRigidMotion::still(Pose::from_translation(place)),
            )
        };
        let pair = RigidPair { a: mesh(0, &below), b: mesh(1, &above), surfaces: [&below, &above] };
        let contacts = near_contacts(&pair, 1e-4);
        let [contact] = &contacts[..] else { panic!("{contacts:?}") };
        assert!((contact.gap - 1e-5).abs() < 1e-15 && contact.normal.distance(DVec3::Y) < 1e-9, "{contact:?}");
        assert!(
            matches!((contact.feature_a, contact.feature_b), (Feature::Face(_), Feature::Vertex(0))),
            "{contact:?}"
        );
        assert!(near_contacts(&pair, 0.9e-5).is_empty());
    }
}
