//! Contacts as a structured array, 72 bytes each: nine numbers of eight bytes.

use drystone_contact::{Contact, Feature};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::arrays::frozen;

/// Eight-byte numbers a contact.
pub const WORDS: usize = 9;

/// Appends a contact as the fields of `drystone.CONTACT`.
pub fn push(words: &mut Vec<u64>, contact: &Contact) {
    let Contact { position: p, normal: n, gap, feature_a, feature_b } = *contact;
    words.extend([p.x, p.y, p.z, n.x, n.y, n.z, gap].map(f64::to_bits));
    words.extend([feature_a, feature_b].map(feature_word));
}

/// Kind and number of a feature, four bytes each.
fn feature_word(feature: Feature) -> u64 {
    let (kind, number): (u32, u32) = match feature {
        Feature::Vertex(i) => (0, i),
        Feature::Edge(i) => (1, i),
        Feature::Face(i) => (2, i),
        Feature::Tetrahedron(i) => (3, i),
        Feature::Facet(i) => (4, i),
        Feature::FacetEdge(i) => (5, i),
        Feature::FacetVertex(i) => (6, i),
        Feature::PieceFace(i) => (7, i),
        Feature::PieceEdge(i) => (8, i),
        Feature::PieceVertex(i) => (9, i),
        Feature::Surface(i) => (10, i),
        Feature::Overlap(i) => (11, i),
    };
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&kind.to_ne_bytes());
    bytes[4..].copy_from_slice(&number.to_ne_bytes());
    u64::from_ne_bytes(bytes)
}

/// The read-only array of contacts that [`push`] wrote.
pub fn array<'py>(py: Python<'py>, words: Vec<u64>) -> PyResult<Bound<'py, PyAny>> {
    static CONTACT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let kind = CONTACT.import(py, "drystone._contact", "CONTACT")?;
    frozen(py, words).call_method1("view", (kind,))
}
