use super::*;
use crate::markup::xml;
use drystone_contact::ccd::{Query, Settings};
use drystone_scenes::ccd::benchmark::{Figures, LogHistogram, Seconds};
use glam::DVec3;

fn set(name: &str, kind: Kind) -> QuerySet {
    let point = [DVec3::ZERO; 4];
    let query = Query { kind, start: point, end: point };
    QuerySet { name: name.into(), kind, queries: vec![query; 3], labels: vec![Some(true); 3], times: None }
}

fn row(scope: Scope, name: &str, kind: Kind, method: &str, sweep: Option<(Parameter, f64)>) -> Row {
    let settings = sweep.map_or(Settings::default(), |(parameter, value)| parameter.set(Settings::default(), value));
    let mut times = LogHistogram::default();
    times.add(3e-6);
    let seconds = Seconds { mean: 3e-6, median: 2e-6, min: 1e-7, max: 12.5e-3, pass_mean: Some(2.5e-6) };
    let figures = Figures {
        queries: 3,
        positives: 2,
        false_positives: 1,
        seconds,
        positive_times: times,
        worst_reached: 1e-6,
        ..Figures::default()
    };
    let (family, sweep) = (Family::of_name(name), sweep.map(|s| s.0));
    Row { scope, name: name.into(), family, kind, method: method.into(), settings, sweep, figures }
}

fn rows(methods: &[&str]) -> Vec<Row> {
    let mut all = Vec::new();
    for method in methods {
        for kind in KINDS {
            all.push(row(Scope::Set, "hand-<x>", kind, method, None));
            for family in ["hand", "mix", "sim", "touch"] {
                all.push(row(Scope::Family, family, kind, method, None));
                for parameter in Parameter::ALL {
                    for &value in parameter.values() {
                        all.push(row(Scope::Family, family, kind, method, Some((parameter, value))));
                    }
                }
            }
        }
    }
    all
}

/// The page, well formed, and the ids of its sections.
fn page(report: &ContinuousReport<'_>) -> (String, Vec<String>) {
    let page = report.page();
    let text = xml(&page);
    let document = roxmltree::Document::parse(&text).unwrap();
    let sections = document.descendants().filter(|n| n.has_tag_name("section"));
    let ids = sections.filter_map(|n| n.attribute("id")).map(String::from).collect();
    assert!(!page.contains("NaN"));
    (page, ids)
}

fn sets() -> Vec<QuerySet> {
    ["hand-<x>", "mix-a", "sim-b", "touch-c"].into_iter().flat_map(|name| KINDS.map(|kind| set(name, kind))).collect()
}

#[test]
fn every_part_is_there_with_published_cells_beside_ours() {
    let (rows, sets) = (rows(&["inclusion", "interval", "exact"]), sets());
    let report = ContinuousReport { rows: &rows, sets: &sets, ..ContinuousReport::default() };
    let (page, ids) = page(&report);
    let wanted = ["run", "overview", "table-1", "table-2", "figure-7", "figure-8", "figure-9", "figure-11", "sets"];
    assert_eq!(ids, wanted);
    let line = |first: &str, second: &str| format!("<th scope=\"row\">{first}</th><td>{second}</td>");
    assert!(
        page.contains(&format!("{}<td>1532.54</td><td>108</td><td>0</td><td>2.50</td>", line("Ours", "inclusion")))
    );
    assert!(page.contains(&format!("{}<td>115.89</td>", line("IRF", "interval"))));
    assert!(page.contains(&format!("{}<td>0.38</td><td>903</td><td>0</td><td>–</td>", line("TCCD", "–"))));
    assert!(page.contains(&format!("{}<td>–</td>", line("–", "exact"))));
    assert!(page.contains("<th scope=\"row\">1e-2</th><td>12.89</td><td>854</td><td>114</td><td>18.86K</td>"));
    assert!(page.contains("hand-&lt;x&gt;") && page.contains("12,500"));
    assert!(page.contains("could not be had") && page.contains("d = 0"));
}

#[test]
fn what_was_not_run_is_left_out() {
    let sets = [set("touch-c", Kind::VertexFace)];
    let rows = [row(Scope::Family, "touch", Kind::VertexFace, "inclusion", None)];
    let report = ContinuousReport { rows: &rows, sets: &sets, ..ContinuousReport::default() };
    assert_eq!(page(&report).1, ["run", "overview", "figure-7", "sets"]);
    assert_eq!(page(&ContinuousReport::default()).1, ["run"]);
}

#[test]
fn times_are_printed_as_in_the_paper() {
    let printed = [0.0, 4.4e-8, 0.25e-6, 1532.54e-6, 0.1249424].map(microseconds);
    assert_eq!(printed, ["0.00", "0.044", "0.25", "1532.54", "124,942"]);
}
