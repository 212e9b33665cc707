//! A turntable: a kinematic body that turns about y. A box on it goes round with it if ω²r < μ g.

use super::Figure;
use super::workbench::{G, Workbench, at};
use drystone_engine::{BodyHandle, Solid, WorldSettings};
use glam::DVec3;

pub const MU: f64 = 0.4;
pub const RADIUS: f64 = 1.2;

/// A table turning with `rate` (rad/s) and a flat box that rides on it.
pub fn turntable(mut settings: WorldSettings, rate: f64, time_step: f64) -> (Workbench, BodyHandle) {
    settings.step.time_step = time_step;
    let mut bench = Workbench::new(settings, MU, 0.0);
    let slab = Solid::cuboid(DVec3::new(8.0, 0.5, 8.0), 1000.0).unwrap();
    let table = bench.world.add(slab.kinematic(bench.stone, at(0.0, -0.25, 0.0)).unwrap()).unwrap();
    bench.world.body_mut(table).unwrap().angular_velocity = DVec3::Y * rate;
    let rider = bench.cuboid(DVec3::new(0.3, 0.08, 0.3), at(RADIUS, 0.04, 0.0));
    let body = bench.world.body_mut(rider).unwrap();
    body.velocity = DVec3::Y.cross(DVec3::X * RADIUS) * rate;
    body.angular_velocity = DVec3::Y * rate;
    (bench, rider)
}

pub fn radius(bench: &Workbench, body: BodyHandle) -> f64 {
    let position = bench.position(body);
    position.x.hypot(position.z)
}

pub fn figures(settings: &WorldSettings) -> Vec<Figure> {
    let outward = |share: f64, time_step: f64| {
        let (mut bench, rider) = turntable(settings.clone(), (share * MU * G / RADIUS).sqrt(), time_step);
        bench.run((0.2 / time_step).round() as usize);
        radius(&bench, rider) - RADIUS
    };
    vec![
        Figure::new(
            "turntable, ω²r = 0.5 μg, Δt = 5 ms, 0.2 s: outward",
            "rides on a circle",
            outward(0.5, 0.005).abs(),
            "m",
        ),
        Figure::new("the same with ω²r = 0.96 μg", "rides on a circle", outward(0.96, 0.005).abs(), "m"),
        Figure::new("the same with Δt = 2.5 ms", "rides on a circle", outward(0.96, 0.0025).abs(), "m"),
    ]
}
