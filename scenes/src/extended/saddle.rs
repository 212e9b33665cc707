//! The saddle y = a (|x| − |z|): four plane facets around the origin, two convex ridges that rise along x and two concave
//! valleys that fall along z.

use glam::DVec3;

use super::hexahedra::{self, Cell};

/// The slope a of the facets along x and along z.
pub const SLOPE: f64 = 0.5;

/// The height over (x, z), m.
fn height(x: f64, z: f64) -> f64 {
    SLOPE * (x.abs() - z.abs())
}

/// The normal of the facet in the quadrant with these signs of x and z, up.
pub fn normal(sign_x: f64, sign_z: f64) -> DVec3 {
    DVec3::new(-SLOPE * sign_x, 1.0, SLOPE * sign_z).normalize()
}

/// The four columns between the saddle and the plane at `level` (m), above or below it, over the square of half width
/// `half` (m).
pub fn columns(half: f64, level: f64) -> Vec<Cell> {
    hexahedra::columns(&[-half, 0.0, half], level, height)
}
