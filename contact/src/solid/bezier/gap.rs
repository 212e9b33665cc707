//! How far the hull of some points is from a box.
//!
//! E. Gilbert, D. Johnson, S. Keerthi, "A fast procedure for computing the distance between complex objects in
//! three-dimensional space", 1988; the closest points of a simplex as in C. Ericson, "Real-Time Collision Detection", section 5.1.
//! Every step also yields a direction that may separate the two: a lower bound, which holds whatever the steps were.

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::solid::OrientedBox;

/// Steps at most; most searches take two or three.
const STEPS: usize = 32;

/// Between which bounds a distance is, m.
#[derive(Clone, Copy, Debug)]
pub(in crate::solid) struct Gap {
    /// The distance is not below this; zero or less where no direction separates.
    pub lower: f64,
    /// The distance is not above this.
    pub upper: f64,
}

/// Bounds of the distance between the hull of points and a box. The search ends where the distance is surely above `apart` or surely
/// below `close`, m. `direction`: where to look first, any length.
pub(in crate::solid) fn gap(points: &[DVec3], turned: &OrientedBox, direction: DVec3, apart: f64, close: f64) -> Gap {
    let mut simplex = ArrayVec::<DVec3, 4>::new();
    // A direction and its opposite: where the points are is not known yet.
    let side = points.iter().map(|p| *p - turned.centre).sum::<DVec3>();
    let mut toward = if direction.dot(side) < 0.0 { -direction } else { direction };
    if toward == DVec3::ZERO {
        toward = side;
    }
    let mut bounds = Gap { lower: 0.0, upper: f64::INFINITY };
    for _ in 0..STEPS {
        let length = toward.length();
        if length == 0.0 || !length.is_finite() {
            bounds.upper = bounds.upper.min(0.0);
            break;
        }
        let unit = toward / length;
        // The point of the difference (points − box) that is farthest against the direction.
        let mut least = f64::INFINITY;
        let mut nearest = DVec3::ZERO;
        for p in points {
            let along = (*p - turned.centre).dot(unit);
            if along < least {
                (least, nearest) = (along, *p);
            }
        }
        let local = turned.axes.transpose() * unit;
        let reach = local.abs().dot(turned.half);
        let lower = least - reach;
        bounds.lower = bounds.lower.max(lower);
        if bounds.lower > apart {
            break;
        }
        let corner = turned.axes * (local.map(f64::signum) * turned.half);
        let difference = nearest - turned.centre - corner;
        let has_stalled = bounds.upper.is_finite() && bounds.upper - lower <= 1e-14 * bounds.upper;
        if has_stalled || simplex.contains(&difference) || simplex.is_full() {
            break;
        }
        simplex.push(difference);
        let closest = reduce(&mut simplex);
        let distance = closest.length();
        if distance >= bounds.upper {
            break;
        }
        bounds.upper = distance;
        if bounds.upper <= close {
            break;
        }
        toward = closest;
    }
    bounds
}

/// The point of a simplex that is closest to the origin; only the corners whose mean it is remain.
fn reduce(simplex: &mut ArrayVec<DVec3, 4>) -> DVec3 {
    let corners = simplex.clone();
    let (closest, kept) = match corners.as_slice() {
        [a] => (*a, 1),
        [a, b] => of_segment(*a, *b),
        [a, b, c] => of_triangle(*a, *b, *c),
        [a, b, c, d] => of_tetrahedron([*a, *b, *c, *d]),
        _ => (DVec3::ZERO, 0),
    };
    let mut index = 0;
    simplex.retain(|_| {
        index += 1;
        kept >> (index - 1) & 1 == 1
    });
    closest
}

/// The closest point and the corners it is a mean of, as bits.
fn of_segment(a: DVec3, b: DVec3) -> (DVec3, u8) {
    let along = b - a;
    let share = -a.dot(along) / along.length_squared();
    if share.is_nan() || share <= 0.0 {
        (a, 1)
    } else if share >= 1.0 {
        (b, 2)
    } else {
        (a + share * along, 3)
    }
}

fn of_triangle(a: DVec3, b: DVec3, c: DVec3) -> (DVec3, u8) {
    let normal = (b - a).cross(c - a);
    let area = normal.length_squared();
    // Twice the areas beside the foot of the origin.
    let shares = [b.cross(c).dot(normal), c.cross(a).dot(normal), a.cross(b).dot(normal)];
    if area > 0.0 && shares.iter().all(|&s| s >= 0.0) {
        return (normal * (a.dot(normal) / area), 7);
    }
    let sides = [(of_segment(a, b), [0, 1]), (of_segment(b, c), [1, 2]), (of_segment(c, a), [2, 0])];
    nearer(sides.map(|((point, kept), corners)| (point, spread(kept, &corners))))
}

fn of_tetrahedron(p: [DVec3; 4]) -> (DVec3, u8) {
    let faces = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
    let is_outside = |[i, j, k]: [usize; 3]| {
        let normal = (p[j] - p[i]).cross(p[k] - p[i]);
        let inner = p[6 - i - j - k] - p[i];
        (-p[i]).dot(normal) * inner.dot(normal) <= 0.0
    };
    if !faces.iter().any(|&face| is_outside(face)) {
        return (DVec3::ZERO, 15);
    }
    nearer(faces.map(|face| {
        if !is_outside(face) {
            return (DVec3::INFINITY, 0);
        }
        let (point, kept) = of_triangle(p[face[0]], p[face[1]], p[face[2]]);
        (point, spread(kept, &face))
    }))
}

fn spread(kept: u8, corners: &[usize]) -> u8 {
    corners.iter().enumerate().filter(|(k, _)| kept >> k & 1 == 1).fold(0, |bits, (_, corner)| bits | 1 << corner)
}

fn nearer<const N: usize>(candidates: [(DVec3, u8); N]) -> (DVec3, u8) {
    candidates.into_iter().fold((DVec3::INFINITY, 0), |best, candidate| {
        if candidate.0.length_squared() < best.0.length_squared() { candidate } else { best }
    })
}
