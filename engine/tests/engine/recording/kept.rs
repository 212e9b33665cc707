//! Recordings that are kept as they were written: whatever changes, they are read, replayed and gone on with.
//!
//! A layout that changes without a new number of the format fails here. The bits of a run belong to the version of the program, so a
//! replay may differ in them, but the first step from a keyframe has to end where it did. Recordings of a new format are written beside the old ones by
//! `KEEP_RECORDINGS=1 cargo test -p drystone-engine --test engine recording::kept`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use drystone_engine::recording::{MAGIC, Recorder, Recording, RecordingSettings, ReplayError};
use drystone_engine::simulator::Simulator;
use drystone_engine::simulator::asynchronous::{
    AsynchronousSimulation, AsynchronousSimulator, ContactLaw, DeformableSurface, SurfaceMaterial,
};
use drystone_engine::{Friction, Material, NewJoint, Pose, Solid, World};
use glam::DVec3;

use super::{sample, simulators};

const STEPS: usize = 24;

/// Where the recordings of all formats are, each format in a folder with its number.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine/recording/kept")
}

/// The number of the format that is written now.
fn format() -> &'static str {
    std::str::from_utf8(MAGIC).unwrap().trim().rsplit('/').next().unwrap()
}

fn recorded(simulator: &mut dyn Simulator) -> Vec<u8> {
    let settings = RecordingSettings { keyframes: 8, ..RecordingSettings::default() };
    let mut recorder = Recorder::new(Vec::new(), simulator, &settings).unwrap();
    for _ in 0..STEPS {
        recorder.step(simulator).unwrap();
    }
    recorder.end().unwrap()
}

/// A ball on a door that falls on a plate, by the settings for embedding.
fn door() -> World {
    let mut world = World::default();
    let wood = Material { friction: Friction::sliding(0.4), ..Material::default() };
    let wood = world.materials_mut().add_with("wood", wood).unwrap();
    let at = |x: f64, y: f64| Pose::from_translation(DVec3::new(x, y, 0.0));
    world.add(Solid::cuboid(DVec3::new(4.0, 0.2, 4.0), 500.0).unwrap().fixed(wood, at(0.0, -0.1)).unwrap()).unwrap();
    let door = Solid::cuboid(DVec3::new(0.8, 0.05, 0.5), 500.0).unwrap();
    let door = world.add(door.dynamic(wood, at(0.4, 0.05)).unwrap()).unwrap();
    world.add(Solid::ball(0.1, 300.0).unwrap().dynamic(wood, at(0.6, 0.18)).unwrap()).unwrap();
    let hinge = NewJoint::hinge(None, door, DVec3::Y * 0.05, DVec3::Z, &world).unwrap();
    world.add_joint(hinge.with_limits(-0.1, 1.0)).unwrap();
    world
}

/// Two triangles that fall over a third one.
fn cloth() -> AsynchronousSimulator {
    let material = SurfaceMaterial { area_density: 0.2, stretching: 20.0, bending: 1e-3, damping: 0.0 };
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let sheet = corners.map(|[x, z]| DVec3::new(x, 0.03, z)).to_vec();
    let mut surface = DeformableSurface::new(sheet, &[[0, 2, 1], [0, 3, 2]], &material).unwrap();
    let below = vec![DVec3::new(0.2, 0.0, 0.3), DVec3::new(0.5, 0.0, 0.8), DVec3::new(0.8, 0.0, 0.2)];
    surface.append(&DeformableSurface::new(below, &[[0, 1, 2]], &material).unwrap());
    let law = ContactLaw { thickness: 0.02, stiffness: 2e3, ..ContactLaw::default() };
    let simulation = AsynchronousSimulation::new(surface, &[4, 5, 6], DVec3::NEG_Y * 9.82).unwrap();
    AsynchronousSimulator::new(simulation.with_contact(&law).unwrap(), 0.005).unwrap()
}

/// What the recordings of this format are of.
fn written() -> [(&'static str, Vec<u8>); 4] {
    [
        ("table", sample::record(STEPS as u64, 8).bytes),
        ("door", recorded(&mut door())),
        ("backtracking", recorded(&mut simulators::dropped())),
        ("cloth", recorded(&mut cloth())),
    ]
}

/// What is read of a recording, a line for the header and one for each step with all of its numbers. It is kept beside the recording.
fn read(path: &Path) -> String {
    let mut recording = Recording::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let header = recording.header();
    let mut text = format!("{} {} {}\n", header.scene, header.keyframes, header.method.as_deref().unwrap_or("none"));
    for step in recording.first_step()..recording.next_step() {
        let record = recording.record(step).unwrap();
        let whole = [record.step, record.contacts, record.digest, record.iterations];
        let energies = [record.energy_before, record.energy_after].into_iter().flatten();
        let rest = [record.time, record.deepest_penetration, record.natural_residual].into_iter().chain(energies);
        let bodies = record.states.iter().flatten().copied();
        let vertices = record.vertices.iter().flatten().copied();
        writeln!(text, "{whole:?} {:?}", rest.chain(bodies).chain(vertices).collect::<Vec<f64>>()).unwrap();
    }
    text
}

#[test]
fn recordings_of_all_formats_are_read_replayed_and_gone_on_with() {
    let own = folder().join(format());
    if std::env::var_os("KEEP_RECORDINGS").is_some() && !own.exists() {
        std::fs::create_dir_all(&own).unwrap();
        for (name, bytes) in written() {
            let path = own.join(name).with_extension("drystone");
            std::fs::write(&path, bytes).unwrap();
            std::fs::write(path.with_extension("txt"), read(&path)).unwrap();
        }
    }
    assert!(own.is_dir(), "no recordings of format {} are kept yet", format());
    let mut count = 0;
    for folder in std::fs::read_dir(folder()).unwrap() {
        for entry in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "drystone") {
                let kept = std::fs::read_to_string(path.with_extension("txt")).unwrap();
                let found = read(&path);
                assert_eq!(found.lines().count(), kept.lines().count(), "{}", path.display());
                for (found, kept) in found.lines().zip(kept.lines()) {
                    assert_eq!(found, kept, "{}", path.display());
                }
                replay(&path);
                count += 1;
            }
        }
    }
    assert!(count >= 4, "{count}");
}

/// Replays from the start and from keyframes. Bits may differ; the first step from there ends in the recorded state up to a millimetre. Bodies that
/// begin it in each other may be parted faster or slower, by a tenth of how deep they are.
fn replay(path: &Path) {
    let name = path.display();
    let mut recording = Recording::open(path).unwrap();
    for first in [1, 9, 17] {
        let mut replay = recording.replay_from(first).unwrap_or_else(|error| panic!("{name}, step {first}: {error}"));
        loop {
            match replay.step() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(ReplayError::Differs(difference)) => {
                    println!("{name}, from step {first}: {difference}");
                    break;
                }
                Err(error) => panic!("{name}, from step {first}: {error}"),
            }
        }
        let overlaps = recording.replay_from(first).unwrap().into_world().map(|world| world.overlaps().unwrap());
        let deepest = overlaps.unwrap_or_default().iter().map(|overlap| overlap.depth).fold(0.0, f64::max);
        let bound = 1e-3 + 0.1 * deepest;
        let mut simulator = recording.replay_from(first).unwrap().into_simulator();
        simulator.step().unwrap_or_else(|error| panic!("{name}, step {first}: {error}"));
        let record = recording.record(first).unwrap();
        for (body, state) in simulator.bodies().iter().zip(&record.states) {
            let apart = body.position.distance(DVec3::from_slice(&state[..3]));
            assert!(apart < bound, "{name}, step {first}: {apart} m of at most {bound} m");
        }
        let vertices = simulator.deformable_meshes();
        let positions = vertices.iter().flat_map(|mesh| &mesh.positions);
        for (position, state) in positions.zip(&record.vertices) {
            let apart = position.distance(DVec3::from_slice(&state[..3]));
            assert!(apart < 1e-3, "{name}, step {first}: {apart} m");
        }
        assert_eq!(simulator.bodies().len(), record.states.len(), "{name}");
    }
}
