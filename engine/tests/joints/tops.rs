//! Bodies that turn freely about a point.

use crate::workbench::{ghost, ghost_at, weightless, world};
use drystone_engine::{NewJoint, Pose};
use glam::{DQuat, DVec3};

/// When a free body turns over: the zeros of its spin about y, by Runge–Kutta steps of Euler's equations.
fn turns_over(moments: DVec3, spin: DVec3, duration: f64) -> Vec<f64> {
    let rate = |w: DVec3| -(w.cross(moments * w)) / moments;
    let (steps, mut spin, mut times) = (100_000, spin, Vec::new());
    let dt = duration / f64::from(steps);
    for k in 0..steps {
        let before = spin.y;
        let a = rate(spin);
        let b = rate(spin + a * (0.5 * dt));
        let c = rate(spin + b * (0.5 * dt));
        let d = rate(spin + c * dt);
        spin += (a + (b + c) * 2.0 + d) * (dt / 6.0);
        if before * spin.y < 0.0 {
            times.push(dt * (f64::from(k) + before / (before - spin.y)));
        }
    }
    times
}

/// A body that turns about its middle axis turns over again and again (Dzhanibekov). It hangs on a shaft by a universal joint; the
/// shaft has next to no mass and turns freely.
#[test]
fn a_body_in_a_universal_joint_turns_over() {
    let (moments, spin) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(1e-2, 5.0, 0.0));
    let time_step = 1.0 / 240.0;
    let mut world = weightless(world(time_step));
    let body = ghost(&mut world, 1.0, moments, Pose::IDENTITY);
    let shaft = ghost_at(&mut world, 1e-6, DVec3::splat(1e-9), DVec3::ZERO);
    let hinge = NewJoint::hinge(None, shaft, DVec3::ZERO, DVec3::Y, &world).unwrap();
    world.add_joint(hinge).unwrap();
    let cross = NewJoint::universal(Some(shaft), body, DVec3::ZERO, [DVec3::X, DVec3::Z], &world).unwrap();
    world.add_joint(cross).unwrap();
    world.body_mut(body).unwrap().angular_velocity = spin;
    let momentum = |world: &drystone_engine::World| {
        let own = world.body(body).unwrap();
        own.angular_momentum_at(own.orientation, own.angular_velocity)
    };
    let start = momentum(&world);
    let (mut times, mut before) = (Vec::new(), 1.0);
    while world.time() < 12.0 {
        world.step().unwrap();
        let own = world.body(body).unwrap();
        let along = (own.orientation.conjugate() * own.angular_velocity).y;
        if before * along < 0.0 {
            times.push(world.time() - time_step * along / (along - before));
        }
        before = along;
        assert!((momentum(&world) - start).length() < 1e-4 * start.length());
    }
    let expected = turns_over(moments, spin, 12.0);
    println!("{times:?} {expected:?}");
    assert_eq!(times.len(), expected.len());
    for (own, expected) in times.iter().zip(&expected) {
        assert!((own / expected - 1.0).abs() < 5e-3, "{times:?} {expected:?}");
    }
}

/// A symmetric top on a ball joint that precesses steadily: with the spin n about its axis, the moments A about the point across the
/// axis and C along it, the rate Ω obeys A Ω² cos θ − C n Ω + m g r = 0.
#[test]
fn a_top_precesses() {
    let mut world = world(1.0 / 240.0);
    let (mass, arm, [across, along], tilt) = (1.0, 0.3, [0.02, 0.01], 0.6_f64);
    let axis = DVec3::new(tilt.sin(), tilt.cos(), 0.0);
    let turned = DQuat::from_rotation_arc(DVec3::Y, axis);
    let moments = DVec3::new(across, along, across);
    let top = ghost(&mut world, mass, moments, Pose::from_parts(axis * arm, turned));
    let ball = NewJoint::ball(None, top, DVec3::ZERO, &world).unwrap();
    world.add_joint(ball).unwrap();
    let spin = 150.0;
    let (a, b, c) = ((across + mass * arm * arm) * tilt.cos(), along * spin, mass * 9.82 * arm);
    let rate = (b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a);
    // The component along the axis is n, the rest that of the precession.
    let angular = DVec3::Y * rate + axis * (spin - rate * tilt.cos());
    let body = world.body_mut(top).unwrap();
    (body.angular_velocity, body.velocity) = (angular, angular.cross(axis * arm));
    for step in 1..=480 {
        world.step().unwrap();
        let position = world.body(top).unwrap().position / arm;
        let angle = rate * f64::from(step) / 240.0;
        let expected = DVec3::new(tilt.sin() * angle.cos(), tilt.cos(), -tilt.sin() * angle.sin());
        assert!((position - expected).length() < 5e-3, "{step}: {position} {expected}");
    }
}
