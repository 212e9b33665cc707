//! The studies by name, and the runs that each consists of.

use drystone_contact::generator::{Method, methods};
use drystone_engine::solver::ContactSolver;
use drystone_replica::Variant;
use serde::{Deserialize, Serialize};

use super::run::Run;
use super::{contact_statistics, interfaces, perturbation, pillar_quality, refinement, time_step};
use crate::builtin::BuiltIn;
use crate::cases::Model;

/// A study of the paper's section 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Study {
    /// [`contact_statistics`]
    ContactStatistics,
    /// [`pillar_quality`]
    PillarQuality,
    /// [`interfaces`] of the Wall.
    Wall,
    /// [`interfaces`] of the Arch.
    Arch,
    /// [`perturbation`]
    Perturbation,
    /// [`refinement`]
    Refinement,
    /// [`time_step`]
    TimeStep,
}

/// What is asked of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The methods, in the order in which they are reported.
    pub methods: Vec<Method>,
    /// How they are read.
    pub variant: Variant,
    /// Where the bodies come from.
    pub model: Model,
    /// The last time step, from 1; `None`: the study's own.
    pub steps: Option<usize>,
    /// The first seed of the noise.
    pub seed: u64,
    /// Which solver finds the impulses of the steps.
    pub solver: ContactSolver,
}

impl Plan {
    /// The local methods in a variant, with the bodies that belong to it: those behind the published tables, or our own for the
    /// corrected variant.
    pub fn new(variant: Variant) -> Self {
        Plan {
            methods: methods::local().iter().map(|method| variant.of(method)).collect(),
            variant,
            model: Model::of(variant),
            steps: None,
            seed: 0,
            solver: ContactSolver::default(),
        }
    }

    /// A run of every method in a scene, up to a step unless the plan says otherwise.
    pub(super) fn runs(&self, study: Study, scene: BuiltIn, steps: usize) -> Vec<Run> {
        let run = |method: &Method| Run {
            study,
            scene: scene.name().into(),
            model: self.model,
            method: method.clone(),
            steps: self.steps.unwrap_or(steps),
            time_step: None,
            noise: None,
            seed: None,
            level: None,
            solver: self.solver,
        };
        self.methods.iter().map(run).collect()
    }
}

impl Study {
    /// One line for people.
    pub fn title(self) -> &'static str {
        match self {
            Study::ContactStatistics => "contacts of the Pillar over its first 500 steps (table 6, figure 22)",
            Study::PillarQuality => "normals of the Pillar in the second step (table 7, figure 21)",
            Study::Wall => "normals and contact areas of the Wall in the second step (figures 24 and 25)",
            Study::Arch => "normals and contact areas of the Arch in the second step (figures 27 and 28)",
            Study::Perturbation => "normals of the Pillar with shifted stones (figure 30)",
            Study::Refinement => "normals of the Pillar with finer meshes (figure 32)",
            Study::TimeStep => "normals of the Pillar in the third step of other lengths (figure 34)",
        }
    }

    /// The independent runs of the study: methods first, then values of its parameter, then seeds.
    pub fn runs(self, plan: &Plan) -> Vec<Run> {
        match self {
            Study::ContactStatistics => contact_statistics::runs(plan),
            Study::PillarQuality => pillar_quality::runs(plan),
            Study::Wall => interfaces::runs(self, BuiltIn::Wall, plan),
            Study::Arch => interfaces::runs(self, BuiltIn::Arch, plan),
            Study::Perturbation => perturbation::runs(plan),
            Study::Refinement => refinement::runs(plan),
            Study::TimeStep => time_step::runs(plan),
        }
    }
}

drystone_contact::named!(Study, "study":
    ContactStatistics = "contact-statistics",
    PillarQuality = "pillar-quality",
    Wall = "wall",
    Arch = "arch",
    Perturbation = "perturbation",
    Refinement = "refinement",
    TimeStep = "time-step",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_titles_differ() {
        for study in Study::ALL {
            assert_eq!(study.name().parse(), Ok(study));
        }
        assert!("table-6".parse::<Study>().unwrap_err().to_string().contains("pillar-quality"));
    }

    #[test]
    fn runs_differ_from_each_other() {
        for study in Study::ALL {
            let runs = study.runs(&Plan::new(Variant::Published));
            for (i, run) in runs.iter().enumerate() {
                assert_eq!(
                    (run.study, run.model, run.method.variant()),
                    (study, Model::Recorded, Variant::Published.name())
                );
                assert!(runs[..i].iter().all(|other| other != run && other.file_name() != run.file_name()));
            }
            let fewer =
                Plan { methods: vec![methods::most_opposing()], steps: Some(1), ..Plan::new(Variant::Corrected) };
            let fewer = study.runs(&fewer);
            assert_eq!(fewer.len() * methods::local().len(), runs.len());
            assert!(fewer.iter().all(|run| run.steps == 1 && run.model == Model::Procedural));
        }
    }
}
