//! How far a vertex and a triangle, or two edges, are apart, and by which of their points.

use glam::DVec3;

/// What a pair consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PairKind {
    /// A vertex, then the three of a triangle.
    VertexTriangle,
    /// The two vertices of an edge, then those of another.
    EdgeEdge,
}

impl PairKind {
    /// How many of the four vertices belong to the first feature.
    pub fn split(self) -> usize {
        match self {
            Self::VertexTriangle => 1,
            Self::EdgeEdge => 2,
        }
    }
}

/// The closest points of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// m.
    pub distance: f64,
    /// From the second feature to the first, unit; zero if they meet.
    pub normal: DVec3,
    /// The point of the first feature is the sum of its vertices by these weights, and that of the second the negative of such a sum:
    /// all four sum to zero.
    pub weights: [f64; 4],
}

impl Separation {
    /// Of the four vertices of a pair, m.
    pub fn of(kind: PairKind, points: &[DVec3; 4]) -> Self {
        let [a, b, c, d] = *points;
        let weights = match kind {
            PairKind::VertexTriangle => {
                let [u, v, w] = on_triangle(a, [b, c, d]);
                [1.0, -u, -v, -w]
            }
            PairKind::EdgeEdge => {
                let [s, t] = on_edges([a, b], [c, d]);
                [1.0 - s, s, t - 1.0, -t]
            }
        };
        // By differences, which are exact to their own size.
        let way = match kind {
            PairKind::VertexTriangle => -((b - a) * -weights[1] + (c - a) * -weights[2] + (d - a) * -weights[3]),
            PairKind::EdgeEdge => (a - c) + (b - a) * weights[1] + (d - c) * weights[3],
        };
        let distance = way.length();
        let normal = if distance > 0.0 { way / distance } else { DVec3::ZERO };
        Self { distance, normal, weights }
    }
}

/// The weights of the corners in the point of a triangle that is closest to a point.
fn on_triangle(point: DVec3, corners: [DVec3; 3]) -> [f64; 3] {
    let [a, b, c] = corners.map(|corner| corner - point);
    let normal = (b - a).cross(c - a);
    let inner = [normal.dot(b.cross(c)), normal.dot(c.cross(a)), normal.dot(a.cross(b))];
    let sum = inner[0] + inner[1] + inner[2];
    if inner.iter().all(|&w| w > 0.0) && sum.is_finite() {
        return inner.map(|w| w / sum);
    }
    let (mut best, mut weights) = (f64::INFINITY, [1.0, 0.0, 0.0]);
    for k in 0..3 {
        let next = (k + 1) % 3;
        let (from, to) = ([a, b, c][k], [a, b, c][next]);
        let side = to - from;
        let share = clamped(-from.dot(side), side.length_squared());
        let squared = (from + share * side).length_squared();
        if squared < best {
            best = squared;
            weights = [0.0; 3];
            weights[next] = share;
            weights[k] = 1.0 - share;
        }
    }
    weights
}

/// How far along each of two edges, 0…1, their closest points are.
fn on_edges([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> [f64; 2] {
    let (first, second, way) = (b - a, d - c, a - c);
    let (ff, ss, fs) = (first.length_squared(), second.length_squared(), first.dot(second));
    let (fw, sw) = (first.dot(way), second.dot(way));
    let determinant = ff * ss - fs * fs;
    let (s, t) = (fs * sw - ss * fw, ff * sw - fs * fw);
    if s > 0.0 && t > 0.0 && s < determinant && t < determinant && determinant > PARALLEL * ff * ss {
        return [s / determinant, t / determinant];
    }
    // An end of one of them and the other edge.
    let ends =
        [[0.0, clamped(sw, ss)], [1.0, clamped(sw + fs, ss)], [clamped(-fw, ff), 0.0], [clamped(fs - fw, ff), 1.0]];
    let squared = |[s, t]: [f64; 2]| (way + s * first - t * second).length_squared();
    ends.into_iter().skip(1).fold(ends[0], |best, next| if squared(next) < squared(best) { next } else { best })
}

/// Edges with a squared sine of the angle between them below this are parallel: the closest ends are as close, up to rounding.
const PARALLEL: f64 = 1e-14;

/// A quotient within 0…1; 0 if there is none.
fn clamped(dividend: f64, divisor: f64) -> f64 {
    let quotient = dividend / divisor;
    if quotient.is_finite() { quotient.clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use drystone_contact::ccd::mesh::distance_at_start;
    use drystone_contact::ccd::{Kind, Metric, Query};
    use drystone_contact::split_mix::SplitMix;

    use super::*;

    #[test]
    fn distances_are_within_certified_bounds_and_weights_give_the_points() {
        let mut random = SplitMix::new(7);
        for case in 0..40_000 {
            let kind = [PairKind::VertexTriangle, PairKind::EdgeEdge][case % 2];
            // On a lattice they are often parallel, in one plane or in one place.
            let mut coordinate = || {
                let x = random.next_between(-1.0, 1.0);
                if case % 3 == 0 { (3.0 * x).round() } else { x }
            };
            let mut points: [DVec3; 4] =
                std::array::from_fn(|_| DVec3::from_array(std::array::from_fn(|_| coordinate())));
            if case % 5 == 0 {
                points[3] = points[2] + 1e-9 * (points[1] - points[0]) + (points[1] - points[0]);
            }
            let found = Separation::of(kind, &points);
            let known = if kind == PairKind::VertexTriangle { Kind::VertexFace } else { Kind::EdgeEdge };
            let bounds = distance_at_start(&Query { kind: known, start: points, end: points }, Metric::Euclidean);
            assert!(
                found.distance >= bounds.lower - 1e-15 && found.distance <= bounds.upper + 1e-7,
                "case {case}: {found:?} {bounds:?}"
            );
            assert!(found.distance <= bounds.upper + 1e-13 || case % 5 == 0, "case {case}: {found:?} {bounds:?}");
            let split = kind.split();
            let sum = |range: std::ops::Range<usize>| range.map(|k| found.weights[k]).sum::<f64>();
            assert!((sum(0..split) - 1.0).abs() < 1e-15 && (sum(split..4) + 1.0).abs() < 4e-16);
            let way: DVec3 = points.iter().zip(found.weights).map(|(point, weight)| *point * weight).sum();
            assert!(way.distance(found.normal * found.distance) < 1e-14, "case {case}: {found:?}");
        }
    }
}
