//! A stack of ten boxes: every interface bears the weight of what is above it.

use super::workbench::{G, Workbench, undamped, weight};
use drystone_engine::{BodyHandle, Pose, WorldReport};
use glam::{DQuat, DVec3};

const BOX: DVec3 = DVec3::new(1.0, 0.5, 0.8);

/// Ten boxes on the ground; each is shifted and turned against the one below if it is not `aligned`.
fn stack(aligned: bool) -> (Workbench, Vec<BodyHandle>) {
    let mut bench = Workbench::new(undamped(), 0.6, 0.0);
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

/// Within a millionth of the weight above: a millionth of g changes no velocity by more than 1e-7 m/s in a step, a
/// hundredth of the solver's tolerance, which warm starts reach over the steps.
#[test]
fn every_interface_bears_what_is_above() {
    for aligned in [true, false] {
        let (mut bench, bodies) = stack(aligned);
        bench.run(600);
        let report = bench.world.step().unwrap();
        let mut worst = 0.0f64;
        for (i, pair) in bodies.windows(2).enumerate() {
            let force = upward_force(&report, pair[0], pair[1], bench.world.settings().step.time_step);
            let expected = weight(BOX) * (10 - i) as f64;
            worst = worst.max((force / expected - 1.0).abs());
        }
        println!(
            "stack of ten, aligned: {aligned}: forces off by {worst:.1e} of the weights, {} contacts, {} sweeps, {:.2} mm deep",
            report.contacts.len(),
            report.iterations(),
            1e3 * report.deepest_penetration
        );
        assert!(worst < 1e-6, "aligned {aligned}: {worst}");
        assert!(bodies[1..].iter().all(|&b| bench.velocity(b).length() < 1e-7 * G));
    }
}
