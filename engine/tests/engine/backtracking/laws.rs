//! Closed-form solutions: free flight, sliding, slopes, rocking.

use super::workbench::{Bench, at, block};
use drystone_engine::Pose;
use drystone_engine::backtracking::{BacktrackingSettings, EventKind, Promoting};
use glam::{DQuat, DVec3};

const G: f64 = 9.82;
/// At which gap bodies are put down, m.
const GAP: f64 = 4e-7;

#[test]
fn free_flight_is_exact() {
    let mut bench = Bench::new(0.5, 0.3);
    let (velocity, spin) = (DVec3::new(1.0, 3.0, -2.0), DVec3::new(0.0, 4.0, 0.0));
    let body = bench.dynamic(&block(DVec3::new(0.3, 0.4, 0.5)), at(1.0, 2.0, 3.0, DQuat::IDENTITY));
    let start = bench.simulation.body(body).unwrap().clone();
    let thrown = bench.simulation.body_mut(body).unwrap();
    (thrown.velocity, thrown.angular_velocity) = (velocity, spin);
    bench.run(1.0);
    let end = bench.simulation.body(body).unwrap();
    let expected = start.position + velocity + DVec3::NEG_Y * (0.5 * G);
    assert!((end.position - expected).length() < 1e-12);
    assert!((end.velocity - velocity - DVec3::NEG_Y * G).length() < 1e-12);
    let turned = DQuat::from_rotation_y(4.0) * start.orientation;
    assert!(1.0 - end.orientation.dot(turned).abs() < 1e-14);
}

#[test]
fn a_sliding_block_slows_by_friction_and_stops() {
    let (mu, speed) = (0.4, 2.0);
    let mut bench = Bench::new(mu, 0.0);
    bench.plane();
    let body = bench.dynamic(&block(DVec3::new(1.0, 0.4, 0.8)), at(-1.0, 0.2 + GAP, 0.0, DQuat::from_rotation_y(0.3)));
    bench.simulation.body_mut(body).unwrap().velocity = DVec3::new(speed, 0.0, 0.0);
    let mut run = bench.run(0.1);
    let early = bench.simulation.body(body).unwrap().clone();
    run.reports.extend(bench.run(0.2).reports);
    let late = bench.simulation.body(body).unwrap().clone();
    let slowed = (early.velocity.x - late.velocity.x) / 0.2;
    assert!((slowed - mu * G).abs() < 1e-6, "{slowed}");
    assert!(late.velocity.y.abs() < 1e-9 && late.velocity.z.abs() < 1e-6);
    let end = bench.run(0.7);
    let stopped = bench.simulation.body(body).unwrap();
    assert!(stopped.velocity.length() < 1e-9);
    let way = late.position.x + late.velocity.x * late.velocity.x / (2.0 * mu * G);
    assert!((stopped.position.x - way).abs() < 1e-6, "{} {way}", stopped.position.x);
    assert!(end.depth < 0.0);
}

/// Just below the angle of friction a block stays, just above it slides as it must.
#[test]
fn a_slope_holds_up_to_the_angle_of_friction() {
    let mu: f64 = 0.4;
    for (share, sticks) in [(0.97, true), (1.03, false)] {
        let angle = share * mu.atan();
        let mut bench = Bench::new(mu, 0.0);
        let slope = Pose::from_parts(DVec3::ZERO, DQuat::from_rotation_z(angle));
        bench.fixed(&block(DVec3::new(20.0, 1.0, 20.0)), slope * at(0.0, -0.5, 0.0, DQuat::IDENTITY));
        let on_it = slope * at(0.0, 0.2 + GAP, 0.0, DQuat::from_rotation_y(0.2));
        let body = bench.dynamic(&block(DVec3::new(1.0, 0.4, 0.8)), on_it);
        bench.run(0.2);
        let early = bench.simulation.body(body).unwrap().clone();
        let run = bench.run(0.5);
        let late = bench.simulation.body(body).unwrap();
        if sticks {
            assert!(late.velocity.length() < 1e-9 && early.position.distance(late.position) < 1e-9);
        } else {
            let gained = (late.velocity - early.velocity).length() / 0.5;
            let expected = G * (angle.sin() - mu * angle.cos());
            assert!((gained - expected).abs() < 1e-6, "{gained} {expected}");
        }
        assert!(run.depth < 0.0 && run.contacts() >= 3);
    }
}

/// A tall block let go on an edge rocks from one to the other, loses energy at each impact and none between, and
/// stands.
#[test]
fn a_rocking_block_comes_to_stand() {
    let (half_width, half_height, tilt): (f64, f64, f64) = (0.2, 0.6, 0.1);
    let settings = BacktrackingSettings { promotion: Some(Promoting::NARROW), ..BacktrackingSettings::default() };
    let mut bench = Bench::with(2.0, 0.0, settings);
    bench.plane();
    let turned = DQuat::from_rotation_z(-tilt);
    let lowest = turned * DVec3::new(half_width, -half_height, 0.0);
    let sides = DVec3::new(2.0 * half_width, 2.0 * half_height, 0.5);
    let body = bench.dynamic(&block(sides), at(0.0, GAP - lowest.y, 0.0, turned));
    let scale = bench.energy();
    let run = bench.run(4.0);
    assert!(run.depth < 0.0 && run.rise_after(0.0, scale) < 1e-9);
    // Nothing dissipates while it turns about an edge.
    let impact = run.reports.iter().flat_map(|report| &report.events).find(|event| event.kind == EventKind::Collision);
    let first = impact.unwrap().time;
    for &(_, energy) in run.energies.iter().filter(|(time, _)| *time < first) {
        assert!((energy / scale - 1.0).abs() < 1e-9, "{energy} {scale}");
    }
    assert!(run.count(EventKind::Collision) > 5 && run.contacts() == 4);
    let end = bench.simulation.body(body).unwrap();
    assert!(end.velocity.length() < 1e-6 && (end.position.y - half_height).abs() < 1e-5);
}

#[test]
fn a_stack_of_two_bears_its_weights() {
    let mut bench = Bench::new(0.5, 0.0);
    let ground = bench.plane();
    let lower = bench.dynamic(&block(DVec3::new(1.0, 0.5, 0.9)), at(0.0, 0.25 + GAP, 0.0, DQuat::IDENTITY));
    let upper =
        bench.dynamic(&block(DVec3::new(0.6, 0.3, 0.5)), at(0.1, 0.65 + 2.0 * GAP, 0.0, DQuat::from_rotation_y(0.2)));
    let run = bench.run(1.0);
    let report = run.reports.last().unwrap();
    let weight = |body| bench.simulation.body(body).unwrap().mass() * G;
    let between = |a, b| -> f64 {
        report.contacts.iter().filter(|contact| contact.bodies == [a, b]).map(|contact| contact.force.y).sum()
    };
    let (above, below) =
        (between(lower, upper) / weight(upper), between(ground, lower) / (weight(upper) + weight(lower)));
    assert!((above - 1.0).abs() < 1e-9 && (below - 1.0).abs() < 1e-9, "{above} {below}");
    assert!(run.depth < 0.0);
}
