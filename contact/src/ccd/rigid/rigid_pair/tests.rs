use super::super::NonlinearRigidMotion;
use super::*;
use crate::Pose;
use crate::ccd::mesh::Topology;
use glam::DQuat;
use proptest::prelude::*;

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-size..size).prop_map(DVec3::from)
}

const APART: Proximity = Proximity::Apart(7e-5);

const LIMITS: ToiLimits = ToiLimits { max_intervals: 4096, max_iterations: 20_000 };

fn motion() -> impl Strategy<Value = NonlinearRigidMotion> {
    let spin = prop_oneof![Just(DVec3::ZERO), vector(2.0), vector(30.0), vector(900.0)];
    (vector(3.0), vector(3.0), prop_oneof![vector(3.0), vector(400.0)], spin).prop_map(|(place, turn, velocity, w)| {
        let pose = Pose::from_parts(place, DQuat::from_scaled_axis(turn));
        NonlinearRigidMotion { pose, velocity, angular_velocity: w, duration: 0.01 }
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
    for gap in [1e-3, 3e-5, 1e-6, 1e-8, 1e-10, 1e-12] {
        for (side, expected) in [(-1e-3, 0.0), (0.3, 0.0), (0.3, 1.0)] {
            let motion = |place: DVec3, speed: f64| NonlinearRigidMotion {
                pose: Pose::from_translation(place),
                velocity: DVec3::X * speed,
                angular_velocity: DVec3::ZERO,
                duration: 0.01,
            };
            let speed = if expected == 0.0 { -1e3 } else { 1e3 };
            let a = RigidMesh::new(&topology, surface.vertices(), motion(DVec3::ZERO, 0.0));
            let b = RigidMesh::new(&topology, surface.vertices(), motion(DVec3::new(1.0 + gap, side, 0.0), speed));
            let pair = RigidPair { a, b, surfaces: [&surface, &surface] };
            let proximity = pair.proximity_at_start(7e-5, true);
            let Proximity::Apart(now) = proximity else { panic!("{gap} {side}: {proximity:?}") };
            assert!((now - gap.min(7e-5)).abs() < 1e-13, "{gap} {side}: {now}");
            let kept = 0.7 * now;
            let time = pair.time_of_impact(kept, &LIMITS).unwrap();
            if expected == 1.0 {
                assert_eq!(time, None, "{gap} {side}");
                continue;
            }
            let Some(time) = time else { panic!("{gap} {side}: free") };
            let left = gap - time * 10.0;
            assert!(left >= kept - 1e-13, "{gap} {side}: {left}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    /// The surfaces keep their distance at many times up to the time of impact, on their true paths.
    #[test]
    fn surfaces_keep_their_distance_up_to_the_time_of_impact(
        a in motion(),
        b in motion(),
        horizon in prop_oneof![Just(7e-6), 7e-5..0.035f64],
    ) {
        let surface = wedge();
        let topology = Topology::of_surface(&surface);
        let rigid = |motion: NonlinearRigidMotion| RigidMesh::new(&topology, surface.vertices(), motion);
        let pair = RigidPair { a: rigid(a), b: rigid(b), surfaces: [&surface, &surface] };
        let apart = |s: f64, horizon: f64| {
            let (p, q) = (pair.a.positions(s), pair.b.positions(s));
            let (p, q) = (frozen(&pair.a, &p).unwrap(), frozen(&pair.b, &q).unwrap());
            if surfaces_meet(&p, &q) { 0.0 } else { least_distance(&p, &q, horizon) }
        };
        let now = match pair.proximity_at_start(horizon, true) {
            Proximity::Apart(now) => now,
            proximity => {
                prop_assert!(proximity == Proximity::Overlapping && apart(0.0, horizon) == 0.0);
                return Ok(());
            }
        };
        prop_assert!(now > 0.0 && now == apart(0.0, horizon));
        let kept = 0.7 * now;
        let end = pair.time_of_impact(kept, &LIMITS).unwrap().unwrap_or(1.0);
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
fn surfaces_out_of_range_meet_at_once() {
    let surface = wedge();
    let topology = Topology::of_surface(&surface);
    let still = NonlinearRigidMotion { duration: 1.0, ..NonlinearRigidMotion::still(Pose::IDENTITY) };
    for far in [1e71, 1e300, f64::INFINITY, f64::NAN] {
        let moved = NonlinearRigidMotion { pose: Pose::from_parts(DVec3::X * far, DQuat::IDENTITY), ..still };
        let moves = NonlinearRigidMotion { velocity: DVec3::X * far, ..still };
        for (other, starts_out_of_range) in [(moved, true), (moves, false)] {
            let rigid = |motion| RigidMesh::new(&topology, surface.vertices(), motion);
            let pair = RigidPair { a: rigid(still), b: rigid(other), surfaces: [&surface, &surface] };
            let is_out_of_range = pair.proximity_at_start(7e-5, false) == Proximity::OutOfRange;
            assert_eq!(is_out_of_range, starts_out_of_range, "{far}");
            assert_eq!(pair.time_of_impact(5e-5, &LIMITS).unwrap(), Some(0.0), "{far}");
            assert_eq!(pair.apart_at(1e-5, 1.0), 0.0, "{far}");
        }
    }
}

#[test]
fn queries_with_bad_settings_are_refused() {
    let surface = wedge();
    let topology = Topology::of_surface(&surface);
    let rigid = |speed| {
        let motion = NonlinearRigidMotion { duration: 1.0, ..NonlinearRigidMotion::still(Pose::IDENTITY) };
        let motion = NonlinearRigidMotion { velocity: DVec3::X * speed, ..motion };
        RigidMesh::new(&topology, surface.vertices(), motion)
    };
    let pair = RigidPair { a: rigid(0.0), b: rigid(1.0), surfaces: [&surface, &surface] };
    assert!(pair.time_of_impact(1e-4, &ToiLimits { max_iterations: 0, ..LIMITS }).is_err());
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
    for (two, expected) in
        [(two(near, far), Proximity::Overlapping), (two(far, near), Proximity::Overlapping), (two(far, -far), APART)]
    {
        let topologies = [Topology::of_surface(&two), Topology::of_surface(&large)];
        let at = |position| NonlinearRigidMotion::still(Pose::from_translation(position));
        let a = RigidMesh::new(&topologies[0], two.vertices(), at(centre));
        let b = RigidMesh::new(&topologies[1], large.vertices(), at(DVec3::ZERO));
        let pair = RigidPair { a, b, surfaces: [&two, &large] };
        assert_eq!(pair.proximity_at_start(7e-5, true), expected);
        let swapped = RigidPair { a: b, b: a, surfaces: [&large, &two] };
        assert_eq!(swapped.proximity_at_start(7e-5, true), expected);
        assert_eq!(swapped.proximity_at_start(7e-5, false), APART, "the surfaces are apart");
    }
}

#[test]
fn a_time_at_which_surfaces_are_apart_is_halved_until_there_is_one() {
    let surface = cube();
    let topology = Topology::of_surface(&surface);
    // One cube goes to the other and through it.
    let motion = |position: DVec3, velocity: DVec3| {
        let still = NonlinearRigidMotion::still(Pose::from_translation(position));
        RigidMesh::new(&topology, surface.vertices(), NonlinearRigidMotion { velocity, duration: 1.0, ..still })
    };
    let pair = |speed: f64| RigidPair {
        a: motion(DVec3::ZERO, DVec3::ZERO),
        b: motion(DVec3::new(2.0, 0.3, 0.2), DVec3::X * speed),
        surfaces: [&surface, &surface],
    };
    assert_eq!(pair(1.0).apart_at(1.0, 1.0), 1.0);
    assert_eq!(pair(-1.0).apart_at(1.0, 0.75), 0.0, "nearer at all times");
    assert_eq!(pair(-1.0).apart_at(0.7, 1.0), 0.25);
}
