//! The program in a crate with a contact method of its own, as `examples/own_method.rs` has it.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use drystone::contact::generator::methods;
use serde_json::Value;

#[allow(dead_code)]
#[path = "../../examples/own_method.rs"]
mod example;

/// Runs the program with the methods of the example; `FILE` is a file of this name in the folder.
fn program(folder: &Path, arguments: &[&str]) -> ExitCode {
    let place = |word: &&str| match word.strip_prefix("FILE:") {
        Some(name) => folder.join(name).into_os_string(),
        None => OsString::from(word),
    };
    let registry = example::registry().unwrap();
    drystone::program::run_with(&registry, std::iter::once("own".into()).chain(arguments.iter().map(place)))
}

fn read(folder: &Path, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

#[test]
fn every_part_of_the_program_takes_a_method_from_outside() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let succeed = |arguments: &[&str]| assert_eq!(program(folder, arguments), ExitCode::SUCCESS, "{arguments:?}");

    let at_start = ["--scene", "cliff-edges", "--pose", "start"];
    succeed(&[&["assess", "--json", "FILE:all.json", "--variant", "published"], &at_start[..]].concat());
    let rows = read(folder, "all.json")["rows"].as_array().unwrap().clone();
    assert_eq!(rows.len(), methods::all().len() + 1, "all methods of the registry");
    let row = |name: &str| rows.iter().find(|row| row["method"] == name).unwrap().clone();
    assert!(rows.iter().all(|row| row["variant"] == "published"));
    let of_row = |name: &str| row(name)["contacts"].as_u64().unwrap();
    assert!(of_row("deepest") > 0 && of_row("deepest") <= of_row("semi-local"));

    let list = |method: &str, moment: [&str; 2]| {
        succeed(
            &[&["contacts", "--scene", "pillar", "--csv", "FILE:list.csv", "--method", method], &moment[..]].concat(),
        );
        fs::read_to_string(folder.join("list.csv")).unwrap()
    };
    let (deepest, all) = (r#"deepest{"above":0.0}"#, r#"deepest{"above":1.0}"#);
    let count = |list: &str| list.lines().count() - 1;
    let (few, many) = (count(&list(deepest, ["--step", "2"])), count(&list(all, ["--step", "2"])));
    assert!(0 < few && few < many, "{few} of {many}");
    assert_eq!(list(all, ["--pose", "start"]), list("semi-local", ["--pose", "start"]));

    let study = ["study", "pillar-quality", "--method", deepest, "--json", "FILE:study.json", "--out", "FILE:study"];
    succeed(&study);
    let run = &read(folder, "study.json")["runs"][0];
    assert_eq!((&run["run"]["method"], &run["run"]["variant"]), (&"deepest".into(), &"corrected".into()));
    assert_eq!(run["sample"]["contacts"], few);

    succeed(&["methods"]);
    assert_eq!(program(folder, &["contacts", "--scene", "pillar", "--method", "shallowest"]), ExitCode::from(2));
    assert_eq!(
        program(folder, &["contacts", "--scene", "pillar", "--method", "deepest{\"deep\":1}"]),
        ExitCode::from(2)
    );
    assert_eq!(program(folder, &["contact"]), ExitCode::from(2));
}

/// A recording names the method; it is found again in the registry of the program that made it, and in no other.
#[test]
fn a_run_by_a_method_from_outside_is_recorded_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.drystone");
    let settings = r#"deepest{"above":0.001}"#;
    let run = ["simulate", "cliff-edges", "--steps", "5", "--method", settings, "--csv", "FILE:run.csv"];
    let recorded = [&run[..], &["--record", "FILE:run.drystone"]].concat();
    assert_eq!(program(folder.path(), &recorded), ExitCode::SUCCESS);
    let recording = || drystone::engine::recording::Recording::open(&file).unwrap();
    assert_eq!(recording().header().method.as_deref(), Some("deepest"));
    let mut own = recording().with_registry(example::registry().unwrap());
    let mut replay = own.replay().unwrap();
    assert_eq!(replay.simulator().method().settings()["above"], 0.001);
    let mut steps = 0;
    while replay.step().unwrap().is_some() {
        steps += 1;
    }
    assert_eq!(steps, 5);
    let error = recording().replay().err().unwrap().to_string();
    assert!(error.contains("deepest"), "{error}");
}

#[test]
fn the_documentation_shows_the_example() {
    let example = include_str!("../../examples/own_method.rs");
    let code = &example[example.find("use std::process").unwrap()..];
    assert!(include_str!("../../docs/methods.md").contains(&format!("```rust\n{code}```")));
}
