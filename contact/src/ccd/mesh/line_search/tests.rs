use super::super::{Topology, within};
use super::*;
use crate::ccd::exact::decide;
use crate::ccd::{Answer, Metric, RootFinder};
use glam::DVec3;
use proptest::prelude::*;

fn solve(query: &Query, settings: &Settings) -> Result<Answer, CcdError> {
    RootFinder::new(*settings)?.solve(query)
}

fn lerp(start: &[DVec3], end: &[DVec3], t: f64) -> Vec<DVec3> {
    start.iter().zip(end).map(|(p, q)| *p + (*q - *p) * t).collect()
}

fn limit_of(topology: &Topology, start: &[DVec3], end: &[DVec3], settings: &Settings) -> StepLimit {
    let mesh = MovingMesh::new(topology, start, end).unwrap();
    let search = LineSearchSettings::default();
    let candidates = within(&mesh, search.cap, |_| true);
    step_limit(&mesh, &mesh, &candidates, &search, settings, &solve).unwrap()
}

fn metric() -> impl Strategy<Value = Metric> {
    prop_oneof![Just(Metric::Chebyshev), Just(Metric::Euclidean)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// A vertex over a triangle, or an edge over an edge, that goes to contact at the end of the whole step.
    #[test]
    fn times_increase_to_the_contact_and_stay_before_it(
        is_edges in any::<bool>(),
        metric in metric(),
        height in 1e-3..1.0f64,
        slope in prop::array::uniform2(-0.5..0.5f64),
        aside in prop::array::uniform2(-0.3..0.3f64),
    ) {
        let lift = DVec3::new(slope[0], 1.0, slope[1]) * height;
        let shift = DVec3::new(aside[0], 0.0, aside[1]);
        let (topology, start): (_, Vec<DVec3>) = if is_edges {
            let z = DVec3::Z;
            (Topology::new(4, &[[0, 1], [2, 3]], vec![]).unwrap(), vec![lift + shift - z, lift + shift + z, DVec3::NEG_X, DVec3::X])
        } else {
            let corners = [DVec3::new(-2.0, 0.0, -2.0), DVec3::new(2.0, 0.0, -2.0), DVec3::new(0.0, 0.0, 2.0)];
            (Topology::new(4, &[], vec![[1, 2, 3]]).unwrap(), [vec![lift + shift], corners.to_vec()].concat())
        };
        let moving = if is_edges { 2 } else { 1 };
        // t* = 1/2 of the first step.
        let end: Vec<DVec3> = start.iter().enumerate().map(|(i, p)| if i < moving { *p - lift * 2.0 } else { *p }).collect();
        let settings = Settings { metric, ..Settings::default() };
        let (mut place, mut done) = (start.clone(), 0.0);
        for _ in 0..8 {
            let limit = limit_of(&topology, &place, &end, &settings);
            prop_assert!(limit.alpha > 0.0 && limit.touching.is_empty());
            let next = done + (1.0 - done) * limit.alpha;
            prop_assert!(next > done && next < 0.5, "{done} {next}");
            place = lerp(&start, &end, next);
            prop_assert!(place[0].y > 0.0);
            done = next;
        }
        prop_assert!((0.5 - done) * height < 5e-6, "{done}");
    }

    #[test]
    fn nothing_passes_and_the_step_is_never_nothing(
        points in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from), 9),
        moves in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from), 9),
        metric in metric(),
    ) {
        let topology = Topology::new(9, &[], vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]]).unwrap();
        let apart = |p: &[DVec3]| {
            let mesh = MovingMesh::new(&topology, p, p).unwrap();
            let all = within(&mesh, 9.0, |_| true);
            all.iter().map(|c| distance_at_start(&c.query(&mesh, &mesh), Metric::Euclidean).lower).fold(f64::INFINITY, f64::min)
        };
        let settings = Settings { metric, ..Settings::default() };
        let mut place = points;
        prop_assume!(apart(&place) > 1e-6);
        let end: Vec<DVec3> = place.iter().zip(&moves).map(|(p, m)| *p + *m).collect();
        for _ in 0..5 {
            let limit = limit_of(&topology, &place, &end, &settings);
            prop_assert!(limit.alpha > 0.0);
            let mesh = MovingMesh::new(&topology, &place, &end).unwrap();
            for pair in within(&mesh, 9.0, |_| true) {
                let met = decide(&pair.query(&mesh, &mesh), limit.alpha, 0.0).unwrap();
                prop_assert!(met.is_none(), "{pair:?} {met:?} {}", limit.alpha);
            }
            place = lerp(&place, &end, limit.alpha);
        }
    }

    #[test]
    fn what_is_kept_leaves_room(distance in 1e-15..10.0f64, rounding in 1e-20..1e-6f64, share in 0.01..0.99f64) {
        let search = LineSearchSettings { share, cap: 1.0, ..LineSearchSettings::default() };
        match kept(distance, rounding, &search, 1e-6) {
            Some((d, tolerance)) => {
                prop_assert!(d >= 0.0 && tolerance > 0.0 && d + tolerance + rounding < distance);
            }
            None => prop_assert!(distance <= 2.0 * rounding),
        }
    }
}

/// A vertex that falls onto a triangle from 1 m × `scale`, to as far below it.
fn falling(scale: f64) -> (Topology, [DVec3; 4], [DVec3; 4]) {
    let topology = Topology::new(4, &[], vec![[1, 2, 3]]).unwrap();
    let corners = [DVec3::new(-2.0, 0.0, -2.0), DVec3::new(2.0, 0.0, -2.0), DVec3::new(0.0, 0.0, 2.0)];
    let places = |vertex: DVec3| [vertex, corners[0], corners[1], corners[2]].map(|p| p * scale);
    (topology, places(DVec3::Y), places(DVec3::NEG_Y))
}

#[test]
fn settings_out_of_range_are_refused_before_any_work() {
    let (topology, start, end) = falling(1.0);
    let mesh = MovingMesh::new(&topology, &start, &end).unwrap();
    let candidates = within(&mesh, 1.0, |_| true);
    let unasked = |_: &Query, _: &Settings| unreachable!("settings come first");
    let refused = |search: LineSearchSettings, settings: Settings| {
        let energy = |_| unreachable!("settings come first");
        line_search(&mesh, &mesh, &candidates, &search, &settings, &unasked, energy).unwrap_err().to_string()
    };
    let sound = LineSearchSettings::default();
    for value in [0.0, -0.1, f64::INFINITY, f64::NAN] {
        let told = |setting: &str| format!("the {setting} of the line search is {value}; it must be ");
        let share = refused(LineSearchSettings { share: value, ..sound }, Settings::default());
        assert!(share.starts_with(&told("share")), "{share}");
        let cap = refused(LineSearchSettings { cap: value, ..sound }, Settings::default());
        assert!(cap.starts_with(&told("cap")), "{cap}");
        if value != 0.0 {
            let least = refused(LineSearchSettings { least: value, ..sound }, Settings::default());
            assert!(least.starts_with(&told("least step")), "{least}");
        }
        let tolerance = refused(sound, Settings { tolerance: value, ..Settings::default() });
        assert!(tolerance.starts_with("the tolerance is"), "{tolerance}");
    }
    assert!(LineSearchSettings { share: 1.0, ..sound }.check().is_err());
    assert!(LineSearchSettings { share: f64::MIN_POSITIVE, cap: 5e-324, least: 0.0 }.check().is_ok());
}

#[test]
fn meshes_of_any_size_are_limited_before_they_meet() {
    for scale in [1e69, 1e9, 1e-9, 1e-80, 1e-100, 1e-150, 1e-162, 1e-200, 1e-300, 1e-307, 1e-315, 5e-324] {
        let (topology, start, end) = falling(scale);
        for metric in [Metric::Chebyshev, Metric::Euclidean] {
            let limit = limit_of(&topology, &start, &end, &Settings { metric, ..Settings::default() });
            assert!(limit.alpha < 0.5, "{scale} {limit:?}");
            assert!(limit.alpha > 0.0 || !limit.touching.is_empty() && scale < 1e-90, "{scale} {limit:?}");
            assert!(limit.first.is_some());
        }
    }
}

#[test]
fn the_pair_that_makes_the_step_nothing_is_named() {
    // Vertex 0 meets the triangle within the step, vertex 4 touches it at once.
    let (_, start, end) = falling(1.0);
    let topology = Topology::new(6, &[], vec![[1, 2, 3]]).unwrap();
    let (start, end) = ([&start[..], &[DVec3::ZERO; 2]].concat(), [&end[..], &[DVec3::ZERO; 2]].concat());
    let limit = limit_of(&topology, &start, &end, &Settings::default());
    assert_eq!((limit.alpha, limit.touching.len()), (0.0, 2));
    assert_eq!(limit.first, Some(limit.touching[0]));
    assert_eq!(limit.touching[0].a, 4);
}

#[test]
fn a_search_without_checks_still_moves() {
    let stuck =
        |_: &Query, _: &Settings| Ok(Answer { outcome: crate::ccd::Outcome::Stopped { t: 0.0 }, ..Answer::free(1) });
    let topology = Topology::new(4, &[], vec![[1, 2, 3]]).unwrap();
    let start = [DVec3::Y, DVec3::new(-2.0, 0.0, -2.0), DVec3::new(2.0, 0.0, -2.0), DVec3::new(0.0, 0.0, 2.0)];
    let end = [DVec3::NEG_Y, start[1], start[2], start[3]];
    let mesh = MovingMesh::new(&topology, &start, &end).unwrap();
    let search = LineSearchSettings::default();
    let candidates = within(&mesh, search.cap, |_| true);
    let limit = step_limit(&mesh, &mesh, &candidates, &search, &Settings::default(), &stuck).unwrap();
    assert!(limit.alpha > 0.499 && limit.alpha < 0.5, "{}", limit.alpha);
}

#[test]
fn touching_pairs_are_named_and_the_energy_decides_the_rest() {
    let topology = Topology::new(4, &[], vec![[1, 2, 3]]).unwrap();
    let corners = [DVec3::new(-2.0, 0.0, -2.0), DVec3::new(2.0, 0.0, -2.0), DVec3::new(0.0, 0.0, 2.0)];
    let start = [DVec3::ZERO, corners[0], corners[1], corners[2]];
    let end = [DVec3::NEG_Y, corners[0], corners[1], corners[2]];
    let limit = limit_of(&topology, &start, &end, &Settings::default());
    assert_eq!((limit.alpha, limit.touching.len()), (0.0, 1));

    let start = [DVec3::Y, corners[0], corners[1], corners[2]];
    let mesh = MovingMesh::new(&topology, &start, &end).unwrap();
    let search = LineSearchSettings::default();
    let candidates = within(&mesh, search.cap, |_| true);
    let run = |energy: fn(f64) -> f64| {
        line_search(&mesh, &mesh, &candidates, &search, &Settings::default(), &solve, energy).unwrap()
    };
    let limited = run(|alpha| -alpha);
    assert!(limited.decreased && limited.alpha == limited.limit.alpha && limited.alpha < 0.5);
    let halved = run(|alpha| (alpha - 0.05) * (alpha - 0.05));
    assert!(halved.decreased && halved.alpha < 0.1);
    let uphill = run(|alpha| alpha);
    assert!(!uphill.decreased && uphill.alpha <= search.least);
}
