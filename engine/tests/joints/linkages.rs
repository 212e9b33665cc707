//! Closed loops.

use crate::workbench::{ghost_at, weightless, world};
use drystone_engine::joint::Motor;
use drystone_engine::{BodyHandle, JointHandle, NewJoint, Pose, World};
use glam::{DQuat, DVec3};

/// Adds a bar from one point to another.
fn bar(world: &mut World, from: DVec3, to: DVec3, mass: f64) -> BodyHandle {
    let way = to - from;
    let length = way.length();
    let moment = mass * length * length / 12.0;
    let pose = Pose::from_parts(0.5 * (from + to), DQuat::from_rotation_arc(DVec3::X, way / length));
    crate::workbench::ghost(world, mass, DVec3::new(0.01 * moment, moment, moment), pose)
}

fn hinge(world: &mut World, a: Option<BodyHandle>, b: BodyHandle, point: DVec3) -> JointHandle {
    let joint = NewJoint::hinge(a, b, point, DVec3::Z, world).unwrap();
    world.add_joint(joint).unwrap()
}

/// A crank of 0.3 m that turns at a constant speed, a rod of 1 m, a piston along x: x = r cos φ + √(l² − r² sin² φ).
#[test]
fn a_slider_crank_is_where_it_should_be() {
    let mut world = world(1.0 / 120.0);
    let (r, l, speed) = (0.3, 1.0, 5.0);
    let crank = bar(&mut world, DVec3::ZERO, DVec3::X * r, 1.0);
    let rod = bar(&mut world, DVec3::X * r, DVec3::X * (r + l), 1.0);
    let piston = ghost_at(&mut world, 2.0, DVec3::splat(0.1), DVec3::X * (r + l));
    let drive = hinge(&mut world, None, crank, DVec3::ZERO);
    let motor = Motor::Velocity { target: speed, max_force: f64::INFINITY };
    world.joint_mut(drive).unwrap().set_motor(Some(motor)).unwrap();
    hinge(&mut world, Some(crank), rod, DVec3::X * r);
    hinge(&mut world, Some(rod), piston, DVec3::X * (r + l));
    let slider = NewJoint::slider(None, piston, DVec3::X, &world).unwrap();
    world.add_joint(slider).unwrap();
    for _ in 0..600 {
        world.step().unwrap();
        let angle = world.joint(drive).unwrap().coordinates()[3];
        let expected = r * angle.cos() + (l * l - (r * angle.sin()).powi(2)).sqrt();
        let found = world.body(piston).unwrap().position;
        assert!((found - DVec3::X * expected).length() < 1e-9, "{angle}: {found} {expected}");
    }
    let angle = world.joint(drive).unwrap().coordinates()[3];
    assert!((angle / (speed * world.time()) - 1.0).abs() < 1e-9, "{angle}");
}

/// Four bars in a closed loop, two more equations than freedoms in space: it turns for 10⁵ steps (10⁴ by default) and stays closed.
#[test]
fn a_four_bar_linkage_stays_closed() {
    let mut world = weightless(world(1.0 / 60.0));
    // A crank of 1 m, a coupler of 3 m, a rocker of 2.5 m, the ground 3 m: the crank goes round (Grashof).
    let [o, c] = [DVec3::ZERO, DVec3::X * 3.0];
    let a = DVec3::Y;
    let way = c - a;
    let d = way.length();
    let along = (d * d + 9.0 - 6.25) / (2.0 * d);
    let across = (9.0 - along * along).sqrt();
    let b = a + way / d * along + DVec3::Z.cross(way / d) * across;
    let crank = bar(&mut world, o, a, 1.0);
    let coupler = bar(&mut world, a, b, 2.0);
    let rocker = bar(&mut world, b, c, 2.0);
    let drive = hinge(&mut world, None, crank, o);
    hinge(&mut world, Some(crank), coupler, a);
    hinge(&mut world, Some(coupler), rocker, b);
    hinge(&mut world, None, rocker, c);
    let motor = Motor::Velocity { target: 3.0, max_force: 1000.0 };
    world.joint_mut(drive).unwrap().set_motor(Some(motor)).unwrap();
    let ends = [(crank, 0.5), (coupler, -1.5), (coupler, 1.5), (rocker, -1.25), (rocker, 1.25), (crank, -0.5)];
    let (mut worst, mut across, mut most): (f64, f64, f64) = (0.0, 0.0, 0.0);
    for _ in 0..crate::steps(100_000) {
        world.step().unwrap();
        let at = ends.map(|(body, x)| world.body(body).unwrap().pose().transform_point(DVec3::X * x));
        let gaps = [at[1] - at[0], at[3] - at[2], at[4] - c, at[5] - o];
        worst = gaps.iter().fold(worst, |worst, gap| worst.max(gap.length()));
        // The equations that are too many bear next to nothing: forces are in the plane.
        for (_, joint) in world.joints() {
            let [force, torque] = joint.reaction();
            across = across.max(force.z.abs()).max(torque.x.abs()).max(torque.y.abs());
            most = most.max(force.length());
        }
    }
    let turns = world.joint(drive).unwrap().coordinates()[3] / std::f64::consts::TAU;
    println!("{worst:e} m after {turns} turns, {across:e} N across the plane, {most} N in it");
    assert!(across < 1e-2 * most, "{across} {most} N");
    assert!(worst < 1e-6, "{worst} m");
    assert!((turns * std::f64::consts::TAU / (3.0 * world.time()) - 1.0).abs() < 1e-3, "{turns}");
}
