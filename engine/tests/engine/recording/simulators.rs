//! Recordings say which simulator made them, and are made again by it.

use std::io::Cursor;

use drystone_engine::backtracking::{BacktrackingError, BacktrackingSettings, BacktrackingSimulator};
use drystone_engine::recording::{FrameKind, FrameReader, Recorder, Recording, RecordingSettings};
use drystone_engine::simulator::{Simulator, SimulatorError, SimulatorKind};
use drystone_engine::vtk::contact_points;
use drystone_engine::{Friction, Interaction, MaterialTable, Pose, Solid, World};
use glam::{DQuat, DVec3};

/// A cube above a ground, tilted, and another above it.
pub fn dropped() -> BacktrackingSimulator {
    let mut materials = MaterialTable::new();
    let stuff = materials.add("stuff").unwrap();
    materials.set(stuff, stuff, Interaction { friction: Friction::isotropic(0.5), restitution: 0.2 }).unwrap();
    let mut simulator = BacktrackingSimulator::new(BacktrackingSettings::default(), materials).unwrap();
    let ground = Solid::cuboid(DVec3::new(9.0, 1.0, 9.0), 1000.0).unwrap();
    simulator.add(ground.fixed(stuff, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
    let cube = Solid::cuboid(DVec3::new(0.4, 0.3, 0.5), 1000.0).unwrap();
    for height in [0.2, 0.6] {
        let pose = Pose::from_parts(DVec3::Y * height, DQuat::from_rotation_x(0.3 * height));
        simulator.add(cube.dynamic(stuff, pose).unwrap()).unwrap();
    }
    simulator
}

fn recorded(simulator: &mut dyn Simulator, steps: usize) -> Vec<u8> {
    let settings = RecordingSettings { keyframes: 8, ..RecordingSettings::default() };
    let mut recorder = Recorder::new(Vec::new(), simulator, &settings).unwrap();
    for _ in 0..steps {
        recorder.step(simulator).unwrap();
    }
    recorder.end().unwrap()
}

#[test]
fn a_backtracking_run_is_made_again_and_resumed_from_any_keyframe() {
    let mut simulator = dropped();
    let bytes = recorded(&mut simulator, 30);
    let mut recording = Recording::new(Cursor::new(bytes)).unwrap();
    assert_eq!(recording.header().simulator, SimulatorKind::Backtracking);
    assert!(recording.header().settings.is_none());
    assert_eq!(recording.header().backtracking.as_ref(), Some(simulator.settings()));
    for first in [1, 12, 25] {
        let mut replay = recording.replay_from(first).unwrap();
        let mut contacts = 0;
        while let Some(report) = replay.step().unwrap() {
            contacts = report.contacts.len();
        }
        assert!(contacts > 0, "they touch at the end");
        assert_eq!(replay.simulator().bodies(), simulator.bodies());
        assert_eq!(replay.simulator().kind(), SimulatorKind::Backtracking);
    }
    // A step further than the recording: as the recorded one would have gone on.
    let mut resumed = recording.replay_from(31).unwrap().into_simulator();
    assert_eq!(resumed.step().unwrap(), Simulator::step(&mut simulator).unwrap());
    assert_eq!(resumed.snapshot(), Simulator::snapshot(&simulator));
}

#[test]
fn what_is_done_between_steps_is_recorded() {
    let mut simulator = dropped();
    let mut recorder = Recorder::new(Vec::new(), &simulator, &RecordingSettings::default()).unwrap();
    for step in 0..12 {
        if step == 5 {
            let handle = simulator.handles()[2];
            simulator.body_mut(handle).unwrap().velocity.x = 0.5;
        }
        recorder.step(&mut simulator).unwrap();
    }
    let mut recording = Recording::new(Cursor::new(recorder.end().unwrap())).unwrap();
    let mut replay = recording.replay().unwrap();
    while replay.step().unwrap().is_some() {}
    assert_eq!(replay.simulator().bodies(), simulator.bodies());
}

/// The header of a world says nothing of simulators, as before there was more than one.
#[test]
fn a_header_without_a_simulator_is_that_of_a_world() {
    let bytes = recorded(&mut World::default(), 1);
    let (kind, header) = FrameReader::new(&bytes[..]).unwrap().read().unwrap();
    let text = String::from_utf8(header).unwrap();
    assert!(kind == FrameKind::Header && !text.contains("simulator") && !text.contains("backtracking"), "{text}");
    let recording = Recording::new(Cursor::new(bytes)).unwrap();
    assert_eq!(recording.header().simulator, SimulatorKind::TimeStepping);
}

/// A body at rest: the forces of the report bear its weight, at poses where it touches.
#[test]
fn the_report_of_a_step_holds_forces_and_poses() {
    let mut simulator = dropped();
    let upper = simulator.handles()[2];
    simulator.remove(upper).unwrap();
    let report = (0..150).map(|_| Simulator::step(&mut simulator).unwrap()).last().unwrap();
    let weight = simulator.bodies()[1].mass() * 9.82;
    let points = contact_points(&report.contacts, &report.impulses, simulator.settings().time_step);
    assert_eq!(points.points.len(), report.contacts.len());
    let borne: f64 = report
        .contacts
        .iter()
        .zip(&report.impulses)
        .map(|(c, impulse)| impulse[0] * c.contact.normal.y / simulator.settings().time_step)
        .sum();
    assert!((borne / weight - 1.0).abs() < 1e-6, "{borne} {weight}");
    assert_eq!(report.poses[1], simulator.bodies()[1].pose());
    assert_eq!((report.deepest_penetration, report.step, simulator.steps()), (0.0, 150, 150));
    assert_eq!(report.counts.torsion_ignored, report.contacts.len());
    assert_eq!(simulator.detect_now().unwrap().contacts, report.contacts);
}

/// An error takes back what was made of the step.
#[test]
fn a_step_that_fails_changes_nothing() {
    let mut materials = MaterialTable::new();
    let wood = materials.add("wood").unwrap();
    let unknown = drystone_engine::MaterialId::new(7);
    let mut simulator = BacktrackingSimulator::new(BacktrackingSettings::default(), materials).unwrap();
    let cube = Solid::cuboid(DVec3::ONE, 1000.0).unwrap();
    simulator.add(cube.fixed(wood, Pose::from_translation(DVec3::NEG_Y * 0.5)).unwrap()).unwrap();
    let falling = simulator.add(cube.dynamic(unknown, Pose::from_translation(DVec3::Y * 0.5001)).unwrap()).unwrap();
    let before = Simulator::snapshot(&simulator);
    let error = Simulator::step(&mut simulator).unwrap_err();
    assert!(matches!(error, SimulatorError::Backtracking(BacktrackingError::Material { .. })), "{error}");
    assert_eq!(Simulator::snapshot(&simulator), before);
    let refused = simulator.apply_wrench(falling, DVec3::X, DVec3::ZERO).unwrap_err().to_string();
    assert!(refused.contains("external wrench"), "{refused}");
}

#[test]
fn groups_and_exclusions_hold_and_handles_of_removed_bodies_are_stale() {
    let mut simulator = dropped();
    let [ground, lower, upper] = [0, 1, 2].map(|k| simulator.handles()[k]);
    simulator.set_excluded(lower, upper, true).unwrap();
    assert_eq!(simulator.set_excluded(lower, lower, true), Err(BacktrackingError::OneBody(lower)));
    let mut bytes = recorded(&mut simulator, 40);
    // The upper one has fallen through the lower one, onto the ground.
    let heights = [1, 2].map(|k| simulator.bodies()[k].position.y);
    assert!(heights.iter().all(|y| *y < 0.3), "{heights:?}");
    let mut recording = Recording::new(Cursor::new(&mut bytes)).unwrap();
    assert!(recording.replay().unwrap().step().unwrap().is_some());
    simulator.remove(lower).unwrap();
    assert_eq!(simulator.body(lower), Err(BacktrackingError::Stale(lower)));
    assert_eq!(simulator.handles(), [ground, upper]);
    // It bounces before it rests.
    let mut pairs = Vec::new();
    for _ in 0..40 {
        pairs.extend(Simulator::step(&mut simulator).unwrap().contacts.iter().map(|c| (c.a.index(), c.b.index())));
    }
    assert!(!pairs.is_empty() && pairs.iter().all(|pair| *pair == (0, 1)));
}
