//! Bodies whose faces, edges and diagonals are parallel, pressed against each other step after step.

use super::range::{Missile, Range, THICKNESS};
use drystone_engine::{CcdSettings, Pose, Solid};
use glam::{DQuat, DVec3};

/// Presses a cube of 0.2 m, `gap` (m) away and turned by `angle` (rad) along the wall, against a square wall: 1 km/s anew in
/// every step.
fn pressed(side: f64, gap: f64, angle: f64, steps: usize) {
    let mut lost = 0.0;
    let mut range = Range::new(Some(CcdSettings::default()), 0.0);
    range.wall_of(0.0, side);
    let place = DVec3::X * (-0.1 - 0.5 * THICKNESS - gap);
    let cube = range.throw(&Missile::Cube.solid(), place, DQuat::from_rotation_x(angle), DVec3::ZERO, DVec3::ZERO);
    for step in 0..steps {
        range.world.body_mut(cube).unwrap().velocity = DVec3::X * 1e3;
        let ccd = range.step().ccd.unwrap();
        lost += 0.01 - ccd.advanced;
        let far = range.extent(cube).1;
        assert!(far < -0.5 * THICKNESS, "{side} {gap}: {far} in step {step}");
        assert!(ccd.overlapping.is_empty(), "{side} {gap}: apart in step {step}");
    }
    assert!(lost < 1e-9, "{side} {gap} {angle}: {lost} s lost");
}

#[test]
fn nobody_is_pressed_through_a_wall_of_any_size() {
    for side in [4.0, 40.0, 400.0] {
        for angle in [0.0, 1e-10, 1e-9, 1e-8, 1e-7, 1e-5] {
            pressed(side, 0.1, angle, 40);
        }
    }
}

#[test]
fn nobody_that_starts_near_is_pressed_through() {
    for gap in [1e-6, 3e-8, 1e-8, 3e-9, 1e-9, 1e-10, 1e-11] {
        for angle in [0.0, 1e-10, 1e-9, 1e-8, 1e-7, 1e-5] {
            pressed(4.0, gap, angle, 4);
        }
    }
}

#[test]
fn nobody_is_pressed_through_a_large_ground() {
    for side in [20.0, 1e3, 1e4] {
        let mut range = Range::new(Some(CcdSettings::default()), 0.0);
        let ground = Solid::cuboid(DVec3::new(side, 1.0, side), 1000.0).unwrap();
        range.world.add(ground.fixed(range.stone, Pose::from_translation(DVec3::Y * -0.5)).unwrap()).unwrap();
        let cube = Solid::cuboid(DVec3::ONE, 1000.0).unwrap();
        let cube = range.throw(&cube, DVec3::Y * 0.6, DQuat::IDENTITY, DVec3::ZERO, DVec3::ZERO);
        for step in 0..60 {
            range.world.body_mut(cube).unwrap().velocity = DVec3::Y * -1e3;
            let ccd = range.step().ccd.unwrap();
            let low = range.world.body(cube).unwrap().position.y - 0.5;
            assert!(low > 0.0 && ccd.overlapping.is_empty(), "{side}: {low} in step {step}");
        }
    }
}
