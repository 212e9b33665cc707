//! Exact orientation predicates on points with f64 coordinates.
//!
//! The signs are exact (Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates",
//! 1997) as long as no product of three coordinate differences overflows or underflows.

use glam::{DVec2, DVec3};
use robust::{Coord, Coord3D};

/// The exact sign of the volume of the tetrahedron `(a, b, c, d)`, (b−a)·((c−a)×(d−a)); the magnitude is approximate.
///
/// Positive when `d` lies on the side of the plane `abc` from which `a`, `b`, `c` run counter-clockwise.
pub fn orientation_3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let coordinates = |p: DVec3| Coord3D { x: p.x, y: p.y, z: p.z };
    -robust::orient3d(coordinates(a), coordinates(b), coordinates(c), coordinates(d))
}

/// The exact sign of the area of the plane triangle `(a, b, c)`: positive when counter-clockwise; the magnitude is
/// approximate.
pub fn orientation_2d(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let coordinates = |p: DVec2| Coord { x: p.x, y: p.y };
    robust::orient2d(coordinates(a), coordinates(b), coordinates(c))
}

/// The three projections of a point onto the coordinate planes (drop x, drop y, drop z).
pub fn project(p: DVec3, dropped_axis: usize) -> DVec2 {
    match dropped_axis {
        0 => DVec2::new(p.y, p.z),
        1 => DVec2::new(p.z, p.x),
        _ => DVec2::new(p.x, p.y),
    }
}

/// The first coordinate axis along which the triangle can be projected without becoming flat; `None` exactly when the
/// three points are on one line.
pub fn projection_axis([a, b, c]: [DVec3; 3]) -> Option<usize> {
    (0..3).find(|&axis| orientation_2d(project(a, axis), project(b, axis), project(c, axis)) != 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_tetrahedron_is_positive() {
        let o = DVec3::ZERO;
        assert!(orientation_3d(o, DVec3::X, DVec3::Y, DVec3::Z) > 0.0);
        assert!(orientation_3d(o, DVec3::Y, DVec3::X, DVec3::Z) < 0.0);
    }

    #[test]
    fn collinear_points_have_no_projection_axis() {
        let p = DVec3::new(0.1, 0.2, 0.3);
        assert_eq!(projection_axis([DVec3::ZERO, p, 2.0 * p]), None);
        assert_eq!(projection_axis([DVec3::ZERO, DVec3::X, DVec3::Y]), Some(2));
    }
}
