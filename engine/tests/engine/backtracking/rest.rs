//! Dropped bodies come to rest on at least three contacts.

use super::scenes::SCENES;
use super::workbench::{Bench, Run};
use drystone_engine::backtracking::{BacktrackingSettings, Promoting};
use glam::{DQuat, DVec3};

/// What may be inside of another body, m.
const PENETRATION: f64 = 1e-9;
/// The last second: no faster (m/s, rad/s) and no farther (m).
const STILL: f64 = 1e-6;
/// Of all energy.
const RISE: f64 = 1e-9;

fn tilts() -> [(DQuat, DVec3); 3] {
    [
        (DQuat::from_rotation_x(0.2) * DQuat::from_rotation_z(0.13), DVec3::ZERO),
        (DQuat::from_rotation_z(-0.3), DVec3::new(0.5, -0.3, 0.4)),
        (DQuat::from_rotation_x(-0.07) * DQuat::from_rotation_y(0.4), DVec3::new(-1.0, 2.0, 0.6)),
    ]
}

/// A run until nothing moves, and one more second.
fn check(name: &str, bench: &mut Bench, friction: f64) -> Run {
    let scale = bench.energy();
    let mut run = bench.run(0.1);
    while run.reports.len() < 60 && !is_still(bench, friction) {
        let more = bench.run(0.1);
        run.energies.extend(more.energies);
        run.reports.extend(more.reports);
        (run.least_gap, run.depth) = (run.least_gap.min(more.least_gap), run.depth.max(more.depth));
    }
    let before = bench.simulation.bodies().to_vec();
    let last = bench.run(1.0);
    run.energies.extend(&last.energies);
    run.reports.extend(last.reports);
    let depth = run.depth.max(last.depth);
    let gap = run.least_gap.min(last.least_gap);
    assert!(gap > 0.0 && depth <= PENETRATION, "{name}: gap {gap}, depth {depth}");
    assert!(run.contacts() >= 3, "{name}: {} contacts", run.contacts());
    let rise = run.rise_after(0.0, scale);
    assert!(rise <= RISE, "{name}: energy rises by {rise}");
    for (body, old) in bench.simulation.bodies().iter().zip(&before) {
        let moved = held(friction, body.position - old.position);
        assert!(moved < STILL, "{name}: {moved} m");
    }
    assert!(is_still(bench, friction), "{name}: still moves");
    run
}

/// What must come to rest of a motion: without friction a body on a level face may slide on for ever.
fn held(friction: f64, motion: DVec3) -> f64 {
    if friction > 0.0 { motion.length() } else { motion.y.abs() }
}

fn is_still(bench: &Bench, friction: f64) -> bool {
    bench.simulation.bodies().iter().all(|body| {
        let spin = body.angular_velocity;
        let turning = if friction > 0.0 { spin.length() } else { spin.x.hypot(spin.z) };
        held(friction, body.velocity) < STILL && turning < STILL
    })
}

fn drop_all(friction: f64, restitution: f64) {
    for (name, scene) in SCENES {
        // Nothing holds a body on an edge, or an edge in place, without friction.
        if friction == 0.0 && name == "edge of a box" {
            continue;
        }
        for (k, (tilt, spin)) in tilts().into_iter().enumerate() {
            let mut bench = Bench::new(friction, restitution);
            let dropped = scene(&mut bench, tilt);
            bench.simulation.body_mut(dropped).unwrap().angular_velocity = spin;
            check(&format!("{name}, tilt {k}, friction {friction}, restitution {restitution}"), &mut bench, friction);
        }
    }
}

#[test]
fn rough_and_dead() {
    drop_all(0.5, 0.0);
}

#[test]
fn rough_and_bouncing() {
    drop_all(0.5, 0.3);
}

#[test]
fn smooth_and_dead() {
    drop_all(0.0, 0.0);
}

#[test]
fn smooth_and_bouncing() {
    drop_all(0.0, 0.3);
}

#[test]
fn promotion_comes_to_rest_too() {
    for (name, scene) in SCENES {
        let settings = BacktrackingSettings { promotion: Some(Promoting::NARROW), ..BacktrackingSettings::default() };
        let mut bench = Bench::with(0.5, 0.3, settings);
        scene(&mut bench, tilts()[0].0);
        check(&format!("{name} with promotion"), &mut bench, 0.5);
    }
}
