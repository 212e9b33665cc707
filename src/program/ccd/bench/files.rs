//! Results as JSON and CSV.

use anyhow::Result;
use serde::Serialize;

use super::Results;
use crate::contact::ccd::Kind;
use crate::program::ccd::settings::{kind_name, metric_name};
use crate::report::Machine;
use crate::scenes::ccd::Family;
use crate::scenes::ccd::benchmark::{Row, Scope};

/// The name of the JSON format (docs/ccd-queries.md).
const SCHEMA: &str = "drystone.ccd-bench/1";

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    program: &'static str,
    machine: Machine,
    truth: &'static str,
    threads: u32,
    seconds: f64,
    sets: Vec<Set<'a>>,
    rows: &'a [Row],
    failures: &'a [String],
}

#[derive(Serialize)]
struct Set<'a> {
    name: &'a str,
    family: Family,
    kind: Kind,
    queries: usize,
}

/// All results as JSON.
pub fn json(results: &Results) -> Result<Vec<u8>> {
    let set = |set: &'_ crate::scenes::ccd::QuerySet| (set.family(), set.kind, set.queries.len());
    let sets = results.sets.iter().map(|of| {
        let (family, kind, queries) = set(of);
        Set { name: &of.name, family, kind, queries }
    });
    let document = Document {
        schema: SCHEMA,
        program: concat!("drystone ", env!("CARGO_PKG_VERSION")),
        machine: Machine::this(),
        truth: results.truth.name(),
        threads: results.threads,
        seconds: results.seconds,
        sets: sets.collect(),
        rows: &results.rows,
        failures: &results.failures,
    };
    let mut text = serde_json::to_vec_pretty(&document)?;
    text.push(b'\n');
    Ok(text)
}

const COLUMNS: [&str; 35] = [
    "scope",
    "name",
    "family",
    "kind",
    "method",
    "truth",
    "sweep",
    "tolerance",
    "checks_limit",
    "separation",
    "metric",
    "t_max",
    "exact_after",
    "queries",
    "unlabelled",
    "positives",
    "false_positives",
    "false_negatives",
    "late",
    "stopped",
    "exact",
    "errors",
    "checks_mean",
    "checks_max",
    "seconds_mean",
    "seconds_median",
    "seconds_min",
    "seconds_max",
    "seconds_pass_mean",
    "worst_reached",
    "early_answers",
    "early_median",
    "early_max",
    "threads",
    "first_error",
];

/// One line a row as CSV; s and m; nothing where there is no value.
pub fn csv(results: &Results) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for row in &results.rows {
        writer.write_record(record(row, results))?;
    }
    Ok(writer.into_inner()?)
}

fn record(row: &Row, results: &Results) -> [String; 35] {
    let (s, f) = (&row.settings, &row.figures);
    let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
    let scope = match row.scope {
        Scope::Set => "set",
        Scope::Family => "family",
    };
    let sweep = row.sweep.map(|parameter| serde_json::json!(parameter).as_str().unwrap_or_default().to_owned());
    [
        scope.into(),
        row.name.clone(),
        row.family.to_string(),
        kind_name(row.kind).into(),
        row.method.clone(),
        results.truth.name().into(),
        sweep.unwrap_or_default(),
        s.tolerance.to_string(),
        s.checks.to_string(),
        s.separation.to_string(),
        metric_name(s.metric).into(),
        s.t_max.to_string(),
        s.exact_after.map(|n| n.to_string()).unwrap_or_default(),
        f.queries.to_string(),
        f.unlabelled.to_string(),
        f.positives.to_string(),
        f.false_positives.to_string(),
        f.false_negatives.to_string(),
        f.late.to_string(),
        f.stopped.to_string(),
        f.exact.to_string(),
        f.errors.to_string(),
        f.checks.mean.to_string(),
        f.checks.max.to_string(),
        f.seconds.mean.to_string(),
        f.seconds.median.to_string(),
        f.seconds.min.to_string(),
        f.seconds.max.to_string(),
        number(f.seconds.pass_mean),
        f.worst_reached.to_string(),
        f.earliness.map(|e| e.answers.to_string()).unwrap_or_default(),
        number(f.earliness.map(|e| e.median)),
        number(f.earliness.map(|e| e.max)),
        results.threads.to_string(),
        f.first_error.clone().unwrap_or_default(),
    ]
}
