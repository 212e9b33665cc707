//! Results of studies as JSON and CSV.

use anyhow::Result;
use serde::Serialize;

use super::{Failure, Finished};
use crate::scenes::study::Plan;

/// The name of the JSON format (docs/studies.md).
const SCHEMA: &str = "drystone.study/1";

/// A study: what was asked and what came out.
pub struct Results<'a> {
    /// As asked.
    pub name: &'a str,
    /// What the runs follow from.
    pub plan: &'a Plan,
    /// What came out.
    pub finished: &'a [Finished],
    /// What did not.
    pub failures: &'a [Failure],
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    program: &'static str,
    study: &'a str,
    variant: &'a str,
    solver: &'a str,
    runs: &'a [Finished],
    failures: &'a [Failure],
}

/// A value as text, nothing where there is none.
fn cell(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

impl Results<'_> {
    /// All results as JSON.
    pub fn json(&self) -> Result<Vec<u8>> {
        let document = Document {
            schema: SCHEMA,
            program: concat!("drystone ", env!("CARGO_PKG_VERSION")),
            study: self.name,
            variant: self.plan.variant.name(),
            solver: self.plan.solver.name(),
            runs: self.finished,
            failures: self.failures,
        };
        let mut text = serde_json::to_vec_pretty(&document)?;
        text.push(b'\n');
        Ok(text)
    }

    /// One row a run as CSV, fractions 0…1, nothing where there is no value.
    pub fn csv(&self) -> Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record([
            "study",
            "scene",
            "method",
            "variant",
            "step",
            "noise",
            "seed",
            "level",
            "time_step",
            "contacts",
            "matching",
            "quality",
            "area_coverage",
            "mean",
            "min",
            "max",
            "deviation",
            "published_quality",
            "published_contacts",
            "published_area_coverage",
            "published_mean",
            "published_min",
            "published_max",
            "published_deviation",
        ])?;
        for Finished { run, outcome } in self.finished {
            let row = run.row(outcome);
            let named = [row.study.to_string(), row.scene, row.method, row.variant, row.step.to_string()];
            let of_run = [cell(row.noise), cell(row.seed), cell(row.level), cell(row.time_step)];
            let of_sample = [cell(row.contacts), cell(row.matching), cell(row.quality), cell(row.area_coverage)];
            let of_steps = [row.mean, row.min, row.max, row.deviation].map(cell);
            let published =
                [cell(row.published_quality), cell(row.published_contacts), cell(row.published_area_coverage)];
            let of_table =
                [row.published_mean, row.published_min, row.published_max, row.published_deviation].map(cell);
            let values = [&of_run[..], &of_sample, &of_steps, &published, &of_table].concat();
            writer.write_record(named.iter().chain(&values))?;
        }
        Ok(writer.into_inner()?)
    }
}
