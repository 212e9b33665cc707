//! Primitives against oracles that share no code with them: sums over tessellations, sampled points, symmetry.

use super::*;
use crate::shape::Surface;
use glam::{DMat3, DQuat};
use proptest::prelude::*;

const SEED: u64 = 0x00d5_707e;

fn config(cases: u32) -> ProptestConfig {
    use proptest::test_runner::RngSeed;
    ProptestConfig { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(SEED), ..ProptestConfig::default() }
}

fn semi_axes() -> impl Strategy<Value = DVec3> {
    let axis = prop_oneof![0.05..4.0_f64, Just(1.0), Just(0.5)];
    [axis.clone(), axis.clone(), axis].prop_map(DVec3::from_array)
}

fn point(size: f64) -> impl Strategy<Value = DVec3> {
    let coordinate = prop_oneof![-size..size, Just(0.0)];
    [coordinate.clone(), coordinate.clone(), coordinate].prop_map(DVec3::from_array)
}

/// Directions all around, by the golden angle.
fn directions(count: u32) -> impl Iterator<Item = DVec3> {
    (0..count).map(move |k| {
        let y = 1.0 - 2.0 * (f64::from(k) + 0.5) / f64::from(count);
        let (s, c) = libm::sincos(2.399_963_229_728_653 * f64::from(k));
        let r = (1.0 - y * y).sqrt();
        DVec3::new(r * c, y, r * s)
    })
}

/// One of every kind but the half-space.
fn with_an_end() -> [(&'static str, Vec<f64>); 6] {
    [
        ("ball", vec![0.7]),
        ("capsule", vec![0.3, 0.5]),
        ("cone", vec![0.6, 0.9]),
        ("cylinder", vec![0.4, 0.7]),
        ("ellipsoid", vec![0.5, 1.5, 2.0]),
        ("rounded-box", vec![0.5, 0.3, 0.7, 0.2]),
    ]
}

/// Mass properties against the sum over a grid of cells whose middles are inside by the signed distance.
#[test]
fn mass_properties_are_those_of_a_grid() {
    for (name, dimensions) in with_an_end() {
        let shape = primitive(name, &dimensions).unwrap();
        let (solid, (low, high)) = (shape.as_primitive().unwrap(), shape.bounds_at(&Pose::IDENTITY));
        let (count, size) = (60, high - low);
        let mut sums = [0.0; 4];
        for k in 0..count * count * count {
            let cell = DVec3::new(f64::from(k % count), f64::from(k / count % count), f64::from(k / count / count));
            let at = low + size * (cell + 0.5) / f64::from(count);
            if solid.closest(at).distance <= 0.0 {
                sums[3] += 1.0;
                (0..3).for_each(|i| sums[i] += at.length_squared() - at[i] * at[i]);
            }
        }
        let cell = size.element_product() / f64::from(count).powi(3);
        let mass = shape.mass_properties(1.0).unwrap();
        assert!((sums[3] * cell / mass.volume - 1.0).abs() < 5e-3, "{name} {} {}", sums[3] * cell, mass.volume);
        for (axis, sum) in sums[..3].iter().enumerate() {
            let ratio = sum * cell / mass.inertia.col(axis)[axis];
            assert!((ratio - 1.0).abs() < 1e-2, "{name} {axis} {ratio}");
        }
        let body = shape.in_body_frame(2.0).unwrap();
        assert!((body.mass / mass.volume - 2.0).abs() < 1e-12 && body.frame == Pose::IDENTITY);
    }
}

/// The box touches the farthest points of the core along its axes, and the closest points of those outside are nearer than any
/// point of what is drawn, which is nowhere outside.
#[test]
fn bounds_and_closest_points_fit_what_is_drawn() {
    let mut random = crate::split_mix::SplitMix::new(SEED);
    let mut vector = |size: f64| DVec3::from_array(std::array::from_fn(|_| random.next_between(-size, size)));
    for (name, dimensions) in with_an_end() {
        let shape = primitive(name, &dimensions).unwrap();
        let (solid, Triangles { vertices, .. }) = (shape.as_primitive().unwrap(), shape.triangles());
        for vertex in &vertices {
            assert!(solid.closest(*vertex).distance.abs() < 1e-12, "{name} {vertex}");
        }
        let core = solid.core().unwrap();
        for _ in 0..100 {
            let pose = Pose::from_parts(vector(3.0), DQuat::from_scaled_axis(vector(3.0)));
            let (low, high) = solid.bounds_at(&pose);
            for axis in DVec3::AXES {
                let reach = |d: DVec3| {
                    let farthest = core.core.support(pose.rotation.inverse() * d);
                    pose.transform_point(farthest).dot(d) + core.radius
                };
                assert!((reach(axis) - high.dot(axis)).abs() < 1e-12, "{name}");
                assert!((-reach(-axis) - low.dot(axis)).abs() < 1e-12, "{name}");
            }
            let point = vector(2.0);
            let on = solid.closest(point);
            assert!(solid.closest(on.position).distance.abs() < 1e-9, "{name} {point} {on:?}");
            assert!((on.position + on.normal * on.distance).distance(point) < 1e-9, "{name} {point} {on:?}");
            let nearest = vertices.iter().map(|v| v.distance(point)).fold(f64::INFINITY, f64::min);
            assert!(nearest >= on.distance.abs() - 1e-9 && nearest < on.distance.abs() + 0.7, "{name} {point} {on:?}");
            let reach = on.normal.dot(core.core.support(on.normal)) + core.radius;
            assert!(on.distance < 0.0 || (reach - on.normal.dot(on.position)).abs() < 1e-9, "{name} {point} {on:?}");
        }
    }
}

#[test]
fn what_is_drawn_is_closed_and_has_about_the_volume() {
    for (name, dimensions) in with_an_end() {
        let shape = primitive(name, &dimensions).unwrap();
        let Triangles { vertices, triangles } = shape.triangles();
        let surface = Surface::new(vertices, triangles).unwrap();
        let (drawn, exact) = (MassProperties::of_surface(&surface, 3.0).unwrap(), shape.mass_properties(3.0).unwrap());
        assert!((drawn.mass / exact.mass - 1.0).abs() < 0.02, "{name}");
        assert!(drawn.centre.length() < 1e-12);
        for axis in 0..3 {
            let ratio = drawn.inertia.col(axis)[axis] / exact.inertia.col(axis)[axis];
            assert!((ratio - 1.0).abs() < 0.03, "{name}: {ratio}");
        }
    }
}

#[test]
fn dimensions_are_checked_and_read_back() {
    for (name, dimensions) in with_an_end().into_iter().chain([("half-space", vec![])]) {
        let shape = primitive(name, &dimensions).unwrap();
        let read = shape.as_primitive().unwrap();
        assert_eq!((read.kind(), read.dimensions(), shape.kind()), (name, dimensions, name));
        assert_eq!(shape, primitive(read.kind(), &read.dimensions()).unwrap());
    }
    let error = |name: &str, dimensions: &[f64]| primitive(name, dimensions).unwrap_err().to_string();
    assert_eq!(
        error("torus", &[]),
        "no primitive is called \"torus\"; known are: ball, capsule, cone, cylinder, ellipsoid, half-space, rounded-box"
    );
    assert_eq!(error("ball", &[]), "a ball has 1 dimensions (radius), not 0");
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(error("ball", &[bad]).contains("it must be finite and above zero"));
        assert!(error("ellipsoid", &[1.0, bad, 1.0]).starts_with("the semi-axis of a ellipsoid"));
        assert!(error("cylinder", &[1.0, bad]).starts_with("the half height of a cylinder"));
        assert!(error("rounded-box", &[1.0, 1.0, 1.0, bad]).starts_with("the radius of a rounded-box"));
    }
    assert!(primitive("half-space", &[]).unwrap().mass_properties(1.0).is_err());
}

#[test]
fn a_half_space_ends_in_one_direction() {
    let shape = primitive("half-space", &[]).unwrap();
    let (low, high) = shape.bounds_at(&Pose::from_translation(DVec3::Y * 3.0));
    assert_eq!((low, high), (DVec3::NEG_INFINITY, DVec3::new(f64::INFINITY, 3.0, f64::INFINITY)));
    let quarter = Pose::from_parts(DVec3::X, DQuat::from_rotation_z(0.3));
    assert_eq!(shape.bounds_at(&quarter), (DVec3::NEG_INFINITY, DVec3::INFINITY));
    let on = HalfSpace.closest(DVec3::new(1.0, -2.0, 3.0));
    assert_eq!((on.position, on.normal, on.distance), (DVec3::new(1.0, 0.0, 3.0), DVec3::Y, -2.0));
}

proptest! {
    #![proptest_config(config(2_000))]

    /// The point is on the surface, its normal is that of the surface and points to the other point, and no sampled point of
    /// the surface is closer.
    #[test]
    fn the_closest_point_of_an_ellipsoid(axes in semi_axes(), p in point(5.0)) {
        let ellipsoid = Ellipsoid::new(axes).unwrap();
        let on = ellipsoid.closest(p);
        let value = |x: DVec3| (x / axes).length_squared();
        prop_assert!((value(on.position) - 1.0).abs() < 1e-9, "off by {}", value(on.position) - 1.0);
        let gradient = (on.position / (axes * axes)).normalize();
        prop_assert!(gradient.dot(on.normal) > 1.0 - 1e-12);
        let way = p - on.position;
        prop_assert!((way.length() - on.distance.abs()).abs() <= 1e-12 * p.length().max(1.0));
        prop_assert!((value(p) < 1.0) == (on.distance < 0.0) || on.distance.abs() < 1e-9);
        if on.distance.abs() > 1e-6 {
            let along = way.normalize() * on.distance.signum();
            prop_assert!(along.distance(on.normal) < 1e-5, "{along} {}", on.normal);
        }
        for direction in directions(300) {
            let other = direction / (direction / axes).length();
            prop_assert!(other.distance(p) >= on.distance.abs() - 1e-9);
        }
    }

    /// The farthest point is on the surface, where the normal is the direction; the box touches those along the axes.
    #[test]
    fn farthest_points_and_boxes(axes in semi_axes(), towards in point(1.0), turn in point(3.0), at in point(3.0)) {
        let ellipsoid = Ellipsoid::new(axes).unwrap();
        let Some(towards) = towards.try_normalize() else { return Ok(()) };
        let far = ellipsoid.support(towards).unwrap();
        prop_assert!(((far / axes).length_squared() - 1.0).abs() < 1e-12);
        prop_assert!((far / (axes * axes)).normalize().distance(towards) < 1e-9);
        let pose = Pose::from_parts(at, DQuat::from_scaled_axis(turn));
        let (low, high) = ellipsoid.bounds_at(&pose);
        let back = DMat3::from_quat(pose.rotation).transpose();
        for (axis, unit) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
            let top = pose.transform_point(ellipsoid.support(back * unit).unwrap());
            let bottom = pose.transform_point(ellipsoid.support(back * -unit).unwrap());
            prop_assert!((top[axis] - high[axis]).abs() < 1e-12 && (bottom[axis] - low[axis]).abs() < 1e-12);
        }
    }

    #[test]
    fn an_ellipsoid_with_equal_axes_is_a_ball(radius in 0.1..3.0_f64, p in point(4.0)) {
        let (ball, round) = (Ball::new(radius).unwrap(), Ellipsoid::new(DVec3::splat(radius)).unwrap());
        let (one, other) = (ball.closest(p), round.closest(p));
        prop_assert!((one.distance - other.distance).abs() < 1e-12);
        if p.length() > 1e-9 {
            prop_assert!(one.position.distance(other.position) < 1e-9);
        }
        prop_assert_eq!(ball.bounds_at(&Pose::IDENTITY), round.bounds_at(&Pose::IDENTITY));
    }
}
