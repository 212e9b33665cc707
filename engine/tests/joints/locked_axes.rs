//! Axes of the world that a body does not move along or about.

use crate::workbench::{GRAVITY, ghost, ghost_at, world};
use drystone_engine::{Pose, WorldError};
use glam::{DQuat, DVec3};

#[test]
fn a_body_moves_along_free_axes_alone() {
    let mut world = world(1.0 / 60.0);
    let body = ghost_at(&mut world, 2.0, DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.3, 0.0, -1.0));
    world.lock_axes(body, [true, false, false], [true, false, true]).unwrap();
    assert_eq!(world.locked_axes(body).unwrap(), [[true, false, false], [true, false, true]]);
    for _ in 0..60 {
        world.apply_force(body, DVec3::new(7.0, 0.0, 3.0)).unwrap();
        world.apply_torque(body, DVec3::new(5.0, 4.0, -3.0)).unwrap();
        world.step().unwrap();
    }
    let own = world.body(body).unwrap();
    assert!((own.position.x - 0.3).abs() < 1e-12 && own.velocity.x.abs() < 1e-12, "{own:?}");
    assert!((own.velocity - DVec3::new(0.0, -GRAVITY, 1.5)).length() < 1e-9, "{own:?}");
    assert!((own.angular_velocity - DVec3::Y * 2.0).length() < 1e-9, "{own:?}");
    let turned = own.orientation.xyz();
    assert!(turned.x.abs() < 1e-12 && turned.z.abs() < 1e-12, "{turned}");
    world.lock_axes(body, [false; 3], [false; 3]).unwrap();
    assert_eq!(world.joints().count(), 0);
}

/// A body with unequal moments in any orientation that must not turn does not, whatever turns it.
#[test]
fn a_body_that_must_not_turn_does_not() {
    let mut world = world(1.0 / 60.0);
    let turned = DQuat::from_euler(glam::EulerRot::XYZ, 0.4, -1.0, 2.0);
    let body = ghost(&mut world, 2.0, DVec3::new(1.0, 2.0, 3.0), Pose::from_rotation(turned));
    world.lock_axes(body, [false; 3], [true; 3]).unwrap();
    for _ in 0..60 {
        world.apply_torque(body, DVec3::new(50.0, -70.0, 30.0)).unwrap();
        world.step().unwrap();
    }
    let own = world.body(body).unwrap();
    assert!((own.orientation * turned.conjugate()).xyz().length() < 1e-12);
    assert!(own.angular_velocity.length() < 1e-12, "{own:?}");
    let fixed = drystone_engine::Solid::cuboid(DVec3::ONE, 1.0).unwrap();
    let fixed = fixed.fixed(drystone_engine::MaterialId::new(0), Pose::from_translation(DVec3::X * 9.0)).unwrap();
    let fixed = world.add(fixed).unwrap();
    assert_eq!(world.lock_axes(fixed, [true; 3], [true; 3]), Err(WorldError::JointOfFixed(fixed)));
}
