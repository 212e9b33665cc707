//! `drystone ccd` as its users see it.

use std::fs;
use std::path::{Path, PathBuf};

use drystone::contact::ccd::Kind;
use drystone::scenes::ccd::{QuerySet, packed, read};
use serde_json::Value;

use crate::run;

fn succeed(arguments: &[&str]) -> String {
    run::succeed(&[&["ccd"], arguments].concat())
}

/// The short message of a run that must be refused.
fn refused(arguments: &[&str]) -> String {
    let message = run::refused(&[&["ccd"], arguments].concat());
    assert!(message.lines().count() <= 12, "{message}");
    message
}

fn data(inner: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/tests/data/sample-queries").join(inner)
}

fn place(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&succeed(&[arguments, &["--json", "-"]].concat())).unwrap()
}

/// The sets of a folder, by name and kind.
fn sets(folder: &str) -> Vec<QuerySet> {
    let mut sets = read(&[data(folder)], None).unwrap();
    sets.sort_by(|a, b| (&a.name, a.kind).cmp(&(&b.name, b.kind)));
    sets
}

/// Without what the clock says.
fn untimed(mut document: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                ["seconds", "positive_times", "negative_times", "threads"]
                    .iter()
                    .for_each(|key| drop(map.remove(*key)));
                map.values_mut().for_each(strip);
            }
            Value::Array(all) => all.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut document);
    document
}

#[test]
fn published_and_packed_queries_are_the_same() {
    let (published, packed) = (sets("published"), sets("packed"));
    assert_eq!((published.len(), packed.len()), (4, 4));
    for (published, packed) in published.iter().zip(&packed) {
        assert_eq!((&published.name, published.kind), (&packed.name, packed.kind));
        assert_eq!(published.queries, packed.queries);
        assert_eq!(published.labels, packed.labels);
        assert!(published.times.is_none() && packed.times.is_some());
    }
    let folder = tempfile::tempdir().unwrap();
    for set in &packed {
        let path = folder.path().join("again.ccdq");
        packed::write(set, &path).unwrap();
        let again = packed::read(&path).unwrap();
        assert_eq!(
            (again.queries, again.labels, again.times),
            (set.queries.clone(), set.labels.clone(), set.times.clone())
        );
    }
}

#[test]
fn a_benchmark_has_a_row_a_set_and_a_family_and_follows_its_schema() {
    let schema = serde_json::from_str(include_str!("../../docs/ccd-bench.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let packed = data("packed");
    let document = json(&["bench", place(&packed), "--sweep", "checks"]);
    let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let rows = document["rows"].as_array().unwrap();
    let plain: Vec<_> = rows.iter().filter(|row| row["sweep"].is_null()).collect();
    assert_eq!((plain.len(), rows.len()), (4 + 2, 4 + 2 + 5 * 2));
    for row in rows {
        let f = &row["figures"];
        assert_eq!((&f["false_negatives"], &f["late"], &f["errors"]), (&0.into(), &0.into(), &0.into()));
    }
    let all = |kind: &str| plain.iter().find(|r| r["scope"] == "family" && r["kind"] == kind).unwrap();
    assert_eq!(
        (&all("vertex-face")["figures"]["queries"], &all("edge-edge")["figures"]["positives"]),
        (&24.into(), &10.into())
    );
    let without_rows = serde_json::json!({"schema": "drystone.ccd-bench/1"});
    assert!(validator.iter_errors(&without_rows).next().is_some(), "the schema asks for something");
}

#[test]
fn results_depend_neither_on_threads_nor_on_the_format() {
    let packed = data("packed");
    let run = |threads: &str| untimed(json(&["bench", place(&packed), "--threads", threads]));
    assert_eq!(run("1"), run("2"));
    let counts = |folder: &str| {
        let document = json(&["bench", place(&data(folder))]);
        let count = |row: &Value| {
            let f = &row["figures"];
            [&row["name"], &row["kind"], &f["false_positives"], &f["checks"], &f["positives"]].map(Value::to_string)
        };
        let mut rows: Vec<_> = document["rows"].as_array().unwrap().iter().map(count).collect();
        rows.sort();
        rows
    };
    assert_eq!(counts("published"), counts("packed"));
}

#[test]
fn the_exact_truth_is_that_of_the_labels_where_nothing_separates() {
    let packed = data("packed");
    let figures = |truth: &str, ms: &str| {
        let document = json(&["bench", place(&packed), "--truth", truth, "--ms", ms]);
        let rows = document["rows"].as_array().unwrap().clone();
        let numbers = |key: &str| rows.iter().map(|row| row["figures"][key].as_u64().unwrap()).collect::<Vec<_>>();
        ["positives", "false_positives", "false_negatives", "late"].map(numbers)
    };
    assert_eq!(figures("labels", "0"), figures("exact", "0"));
    let (labels, exact) = (figures("labels", "0.05"), figures("exact", "0.05"));
    let sum = |numbers: &[u64]| numbers.iter().sum::<u64>();
    assert!(sum(&exact[0]) > sum(&labels[0]), "more come within 5 cm than meet: {exact:?} {labels:?}");
    assert!(sum(&exact[1]) < sum(&labels[1]), "and are then no false positives");
    assert_eq!((sum(&exact[2]), sum(&exact[3])), (0, 0));
}

#[test]
fn tables_csv_and_page_tell_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (page, csv) = (folder.path().join("page.html"), folder.path().join("rows.csv"));
    let packed = data("packed");
    let options = ["--limit", "6", "--sweep", "ms", "--report", place(&page), "--csv", place(&csv)];
    let table = succeed(&[&["bench", place(&packed)][..], &options].concat());
    assert!(table.contains("all hand") && table.contains("minimum separation d varied"), "{table}");
    assert!(table.contains("as in the paper"), "the truth for d > 0 is told: {table}");
    let csv = fs::read_to_string(csv).unwrap();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.headers().unwrap().iter().nth(13), Some("queries"));
    let queries: Vec<String> = reader.records().map(|row| row.unwrap()[13].to_owned()).collect();
    assert_eq!(queries.len(), 6 + 5 * 2);
    assert_eq!(
        (&queries[..4], &queries[4..6]),
        (&["6", "6", "6", "6"].map(String::from)[..], &["12", "12"].map(String::from)[..])
    );
    let page = fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for part in ["id=\"table-1\"", "id=\"table-2\"", "id=\"figure-7\"", "id=\"figure-11\"", "1532.54", "18.86K"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("id=\"figure-8\"") && !page.contains("src="), "no sweep, no figure; nothing from outside");
}

#[test]
fn bad_files_are_refused_with_one_message() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path.display().to_string()
    };
    let sound = fs::read(data("packed/unit-tests-vf.ccdq")).unwrap();
    let changed = |at: usize, with: &[u8]| {
        let mut bytes = sound.clone();
        bytes[at..at + with.len()].copy_from_slice(with);
        bytes
    };
    let labels = 16 + 14 * 192;
    let refusals: [(&str, Vec<u8>, &str); 15] = [
        ("empty.ccdq", vec![], "0 bytes are less than the head"),
        ("cut.ccdq", sound[..1000].to_vec(), "the file may be truncated"),
        ("long.ccdq", [&sound[..], b"x"].concat(), "the file may be truncated"),
        ("magic.ccdq", changed(0, b"P"), "does not begin as"),
        ("kind.ccdq", changed(8, &[9]), "the kind is 9"),
        ("nan.ccdq", changed(16, &f64::NAN.to_le_bytes()), "query 0: coordinate x of point 0 at t = 0 is NaN"),
        ("label.ccdq", changed(labels, &[3]), "the label of query 0 is 3"),
        ("times.ccdq", changed(labels + 14, &2f64.to_le_bytes()), "query 0 first meets between 2"),
        ("a-vf.csv", b"1,2,3,4,5,8,1\n".repeat(7), "there are 7 rows"),
        ("b-vf.csv", b"1,2,3,4,5,0,1\n".repeat(8), "line 1: z is 5/0: the denominator is zero"),
        ("c-vf.csv", b"1,3,3,4,5,8,1\n".repeat(8), "line 1: x is 1/3: the value is not exactly a double"),
        ("d-vf.csv", b"1,2,3,4,5,8,1\n1,2,3,4,5,8,0\n".repeat(4), "line 2: the truth is 0, but 1"),
        ("e-vf.csv", b"one,2,3,4,5,8,1\n".repeat(8), "line 1: x is one/2: the numerator is not a whole number"),
        ("g-vf.csv", vec![], "there is no query in the file; it may be truncated"),
        ("f.csv", b"1,2,3,4,5,8,1\n".repeat(8), "say it with --kind"),
    ];
    for (name, content, message) in refusals {
        let path = write(name, &content);
        let told = refused(&["bench", &path]);
        assert!(told.contains(message) && told.contains(name), "{name}: {told}");
    }
    let f = folder.path().join("f.csv");
    assert!(succeed(&["bench", place(&f), "--kind", "ee"]).contains("ee"));
}

#[test]
fn bad_options_are_refused() {
    let packed = data("packed");
    let bench = |options: &[&str]| refused(&[&["bench", place(&packed)], options].concat());
    assert!(bench(&["--method", "guess"]).contains("there is no method \"guess\"; there are: inclusion"));
    assert!(bench(&["--tol", "-1"]).contains("the tolerance is -1 m"));
    assert!(bench(&["--checks", "0"]).contains("limit of checks is 0"));
    assert!(bench(&["--t-max", "1.5"]).contains("the end of the time interval is 1.5"));
    assert!(bench(&["--ms", "NaN"]).contains("the minimum separation is NaN m"));
    assert!(bench(&["--json", "x", "--csv", "x"]).contains("different places"));
    assert!(bench(&["--report", "no/such/folder/x.html"]).contains("cannot be written"));
    assert!(refused(&["bench", "no-such-file.ccdq"]).contains("no-such-file.ccdq"));
    bench(&["--limit", "0"]);
}

#[test]
fn one_query_is_asked_in_four_ways() {
    // A vertex falls through a still triangle; at t = 1/2 it is in it.
    let start = "0.25,0.25,1  0,0,0  1,0,0  0,1,0";
    let end = "0.25,0.25,-1  0,0,0  1,0,0  0,1,0";
    let block = succeed(&["query", "--kind", "vertex-face", "--start", start, "--end", end]);
    assert!(
        block.contains("impact: not before t = 0.4999") || block.contains("impact: not before t = 0.5\n"),
        "{block}"
    );
    let all = format!("{start} {end}").replace(',', " ").replace("0.25", "1/4");
    let words: Vec<&str> = all.split_whitespace().collect();
    let by_numbers = json(&[&["query", "--kind", "vf"], &words[..]].concat());
    let hex = start.replace("0.25", "0x1p-2");
    let by_hex = json(&["query", "--kind", "vf", "--start", &hex, "--end", end]);
    assert_eq!(by_numbers, by_hex);
    assert_eq!((&by_hex["schema"], &by_hex["outcome"]), (&"drystone.ccd-query/1".into(), &"impact".into()));
    let lo = by_hex["lo"].as_f64().unwrap();
    assert!((0.499..=0.5).contains(&lo));
    let file = data("packed/unit-tests-vf.ccdq");
    let sets = sets("packed");
    let set = sets.iter().find(|s| s.name == "unit-tests" && s.kind == Kind::VertexFace).unwrap();
    let index = set.labels.iter().position(|label| *label == Some(true)).unwrap().to_string();
    let of_file = json(&["query", "--file", place(&file), "--index", &index]);
    assert_eq!(of_file["label"], true);
    assert!(of_file["lo"].as_f64().unwrap() <= of_file["truth"][1].as_f64().unwrap());
    assert!(json(&["query", "--kind", "vf", "--start", start, "--end", start])["outcome"] == "free");
}

#[test]
fn negative_numbers_are_read_in_every_form_with_options_around_them() {
    let points = "-3/8 -0x1p-2 1  -1 -0x1p0 -0/1  1 -1 0  -0 1e0 0";
    let words: Vec<&str> = points.split_whitespace().chain(points.split_whitespace()).collect();
    let start = "-0.375,-0.25,1 -1,-1,0 1,-1,0 0,1,0";
    let expected = json(&["query", "--kind", "vf", "--start", start, "--end", start]);
    assert_eq!(expected["start"][0], serde_json::json!([-0.375, -0.25, 1.0]));
    assert_eq!(json(&[&["query", "--kind", "vf"], &words[..]].concat()), expected);
    assert_eq!(json(&[&["query"], &words[..7], &["--kind", "vf"], &words[7..]].concat()), expected);
    assert_eq!(json(&[&["query"], &words[..], &["--kind=vf"]].concat()), expected);
    let one = format!("{start} {start}");
    assert_eq!(json(&["query", &one, "--kind", "vf"]), expected);
    assert!(refused(&[&["query", "--kind", "vf", "-2/8"], &words[..]].concat()).contains("unexpected argument"));
    assert!(refused(&["query", "--kind", "vf", "--start", start, "--end", start, "-3/8"]).contains("cannot be used"));
    assert!(refused(&["query", "--kind", "vf", "--no-such-option"]).contains("is no number"));
    assert!(succeed(&["query", "-h"]).contains("NUMBER"));
}

#[test]
fn only_the_exact_method_needs_no_tolerance() {
    let fine = "0,0,0,1,0,0,0,0,1,1,0,1";
    let query = ["query", "--kind", "ee", "--start", fine, "--end", fine, "--tol", "0"];
    let document = json(&[&query[..], &["--method", "exact"]].concat());
    assert_eq!((&document["outcome"], &document["settings"]["tolerance"]), (&"free".into(), &0.0.into()));
    assert!(refused(&query).contains("the tolerance is 0 m"));
    assert!(refused(&[&query[..], &["--method", "interval"]].concat()).contains("the tolerance is 0 m"));
    let below = refused(&[&query[..7], &["--tol", "-1", "--method", "exact"]].concat());
    assert!(below.contains("the tolerance is -1 m"), "{below}");
}

#[test]
fn bad_queries_are_refused() {
    let fine = "0,0,0,0,0,0,0,0,0,0,0,0";
    let query = |start: &str| refused(&["query", "--kind", "ee", "--start", start, "--end", fine]);
    assert!(query("0,NaN,0,0,0,0,0,0,0,0,0,0").contains("coordinate y of point 0 at t = 0 is NaN"));
    assert!(query("0,0,0,0,0,0,0,0,0,0,0,inf").contains("coordinate z of point 3 at t = 0 is inf"));
    assert!(query("0,0").contains("--start has 2 numbers"));
    assert!(query(&fine.replacen('0', "1/3", 1)).contains("not exactly a double"));
    assert!(query(&fine.replacen('0', "zero", 1)).contains("\"zero\" is no number"));
    assert!(refused(&["query", "--start", fine, "--end", fine]).contains("--kind"));
    assert!(refused(&["query", "--kind", "vf", "1", "2"]).contains("there are 2 numbers"));
    let file = data("packed/unit-tests-vf.ccdq");
    assert!(refused(&["query", "--file", place(&file), "--index", "99"]).contains("has 14 queries"));
    assert!(refused(&["query", "--file", place(&file), "--index", "0", "--kind", "ee"]).contains("vertex-face"));
}

#[test]
fn methods_are_listed_with_what_they_guarantee() {
    let list = succeed(&["methods"]);
    let mut lines = list.lines();
    assert!(lines.next().unwrap().starts_with("inclusion "));
    assert!(lines.next().unwrap().trim().starts_with("conservative: no contact is missed"));
    assert!(list.contains("exact: ") && list.contains("no guarantee: "), "{list}");
}
