//! How far two features are apart, from below and from above.
//!
//! The closest points are computed as usual (C. Ericson, *Real-Time Collision Detection*, 2005, sections 5.1.5 and
//! 5.1.9), in rounded arithmetic and without care for flat triangles or parallel edges. What is reported does not lean
//! on them: for *any* direction n the features are at least as far apart as their shadows on it, and for *any* two of
//! their points at most as far as these. So `upper` is the distance of the points found, `lower` the gap of the shadows
//! along the line through them (or along the normal of the plane that the features span, if that is better), less the
//! rounding of the few products in between. Bad closest points make the bounds wide, never wrong.

use crate::ccd::{Kind, Metric, Query};
use crate::segment::{closest_on_segment, share};
use glam::DVec3;

/// A dot product of differences of points and a direction errs by less than this share of Σ|nₖ| times the largest
/// coordinate: each difference by ε/2 of twice the coordinate, three products and two sums by ε/2 of what they give, and
/// once more for the subtraction of the two shadows; 10 ε in all, and some to spare.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The root of the smallest normal number: lengths lose less when squares of small numbers vanish.
const VANISHING: f64 = 1.5e-154;

/// Bounds of a distance, m, and points near it. Coordinates that are not finite, or above [`Query::LARGEST`], give the
/// bounds 0 and ∞ and any two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// They are no nearer; 0 if rounding leaves nothing.
    pub lower: f64,
    /// They are no farther.
    pub upper: f64,
    /// A point of the vertex or first edge, and one of the face or second edge, `upper` or a little less apart, m.
    pub points: [DVec3; 2],
}

/// The distance of the features of a query where they are at t = 0.
pub fn distance_at_start(query: &Query, metric: Metric) -> Distance {
    distance(query.kind, &query.start, metric)
}

/// The distance of the features with these four points (m), in the order of [`Query::start`].
pub fn distance(kind: Kind, points: &[DVec3; 4], metric: Metric) -> Distance {
    let split = if kind == Kind::VertexFace { 1 } else { 2 };
    if !points.iter().all(|p| p.abs().cmple(DVec3::splat(Query::LARGEST)).all()) {
        return Distance { lower: 0.0, upper: f64::INFINITY, points: [points[0], points[split]] };
    }
    let [p, q, r, s] = *points;
    let ((a, b), normal) = match kind {
        Kind::VertexFace => ((p, closest_on_triangle(p, [q, r, s])), (r - q).cross(s - q)),
        Kind::EdgeEdge => (closest_on_segments([p, q], [r, s]), (q - p).cross(s - r)),
    };
    let largest = points.iter().fold(DVec3::ZERO, |m, x| m.max(x.abs()));
    let along = |n: DVec3| shadow_gap(n, points.split_at(split), largest);
    let straight = along(b - a).max(along(normal)).max(along(-normal));
    let mut lower = straight;
    if metric == Metric::Chebyshev {
        // |x|∞ ≥ |x|/√3, and a gap along an axis is one of |x|∞.
        lower = straight / 3f64.sqrt() * (1.0 - ROUNDING);
        for axis in DVec3::AXES {
            lower = lower.max(along(axis)).max(along(-axis));
        }
    }
    let apart = match metric {
        Metric::Euclidean => length(b - a),
        Metric::Chebyshev => (b - a).abs().max_element(),
    };
    let upper = apart * (1.0 + ROUNDING) + 8.0 * ROUNDING * largest.max_element() + f64::MIN_POSITIVE;
    Distance { lower: lower.min(upper), upper, points: [a, b] }
}

/// |n|, not less than it is but for the roundings of normal numbers, although the squares of small ones vanish.
pub(super) fn length(n: DVec3) -> f64 {
    n.length() + VANISHING
}

/// The gap between the shadows of two sets of points on a direction of any length, rounded down, m; zero if they
/// overlap or the direction is none.
fn shadow_gap(n: DVec3, (a, b): (&[DVec3], &[DVec3]), largest: DVec3) -> f64 {
    let n = n / length(n);
    let origin = a[0];
    let high = a.iter().map(|&p| n.dot(p - origin)).fold(f64::NEG_INFINITY, f64::max);
    let low = b.iter().map(|&p| n.dot(p - origin)).fold(f64::INFINITY, f64::min);
    // Products that are not normal numbers lose less than the smallest that is.
    let gap = low - high - ROUNDING * n.abs().dot(largest) - f64::MIN_POSITIVE;
    // The direction is no longer than a unit vector, up to three units in the last place.
    if gap > 0.0 { gap * (1.0 - ROUNDING) } else { 0.0 }
}

/// A point of a triangle that is closest to `p`, up to rounding.
fn closest_on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    // A flat triangle is its sides.
    let sides =
        [[a, b], [b, c], [c, a]].map(|[x, y]| x + (y - x) * share((p - x).dot(y - x), (y - x).length_squared()));
    let nearer = |best: DVec3, q: DVec3| if q.distance_squared(p) < best.distance_squared(p) { q } else { best };
    sides.into_iter().fold(closest_by_region(p, [a, b, c]), nearer)
}

/// The same by the region of the corner, the side or the inside that `p` is over; any point of it if the triangle is flat.
fn closest_by_region(p: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * share(d1, d1 - d3);
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * share(d2, d2 - d6);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * share(d4 - d3, (d4 - d3) + (d5 - d6));
    }
    let sum = va + vb + vc;
    let v = share(vb, sum);
    a + ab * v + ac * share(vc, sum).min(1.0 - v)
}

/// Points of two segments that are closest, up to rounding.
fn closest_on_segments(first: [DVec3; 2], second: [DVec3; 2]) -> (DVec3, DVec3) {
    // Nearly parallel ones are closest at an end, which rounding may hide.
    let at_first = first.map(|p| (p, closest_on_segment(p, second)));
    let at_second = second.map(|p| (closest_on_segment(p, first), p));
    let apart = |(p, q): (DVec3, DVec3)| p.distance_squared(q);
    let nearer = |best, pair| if apart(pair) < apart(best) { pair } else { best };
    at_first.into_iter().chain(at_second).fold(closest_on_lines(first, second), nearer)
}

/// The same by the common perpendicular of their lines.
fn closest_on_lines([p1, q1]: [DVec3; 2], [p2, q2]: [DVec3; 2]) -> (DVec3, DVec3) {
    let (d1, d2, r) = (q1 - p1, q2 - p2, p1 - p2);
    let (a, e, f) = (d1.length_squared(), d2.length_squared(), d2.dot(r));
    let (b, c) = (d1.dot(d2), d1.dot(r));
    let first = share(b * f - c * e, a * e - b * b);
    let t = b * first + f;
    let (s, t) = if t < 0.0 {
        (share(-c, a), 0.0)
    } else if t > e {
        (share(b - c, a), 1.0)
    } else {
        (first, share(t, e))
    };
    (p1 + d1 * s, p2 + d2 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = DVec3> {
        prop_oneof![
            3 => prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from),
            2 => prop::array::uniform3(-2i32..3).prop_map(|p| DVec3::from(p.map(f64::from))),
        ]
    }

    fn kind() -> impl Strategy<Value = Kind> {
        prop_oneof![Just(Kind::VertexFace), Just(Kind::EdgeEdge)]
    }

    /// The difference of the points at u and v.
    fn difference(kind: Kind, p: &[DVec3; 4], u: f64, v: f64) -> DVec3 {
        match kind {
            Kind::VertexFace => p[0] - (p[1] * (1.0 - u - v) + p[2] * u + p[3] * v),
            Kind::EdgeEdge => p[0].lerp(p[1], u) - p[2].lerp(p[3], v),
        }
    }

    /// The least distance by brute force: over a grid that closes in on its best place.
    fn brute_force(kind: Kind, p: &[DVec3; 4], metric: Metric) -> f64 {
        let apart = |d: DVec3| if metric == Metric::Euclidean { d.length() } else { d.abs().max_element() };
        let (mut best, mut centre, mut half) = (f64::INFINITY, [0.5, 0.5], 0.5);
        for _ in 0..40 {
            let around = centre;
            for i in -8..=8 {
                for j in -8..=8 {
                    let at = |c: f64, k: i32| (c + half * f64::from(k) / 8.0).clamp(0.0, 1.0);
                    let (u, mut v) = (at(around[0], i), at(around[1], j));
                    if kind == Kind::VertexFace {
                        v = v.min(1.0 - u);
                    }
                    let d = apart(difference(kind, p, u, v));
                    if d < best {
                        (best, centre) = (d, [u, v]);
                    }
                }
            }
            half *= 0.6;
        }
        best
    }

    proptest! {
        /// Coordinates of few values: points, lines and flat triangles among them.
        #[test]
        fn bounds_hold_and_are_tight(kind in kind(), p in prop::array::uniform4(point()), scale in -20i32..20) {
            let p = p.map(|x| x * f64::from(scale).exp2());
            let size = p.iter().map(|x| x.abs().max_element()).fold(1e-300, f64::max);
            let truth = brute_force(kind, &p, Metric::Euclidean);
            let Distance { lower, upper, points } = distance(kind, &p, Metric::Euclidean);
            prop_assert!(lower <= truth && truth <= upper + 1e-6 * size, "{lower} {truth} {upper}");
            prop_assert!(points[0].distance(points[1]) <= upper);
            prop_assert!(upper <= truth + 1e-6 * size, "{upper} {truth}");
            let truth = brute_force(kind, &p, Metric::Chebyshev);
            let Distance { lower, upper, points } = distance(kind, &p, Metric::Chebyshev);
            // The search may end on a ridge of the largest difference, above the truth; the points are those of before.
            prop_assert!(lower <= truth && (points[0] - points[1]).abs().max_element() <= upper, "{lower} {truth}");
            prop_assert!(3.0 * lower >= truth - 1e-5 * size, "a share of it at least: {lower} {truth}");
        }

        /// Where squares and products vanish, partly (about 1e-81 m and 1e-162 m) or wholly. Scaled by powers of two, so that
        /// nothing else is rounded.
        #[test]
        fn bounds_hold_for_the_smallest_numbers(
            kind in kind(),
            p in prop::array::uniform4(point()),
            scale in prop_oneof![-1040i32..-60, -275i32..-265, -545i32..-530],
        ) {
            let scaled = p.map(|x| DVec3::from(x.to_array().map(|c| libm::scalbn(c, scale))));
            for metric in [Metric::Euclidean, Metric::Chebyshev] {
                let truth = distance(kind, &p, metric);
                let Distance { lower, upper, .. } = distance(kind, &scaled, metric);
                let up = |x: f64| libm::scalbn(x, -scale);
                prop_assert!(up(lower) <= truth.upper * (1.0 + 1e-12) + up(f64::MIN_POSITIVE), "{lower} {truth:?}");
                prop_assert!(up(upper) >= truth.lower * (1.0 - 1e-12), "{upper} {truth:?}");
            }
        }

        /// Finite or not, of any size.
        #[test]
        fn bounds_are_in_order_for_any_numbers(kind in kind(), p in prop::array::uniform4(prop::array::uniform3(prop_oneof![
            any::<f64>(),
            prop::sample::select(vec![0.0, 1.0, f64::NAN, f64::INFINITY, -f64::INFINITY, 1.7e308, -1.7e308, 5e-324, 1e70]),
        ]))) {
            let points = p.map(DVec3::from);
            for metric in [Metric::Euclidean, Metric::Chebyshev] {
                let Distance { lower, upper, .. } = distance(kind, &points, metric);
                prop_assert!(0.0 <= lower && lower <= upper, "{lower} {upper}");
                let is_sound = Query { kind, start: points, end: points }.check().is_ok();
                let is_as_told = if is_sound { upper.is_finite() } else { lower == 0.0 && upper == f64::INFINITY };
                prop_assert!(is_as_told, "{lower} {upper}");
            }
        }

        #[test]
        fn features_in_general_position_have_narrow_bounds(kind in kind(), p in prop::array::uniform4(
            prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from))
        ) {
            let d = distance(kind, &p, Metric::Euclidean);
            prop_assume!(d.upper > 1e-3);
            prop_assert!(d.upper - d.lower < 1e-6 * d.upper, "{d:?}");
        }
    }

    #[test]
    fn degenerate_features_have_bounds_too() {
        let (x, y) = (DVec3::X, DVec3::Y);
        // A triangle that is a segment, one that is a point; parallel edges; an edge that is a point.
        for (kind, p, truth) in [
            (Kind::VertexFace, [y, -x, x, DVec3::ZERO], 1.0),
            (Kind::VertexFace, [y * 2.0, x, x, x], 5f64.sqrt()),
            (Kind::EdgeEdge, [DVec3::ZERO, x, y, y + x], 1.0),
            (Kind::EdgeEdge, [DVec3::ZERO, DVec3::ZERO, y - x, y + x], 1.0),
        ] {
            let d = distance(kind, &p, Metric::Euclidean);
            assert!((d.lower - truth).abs() < 1e-12 && (d.upper - truth).abs() < 1e-12, "{d:?} {truth}");
        }
        let touching = distance(Kind::VertexFace, &[DVec3::ZERO, -x - y, x - y, y], Metric::Euclidean);
        assert!(touching.lower == 0.0 && touching.upper < 1e-12);
    }
}
