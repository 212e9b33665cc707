//! The data behind the page as files.

use drystone_scenes::assessment::Row;
use drystone_scenes::study::{Sample, Statistics};
use serde::Serialize;

use super::{Filtered, Note, Report};
use crate::head::Head;
use crate::study::Study;

/// The name of the JSON format.
const SCHEMA: &str = "drystone.report/1";

/// A file to be written beside the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, without folder.
    pub name: &'static str,
    /// What is in it, for a link.
    pub title: &'static str,
    /// Its bytes.
    pub content: Vec<u8>,
}

/// Why data cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// Not as JSON.
    #[error("the data of the report cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// Not as CSV.
    #[error("the data of the report cannot be written as CSV: {0}")]
    Csv(#[from] csv::Error),
    /// Not as CSV, at its end.
    #[error("the data of the report cannot be written as CSV: {0}")]
    End(#[from] std::io::Error),
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    head: &'a Head,
    rows: &'a [Row],
    filtered: &'a [Filtered],
    samples: &'a [Sample],
    statistics: &'a [Statistics],
    studies: &'a [Study<'a>],
    notes: &'a [Note],
}

/// Name and title of every file that a report has, in order.
pub fn names(report: &Report<'_>) -> Vec<(&'static str, &'static str)> {
    let mut names = vec![("report.json", "everything on this page")];
    if samples(report).next().is_some() {
        names.push(("samples.csv", "pillar, wall, arch and studies: one run a line"));
        names.push(("normals.csv", "|n·e| and |n·up| of every contact"));
    }
    if samples(report).any(|(_, sample)| !sample.areas.is_empty()) {
        names.push(("areas.csv", "contact areas, one interface a line"));
    }
    if !report.statistics.is_empty() {
        names.push(("counts.csv", "contacts in every step"));
        names.push(("statistics.csv", "mean, least, most and deviation of the counts"));
    }
    names
}

/// All files.
pub fn files(report: &Report<'_>) -> Result<Vec<File>, DataError> {
    let content = |name: &str| match name {
        "samples.csv" => samples_csv(report),
        "normals.csv" => normals_csv(report),
        "areas.csv" => areas_csv(report),
        "counts.csv" => counts_csv(report.statistics),
        "statistics.csv" => statistics_csv(report.statistics),
        _ => json(report),
    };
    names(report).into_iter().map(|(name, title)| Ok(File { name, title, content: content(name)? })).collect()
}

fn json(report: &Report<'_>) -> Result<Vec<u8>, DataError> {
    let mut text = serde_json::to_vec(&Document {
        schema: SCHEMA,
        head: &report.head,
        rows: report.rows,
        filtered: report.filtered,
        samples: report.samples,
        statistics: report.statistics,
        studies: report.studies,
        notes: report.notes,
    })?;
    text.push(b'\n');
    Ok(text)
}

/// The samples of the scenes, then of the studies, with the name of the study.
fn samples<'a>(report: &'a Report<'_>) -> impl Iterator<Item = (&'static str, &'a Sample)> {
    let of_studies = report.studies.iter().flat_map(|study| study.samples.iter().map(|s| (study.kind.name(), s)));
    report.samples.iter().map(|s| ("", s)).chain(of_studies)
}

/// Which run a line belongs to.
const RUN: [&str; 6] = ["study", "scene", "method", "variant", "step", "parameter"];

fn run((study, sample): (&str, &Sample)) -> [String; 6] {
    [
        study.into(),
        sample.scene.clone(),
        sample.method.to_string(),
        sample.method.variant().to_owned(),
        sample.step.to_string(),
        sample.parameter.to_string(),
    ]
}

fn samples_csv(report: &Report<'_>) -> Result<Vec<u8>, DataError> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(RUN.into_iter().chain(["contacts", "matching", "coverage"]))?;
    for of in samples(report) {
        let coverage = of.1.coverage.map(|p| p.to_string()).unwrap_or_default();
        out.write_record(run(of).into_iter().chain([of.1.contacts.to_string(), of.1.matching.to_string(), coverage]))?;
    }
    finish(out)
}

/// One line a value: |n·e| in descending order, |n·up| in the order of the contacts.
fn normals_csv(report: &Report<'_>) -> Result<Vec<u8>, DataError> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(RUN.into_iter().chain(["measure", "index", "value"]))?;
    for of in samples(report) {
        for (measure, values) in [("quality", &of.1.qualities), ("up", &of.1.up)] {
            for (k, value) in values.iter().enumerate() {
                out.write_record(run(of).into_iter().chain([measure.into(), k.to_string(), value.to_string()]))?;
            }
        }
    }
    finish(out)
}

fn areas_csv(report: &Report<'_>) -> Result<Vec<u8>, DataError> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(RUN.into_iter().chain(["a", "b", "expected", "measured"]))?;
    for of in samples(report) {
        for area in &of.1.areas {
            let numbers = [area.expected.to_string(), area.measured.to_string()];
            out.write_record(run(of).into_iter().chain([area.a.clone(), area.b.clone()]).chain(numbers))?;
        }
    }
    finish(out)
}

fn finish(out: csv::Writer<Vec<u8>>) -> Result<Vec<u8>, DataError> {
    Ok(out.into_inner().map_err(csv::IntoInnerError::into_error)?)
}

fn counts_csv(statistics: &[Statistics]) -> Result<Vec<u8>, DataError> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(["scene", "method", "variant", "step", "contacts"])?;
    for s in statistics {
        for (k, contacts) in s.counts.iter().enumerate() {
            let of = [s.scene.clone(), s.method.to_string(), s.method.variant().to_owned()];
            out.write_record(of.into_iter().chain([(k + 1).to_string(), contacts.to_string()]))?;
        }
    }
    finish(out)
}

fn statistics_csv(statistics: &[Statistics]) -> Result<Vec<u8>, DataError> {
    let mut out = csv::Writer::from_writer(Vec::new());
    let measures = ["mean", "min", "max", "deviation"];
    let heads = ["scene", "method", "variant"].map(str::to_owned).into_iter().chain(measures.map(str::to_owned));
    out.write_record(heads.chain(measures.map(|m| format!("published_{m}"))))?;
    for s in statistics {
        let ours = [s.mean, s.min as f64, s.max as f64, s.deviation].map(|x| x.to_string());
        let published = s.published.map_or_else(Default::default, |p| p.map(|x| x.to_string()));
        let of = [s.scene.clone(), s.method.to_string(), s.method.variant().to_owned()];
        out.write_record(of.into_iter().chain(ours).chain(published))?;
    }
    finish(out)
}
