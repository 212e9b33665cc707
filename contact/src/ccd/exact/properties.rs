//! Properties of the decider on random queries, against oracles that share nothing with it.

use super::search::{Found, Lattice, searched};
use super::{ExactTime, decide};
use crate::ccd::sample::near_degenerate;
use crate::ccd::{Kind, Query};
use glam::DVec3;
use proptest::prelude::*;
use proptest::sample::select;

fn first(query: &Query, separation: f64) -> Option<ExactTime> {
    decide(query, 1.0, separation).expect("the query is sound")
}

fn kind() -> impl Strategy<Value = Kind> {
    select(vec![Kind::VertexFace, Kind::EdgeEdge])
}

/// Whole coordinates of at most this size; a third of the queries in a plane.
fn lattice(size: i32) -> impl Strategy<Value = Query> {
    (kind(), prop::array::uniform24(-size..=size), 0..3).prop_map(|(kind, whole, flat)| {
        let mut coordinates = whole.map(f64::from);
        if flat == 0 {
            coordinates.iter_mut().skip(2).step_by(3).for_each(|z| *z = 0.0);
        }
        Query::from_coordinates(kind, &coordinates)
    })
}

fn hard() -> impl Strategy<Value = Query> {
    any::<u64>().prop_map(|number| near_degenerate(7, number))
}

/// The query with each point put elsewhere.
fn moved(query: &Query, place: impl Fn(DVec3) -> DVec3) -> Query {
    Query { kind: query.kind, start: query.start.map(&place), end: query.end.map(&place) }
}

/// The query with its points in another order.
fn reordered(query: &Query, order: [usize; 4]) -> Query {
    Query { kind: query.kind, start: order.map(|i| query.start[i]), end: order.map(|i| query.end[i]) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_search_by_boxes_comes_to_the_same(query in (1..=4).prop_flat_map(lattice), reach in 0..3_i64) {
        let time = first(&query, reach as f64);
        match searched(&query, reach) {
            Found::Nothing => prop_assert_eq!(time, None),
            // Not before the box; and as far from it as the box is wide they are close enough at its very beginning.
            Found::Box { time: early, width } => {
                prop_assert!(time.is_none_or(|time| early <= time.hi), "{} {:?}", early, time);
                let close = decide(&query, early, reach as f64 + width).expect("the query is sound");
                prop_assert!(close.is_some(), "{} {}", early, width);
            }
            Found::Unknown => {}
        }
    }

    #[test]
    fn places_that_are_close_are_not_missed(
        query in (1..=6).prop_flat_map(lattice),
        places in prop::collection::vec(prop::array::uniform3(0..=16_i64), 64),
    ) {
        let whole = Lattice::new(&query).expect("whole numbers");
        for place in places.into_iter().filter(|&place| whole.holds(place, 4)) {
            let apart = whole.difference(place, 4).map(|x| x.abs() as f64 / 256.0);
            let reach = apart.into_iter().fold(0.0, f64::max);
            let time = first(&query, reach).expect("they are as close as this");
            prop_assert!(time.lo <= place[0] as f64 / 16.0);
        }
    }

    #[test]
    fn constructed_contacts_are_found(
        kind in kind(),
        whole in prop::array::uniform24(-1000..=1000_i64),
        [time, u, v] in prop::array::uniform3(0..=8_i64),
        step in prop::array::uniform3(-1000..=1000_i64),
    ) {
        // Numbers that are multiples of 512 can be weighted thrice by eighths. The first feature is moved so that a
        // point of it is at a point of the other at that time.
        let (v, first_points) = match kind {
            Kind::VertexFace => (v.min(8 - u), 1),
            Kind::EdgeEdge => (v, 2),
        };
        let mut points = whole.map(|x| x * 512);
        for k in 0..3 {
            let at = |i: usize| ((8 - time) * points[3 * i + k] + time * points[12 + 3 * i + k]) / 8;
            let apart = match kind {
                Kind::VertexFace => at(0) - ((8 - u - v) * at(1) + u * at(2) + v * at(3)) / 8,
                Kind::EdgeEdge => ((8 - u) * at(0) + u * at(1) - (8 - v) * at(2) - v * at(3)) / 8,
            };
            for i in 0..first_points {
                points[3 * i + k] -= apart + time * step[k];
                points[12 + 3 * i + k] -= apart - (8 - time) * step[k];
            }
        }
        let query = Query::from_coordinates(kind, &points.map(|x| x as f64));
        let found = first(&query, 0.0).expect("they meet");
        prop_assert!(found.lo <= time as f64 / 8.0);
    }

    #[test]
    fn turning_mirroring_and_scaling_change_nothing(query in hard(), power in 1..40_i32) {
        let time = first(&query, 0.0);
        // Upwards, where the least numbers lose nothing.
        let scale = libm::ldexp(1.0, power);
        prop_assert_eq!(first(&moved(&query, |p| p * scale), 0.0), time);
        prop_assert_eq!(first(&moved(&query, |p| DVec3::new(p.y, p.z, p.x)), 0.0), time);
        prop_assert_eq!(first(&moved(&query, |p| DVec3::new(-p.y, p.x, p.z)), 0.0), time);
    }

    #[test]
    fn the_order_of_points_changes_nothing(query in hard()) {
        let orders = match query.kind {
            Kind::VertexFace => [[0, 2, 3, 1], [0, 1, 3, 2]],
            Kind::EdgeEdge => [[2, 3, 0, 1], [1, 0, 2, 3]],
        };
        for order in orders {
            prop_assert_eq!(first(&reordered(&query, order), 0.0), first(&query, 0.0));
        }
    }

    #[test]
    fn a_step_that_runs_backwards_meets_as_well(query in hard()) {
        let back = Query { kind: query.kind, start: query.end, end: query.start };
        let (there, again) = (first(&query, 0.0), first(&back, 0.0));
        prop_assert_eq!(there.is_some(), again.is_some());
        if let (Some(there), Some(again)) = (there, again) {
            // The last contact is not before the first.
            prop_assert!(there.lo + again.lo <= 1.0);
        }
    }

    #[test]
    fn the_end_of_the_search_only_cuts(query in hard(), t_max in 0.0..=1.0_f64) {
        let time = first(&query, 0.0);
        for t_max in time.into_iter().flat_map(|time| [time.lo, time.hi, time.lo.next_down().max(0.0)]).chain([t_max]) {
            let expected = time.filter(|time| time.hi <= t_max);
            prop_assert_eq!(decide(&query, t_max, 0.0), Ok(expected));
        }
    }

    #[test]
    fn more_separation_is_never_later(query in (1..=6).prop_flat_map(lattice), [a, b] in prop::array::uniform2(0.0..4.0_f64)) {
        let times = [0.0, a.min(b), a.max(b)].map(|separation| first(&query, separation));
        for pair in times.windows(2) {
            if let Some(earlier) = pair[0] {
                let later = pair[1].expect("closer than that");
                prop_assert!(later.lo <= earlier.lo && later.hi <= earlier.hi);
            }
        }
    }

    #[test]
    fn a_vanishing_separation_is_next_to_none(query in (1..=6).prop_flat_map(lattice)) {
        // The same contact by other roots: those of the corners of a tiny cube.
        let (none, tiny) = (first(&query, 0.0), first(&query, 1e-40));
        prop_assert_eq!(none.is_some(), tiny.is_some());
        if let (Some(none), Some(tiny)) = (none, tiny) {
            prop_assert!(tiny.lo <= none.lo && none.lo - tiny.lo < 1e-9);
        }
    }
}
