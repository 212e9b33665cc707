//! Queries whose answer is known by how they are made, put to the variants.

use super::{METHODS, method};
use drystone_contact::ccd::{Answer, CcdError, Guarantee, Kind, Method, Metric, Outcome, Query, Settings};
use glam::DVec3;
use proptest::prelude::*;

const VARIANTS: [&str; 6] = [
    "inclusion-printed",
    "inclusion-published-code",
    "interval",
    "univariate-interval",
    "floating-cubic",
    "separation-polynomial",
];

fn make(name: &str, settings: Settings) -> Box<dyn Method> {
    method(name, settings).expect("known, with settings that it can do")
}

pub(super) fn solve(name: &str, settings: Settings, query: &Query) -> Answer {
    make(name, settings).solve(query).expect("a query that it can answer")
}

/// The variants that are said to be conservative.
fn conservative() -> impl Iterator<Item = &'static str> {
    VARIANTS.into_iter().filter(|name| make(name, Settings::default()).guarantee() == Guarantee::Conservative)
}

/// Points with integer coordinates.
fn points<const N: usize>(most: i32) -> impl Strategy<Value = [DVec3; N]> {
    let coordinate = (-most..=most).prop_map(f64::from);
    prop::collection::vec([coordinate.clone(), coordinate.clone(), coordinate].prop_map(DVec3::from), N)
        .prop_map(|all| all.try_into().expect("N points"))
}

/// A query in which the features share a point at t, u, v, all in eighths, in exact arithmetic: positions there and
/// velocities are small integers, and so few bits are needed that nothing is rounded. With t.
fn meeting() -> impl Strategy<Value = (Query, f64)> {
    let parameters = (0..=8, 0..=8, 0..=8).prop_map(|(t, u, v)| [t, u, v].map(|x| f64::from(x) / 8.0));
    (points::<4>(40), points::<4>(40), parameters, any::<bool>(), -20..20).prop_map(
        |(mut there, velocity, [t, u, v], is_face, exponent)| {
            let kind = if is_face { Kind::VertexFace } else { Kind::EdgeEdge };
            match kind {
                // u + v > 1 is folded back into the face.
                Kind::VertexFace => {
                    let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                    there[0] = there[1] + (there[2] - there[1]) * u + (there[3] - there[1]) * v;
                }
                Kind::EdgeEdge => {
                    let on_first = there[0] + (there[1] - there[0]) * u;
                    let shift = on_first - (there[2] + (there[3] - there[2]) * v);
                    there[2] += shift;
                    there[3] += shift;
                }
            }
            let unit = libm::scalbn(1.0, exponent);
            let at = |time: f64| [0, 1, 2, 3].map(|i| (there[i] + velocity[i] * (time - t)) * unit);
            (Query { kind, start: at(0.0), end: at(1.0) }, t)
        },
    )
}

/// A query of any numbers, not only those that leave room for exact arithmetic, in which a vertex of one feature is where
/// one of the other is, or comes to rest on a horizontal face, exactly at t = 1.
fn landing() -> impl Strategy<Value = Query> {
    let numbers = prop::array::uniform24(-1.0..1.0_f64);
    (numbers, 0..3_u8, -14..14).prop_map(|(numbers, how, exponent)| {
        let unit = libm::scalbn(1.0, exponent);
        let kind = if how == 0 { Kind::EdgeEdge } else { Kind::VertexFace };
        let mut query = Query::from_coordinates(kind, &numbers.map(|x| x * unit));
        if how < 2 {
            query.end[2] = query.end[0];
        } else {
            for (i, [x, y]) in [[-3.0, -3.0], [3.0, -3.0], [0.0, 4.0]].into_iter().enumerate() {
                query.start[i + 1] = DVec3::new(x * unit, y * unit, query.end[0].z);
                query.end[i + 1] = query.start[i + 1];
            }
        }
        query
    })
}

/// A query in which a plane through the origin with a small integer normal keeps the features apart: one has
/// n · x ≥ n · n, the other n · x ≤ −n · n, at all times.
fn apart() -> impl Strategy<Value = Query> {
    (points::<4>(12), points::<4>(12), points::<1>(3), any::<bool>()).prop_map(|(start, end, [normal], is_face)| {
        let kind = if is_face { Kind::VertexFace } else { Kind::EdgeEdge };
        let normal = if normal == DVec3::ZERO { DVec3::X } else { normal };
        let first = if is_face { 1 } else { 2 };
        let push = |points: [DVec3; 4]| {
            [0, 1, 2, 3].map(|i| {
                let side = if i < first { 1.0 } else { -1.0 };
                let lacking = 1.0 - side * points[i].dot(normal) / normal.dot(normal);
                points[i] + normal * (side * lacking.ceil().max(0.0))
            })
        };
        Query { kind, start: push(start), end: push(end) }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn conservative_variants_find_exact_meetings_in_time((query, t) in meeting()) {
        for name in conservative() {
            let settings = Settings { checks: 20_000, ..Settings::default() };
            let time = solve(name, settings, &query).outcome.time();
            prop_assert!(time.is_some_and(|time| time <= t), "{name}: {time:?}, meeting at {t}");
            // At the very end of the interval, too.
            let time = solve(name, Settings { t_max: t, ..settings }, &query).outcome.time();
            prop_assert!(time.is_some_and(|time| time <= t), "{name}: {time:?}, meeting at t_max = {t}");
        }
    }

    #[test]
    fn conservative_variants_find_what_rounding_could_hide(query in landing()) {
        let reversed = Query { start: query.end, end: query.start, ..query };
        for name in conservative() {
            let settings = Settings { checks: 20_000, ..Settings::default() };
            prop_assert!(solve(name, settings, &query).outcome.is_impact(), "{}", name);
            prop_assert_eq!(solve(name, settings, &reversed).outcome.time(), Some(0.0), "{}", name);
        }
    }

    #[test]
    fn no_variant_finds_what_a_plane_keeps_apart(query in apart()) {
        for name in VARIANTS {
            let outcome = solve(name, Settings::default(), &query).outcome;
            prop_assert_eq!(outcome, Outcome::Free, "{}", name);
        }
    }

    /// The first vertex is moved along a coordinate axis by no more than d from where the features meet.
    #[test]
    fn intervals_find_what_comes_within_the_separation((query, t) in meeting(), axis in 0..3_usize, part in 0..=4_u8) {
        let d = 0.25 * libm::scalbn(1.0, libm::ilogb(query.end[1].length().max(1e-6)));
        let mut near = query;
        let shift = DVec3::AXES[axis] * (d * f64::from(part) / 4.0);
        let first = if query.kind == Kind::VertexFace { 1 } else { 2 };
        for i in 0..first {
            near.start[i] += shift;
            near.end[i] += shift;
        }
        // The addition was exact, so that the distance at t is.
        prop_assume!((0..first).all(|i| near.start[i] - shift == query.start[i] && near.end[i] - shift == query.end[i]));
        let settings = Settings { separation: d, checks: 20_000, ..Settings::default() };
        let time = solve("interval", settings, &near).outcome.time();
        prop_assert!(time.is_some_and(|time| time <= t), "{time:?}, within {d} at {t}");
    }

    /// Answers keep to t_max and to the limit of checks, whatever the features are.
    #[test]
    fn answers_keep_their_bounds((query, _) in meeting(), t_max in 0.0..1.0_f64, checks in 1..50_u64) {
        for name in VARIANTS {
            let answer = solve(name, Settings { t_max, checks, ..Settings::default() }, &query);
            prop_assert!(answer.checks <= checks || name.starts_with("inclusion-p"), "{name}: {answer:?}");
            match answer.outcome {
                Outcome::Free => {}
                Outcome::Impact { lo, hi } => prop_assert!(0.0 <= lo && lo <= hi && hi <= t_max, "{name}: {answer:?}"),
                Outcome::Stopped { t } => prop_assert!((0.0..=t_max).contains(&t), "{name}: {answer:?}"),
            }
        }
    }
}

#[test]
fn all_variants_are_listed() {
    for name in VARIANTS {
        assert!(METHODS.iter().any(|listed| listed.name == name), "{name}");
        assert_eq!(make(name, Settings::default()).name(), name);
    }
    assert_eq!(conservative().collect::<Vec<_>>(), ["interval", "univariate-interval"]);
}

/// A vertex that falls through the middle of a triangle at t = 0.5 is found by all; none finds it before t_max = 0.4.
#[test]
fn all_variants_find_a_plain_contact() {
    let face = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]].map(DVec3::from);
    let with = |z| [DVec3::new(0.0, 0.0, z), face[0], face[1], face[2]];
    let query = Query::vertex_face(with(1.0), with(-1.0));
    for name in VARIANTS {
        // A polynomial of a separation needs one.
        let (separation, metric) =
            if name == "separation-polynomial" { (1e-6, Metric::Euclidean) } else { (0.0, Metric::Chebyshev) };
        let settings = Settings { separation, metric, ..Settings::default() };
        let time = solve(name, settings, &query).outcome.time();
        assert!(time.is_some_and(|t| 0.4999 < t && t <= 0.5), "{name}: {time:?}");
        assert_eq!(solve(name, Settings { t_max: 0.4, ..settings }, &query).outcome, Outcome::Free, "{name}");
    }
}

#[test]
fn features_that_are_one_point_are_answered() {
    for kind in [Kind::VertexFace, Kind::EdgeEdge] {
        for value in [0.0, 1.0, 1e-300, Query::LARGEST] {
            let still = [DVec3::splat(value); 4];
            let query = Query { kind, start: still, end: still };
            for name in VARIANTS {
                let answer = solve(name, Settings { checks: 1000, ..Settings::default() }, &query);
                if make(name, Settings::default()).guarantee() == Guarantee::Conservative {
                    assert_eq!(answer.outcome.time(), Some(0.0), "{name} at {value}");
                }
            }
        }
    }
}

/// Edges of no length, and a face that is one point, 1 m away.
#[test]
fn features_without_extent_are_not_touched_from_afar() {
    let still = [DVec3::ZERO, DVec3::ZERO, DVec3::Z, DVec3::Z];
    let edges = Query::edge_edge(still, still);
    let still = [DVec3::ZERO, DVec3::Z, DVec3::Z, DVec3::Z];
    let face = Query::vertex_face(still, still);
    for name in VARIANTS {
        for query in [edges, face] {
            // All of it is in one plane all the time, so that all small intervals of time are looked at.
            let settings = Settings { tolerance: 1e-3, ..Settings::default() };
            assert_eq!(solve(name, settings, &query).outcome, Outcome::Free, "{name}: {query:?}");
        }
    }
}

#[test]
fn what_is_not_finite_is_refused() {
    let mut query = Query::edge_edge([DVec3::ZERO; 4], [DVec3::ONE; 4]);
    query.end[2].y = f64::NAN;
    for name in VARIANTS {
        let answer = make(name, Settings::default()).solve(&query);
        assert!(matches!(answer, Err(CcdError::NotFinite { .. })), "{name}: {answer:?}");
    }
}

#[test]
fn settings_that_a_variant_cannot_do_are_refused() {
    let refused = |name, settings| matches!(method(name, settings), Err(CcdError::Unsupported { .. }));
    for name in VARIANTS {
        assert!(refused(name, Settings { exact_after: Some(1000), ..Settings::default() }), "{name}");
        let with = |metric| Settings { separation: 1e-3, metric, ..Settings::default() };
        let (largest, straight) = match name {
            "univariate-interval" => (true, true),
            "floating-cubic" | "separation-polynomial" => (true, false),
            _ => (false, true),
        };
        assert_eq!(refused(name, with(Metric::Chebyshev)), largest, "{name}");
        assert_eq!(refused(name, with(Metric::Euclidean)), straight, "{name}");
    }
}
