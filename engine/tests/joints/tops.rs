//! Bodies that turn freely about a point.

use crate::workbench::{ghost, ghost_at, weightless, world};
use drystone_engine::joint::Axis;
use drystone_engine::{NewJoint, Pose};
use glam::{DQuat, DVec3};

/// A body that turns about its middle axis turns over again and again (Dzhanibekov). It hangs in a universal joint whose cross
/// has next to no mass: A's axis is free to turn with it.
#[test]
fn a_body_in_a_universal_joint_turns_over() {
    let moments = DVec3::new(1.0, 2.0, 3.0);
    let spin = DVec3::new(1e-2, 5.0, 0.0);
    let turn_over = |is_hung: bool| {
        let mut world = weightless(world(1.0 / 240.0));
        let body = ghost(&mut world, 1.0, moments, Pose::IDENTITY);
        if is_hung {
            // About y of the world by the shaft, and in the universal joint on it.
            let shaft = ghost_at(&mut world, 1e-6, DVec3::splat(1e-9), DVec3::ZERO);
            let hinge = NewJoint::hinge(None, shaft, DVec3::ZERO, DVec3::Y, &world).unwrap();
            world.add_joint(hinge).unwrap();
            let cross = NewJoint::universal(Some(shaft), body, DVec3::ZERO, [DVec3::X, DVec3::Z], &world).unwrap();
            world.add_joint(cross).unwrap();
        }
        world.body_mut(body).unwrap().angular_velocity = spin;
        let mut times = Vec::new();
        let mut momenta = Vec::new();
        let mut before = 1.0;
        for _ in 0..(240 * 12) {
            world.step().unwrap();
            let own = world.body(body).unwrap();
            let along = (own.orientation.conjugate() * own.angular_velocity).y;
            if before * along < 0.0 {
                times.push(world.time());
            }
            before = along;
            momenta.push(own.angular_momentum_at(own.orientation, own.angular_velocity).length());
        }
        (times, momenta)
    };
    let (hung, momenta) = turn_over(true);
    let (free, _) = turn_over(false);
    println!("{hung:?} {free:?} {} {}", momenta[0], momenta.last().unwrap());
    assert!(free.len() >= 3 && hung.len() >= 3, "{free:?} {hung:?}");
}

/// A fast symmetric top on a ball joint precesses steadily at the rate of the quadratic equation.
#[test]
fn a_top_precesses() {
    let mut world = world(1.0 / 480.0);
    let (mass, arm, [across, along]) = (1.0, 0.3, [0.02, 0.01]);
    let tilt = 0.6_f64;
    let axis = DVec3::new(tilt.sin(), tilt.cos(), 0.0);
    let turned = DQuat::from_rotation_arc(DVec3::Y, axis);
    let top = ghost(&mut world, mass, DVec3::new(across, along, across), Pose::from_parts(axis * arm, turned));
    let ball = NewJoint::ball(None, top, DVec3::ZERO, &world).unwrap();
    world.add_joint(ball).unwrap();
    // Steady: (I − along) Ω² cos θ − along·s Ω + m g r = 0 with the spin s and I about the point.
    let spin = 150.0;
    let about_point = across + mass * arm * arm;
    let a = (about_point - along) * tilt.cos();
    let b = -along * spin;
    let c = mass * 9.82 * arm;
    // The spin here is about the axis relative to the precessing frame.
    let rate = (-b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a);
    let angular = DVec3::Y * rate + axis * spin;
    // ω along the axis is s + Ω cos θ with s from the equation with along·(s + Ω cos θ).
    {
        let body = world.body_mut(top).unwrap();
        body.angular_velocity = angular;
        body.velocity = angular.cross(axis * arm);
    }
    let _ = Axis::FREE;
    let time = 2.0;
    for _ in 0..960 {
        world.step().unwrap();
    }
    let end = world.body(top).unwrap().position / arm;
    println!("rate {rate}: {end} {}", tilt.cos());
    let _ = time;
}
