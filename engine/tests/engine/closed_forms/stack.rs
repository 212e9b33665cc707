//! A stack of ten boxes, and stacks of prisms.

use super::Figure;
use super::workbench::{Workbench, weight};
use drystone_engine::{BodyHandle, Pose, Solid, WorldReport, WorldSettings};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

const BOX: DVec3 = DVec3::new(1.0, 0.5, 0.8);

/// Ten boxes on the ground; each is shifted and turned against the one below if it is not `aligned`.
pub fn stack(settings: WorldSettings, aligned: bool) -> (Workbench, Vec<BodyHandle>) {
    let mut bench = Workbench::new(settings, 0.6, 0.0);
    let mut bodies = vec![bench.ground()];
    for i in 0..10 {
        let level = f64::from(i);
        let crooked = if aligned { 0.0 } else { 1.0 };
        let x = crooked * 0.03 * f64::from(i % 3 - 1);
        let turn = DQuat::from_rotation_y(crooked * 0.08 * f64::from(i % 5 - 2));
        let position = DVec3::new(x, (level + 0.5) * BOX.y, -0.5 * x);
        bodies.push(bench.cuboid(BOX, Pose::from_parts(position, turn)));
    }
    (bench, bodies)
}

/// The sum of the upward forces between two bodies, N.
fn upward_force(report: &WorldReport, lower: BodyHandle, upper: BodyHandle, time_step: f64) -> f64 {
    let pair = |a, b| (report.handle(a), report.handle(b)) == (Some(lower), Some(upper));
    let contacts = report.contacts.iter().zip(&report.impulses).filter(|(c, _)| pair(c.a, c.b));
    contacts.map(|(c, impulse)| impulse[0] * c.contact.normal.y).sum::<f64>() / time_step
}

/// Makes a step: by which share of the weight above it the force between two boxes is off at most.
pub fn force_error(bench: &mut Workbench, bodies: &[BodyHandle]) -> (f64, WorldReport) {
    let report = bench.world.step().unwrap();
    let time_step = bench.world.settings().step.time_step;
    let mut worst = 0.0f64;
    for (i, pair) in bodies.windows(2).enumerate() {
        let expected = weight(BOX) * (10 - i) as f64;
        worst = worst.max((upward_force(&report, pair[0], pair[1], time_step) / expected - 1.0).abs());
    }
    (worst, report)
}

/// The largest angular velocity (rad/s) in the last half second of two in stacks of three and five prisms of six to sixteen sides, each turned against
/// the one below and a millimetre above it at first.
fn spin_of_prisms(settings: &WorldSettings) -> f64 {
    let mut worst = 0.0_f64;
    for sides in [6, 8, 16] {
        let corner = |k: usize| {
            let (sine, cosine) = (TAU * k as f64 / sides as f64).sin_cos();
            DVec3::new(0.4 * cosine, 0.0, 0.4 * sine)
        };
        let corners: Vec<DVec3> = (0..sides).flat_map(|k| [corner(k), corner(k) + 0.8 * DVec3::Y]).collect();
        let prism = Solid::convex_hull(&corners, 1000.0).unwrap();
        for count in [3, 5] {
            let mut bench = Workbench::new(settings.clone(), 0.5, 0.0);
            bench.ground();
            let mut bodies = Vec::new();
            for k in 0..count {
                let level = f64::from(k);
                let pose = Pose::from_parts(
                    DVec3::new(0.005 * f64::from(k % 3 - 1), 0.801 * level + 0.001, 0.0),
                    DQuat::from_rotation_y(0.3 * level),
                );
                bodies.push(bench.world.add(prism.dynamic(bench.stone, pose).unwrap()).unwrap());
            }
            bench.run(150);
            for _ in 0..50 {
                bench.run(1);
                worst = bodies.iter().map(|&body| bench.spin(body).length()).fold(worst, f64::max);
            }
        }
    }
    worst
}

pub fn figures(settings: &WorldSettings) -> Vec<Figure> {
    let [mut force, mut fastest, mut drift] = [0.0_f64; 3];
    for aligned in [true, false] {
        let (mut bench, bodies) = stack(settings.clone(), aligned);
        bench.run(600);
        force = force.max(force_error(&mut bench, &bodies).0);
        fastest = bodies[1..].iter().map(|&b| bench.velocity(b).length()).fold(fastest, f64::max);
        let start: Vec<DVec3> = bodies.iter().map(|&b| bench.position(b)).collect();
        bench.run(1000);
        drift = bodies.iter().zip(&start).map(|(&b, start)| bench.position(b).distance(*start)).fold(drift, f64::max);
    }
    vec![
        Figure::new("stack of ten, force between two of them after 6 s", "the weight above", force, ""),
        Figure::new("the fastest of them", "rests", fastest, "m/s"),
        Figure::new("the farthest moved in 10 s more", "rests", drift, "m"),
        Figure::new("stacks of prisms that fall by 1 mm, after 1.5 s", "rest", spin_of_prisms(settings), "rad/s"),
    ]
}
