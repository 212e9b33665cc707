//! The closest points of two convex cores that are apart.
//!
//! E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A fast procedure for computing the distance between complex objects in three-dimensional
//! space", IEEE J. Robotics and Automation 4(2), 1988: a simplex of up to four points of the difference of the cores is moved
//! nearer to the origin until no point lies nearer along the direction to it.

use glam::DVec3;

use super::Pair;

/// What is known of two cores.
pub enum Found {
    /// They are apart.
    Apart(Nearest),
    /// They are farther apart than asked for.
    Far,
    /// They overlap, or touch up to rounding.
    Overlapping,
}

/// How two cores are apart.
pub struct Nearest {
    /// About the direction, from A to B, unit.
    pub normal: DVec3,
    /// They are apart by no more than this along any direction, m.
    pub most: f64,
    /// Of A and of B, the ends of the line through all points where the search has ended; none if they are on no line.
    lines: [Option<[DVec3; 2]>; 2],
}

impl Nearest {
    /// The direction, from A to B, unit, across corners and straight edges of two polytopes, if the search has ended at such; `None` at
    /// a face.
    pub fn across_edges(&self) -> Option<DVec3> {
        let [of_a, of_b] = [self.lines[0]?, self.lines[1]?];
        let way = of_b[0] - of_a[0];
        let along = |[p, q]: [DVec3; 2]| (p != q).then(|| q - p);
        let normal = match (along(of_a), along(of_b)) {
            (None, None) => way,
            (Some(edge), None) | (None, Some(edge)) => way.reject_from(edge),
            (Some(edge), Some(other)) => edge.cross(other),
        };
        let normal = normal.try_normalize()?;
        Some(if normal.dot(self.normal) < 0.0 { -normal } else { normal })
    }
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
    let first = pair.supports(towards);
    let mut nearest = first[0] - first[1];
    let mut simplex = Simplex { points: [nearest; 4], ends: [first; 4], count: 1 };
    let mut size = nearest.length();
    let (mut best, mut most) = ((f64::NEG_INFINITY, towards), f64::INFINITY);
    for _ in 0..STEPS {
        let distance = nearest.length();
        if distance <= TOUCHING * size {
            return Found::Overlapping;
        }
        most = distance;
        let normal = -nearest / distance;
        let ends = pair.supports(normal);
        let point = ends[0] - ends[1];
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
        simplex.push(point, ends);
        let Some((closer, part)) = simplex.nearest() else { return Found::Overlapping };
        if closer.length_squared() >= distance * distance {
            // What was nearest is so still.
            simplex.count -= 1;
            break;
        }
        simplex.keep(part);
        nearest = closer;
    }
    if best.0 > TOUCHING * size {
        Found::Apart(Nearest { normal: best.1, most, lines: [0, 1].map(|k| simplex.line(k)) })
    } else {
        Found::Overlapping
    }
}

/// Up to four points of the difference.
struct Simplex {
    points: [DVec3; 4],
    /// Those of A and of B.
    ends: [[DVec3; 2]; 4],
    count: usize,
}

impl Simplex {
    fn has(&self, point: DVec3) -> bool {
        self.points[..self.count].contains(&point)
    }

    fn push(&mut self, point: DVec3, ends: [DVec3; 2]) {
        (self.points[self.count], self.ends[self.count]) = (point, ends);
        self.count += 1;
    }

    /// The line on which all points of A (0) or of B (1) lie by two of them, twice the same if there is one; `None` if there are more.
    fn line(&self, of: usize) -> Option<[DVec3; 2]> {
        let mut all = self.ends[..self.count].iter().map(|ends| ends[of]);
        let first = all.next()?;
        let mut others = all.filter(|point| *point != first);
        let second = others.next().unwrap_or(first);
        others.all(|point| point == second).then_some([first, second])
    }

    /// The nearest point to the origin with the corners between which it lies, as a set of bits: `None` if the origin is inside. Parts without
    /// the last point are not tried, as they are no nearer than what was nearest before it came.
    fn nearest(&self) -> Option<(DVec3, usize)> {
        let mut best: Option<(f64, DVec3, usize)> = None;
        for &part in PARTS[self.count] {
            // Nothing of a part is nearer than a point between all of its corners that is nearest in its plane.
            if best.is_some_and(|(.., known)| part & !known == 0) {
                continue;
            }
            let mut corners = [DVec3::ZERO; 4];
            let mut count = 0;
            for k in (0..self.count).filter(|k| part >> k & 1 == 1) {
                corners[count] = self.points[k];
                count += 1;
            }
            let Some(nearest) = between(&corners[..count]) else { continue };
            if count == 4 {
                return None;
            }
            let square = nearest.length_squared();
            if best.is_none_or(|(least, ..)| square < least) {
                best = Some((square, nearest, part));
            }
        }
        best.map(|(_, nearest, part)| (nearest, part))
    }

    /// Lets go of all points that are not in a set of bits.
    fn keep(&mut self, part: usize) {
        let before = std::mem::take(&mut self.count);
        for k in (0..before).filter(|k| part >> k & 1 == 1) {
            self.push(self.points[k], self.ends[k]);
        }
    }
}

/// The parts with the last of so many points, the largest first.
const PARTS: [&[usize]; 5] = [
    &[],
    &[0b1],
    &[0b11, 0b10],
    &[0b111, 0b101, 0b110, 0b100],
    &[0b1111, 0b1011, 0b1101, 0b1110, 0b1001, 0b1010, 0b1100, 0b1000],
];

/// The point of the plane through up to four corners that is nearest to the origin; `None` if it does not lie between them, or they are in
/// a smaller plane. The plane of four is all space.
fn between(corners: &[DVec3]) -> Option<DVec3> {
    let is_inside = |shares: &[f64]| shares.iter().all(|share| share.is_finite() && *share > 0.0);
    match *corners {
        [p] => Some(p),
        [p, q] => {
            let u = q - p;
            let share = -p.dot(u) / u.length_squared();
            is_inside(&[share, 1.0 - share]).then(|| p + u * share)
        }
        [p, q, r] => {
            let (u, v) = (q - p, r - p);
            let n = u.cross(v);
            let square = n.length_squared();
            let [s, t] = [(-p).cross(v).dot(n) / square, u.cross(-p).dot(n) / square];
            is_inside(&[s, t, 1.0 - s - t]).then(|| p + u * s + v * t)
        }
        [p, q, r, o] => {
            let (u, v, w) = (q - p, r - p, o - p);
            let volume = u.dot(v.cross(w));
            let shares = [(-p).dot(v.cross(w)), u.dot((-p).cross(w)), u.dot(v.cross(-p))].map(|x| x / volume);
            let first = 1.0 - shares.iter().sum::<f64>();
            let is_there = shares.iter().chain([&first]).all(|share| share.is_finite() && *share >= 0.0);
            is_there.then_some(DVec3::ZERO)
        }
        _ => None,
    }
}
