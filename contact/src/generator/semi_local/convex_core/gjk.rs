//! The closest points of two convex cores that are apart.
//!
//! E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A fast procedure for computing the distance between complex objects in three-dimensional
//! space", IEEE J. Robotics and Automation 4(2), 1988: a simplex of up to four points of the difference of the cores is moved
//! nearer to the origin until no point lies nearer along the direction to it.

use glam::DVec3;

use super::Pair;

/// What is known of two cores.
pub enum Found {
    /// They are apart about along this normal, from A to B, unit, and by no more than this distance along any, m.
    Apart(DVec3, f64),
    /// They are farther apart than asked for.
    Far,
    /// They overlap, or touch up to rounding.
    Overlapping,
}

/// Steps before the search ends where it is; curved cores take some twenty.
const STEPS: usize = 64;

/// The search ends when the square of the distance is known up to this share.
const CONVERGED: f64 = 1e-10;

/// Cores nearer to each other than this share of the coordinates of their difference overlap.
const TOUCHING: f64 = 1e-8;

/// Looks for the normal along which two cores are apart, from a direction of about that; one found is not exact. Cores farther apart than
/// `farthest` (m) are far.
pub fn search(pair: &Pair<'_>, towards: DVec3, farthest: f64) -> Found {
    let mut nearest = pair.difference(towards);
    let mut simplex = Simplex { points: [nearest; 4], count: 1 };
    let mut size = nearest.length();
    let (mut best, mut most) = ((f64::NEG_INFINITY, towards), f64::INFINITY);
    for _ in 0..STEPS {
        let distance = nearest.length();
        if distance <= TOUCHING * size {
            return Found::Overlapping;
        }
        most = distance;
        let normal = -nearest / distance;
        let point = pair.difference(normal);
        size = size.max(point.length());
        let gap = -normal.dot(point);
        if gap > best.0 {
            best = (gap, normal);
        }
        if gap > farthest {
            return Found::Far;
        }
        if distance * (distance - gap) <= CONVERGED * distance * distance || simplex.has(point) {
            break;
        }
        simplex.push(point);
        let Some(closer) = simplex.reduce() else { return Found::Overlapping };
        if closer.length_squared() >= distance * distance {
            break;
        }
        nearest = closer;
    }
    if best.0 > TOUCHING * size { Found::Apart(best.1, most) } else { Found::Overlapping }
}

/// Up to four points.
struct Simplex {
    points: [DVec3; 4],
    count: usize,
}

impl Simplex {
    fn has(&self, point: DVec3) -> bool {
        self.points[..self.count].contains(&point)
    }

    fn push(&mut self, point: DVec3) {
        self.points[self.count] = point;
        self.count += 1;
    }

    /// Keeps the corners of the part that is nearest to the origin, and returns its nearest point: `None` if the origin is inside. All
    /// parts with the last point are tried, as the others are no nearer than what was nearest before it came: there are eight at most.
    fn reduce(&mut self) -> Option<DVec3> {
        let mut best: Option<(f64, DVec3, Simplex)> = None;
        for subset in 1_usize << (self.count - 1)..1 << self.count {
            let mut part = Simplex { points: self.points, count: 0 };
            (0..self.count).filter(|k| subset >> k & 1 == 1).for_each(|k| part.push(self.points[k]));
            let Some(nearest) = part.nearest() else { continue };
            if part.count == 4 {
                return None;
            }
            let square = nearest.length_squared();
            if best.as_ref().is_none_or(|(least, ..)| square < *least) {
                best = Some((square, nearest, part));
            }
        }
        let (_, nearest, part) = best?;
        *self = part;
        Some(nearest)
    }

    /// The point of the plane through all corners that is nearest to the origin; `None` if it is not between them, or they are in a
    /// smaller plane.
    fn nearest(&self) -> Option<DVec3> {
        let p = self.points[0];
        let [u, v, w] = [1, 2, 3].map(|k| self.points[k] - p);
        let shares = match self.count {
            1 => [0.0; 3],
            2 => [-p.dot(u) / u.length_squared(), 0.0, 0.0],
            3 => {
                let n = u.cross(v);
                let square = n.length_squared();
                [(-p).cross(v).dot(n) / square, u.cross(-p).dot(n) / square, 0.0]
            }
            _ => {
                let volume = u.dot(v.cross(w));
                let of = |x: f64| x / volume;
                [of((-p).dot(v.cross(w))), of(u.dot((-p).cross(w))), of(u.dot(v.cross(-p)))]
            }
        };
        let first = 1.0 - shares.iter().sum::<f64>();
        let is_between = shares.iter().chain([&first]).all(|share| share.is_finite() && *share >= 0.0);
        is_between.then(|| p + u * shares[0] + if self.count > 2 { v * shares[1] } else { DVec3::ZERO })
    }
}
