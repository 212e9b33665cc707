//! The closest points of two lines.

use num_traits::{Float, One};

use crate::precision::Vector;

/// Parameters (along A, along B; m) of the closest points of the lines through `point_a` and `point_b` with unit
/// directions; `None` if the lines are parallel within the working precision.
pub fn closest_parameters<V: Vector>(
    point_a: V,
    direction_a: V,
    point_b: V,
    direction_b: V,
) -> Option<(V::Real, V::Real)> {
    let r = point_b - point_a;
    let k = direction_a.dot(direction_b);
    let q1 = direction_a.dot(r);
    let q2 = -direction_b.dot(r);
    let w = V::Real::one() - k * k;
    (w.abs() >= V::WORKING_PRECISION).then(|| ((q1 + k * q2) / w, (q2 + k * q1) / w))
}

/// The closest points of two segments if both lie strictly inside: (on A, on B).
pub fn closest_interior_points<V: Vector>([a0, a1]: [V; 2], [b0, b1]: [V; 2]) -> Option<(V, V)> {
    let (direction_a, direction_b) = ((a1 - a0).unit(), (b1 - b0).unit());
    let (t, s) = closest_parameters(a0, direction_a, b0, direction_b)?;
    let zero = V::real(0.0);
    let is_inside = t > zero && s > zero && t < (a1 - a0).length() && s < (b1 - b0).length();
    is_inside.then(|| (a0 + direction_a * t, b0 + direction_b * s))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn crossing_segments_are_closest_at_the_crossing() {
        let (p, q) = closest_interior_points(
            [DVec3::new(-1.0, 0.0, 0.0), DVec3::new(2.0, 0.0, 0.0)],
            [DVec3::new(0.5, 1.0, -1.0), DVec3::new(0.5, 1.0, 3.0)],
        )
        .unwrap();
        assert!((p - DVec3::new(0.5, 0.0, 0.0)).length() < 1e-15);
        assert!((q - DVec3::new(0.5, 1.0, 0.0)).length() < 1e-15);
    }

    #[test]
    fn parallel_and_outside_have_none() {
        let a = [DVec3::ZERO, DVec3::X];
        assert!(closest_interior_points(a, [DVec3::Y, DVec3::Y + DVec3::X]).is_none());
        assert!(closest_interior_points(a, [DVec3::new(2.0, 1.0, -1.0), DVec3::new(2.0, 1.0, 1.0)]).is_none());
    }
}
