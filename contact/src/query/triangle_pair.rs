//! The closest points of two triangles: over three sides against three sides, and corners against the other triangle (Ericson,
//! "Real-Time Collision Detection", 5.1.9 and 5.1.10). Whether they cross is decided exactly.

use glam::DVec3;

use crate::overlap::predicate::{Side, crossing};
use crate::solid::triangle::closest_of_triangle;

/// The closest points of two triangles, and the square of their distance, m²; `None` if they cross.
pub fn closest_of_triangles(a: [DVec3; 3], b: [DVec3; 3]) -> Option<([DVec3; 2], f64)> {
    let sides = |t: [DVec3; 3]| [0, 1, 2].map(|k| [t[k], t[(k + 1) % 3]]);
    let crosses = sides(a).iter().any(|&side| crossing(Side::A, side, b).is_some())
        || sides(b).iter().any(|&side| crossing(Side::B, side, a).is_some());
    if crosses {
        return None;
    }
    let mut best = ([a[0], b[0]], f64::INFINITY);
    let mut take = |points: [DVec3; 2]| {
        let square = points[0].distance_squared(points[1]);
        if square < best.1 {
            best = (points, square);
        }
    };
    for side in sides(a) {
        for other in sides(b) {
            take(closest_of_segments(side, other));
        }
    }
    for corner in a {
        take([corner, closest_of_triangle(corner, b).position]);
    }
    for corner in b {
        take([closest_of_triangle(corner, a).position, corner]);
    }
    Some(best)
}

/// The closest points of two segments.
fn closest_of_segments([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> [DVec3; 2] {
    let (d, e, between) = (q - p, s - r, p - r);
    let (dd, ee, de) = (d.length_squared(), e.length_squared(), d.dot(e));
    let (db, eb) = (d.dot(between), e.dot(between));
    let share = |x: f64, length: f64| if length > 0.0 { (x / length).clamp(0.0, 1.0) } else { 0.0 };
    let denominator = dd * ee - de * de;
    let first = if denominator > 0.0 { ((de * eb - ee * db) / denominator).clamp(0.0, 1.0) } else { 0.0 };
    let second = share(de * first + eb, ee);
    let first = share(de * second - db, dd);
    [p + first * d, r + second * e]
}
