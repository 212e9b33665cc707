//! Contacts as a structured array, 72 bytes each: nine numbers of eight bytes.

use drystone_contact::{Contact, Feature};
use glam::DVec3;
use numpy::{PyArray1, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::arrays::records;
use crate::failure::{Failure, Outcome};

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

fn feature_of(word: u64) -> Option<Feature> {
    let bytes = word.to_ne_bytes();
    let [kind, i] = [0, 4].map(|k| u32::from_ne_bytes([bytes[k], bytes[k + 1], bytes[k + 2], bytes[k + 3]]));
    Some(match kind {
        0 => Feature::Vertex(i),
        1 => Feature::Edge(i),
        2 => Feature::Face(i),
        3 => Feature::Tetrahedron(i),
        4 => Feature::Facet(i),
        5 => Feature::FacetEdge(i),
        6 => Feature::FacetVertex(i),
        7 => Feature::PieceFace(i),
        8 => Feature::PieceEdge(i),
        9 => Feature::PieceVertex(i),
        10 => Feature::Surface(i),
        11 => Feature::Overlap(i),
        _ => return None,
    })
}

/// How far the length of a normal may be from one.
const UNIT: f64 = 1e-6;

/// The contacts of an array of `drystone.CONTACT`.
///
/// # Errors
/// [`Failure::Kind`] of anything else, [`Failure::Value`] of numbers that are not finite, normals that are not unit and
/// features that there are not.
pub fn read(array: &Bound<'_, PyAny>) -> Outcome<Vec<Contact>> {
    let py = array.py();
    let kind = contact_type(py)?;
    let Some(own) = array.cast::<PyUntypedArray>().ok().filter(|own| own.dtype().eq(kind).unwrap_or(false)) else {
        let kind = array.get_type();
        return Err(Failure::Kind(format!("it is no array of drystone.CONTACT ({kind}); contact_array makes one")));
    };
    if own.ndim() != 1 {
        return Err(Failure::Value("its shape is not (n,)".into()));
    }
    // A copy is contiguous, wherever the contacts lie, and an array of NumPy itself.
    static COPY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let words = COPY.import(py, "numpy", "array")?.call1((own,))?.call_method1("view", (numpy::dtype::<u64>(py),))?;
    let words = words.cast::<PyArray1<u64>>().map_err(|_| Failure::Value("its shape is not (n,)".into()))?.readonly();
    let words = words.as_array();
    let mut contacts = Vec::with_capacity(words.len() / WORDS);
    for first in (0..words.len()).step_by(WORDS) {
        let number = |k: usize| f64::from_bits(words[first + k]);
        let vector = |k: usize| DVec3::new(number(k), number(k + 1), number(k + 2));
        let (position, normal, gap) = (vector(0), vector(3), number(6));
        let at = first / WORDS;
        if !(position.is_finite() && normal.is_finite() && gap.is_finite()) {
            return Err(Failure::Value(format!("contact {at} has a number that is not finite")));
        }
        if (normal.length() - 1.0).abs() > UNIT {
            return Err(Failure::Value(format!("the normal of contact {at} is {normal}; it must have the length 1")));
        }
        let feature = |k: usize| {
            feature_of(words[first + k])
                .ok_or_else(|| Failure::Value(format!("a feature of contact {at} is of no FeatureKind")))
        };
        contacts.push(Contact { position, normal, gap, feature_a: feature(7)?, feature_b: feature(8)? });
    }
    Ok(contacts)
}

fn contact_type(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static CONTACT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    CONTACT.import(py, "drystone._contact", "CONTACT")
}

/// The array of contacts that [`push`] wrote.
pub fn array<'py>(py: Python<'py>, words: Vec<u64>) -> PyResult<Bound<'py, PyAny>> {
    records(words, contact_type(py)?)
}
