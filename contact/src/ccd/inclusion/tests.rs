//! Known answers, limits and refusals; many queries at once; near-degenerate queries against exact integer arithmetic.

use super::RootFinder;
use crate::ccd::audit::audit;
use crate::ccd::sample::near_degenerate;
use crate::ccd::{Answer, CcdError, Kind, Metric, Outcome, Queries, Query, Settings};
use glam::{DVec3, dvec3};
use std::num::NonZeroUsize;

fn solve(settings: Settings, query: &Query) -> Answer {
    RootFinder::new(settings).unwrap().solve(query).unwrap()
}

/// Contact at this time, which must not be after it, nor more than the tolerance over the speed before it.
fn assert_meets(query: &Query, time: f64, early: f64) {
    match solve(Settings::default(), query).outcome {
        Outcome::Impact { lo, hi } => assert!(time - early <= lo && lo <= time && lo <= hi, "{lo} {hi}"),
        other => panic!("{other:?}"),
    }
}

/// A vertex that falls from z = `from` to `to` onto a triangle that stays.
fn falling(x: f64, from: f64, to: f64, z: f64) -> Query {
    let triangle = [dvec3(-1.0, -1.0, z), dvec3(1.0, -1.0, z), dvec3(0.0, 1.0, z)];
    let with = |v: f64| [dvec3(x, 0.0, v), triangle[0], triangle[1], triangle[2]];
    Query::vertex_face(with(from), with(to))
}

/// An edge along x at height y = 0 … that falls onto one along z.
fn crossing(from: f64, to: f64, at: f64) -> Query {
    let with = |y: f64| [dvec3(-1.0, y, 0.0), dvec3(1.0, y, 0.0), dvec3(at, 0.0, -1.0), dvec3(at, 0.0, 1.0)];
    Query::edge_edge(with(from), with(to))
}

#[test]
fn simple_contacts_are_found_in_time() {
    assert_meets(&falling(0.1, 1.0, -1.0, 0.0), 0.5, 1e-12);
    assert_meets(&falling(0.0, 0.0008, 0.0003, 0.0003), 1.0, 1e-11);
    assert_meets(&crossing(0.75, -0.25, 0.5), 0.75, 1e-12);
    assert_meets(&crossing(0.0, 1.0, 0.5), 0.0, 0.0);
}

#[test]
fn what_passes_beside_stays_apart() {
    assert_eq!(solve(Settings::default(), &falling(1.1, 1.0, -1.0, 0.0)).outcome, Outcome::Free);
    assert_eq!(solve(Settings::default(), &crossing(1.0, -1.0, 1.001)).outcome, Outcome::Free);
    assert_eq!(solve(Settings::default(), &falling(0.1, 1.0, 0.001, 0.0)).outcome, Outcome::Free);
}

/// The paper's appendix B: a face whose path folds over itself.
#[test]
fn the_hourglass_is_met() {
    let p = dvec3(0.1, 0.1, 0.1);
    let start = [p, dvec3(0.0, 0.0, 1.0), dvec3(1.0, 0.0, 1.0), dvec3(0.0, 1.0, 1.0)];
    let end = [p, dvec3(0.0, 0.0, 0.0), dvec3(0.0, 1.0, 0.0), dvec3(1.0, 0.0, 0.0)];
    assert_meets(&Query::vertex_face(start, end), 0.9, 1e-12);
}

/// The paper's appendix C, second example: motion in a plane.
#[test]
fn motion_in_a_plane_is_met() {
    let p = dvec3(1.0, 0.5, 1.0);
    let start = [p, dvec3(0.0, 0.57, 1.0), dvec3(1.0, 0.57, 1.0), dvec3(1.0, 1.57, 1.0)];
    let end = [p, dvec3(0.0, 0.28, 1.0), dvec3(1.0, 0.28, 1.0), dvec3(1.0, 1.28, 1.0)];
    assert_meets(&Query::vertex_face(start, end), 0.07 / 0.29, 1e-12);
}

/// Edges in one line that run into each other, and into each other's middle in a plane.
#[test]
fn parallel_edges_meet() {
    let along = |x: f64| [dvec3(x, 0.0, 0.0), dvec3(x + 1.0, 0.0, 0.0), dvec3(3.0, 0.0, 0.0), dvec3(4.0, 0.0, 0.0)];
    assert_meets(&Query::edge_edge(along(0.0), along(4.0)), 0.5, 1e-6);
    let beside = |y: f64| [dvec3(0.5, y, 0.0), dvec3(1.5, y, 0.0), dvec3(0.0, 0.0, 0.0), dvec3(1.0, 0.0, 0.0)];
    assert_meets(&Query::edge_edge(beside(1.0), beside(-3.0)), 0.25, 1e-6);
}

#[test]
fn nothing_is_looked_for_after_t_max() {
    let query = falling(0.1, 1.0, -1.0, 0.0);
    let until = |t_max: f64| solve(Settings { t_max, ..Settings::default() }, &query).outcome;
    assert_eq!(until(0.49), Outcome::Free);
    assert!(matches!(until(0.5), Outcome::Impact { lo, hi } if lo <= 0.5 && hi <= 0.5));
    assert_eq!(until(0.0), Outcome::Free);
}

#[test]
fn a_separation_is_met_earlier() {
    let query = falling(0.1, 1.0, -1.0, 0.0);
    for metric in [Metric::Chebyshev, Metric::Euclidean] {
        let settings = Settings { separation: 0.25, metric, ..Settings::default() };
        let time = solve(settings, &query).outcome.time().unwrap();
        assert!((0.375 - 1e-6..=0.375).contains(&time), "{metric:?} {time}");
    }
}

/// A vertex passes a corner at (3, 4) times 0.1 m: 0.4 m apart in the one metric, 0.5 m in the other.
#[test]
fn the_metrics_differ() {
    let far = |z: f64| [dvec3(0.3, 0.4, z), DVec3::ZERO, dvec3(-1.0, 0.0, 0.0), dvec3(0.0, -1.0, 0.0)];
    let query = Query::vertex_face(far(1.0), far(-1.0));
    let meets = |separation, metric| {
        let settings = Settings { separation, metric, ..Settings::default() };
        solve(settings, &query).outcome.is_impact()
    };
    assert!(meets(0.401, Metric::Chebyshev) && !meets(0.399, Metric::Chebyshev));
    assert!(meets(0.501, Metric::Euclidean) && !meets(0.499, Metric::Euclidean));
}

#[test]
fn settings_out_of_range_are_refused() {
    let refused = |settings: Settings| RootFinder::new(settings).unwrap_err();
    let default = Settings::default();
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(refused(Settings { tolerance, ..default }), CcdError::Tolerance(_)));
    }
    assert!(RootFinder::new(Settings { tolerance: 0.0, exact_after: Some(100), ..default }).is_ok());
    assert_eq!(refused(Settings { checks: 0, ..default }), CcdError::Checks);
    for separation in [-1e-9, f64::NAN, f64::INFINITY, 1e71] {
        assert!(matches!(refused(Settings { separation, ..default }), CcdError::Separation(_)));
    }
    for t_max in [-0.1, 1.1, f64::NAN] {
        assert!(matches!(refused(Settings { t_max, ..default }), CcdError::TimeLimit(_)));
    }
}

#[test]
fn coordinates_out_of_range_are_refused() {
    let finder = RootFinder::new(Settings::default()).unwrap();
    for (index, value) in [(0, f64::NAN), (13, f64::INFINITY), (23, f64::NEG_INFINITY), (7, 1e71)] {
        let mut coordinates = falling(0.1, 1.0, -1.0, 0.0).coordinates();
        coordinates[index] = value;
        let error = finder.solve(&Query::from_coordinates(Kind::VertexFace, &coordinates)).unwrap_err();
        let place = format!("{} of point {} at t = {}", ["x", "y", "z"][index % 3], index / 3 % 4, index / 12);
        assert!(error.to_string().contains(&place), "{error}");
    }
}

/// The largest and the smallest numbers that are allowed make nothing overflow or vanish.
#[test]
fn all_scales_are_answered_alike() {
    let unit = falling(0.125, 1.0, -1.0, 0.0).coordinates();
    for exponent in [-1070, -1020, -300, -100, 0, 100, 232] {
        let scale = libm::exp2(f64::from(exponent));
        let query = Query::from_coordinates(Kind::VertexFace, &unit.map(|x| x * scale));
        let tolerance = 1e-6 * scale.max(1e-300);
        let found = solve(Settings { tolerance, ..Settings::default() }, &query).outcome.time();
        // The smallest numbers have fewer digits: a height of 2^-1070 m is 16 of the smallest steps.
        assert!(found.is_some_and(|t| t <= 0.5), "2^{exponent}: {found:?}");
        assert!(exponent < -900 || found.is_some_and(|t| t > 0.499), "2^{exponent}: {found:?}");
    }
}

/// Edges that turn in a plane until they lie on each other: a whole curve of contacts begins at once.
fn hard() -> Query {
    let z = |points: [[f64; 2]; 4]| points.map(|[x, y]| dvec3(x, y, 0.0));
    Query::edge_edge(
        z([[1.0, -1.0], [0.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]),
        z([[-1.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [1.0, -1.0]]),
    )
}

#[test]
fn the_limit_of_checks_is_kept_and_the_time_trusted() {
    let mut last = 0.0;
    for checks in [1, 2, 5, 10, 20, 40] {
        let answer = solve(Settings { checks, ..Settings::default() }, &hard());
        // One more for the test of the whole domain.
        assert!(answer.checks <= checks + 1);
        let Outcome::Stopped { t } = answer.outcome else { panic!("{answer:?}") };
        assert!((last..=0.5).contains(&t), "{t}");
        last = t;
    }
    let settings = Settings { exact_after: Some(20), ..Settings::default() };
    let answer = solve(settings, &hard());
    assert!(answer.exact && answer.checks == 21, "{answer:?}");
    assert_eq!(answer.outcome, Outcome::Impact { lo: 0.5, hi: 0.5 });
}

#[test]
fn many_queries_are_answered_as_one_by_one() {
    for kind in [Kind::VertexFace, Kind::EdgeEdge] {
        let all: Vec<_> = (0..6000).map(|i| near_degenerate(3, i)).filter(|query| query.kind == kind).collect();
        let mut queries = Queries::new(kind);
        for query in &all {
            queries.push(query).unwrap();
        }
        for separation in [0.0, 1e-3] {
            let finder = RootFinder::new(Settings { separation, checks: 500, ..Settings::default() }).unwrap();
            let one_by_one: Vec<_> = all.iter().map(|query| finder.solve(query).unwrap()).collect();
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                assert_eq!(pool.install(|| finder.solve_all(&queries)).unwrap(), one_by_one);
            }
        }
    }
}

#[test]
fn the_first_query_that_cannot_be_answered_is_named() {
    let mut arrays: [Vec<f64>; 24] = std::array::from_fn(|_| vec![0.5; 3000]);
    arrays[5][2500] = f64::NAN;
    arrays[7][1777] = f64::INFINITY;
    let queries = Queries::from_arrays(Kind::EdgeEdge, arrays.clone()).unwrap();
    let finder = RootFinder::new(Settings::default()).unwrap();
    let error = finder.solve_all(&queries).unwrap_err();
    assert!(matches!(error, CcdError::AtQuery { index: 1777, .. }), "{error}");
    arrays[9].pop();
    assert_eq!(
        Queries::from_arrays(Kind::EdgeEdge, arrays).unwrap_err(),
        CcdError::Lengths { array: 9, found: 2999, expected: 3000 }
    );
    let other = Queries::new(Kind::VertexFace).push(&crossing(1.0, 0.0, 0.0));
    assert!(matches!(other, Err(CcdError::OtherKind { .. })));
}

/// The part of the check that `examples/ccd_adversarial.rs` makes of ten million queries.
#[test]
fn a_hundred_thousand_near_degenerate_queries_have_no_contact_missed_or_late() {
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let with = |settings: Settings, numbers| {
        let finder = RootFinder::new(settings).unwrap();
        let audit = audit(&finder, &settings, 1, numbers, threads).unwrap();
        assert!(audit.is_conservative() && audit.beyond == 0, "{settings:?} {audit} {:?}", audit.failures);
        assert!(audit.contacts > audit.queries / 10, "{audit}");
        audit
    };
    let default = Settings { checks: 2000, ..Settings::default() };
    with(default, 0..60_000);
    with(Settings { exact_after: Some(200), ..default }, 60_000..80_000);
    with(Settings { t_max: 0.5, ..default }, 80_000..85_000);
    let exact = with(Settings { tolerance: 0.0, exact_after: Some(200), ..default }, 85_000..100_000);
    assert_eq!((exact.invented, exact.stopped), (0, 0));
    for separation in [1e-8, 1e-4, 1e-2] {
        with(Settings { separation, ..default }, 0..400);
    }
}
