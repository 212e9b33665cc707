//! Chains.

use crate::workbench::{GRAVITY, ghost, ghost_at, world};
use drystone_engine::{BodyHandle, JointHandle, NewJoint, Pose, World};
use glam::{DQuat, DVec3};

/// The pose of a link from one point to another, in the plane z = 0.
fn between(from: DVec3, to: DVec3) -> Pose {
    let way = to - from;
    Pose::from_parts(0.5 * (from + to), DQuat::from_rotation_z(way.y.atan2(way.x)))
}

/// Ties links in a row by hinges about z, the first and the last one to the world.
fn tie(world: &mut World, links: &[BodyHandle], points: &[DVec3]) -> Vec<JointHandle> {
    let ends = |k: usize| (k.checked_sub(1).map(|k| links[k]), links.get(k).copied());
    let mut joints = Vec::new();
    for (k, &point) in points.iter().enumerate() {
        let (before, after) = ends(k);
        let Some((a, b)) = after.map(|after| (before, after)).or(before.map(|before| (None, before))) else { continue };
        let joint = NewJoint::hinge(a, b, point, DVec3::Z, world).unwrap();
        joints.push(world.add_joint(joint).unwrap());
    }
    joints
}

/// A hundred links between two points come to rest on a catenary.
#[test]
fn a_hanging_chain_is_a_catenary() {
    let mut world = world(1.0 / 60.0);
    let (links, length, half_span): (usize, f64, f64) = (100, 10.0, 3.5);
    // From a V.
    let depth = (0.25 * length * length - half_span * half_span).sqrt();
    let point = |k: usize| {
        let x = k as f64 / links as f64 * 2.0 - 1.0;
        DVec3::new(x * half_span, -depth * (1.0 - x.abs()), 0.0)
    };
    let points: Vec<DVec3> = (0..=links).map(point).collect();
    let mass = 0.2;
    let moment = mass * (length / links as f64).powi(2) / 12.0;
    let bodies: Vec<BodyHandle> = points
        .windows(2)
        .map(|ends| ghost(&mut world, mass, DVec3::splat(moment), between(ends[0], ends[1])))
        .collect();
    tie(&mut world, &bodies, &points);
    world.settings_mut().step.forces.linear_damping = 3.0 * mass;
    for _ in 0..600 {
        world.step().unwrap();
    }
    // y = a cosh(x/a) + c with 2 a sinh(s/a) = length.
    let (mut low, mut high) = (0.01, 100.0);
    for _ in 0..200 {
        let a: f64 = 0.5 * (low + high);
        if 2.0 * a * (half_span / a).sinh() > length { low = a } else { high = a }
    }
    let a: f64 = low;
    let mut worst: f64 = 0.0;
    for &body in &bodies {
        let at = world.body(body).unwrap().pose().transform_point(DVec3::X * (0.5 * length / links as f64));
        let expected = a * (at.x / a).cosh() - a * (half_span / a).cosh();
        worst = worst.max((at.y - expected).abs());
    }
    println!("{worst} m");
    assert!(worst < 1e-3, "{worst} m");
}

/// A ball of 100 kg on a chain whose links have 10 g: the chain holds it, and it swings as a pendulum of its length does.
#[test]
fn a_light_chain_holds_a_heavy_ball() {
    let mut world = world(1.0 / 120.0);
    let (links, link) = (20, 0.05);
    let tilt = DVec3::new(f64::sin(0.2), -f64::cos(0.2), 0.0);
    let points: Vec<DVec3> = (0..=links).map(|k| tilt * (link * k as f64)).collect();
    let moments = DVec3::splat(0.01 * link * link / 12.0);
    let mut bodies: Vec<BodyHandle> =
        points.windows(2).map(|ends| ghost(&mut world, 0.01, moments, between(ends[0], ends[1]))).collect();
    bodies.push(ghost_at(&mut world, 100.0, DVec3::splat(1e-3), points[links]));
    let mut joints = Vec::new();
    for (k, &point) in points.iter().enumerate() {
        let joint = NewJoint::ball(k.checked_sub(1).map(|k| bodies[k]), bodies[k], point, &world).unwrap();
        joints.push(world.add_joint(joint).unwrap());
    }
    let ball = bodies[links];
    let (mut crossings, mut before, mut apart): (Vec<f64>, f64, f64) = (Vec::new(), 1.0, 0.0);
    let mut speeds = Vec::new();
    while crossings.len() < 5 {
        world.step().unwrap();
        let at = world.body(ball).unwrap().position;
        if before * at.x < 0.0 {
            crossings.push(world.time() - at.x / (at.x - before) / 120.0);
            let [force, _] = world.joint_reaction(joints[links]).unwrap();
            let expected = 100.0 * (GRAVITY + world.body(ball).unwrap().velocity.length_squared());
            speeds.push(world.body(ball).unwrap().velocity.length_squared());
            assert!((force.y / expected - 1.0).abs() < 1e-2, "{force} {expected}");
        }
        before = at.x;
        let end = world.body(bodies[links - 1]).unwrap().pose().transform_point(DVec3::X * (0.5 * link));
        apart = apart.max((end - at).length());
        assert!(world.time() < 10.0);
    }
    // θ₀ = 0.2, with the series in the amplitude.
    let period = std::f64::consts::TAU * (1.0 / GRAVITY).sqrt() * (1.0 + 0.04 / 16.0);
    let found = 0.5 * (crossings[4] - crossings[0]);
    let lost = 1.0 - speeds[4] / speeds[0];
    println!("{apart:e} m, {found} {period}, {lost} of the energy lost");
    assert!((0.0..0.1).contains(&lost), "{lost}");
    assert!(apart < 1e-9, "{apart}");
    assert!((found / period - 1.0).abs() < 2e-3, "{found} {period}");
}
