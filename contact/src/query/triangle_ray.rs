//! Where a segment crosses a triangle: by rounded arithmetic where that is certain, else by exact predicates.
//!
//! The volumes of the tetrahedra that the segment makes with the sides (Woop, Benthin and Wald, "Watertight ray/triangle intersection",
//! 2013) have signs beyond a bound of their errors for nearly all triangles; then they agree with the exact ones.

use glam::DVec3;

use crate::overlap::predicate::{Crossing, Side, crossing as exact};

/// The error of a volume is less than this share of the length of the segment times the square of the largest coordinate: some dozens of
/// roundings of 1.1e-16 each, with a large reserve.
const ERROR: f64 = 1e-13;

/// Shares of the segment that are so near to its ends are decided exactly, and so are segments that are so parallel to the triangle.
const CLEAR: f64 = 1e-9;

/// As [`crate::overlap::predicate::crossing`] of the first side.
pub fn crossing([p, q]: [DVec3; 2], corners: [DVec3; 3]) -> Option<Crossing> {
    let way = q - p;
    let [a, b, c] = corners.map(|corner| corner - p);
    let size = corners[0].abs().max(corners[1].abs()).max(corners[2].abs()).max(p.abs()).max(q.abs()).max_element();
    let bound = ERROR * way.abs().element_sum() * size * size;
    let volumes = [way.dot(c.cross(b)), way.dot(a.cross(c)), way.dot(b.cross(a))];
    let least = volumes[0].min(volumes[1]).min(volumes[2]);
    let most = volumes[0].max(volumes[1]).max(volumes[2]);
    if least < -bound && most > bound {
        return None;
    }
    if least > bound || most < -bound {
        let normal = (b - a).cross(c - a);
        let slope = normal.dot(way);
        let fraction = normal.dot(a) / slope;
        let is_steep = slope.abs() > CLEAR * normal.length() * way.length();
        if is_steep && !(-CLEAR..=1.0 + CLEAR).contains(&fraction) {
            return None;
        }
        if is_steep && fraction > CLEAR && fraction < 1.0 - CLEAR {
            return Some(Crossing { fraction, enters: slope < 0.0 });
        }
    }
    exact(Side::A, [p, q], corners)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_mix::SplitMix;

    /// Segments by chance, through corners and sides, and in the plane: whether there is a crossing is what the exact predicate says.
    #[test]
    fn decisions_are_the_exact_ones() {
        let mut random = SplitMix::new(61);
        let mut vector = |size: f64| DVec3::from_array([0; 3].map(|_| random.next_between(-size, size)));
        let mut crossings = 0;
        for case in 0..40_000 {
            let middle = vector(10.0);
            let size = [1.0, 1e-3, 1e-6][case % 3];
            let [a, b, c] = [0; 3].map(|_| middle + vector(size));
            let through = match case % 5 {
                0 => a,
                1 => a.midpoint(b),
                2 => (a + b + c) / 3.0,
                3 => a + 0.3 * (b - a) + 0.3 * (c - a),
                _ => middle + vector(size),
            };
            let far = vector(5.0);
            let p = if case % 7 == 0 { through + (b - c) } else { through + far };
            let q = if case % 7 == 1 { through } else { through - far };
            let (found, expected) = (crossing([p, q], [a, b, c]), exact(Side::A, [p, q], [a, b, c]));
            assert_eq!(found.map(|c| c.enters), expected.map(|c| c.enters), "case {case}");
            if let (Some(found), Some(expected)) = (found, expected) {
                crossings += 1;
                let apart = (found.fraction - expected.fraction).abs() * p.distance(q);
                assert!(apart < 1e-5, "case {case}: {apart}");
            }
        }
        assert!(crossings > 5_000, "{crossings}");
    }
}
