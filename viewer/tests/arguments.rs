//! The program from outside: what it writes, what it says where something is wrong, and how it ends.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use drystone::contact::generator::methods;
use drystone::engine::recording::{Recorder, RecordingSettings};
use drystone::scenes::builtin::BuiltIn;
use drystone::scenes::cases::Model;
use drystone::scenes::simulation::{self, WorldPreset};

fn run(folder: &Path, words: &[&str]) -> Output {
    // Settings of whoever runs this do not count, and nothing opens a window.
    let mut program = Command::new(env!("CARGO_BIN_EXE_drystone-viewer"));
    program.current_dir(folder).env("DRYSTONE_VIEWER_SETTINGS", folder.join("settings.toml"));
    program.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").args(words).output().unwrap()
}

/// How it ended and what it said; panics if it broke off.
fn fails(folder: &Path, words: &[&str]) -> (i32, String) {
    let output = run(folder, words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("panicked") && !said.contains("RUST_BACKTRACE"), "{words:?}: {said}");
    let code = output.status.code().unwrap_or_else(|| panic!("{words:?} was ended by a signal: {said}"));
    assert!(code != 0 && !said.trim().is_empty(), "{words:?}: {code} {said}");
    (code, said)
}

#[test]
fn files_that_cannot_be_looked_at_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("empty.toml"), "").unwrap();
    fs::write(at("empty"), "").unwrap();
    fs::write(at("junk.toml"), [0xff, 0x00, 0x80, 0x13]).unwrap();
    fs::write(at("junk.json"), [0xff, 0x00, 0x80, 0x13]).unwrap();
    fs::write(at("wrong.toml"), "name = \"wrong\"\nhat = 3\n").unwrap();
    fs::write(at("broken.toml"), "name = ").unwrap();
    fs::write(at("wrong.json"), "{\"rigid_body_problem\": 3}").unwrap();
    fs::write(at("broken.json"), "{").unwrap();
    fs::write(at("open.toml"), open_mesh()).unwrap();
    fs::create_dir(at("folder")).unwrap();
    fs::create_dir(at("folder.toml")).unwrap();
    let whole = recording();
    for (name, length) in [("head", 20), ("short", 40), ("half", whole.len() / 2)] {
        fs::write(at(name), &whole[..length]).unwrap();
    }
    fs::write(at("other.version"), b"drystone.recording/999\nabc").unwrap();
    let names = [
        "empty.toml",
        "empty",
        "junk.toml",
        "junk.json",
        "wrong.toml",
        "broken.toml",
        "wrong.json",
        "broken.json",
        "open.toml",
        "folder",
        "folder.toml",
        "head",
        "short",
        "other.version",
        "missing.toml",
        "castle",
    ];
    for name in names {
        let (code, said) = fails(folder.path(), &[name, "--picture", "out.png"]);
        assert_eq!(code, 2, "{name}: {said}");
        let says = said.contains(name) || said.contains("castle");
        assert!(says, "{name}: {said}");
        assert!(!at("out.png").exists(), "{name}");
    }
    // Of a recording that was broken off the whole steps can be looked at, or it is refused; it never breaks the program.
    let output = run(folder.path(), &["half", "--picture", "half.png"]);
    assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}

#[test]
fn wrong_usage_is_refused_and_lists_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    for (words, says) in [
        (&["wall", "--method", "guess"][..], "growth-distance"),
        (&["wall", "--hide", "roof", "--picture", "a.png"], "or their numbers from 0"),
        (&["wall", "--select", "999999", "--picture", "a.png"], "contacts, from 0"),
        (&["wall", "--size-of-scene", "-3", "--picture", "a.png"], "above zero"),
        (&["wall", "--film", "d"], "--steps"),
    ] {
        let (code, said) = fails(folder.path(), words);
        assert!(code == 2 && said.contains(says), "{words:?}: {code} {said}");
    }
}

#[test]
fn without_a_display_or_a_driver_it_says_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let (code, said) = fails(folder.path(), &["wall"]);
    assert!(code == 1 && said.contains("--picture") && said.contains("libxkbcommon-x11-0"), "{code} {said}");
    let mut program = Command::new(env!("CARGO_BIN_EXE_drystone-viewer"));
    program.current_dir(folder.path()).args(["wall", "--picture", "a.png"]);
    // The loader is told to look for drivers where there are none.
    let none = folder.path().join("none.json");
    let output = program.env("VK_ICD_FILENAMES", &none).env("VK_DRIVER_FILES", &none).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("mesa-vulkan-drivers") && !said.contains("panicked"), "{said}");
}

#[test]
fn a_film_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let film = |more: &[&str]| {
        let words = ["cliff-edges", "--film", "film", "--steps", "1..=4", "--size", "160x120"];
        let output = run(folder.path(), &[&words[..], more].concat());
        assert!(output.status.success(), "{output:?}");
    };
    film(&["--every", "3"]);
    let at = |step: u64| folder.path().join("film").join(format!("step-{step:06}.png"));
    assert!(at(1).exists() && !at(2).exists() && !at(3).exists() && at(4).exists());
    fs::write(at(4), "mine").unwrap();
    film(&[]);
    assert!((1..=4).all(|step| at(step).exists()));
    assert_eq!(fs::read(at(4)).unwrap(), b"mine", "what is there is kept");
    film(&["--again"]);
    assert!(image::open(at(4)).is_ok(), "and made anew when it is asked for");
}

#[test]
fn a_recording_is_drawn_at_any_of_its_steps() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("run.dry"), recording()).unwrap();
    let picture = |step: &str| {
        let output = run(folder.path(), &["run.dry", "--picture", "a.png", "--step", step, "--size", "160x120"]);
        assert!(output.status.success(), "{output:?}");
        image::open(folder.path().join("a.png")).unwrap().into_rgb8()
    };
    assert_ne!(picture("1"), picture("5"));
}

/// A short run, recorded.
fn recording() -> Vec<u8> {
    let scene = BuiltIn::BoxStack.scene(Model::Procedural, Some(3.0)).unwrap();
    let mut world = simulation::world(&scene, &methods::semi_local(), WorldPreset::Suite).unwrap();
    let mut recorder = Recorder::new(Vec::new(), &world, &RecordingSettings::default()).unwrap();
    (0..6).for_each(|_| drop(recorder.step(&mut world).unwrap()));
    recorder.end().unwrap()
}

/// A scene whose only body is a tetrahedron without one of its sides.
fn open_mesh() -> &'static str {
    "name = \"open\"\nmaterials = [\"stone\"]\n[[interaction]]\nbetween = [\"stone\", \"stone\"]\nfriction = 0.4\n\
     [[body]]\nname = \"one\"\nmaterial = \"stone\"\ndensity = 1000\n[body.shape]\n\
     vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]\ntriangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2]]\n"
}
