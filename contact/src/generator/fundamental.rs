//! Pairs of tetrahedra for the tests of the methods, simple enough to work out contacts by hand.
//!
//! A is a corner of side ten below the plane y = 0 with four faces: the top with outward normal +y, two sides with −x
//! and −z, and the slant with (1, −1, 1)/√3 at x − y + z = 10.

use glam::DVec3;

use super::local::{ElementMethod, LocalContact};
use super::tetrahedron::Tetrahedron;

/// A millimetre.
pub(crate) const DEPTH: f64 = 1e-3;

/// Rounding of coordinates up to ten, m.
pub(crate) const ROUNDING: f64 = 1e-13;

/// A tetrahedron of these points, turned to positive orientation.
pub(crate) fn tetrahedron(mut points: [[f64; 3]; 4]) -> Tetrahedron<DVec3> {
    let [p, q, r, s] = points.map(DVec3::from_array);
    if (q - p).dot((r - p).cross(s - p)) < 0.0 {
        points.swap(2, 3);
    }
    Tetrahedron::alone(points.map(DVec3::from_array))
}

/// A.
pub(crate) fn corner() -> Tetrahedron<DVec3> {
    tetrahedron([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, -10.0, 0.0], [0.0, 0.0, 10.0]])
}

/// A steep tetrahedron above its vertex 0, which is the apex, at a place.
pub(crate) fn apex_at([x, y, z]: [f64; 3]) -> Tetrahedron<DVec3> {
    tetrahedron([[x, y, z], [x + 0.3, y + 1.0, z + 0.1], [x - 0.3, y + 1.0, z + 0.2], [x, y + 1.0, z - 0.3]])
}

/// The apex a millimetre inside the top of A, far from its border.
pub(crate) fn apex_in_face() -> Tetrahedron<DVec3> {
    apex_at([1.0, -DEPTH, 2.0])
}

/// A face a millimetre below the top of A, its tetrahedron above.
pub(crate) fn face_in_face() -> Tetrahedron<DVec3> {
    tetrahedron([[1.0, -DEPTH, 1.0], [3.0, -DEPTH, 1.0], [1.0, -DEPTH, 3.0], [1.5, 3.0, 1.5]])
}

/// A ridge along z with its tetrahedron below: edge 0 is the ridge, at a height.
pub(crate) fn ridge_below(height: f64) -> Tetrahedron<DVec3> {
    tetrahedron([[0.0, height, -1.0], [0.0, height, 1.0], [-1.0, height - 1.5, 0.0], [1.0, height - 1.5, 0.0]])
}

/// A ridge along x with its tetrahedron above: edge 0 is the ridge, at a height.
pub(crate) fn ridge_above(height: f64) -> Tetrahedron<DVec3> {
    tetrahedron([[-1.0, height, 0.0], [1.0, height, 0.0], [0.0, height + 1.5, -1.0], [0.0, height + 1.5, 1.0]])
}

/// What the method finds.
pub(crate) fn contacts<M: ElementMethod>(
    method: &M,
    a: &Tetrahedron<DVec3>,
    b: &Tetrahedron<DVec3>,
) -> Vec<LocalContact<DVec3>> {
    let mut contacts = Vec::new();
    method.contacts(a, b, &mut contacts);
    contacts
}

/// Whether there is a contact, and all have this normal and gap.
pub(crate) fn all_have(contacts: &[LocalContact<DVec3>], normal: DVec3, gap: f64) -> bool {
    !contacts.is_empty()
        && contacts.iter().all(|c| (c.normal - normal).length() < ROUNDING && (c.gap - gap).abs() < ROUNDING)
}
