//! What is dropped on what.

use super::workbench::{Bench, angle_iron, at, block};
use drystone_engine::BodyHandle;
use glam::{DQuat, DVec3};
use std::f64::consts::FRAC_PI_4;

/// A scene: bodies added to a bench, and the one that is dropped.
pub type Scene = fn(&mut Bench, DQuat) -> BodyHandle;

pub const SCENES: [(&str, Scene); 6] = [
    ("plane", on_plane),
    ("edge of a box", on_edge),
    ("edge first", edge_first),
    ("another box", on_box),
    ("groove", in_groove),
    ("L", angle),
];

pub fn on_plane(bench: &mut Bench, tilt: DQuat) -> BodyHandle {
    bench.plane();
    bench.dynamic(&block(DVec3::new(1.0, 0.6, 0.8)), at(0.1, 0.7, 0.2, tilt))
}

/// Onto the long upper edge of a fixed box, off the middle, and down beside it.
fn on_edge(bench: &mut Bench, tilt: DQuat) -> BodyHandle {
    bench.plane();
    let ridge = block(DVec3::new(0.2, 0.2, 3.0));
    bench.fixed(&ridge, at(0.0, 0.16, 0.0, DQuat::from_rotation_z(FRAC_PI_4)));
    bench.dynamic(&block(DVec3::new(1.0, 0.4, 0.7)), at(0.06, 0.75, 0.05, tilt))
}

/// Edge first onto a plane.
fn edge_first(bench: &mut Bench, tilt: DQuat) -> BodyHandle {
    bench.plane();
    let steep = DQuat::from_rotation_x(0.6);
    bench.dynamic(&block(DVec3::new(1.0, 0.7, 0.8)), at(0.0, 0.8, 0.0, tilt * steep))
}

fn on_box(bench: &mut Bench, tilt: DQuat) -> BodyHandle {
    bench.plane();
    bench.dynamic(&block(DVec3::new(1.2, 0.4, 1.1)), at(0.0, 0.2005, 0.0, DQuat::from_rotation_x(0.0005)));
    bench.dynamic(&block(DVec3::new(0.6, 0.4, 0.5)), at(0.05, 0.85, 0.02, tilt))
}

fn in_groove(bench: &mut Bench, tilt: DQuat) -> BodyHandle {
    let wall = block(DVec3::new(4.0, 1.0, 4.0));
    for sign in [1.0, -1.0] {
        let slope = at(0.0, 0.0, 0.0, DQuat::from_rotation_z(sign * FRAC_PI_4));
        bench.fixed(&wall, slope * at(sign * 2.0, -0.5, 0.0, DQuat::IDENTITY));
    }
    let quarter = DQuat::from_rotation_z(FRAC_PI_4);
    bench.dynamic(&block(DVec3::new(0.6, 0.6, 0.8)), at(0.03, 0.7, 0.1, tilt * quarter))
}

/// A shape that is not convex.
fn angle(bench: &mut Bench, tilt: DQuat) -> BodyHandle {
    bench.plane();
    bench.dynamic(&angle_iron(), at(0.0, 0.8, 0.02, tilt))
}
