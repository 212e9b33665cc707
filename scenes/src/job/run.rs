//! Jobs run.

use drystone_contact::generator::Registry;
use drystone_contact::generator::cone_filter::ConeFilter;
use serde::Serialize;

use super::simulated::{End, simulate};
use super::{AssessmentJob, Checkpoints, Job, JobError, JobScene};
use crate::assessment::{Assessment, Row, assess};
use crate::contact_region::RegionSettings;
use crate::detection::Moment;
use crate::measure::Matching;
use crate::opening::{SceneOptions, What, change, open};
use crate::scene::Scene;
use crate::scene_file;
use crate::simulation::{WorldPreset, usual_solver};

/// How a job is run. Its outcome does not depend on it.
pub struct Execution<'a> {
    /// The methods that checkpoints may name.
    pub registry: &'a Registry,
    /// Where simulations leave checkpoints, and go on from them.
    pub checkpoints: Option<&'a Checkpoints>,
    /// Asked between the steps of a simulation. If it says yes, the job ends with [`JobError::Interrupted`], after a checkpoint.
    pub is_cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Execution<'a> {
    /// To the end, without checkpoints.
    pub fn new(registry: &'a Registry) -> Self {
        Self { registry, checkpoints: None, is_cancelled: &|| false }
    }
}

/// What came out of a job.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The scores, one row if contacts were scored.
    pub rows: Vec<Row>,
    /// The end of the simulation, if there was one.
    pub end: Option<End>,
}

impl Job {
    /// Runs the job on the calling thread and those of its pool. Times in the outcome are those of this run; all else follows from
    /// the job.
    ///
    /// # Errors
    /// [`JobError`].
    pub fn execute(&self, execution: &Execution<'_>) -> Result<Outcome, JobError> {
        let rows = self.assessment.iter().map(|request| self.assess(request)).collect::<Result<_, _>>()?;
        let end = self.simulation.as_ref().map(|request| simulate(self, request, execution)).transpose()?;
        Ok(Outcome { rows, end })
    }

    fn assess(&self, request: &AssessmentJob) -> Result<Row, JobError> {
        let scene = self.scene(WorldPreset::Suite)?;
        let moment = request.step.map(|step| if step == 0 { Moment::Start } else { Moment::Step(step) });
        let request = Assessment {
            truth: request.truth,
            moment,
            matching: Matching { tolerance: request.tolerance },
            region: RegionSettings::default(),
            filter: request.filter.map(|sides| ConeFilter { sides, ..ConeFilter::default() }),
        };
        Ok(assess(&scene, &self.method, &request)?.row)
    }

    /// The scene, changed as the job says.
    pub(super) fn scene(&self, preset: WorldPreset) -> Result<Scene, JobError> {
        let mut options = SceneOptions::default();
        let scene = match &self.scene {
            JobScene::BuiltIn { scene, model, size } => {
                (options.model, options.size) = (Some(*model), *size);
                open(&What::BuiltIn(*scene), &options)?.scene
            }
            JobScene::File { text, .. } => scene_file::parse(text, "")?,
        };
        options.solver = self.solver.unwrap_or_else(|| usual_solver(&scene, preset));
        if !scene.is_held_by(options.solver) {
            return Err(JobError::Ties { scene: scene.name, solver: options.solver.name() });
        }
        (options.time_step, options.perturbation, options.refinement) = (self.time_step, self.noise, self.level);
        Ok(change(scene, &options)?)
    }
}
