//! How far four points are from one plane, and whether a wedge between two triangles is reflex.

use glam::DVec3;

use crate::shape::predicate::orientation_3d;

/// The least distance between two parallel planes with the four points on or between them, m: the smallest of the
/// tetrahedron's four heights and of the three distances between the lines of opposite edges.
pub(super) fn width([a, b, c, d]: [DVec3; 4]) -> f64 {
    let volume = (b - a).cross(c - a).dot(d - a).abs();
    let normals = [
        (b - a).cross(c - a),
        (b - a).cross(d - a),
        (c - a).cross(d - a),
        (c - b).cross(d - b),
        (b - a).cross(d - c),
        (c - a).cross(d - b),
        (d - a).cross(c - b),
    ];
    let largest = normals.iter().map(|n| n.length()).fold(0.0, f64::max);
    if largest > 0.0 { volume / largest } else { 0.0 }
}

/// Whether a wedge about the edge from `a` to `b`, from the side of `c` counter-clockwise to that of `d`, spans less
/// than 180°. With a `tolerance` (m), one that spans a right angle at least and whose corners are less wide is not.
pub(super) fn is_reflex([a, b, c, d]: [DVec3; 4], tolerance: f64) -> bool {
    if orientation_3d(a, b, c, d) <= 0.0 {
        return false;
    }
    let along = b - a;
    let across = |p: DVec3| (p - a).cross(along);
    let is_obtuse = across(c).dot(across(d)) <= 0.0;
    !(is_obtuse && width([a, b, c, d]) < tolerance)
}

/// Tells whether a point is above a triangle, seen from where that is counter-clockwise, by `tolerance` (m) at least.
pub(super) fn above([a, b, c]: [DVec3; 3], tolerance: f64) -> impl Fn(DVec3) -> bool {
    let normal = (b - a).cross(c - a);
    // Four points are no wider than the height of one over the others.
    let least = if tolerance > 0.0 { tolerance * normal.length() } else { f64::NEG_INFINITY };
    move |point| {
        normal.dot(point - a) > least && orientation_3d(a, b, c, point) > 0.0 && width([a, b, c, point]) >= tolerance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_is_the_least_of_all_directions() {
        let corner = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        assert!((width(corner) - 1.0 / 3f64.sqrt()).abs() < 1e-15);
        // Two crossed sticks of length 2, one 0.1 above the other.
        let sticks = [DVec3::X, -DVec3::X, DVec3::new(0.0, 1.0, 0.1), DVec3::new(0.0, -1.0, 0.1)];
        assert!((width(sticks) - 0.1).abs() < 1e-15);
        assert_eq!(width([DVec3::ZERO, DVec3::X, 2.0 * DVec3::X, DVec3::Y]), 0.0);
        assert_eq!(width([DVec3::ONE; 4]), 0.0);
    }

    #[test]
    fn without_a_tolerance_the_least_bit_counts() {
        let up = 2f64.powi(-1000);
        let corners = [DVec3::ZERO, DVec3::Y, DVec3::new(1.0, 0.5, 0.0), DVec3::new(-1.0, 0.5, up)];
        let [a, b, c, d] = corners;
        assert_eq!([is_reflex([b, a, c, d], 0.0), is_reflex([a, b, c, d], 0.0)], [true, false]);
        assert_eq!([above([b, a, c], 0.0)(d), above([a, b, c], 0.0)(d)], [true, false]);
        assert!(!is_reflex([b, a, c, d], 1e-300) && !above([b, a, c], 1e-300)(d));
    }

    #[test]
    fn wedges_are_reflex_below_half_a_turn() {
        let wedge = |degrees: f64| {
            let angle = degrees.to_radians();
            [DVec3::ZERO, DVec3::Z, DVec3::X, DVec3::new(libm::cos(angle), libm::sin(angle), 0.5)]
        };
        for (degrees, tolerance, expected) in [
            (1e-9, 0.0, true),
            (1e-9, 1e-3, true),
            (90.0, 1e-3, true),
            (179.9, 1e-6, true),
            (179.9, 1e-2, false),
            (179.9, 0.0, true),
            (180.1, 0.0, false),
            (359.0, 1e-2, false),
        ] {
            assert_eq!(is_reflex(wedge(degrees), tolerance), expected, "{degrees}");
        }
    }
}
