use super::search::{Found, searched};
use super::{Exact, ExactTime, decide};
use crate::ccd::{CcdError, Method, Metric, Outcome, Query, Settings};
use dashu_ratio::RBig;
use glam::{DVec3, dvec3};

const ORIGIN: DVec3 = DVec3::ZERO;
/// A face in the plane z = 0 with the origin inside.
const FLOOR: [DVec3; 3] = [dvec3(-4.0, -4.0, 0.0), dvec3(4.0, -4.0, 0.0), dvec3(0.0, 4.0, 0.0)];

fn at(time: f64) -> Option<ExactTime> {
    Some(ExactTime { lo: time, hi: time })
}

fn first(query: &Query) -> Option<ExactTime> {
    decide(query, 1.0, 0.0).expect("the query is sound")
}

fn drop_on(face: [[DVec3; 3]; 2], from: DVec3, to: DVec3) -> Query {
    let [[a, b, c], [d, e, f]] = face;
    Query::vertex_face([from, a, b, c], [to, d, e, f])
}

fn still(from: DVec3, to: DVec3) -> Query {
    drop_on([FLOOR; 2], from, to)
}

fn crossing(first: [[DVec3; 2]; 2], second: [[DVec3; 2]; 2]) -> Query {
    let [start, end] = [0, 1].map(|time: usize| {
        let ([a, b], [c, d]) = (first[time], second[time]);
        [a, b, c, d]
    });
    Query::edge_edge(start, end)
}

/// Equal to a rational time: it is between `lo` and `hi`, and no f64 is between these.
fn assert_is(time: Option<ExactTime>, numerator: i64, denominator: i64) {
    let ExactTime { lo, hi } = time.expect("they meet");
    let truth = RBig::from(numerator) / RBig::from(denominator);
    let [lower, upper] = [lo, hi].map(|x| RBig::try_from(x).expect("finite"));
    assert!(lower <= truth && truth <= upper, "{lo} {hi}");
    assert!(hi <= lo.next_up() && (lo == hi) == (lower == truth), "{lo} {hi}");
}

#[test]
fn the_papers_hourglass_is_met_at_nine_tenths() {
    // Appendix B. The tenths are those of f64, so the time is not quite 9/10.
    let face = [[dvec3(0.0, 0.0, 1.0), dvec3(1.0, 0.0, 1.0), dvec3(0.0, 1.0, 1.0)]];
    let end = [ORIGIN, dvec3(0.0, 1.0, 0.0), dvec3(1.0, 0.0, 0.0)];
    let time = first(&drop_on([face[0], end], DVec3::splat(0.1), DVec3::splat(0.1))).expect("they meet");
    assert!(time.lo <= 0.9 && 0.9 <= time.hi && time.hi <= time.lo.next_up());
}

#[test]
fn the_papers_second_degenerate_fall_is_met() {
    // Appendix C: the face slides down in its own plane; an edge reaches the point at 7/29 (in decimals).
    let z = |x, y| dvec3(x, y, 1.0);
    let start = [z(0.0, 0.57), z(1.0, 0.57), z(1.0, 1.57)];
    let end = [z(0.0, 0.28), z(1.0, 0.28), z(1.0, 1.28)];
    let time = first(&drop_on([start, end], z(1.0, 0.5), z(1.0, 0.5))).expect("they meet");
    assert!((time.lo - 7.0 / 29.0).abs() < 1e-15 && time.hi <= time.lo.next_up());
}

#[test]
fn the_papers_cubic_with_an_inflection_is_followed() {
    // Appendix C: −72t³ + 120t² − 44t + 3 has roots near 0.0889, 0.4005 and 1.177; the face is not under the point then.
    let start = [dvec3(0.0, 0.0, 5.0), dvec3(2.0, 0.0, 2.0), dvec3(0.0, 1.0, 0.0)];
    let end = [dvec3(0.0, 0.0, -1.0), dvec3(0.0, 0.0, -2.0), dvec3(0.0, 7.0, 0.0)];
    let query = drop_on([start, end], dvec3(1.0, 1.0, 0.0), dvec3(1.0, 1.0, 0.0));
    assert_eq!(searched(&query, 0), Found::Nothing);
    assert_eq!(first(&query), None);
}

#[test]
fn a_fall_is_met_at_its_rational_time() {
    assert_is(first(&still(dvec3(0.0, 0.0, 1.0), dvec3(0.0, 0.0, -2.0))), 1, 3);
    assert_eq!(first(&still(dvec3(0.0, 0.0, 1.0), dvec3(0.0, 0.0, -1.0))), at(0.5));
    assert_eq!(first(&still(dvec3(9.0, 0.0, 1.0), dvec3(9.0, 0.0, -1.0))), None);
}

#[test]
fn contact_at_an_end_of_the_step_counts() {
    assert_eq!(first(&still(ORIGIN, dvec3(0.0, 0.0, 1.0))), at(0.0));
    assert_eq!(first(&still(dvec3(0.0, 0.0, 1.0), ORIGIN)), at(1.0));
    assert_eq!(first(&still(dvec3(0.0, 0.0, 1.0), dvec3(0.0, 0.0, 5e-324))), None);
    // A corner that is reached at the very end.
    assert_eq!(first(&still(dvec3(4.0, -4.0, 1.0), dvec3(4.0, -4.0, 0.0))), at(1.0));
    assert_eq!(first(&still(dvec3(4.0, -4.0, 1.0), dvec3(4.0, (-4.0_f64).next_down(), 0.0))), None);
}

#[test]
fn motion_in_the_plane_is_met_at_the_edge() {
    // The lower edge of the floor is y = −4.
    assert_eq!(first(&still(dvec3(0.0, -6.0, 0.0), dvec3(0.0, 2.0, 0.0))), at(0.25));
    assert_is(first(&still(dvec3(0.0, -5.0, 0.0), dvec3(0.0, -2.0, 0.0))), 1, 3);
    assert_eq!(first(&still(dvec3(-9.0, -5.0, 0.0), dvec3(9.0, -5.0, 0.0))), None);
    // Past a corner, and just by it.
    assert_eq!(first(&still(dvec3(-1.0, 4.0, 0.0), dvec3(1.0, 4.0, 0.0))), at(0.5));
    assert_eq!(first(&still(dvec3(-1.0, 4.0_f64.next_up(), 0.0), dvec3(1.0, 4.0_f64.next_up(), 0.0))), None);
}

#[test]
fn faces_without_area_are_segments_and_points() {
    let a = dvec3(-1.0, 0.0, 0.0);
    let segment = [a, dvec3(1.0, 0.0, 0.0), dvec3(0.5, 0.0, 0.0)];
    assert_eq!(first(&drop_on([segment; 2], dvec3(0.0, 1.0, 1.0), dvec3(0.0, -1.0, -1.0))), at(0.5));
    assert_eq!(first(&drop_on([segment; 2], dvec3(2.0, 1.0, 1.0), dvec3(2.0, -1.0, -1.0))), None);
    assert_eq!(first(&drop_on([segment; 2], dvec3(0.0, 1.0, 1.0), dvec3(0.0, -1.0, -1.5))), None);
    // Along the line of the segment.
    assert_eq!(first(&drop_on([segment; 2], dvec3(3.0, 0.0, 0.0), dvec3(-5.0, 0.0, 0.0))), at(0.25));
    let point = [a; 3];
    assert_eq!(first(&drop_on([point; 2], dvec3(-2.0, -1.0, 3.0), dvec3(0.0, 1.0, -3.0))), at(0.5));
    assert_eq!(first(&drop_on([point; 2], dvec3(-2.0, -1.0, 3.0), dvec3(0.0, 1.0, -3.1))), None);
    // A face that is a segment for one moment alone, when the point passes through its plane.
    let turned = [FLOOR[0], FLOOR[1], dvec3(0.0, -12.0, 0.0)];
    let through = |x: f64, y: f64| first(&drop_on([FLOOR, turned], dvec3(x, y, 1.0), dvec3(x, y, -1.0)));
    assert_eq!(through(3.0, -4.0), at(0.5));
    assert_eq!(through(3.0, -4.0_f64.next_up()), None);
    assert_eq!(through(5.0, -4.0), None);
}

#[test]
fn edges_are_met_across_along_and_at_their_ends() {
    let x = |from: f64, to: f64, y: f64, z: f64| [dvec3(from, y, z), dvec3(to, y, z)];
    let across = [dvec3(0.0, -1.0, 0.0), dvec3(0.0, 1.0, 0.0)];
    assert_eq!(first(&crossing([x(-1.0, 1.0, 0.0, 1.0), x(-1.0, 1.0, 0.0, -1.0)], [across; 2])), at(0.5));
    assert_eq!(first(&crossing([x(0.0, 1.0, 1.0, 1.0), x(0.0, 1.0, 1.0, -1.0)], [across; 2])), at(0.5));
    assert_eq!(first(&crossing([x(5e-324, 1.0, 1.0, 1.0), x(5e-324, 1.0, 1.0, -1.0)], [across; 2])), None);
    // Parallel edges that fall on one another, in part or not at all.
    let below = x(0.5, 3.0, 0.0, 0.0);
    assert_is(first(&crossing([x(-1.0, 1.0, 0.0, 1.0), x(-1.0, 1.0, 0.0, -2.0)], [below; 2])), 1, 3);
    assert_eq!(first(&crossing([x(-1.0, 0.25, 0.0, 1.0), x(-1.0, 0.25, 0.0, -2.0)], [below; 2])), None);
    // On one line, one after the other.
    assert_eq!(first(&crossing([x(-1.0, 0.0, 0.0, 0.0), x(1.0, 2.0, 0.0, 0.0)], [below; 2])), at(0.25));
    // Without length: two points.
    let point = |p: DVec3| [p; 2];
    let meeting = crossing([point(-DVec3::X), point(DVec3::X)], [point(DVec3::Y), point(-DVec3::Y)]);
    assert_eq!(first(&meeting), at(0.5));
    let passing = crossing([point(-DVec3::X), point(DVec3::X)], [point(DVec3::Y), point(-2.0 * DVec3::Y)]);
    assert_eq!(first(&passing), None);
}

#[test]
fn a_graze_is_met_once_and_only_when_it_reaches() {
    // The point is (3t − 1)² + lift below the plane.
    let parabola = |lift: f64| {
        let face = |slope: f64, height: f64| {
            let z = |x: f64| slope * x + height;
            [dvec3(-8.0, -8.0, z(-8.0)), dvec3(8.0, -8.0, z(8.0)), dvec3(0.0, 8.0, z(0.0))]
        };
        // The plane z = (3t − 1) x and a point at x = 3t − 1.
        let [start, end] = [(-1.0, -1.0), (2.0, 2.0)];
        drop_on([face(start.0, 0.0), face(end.0, 0.0)], dvec3(start.1, 0.0, -lift), dvec3(end.1, 0.0, -lift))
    };
    assert_is(first(&parabola(0.0)), 1, 3);
    assert_eq!(first(&parabola(1e-300)), None);
    let time = first(&parabola(-2.0_f64.powi(-40))).expect("two roots near a third");
    assert!((time.lo - (1.0 - 2.0_f64.powi(-20)) / 3.0).abs() < 1e-15);
}

#[test]
fn the_first_of_several_contacts_is_found() {
    // The plane z = (4t − 1) x.
    let face = |slope: f64| {
        let z = |x: f64| slope * x;
        [dvec3(-8.0, -8.0, z(-8.0)), dvec3(8.0, -8.0, z(8.0)), dvec3(0.0, 8.0, z(0.0))]
    };
    let twice = |from: DVec3, to: DVec3| drop_on([face(-1.0), face(3.0)], from, to);
    // The point at x = 4t − 3: they meet when (4t − 1)(4t − 3) = 0.
    let swing = twice(dvec3(-3.0, 0.0, 0.0), dvec3(1.0, 0.0, 0.0));
    assert_eq!(first(&swing), at(0.25));
}

#[test]
fn the_end_of_the_search_is_compared_exactly() {
    let query = still(dvec3(0.0, 0.0, 1.0), dvec3(0.0, 0.0, -2.0));
    let third = 1.0_f64 / 3.0;
    // The f64 next to a third is below it.
    assert_eq!(decide(&query, third, 0.0), Ok(None));
    assert_eq!(decide(&query, third.next_up(), 0.0), Ok(Some(ExactTime { lo: third, hi: third.next_up() })));
    let half = still(dvec3(0.0, 0.0, 1.0), dvec3(0.0, 0.0, -1.0));
    assert_eq!(decide(&half, 0.5, 0.0), Ok(at(0.5)));
    assert_eq!(decide(&half, 0.5_f64.next_down(), 0.0), Ok(None));
    assert_eq!(decide(&still(ORIGIN, DVec3::Z), 0.0, 0.0), Ok(at(0.0)));
}

#[test]
fn sizes_from_the_least_to_the_largest_are_taken() {
    for size in [5e-324, 1e-300, 1e-30, 1.0, 1e30, Query::LARGEST / 8.0] {
        let scaled = |p: DVec3| (p * size).clamp(DVec3::splat(-Query::LARGEST), DVec3::splat(Query::LARGEST));
        let [from, to] = [dvec3(0.0, 0.0, 4.0), dvec3(0.0, 0.0, -8.0)];
        let query = drop_on([FLOOR.map(scaled); 2], scaled(from), scaled(to));
        assert_is(first(&query), 1, 3);
    }
    // A face of 1e70 m and a fall from the least height.
    let wide = FLOOR.map(|p| p * (Query::LARGEST / 4.0));
    assert_eq!(first(&drop_on([wide; 2], dvec3(0.0, 0.0, 5e-324), dvec3(0.0, 0.0, -5e-324))), at(0.5));
    let fall = drop_on([wide; 2], dvec3(0.0, 0.0, 1e-320), dvec3(0.0, 0.0, -1e70));
    assert_eq!(first(&fall), Some(ExactTime { lo: 0.0, hi: 5e-324 }));
}

#[test]
fn bad_input_is_refused() {
    let query = still(DVec3::Z, -DVec3::Z);
    assert_eq!(decide(&query, 1.5, 0.0), Err(CcdError::TimeLimit(1.5)));
    assert_eq!(decide(&query, 1.0, -1.0), Err(CcdError::Separation(-1.0)));
    let broken = still(DVec3::Z, DVec3::NAN);
    assert!(matches!(decide(&broken, 1.0, 0.0), Err(CcdError::NotFinite { point: 0, time: 1, .. })));
    let euclidean = Settings { separation: 1.0, metric: Metric::Euclidean, ..Settings::default() };
    assert!(matches!(Exact::new(euclidean), Err(CcdError::Unsupported { .. })));
    let settings = Settings { t_max: 0.75, ..Settings::default() };
    let answer = Exact::new(settings).and_then(|method| method.solve(&query)).expect("sound");
    assert_eq!((answer.outcome, answer.exact), (Outcome::Impact { lo: 0.5, hi: 0.5 }, true));
}

#[test]
fn a_separation_is_kept_in_the_chebyshev_metric() {
    let fall = still(dvec3(0.0, 0.0, 1.0), dvec3(0.0, 0.0, -1.0));
    assert_eq!(decide(&fall, 1.0, 0.5), Ok(at(0.25)));
    assert_eq!(decide(&fall, 1.0, 1.0), Ok(at(0.0)));
    // Beside the lower edge: 0.25 off, so only a greater separation is touched, at any height below it.
    let beside = still(dvec3(0.0, -4.25, 1.0), dvec3(0.0, -4.25, -1.0));
    assert_eq!(decide(&beside, 1.0, 0.25), Ok(at(0.375)));
    assert_eq!(decide(&beside, 1.0, 0.25_f64.next_down()), Ok(None));
    // Two edges that pass at a height of 1.
    let edge = |y: f64| [dvec3(-1.0, y, 0.0), dvec3(1.0, y, 0.0)];
    let pass = crossing([edge(-4.0), edge(4.0)], [[dvec3(0.0, -1.0, 1.0), dvec3(0.0, 1.0, 1.0)]; 2]);
    assert_eq!(decide(&pass, 1.0, 1.0), Ok(at(0.25)));
    assert_eq!(decide(&pass, 1.0, 1.0_f64.next_down()), Ok(None));
    // Two points along a diagonal.
    let point = |p: DVec3| [p; 2];
    let meet = crossing([point(DVec3::splat(-2.0)), point(DVec3::splat(2.0))], [point(ORIGIN); 2]);
    assert_eq!(decide(&meet, 1.0, 1.0), Ok(at(0.25)));
}
