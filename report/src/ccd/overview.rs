//! All figures: a row a family, kind and method; a row a set on demand.

use drystone_scenes::ccd::benchmark::{Row, Scope};
use maud::{Markup, html};

use super::{ContinuousReport, TruthBehind, family_title, kind_title, microseconds};
use crate::markup::{details, table};
use crate::number::count;

const COLUMNS: [&str; 17] = [
    "Queries",
    "Kind",
    "n",
    "meet",
    "FP",
    "FN",
    "late",
    "stopped",
    "exact",
    "errors",
    "checks",
    "mean (µs)",
    "median (µs)",
    "max (µs)",
    "reached (m)",
    "early, median",
    "early, most",
];

/// The families by every method.
pub fn section(report: &ContinuousReport<'_>) -> Markup {
    let rows = |method: &str| report.families(None).filter(|row| row.method == method).collect::<Vec<_>>();
    html! {
        @if !report.rows.is_empty() {
            section id="overview" {
                h2 { "Overview" }
                p {
                    "FP: they do not meet, but the answer allows it. FN: they meet, but the answer denies it. Late: the time in the \
                     answer is after the true one. Stopped: the search ended at the limit of checks, with a time that is early \
                     rather than exact. Exact: integers decided. Early: true time minus time in the answer, in parts of the time \
                     step. The mean is that of a whole pass without a look at the clock between queries, where there was one; \
                     median and most are by the clock."
                }
                p { (truth(report)) }
                @for method in report.methods() { (rows_of(method, &rows(method))) }
            }
        }
    }
}

/// Every set by every method.
pub fn sets(report: &ContinuousReport<'_>) -> Markup {
    let of = |method: &str| {
        let rows: Vec<&Row> =
            report.rows.iter().filter(|r| r.scope == Scope::Set && r.sweep.is_none() && r.method == method).collect();
        details(&format!("{method}: {} sets", rows.len()), rows_of(method, &rows))
    };
    html! {
        @if !report.rows.is_empty() {
            section id="sets" { h2 { "Every set" } @for method in report.methods() { (of(method)) } }
        }
    }
}

/// By what answers are judged, in words.
pub fn truth(report: &ContinuousReport<'_>) -> &'static str {
    let has_separation = report.rows.iter().any(|row| row.settings.separation > 0.0);
    match report.truth {
        TruthBehind::Exact => "Truth: the exact method, asked with the same separation and time interval.",
        TruthBehind::Labels if has_separation => {
            "Truth: the labels of the files, which are about contact without separation (d = 0), as in the paper. With d > 0, \
             FP therefore also counts queries that do come within d."
        }
        TruthBehind::Labels => "Truth: the labels of the files.",
    }
}

fn rows_of(title: &str, rows: &[&Row]) -> Markup {
    let heads = COLUMNS.map(str::to_owned);
    let cells: Vec<Vec<String>> = rows.iter().map(|row| cells(row)).collect();
    table(title, &heads, &cells)
}

fn cells(row: &Row) -> Vec<String> {
    let f = &row.figures;
    let name = if row.scope == Scope::Family { family_title(row.family).to_owned() } else { row.name.clone() };
    let early = |value: Option<f64>| value.map_or("–".into(), |v| format!("{v:.1e}"));
    vec![
        name,
        kind_title(row.kind).into(),
        count(f.queries),
        count(f.positives),
        count(f.false_positives),
        count(f.false_negatives),
        count(f.late),
        count(f.stopped),
        count(f.exact),
        count(f.errors),
        format!("{:.1}", f.checks.mean),
        microseconds(f.seconds.best_mean()),
        microseconds(f.seconds.median),
        microseconds(f.seconds.max),
        format!("{:.1e}", f.worst_reached),
        early(f.earliness.map(|e| e.median)),
        early(f.earliness.map(|e| e.max)),
    ]
}
