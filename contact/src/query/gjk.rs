//! The distance of two convex sets by their support functions (Gilbert, Johnson and Keerthi, "A fast procedure for computing the
//! distance between complex objects in three-dimensional space", 1988).
//!
//! A simplex of up to four points of the difference A − B is moved towards the origin. The point of a simplex that is nearest to the
//! origin is taken as the best one over all its faces, each with weights that are not negative: so that it belongs to the difference
//! however flat the simplex is, and its length is an upper bound of the distance. The plane through the support point across it is a
//! lower one. The iteration ends where they agree, or where it makes no more progress.

use glam::DVec3;

use super::support::Support;

/// The bounds agree if their difference is no larger than this share of the distance.
const AGREEMENT: f64 = 1e-12;

/// Nearer than this share of the largest coordinate, sets touch.
const TOUCHING: f64 = 1e-14;

/// Smooth sets need some dozens of steps to the last digits.
const STEPS: usize = 128;

/// What is known of two sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distance {
    /// They have a point in common.
    Overlapping,
    /// They are apart.
    Apart {
        /// The closest points of A and B.
        points: [DVec3; 2],
        /// From A to B, unit.
        normal: DVec3,
        /// m, above zero.
        distance: f64,
        /// They are no nearer, m.
        least: f64,
    },
    /// They are farther apart than was asked for.
    Beyond,
}

#[derive(Clone, Copy, Debug)]
struct Corner {
    /// Of A and of B.
    points: [DVec3; 2],
    difference: DVec3,
}

/// Some of four corners, with the weights of their nearest point.
#[derive(Clone, Copy, Debug)]
struct Simplex {
    corners: [Corner; 4],
    weights: [f64; 4],
    count: usize,
}

/// The distance of A and B, as far as it is no more than `limit` (m). `towards` is a first guess of the direction from A to B.
pub fn distance(a: &impl Support, b: &impl Support, towards: DVec3, limit: f64) -> Distance {
    let corner = |v: DVec3| {
        let points = [a.support(-v), b.support(v)];
        Corner { points, difference: points[0] - points[1] }
    };
    let margins = [a.margin(), b.margin()];
    let margin = margins[0] + margins[1];
    let start = if towards == DVec3::ZERO { DVec3::X } else { towards };
    let first = corner(-start);
    let mut simplex = Simplex { corners: [first; 4], weights: [1.0, 0.0, 0.0, 0.0], count: 1 };
    let mut v = first.difference;
    let mut size = first.points[0].abs().max(first.points[1].abs()).max_element();
    let mut least = 0.0_f64;
    for _ in 0..STEPS {
        let square = v.length_squared();
        let length = square.sqrt();
        if length <= TOUCHING * size {
            return Distance::Overlapping;
        }
        let new = corner(v);
        size = size.max(new.points[0].abs().max(new.points[1].abs()).max_element());
        let height = v.dot(new.difference);
        least = least.max(height / length);
        if least - margin > limit {
            return Distance::Beyond;
        }
        let known = simplex.corners[..simplex.count].iter().any(|c| c.difference == new.difference);
        if known || square - height <= AGREEMENT * square {
            break;
        }
        let next = simplex.with(new);
        let nearer = next.point();
        if nearer.length_squared() >= square {
            break;
        }
        (simplex, v) = (next, nearer);
        if simplex.count == 4 {
            return Distance::Overlapping;
        }
    }
    let length = v.length();
    let normal = -v / length;
    if length <= margin {
        return Distance::Overlapping;
    }
    if length - margin > limit {
        return Distance::Beyond;
    }
    let [on_a, on_b] = simplex.points();
    Distance::Apart {
        points: [on_a + normal * margins[0], on_b - normal * margins[1]],
        normal,
        distance: length - margin,
        least: least - margin,
    }
}

impl Simplex {
    fn point(&self) -> DVec3 {
        (0..self.count).map(|k| self.corners[k].difference * self.weights[k]).sum()
    }

    /// The same combination of points of A and of B.
    fn points(&self) -> [DVec3; 2] {
        [0, 1].map(|side| (0..self.count).map(|k| self.corners[k].points[side] * self.weights[k]).sum())
    }

    /// The face of this simplex with another corner, of which it is part, whose nearest point is nearest to the origin.
    fn with(&self, new: Corner) -> Self {
        let mut best: Option<(f64, Self)> = None;
        let old = self.count.min(3);
        for subset in 0_u32..1 << old {
            let mut face = Self { corners: [new; 4], weights: [0.0; 4], count: 1 };
            for k in (0..old).filter(|k| subset >> k & 1 == 1) {
                face.corners[face.count] = self.corners[k];
                face.count += 1;
            }
            let Some(weights) = weights(&face.corners[..face.count]) else { continue };
            face.weights = weights;
            let square = face.point().length_squared();
            if best.as_ref().is_none_or(|(least, _)| square < *least) {
                best = Some((square, face));
            }
        }
        best.map_or(*self, |(_, face)| face)
    }
}

/// The weights of the point nearest to the origin in the affine hull of corners; `None` if it is not inside, or they are flat. They are
/// found once more from where the first ones lead, as those of a slim triangle lose digits.
fn weights(corners: &[Corner]) -> Option<[f64; 4]> {
    let p = corners[0].difference;
    let sides = [1, 2, 3].map(|k| corners.get(k).map_or(DVec3::ZERO, |corner| corner.difference - p));
    let count = corners.len() - 1;
    let first = along(p, sides, count);
    let reached = p + sides[0] * first[0] + sides[1] * first[1] + sides[2] * first[2];
    let more = along(reached, sides, count);
    let rest = [0, 1, 2].map(|k| first[k] + more[k]);
    let weights = [1.0 - (rest[0] + rest[1] + rest[2]), rest[0], rest[1], rest[2]];
    weights.iter().all(|w| w.is_finite() && *w >= 0.0).then_some(weights)
}

/// How far along its first `count` sides the affine hull through a point is nearest to the origin.
fn along(p: DVec3, [u, v, w]: [DVec3; 3], count: usize) -> [f64; 3] {
    match count {
        0 => [0.0; 3],
        1 => [-p.dot(u) / u.length_squared(), 0.0, 0.0],
        2 => {
            let n = u.cross(v);
            let square = n.length_squared();
            [(-p).cross(v).dot(n) / square, u.cross(-p).dot(n) / square, 0.0]
        }
        _ => {
            let volume = u.dot(v.cross(w));
            [(-p).dot(v.cross(w)) / volume, u.dot((-p).cross(w)) / volume, u.dot(v.cross(-p)) / volume]
        }
    }
}
