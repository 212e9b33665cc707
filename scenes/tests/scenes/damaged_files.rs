//! Damaged files of every kind that is read here: an error with a message, or what can be used; never a panic, nor numbers that are none.

use std::path::PathBuf;

use drystone_contact::ccd::Kind;
use drystone_contact::generator::{Registry, methods};
use drystone_contact::split_mix::SplitMix;
use drystone_engine::World;
use drystone_engine::world::Snapshot;
use drystone_scenes::ccd::{packed, rationals};
use drystone_scenes::detection::{Moment, detect};
use drystone_scenes::job::Reader;
use drystone_scenes::scene::Scene;
use drystone_scenes::simulation::{WorldPreset, world};
use drystone_scenes::{contact_list, fclib, kinematic_tree, rigid_ipc, scene_file};

/// What reading came to: an error with its message, or `Ok`; asserts that what was read is sound.
type Answer = Result<(), String>;

type Read = dyn Fn(&[u8]) -> Answer;

/// A kind of files.
struct Format {
    name: &'static str,
    /// Files of this kind that are whole.
    whole: Vec<Vec<u8>>,
    read: Box<Read>,
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn files(names: &[&str]) -> Vec<Vec<u8>> {
    names.iter().map(|name| std::fs::read(folder(name)).unwrap()).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Asserts that a scene can be written down again, and that a world of it either refuses a step or stays one of numbers.
fn use_scene(scene: &Scene) {
    assert!(scene.bodies.iter().all(|body| body.body.state_is_finite()));
    let Ok(mut world) = world(scene, &methods::semi_local(), WorldPreset::Embedding) else { return };
    if world.step().is_ok() {
        assert!(world.bodies().iter().all(|body| body.state_is_finite()));
    }
}

/// Makes the scene of a text of examples.
fn parse(text: &str) -> Result<Scene, String> {
    scene_file::parse(text, folder("../docs/examples")).map_err(|error| error.to_string())
}

fn formats() -> Vec<Format> {
    let boxes = text(&files(&["../docs/examples/box-on-box.toml"])[0]);
    let scene = parse(&boxes).unwrap();
    let detection = detect(&scene, &methods::semi_local(), Moment::Start).unwrap();
    let mut list = Vec::new();
    contact_list::write(&detection.contacts, &mut list).unwrap();
    let mut resting = world(&scene, &methods::semi_local(), WorldPreset::Embedding).unwrap();
    resting.step().unwrap();
    let snapshot = serde_json::to_vec(&resting.snapshot()).unwrap();
    let registry = Registry::default();
    let of_queries = |set: drystone_scenes::ccd::QuerySet| {
        assert!(set.queries.iter().all(|query| query.start.iter().chain(&query.end).all(|point| point.is_finite())));
    };
    vec![
        Format {
            name: "scene files",
            whole: files(&[
                "../docs/examples/box-on-box.toml",
                "../docs/examples/lift.toml",
                "../docs/examples/ring-on-slab.toml",
                "../docs/examples/spike-on-ground.toml",
                "tests/data/light-dice.toml",
            ]),
            read: Box::new(|bytes| parse(&text(bytes)).map(|scene| use_scene(&scene))),
        },
        Format {
            name: "scene files of surfaces",
            whole: files(&["../docs/examples/hanging-cloth.toml"]),
            read: Box::new(|bytes| {
                let read = scene_file::parse_surfaces(&text(bytes), folder("../docs/examples"));
                let surfaces = read.map_err(|error| error.to_string())?;
                surfaces.map(drop).ok_or_else(|| "there are no surfaces in it".to_owned())
            }),
        },
        Format {
            name: "scenes of rigid-ipc",
            whole: files(&[
                "tests/data/rigid-ipc/fixtures/3D/examples/split-components.json",
                "tests/data/rigid-ipc/fixtures/3D/friction/sliding.json",
                "tests/data/rigid-ipc/fixtures/3D/unit-tests/tunneling.json",
            ]),
            read: Box::new(|bytes| {
                let here = folder("tests/data/rigid-ipc/fixtures/3D/unit-tests");
                let read = rigid_ipc::parse(&text(bytes), "damaged", here);
                read.map(|read| use_scene(&read.scene)).map_err(|error| error.to_string())
            }),
        },
        Format {
            name: "models in MJCF and URDF",
            whole: files(&["tests/data/mjcf/arm.xml", "tests/data/mjcf/pendulum.xml", "tests/data/urdf/arm.urdf"]),
            read: Box::new(|bytes| {
                let read = kinematic_tree::parse(&text(bytes), folder("tests/data/mjcf/damaged.xml"));
                read.map(|read| use_scene(&read.scene)).map_err(|error| error.to_string())
            }),
        },
        Format {
            name: "lists of contacts",
            whole: vec![list],
            read: Box::new(move |bytes| {
                let read = contact_list::read(bytes, &scene).map_err(|error| error.to_string())?;
                let sound = |c: &drystone_contact::Contact| c.position.is_finite() && c.normal.is_finite() && c.gap.is_finite();
                assert!(read.iter().all(|between| sound(&between.contact)));
                Ok(())
            }),
        },
        Format {
            name: "packed queries",
            whole: files(&["tests/data/sample-queries/packed/unit-tests-vf.ccdq"]),
            read: Box::new(move |bytes| {
                packed::from_bytes("damaged", bytes).map(of_queries).map_err(|error| error.to_string())
            }),
        },
        Format {
            name: "queries of rationals",
            whole: files(&["tests/data/sample-queries/published/unit-tests/edge-edge/data_0_0.csv"]),
            read: Box::new(move |bytes| {
                let read = rationals::from_reader("damaged", Kind::EdgeEdge, bytes);
                read.map(of_queries).map_err(|error| error.to_string())
            }),
        },
        Format {
            name: "FCLIB",
            whole: files(&["tests/data/fclib/full-mass.hdf5", "tests/data/fclib/full-mass-latest.hdf5"]),
            read: Box::new(|bytes| {
                let problem = fclib::parse(bytes).map_err(|error| error.to_string())?;
                let velocities = problem.contacts().iter().flat_map(|contact| &contact.velocity);
                assert!(velocities.chain(problem.blocks().flat_map(|(_, _, block)| block.iter().flatten())).all(|x| x.is_finite()));
                Ok(())
            }),
        },
        Format {
            name: "jobs",
            whole: vec![
                br#"{"scene": "pyramid", "size": 3, "method": "semi-local", "simulation": {"steps": 40, "bodies": true}}"#.to_vec(),
                br#"{"scene": "wall", "method": {"name": "semi-local", "settings": {}}, "noise": 0.01, "seed": 3, "assessment": {"step": 2}}"#.to_vec(),
            ],
            read: Box::new(move |bytes| {
                Reader::new(&registry).read(&text(bytes)).map(drop).map_err(|error| error.to_string())
            }),
        },
        Format {
            name: "snapshots",
            whole: vec![snapshot],
            read: Box::new(|bytes| {
                let snapshot: Snapshot = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
                let mut world =
                    World::from_snapshot(&snapshot, &Registry::default()).map_err(|error| error.to_string())?;
                assert!(world.bodies().iter().all(|body| body.state_is_finite()));
                // Whoever asks for billions of sweeps may get them.
                let sweeps = &mut world.settings_mut().step.solver.max_iterations;
                *sweeps = (*sweeps).min(1000);
                if world.step().is_ok() {
                    assert!(world.bodies().iter().all(|body| body.state_is_finite()));
                }
                Ok(())
            }),
        },
    ]
}

/// What stands in place of a number.
const VALUES: [&str; 17] = [
    "nan",
    "inf",
    "-inf",
    "-1",
    "0",
    "1e308",
    "-1e308",
    "1e-320",
    "1e9999",
    "4294967296",
    "18446744073709551616",
    "0.1",
    "\"\u{1b}[2J\"",
    "[]",
    "{}",
    "null",
    "",
];

/// Where numbers begin and end.
fn numbers(bytes: &[u8]) -> Vec<(usize, usize)> {
    let is_part = |at: usize| bytes.get(at).is_some_and(|b| b.is_ascii_digit() || b"+-.".contains(b));
    let starts = (0..bytes.len()).filter(|&at| is_part(at) && (at == 0 || !is_part(at - 1)));
    starts.map(|start| (start, (start..).find(|&at| !is_part(at)).unwrap_or(bytes.len()))).collect()
}

/// Damages a file in one of several ways.
fn damage(bytes: &mut Vec<u8>, random: &mut SplitMix) {
    if bytes.is_empty() {
        return;
    }
    let at = random.next_below(bytes.len());
    let end = (at + 1 + random.next_below(60)).min(bytes.len());
    match random.next_below(9) {
        0 => bytes[at] ^= 1 << random.next_below(8),
        1 => bytes[at] = random.next_bits() as u8,
        2 => bytes.truncate(at),
        3 => drop(bytes.drain(at..end)),
        4 => {
            let piece = bytes[at..end].to_vec();
            let there = random.next_below(bytes.len());
            bytes.splice(there..there, piece);
        }
        5 => {
            // Counts and offsets of binary files.
            let value = [0, 1, u64::from(u32::MAX), u64::MAX, random.next_bits()][random.next_below(5)].to_le_bytes();
            bytes.iter_mut().skip(at).zip(&value[..[4, 8][random.next_below(2)]]).for_each(|(byte, &own)| *byte = own);
        }
        6 => {
            let open = ["[", "{", "<a>"][random.next_below(3)].repeat(random.next_below(3000)).into_bytes();
            bytes.splice(at..at, open);
        }
        _ => {
            let numbers = numbers(bytes);
            if numbers.is_empty() {
                return bytes.truncate(at);
            }
            let (start, end) = numbers[random.next_below(numbers.len())];
            bytes.splice(start..end, VALUES[random.next_below(VALUES.len())].bytes());
        }
    }
}

#[test]
fn damaged_files_are_errors_or_sound() {
    let count = super::cases(900);
    for format in formats() {
        for whole in &format.whole {
            assert_eq!((format.read)(whole), Ok(()), "{}", format.name);
        }
        let [mut refused, mut read] = [0, 0];
        for seed in 0..count {
            let mut random = SplitMix::new(u64::from(seed));
            let mut bytes = format.whole[seed as usize % format.whole.len()].clone();
            for _ in 0..1 + random.next_below(3) {
                damage(&mut bytes, &mut random);
            }
            match (format.read)(&bytes) {
                Ok(()) => read += 1,
                Err(message) => {
                    assert!(!message.is_empty(), "{} {seed}", format.name);
                    refused += 1;
                }
            }
        }
        println!("{}: {refused} refused, {read} read", format.name);
        assert!(refused > count / 10 && read > 0, "{}: {refused} refused, {read} read", format.name);
    }
}
