//! A stack of ten boxes.

use super::Figure;
use super::workbench::{Workbench, weight};
use drystone_engine::{BodyHandle, Pose, WorldReport, WorldSettings};
use glam::{DQuat, DVec3};

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
    ]
}
