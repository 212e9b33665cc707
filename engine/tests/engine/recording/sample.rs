//! A world with something of everything, and its recording.

use std::io::Cursor;

use drystone_contact::generator::methods;
use drystone_engine::recording::{
    FrameKind, FrameReader, FrameWriter, Recorder, Recording, RecordingSettings, SnapshotReason, StepRecord,
};
use drystone_engine::{
    Friction, Interaction, MaterialId, NewBody, Phase, Pose, PrescribedMotion, Solid, World, WorldSettings,
};
use glam::{DQuat, DVec3};

/// A cube with sides of 1 m.
pub fn cube() -> Solid {
    Solid::cuboid(DVec3::ONE, 1000.0).unwrap()
}

/// A cube lies on a table that moves by a prescribed motion, and others fall, in the middle of impacts from about step 10 on.
pub fn world() -> World {
    let mut world = World::new(WorldSettings::default(), methods::most_opposing());
    let stone = world.materials_mut().add("stone").unwrap();
    let interaction = Interaction { friction: Friction::isotropic(0.5), restitution: 0.3 };
    world.materials_mut().set(stone, stone, interaction).unwrap();
    let table = Solid::cuboid(DVec3::new(9.0, 1.0, 9.0), 1000.0).unwrap();
    let phases = vec![
        Phase { duration: 0.15, velocity: DVec3::X * 0.5, angular_velocity: DVec3::Y * 0.2 },
        Phase { duration: f64::INFINITY, velocity: DVec3::Z * 0.1, angular_velocity: DVec3::ZERO },
    ];
    let prescribed_motion = Some(PrescribedMotion::new(phases).unwrap());
    let at = |x: f64, y: f64| Pose::from_parts(DVec3::new(x, y, 0.2), DQuat::from_rotation_z(0.05 * y));
    world.add(NewBody { prescribed_motion, ..table.kinematic(stone, at(0.0, -0.5)).unwrap() }).unwrap();
    for i in 0..4 {
        let i = f64::from(i);
        world
            .add(cube().dynamic(stone, at(0.4 * i - 1.0, if i == 0.0 { 0.501 } else { 0.55 + 1.05 * i })).unwrap())
            .unwrap();
    }
    world
}

/// What a user does to the world before a step; nothing before most.
pub fn meddle(world: &mut World, step: u64) {
    let stone = MaterialId::new(0);
    let handles = world.handles().to_vec();
    match step {
        // Forces for single steps, and for several in a row.
        4 | 20..24 => {
            world.apply_force_at(handles[2], DVec3::new(900.0, -30.0, 0.1), DVec3::Y * 0.3).unwrap();
            world.apply_torque(handles[3], DVec3::Y * 70.0).unwrap();
        }
        7 => {
            let pose = Pose::from_translation(DVec3::new(2.0, 0.6, 1.5));
            world.add(cube().dynamic(stone, pose).unwrap()).unwrap();
        }
        // A state and a force in one.
        11 => {
            world.body_mut(handles[1]).unwrap().velocity.x += 0.5;
            world.apply_force(handles[1], DVec3::Z * 40.0).unwrap();
        }
        14 => drop(world.remove(handles[4]).unwrap()),
        16 => world.settings_mut().step.forces.gravity.x = 0.4,
        17 => world.materials_mut().set(stone, stone, Interaction::dry(Friction::isotropic(0.1))).unwrap(),
        18 => world.set_prescribed_motion(handles[0], None).unwrap(),
        19 => world.set_excluded(handles[1], handles[2], true).unwrap(),
        _ => {}
    }
}

/// What is recorded over some steps, and what happened by the account of the world itself.
pub struct Sample {
    /// The recording.
    pub bytes: Vec<u8>,
    /// The steps.
    pub steps: Vec<StepRecord>,
}

/// A recording with a keyframe every `keyframes` steps.
pub fn record(steps: u64, keyframes: u64) -> Sample {
    let mut world = world();
    let settings =
        RecordingSettings { scene: "table".into(), note: "sample".into(), keyframes, ..RecordingSettings::default() };
    let mut recorder = Recorder::new(Vec::new(), &world, &settings).unwrap();
    let mut records = Vec::new();
    for step in 1..=steps {
        meddle(&mut world, step);
        let report = recorder.step(&mut world).unwrap();
        records.push(StepRecord::new(&world, &report));
    }
    assert_eq!(recorder.steps(), steps);
    Sample { bytes: recorder.end().unwrap(), steps: records }
}

/// Opens bytes as a recording.
pub fn open(bytes: &[u8]) -> Recording<Cursor<&[u8]>> {
    Recording::new(Cursor::new(bytes)).unwrap()
}

/// The frames of a whole recording.
pub fn frames(bytes: &[u8]) -> Vec<(FrameKind, Vec<u8>)> {
    let mut reader = FrameReader::new(bytes).unwrap();
    let mut frames = Vec::new();
    while frames.last().is_none_or(|(kind, _)| *kind != FrameKind::End) {
        frames.push(reader.read().unwrap());
    }
    frames
}

/// A recording of these frames, with right checksums.
pub fn reframed(frames: &[(FrameKind, Vec<u8>)]) -> Vec<u8> {
    let mut writer = FrameWriter::new(Vec::new()).unwrap();
    for (kind, content) in frames {
        writer.write(*kind, content).unwrap();
    }
    writer.into_inner()
}

/// The kinds of the frames and the reasons of the snapshots, as letters: S start, K keyframe, E edit, F forces, T step.
pub fn letters(bytes: &[u8]) -> String {
    let letter = |(kind, content): &(FrameKind, Vec<u8>)| match kind {
        FrameKind::Header | FrameKind::End => None,
        FrameKind::Forces => Some('F'),
        FrameKind::Step => Some('T'),
        FrameKind::Snapshot => Some(match postcard::from_bytes::<SnapshotReason>(content).unwrap() {
            SnapshotReason::Start => 'S',
            SnapshotReason::Keyframe => 'K',
            SnapshotReason::Edit => 'E',
        }),
    };
    frames(bytes).iter().filter_map(letter).collect()
}
