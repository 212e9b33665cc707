//! `--page` as its users see it: one file with what was run.

use std::fs;
use std::path::Path;
use std::process::Command;

use drystone::contact::generator::methods;
use serde_json::Value;

use crate::run::{self, refused, succeed};

/// The data in a page, after a look at the whole of it.
fn data(path: &str) -> Value {
    let page = fs::read_to_string(path).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    let (data, rest) = rest.split_once("</script>").unwrap();
    let around = page.replace(data, "");
    for loads in ["src=", "<link", "@import", "url(", "fetch(\"", "import("] {
        // three.js has loaders and their words; the page around it has none.
        let (markup, _) = around.split_once("<script>").unwrap();
        assert!(!markup.contains(loads), "{loads}");
    }
    assert!(rest.contains("three.js") && page.contains("default-src 'none'"));
    serde_json::from_str(data).unwrap()
}

fn moments(run: &Value) -> Vec<(u64, u64)> {
    let moment = |m: &Value| (m["step"].as_u64().unwrap(), m["contacts"]["count"].as_u64().unwrap());
    run["moments"].as_array().unwrap().iter().map(moment).collect()
}

/// Rows of a CSV by step and number of contacts.
fn rows(csv: &str) -> Vec<(u64, u64)> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let column = |name: &str, heads: &csv::StringRecord| heads.iter().position(|head| head == name).unwrap();
    let heads = reader.headers().unwrap().clone();
    let (step, contacts) = (column("step", &heads), column("contacts", &heads));
    let number = |row: &csv::StringRecord, k: usize| row[k].parse().unwrap();
    reader.records().map(|row| row.unwrap()).map(|row| (number(&row, step), number(&row, contacts))).collect()
}

/// The rows without their times of day.
fn untimed(csv: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let heads = reader.headers().unwrap().clone();
    let kept = |row: csv::StringRecord| {
        let cells = heads.iter().zip(row.iter()).filter(|(head, _)| !head.ends_with("seconds"));
        cells.map(|(_, cell)| cell.to_owned()).collect()
    };
    reader.records().map(|row| kept(row.unwrap())).collect()
}

fn within(folder: &tempfile::TempDir) -> impl Fn(&str) -> String {
    move |name| folder.path().join(name).display().to_string()
}

#[test]
fn a_run_is_in_its_page_and_is_not_changed_by_it() {
    let folder = tempfile::tempdir().unwrap();
    let page = within(&folder)("run.html");
    for method in ["vclip", "growth-distance"] {
        let arguments = ["simulate", "spike-and-wedge", "--steps", "6", "--method", method, "--csv", "-"];
        let alone = succeed(&arguments);
        let with = succeed(&[&arguments[..], &["--page", &page]].concat());
        assert_eq!(untimed(&alone), untimed(&with), "{method}");
        let data = data(&page);
        let run = &data["runs"][0];
        assert_eq!((&data["scenes"][0]["name"], &run["label"]), (&"spike-and-wedge".into(), &method.into()));
        assert_eq!(moments(run)[1..], rows(&with), "{method}");
        assert_eq!((moments(run)[0].0, run["every"].as_u64()), (0, Some(1)));
    }
    // A run that goes on with a recording begins there.
    let file = within(&folder)("run.drystone");
    succeed(&["simulate", "card-house", "--steps", "3", "--record", &file]);
    succeed(&["simulate", "--resume", &file, "--steps", "2", "--page", &page]);
    let steps: Vec<u64> = moments(&data(&page)["runs"][0]).into_iter().map(|(step, _)| step).collect();
    assert_eq!(steps, [3, 4, 5]);
}

#[test]
fn an_assessment_is_in_its_page() {
    let folder = tempfile::tempdir().unwrap();
    let (page, json) = (within(&folder)("all.html"), within(&folder)("all.json"));
    let scenes = ["--scene", "internal-edges", "--scene", "wedge-in-crack"];
    succeed(&[&["assess", "--page", &page, "--json", &json][..], &scenes].concat());
    let rows: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    let data = data(&page);
    let runs = data["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2 * methods::all().len());
    for (run, row) in runs.iter().zip(rows["rows"].as_array().unwrap()) {
        assert_eq!(data["scenes"][run["scene"].as_u64().unwrap() as usize]["name"], row["scene"]);
        assert_eq!(run["label"], row["method"]);
        let last = *moments(run).last().unwrap();
        assert_eq!((last.0, last.1), (row["step"].as_u64().unwrap(), row["contacts"].as_u64().unwrap()), "{row}");
        assert_eq!(moments(run).len() as u64, row["step"].as_u64().unwrap() + 1);
        // Coverage by normals, where the scene has no areas.
        if row["area"].is_null() {
            let numbers = &run["moments"].as_array().unwrap().last().unwrap()["numbers"];
            assert_eq!(numbers["coverage"], row["coverage"], "{row}");
        }
    }
    // A page alone is no report.
    let output = run::program()
        .args(["assess", "--scene", "spikes", "--pose", "start", "--page", "start.html"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success() && !folder.path().join("drystone-report").exists());
    let start = self::data(&within(&folder)("start.html"));
    assert!(start["runs"].as_array().unwrap().iter().all(|run| moments(run).len() == 1));
}

#[test]
fn bad_places_are_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let at = within(&folder);
    let csv = at("same.html");
    let long = ["simulate", "pillar", "--steps", "1000000000"];
    let places = [
        (vec!["--page", "-"], "give it a name"),
        (vec!["--page", folder.path().to_str().unwrap()], "is a folder"),
        (vec!["--page", "/nowhere/at/all/page.html"], "/nowhere/at/all/page.html"),
        (vec!["--page", &csv, "--csv", &csv], "different places"),
    ];
    for (place, words) in places {
        let message = refused(&[&long[..], &place].concat());
        assert!(message.contains(words), "{message}");
        let message = refused(&[&["assess"][..], &place].concat());
        assert!(message.contains(words), "{message}");
    }
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
}

/// Ctrl-C ends a run after its step; what was run is in the page.
#[cfg(unix)]
#[test]
fn an_interrupted_run_has_its_page() {
    use std::process::Stdio;
    let folder = tempfile::tempdir().unwrap();
    let (page, file) = (within(&folder)("run.html"), within(&folder)("run.drystone"));
    let mut run = run::program()
        .args(["simulate", "spikes", "--steps", "100000000", "--record", &file, "--page", &page])
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let part = format!("{file}.part");
    while fs::metadata(&part).map_or(0, |there| there.len()) < 20_000 {
        assert!(run.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(!Path::new(&page).exists());
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    assert_eq!(run.wait().unwrap().code(), Some(130));
    let replayed = succeed(&["replay", &file]);
    let steps = moments(&data(&page)["runs"][0]);
    let (last, _) = steps.last().unwrap();
    assert!(replayed.contains(&format!("Steps 1 to {last} have")), "{replayed}: {last}");
}
