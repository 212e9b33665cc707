//! Runs as rows of a table.

use drystone_engine::solver::ContactSolver;
use drystone_replica::published::{Published, published};
use serde::Serialize;

use super::pillar_quality::STEP;
use super::{Outcome, Run, Study};

/// What a run was and what came out of it, beside what is published of the very run. Qualities and shares of areas are fractions, 0 … 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The study.
    pub study: Study,
    /// The scene's name.
    pub scene: String,
    /// The method, with settings of its own.
    pub method: String,
    /// How the method is read.
    pub variant: String,
    /// The last time step, from 1.
    pub step: usize,
    /// Bodies were shifted by up to this along x and z, m.
    pub noise: Option<f64>,
    /// Where the shifts started from.
    pub seed: Option<u64>,
    /// How often every tetrahedron was split into eight.
    pub level: Option<usize>,
    /// Another time step than the scene's, s.
    pub time_step: Option<f64>,
    /// Contacts in the last step.
    pub contacts: Option<usize>,
    /// How many of them match an expected normal.
    pub matching: Option<usize>,
    /// Their share; none without contacts.
    pub quality: Option<f64>,
    /// The share of the interfaces that the contacts span.
    pub area_coverage: Option<f64>,
    /// Contacts over all steps: their mean,
    pub mean: Option<f64>,
    /// the fewest,
    pub min: Option<f64>,
    /// the most,
    pub max: Option<f64>,
    /// and the standard deviation.
    pub deviation: Option<f64>,
    /// As published.
    pub published_quality: Option<f64>,
    /// As published.
    pub published_contacts: Option<usize>,
    /// As published.
    pub published_area_coverage: Option<f64>,
    /// As published.
    pub published_mean: Option<f64>,
    /// As published.
    pub published_min: Option<f64>,
    /// As published.
    pub published_max: Option<f64>,
    /// As published.
    pub published_deviation: Option<f64>,
}

impl Run {
    /// What is published of the very run: of the scene as it is in the paper, in the paper's step.
    pub fn published(&self) -> Option<Published> {
        let is_as_published =
            matches!(self.study, Study::PillarQuality | Study::Wall | Study::Arch) && self.steps == STEP;
        published(&self.scene, self.method.name())
            .filter(|_| is_as_published && self.solver == ContactSolver::default())
    }

    /// The run with its outcome as a row.
    pub fn row(&self, outcome: &Outcome) -> Row {
        let (sample, statistics) = match outcome {
            Outcome::Sample(sample) => (Some(sample), None),
            Outcome::Statistics(statistics) => (None, Some(statistics)),
        };
        let published = sample.and_then(|_| self.published()).unwrap_or_default();
        let of_table = |k: usize| statistics.and_then(|s| s.published).map(|p| p[k]);
        Row {
            study: self.study,
            scene: self.scene.clone(),
            method: self.method.to_string(),
            variant: self.method.variant().to_owned(),
            step: self.steps,
            noise: self.noise,
            seed: self.seed,
            level: self.level,
            time_step: self.time_step,
            contacts: sample.map(|s| s.contacts),
            matching: sample.map(|s| s.matching),
            quality: sample.filter(|s| s.contacts > 0).map(|s| s.matching as f64 / s.contacts as f64),
            area_coverage: sample.and_then(|s| s.coverage),
            mean: statistics.map(|s| s.mean),
            min: statistics.map(|s| s.min as f64),
            max: statistics.map(|s| s.max as f64),
            deviation: statistics.map(|s| s.deviation),
            published_quality: published.quality,
            published_contacts: published.contacts,
            published_area_coverage: published.area_coverage,
            published_mean: of_table(0),
            published_min: of_table(1),
            published_max: of_table(2),
            published_deviation: of_table(3),
        }
    }
}
