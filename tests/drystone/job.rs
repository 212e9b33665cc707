//! `drystone job` as its users see it.

use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use crate::run::{self, program, text};

/// A run of jobs to its end.
fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = program();
    command.arg("job").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

/// The results of a run that ends with a status.
fn results(status: i32, arguments: &[&str], input: &str) -> Vec<Value> {
    let output = run(arguments, input.as_bytes());
    assert_eq!(output.status.code(), Some(status), "{}", text(&output.stderr));
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The result without times.
fn timeless(mut result: Value) -> Value {
    for row in result["rows"].as_array_mut().into_iter().flatten() {
        row["seconds"] = Value::Null;
    }
    result
}

fn lines(jobs: &[Value]) -> String {
    jobs.iter().map(|job| format!("{job}\n")).collect()
}

#[test]
fn scores_are_those_of_assess_and_results_have_the_order_of_the_lines() {
    let jobs: Vec<Value> = ["pillar", "cliff-edges", "spikes", "wedges"]
        .iter()
        .flat_map(|scene| ["volume-sat", "semi-local"].map(|method| json!({ "scene": scene, "method": method })))
        .collect();
    let found = results(0, &["--threads", "2"], &lines(&jobs));
    let alone = results(0, &["--threads", "1"], &lines(&jobs));
    assert_eq!(found.len(), jobs.len());
    let schema: Value = serde_json::from_str(include_str!("../../docs/job.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let mut ids = Vec::new();
    for (number, ((job, one), other)) in (1..).zip(jobs.iter().zip(&found).zip(&alone)) {
        assert_eq!(timeless(one.clone()), timeless(other.clone()));
        assert!(schema.is_valid(one), "{:?}", schema.iter_errors(one).map(|e| e.to_string()).collect::<Vec<_>>());
        assert_eq!((&one["line"], &one["job"]["scene"]), (&json!(number), &job["scene"]));
        ids.push(one["id"].as_str().unwrap());
        let [scene, method] = ["scene", "method"].map(|name| job[name].as_str().unwrap());
        let assessed = run::succeed(&["assess", "--scene", scene, "--method", method, "--json", "-"]);
        let mut assessed: Value = serde_json::from_str(&assessed).unwrap();
        assert_eq!(timeless(one.clone())["rows"], timeless(assessed.take())["rows"]);
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), jobs.len());
}

#[test]
fn ways_to_write_a_job_have_one_id() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("edges.toml");
    let written = run::succeed(&["scenes", "--write", "-", "--scene", "cliff-edges"]);
    fs::write(&path, &written).unwrap();
    let same = [
        json!({ "scene": "pillar", "method": "semi-local" }),
        json!({ "method": { "name": "semi-local" }, "scene": "pillar", "level": 0, "noise": 0.0, "seed": 7 }),
        json!({ "scene": "pillar", "method": { "name": "semi-local", "variant": "corrected", "settings": {} },
            "model": "procedural", "assessment": { "truth": "corrected", "tolerance": 1e-4 } }),
    ];
    let files = [
        json!({ "scene": path.to_str().unwrap(), "method": "semi-local" }),
        json!({ "scene": { "toml": format!("# A remark.\n{written}") }, "method": "semi-local" }),
    ];
    let other = [
        json!({ "scene": "wall", "method": "semi-local" }),
        json!({ "scene": "pillar", "method": "semi-local", "noise": 0.01, "seed": 1 }),
        json!({ "scene": "pillar", "method": "semi-local", "noise": 0.01, "seed": 2 }),
        json!({ "scene": "pillar", "method": "semi-local", "level": 1 }),
        json!({ "scene": "pillar", "method": "semi-local", "time_step": 0.02 }),
        json!({ "scene": "pillar", "method": "semi-local", "solver": "soft" }),
        json!({ "scene": "pillar", "method": "semi-local", "simulation": { "steps": 2 } }),
        json!({ "scene": "pillar", "method": { "name": "semi-local", "settings": { "envelope": 0.01 } } }),
        json!({ "scene": "pillar", "method": { "name": "volume-sat", "variant": "published" } }),
        json!({ "scene": "pillar", "method": "semi-local", "model": "recorded" }),
        json!({ "scene": "pillar", "method": "semi-local", "assessment": { "step": 3 } }),
    ];
    let ids = |jobs: &[Value]| -> Vec<String> {
        let found = results(0, &["--ids"], &lines(jobs));
        found.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    };
    let (same, files, mut all) = (ids(&same), ids(&files), ids(&other));
    assert!(same.iter().all(|id| *id == same[0]), "{same:?}");
    assert_eq!(files[0], files[1]);
    all.extend([same[0].clone(), files[0].clone()]);
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), other.len() + 2);
    // What is spelled out is the same job.
    let found = results(0, &["--ids"], &lines(&other));
    let spelled: Vec<Value> = found.iter().map(|one| one["job"].clone()).collect();
    for (one, again) in found.iter().zip(results(0, &["--ids"], &lines(&spelled))) {
        assert_eq!(one["id"], again["id"]);
    }
}

#[test]
fn a_scene_that_is_carried_has_the_scores_of_the_scene() {
    let written = run::succeed(&["scenes", "--write", "-", "--scene", "spikes"]);
    let jobs =
        [json!("spikes"), json!({ "toml": written })].map(|scene| json!({ "scene": scene, "method": "volume-sat" }));
    let found = results(0, &[], &lines(&jobs));
    for name in ["coverage", "quality", "contacts", "excess", "minimum_at_pose"] {
        assert_eq!(found[0]["rows"][0][name], found[1]["rows"][0][name], "{name}");
    }
    assert_eq!(found[1]["job"]["scene"]["name"], "spikes");
}

#[test]
fn a_bad_line_loses_itself_alone_and_says_what_is_wrong() {
    let good = r#"{"scene": "spikes", "method": "semi-local"}"#;
    let bad = [
        (r#"{"scene": "spikes", "method": "#, "EOF"),
        (r#"{"scene": "spikes"}"#, "missing field `method` at column 19"),
        (r#"{"scene": "tower", "method": "semi-local"}"#, "box-stack"),
        (r#"{"scene": "spikes", "method": "gjk"}"#, "volume-sat"),
        (r#"{"scene": "spikes", "method": {"name": "vclip", "settings": {"depht": 1}}}"#, "depht"),
        (r#"{"scene": "spikes", "method": "vclip", "noise": 0.1}"#, "noise needs a seed"),
        (r#"{"scene": "spikes", "method": "vclip", "seed": 1}"#, "seed is without effect"),
        (r#"{"scene": "spikes", "method": "vclip", "noise": -1, "seed": 1}"#, "not below 0"),
        (r#"{"scene": "spikes", "method": "vclip", "level": 9}"#, "from 0 to 4"),
        (r#"{"scene": "spikes", "method": "vclip", "time_step": 0}"#, "time_step is 0"),
        (r#"{"scene": "wall", "method": "vclip", "size": 3}"#, "one size"),
        (r#"{"scene": "spikes", "method": "vclip", "solver": "lemke"}"#, "soft-accurate"),
        (r#"{"scene": "spikes", "method": "vclip", "simulation": {"steps": 0}}"#, "simulation.steps is 0"),
        (r#"{"scene": "spikes", "method": "vclip", "simulation": {"step": 3}}"#, "unknown field `step`"),
        (r#"{"scene": "card-house", "method": "semi-local"}"#, "nothing is known"),
        (r#"{"scene": {"toml": "name = "}, "method": "semi-local"}"#, "line 1"),
        (r#"{"scene": "box-stack", "method": "semi-local", "assessment": {"tolerance": 0}}"#, "assessment.tolerance"),
        ("[1, 2]", "not a job"),
    ];
    let mut input = format!("{good}\n\n");
    bad.iter().for_each(|(line, _)| input += &format!("{line}\n"));
    let mut input = input.into_bytes();
    input.extend(b"\xff\xfe\n");
    input.extend(good.as_bytes());
    let output = run(&[], &input);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let found: Vec<Value> = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), bad.len() + 3);
    let schema: Value = serde_json::from_str(include_str!("../../docs/job.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    for ((line, (_, says)), found) in (3..).zip(&bad).zip(&found[1..]) {
        let error = found["error"].as_str().unwrap();
        assert!(error.contains(says) && found["line"] == line, "line {line}: {error}");
        assert!(schema.is_valid(found), "{found}");
    }
    assert!(found[bad.len() + 1]["error"].as_str().unwrap().contains("cannot be read: invalid utf-8"));
    assert_eq!(found[0]["rows"][0]["coverage"], found[bad.len() + 2]["rows"][0]["coverage"]);
}

#[test]
fn a_simulation_that_is_interrupted_goes_on_with_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let job =
        json!({ "scene": "pyramid", "method": "semi-local", "size": 3, "simulation": { "steps": 60, "bodies": true } });
    let whole = results(0, &[], &lines(std::slice::from_ref(&job)));
    let end = &whole[0]["end"];
    assert_eq!((&end["steps"], whole[0]["rows"].as_array().unwrap().len()), (&json!(60), 0));
    assert!(!end["bodies"].as_array().unwrap().is_empty() && end["contacts"].as_u64() > Some(0));
    // A longer run leaves a checkpoint; the shorter one is another job, which does not take it.
    let place = folder.path().to_str().unwrap();
    let options = ["--checkpoints", place, "--checkpoint-every", "7"];
    let mut command = program();
    let long = json!({ "scene": "pyramid", "method": "semi-local", "size": 3, "simulation": { "steps": 100_000_000 } });
    command.arg("job").args(options).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines(&[long]).as_bytes()).unwrap();
    let left = || {
        fs::read_dir(folder.path())
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|end| end == "checkpoint"))
    };
    while left().count() == 0 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::process::Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0));
    assert!(text(&output.stderr).contains("as asked"), "{}", text(&output.stderr));
    let again = results(0, &options, &lines(std::slice::from_ref(&job)));
    assert_eq!(again, whole);
    assert_eq!(left().count(), 1, "the finished job has left nothing");
    // One that is damaged is refused.
    let file = left().next().unwrap().unwrap().path();
    let id = again[0]["id"].as_str().unwrap();
    fs::write(folder.path().join(format!("{id}.checkpoint")), &fs::read(&file).unwrap()[..500]).unwrap();
    let refused = results(1, &options, &lines(&[job]));
    assert!(refused[0]["error"].as_str().unwrap().contains("damaged; remove it"), "{refused:?}");
}

#[test]
fn wrong_usage_is_refused() {
    assert!(run::refused(&["job", "--checkpoints", "x"]).contains("--checkpoint-every"));
    assert!(run::refused(&["job", "--threads", "0"]).contains("--threads"));
}
