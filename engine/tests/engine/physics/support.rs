//! What bears what: bodies that do not touch fall through each other, and what loses its support falls.

use super::undamped;
use super::workbench::{G, Workbench, at};
use drystone_engine::{Groups, Pose, Solid};
use glam::{DQuat, DVec3};

/// How far a body falls from rest in a number of steps, m; the mid-point scheme has it exactly.
fn fall(steps: usize) -> f64 {
    0.5 * G * (0.01 * steps as f64).powi(2)
}

#[test]
fn what_does_not_touch_falls_through() {
    let mut bench = Workbench::new(undamped(), 0.5, 0.0);
    let ground = bench.ground();
    let [stands, passes, excluded] = [-3.0, 0.0, 3.0].map(|x| bench.cuboid(DVec3::ONE, at(x, 0.5, 0.2)));
    bench.world.set_groups(ground, Groups { member: 0b01, with: 0b01 }).unwrap();
    bench.world.set_groups(passes, Groups { member: 0b10, with: 0b10 }).unwrap();
    bench.world.set_excluded(ground, excluded, true).unwrap();
    bench.run(50);
    assert!((bench.position(stands).y - 0.5).abs() < 5e-4);
    for body in [passes, excluded] {
        assert!((bench.position(body).y - (0.5 - fall(50))).abs() < 1e-12);
    }
}

/// The lowest of three boxes is removed: the others fall together, at once, and stand again.
#[test]
fn what_stood_on_a_removed_body_falls() {
    let mut bench = Workbench::new(undamped(), 0.5, 0.0);
    bench.ground();
    let boxes = [0.5, 1.5, 2.5].map(|y| bench.cuboid(DVec3::ONE, at(0.3, y, 0.2)));
    bench.run(200);
    let before = boxes.map(|b| bench.position(b).y);
    bench.world.remove(boxes[0]).unwrap();
    bench.run(30);
    for (body, y) in boxes.into_iter().zip(before).skip(1) {
        let fallen = y - bench.position(body).y;
        println!("without support: fell {fallen:.6} m of {:.6} m in 0.3 s", fall(30));
        assert!((fallen - fall(30)).abs() < 1e-5, "{fallen}");
    }
    bench.run(300);
    let rest = boxes.map(|b| bench.world.body(b).map(|b| b.position.y).unwrap_or(0.0));
    assert!((rest[1] - 0.5).abs() < 2e-3 && (rest[2] - 1.5).abs() < 3e-3, "{rest:?}");
}

/// Two fixed blocks meet in a ridge, their upper faces falling away from it on both sides: each block's face lies below the plane
/// of the other's, and yet neither is a seam of the other. A cube set on the ridge on its edge stays up.
#[test]
fn a_ridge_between_two_bodies_bears() {
    let mut bench = Workbench::new(undamped(), 0.5, 0.0);
    for side in [-1.0, 1.0] {
        let turn = DQuat::from_rotation_z(-side * 0.35);
        let block = Solid::cuboid(DVec3::new(2.0, 1.0, 2.0), 1000.0).unwrap();
        // The upper edge next to the middle comes to lie on the z axis.
        let place = turn * DVec3::new(side, -0.5, 0.0);
        let stone = bench.world.materials().id("stone").unwrap();
        bench.world.add(block.fixed(stone, Pose::from_parts(place, turn)).unwrap()).unwrap();
    }
    let turn = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
    let cube = bench.cuboid(DVec3::ONE, Pose::from_parts(DVec3::Y * 0.5f64.sqrt(), turn));
    bench.run(20);
    let fallen = 0.5f64.sqrt() - bench.position(cube).y;
    println!("on a ridge between two bodies: sunk by {fallen:.1e} m, {:.1e} m in free fall", fall(20));
    assert!(fallen.abs() < 0.02 * fall(20), "{fallen}");
}
