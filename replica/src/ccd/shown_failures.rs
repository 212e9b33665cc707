//! Where methods fail, by example. All but the last of the coordinates are from published queries: cube-cliff-edges of
//! github.com/Continuous-Collision-Detection/Sample-Queries (MIT, © 2020 Wang, Ferguson, Schneider, Jiang, Attene, Panozzo);
//! rod-twist and cloth-ball of github.com/Continuous-Collision-Detection/Sample-Scalable-CCD-Data (Apache-2.0). That the
//! features do meet, and when, was decided in exact arithmetic.

use super::tests::solve;
use super::{LaterSmall, Printed, PrintedFilter};
use drystone_contact::ccd::{Kind, Method, Metric, Outcome, Query, Settings};
use glam::DVec3;

/// Rod-twist, step 3036, a vertex and a face that meet at t = 0.0409.
#[rustfmt::skip]
const DROPPED: [f64; 24] = [
    0.469757836737245, 0.105254862607225, 0.149442555750045, 0.464374841067014, 0.108906983698493, 0.146648437831109,
    0.468669008522704, 0.107420570659531, 0.146518436129641, 0.47089858778403, 0.103172249740464, 0.152214327231846,
    0.4695380158183, 0.106280287602053, 0.148433128906868, 0.465701815071799, 0.108579051373265, 0.147859980035074,
    0.469420390324906, 0.107230382616688, 0.147100800708314, 0.471051323474836, 0.102628649271577, 0.152989922277628,
];

/// Cube-cliff-edges: edges that are within 1e-16 m of one plane all the time and meet at t = 0.2441.
#[rustfmt::skip]
const IN_A_PLANE: [f64; 24] = [
    1.0, 0.5718259037844384, 1.0, -2.200893605408073e-18, 0.5718259037844384, 9.28743093540892e-17,
    0.0, 0.5, 0.0, 1.0, 0.5, 1.0,
    1.0, 0.2776264037844384, 0.9999999999999999, -3.776272486293262e-17, 0.2776264037844383, 4.64503700492048e-17,
    0.0, 0.5, 0.0, 1.0, 0.5, 1.0,
];

/// Cloth-ball, step 92: edges that meet at t = 0.9577.
#[rustfmt::skip]
const CLOTH: [f64; 24] = [
    -2.8604989051818848, 0.4786840081214905, 0.8610699772834778, -2.955353021621704, 0.6558610200881958, 0.6429349780082703,
    -2.9860239028930664, 0.5216799974441528, 0.8843290209770203, -2.7194340229034424, 0.5195059776306152, 1.1131999492645264,
    -2.6386380195617676, 0.6332359910011292, 1.0213019847869873, -2.796945095062256, 0.7125160098075867, 0.8967459797859192,
    -2.721263885498047, 0.702468991279602, 0.9441419839859009, -2.623286008834839, 0.5450659990310669, 1.0384019613265991,
];

/// That the conservative methods find the contact, not late.
fn is_found_by_intervals(query: &Query, time: f64) {
    for name in ["interval", "univariate-interval"] {
        let found = solve(name, Settings::default(), query).outcome.time();
        assert!(found.is_some_and(|t| t <= time), "{name}: {found:?}");
    }
}

#[test]
fn the_print_drops_a_small_box_that_held_the_contact() {
    let query = Query::from_coordinates(Kind::VertexFace, &DROPPED);
    assert_eq!(solve(Printed::PAPER, Settings::default(), &query).outcome, Outcome::Free);
    // The box alone makes the difference: nothing else is changed here.
    let remembering = Printed::new(Settings::default(), PrintedFilter::Paper, LaterSmall::Remembered).unwrap();
    let found = remembering.solve(&query).unwrap().outcome.time();
    assert!(found.is_some_and(|t| t <= 0.040_945_590_636_319_65), "{found:?}");
    is_found_by_intervals(&query, 0.040_945_590_636_319_65);
}

/// A vertex falls from 0.8 mm and comes to rest on a triangle at 0.3 mm, exactly at t = 1.
#[test]
fn the_filter_of_the_published_code_is_too_small_for_small_things() {
    let with =
        |z| [[0.0, 0.0, z], [-0.008, -0.008, 0.0003], [0.008, -0.008, 0.0003], [0.0, 0.008, 0.0003]].map(DVec3::from);
    let query = Query::vertex_face(with(0.0008), with(0.0003));
    assert_eq!(solve(Printed::CODE, Settings::default(), &query).outcome, Outcome::Free);
    // The filter alone makes the difference.
    let with_the_papers = Printed::new(Settings::default(), PrintedFilter::Paper, LaterSmall::Remembered).unwrap();
    assert!(with_the_papers.solve(&query).unwrap().outcome.is_impact());
    is_found_by_intervals(&query, 1.0);
}

#[test]
fn the_cubic_has_no_root_where_all_motion_is_in_a_plane() {
    let query = Query::from_coordinates(Kind::EdgeEdge, &IN_A_PLANE);
    assert_eq!(solve("floating-cubic", Settings::default(), &query).outcome, Outcome::Free);
    is_found_by_intervals(&query, 0.244_140_128_669_281_95);
}

/// One of two parallel edges passes through the other at t = 0.5.
#[test]
fn the_cubic_misses_parallel_edges() {
    let edge = |y| [DVec3::new(0.0, y, 0.0), DVec3::new(1.0, y, 0.0)];
    let with = |y| [edge(y)[0], edge(y)[1], edge(0.0)[0], edge(0.0)[1]];
    let query = Query::edge_edge(with(1.0), with(-1.0));
    assert_eq!(solve("floating-cubic", Settings::default(), &query).outcome, Outcome::Free);
    is_found_by_intervals(&query, 0.5);
}

/// A vertex slides through a triangle in its plane, from one side to the other.
#[test]
fn the_cubic_misses_what_slides_in_a_plane() {
    let with = |x| [[x, 0.0, 0.0], [-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]].map(DVec3::from);
    let query = Query::vertex_face(with(-2.0), with(2.0));
    assert_eq!(solve("floating-cubic", Settings::default(), &query).outcome, Outcome::Free);
    is_found_by_intervals(&query, 0.375);
}

#[test]
fn the_polynomials_of_a_small_separation_lose_their_roots() {
    let query = Query::from_coordinates(Kind::EdgeEdge, &CLOTH);
    let settings = |separation| Settings { separation, metric: Metric::Euclidean, ..Settings::default() };
    assert_eq!(solve("separation-polynomial", settings(1e-8), &query).outcome, Outcome::Free);
    // With a greater one the roots are far enough apart.
    assert!(solve("separation-polynomial", settings(1e-6), &query).outcome.is_impact());
    is_found_by_intervals(&query, 0.957_706_433_013_922_1);
}
