//! Joints by their handles: what is refused, and what is removed with what.

use crate::workbench::{ghost_at, world};
use drystone_engine::joint::{Axis, JointError, Motor};
use drystone_engine::simulator::Simulator;
use drystone_engine::solver::{ContactSolver, SvdSettings};
use drystone_engine::{CcdSettings, WorldSettings};
use drystone_engine::{JointKind, MaterialId, NewJoint, Pose, Solid, WorldError};
use glam::DVec3;

#[test]
fn what_is_no_joint_is_refused() {
    let mut world = world(0.01);
    let [a, b] = [DVec3::ZERO, DVec3::X].map(|at| ghost_at(&mut world, 1.0, DVec3::ONE, at));
    let floor = Solid::cuboid(DVec3::ONE, 1.0).unwrap();
    let floor = world.add(floor.fixed(MaterialId::new(0), Pose::from_translation(DVec3::Y * -5.0)).unwrap()).unwrap();
    let ball = || NewJoint::ball(Some(a), b, DVec3::ZERO, &world).unwrap();
    let refused = |new: NewJoint| {
        let mut copy = drystone_engine::World::from_snapshot(&world.snapshot(), &Default::default()).unwrap();
        copy.add_joint(new).unwrap_err()
    };
    let frames = [Pose::IDENTITY; 2];
    let new = |a, b| NewJoint::new(JointKind::Ball, a, b, frames, [Axis::FREE; 6]);
    assert_eq!(refused(new(Some(a), a)), WorldError::OneBody(a));
    assert_eq!(refused(new(None, floor)), WorldError::JointOfFixed(floor));
    let error = |source: JointError| WorldError::Joint { joint: None, source };
    assert!(matches!(
        refused(ball().with_limits(1.0, -1.0)),
        WorldError::Joint { source: JointError::Limits { axis: 3, .. }, .. }
    ));
    assert!(matches!(refused(ball().with_limits(f64::NAN, 1.0)), WorldError::Joint { .. }));
    assert!(matches!(refused(ball().with_friction(-1.0)), WorldError::Joint { .. }));
    let motor = Motor::Position { target: 0.0, stiffness: -1.0, damping: 0.0, max_force: 1.0 };
    assert_eq!(
        refused(ball().with_motor(motor)),
        error(JointError::Negative { axis: 3, quantity: "stiffness", value: -1.0 })
    );
    assert!(matches!(refused(ball().with_breaking(Some(f64::NAN), None)), WorldError::Joint { .. }));
    let nowhere = [Pose::from_translation(DVec3::NAN), Pose::IDENTITY];
    assert_eq!(
        refused(NewJoint::new(JointKind::Fixed, Some(a), b, nowhere, [Axis::LOCKED; 6])),
        error(JointError::Frame { name: "frame on A" })
    );
    let [first, second] = [a, b].map(|body| {
        let hinge = NewJoint::hinge(None, body, DVec3::ZERO, DVec3::Z, &world).unwrap();
        world.add_joint(hinge).unwrap()
    });
    assert_eq!(world.add_joint(NewJoint::gear(first, first, 1.0)), Err(WorldError::OneJoint(first)));
    assert!(matches!(world.add_joint(NewJoint::gear(first, second, 0.0)), Err(WorldError::Joint { .. })));
    assert!(matches!(
        world.add_joint(NewJoint::rack(first, second, 1.0)),
        Err(WorldError::Joint { source: JointError::Coupling { .. }, .. })
    ));
    let gear = world.add_joint(NewJoint::gear(first, second, 1.0)).unwrap();
    world.remove(a).unwrap();
    for handle in [first, gear] {
        assert_eq!(world.joint(handle).err(), Some(WorldError::StaleJoint(handle)));
        assert_eq!(world.remove_joint(handle).err(), Some(WorldError::StaleJoint(handle)));
    }
    assert_eq!(world.joints().count(), 1);
    world.joint_mut(second).unwrap().axes[3].friction = f64::NAN;
    assert!(matches!(world.step(), Err(WorldError::Joint { joint: Some(joint), .. }) if joint == second));
    world.joint_mut(second).unwrap().axes[3].friction = 0.0;
    world.step().unwrap();
}

/// Solvers without joints say so.
#[test]
fn other_solvers_refuse_joints() {
    let mut world = world(0.01);
    let body = ghost_at(&mut world, 1.0, DVec3::ONE, DVec3::ZERO);
    let ball = NewJoint::ball(None, body, DVec3::X, &world).unwrap();
    let ball = world.add_joint(ball).unwrap();
    world.settings_mut().step.contact_solver = ContactSolver::Svd(SvdSettings::STEPS);
    assert_eq!(world.step().err(), Some(WorldError::UnsupportedJoints));
    *world.settings_mut() = WorldSettings { ccd: Some(CcdSettings::default()), ..WorldSettings::gauss_seidel() };
    assert_eq!(world.step().err(), Some(WorldError::UnsupportedJoints));
    world.remove_joint(ball).unwrap();
    world.step().unwrap();
    assert_eq!(Simulator::handles(&world).len(), 1);
}

/// Two cubes that overlap are left alone while a joint ties them, and taken apart once it is gone.
#[test]
fn jointed_bodies_do_not_collide() {
    let mut world = crate::workbench::weightless(world(0.01));
    let cube = Solid::cuboid(DVec3::ONE, 100.0).unwrap();
    let [a, b] = [0.0, 0.9]
        .map(|x| world.add(cube.dynamic(MaterialId::new(0), Pose::from_translation(DVec3::X * x)).unwrap()).unwrap());
    let slider = NewJoint::slider(Some(a), b, DVec3::X, &world).unwrap();
    let slider = world.add_joint(slider).unwrap();
    let apart = |world: &drystone_engine::World| world.body(b).unwrap().position.x - world.body(a).unwrap().position.x;
    for _ in 0..20 {
        assert!(world.step().unwrap().contacts.is_empty());
    }
    assert!((apart(&world) - 0.9).abs() < 1e-12);
    world.remove_joint(slider).unwrap();
    for _ in 0..100 {
        world.step().unwrap();
    }
    assert!(apart(&world) > 0.99, "{}", apart(&world));
}
