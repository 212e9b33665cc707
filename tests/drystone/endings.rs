//! Runs that are ended from outside, while something is read that takes long: a program that a scene file names and that sleeps.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::{program, refused, text};

/// Stands for the scene file in arguments.
const SCENE: &str = "the scene";

const CONTACTS: &[&str] = &["contacts", "--scene", SCENE, "--method", "semi-local"];

/// A scene file whose reading takes a minute.
struct Slow {
    folder: tempfile::TempDir,
}

impl Slow {
    fn new() -> Self {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        // What it says: its process and the input, in a folder of its own.
        let script = "#!/bin/sh\necho \"$$ $2\" > \"${0%/*}/begun.new\"\nmv \"${0%/*}/begun.new\" \"${0%/*}/begun\"\nexec sleep 60\n";
        let path = folder.path().join("sleeper");
        // The shell writes it, so that no copy of this process can hold it open while it is run.
        let written =
            Command::new("sh").args(["-c", "printf '%s' \"$2\" > \"$1\"", "sh"]).arg(&path).arg(script).status();
        assert!(written.unwrap().success());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let scene = "name = \"slow\"\nmaterials = [\"stone\"]\n\
            interaction = [{ between = [\"stone\", \"stone\"], friction = 0.4 }]\n\
            [[body]]\nname = \"cube\"\nmaterial = \"stone\"\ndensity = 600\nshape.box = [1, 1, 1]\n\
            fill = { method = \"tetgen\", program = \"./sleeper\" }\n";
        fs::write(folder.path().join("slow.toml"), scene).unwrap();
        Self { folder }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A run that reads it, with the process of the sleeper and its folder.
    fn begin(&self, arguments: &[&str]) -> (Child, String, PathBuf) {
        let _ = fs::remove_file(self.at("begun"));
        let scene = self.at("slow.toml");
        let mut command = program();
        command.args(arguments.iter().map(|text| if *text == SCENE { scene.as_os_str() } else { text.as_ref() }));
        command.arg("--allow-programs");
        let run = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let began = Instant::now();
        while !self.at("begun").exists() {
            assert!(began.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(5));
        }
        let said = fs::read_to_string(self.at("begun")).unwrap();
        let (process, input) = said.trim().split_once(' ').unwrap();
        (run, process.into(), Path::new(input).parent().unwrap().into())
    }
}

fn signal(name: &str, process: u32) {
    assert!(Command::new("kill").args([name, &process.to_string()]).status().unwrap().success());
}

/// Waits until the sleeper and its folder are gone.
fn assert_nothing_is_left(process: &str, folder: &Path) {
    let began = Instant::now();
    while Path::new("/proc").join(process).join("exe").exists() || folder.exists() {
        assert!(began.elapsed() < Duration::from_secs(10), "{process}, {}", folder.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_signal_ends_a_run_wherever_it_is() {
    let slow = Slow::new();
    for (name, status) in [("-INT", 130), ("-TERM", 143)] {
        for arguments in [CONTACTS, &["simulate", SCENE, "--steps", "3"], &["assess", "--scene", SCENE]] {
            let (run, process, folder) = slow.begin(arguments);
            let asked = Instant::now();
            signal(name, run.id());
            let output = run.wait_with_output().unwrap();
            assert!(asked.elapsed() < Duration::from_secs(5), "{name} {arguments:?}: {:?}", asked.elapsed());
            assert_eq!(output.status.code(), Some(status), "{name} {arguments:?}");
            assert!(text(&output.stderr).contains("ended as asked"), "{}", text(&output.stderr));
            assert_nothing_is_left(&process, &folder);
        }
    }
}

#[test]
fn what_a_run_has_started_ends_with_it() {
    let slow = Slow::new();
    let (mut run, process, folder) = slow.begin(CONTACTS);
    assert!(folder.exists());
    signal("-KILL", run.id());
    run.wait().unwrap();
    assert_nothing_is_left(&process, &folder);
}

#[test]
fn a_program_that_comes_with_a_scene_is_not_run_unasked() {
    let slow = Slow::new();
    let message = refused(&["contacts", "--scene", slow.at("slow.toml").to_str().unwrap(), "--method", "semi-local"]);
    assert!(message.contains("fill.program") && message.contains("--allow-programs"), "{message}");
    assert!(!slow.at("begun").exists());
}
