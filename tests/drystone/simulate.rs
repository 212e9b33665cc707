//! `drystone simulate` and `drystone replay` as their users see them.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::{drystone, fail, program, refused, succeed, text};

/// The path of a file in a folder.
fn within(folder: &tempfile::TempDir) -> impl Fn(&str) -> String {
    move |name| folder.path().join(name).display().to_string()
}

/// The recording of five steps of the pillar.
fn record(folder: &Path) -> String {
    let file = folder.join("run.drystone").display().to_string();
    let arguments = ["simulate", "pillar", "--steps", "5", "--keyframes", "2", "--record", &file, "--threads", "2"];
    succeed(&arguments);
    file
}

/// The rows of a CSV without their times of day.
fn rows(csv: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let timed: Vec<bool> = reader.headers().unwrap().iter().map(|name| name.ends_with("seconds")).collect();
    assert_eq!(timed.iter().filter(|&&timed| timed).count(), 5);
    let row =
        |row: csv::StringRecord| row.iter().zip(&timed).filter(|(_, t)| !**t).map(|(x, _)| x.to_owned()).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}

#[test]
fn a_run_ends_with_a_summary() {
    let summary = succeed(&["simulate", "spike-and-wedge", "--steps", "4", "--method", "volume-sat"]);
    for line in ["steps", "ms a step", "contacts", "deepest contact", "energy", "caps that were hit", "largest drift"] {
        assert!(summary.lines().any(|l| l.starts_with(line)), "{line}: {summary}");
    }
    assert!(summary.contains("4, to step 4 at 0.04"), "{summary}");
    assert_eq!(summary.contains("peak memory"), cfg!(target_os = "linux"));
}

#[test]
fn a_run_with_ccd_says_what_it_did() {
    let run = |more: &[&str]| succeed(&[&["simulate", "pillar", "--steps", "4"], more].concat());
    let line = |summary: &str| summary.lines().find(|l| l.starts_with("CCD")).map(str::to_owned);
    let with = line(&run(&["--ccd", "--clearance", "1e-3"])).unwrap();
    assert!(with.contains("steps in substeps, at most") && !with.contains("ended early"), "{with}");
    assert_eq!(line(&run(&[])), None);
    for clearance in ["nan", "0", "inf"] {
        let message = refused(&["simulate", "pillar", "--steps", "1", "--ccd", "--clearance", clearance]);
        assert!(message.contains("clearance"), "{message}");
    }
    assert!(refused(&["simulate", "pillar", "--clearance", "1e-3"]).contains("--ccd"));
}

#[test]
fn rows_do_not_depend_on_threads_but_on_settings() {
    let run = |more: &[&str]| rows(&succeed(&[&["simulate", "pillar", "--steps", "3", "--csv", "-"], more].concat()));
    let one = run(&["--threads", "1"]);
    assert_eq!(one.len(), 3);
    assert_eq!(one, run(&["--threads", "8"]));
    let others: [&[&str]; 4] =
        [&["--suite"], &["--method", "growth-distance"], &["--dt", "0.002"], &["--variant", "published"]];
    for other in others {
        assert_ne!(one, run(other), "{other:?}");
    }
}

#[test]
fn a_recording_is_replayed_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let file = record(folder.path());
    assert!(!Path::new(&at("run.drystone.part")).exists());
    let replayed = succeed(&["replay", &file, "--threads", "1"]);
    assert!(replayed.contains("Scene pillar, method semi-local, variant corrected"), "{replayed}");
    assert!(replayed.contains("Steps 1 to 5 have the same bits"), "{replayed}");
    assert!(succeed(&["replay", &file, "--from-step", "4"]).contains("Steps 4 to 5 have the same bits"));

    // Seven steps at once, and the last three of them from the recording: the same rows.
    let whole = rows(&succeed(&["simulate", "pillar", "--steps", "7", "--csv", "-"]));
    let (rest, again) = (at("rest.csv"), at("again.drystone"));
    succeed(&["simulate", "--resume", &file, "--steps", "2", "--csv", &rest, "--record", &again]);
    assert_eq!(rows(&fs::read_to_string(&rest).unwrap()), whole[5..]);
    let from_four = succeed(&["simulate", "--resume", &file, "--from-step", "4", "--steps", "4", "--csv", "-"]);
    assert_eq!(rows(&from_four), whole[3..]);
    assert!(succeed(&["replay", &again]).contains("Steps 6 to 7 have the same bits"));
}

#[test]
fn a_damaged_recording_says_what_is_intact() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let file = record(folder.path());
    let mut bytes = fs::read(&file).unwrap();
    let (cut, altered) = (at("cut.drystone"), at("altered.drystone"));
    fs::write(&cut, &bytes[..bytes.len() - 20]).unwrap();
    let middle = bytes.len() - 2000;
    bytes[middle] ^= 1;
    fs::write(&altered, &bytes).unwrap();

    let message = refused(&["replay", &cut]);
    assert!(message.contains("cut off at byte") && message.contains("--intact-part"), "{message}");
    assert_eq!(message.matches("cut.drystone").count(), 1, "{message}");
    assert!(message.contains("Steps 1 to 4 are intact") || message.contains("Steps 1 to 5 are intact"), "{message}");
    let read = drystone(&["replay", &cut, "--intact-part"]);
    assert!(read.status.success() && text(&read.stdout).contains("have the same bits"));
    let message = refused(&["replay", &altered]);
    assert!(message.contains("was altered: the checksum differs"), "{message}");
    refused(&["simulate", "--resume", &altered, "--steps", "1"]);
    succeed(&["simulate", "--resume", &altered, "--steps", "1", "--intact-part"]);
    assert!(refused(&["replay", &at("nothing")]).contains("nothing"));
    fs::write(at("text"), "hello").unwrap();
    assert!(refused(&["replay", &at("text")]).contains("not a recording"));
}

/// A step whose record is another than what comes out.
#[test]
fn a_replay_that_differs_has_status_1() {
    use drystone::engine::recording::{FrameKind, FrameReader, FrameWriter};
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let file = record(folder.path());
    let bytes = fs::read(&file).unwrap();
    let (mut reader, mut writer) = (FrameReader::new(&bytes[..]).unwrap(), FrameWriter::new(Vec::new()).unwrap());
    loop {
        let (kind, mut content) = reader.read().unwrap();
        // The number of a step is the first byte, its time the next eight; then the number of bodies, and the first body.
        if kind == FrameKind::Step && content[0] == 3 {
            content[10] ^= 1;
        }
        writer.write(kind, &content).unwrap();
        if kind == FrameKind::End {
            break;
        }
    }
    let other = at("other.drystone");
    fs::write(&other, writer.into_inner()).unwrap();
    let message = fail(1, &["replay", &other]);
    assert!(message.contains("step 3, body 0, position"), "{message}");
    assert!(fail(1, &["simulate", "--resume", &other, "--from-step", "4"]).contains("step 3, body 0, position"));
}

#[test]
fn steps_are_exported() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let exported = at("vtk");
    succeed(&["simulate", "pillar", "--steps", "4", "--export-vtk", &exported, "--export-every", "2"]);
    let mut names: Vec<String> =
        fs::read_dir(&exported).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let expected = [
        "bodies.pvd",
        "bodies_000000.vtp",
        "bodies_000002.vtp",
        "bodies_000004.vtp",
        "contacts.pvd",
        "contacts_000002.vtp",
        "contacts_000004.vtp",
    ];
    assert_eq!(names, expected);
    // A replay exports the same files.
    let file = at("run.drystone");
    succeed(&["simulate", "pillar", "--steps", "4", "--record", &file]);
    let again = at("again");
    succeed(&["replay", &file, "--export-vtk", &again, "--export-every", "2"]);
    for name in expected {
        let read = |folder: &str| fs::read(Path::new(folder).join(name)).unwrap();
        assert_eq!(read(&exported), read(&again), "{name}");
    }
}

#[test]
fn bad_usage_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let file = record(folder.path());
    let requests: [&[&str]; 11] = [
        &["simulate"],
        &["simulate", "tower"],
        &["simulate", "pillar", "--steps", "0"],
        &["simulate", "pillar", "--dt", "-1"],
        &["simulate", "pillar", "--from-step", "2"],
        &["simulate", "pillar", "--intact-part"],
        &["simulate", "pillar", "--keyframes", "2"],
        &["simulate", "pillar", "--export-every", "2"],
        &["simulate", "--resume", &file, "--suite"],
        &["simulate", "--resume", &file, "--variant", "published"],
        &["simulate", "--resume", &file, "--from-step", "9"],
    ];
    for arguments in requests {
        refused(arguments);
    }
    assert!(refused(&["replay", &file, "--from-step", "0"]).contains("steps 1 to 6"));
    // What a killed run has left is not written over.
    fs::write(at("killed.part"), "").unwrap();
    let message = refused(&["simulate", "pillar", "--steps", "1", "--record", &at("killed")]);
    assert!(message.contains("killed.part is there"), "{message}");
}

/// Ctrl-C ends a run after its step; the recording is whole and can be resumed.
#[cfg(unix)]
#[test]
fn an_interrupted_run_is_whole() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let (file, csv) = (at("run.drystone"), at("run.csv"));
    let mut run = program()
        .args(["simulate", "pillar", "--steps", "100000000", "--record", &file, "--csv", &csv, "--keyframes", "50"])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // It has begun when there is a step in the part.
    let part = format!("{file}.part");
    while fs::metadata(&part).map_or(0, |there| there.len()) < 100_000 {
        assert!(run.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    let messages: Vec<String> = BufReader::new(run.stderr.take().unwrap()).lines().map(|line| line.unwrap()).collect();
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let last = messages.last().unwrap();
    assert!(last.contains("Ended after step") && last.contains("--resume"), "{messages:?}");
    let steps = rows(&fs::read_to_string(&csv).unwrap()).len();
    assert!(succeed(&["replay", &file]).contains(&format!("Steps 1 to {steps} have the same bits")));
}

#[test]
fn runs_by_the_soft_step_and_by_the_global_solver_are_replayed_and_resumed() {
    for solver in ["soft", "soft-accurate", "global"] {
        let folder = tempfile::tempdir().unwrap();
        let at = within(&folder);
        let arguments = ["simulate", "arch", "--steps", "12", "--solver", solver];
        let summary = succeed(&[&arguments[..], &["--record", &at("run.drystone"), "--keyframes", "5"]].concat());
        assert!(summary.lines().any(|line| line.starts_with("solver") && line.ends_with(solver)), "{summary}");
        succeed(&["replay", &at("run.drystone"), "--threads", "1"]);
        let more = succeed(&["simulate", "--resume", &at("run.drystone"), "--steps", "2"]);
        assert!(more.lines().any(|line| line.starts_with("solver") && line.ends_with(solver)), "{more}");
    }
}

#[test]
fn a_run_by_the_svd_force_method() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let arguments = ["simulate", "pillar", "--steps", "6", "--solver", "svd"];
    let summary = succeed(&[&arguments[..], &["--record", &at("run.drystone"), "--csv", &at("run.csv")]].concat());
    assert!(summary.lines().any(|line| line.starts_with("solver") && line.ends_with("svd")), "{summary}");
    assert!(summary.contains("6 exact, 0 by fall-back, 0 inconsistent"), "{summary}");
    let csv = fs::read_to_string(at("run.csv")).unwrap();
    let exact = csv.lines().next().unwrap().split(',').position(|name| name == "svd_exact").unwrap();
    assert!(csv.lines().skip(1).all(|row| row.split(',').nth(exact) == Some("1")), "{csv}");
    succeed(&["replay", &at("run.drystone"), "--threads", "1"]);
    let more = succeed(&["simulate", "--resume", &at("run.drystone"), "--steps", "2"]);
    assert!(more.contains("2 exact"), "{more}");

    let solver = |text: &str| text.lines().find(|line| line.starts_with("solver")).unwrap_or_default().to_owned();
    let usual = succeed(&["simulate", "pillar", "--steps", "80"]);
    assert!(solver(&usual).ends_with("soft") && !usual.contains("exact"), "{usual}");
    assert!(usual.contains("asleep") && !usual.contains(" 0 bodies at the end"), "{usual}");
    let suite = succeed(&["simulate", "pillar", "--steps", "2", "--suite"]);
    assert!(solver(&suite).ends_with("prox-gauss-seidel"), "{suite}");
    let message = refused(&["simulate", "pillar", "--solver", "lemke"]);
    assert!(message.contains("lemke") && message.contains("prox-gauss-seidel, svd"), "{message}");
    refused(&["simulate", "--resume", &at("run.drystone"), "--solver", "svd"]);
}

/// The solver is part of what results depend on, and they say so.
#[test]
fn assessments_say_which_solver_stepped() {
    let assess = |solver: &[&str]| {
        let base = ["assess", "--scene", "wedges", "--method", "semi-local", "--json", "-"];
        serde_json::from_str::<serde_json::Value>(&succeed(&[&base[..], solver].concat())).unwrap()
    };
    let (usual, svd) = (assess(&[]), assess(&["--solver", "svd"]));
    assert_eq!(usual["settings"]["solver"], "prox-gauss-seidel");
    assert_eq!(svd["settings"]["solver"], "svd");
    assert!(svd["rows"][0]["published"].is_null());
    let contacts = |solver: &str| {
        succeed(&["contacts", "--scene", "wedges", "--method", "semi-local", "--step", "3", "--solver", solver])
    };
    assert_eq!(contacts("svd").lines().count(), contacts("prox-gauss-seidel").lines().count());
}

/// Simulated, recorded, made again, resumed, exported and shown by another simulator than the usual one.
#[test]
fn a_run_by_backtracking_is_recorded_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let (file, page, vtk, csv) = (at("run.drystone"), at("run.html"), at("vtk"), at("run.csv"));
    let base = ["simulate", "drop-scene", "--simulator", "backtracking"];
    let outputs = ["--record", &file, "--page", &page, "--export-vtk", &vtk, "--csv", &csv];
    let steps = ["--steps", "24", "--keyframes", "10"];
    let summary = succeed(&[&base[..], &steps, &outputs].concat());
    let line = |what: &str| summary.lines().find(|line| line.starts_with(what)).unwrap().to_owned();
    assert!(line("simulator").ends_with("backtracking") && line("events").contains("collisions"), "{summary}");
    assert!(line("deepest contact").ends_with("none") && line("islands").contains("torsional friction left out"));

    let replayed = succeed(&["replay", &file]);
    assert!(replayed.contains("simulator backtracking") && replayed.contains("Steps 1 to 24 have the same bits"));
    assert!(succeed(&["replay", &file, "--from-step", "21"]).contains("Steps 21 to 24 have the same bits"));
    // On from a keyframe in its middle: the same rows as at once.
    let again = succeed(&["simulate", "--resume", &file, "--from-step", "20", "--steps", "5", "--csv", "-"]);
    assert_eq!(rows(&again), rows(&fs::read_to_string(&csv).unwrap())[19..]);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("drop-scene by backtracking") && html.contains("\"label\":\"backtracking\""));
    assert!(fs::read_to_string(at("vtk/contacts_000024.vtp")).unwrap().contains("normal_force"));
}

#[test]
fn a_simulator_refuses_by_name_what_it_cannot_do() {
    let listed = succeed(&["simulators"]);
    assert!(listed.lines().count() == 3 && listed.contains("time-stepping") && listed.contains("backtracking"));
    assert!(listed.contains("asynchronous"), "{listed}");
    let message = refused(&["simulate", "drop-scene", "--simulator", "synchronous"]);
    assert!(
        message.contains("synchronous") && message.contains("time-stepping, backtracking, asynchronous"),
        "{message}"
    );
    let by = |more: &[&str]| refused(&[&["simulate", "drop-scene", "--simulator", "backtracking"], more].concat());
    let options: [&[&str]; 6] = [
        &["--method", "vclip"],
        &["--solver", "svd"],
        &["--suite"],
        &["--ccd"],
        &["--threads", "2"],
        &["--variant", "published"],
    ];
    for option in options {
        let message = by(option);
        assert!(message.contains(option[0]) && message.contains("time-stepping"), "{message}");
    }
    assert!(by(&["--suite", "--solver", "svd"]).contains("--solver, --suite are without effect"));
    // Bodies that touch.
    let message = refused(&["simulate", "pillar", "--simulator", "backtracking", "--steps", "1"]);
    assert!(message.contains("drum 3 and capital cone touch or overlap") && message.contains("apart"), "{message}");
}

/// A recording says by which reading of a method it was made, and is replayed by that.
#[test]
fn a_run_by_a_published_reading_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let file = within(&folder)("run.drystone");
    let by = ["--method", "intersection", "--variant", "published"];
    succeed(&[&["simulate", "spikes", "--steps", "3", "--record", &file], &by[..]].concat());
    let replayed = succeed(&["replay", &file]);
    assert!(replayed.contains("method intersection, variant published"), "{replayed}");
    assert!(replayed.contains("Steps 1 to 3 have the same bits."), "{replayed}");
}

/// An L-shaped plate lies three centimetres deep in a slab.
const DEEP: &str = r#"
name = "deep"
time_step = 1e-6
gravity = [0, 0, 0]
materials = ["stone"]
[[interaction]]
between = ["stone", "stone"]
friction = 0.5
[[body]]
name = "slab"
material = "stone"
fixed = true
position = [0, -0.25, 0]
shape.box = [4, 0.5, 4]
[[body]]
name = "L"
material = "stone"
density = 1000
[body.shape]
vertices = [
  [0, -0.03, 0], [0, -0.03, 1], [0.5, -0.03, 1], [0.5, -0.03, 0.5], [1, -0.03, 0.5], [1, -0.03, 0],
  [0, 0.17, 0], [0, 0.17, 1], [0.5, 0.17, 1], [0.5, 0.17, 0.5], [1, 0.17, 0.5], [1, 0.17, 0],
]
triangles = [
  [0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 5, 4], [6, 7, 8], [6, 8, 9], [6, 9, 10], [6, 10, 11],
  [0, 1, 7], [0, 7, 6], [1, 2, 8], [1, 8, 7], [2, 3, 9], [2, 9, 8], [3, 4, 10], [3, 10, 9], [4, 5, 11], [4, 11, 10],
  [5, 0, 6], [5, 6, 11],
]
"#;

#[test]
fn an_audit_tells_how_deep_bodies_are_whatever_the_contacts_say() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let (scene, table) = (at("deep.toml"), at("deep.csv"));
    fs::write(&scene, DEEP).unwrap();
    let summary = succeed(&["simulate", &scene, "--steps", "5", "--audit=2", "--csv", &table]);
    let line = summary.lines().find(|line| line.starts_with("largest overlap")).unwrap();
    assert!(line.contains("m between slab and L, after step 2") && line.contains("1 pairs at the end"), "{line}");
    assert!(line.ends_with("measured by surfaces after 3 steps"), "{line}");
    let mut reader = csv::Reader::from_path(&table).unwrap();
    let headers = reader.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let (width, pairs) = (column("audited_overlap"), column("audited_pairs"));
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    for (step, row) in (1..).zip(&rows) {
        if step == 2 || step >= 4 {
            // A position correction may lift it by up to a centimetre a step.
            let width: f64 = row[width].parse().unwrap();
            assert!(width <= 0.03 + 1e-9 && (step > 2 || width > 0.009), "step {step}: {width}");
        } else {
            assert_eq!((&row[width], &row[pairs]), ("", ""), "step {step}");
        }
    }
    // Without being asked, the end is measured.
    let deep = succeed(&["simulate", &scene, "--steps", "1"]);
    assert!(deep.contains("m between slab and L, after step 1; 1 pairs; measured by surfaces at the end"), "{deep}");
    let every = succeed(&["simulate", "pillar", "--steps", "2", "--audit"]);
    assert!(every.contains("measured by surfaces after 2 steps"), "{every}");
    assert!(fail(2, &["simulate", "pillar", "--audit=0"]).contains("--audit"));
}
