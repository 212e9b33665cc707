//! Results of studies as JSON and CSV.

use anyhow::Result;
use serde::Serialize;

use super::{Failure, Finished};
use crate::engine::solver::ContactSolver;
use crate::replica::published::{Published, published};
use crate::scenes::study::pillar_quality::STEP;
use crate::scenes::study::{Outcome, Plan, Run, Study};

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

/// What is published of the very run: of the scene as it is in the paper, in the paper's step.
pub fn published_of(run: &Run) -> Option<Published> {
    let is_as_published = matches!(run.study, Study::PillarQuality | Study::Wall | Study::Arch) && run.steps == STEP;
    published(&run.scene, run.method.name()).filter(|_| is_as_published && run.solver == ContactSolver::default())
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
        let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
        for Finished { run, outcome } in self.finished {
            let published = published_of(run).unwrap_or_default();
            let mut record = vec![
                run.study.to_string(),
                run.scene.clone(),
                run.method.to_string(),
                run.method.variant().to_owned(),
                run.steps.to_string(),
                number(run.noise),
                run.seed.map(|seed| seed.to_string()).unwrap_or_default(),
                run.level.map(|level| level.to_string()).unwrap_or_default(),
                number(run.time_step),
            ];
            let nothing = |cells| vec![String::new(); cells];
            match outcome {
                Outcome::Sample(s) => {
                    let quality = (s.contacts > 0).then(|| s.matching as f64 / s.contacts as f64);
                    record.extend([s.contacts.to_string(), s.matching.to_string(), number(quality)]);
                    record.push(number(s.coverage));
                    record.extend(nothing(4));
                    let contacts = published.contacts.map(|n| n.to_string()).unwrap_or_default();
                    record.extend([number(published.quality), contacts, number(published.area_coverage)]);
                    record.extend(nothing(4));
                }
                Outcome::Statistics(s) => {
                    record.extend(nothing(4));
                    record.extend([s.mean, s.min as f64, s.max as f64, s.deviation].map(|x| x.to_string()));
                    record.extend(nothing(3));
                    let published = s.published.map_or([None; 4], |p| p.map(Some));
                    record.extend(published.map(number));
                }
            }
            writer.write_record(record)?;
        }
        Ok(writer.into_inner()?)
    }
}
