//! What a user does to a world between steps is found out, written down and done again.

use std::io::Cursor;

use drystone_contact::generator::{Registry, methods};
use drystone_engine::recording::{
    FrameKind, RecordError, Recorder, Recording, RecordingError, RecordingSettings, ReplayError, StepRecord,
};
use drystone_engine::simulator::SimulatorError;
use drystone_engine::world::snapshot::MethodRecord;
use drystone_engine::{BodyId, World, WorldError, WorldSettings};
use glam::DVec3;

use super::sample::{frames, letters, open, record, reframed, world};

fn threads(count: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap()
}

#[test]
fn a_replay_gives_the_same_bits_on_any_number_of_threads() {
    let sample = record(30, 8);
    for count in [1, 2, 8] {
        threads(count).install(|| {
            let mut recording = open(&sample.bytes);
            let mut replay = recording.replay().unwrap();
            let mut steps = 0;
            while let Some(report) = replay.step().unwrap() {
                assert!(sample.steps[steps].difference(&StepRecord::new(replay.simulator(), &report)).is_none());
                steps += 1;
            }
            assert_eq!(steps, 30);
        });
    }
}

/// Forces have frames of their own; whatever else is done is a snapshot; keyframes come in between.
#[test]
fn what_was_done_is_found_out() {
    let expected = "S TTT FT TT ET T K TT EFT TT ET T ET K ET ET ET FT FT FT FT T K TTTTT";
    assert_eq!(letters(&record(29, 8).bytes), expected.replace(' ', ""));
    let untouched = "S".to_owned() + &"T".repeat(3);
    let mut world = world();
    let mut recorder = Recorder::new(Vec::new(), &world, &RecordingSettings::default()).unwrap();
    for _ in 0..3 {
        // Looking is not touching, nor is a change that is taken back.
        let handle = world.handles()[2];
        let before = world.body(handle).unwrap().clone();
        world.body_mut(handle).unwrap().velocity = DVec3::ONE;
        *world.body_mut(handle).unwrap() = before;
        world.detect_now().unwrap();
        recorder.step(&mut world).unwrap();
    }
    assert_eq!(letters(&recorder.end().unwrap()), untouched);
}

#[test]
fn a_bit_that_differs_is_named() {
    let sample = record(6, 0);
    let mut frames = frames(&sample.bytes);
    let (_, content) = frames.iter_mut().filter(|(kind, _)| *kind == FrameKind::Step).nth(4).unwrap();
    let mut step: StepRecord = postcard::from_bytes(content).unwrap();
    assert_eq!(step.step, 5);
    let was = step.states[3][8];
    step.states[3][8] = was.next_up();
    *content = postcard::to_stdvec(&step).unwrap();
    let bytes = reframed(&frames);
    let mut recording = open(&bytes);
    let mut replay = recording.replay().unwrap();
    for _ in 0..4 {
        replay.step().unwrap().unwrap();
    }
    let Err(ReplayError::Differs(difference)) = replay.step() else { panic!("no difference") };
    assert_eq!((difference.step, difference.body, difference.quantity), (5, Some(BodyId::new(3)), "velocity"));
    assert!(difference.to_string().contains(&format!("{was:?}")), "{difference}");
}

#[test]
fn a_keyframe_that_differs_is_found() {
    let bytes = record(3, 2).bytes;
    let mut frames = frames(&bytes);
    let last = frames.iter().rposition(|(kind, _)| *kind == FrameKind::Snapshot).unwrap();
    // Before the last three bytes (bodies that were written to, changed settings, additions: none) is what the soft step remembers.
    let size = frames[last].1.len();
    frames[last].1[size - 4] ^= 1;
    let bytes = reframed(&frames);
    let mut recording = open(&bytes);
    let mut replay = recording.replay().unwrap();
    let error = loop {
        match replay.step() {
            Ok(Some(_)) => {}
            Ok(None) => panic!("not found"),
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("snapshot, bodies aside"), "{error}");
}

#[test]
fn a_step_that_fails_changes_nothing() {
    let mut world = world();
    let mut recorder = Recorder::new(Vec::new(), &world, &RecordingSettings::default()).unwrap();
    recorder.step(&mut world).unwrap();
    let handle = world.handles()[1];
    let before = world.body(handle).unwrap().clone();
    world.body_mut(handle).unwrap().velocity.x = f64::NAN;
    assert!(matches!(
        recorder.step(&mut world),
        Err(RecordError::Step(SimulatorError::World(WorldError::State { .. })))
    ));
    *world.body_mut(handle).unwrap() = before;
    recorder.step(&mut world).unwrap();
    world.step().unwrap();
    assert!(matches!(recorder.step(&mut world), Err(RecordError::Steps { expected: 2, found: 3 })));
    assert_eq!(letters(&recorder.end().unwrap()), "STT");
}

#[test]
fn a_method_of_ones_own() {
    let method = methods::volume_sat().with_variant("mine");
    let mut registry = Registry::default();
    registry.add(method.clone()).unwrap();
    let mut snapshot = world().snapshot();
    snapshot.method = Some(MethodRecord::new(&method));
    let mut world = World::from_snapshot(&snapshot, &registry).unwrap();
    *world.settings_mut() = WorldSettings::default();
    let mut recorder = Recorder::new(Vec::new(), &world, &RecordingSettings::default()).unwrap();
    for _ in 0..12 {
        recorder.step(&mut world).unwrap();
    }
    let bytes = recorder.end().unwrap();
    assert_eq!(open(&bytes).header().variant.as_deref(), Some("mine"));
    let error = open(&bytes).replay().err().unwrap().to_string();
    assert!(error.contains("frame 1") && error.contains("no variant of the method is called \"mine\""), "{error}");
    let mut recording = Recording::new(Cursor::new(&bytes)).unwrap().with_registry(registry);
    let mut replay = recording.replay().unwrap();
    while replay.step().unwrap().is_some() {}
    assert_eq!(replay.next_step(), 13);
    assert_eq!(replay.simulator().bodies(), world.bodies());
}

#[test]
fn only_steps_that_are_there_can_be_asked_for() {
    let bytes = record(5, 2).bytes;
    let mut recording = open(&bytes);
    assert_eq!(recording.steps(), 1..=6);
    assert_eq!(recording.record(5).unwrap().step, 5);
    assert!(matches!(recording.record(6), Err(RecordingError::NoStep { step: 6, first: 1, last: 6 })));
    for step in [0, 7, u64::MAX] {
        assert!(matches!(recording.replay_from(step), Err(ReplayError::Recording(RecordingError::NoStep { .. }))));
    }
}
