//! `assess --pictures` with a viewer that is a small script: what it is asked, and what the report makes of it.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One white pixel.
const PNG: &str = "\\211PNG\\r\\n\\032\\n\\000\\000\\000\\rIHDR\\000\\000\\000\\001\\000\\000\\000\\001\\010\\000\\000\\000\\000:~\\233U\
    \\000\\000\\000\\nIDATx\\234c\\370\\017\\000\\001\\001\\001\\000\\033\\266\\356V\\000\\000\\000\\000IEND\\256B\\140\\202";

/// A program that is being written cannot be run, and a process that another test starts meanwhile holds it open: one test at a
/// time.
static ONE: Mutex<()> = Mutex::new(());

/// A folder with the program, which has no viewer beside it, and a folder for one.
struct Place {
    folder: tempfile::TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Place {
    fn new() -> Self {
        let _alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        fs::create_dir(folder.path().join("own")).unwrap();
        fs::create_dir(folder.path().join("path")).unwrap();
        let program = folder.path().join("own/drystone");
        // Not a copy: a process that another test starts meanwhile would have it open for writing, and nothing runs it then.
        fs::hard_link(env!("CARGO_BIN_EXE_drystone"), program).unwrap();
        Place { folder, _alone }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A viewer that keeps what it is asked, fails for one method and draws the others.
    fn install(&self, folder: &str) {
        let script = self.at(folder).join("drystone-viewer");
        let log = self.at("asked");
        let text = format!(
            "#!/bin/sh\necho \"$@\" >> '{}'\ncase \"$*\" in\n*vertex-only*) echo 'no picture today' >&2; exit 3;;\n\
             *most-opposing*) echo 'not a picture' > \"$2\"; exit 0;;\nesac\nprintf '{PNG}' > \"$2\"\n",
            log.display()
        );
        fs::write(&script, text).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let path = std::env::join_paths([self.at("path"), PathBuf::from("/bin"), PathBuf::from("/usr/bin")]).unwrap();
        let mut command = Command::new(self.at("own/drystone"));
        command.arg("assess").args(arguments).env("PATH", path).current_dir(self.folder.path()).output().unwrap()
    }

    fn report(&self, more: &[&str]) -> (String, String) {
        let output = self.run(&[&["--report", "report", "--pictures", "--no-studies"], more].concat());
        let messages = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{messages}");
        (messages, fs::read_to_string(self.at("report/index.html")).unwrap())
    }
}

fn is_png(path: &Path) -> bool {
    fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG\r\n\x1a\n"))
}

#[test]
fn pictures_stand_in_the_report() {
    for folder in ["path", "own"] {
        let place = Place::new();
        place.install(folder);
        let (messages, page) = place.report(&[
            "--scene",
            "pillar",
            "--scene",
            "spikes",
            "--method",
            "semi-local",
            "--method",
            "vertex-only",
            "--method",
            "most-opposing",
            "--method",
            "vclip",
        ]);
        for method in ["semi-local", "vclip"] {
            let file = format!("viewer-pillar-{method}.png");
            assert!(is_png(&place.at("report").join(&file)), "{file}");
            assert!(page.contains(&format!("<img src=\"{file}\"")), "{file}");
        }
        assert_eq!(page.matches("<img").count(), 2);
        // What fails is said and left out.
        assert!(messages.contains("no picture of vertex-only in pillar") && messages.contains("no picture today"));
        assert!(messages.contains("no picture of most-opposing in pillar") && messages.contains("is no PNG"));
        assert!(!place.at("report/viewer-pillar-vertex-only.png").exists());
        let asked = fs::read_to_string(place.at("asked")).unwrap();
        let lines: Vec<&str> = asked.lines().collect();
        assert_eq!(lines.len(), 4);
        let (place_of_picture, rest) = lines[0].strip_prefix("--picture ").unwrap().split_once(' ').unwrap();
        assert!(place_of_picture.ends_with(".png"));
        assert_eq!(
            rest,
            "--scene pillar --method semi-local --variant corrected --step 2 --explode 0.5 --size 960x720"
        );
    }
}

#[test]
fn without_a_viewer_the_report_is_written_all_the_same() {
    let place = Place::new();
    let (messages, page) = place.report(&["--scene", "pillar", "--method", "semi-local"]);
    assert_eq!(messages.matches("cargo install --path viewer").count(), 1, "{messages}");
    assert!(messages.contains("cargo build --release -p drystone-viewer") && !page.contains("<img"));
    let files: Vec<PathBuf> = fs::read_dir(place.at("report")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.iter().all(|path| path.extension().is_none_or(|e| e != "png")));
}

#[test]
fn pictures_of_something_else_are_refused() {
    let place = Place::new();
    place.install("path");
    for (arguments, words) in [
        (&["--pictures", "--method", "vclip"][..], "--report"),
        (&["--pictures", "--report", "report", "--scene", "pillar", "--dt", "0.002"], "scenes as they are"),
        (&["--pictures", "--report", "report", "--solver", "svd"], "scenes as they are"),
    ] {
        let output = place.run(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(words), "{message}");
    }
    assert!(!place.at("asked").exists() && !place.at("report").exists());
    let (messages, _) = place.report(&["--scene", "spikes", "--method", "vclip"]);
    assert!(messages.contains("none of them was assessed") && !place.at("asked").exists());
}
