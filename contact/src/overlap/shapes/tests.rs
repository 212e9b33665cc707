//! Primitives against Monte Carlo and against each other.

use super::*;
use crate::shape::sample::cuboid;
use crate::shape::{Surface, TetrahedralizationSettings};
use crate::split_mix::SplitMix;
use glam::DQuat;
use proptest::prelude::*;

fn shape(surface: &Surface) -> Shape {
    Shape::from_surface(surface, &TetrahedralizationSettings::default()).unwrap()
}

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-size..size).prop_map(DVec3::from)
}

fn pose(size: f64) -> impl Strategy<Value = Pose> {
    (vector(size), vector(3.0)).prop_map(|(t, r)| Pose::from_parts(t, DQuat::from_scaled_axis(r)))
}

fn semi_axes() -> impl Strategy<Value = DVec3> {
    prop_oneof![(0.3..1.0f64).prop_map(DVec3::splat), prop::array::uniform3(0.3..1.0f64).prop_map(DVec3::from)]
}

fn curved(axes: DVec3) -> Shape {
    if axes.x == axes.y && axes.y == axes.z {
        Ball::new(axes.x).unwrap().into()
    } else {
        Ellipsoid::new(axes).unwrap().into()
    }
}

fn in_ellipsoid(axes: DVec3, p: DVec3) -> bool {
    (p / axes).length_squared() < 1.0
}

/// How much of the box of half side 1 about the origin is inside both, m³, and a bound for the error of that.
fn monte_carlo(seed: u64, is_inside: impl Fn(DVec3) -> bool) -> (f64, f64) {
    let (mut random, n) = (SplitMix::new(seed), 40_000);
    let point = |random: &mut SplitMix| DVec3::from_array(std::array::from_fn(|_| random.next_between(-1.0, 1.0)));
    let share = (0..n).filter(|_| is_inside(point(&mut random))).count() as f64 / f64::from(n);
    (8.0 * share, 40.0 * (share.max(1e-4) / f64::from(n)).sqrt())
}

fn total(parts: &[Component]) -> f64 {
    parts.iter().map(|part| part.volume).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn volumes_are_those_of_monte_carlo(a in semi_axes(), b in semi_axes(), pose in pose(1.0), seed in any::<u64>()) {
        let inside_b = |p: DVec3| in_ellipsoid(b, pose.inverse_transform_point(p));
        let of = |a: &Shape, b: &Shape, pose: &Pose| total(&components(a, b, pose).unwrap());
        let whole = 4.0 / 3.0 * std::f64::consts::PI;
        let inscribed = 0.01 * whole * (a.element_product() + b.element_product());
        let (expected, error) = monte_carlo(seed, |p| in_ellipsoid(a, p) && inside_b(p));
        let found = of(&curved(a), &curved(b), &pose);
        prop_assert!(found < expected + error && found > expected - error - inscribed, "{found} {expected}");
        // The half-space above the plane through B's place, across its y.
        let (plane, half_space) = (pose.rotation * DVec3::Y, Shape::from(HalfSpace));
        let (expected, error) = monte_carlo(seed, |p| in_ellipsoid(a, p) && plane.dot(p - pose.translation) < 0.0);
        prop_assert!((of(&curved(a), &half_space, &pose) - expected).abs() < error);
        prop_assert!((of(&half_space, &curved(a), &pose.inverse()) - expected).abs() < error);
        // A box.
        let cube = shape(&cuboid(DVec3::ZERO, a));
        let in_box = |p: DVec3| p.abs().cmplt(a).all();
        let (expected, error) = monte_carlo(seed, |p| in_box(p) && inside_b(p));
        let found = of(&cube, &curved(b), &pose);
        prop_assert!(found < expected + error && found > expected - error - inscribed, "{found} {expected}");
        let (expected, error) = monte_carlo(seed, |p| in_box(p) && plane.dot(p - pose.translation) < 0.0);
        prop_assert!((of(&cube, &half_space, &pose) - expected).abs() < error);
    }

    /// Normals lead from A to B, and an exchange of the two turns them round.
    #[test]
    fn an_exchange_turns_normals_round(a in semi_axes(), b in semi_axes(), pose in pose(0.9)) {
        let cube = shape(&cuboid(DVec3::ZERO, a));
        let all = [curved(a), curved(b), cube, Shape::from(HalfSpace)];
        for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))).filter(|(i, j)| i + j < 6) {
            let (one, two) = (components(&all[i], &all[j], &pose).unwrap(), components(&all[j], &all[i], &pose.inverse()).unwrap());
            prop_assert_eq!(one.len(), two.len());
            for (x, y) in one.iter().zip(&two) {
                prop_assert!((x.area_vector + pose.rotation * y.area_vector).length() < 1e-9);
                prop_assert!((x.volume - y.volume).abs() < 1e-9);
                // Of many equal faces those are looked at that rounding makes the largest.
                prop_assert!((x.width - y.width).abs() < 0.01 * x.width);
                prop_assert!(x.width_normal.dot(x.area_vector) >= -1e-12);
            }
        }
    }

    /// A ball that is a little in the face of a box.
    #[test]
    fn the_depth_of_a_ball_in_a_face_is_exact(radius in 0.1..0.5f64, depth in 1e-9..1e-4f64, at in vector(0.4)) {
        let cube = shape(&cuboid(DVec3::ZERO, DVec3::ONE));
        let pose = |gap: f64| Pose::from_translation(DVec3::new(at.x, 1.0 + radius + gap, at.z));
        let parts = components(&cube, &curved(DVec3::splat(radius)), &pose(-depth)).unwrap();
        prop_assert_eq!(parts.len(), 1);
        prop_assert!((parts[0].width - depth).abs() < 1e-12);
        prop_assert!((parts[0].area_vector.normalize() - DVec3::Y).length() < 1e-6);
        prop_assert_eq!(components(&cube, &curved(DVec3::splat(radius)), &pose(1e-12)).unwrap(), []);
    }
}

#[test]
fn two_half_spaces_have_no_end() {
    let half_space = Shape::from(HalfSpace);
    let error = components(&half_space, &half_space, &Pose::IDENTITY).unwrap_err();
    assert_eq!(error, OverlapError::Unbounded { a: "half-space", b: "half-space" });
}

/// One of each kind that inscribed triangles stand in for, in the box of half side 1 about the origin.
fn with_lines() -> [Shape; 4] {
    use crate::shape::{Capsule, Cone, Cylinder, RoundedBox};
    [
        Capsule::new(0.4, 0.5).unwrap().into(),
        Cone::new(0.8, 1.2).unwrap().into(),
        Cylinder::new(0.6, 0.5).unwrap().into(),
        RoundedBox::new(DVec3::new(0.5, 0.4, 0.3), 0.2).unwrap().into(),
    ]
}

#[test]
fn volumes_of_capsules_cylinders_cones_and_rounded_boxes_are_those_of_monte_carlo() {
    let mut others = with_lines().to_vec();
    others.extend([curved(DVec3::splat(0.5)), curved(DVec3::new(0.6, 0.5, 0.4)), HalfSpace.into()]);
    let inside = |shape: &Shape, p: DVec3| shape.as_primitive().unwrap().closest(p).distance < 0.0;
    let mut random = SplitMix::new(3);
    for own in with_lines() {
        for other in &others {
            let offset = DVec3::from_array(std::array::from_fn(|_| random.next_between(-0.4, 0.4)));
            let pose = Pose::from_parts(offset, random.next_rotation());
            let (found, turned) =
                (total(&components(&own, other, &pose).unwrap()), components(other, &own, &pose.inverse()).unwrap());
            let is_inside = |p: DVec3| inside(&own, p) && inside(other, pose.inverse_transform_point(p));
            let (expected, error) = monte_carlo(9, is_inside);
            let kinds = (own.kind(), other.kind());
            assert!(found < expected + error && found > 0.98 * expected - error, "{kinds:?} {found} {expected}");
            assert!((total(&turned) - found).abs() < 1e-9 * found.max(1.0), "{kinds:?}");
            let parts = components(&own, other, &pose).unwrap();
            assert!(parts.iter().all(|part| part.vertices_of_a.is_empty() && part.vertices_of_b.is_empty()));
        }
    }
    // A cylinder that stands a little in a plane: as deep as that.
    let sunk = components(&HalfSpace.into(), &with_lines()[2], &Pose::from_translation(DVec3::Y * 0.49)).unwrap();
    assert!(sunk.len() == 1 && (sunk[0].width - 0.01).abs() < 1e-12, "{sunk:?}");
}
