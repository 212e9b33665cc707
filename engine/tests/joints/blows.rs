//! Light limbs that are struck so hard that they turn far in a step.

use crate::workbench::{ghost_at, weightless, world};
use drystone_contact::split_mix::SplitMix;
use drystone_engine::{BodyHandle, NewJoint, World};
use glam::DVec3;

/// A trunk with an arm of two parts, along x, the last one of a tenth of the mass: a ball joint and a hinge with limits.
fn arm(world: &mut World) -> ([BodyHandle; 3], Vec<drystone_engine::JointHandle>) {
    let trunk = ghost_at(world, 40.0, DVec3::splat(2.0), DVec3::ZERO);
    let upper = ghost_at(world, 2.0, DVec3::new(0.002, 0.015, 0.015), DVec3::X * 0.3);
    let lower = ghost_at(world, 0.2, DVec3::new(2e-4, 1.5e-3, 1.5e-3), DVec3::X * 0.6);
    let ball = NewJoint::ball(Some(trunk), upper, DVec3::X * 0.15, world).unwrap();
    let hinge = NewJoint::hinge(Some(upper), lower, DVec3::X * 0.45, DVec3::Y, world).unwrap().with_limits(-2.2, 0.1);
    let joints = vec![world.add_joint(ball).unwrap(), world.add_joint(hinge).unwrap()];
    ([trunk, upper, lower], joints)
}

#[test]
fn joints_of_limbs_hold_under_blows() {
    let mut sequence = SplitMix::new(11);
    let mut worst: f64 = 0.0;
    for _ in 0..40 {
        let mut world = weightless(world(1.0 / 120.0));
        let (bodies, joints) = arm(&mut world);
        let mut unit = || 2.0 * sequence.next_fraction() - 1.0;
        let (force, place) =
            (DVec3::new(unit(), unit(), unit()), DVec3::new(0.15 * unit(), 0.05 * unit(), 0.05 * unit()));
        // Up to 4 N s: the limb turns by up to a radian in a substep.
        let point = world.body(bodies[2]).unwrap().position + place;
        world.apply_impulse_at(bodies[2], 4.0 * force, point).unwrap();
        let momentum = |world: &World| world.bodies().iter().map(|body| body.mass() * body.velocity).sum::<DVec3>();
        for _ in 0..60 {
            world.step().unwrap();
            for &joint in &joints {
                let [x, y, z, ..] = world.joint(joint).unwrap().coordinates();
                worst = worst.max(DVec3::new(x, y, z).length());
            }
        }
        assert!((momentum(&world) - 4.0 * force).length() < 1e-9, "{}", momentum(&world));
        let angle = world.joint(joints[1]).unwrap().coordinates()[3];
        assert!((-2.25..0.15).contains(&angle), "{angle}");
    }
    println!("{worst:e} m");
    assert!(worst < 1e-9, "{worst} m");
}
