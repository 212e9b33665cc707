//! Points of segments that are closest to other points.

use glam::DVec3;

/// How far along a segment, 0…1, the point is that is closest to `p`: of `offset` = (p − start) · (end − start) and
/// `length_squared` = |end − start|². 0 where the segment is a point.
pub fn share(offset: f64, length_squared: f64) -> f64 {
    let quotient = offset / length_squared;
    if quotient.is_finite() { quotient.clamp(0.0, 1.0) } else { 0.0 }
}

/// The point of a segment that is closest to `p`, up to rounding.
pub fn closest_on_segment(p: DVec3, [start, end]: [DVec3; 2]) -> DVec3 {
    let along = end - start;
    start + along * share((p - start).dot(along), along.length_squared())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_beyond_an_end_are_closest_to_it_and_a_point_is_a_segment() {
        let segment = [DVec3::ZERO, DVec3::new(2.0, 0.0, 0.0)];
        for (p, closest) in [(-1.0, 0.0), (0.5, 0.5), (3.0, 2.0)] {
            let found = closest_on_segment(DVec3::new(p, 1.0, -1.0), segment);
            assert_eq!(found, DVec3::new(closest, 0.0, 0.0));
        }
        assert_eq!(closest_on_segment(DVec3::ONE, [DVec3::X; 2]), DVec3::X);
    }
}
