use super::*;
use crate::Pose;
use glam::DQuat;
use proptest::prelude::*;

fn polyhedron((points, faces): &hull::PointsAndFaces) -> ConvexPolyhedron {
    ConvexPolyhedron::new(points, faces).unwrap()
}

fn shapes() -> Vec<ConvexPolyhedron> {
    let hull = solids::random_hull(60, 5).unwrap();
    [solids::cube(), solids::disk(), hull, solids::geodesic_sphere(4)].iter().map(polyhedron).collect()
}

/// The distance that brute force finds along a direction.
fn separation(a: &ConvexPolyhedron, b: &ConvexPolyhedron, relative_pose: &RelativePose, direction: DVec3) -> f64 {
    let high = a.vertices().iter().map(|v| direction.dot(*v)).fold(f64::NEG_INFINITY, f64::max);
    let low = b.vertices().iter().map(|v| direction.dot(relative_pose.point_of_b(*v))).fold(f64::INFINITY, f64::min);
    low - high
}

proptest! {
    /// A walk with one pair: the search alone, its proof, and its first steps from nothing.
    #[test]
    fn answers_do_not_depend_on_the_start(
        [own, other] in [0_usize..4, 0_usize..4],
        at in [-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64],
        axis in [-3.0..3.0_f64, -3.0..3.0_f64, -3.0..3.0_f64],
    ) {
        let shapes = shapes();
        let (a, b) = (&shapes[own], &shapes[other]);
        let rotation = DQuat::from_scaled_axis(DVec3::from_array(axis));
        let pose = Pose::from_parts(3.0 * DVec3::from_array(at), rotation);
        let relative_pose = RelativePose::new(&Pose::IDENTITY, &pose);
        let mut from_first = Pair::FIRST;
        let mut from_cold = Pair::cold(a, b, &relative_pose);
        let outcome = certified(a, b, &relative_pose, &mut from_first);
        match (outcome, closest(a, b, &relative_pose, &mut from_cold)) {
            (Outcome::Apart { closest, certificate, found_by }, Found::Apart(cold)) => {
                prop_assert_eq!((closest.pair, found_by), (from_first, FoundBy::Search));
                prop_assert!((closest.distance - cold.distance).abs() < 1e-14);
                prop_assert!(certificate.is_tight());
                prop_assert!(separation(a, b, &relative_pose, certificate.direction) > closest.distance - 1e-14);
                // The end is a fixed point, and certify says the same of it.
                let mut again = from_first;
                prop_assert_eq!(super::closest(a, b, &relative_pose, &mut again), Found::Apart(closest));
                prop_assert_eq!(certify(a, b, &relative_pose, &closest), certificate);
                // The other way round.
                let mut exchanged = from_first.exchanged();
                let Outcome::Apart { closest: there, .. } = certified(b, a, &relative_pose.exchanged(), &mut exchanged) else {
                    return Err(TestCaseError::fail("apart one way only"));
                };
                prop_assert_eq!(there.pair.exchanged(), closest.pair);
                prop_assert!((there.distance - closest.distance).abs() < 1e-14);
            }
            (Outcome::Overlapping { pair, witness, outside, .. }, Found::Intersecting(point)) => {
                prop_assert_eq!(pair, from_first);
                for common in [witness, point] {
                    prop_assert!(a.outermost_plane(common).1 < 1e-14);
                    prop_assert!(b.outermost_plane(relative_pose.point_of_a(common)).1 < 1e-14);
                }
                prop_assert!(outside < 1e-14);
            }
            different => prop_assert!(false, "{different:?}"),
        }
    }
}

#[test]
fn a_pair_of_other_polyhedra_is_no_start() {
    let cube = polyhedron(&solids::cube());
    let relative_pose = RelativePose::from_parts(glam::DMat3::IDENTITY, DVec3::new(3.0, 0.5, 0.5));
    let distance = |start: Pair| {
        let mut pair = start;
        let Found::Apart(closest) = closest(&cube, &cube, &relative_pose, &mut pair) else { panic!("they are apart") };
        assert_eq!(closest.pair, pair);
        closest.distance
    };
    for stale in [FeatureId::Vertex(8), FeatureId::Edge(12), FeatureId::Facet(6), FeatureId::Vertex(u32::MAX)] {
        assert_eq!(distance(Pair { a: stale, b: FeatureId::Vertex(0) }), 1.0);
        assert_eq!(distance(Pair { a: FeatureId::Edge(3), b: stale }), 1.0);
    }
    // Two faces are no state, but a start.
    for (f, g) in (0..6).flat_map(|f| (0..6).map(move |g| (f, g))) {
        assert_eq!(distance(Pair { a: FeatureId::Facet(f), b: FeatureId::Facet(g) }), 1.0);
    }
}

/// The lines of two edges cross where their directions say, if these say anything.
#[test]
fn closest_points_of_nearly_parallel_edges_are_side_by_side() {
    let cube = polyhedron(&solids::cube());
    for exponent in 0..40 {
        let angle = libm::exp(-f64::from(exponent));
        // An edge of B over the edge of A along x at y = z = 1, half beyond its end.
        let tilt = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
        let a = Pose::from_parts(tilt * DVec3::new(0.0, -1.0, -1.0), tilt);
        let turned = DQuat::from_rotation_z(angle) * tilt;
        let b = Pose::from_parts(DVec3::new(1.0, 0.0, 1e-3) - turned * DVec3::new(0.0, -1.0, -1.0), turned);
        let relative_pose = RelativePose::new(&a, &b);
        let mut pair = Pair::FIRST;
        let Outcome::Apart { closest, certificate, .. } = certified(&cube, &cube, &relative_pose, &mut pair) else {
            panic!("{angle:e}: they are apart")
        };
        assert!((closest.distance - 1e-3).abs() < 1e-14, "{angle:e}: {closest:?}");
        assert!(certificate.is_tight(), "{angle:e}: {certificate:?}");
    }
}
