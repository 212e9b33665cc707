//! `drystone vclip` as its users see it.

use std::fs;
use std::process::Output;

use crate::run::{drystone, refused, text};

fn vclip(arguments: &[&str]) -> Output {
    drystone(&[&["vclip"], arguments].concat())
}

#[test]
fn counts_stand_beside_the_published_curves() {
    let folder = tempfile::tempdir().unwrap();
    let [csv, svg] = ["counts.csv", "counts.svg"].map(|name| folder.path().join(name));
    let places = ["--csv", csv.to_str().unwrap(), "--svg", svg.to_str().unwrap()];
    let output = vclip(&[&["coherence", "--seeds", "1"], &places[..]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    let disk: Vec<&str> = table.lines().skip_while(|line| *line != "disk").nth(3).unwrap().split_whitespace().collect();
    assert_eq!(disk[..2], ["1", "142.4"], "{table}");
    let summary = table.lines().find(|line| line.contains("of 104 points are within 10 %")).unwrap();
    let within: u32 = summary.split_whitespace().next().unwrap().parse().unwrap();
    assert!(within >= 90, "{summary}");
    assert!(table.contains("1040000 calls: ") && table.contains(" 0 wrongly found common points"), "{table}");

    let mut reader = csv::Reader::from_path(&csv).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    assert_eq!((rows.len(), reader.headers().unwrap().len()), (104, 10));
    for row in &rows {
        let number = |k: usize| row[k].parse::<f64>().unwrap();
        assert!(number(5) > 80.0 && number(6) >= number(5), "not to keep points never saves operations: {row:?}");
    }
    let drawn = fs::read_to_string(&svg).unwrap();
    let document = roxmltree::Document::parse(&drawn).unwrap();
    let measured = document.descendants().filter(|n| n.attribute("class") == Some("line s0")).count();
    assert_eq!(measured, 4 + 1, "four solids and the legend");

    let again = vclip(&["coherence", "--seeds", "1", "--csv", "-"]);
    assert_eq!(again.stdout, fs::read(&csv).unwrap(), "the same bits each time");
}

#[test]
fn cubes_are_never_wrong_in_the_published_test() {
    let output = vclip(&["robustness", "--trials", "600", "--shape", "cube", "--turns", "slight"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    let row: Vec<&str> = table.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!((&row[..3], &row[4..8]), (&["cube", "slight", "600"][..], &["0"; 4][..]), "{table}");
    assert!(text(&output.stderr).contains("2 of 2 done"));
}

#[test]
fn bad_requests_are_refused() {
    for arguments in [
        &["robustness", "--shape", "teapot"][..],
        &["robustness", "--trials", "0"],
        &["coherence", "--csv", "x", "--svg", "x"],
        &["coherence", "--seeds", "-1"],
    ] {
        refused(&[&["vclip"], arguments].concat());
    }
}
