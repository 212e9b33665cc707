use super::super::Motion;
use super::*;
use crate::body::Pose;
use drystone_contact::ccd::mesh::Topology;
use glam::DQuat;
use proptest::prelude::*;

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-size..size).prop_map(DVec3::from)
}

fn motion() -> impl Strategy<Value = Motion> {
    let spin = prop_oneof![Just(DVec3::ZERO), vector(2.0), vector(30.0), vector(900.0)];
    (vector(3.0), vector(3.0), prop_oneof![vector(3.0), vector(400.0)], spin).prop_map(|(place, turn, velocity, w)| {
        let pose = Pose::from_parts(place, DQuat::from_scaled_axis(turn));
        Motion { pose, velocity, angular_velocity: w, duration: 0.01 }
    })
}

/// A long flat tetrahedron.
fn wedge() -> Surface {
    let corners = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.1], [0.0, 0.2, -0.3], [0.0, 0.1, 0.4]].map(DVec3::from);
    Surface::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
        .or_else(|_| Surface::new(corners.to_vec(), vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]))
        .unwrap()
}

/// A cube of edge 1 whose faces all have their diagonals.
fn cube() -> Surface {
    let corners = (0..8).map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)));
    let squares = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
    Surface::new(corners.collect(), squares.into_iter().flat_map(halves).collect()).unwrap()
}

#[test]
fn aligned_cubes_keep_their_distance_however_near() {
    let surface = cube();
    let topology = Topology::of_surface(&surface);
    let limit = ImpactLimit::default();
    for gap in [1e-3, 3e-5, 1e-6, 1e-8, 1e-10, 1e-12] {
        for (side, expected) in [(-1e-3, 0.0), (0.3, 0.0), (0.3, 1.0)] {
            let motion = |place: DVec3, speed: f64| Motion {
                pose: Pose::from_translation(place),
                velocity: DVec3::X * speed,
                angular_velocity: DVec3::ZERO,
                duration: 0.01,
            };
            let speed = if expected == 0.0 { -1e3 } else { 1e3 };
            let a = Moving::new(&topology, surface.vertices(), motion(DVec3::ZERO, 0.0));
            let b = Moving::new(&topology, surface.vertices(), motion(DVec3::new(1.0 + gap, side, 0.0), speed));
            let approach = Approach { a, b, surfaces: [&surface, &surface], clearance: 1e-4 };
            let outcome = approach.limit(&limit, true);
            if expected == 1.0 {
                assert_eq!(outcome, Outcome::Free, "{gap} {side}");
                continue;
            }
            let Outcome::Impact(fraction) = outcome else { panic!("{gap} {side}: {outcome:?}") };
            let left = gap - fraction * 10.0;
            assert!(left >= limit.kept(1e-4, gap) - 1e-13, "{gap} {side}: {left}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    /// The bodies keep their distance at many times up to the limit, on their true paths.
    #[test]
    fn bodies_keep_their_distance_up_to_the_limit(
        a in motion(),
        b in motion(),
        clearance in prop_oneof![Just(1e-5), 1e-4..0.05f64],
    ) {
        let surface = wedge();
        let topology = Topology::of_surface(&surface);
        let moving = |motion: Motion| Moving::new(&topology, surface.vertices(), motion);
        let approach = Approach { a: moving(a), b: moving(b), surfaces: [&surface, &surface], clearance };
        let limit = ImpactLimit::default();
        let apart = |s: f64, horizon: f64| {
            let (p, q) = (approach.a.places(s), approach.b.places(s));
            let (p, q) = (mesh(&approach.a, &p, &p).unwrap(), mesh(&approach.b, &q, &q).unwrap());
            if surfaces_meet(&p, &q) { 0.0 } else { least_distance(&p, &q, horizon) }
        };
        let now = apart(0.0, limit.horizon(clearance));
        let end = match approach.limit(&limit, true) {
            Outcome::Overlapping => {
                prop_assert!(now == 0.0);
                return Ok(());
            }
            Outcome::Free => 1.0,
            Outcome::Impact(fraction) => fraction,
        };
        prop_assert!(now > 0.0);
        let kept = limit.kept(clearance, now);
        for k in 0..=200 {
            let there = apart(end * f64::from(k) / 200.0, 2.0 * kept);
            prop_assert!(there >= kept * (1.0 - 1e-9), "{there} {kept} at {k}, {end}");
        }
        if end < 1.0 {
            // Not for nothing: they are no farther apart than all shares allow.
            prop_assert!(apart(end, 2.0 * kept) <= 1.5 * kept, "{} {kept} {end}", apart(end, 2.0 * kept));
        }
    }
}

#[test]
fn bodies_whose_places_are_out_of_range_do_not_move() {
    let surface = wedge();
    let topology = Topology::of_surface(&surface);
    let still = Motion { pose: Pose::IDENTITY, velocity: DVec3::ZERO, angular_velocity: DVec3::ZERO, duration: 1.0 };
    let limit = ImpactLimit::default();
    for far in [1e71, 1e300, f64::INFINITY, f64::NAN] {
        let moved = Motion { pose: Pose::from_parts(DVec3::X * far, DQuat::IDENTITY), ..still };
        let moves = Motion { velocity: DVec3::X * far, ..still };
        for other in [moved, moves] {
            let moving = |motion| Moving::new(&topology, surface.vertices(), motion);
            let (a, b) = (moving(still), moving(other));
            let approach = Approach { a, b, surfaces: [&surface, &surface], clearance: 1e-4 };
            assert_eq!(approach.limit(&limit, false), Outcome::Impact(0.0), "{far}");
        }
    }
}

#[test]
fn a_component_inside_another_body_overlaps_it() {
    let small = wedge();
    let [near, far] = [DVec3::ZERO, DVec3::X * 50.0];
    let two = |first: DVec3, second: DVec3| {
        let places = small.vertices().iter().map(|&v| v + first);
        let corners = places.chain(small.vertices().iter().map(|&v| v + second)).collect();
        let again = small.triangles().iter().map(|t| t.map(|v| v + small.vertices().len() as u32));
        Surface::new(corners, small.triangles().iter().copied().chain(again).collect()).unwrap()
    };
    let large = Surface::new(small.vertices().iter().map(|&v| v * 20.0).collect(), small.triangles().to_vec()).unwrap();
    let centre = small.vertices().iter().sum::<DVec3>() * (19.0 / 4.0);
    for (pair, expected) in [
        (two(near, far), Outcome::Overlapping),
        (two(far, near), Outcome::Overlapping),
        (two(far, -far), Outcome::Free),
    ] {
        let topologies = [Topology::of_surface(&pair), Topology::of_surface(&large)];
        let motion = |place| Motion {
            pose: Pose::from_translation(place),
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            duration: 0.01,
        };
        let a = Moving::new(&topologies[0], pair.vertices(), motion(centre));
        let b = Moving::new(&topologies[1], large.vertices(), motion(DVec3::ZERO));
        let approach = Approach { a, b, surfaces: [&pair, &large], clearance: 1e-4 };
        assert_eq!(approach.limit(&ImpactLimit::default(), true), expected);
        let swapped = Approach { a: b, b: a, surfaces: [&large, &pair], clearance: 1e-4 };
        assert_eq!(swapped.limit(&ImpactLimit::default(), true), expected);
    }
}

#[test]
fn pairs_below_the_floor_part_or_stay() {
    let surface = wedge();
    let topology = Topology::of_surface(&surface);
    let limit = ImpactLimit::default();
    let high = surface.vertices().iter().map(|v| v.y).fold(f64::NEG_INFINITY, f64::max);
    for (speed, expected) in [(-1.0, Outcome::Impact(0.0)), (-1e-6, Outcome::Impact(0.0)), (1.0, Outcome::Free)] {
        // Turned upside down, tip over tip.
        let above = Pose::from_parts(DVec3::Y * (2.0 * high + 1e-6), DQuat::from_rotation_z(std::f64::consts::PI));
        let motion = |pose, velocity| Motion { pose, velocity, angular_velocity: DVec3::ZERO, duration: 0.01 };
        let moving = |motion| Moving::new(&topology, surface.vertices(), motion);
        let (a, b) = (motion(Pose::IDENTITY, DVec3::ZERO), motion(above, DVec3::Y * speed));
        let approach = Approach { a: moving(a), b: moving(b), surfaces: [&surface, &surface], clearance: 1e-4 };
        assert_eq!(approach.limit(&limit, true), expected, "{speed}");
    }
}
