//! Every bound against exact rationals.

use super::difference::Difference;
use super::direction::Along;
use super::domain::{Domain, Interval};
use super::filter::{ROUNDING, Reach, UNDERFLOW};
use super::look::Look;
use super::narrow::narrow;
use super::{RootFinder, root};
use crate::ccd::{Kind, Metric, Query, Settings};
use dashu_ratio::RBig;
use glam::DVec3;
use proptest::prelude::*;

fn rational(x: f64) -> RBig {
    RBig::try_from(x).unwrap()
}

/// F at (t, u, v) exactly.
fn exact(query: &Query, [t, u, v]: &[RBig; 3]) -> [RBig; 3] {
    [0, 1, 2].map(|axis| {
        let at = |i: usize| {
            let (from, to) = (rational(query.start[i][axis]), rational(query.end[i][axis]));
            &from + t * (to - &from)
        };
        let [p, q, r, s] = [0, 1, 2, 3].map(at);
        match query.kind {
            Kind::VertexFace => p - (&q + u * (r - &q) + v * (s - &q)),
            Kind::EdgeEdge => &p + u * (q - &p) - (&r + v * (s - &r)),
        }
    })
}

fn coordinates() -> impl Strategy<Value = [f64; 24]> {
    let one = prop_oneof![
        4 => -1.0..1.0,
        1 => (-4i32..5).prop_map(|x| f64::from(x) / 4.0),
        1 => (-1.0..1.0).prop_map(|x: f64| 0.75 + 1e-9 * x),
    ];
    let scale = prop_oneof![3 => -20..20i32, 1 => -1060..-1000i32, 1 => 200..231i32];
    (proptest::array::uniform24(one), scale).prop_map(|(all, exponent)| all.map(|x: f64| libm::ldexp(x, exponent)))
}

fn queries() -> impl Strategy<Value = Query> {
    (coordinates(), any::<bool>())
        .prop_map(|(all, face)| Query::from_coordinates(if face { Kind::VertexFace } else { Kind::EdgeEdge }, &all))
}

/// Part of the unit interval, as small as 1e-9 at times.
fn intervals() -> impl Strategy<Value = Interval> {
    (0.0..1.0, 0.0..1.0, 0..30i32).prop_map(|(middle, width, exponent): (f64, f64, i32)| {
        let half = 0.5 * libm::ldexp(width, -exponent);
        Interval { lo: (middle - half).max(0.0), hi: (middle + half).min(1.0) }
    })
}

fn domains() -> impl Strategy<Value = Domain> {
    [intervals(), intervals(), intervals()]
}

/// A place of the box: its corners often.
fn within(interval: Interval, part: f64) -> f64 {
    (interval.lo + part * (interval.hi - interval.lo)).clamp(interval.lo, interval.hi)
}

fn parts() -> impl Strategy<Value = [f64; 3]> {
    proptest::array::uniform3(prop_oneof![Just(0.0), Just(1.0), 0.0..1.0])
}

/// ε of an axis, exactly.
fn rounding(query: &Query, axis: usize) -> RBig {
    rational(ROUNDING) * rational(query.largest()[axis]) + rational(UNDERFLOW)
}

fn magnitude(x: RBig) -> RBig {
    if x < RBig::ZERO { -x } else { x }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, max_global_rejects: 30_000, ..ProptestConfig::default() })]

    /// F anywhere in a box is within the box of differences, but for the rounding that the filter allows; and a quarter of
    /// that suffices for the value alone.
    #[test]
    fn boxes_of_differences_include_the_differences(query in queries(), domain in domains(), parts in parts()) {
        let f = Difference::new(&query);
        let seen = Look::new(&f, &domain);
        let value = exact(&query, &seen.middle.map(rational));
        let place = [0, 1, 2].map(|i| rational(within(domain[i], parts[i])));
        let there = exact(&query, &place);
        for axis in 0..3 {
            let computed = rational(seen.taylor.value[axis]);
            let slack = rounding(&query, axis);
            prop_assert!(magnitude(&value[axis] - &computed) <= &slack / RBig::from(4));
            prop_assert!(magnitude(&there[axis] - &computed) <= rational(seen.radius[axis]) + slack);
        }
    }

    /// Along any direction, F is what the polynomial along it says, but for the reach.
    #[test]
    fn what_is_seen_along_a_direction_is_there(query in queries(), domain in domains(), parts in parts(),
                                               n in proptest::array::uniform3(-1.0..1.0)) {
        let f = Difference::new(&query);
        let seen = Look::new(&f, &domain);
        let n = DVec3::from_array(n);
        let reach = Reach::new(query.largest(), &Settings::default()).along(n);
        let along = Along::new(n, &seen.taylor, reach);
        let place = [0, 1, 2].map(|i| rational(within(domain[i], parts[i])));
        let there = exact(&query, &place);
        let exactly = (0..3).fold(RBig::ZERO, |sum, axis| sum + rational(n[axis]) * &there[axis]);
        let offset = [0, 1, 2].map(|i| &place[i] - rational(seen.middle[i]));
        prop_assert!(magnitude(exactly - along.at(&offset)) <= rational(reach));
    }

    /// A place at which the features are moved to be as far apart as the separation stays in every box that is narrowed, and
    /// they are not told apart.
    #[test]
    fn narrowing_keeps_contacts(query in queries(), domain in domains(), parts in parts(), part in 0..3usize,
                                apart in proptest::array::uniform3(-1.0..1.0), is_round in any::<bool>()) {
        let place = [0, 1, 2].map(|i| within(domain[i], parts[i]));
        prop_assume!(query.kind == Kind::EdgeEdge || rational(place[1]) + rational(place[2]) <= RBig::ONE);
        let separation = [0.0, 1e-3, 0.1][part] * query.largest().max_element();
        let metric = if is_round { Metric::Euclidean } else { Metric::Chebyshev };
        let settings = Settings { separation, metric, ..Settings::default() };
        let apart = DVec3::from_array(apart);
        let length = if is_round { apart.length() } else { apart.abs().max_element() };
        prop_assume!(length > 0.1);
        // A little inside, for what is rounded here.
        let apart = apart * (separation / length * (1.0 - 16.0 * f64::EPSILON));
        let there = exact(&query, &place.map(rational));
        let shift = DVec3::from_array([0, 1, 2].map(|i| there[i].to_f64().value())) - apart;
        // The vertex, or both ends of the first edge.
        let moved = |points: [DVec3; 4]| {
            let [p, q, r, s] = points;
            [p - shift, if query.kind == Kind::EdgeEdge { q - shift } else { q }, r, s]
        };
        let moved = Query { start: moved(query.start), end: moved(query.end), ..query };
        // What it came to, exactly, but for a part of the filter that the rounding of the points takes.
        let left = exact(&moved, &place.map(rational));
        let reach = Reach::new(moved.largest(), &settings);
        let slack = |axis| rounding(&moved, axis) / RBig::from(32);
        let near = |axis: usize| magnitude(&left[axis] - rational(apart[axis])) <= slack(axis);
        prop_assume!((0..3).all(near));
        prop_assert!(!root::excludes(&moved, &reach));
        let seen = Look::new(&Difference::new(&moved), &domain);
        prop_assert!(!seen.is_out_of(&reach));
        let mut narrowed = domain;
        prop_assert!(narrow(&seen, &reach, moved.kind, &mut narrowed).is_ok());
        for i in 0..3 {
            prop_assert!(narrowed[i].lo <= place[i] && place[i] <= narrowed[i].hi, "{i}: {:?} {}", narrowed[i], place[i]);
        }
    }

    /// A place that is near enough, exactly, is found, not later, in both metrics.
    #[test]
    fn a_sampled_approach_is_not_missed(query in queries(), place in proptest::array::uniform3(0.0..1.0),
                                        extra in 0..3usize) {
        let [t, u, v] = place;
        let place = if query.kind == Kind::EdgeEdge { place } else { [t, 0.5 * u, 0.5 * v] };
        let there = exact(&query, &place.map(rational)).map(|x| x.to_f64().value());
        let difference = DVec3::from_array(there);
        // In parts of the largest coordinate: its square may vanish.
        let most = difference.abs().max_element();
        let length = if most > 0.0 { most * (difference / most).length() } else { 0.0 };
        for (metric, length) in [
            (Metric::Chebyshev, most),
            (Metric::Euclidean, length),
        ] {
            // Not less than the exact length.
            let separation = length * (1.0 + 8.0 * f64::EPSILON) * [1.0, 1.01, 2.0][extra] + f64::MIN_POSITIVE;
            if separation > Query::LARGEST {
                continue;
            }
            let tolerance = 1e-6 * query.largest().max_element().max(1e-300);
            let settings = Settings { separation, metric, tolerance, checks: 3000, ..Settings::default() };
            let found = RootFinder::new(settings).unwrap().solve(&query).unwrap().outcome.time();
            prop_assert!(found.is_some_and(|t| t <= place[0]), "{metric:?}: {found:?} after {}", place[0]);
        }
    }
}
