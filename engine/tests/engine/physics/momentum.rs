//! Bodies that collide in free space keep their momentum, and what of their angular momentum.
//!
//! The impulses of a contact act on both bodies at one point, against each other: every solve keeps both sums to rounding. Free
//! flight keeps them too, but for the direction of the angular momentum of a body whose moments differ (see
//! `free_rotation`). Post-stabilisation moves bodies without changing velocities: it keeps the common centre of mass, hence
//! all of the linear momentum, but not the angular momentum, which needs it to be switched off.

use super::free;
use crate::closed_forms::momentum::{Drift, SLAB, angular, drift, sizes, swarm};
use drystone_engine::gyroscopic::free_change;
use drystone_engine::stepper::detection_poses;
use drystone_engine::{Body, Pose, WorldSettings};
use glam::DVec3;

/// Cubes have equal moments: both momenta are kept through flight, collisions, friction and pre-stabilisation.
#[test]
fn cubes_keep_both_momenta() {
    for restitution in [0.0, 0.6] {
        let mut bench = swarm(WorldSettings { post_stabilisation: None, ..free() }, DVec3::ONE, restitution);
        let Drift { linear, angular, contacts, .. } = drift(&mut bench.world, 300);
        println!(
            "colliding cubes, e = {restitution}, {contacts} contacts: momentum {linear:.1e}, angular {angular:.1e}"
        );
        assert!(contacts > 50 && linear < 1e-12 && angular < 1e-12, "{contacts} {linear} {angular}");
    }
}

/// With post-stabilisation the linear momentum is kept to rounding; the angular one changes by the displacements times the
/// momenta of the bodies.
#[test]
fn post_stabilisation_keeps_the_linear_momentum() {
    let mut bench = swarm(free(), DVec3::ONE, 0.0);
    let Drift { linear, angular, contacts, .. } = drift(&mut bench.world, 300);
    println!(
        "colliding cubes with post-stabilisation, {contacts} contacts: momentum {linear:.1e}, angular {angular:.1e}"
    );
    assert!(contacts > 50 && linear < 1e-12 && angular < 1e-2, "{linear} {angular}");
}

/// Bodies with three different moments: what a solve keeps, at the poses where it is made, is exact. Over time the angular
/// momentum drifts by some part in a thousand, first order in Δt: the gyroscopic term in the middle of a step belongs to
/// the spin before it, and where a collision changes the spin the second half of the flight does not fit.
#[test]
fn slabs_keep_what_a_solve_keeps() {
    let mut drifts = Vec::new();
    for time_step in [0.01, 0.005] {
        let mut settings = WorldSettings { post_stabilisation: None, ..free() };
        settings.step.time_step = time_step;
        let mut bench = swarm(settings.clone(), SLAB, 0.3);
        let (mut worst, mut contacts) = (0.0f64, 0);
        let start = angular(bench.world.bodies());
        for _ in 0..(2.0 / time_step) as usize {
            let before = bench.world.bodies().to_vec();
            let poses = detection_poses(&before, &settings.step);
            contacts += bench.world.step().unwrap().contacts.len();
            // Both in the middle of the step: only velocities differ.
            let momentum = |bodies: &[Body], turned: bool| -> DVec3 {
                let one = |(body, pose): (&Body, &Pose)| {
                    let free = free_change(body.inertia(), pose.rotation, body.angular_velocity, time_step);
                    let spin = body.angular_velocity + if turned { free } else { DVec3::ZERO };
                    pose.translation.cross(body.velocity * body.mass()) + body.angular_momentum_at(pose.rotation, spin)
                };
                bodies.iter().zip(&poses).map(one).sum()
            };
            let change = momentum(bench.world.bodies(), false) - momentum(&before, true);
            worst = worst.max(change.length() / sizes(&before).1);
        }
        let drift = (angular(bench.world.bodies()) - start).length() / sizes(bench.world.bodies()).1;
        println!(
            "colliding slabs, Δt = {time_step} s, {contacts} contacts: a solve changes the angular momentum by {worst:.1e}, \
             2 s by {drift:.1e}"
        );
        assert!(contacts > 50 && worst < 1e-13, "{contacts} {worst}");
        drifts.push(drift);
    }
    assert!(drifts.iter().all(|&d| d < 1e-3), "{drifts:?}");
}
