//! `drystone study` as its users see it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::run;

/// Standard output of a run that must succeed.
fn succeed(arguments: &[&str]) -> String {
    run::succeed(&[&["study"], arguments].concat())
}

/// The message of a run that must be refused.
fn refused(arguments: &[&str]) -> String {
    run::refused(&[&["study"], arguments].concat())
}

/// Name and content of all files below a folder, by name.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn studies_show_the_published_figures_beside_ours() {
    let table = succeed(&["pillar-quality", "--variant", "earlier"]);
    let row = |method: &str| table.lines().find(|line| line.starts_with(method)).unwrap().to_owned();
    assert_eq!(
        row("most-opposing").split_whitespace().collect::<Vec<_>>()[1..],
        ["89.6", "91.6", "346", "214", "8.7", "5.3"]
    );
    let other = succeed(&["pillar-quality", "--variant", "earlier", "--steps", "1"]);
    assert!(!other.contains("91.6"), "table 7 is about the second step: {other}");
    let interfaces = succeed(&["interfaces", "--method", "closest-points", "--variant", "published"]);
    assert!(interfaces.contains("0.89 0.89") && interfaces.contains("0.66 0.64"), "{interfaces}");
}

#[test]
fn every_study_has_a_row_for_every_run() {
    let runs = [
        ("contact-statistics", 1),
        ("pillar-quality", 1),
        ("wall", 1),
        ("arch", 1),
        ("interfaces", 2),
        ("perturbation", 16),
        ("refinement", 3),
        ("time-step", 3),
    ];
    for (name, rows) in runs {
        let common = [name, "--method", "vertex-only", "--steps", "1"];
        let csv = succeed(&[&common[..], &["--csv", "-"]].concat());
        assert_eq!(csv.lines().count(), rows + 1, "{name}: {csv}");
        let json: Value = serde_json::from_str(&succeed(&[&common[..], &["--json", "-"]].concat())).unwrap();
        assert_eq!((&json["schema"], &json["study"]), (&"drystone.study/1".into(), &name.into()));
        let finished = json["runs"].as_array().unwrap();
        assert_eq!((finished.len(), json["failures"].as_array().unwrap().len()), (rows, 0));
        for run in finished {
            assert_eq!((&run["run"]["method"], &run["run"]["steps"]), (&"vertex-only".into(), &1.into()));
            let has = if name == "contact-statistics" { &run["statistics"]["counts"] } else { &run["sample"]["up"] };
            assert!(!has.as_array().unwrap().is_empty(), "{name}");
        }
    }
}

#[test]
fn results_do_not_depend_on_threads_and_a_half_finished_folder_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let run = |name: &str, threads: &str| {
        let place = place(name);
        let methods = ["--method", "vertex-only", "--method", "most-opposing"];
        let rest = ["perturbation", "--seed", "7", "--threads", threads, "--out", place.to_str().unwrap()];
        succeed(&[&rest[..], &methods].concat())
    };
    let output = run("one", "1");
    assert_eq!(run("two", "2"), output);
    let strip = |name: &str| -> Vec<_> {
        let base = place(name);
        files(&base).into_iter().map(|(path, text)| (path.strip_prefix(&base).unwrap().to_owned(), text)).collect()
    };
    let whole = strip("one");
    assert_eq!(whole.len(), 32 + 3);
    assert_eq!(strip("two"), whole);
    // As if it had been stopped: every third run is missing, and so are the results; a temporary file is left over.
    for (k, (path, _)) in whole.iter().enumerate() {
        if k % 3 == 0 || !path.starts_with("runs") {
            fs::remove_file(place("two").join(path)).unwrap();
        }
    }
    fs::write(place("two").join("runs/.tmpA1b2C3"), "{\"format\"").unwrap();
    assert_eq!(run("two", "2"), output);
    fs::remove_file(place("two").join("runs/.tmpA1b2C3")).unwrap();
    assert_eq!(strip("two"), whole);
}

#[test]
fn files_that_cannot_be_used_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let common = ["pillar-quality", "--method", "vertex-only", "--out", out];
    succeed(&common);
    // Another step is another run, in a file of its own.
    succeed(&[&common[..], &["--steps", "3"]].concat());
    let file = folder.path().join("runs/pillar-quality_pillar_corrected_vertex-only_steps-2.json");
    let whole = fs::read_to_string(&file).unwrap();
    let program = whole.split('"').find(|text| text.starts_with("drystone 0")).unwrap();
    assert!(program.contains(" build "), "{program}");
    for (there, instead, says) in [
        ("\"steps\":2", "\"steps\":4", "steps 4 instead of 2"),
        (program, "drystone 0.1.0", "program drystone 0.1.0 instead of drystone 0.1.0 build"),
    ] {
        fs::write(&file, whole.replace(there, instead)).unwrap();
        let message = refused(&common);
        assert!(message.contains(says), "{message}");
    }
    fs::write(&file, &whole[..100]).unwrap();
    let message = refused(&common);
    assert!(message.contains("steps-2.json is damaged") && message.contains("remove it"), "{message}");
    fs::remove_file(&file).unwrap();
    succeed(&common);
    assert_eq!(fs::read_to_string(&file).unwrap(), whole);
}

#[test]
fn wrong_usage_is_refused() {
    assert!(refused(&["table-9"]).contains("pillar-quality"));
    assert!(refused(&["wall", "--seed", "3"]).contains("--seed belongs to the study perturbation"));
    assert!(refused(&["wall", "--steps", "0"]).contains("--steps"));
    assert!(refused(&["wall", "--variant", "oldest"]).contains("corrected, published, earlier"));
    assert!(refused(&["wall", "--json", "-", "--csv", "-"]).contains("--json and --csv"));
}
