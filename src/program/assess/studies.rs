//! The studies that belong to a whole assessment, and what the report shows of them.

use std::path::Path;

use anyhow::Result;

use crate::contact::generator::Method;
use crate::program::study::{Failure, Finished, execute};
use crate::replica::Variant;
use crate::report::{Picture, StudyKind};
use crate::scenes::scene::Scene;
use crate::scenes::study::{Outcome, Plan, Run, Sample, Statistics, Store, Study};

/// The methods whose contacts are drawn for the studies: those of the paper's figures 29, 31 and 33.
const DRAWN: [&str; 3] = ["most-opposing", "growth-distance", "closest-points"];

/// What a study of the report is called in the program.
const KINDS: [(StudyKind, Study); 3] = [
    (StudyKind::Perturbation, Study::Perturbation),
    (StudyKind::Refinement, Study::Refinement),
    (StudyKind::TimeStep, Study::TimeStep),
];

/// What came out of all studies.
#[derive(Default)]
pub struct Studies {
    /// Contact counts of the Pillar.
    pub statistics: Vec<Statistics>,
    /// Pillar, Wall and Arch.
    pub samples: Vec<Sample>,
    /// Runs over a parameter.
    pub parameters: Vec<(StudyKind, Vec<Sample>)>,
    /// What could not be run.
    pub failures: Vec<Failure>,
    /// The scenes of the runs that are drawn, with their samples.
    drawn: Vec<(StudyKind, Scene, Sample)>,
}

/// Runs all studies. Finished runs are kept in `folder` until all are, so that an interrupted assessment goes on there.
pub fn run(variant: Variant, methods: &[Method], threads: Option<u32>, folder: &Path) -> Result<Studies> {
    let mut plan = Plan::new(variant);
    plan.methods.retain(|method| methods.contains(method));
    let runs: Vec<Run> = Study::ALL.iter().flat_map(|study| study.runs(&plan)).collect();
    let store = Store::open(folder)?;
    let (finished, failures) = execute(&runs, threads, Some(&store))?;
    let mut studies = Studies { failures, ..Studies::default() };
    for Finished { run, outcome } in finished {
        match outcome {
            Outcome::Statistics(statistics) => studies.statistics.push(statistics),
            Outcome::Sample(sample) => studies.take(&plan, &run, sample)?,
        }
    }
    Ok(studies)
}

impl Studies {
    fn take(&mut self, plan: &Plan, run: &Run, sample: Sample) -> Result<()> {
        let Some(&(kind, _)) = KINDS.iter().find(|(_, study)| *study == run.study) else {
            self.samples.push(sample);
            return Ok(());
        };
        // Of several seeds one is shown; `drystone study perturbation` has mean and spread of all.
        if run.seed.is_some_and(|seed| seed != plan.seed) {
            return Ok(());
        }
        if self.parameters.last().is_none_or(|(last, _)| *last != kind) {
            self.parameters.push((kind, Vec::new()));
        }
        if let Some((_, samples)) = self.parameters.last_mut() {
            samples.push(sample.clone());
        }
        if DRAWN.contains(&sample.method.name()) {
            self.drawn.push((kind, run.scene()?, sample));
        }
        Ok(())
    }

    /// The pictures of the studies: the largest value of each parameter.
    pub fn pictures(&self) -> impl Iterator<Item = Picture<'_>> {
        let largest = |kind: StudyKind| {
            let samples = self.drawn.iter().filter(move |(k, ..)| *k == kind);
            samples.map(|(.., sample)| sample.parameter).fold(0.0, f64::max)
        };
        self.drawn.iter().filter(move |(kind, _, sample)| sample.parameter == largest(*kind)).map(
            |(kind, scene, sample)| Picture {
                scene,
                method: sample.method.name(),
                contacts: &sample.found.contacts,
                poses: &sample.found.poses,
                study: Some(*kind),
                parameter: sample.parameter,
            },
        )
    }
}
