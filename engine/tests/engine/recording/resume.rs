//! The same state has the same future, from any step.

use std::fs;

use drystone_engine::recording::{
    PartFile, RecordError, Recorder, Recording, RecordingError, RecordingSettings, StepRecord,
};

use super::sample::{meddle, open, record, world};

/// A world that is taken out of a recording before any step, in the middle of impacts too, goes on as the first one
/// did, through all that is still to be done to it.
#[test]
fn any_step_can_be_resumed() {
    let sample = record(27, 6);
    let impacts = sample.steps.windows(2).filter(|pair| pair[0].contacts != pair[1].contacts).count();
    assert!(impacts > 5 && sample.steps.iter().all(|step| step.contacts > 0));
    let mut recording = open(&sample.bytes);
    for first in 1..=28 {
        // What was done before this step is in the world already.
        let mut world = recording.replay_from(first).unwrap().into_world().unwrap();
        assert_eq!(world.steps() + 1, first);
        for (step, expected) in (1..).zip(&sample.steps).skip(first as usize - 1) {
            if step > first {
                meddle(&mut world, step);
            }
            let report = world.step().unwrap();
            assert_eq!(expected.difference(&StepRecord::new(&world, &report)), None, "from {first}");
        }
    }
}

/// A recording that begins where another one is resumed.
#[test]
fn a_recording_can_go_on_with_another() {
    let sample = record(16, 5);
    let mut recording = open(&sample.bytes);
    let mut world = recording.replay_from(11).unwrap().into_world().unwrap();
    let mut recorder = Recorder::new(Vec::new(), &world, &RecordingSettings::default()).unwrap();
    for step in 11..=16 {
        if step > 11 {
            meddle(&mut world, step);
        }
        recorder.step(&mut world).unwrap();
    }
    let bytes = recorder.end().unwrap();
    let mut second = open(&bytes);
    assert_eq!(second.steps(), 11..=17);
    for step in 11..=16 {
        let first = recording.record(step).unwrap();
        assert_eq!(first.difference(&second.record(step).unwrap()), None);
    }
    let mut replay = second.replay().unwrap();
    while replay.step().unwrap().is_some() {}
}

/// What a process leaves that is killed: the part without an end.
#[test]
fn a_part_holds_all_whole_steps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.drystone");
    let mut world = world();
    let settings = RecordingSettings { keyframes: 2, ..RecordingSettings::default() };
    let mut recorder = Recorder::create(&path, &world, &settings).unwrap();
    for _ in 0..5 {
        recorder.step(&mut world).unwrap();
        // Each step is there as soon as it is made.
        let (recording, damage) = Recording::open_intact_part(PartFile::part_of(&path)).unwrap();
        assert_eq!(recording.next_step(), world.steps() + 1);
        assert!(matches!(damage, Some(RecordingError::Frame(_))));
    }
    let error = Recorder::create(&path, &world, &settings).err().unwrap();
    assert!(matches!(&error, RecordError::PartIsThere { part } if *part == PartFile::part_of(&path)), "{error}");
    drop(recorder);
    assert!(!path.exists());
    let part = PartFile::part_of(&path);
    let error = Recording::open(&part).err().unwrap().to_string();
    assert!(error.contains("cut off at byte") && error.contains("frame 9"), "{error}");
    let (mut recording, _) = Recording::open_intact_part(&part).unwrap();
    let mut replay = recording.replay().unwrap();
    while replay.step().unwrap().is_some() {}
    assert_eq!(replay.simulator().bodies(), world.bodies());

    fs::remove_file(part).unwrap();
    let mut recorder = Recorder::create(&path, &world, &settings).unwrap();
    recorder.step(&mut world).unwrap();
    recorder.finish().unwrap();
    assert_eq!(Recording::open(&path).unwrap().steps(), 6..=7);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
