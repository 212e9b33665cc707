//! Contacts of vertices inside tetrahedra: what both vertex methods share.

use super::local::{LocalContact, LocalFeature};
use super::tetrahedron::Tetrahedron;
use crate::precision::Vector;

/// A vertex that a face of the other tetrahedron holds out.
pub struct VertexAtFace<V: Vector> {
    /// The vertex, 0..4.
    pub vertex: usize,
    /// The face, 0..4.
    pub face: usize,
    /// The outward unit normal of the face.
    pub normal: V,
    /// The signed distance of the vertex, m.
    pub gap: V::Real,
}

/// The contacts of B's vertices with faces of A, then of A's vertices with faces of B. `find` calls its last argument
/// for each vertex of the second tetrahedron at a face of the first.
pub fn contacts_both_ways<V: Vector>(
    a: &Tetrahedron<V>,
    b: &Tetrahedron<V>,
    contacts: &mut Vec<LocalContact<V>>,
    find: impl Fn(&Tetrahedron<V>, &Tetrahedron<V>, &mut dyn FnMut(VertexAtFace<V>)),
) {
    find(a, b, &mut |VertexAtFace { vertex, face, normal, gap }| {
        let (feature_a, feature_b) = (LocalFeature::Face(face), LocalFeature::Vertex(vertex));
        contacts.push(LocalContact { position: b.points[vertex], normal, gap, feature_a, feature_b });
    });
    find(b, a, &mut |VertexAtFace { vertex, face, normal, gap }| {
        let (feature_a, feature_b) = (LocalFeature::Vertex(vertex), LocalFeature::Face(face));
        contacts.push(LocalContact { position: a.points[vertex], normal: -normal, gap, feature_a, feature_b });
    });
}
