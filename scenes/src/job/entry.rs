//! Jobs as people write them: names where names say enough, and what is usual left out.

use std::collections::HashMap;
use std::sync::Arc;

use drystone_contact::generator::cone_filter::Sides;
use drystone_contact::generator::{Method, Registry};
use drystone_engine::solver::ContactSolver;
use drystone_replica::Variant;
use serde::Deserialize;
use serde_json::Value;

use super::{AssessmentJob, Job, JobError, JobScene, SimulationJob};
use crate::cases::Model;
use crate::measure::Matching;
use crate::opening::{SceneOptions, What, open};
use crate::scene_file;
use crate::truth::TruthKind;

/// The largest refinement, as on the command line.
const MAXIMUM_LEVEL: usize = 4;

/// The most steps, as on the command line.
const MAXIMUM_STEPS: u64 = 1_000_000_000;

/// Reads jobs. Texts of scene files that come more than once are looked at once.
pub struct Reader<'a> {
    registry: &'a Registry,
    /// By the text as given.
    scenes: HashMap<String, JobScene>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    scene: Value,
    method: Value,
    model: Option<Model>,
    size: Option<f64>,
    solver: Option<String>,
    time_step: Option<f64>,
    noise: Option<f64>,
    seed: Option<u64>,
    #[serde(default)]
    level: usize,
    assessment: Option<AssessmentEntry>,
    simulation: Option<SimulationJob>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct AssessmentEntry {
    step: Option<usize>,
    truth: Option<TruthKind>,
    tolerance: Option<f64>,
    filter: Option<Sides>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MethodEntry {
    name: String,
    variant: Option<String>,
    settings: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileEntry {
    toml: String,
}

fn wrong<T>(field: &'static str, problem: impl Into<String>) -> Result<T, JobError> {
    Err(JobError::Field { field, problem: problem.into() })
}

/// A number that is finite and, if it must be, above zero.
fn number(field: &'static str, value: Option<f64>, least: f64, is_allowed: bool) -> Result<(), JobError> {
    match value {
        Some(value) if !value.is_finite() || value < least || (value == least && !is_allowed) => {
            let must = if is_allowed { "not below" } else { "above" };
            wrong(field, format!("is {value}; it must be a finite number {must} {least}"))
        }
        _ => Ok(()),
    }
}

impl<'a> Reader<'a> {
    /// Reads jobs with the methods of a registry.
    pub fn new(registry: &'a Registry) -> Self {
        Self { registry, scenes: HashMap::new() }
    }

    /// The job of a text.
    ///
    /// # Errors
    /// [`JobError`] of what can be known without making the scene.
    pub fn read(&mut self, text: &str) -> Result<Job, JobError> {
        let entry: Entry = serde_json::from_str(text)?;
        number("size", entry.size, 0.0, false)?;
        number("time_step", entry.time_step, 0.0, false)?;
        number("noise", entry.noise, 0.0, true)?;
        if entry.level > MAXIMUM_LEVEL {
            return wrong("level", format!("is {}; it must be from 0 to {MAXIMUM_LEVEL}", entry.level));
        }
        let noise = match (entry.noise, entry.seed) {
            (None, None) => None,
            // Without noise all seeds are the same job.
            (Some(0.0), _) => None,
            (Some(noise), Some(seed)) => Some((noise, seed)),
            (Some(_), None) => return wrong("noise", "needs a seed; give one, such as \"seed\": 0"),
            (None, Some(_)) => {
                return wrong("seed", "is without effect where there is no noise; leave it out or give noise");
            }
        };
        let method = self.method(entry.method)?;
        let scene = self.scene(entry.scene, entry.model, entry.size, &method)?;
        let assessment = match (entry.assessment, entry.simulation) {
            (None, Some(_)) => None,
            (assessment, _) => Some(assessment.unwrap_or_default()),
        };
        if let Some(simulation) = entry.simulation
            && !(1..=MAXIMUM_STEPS).contains(&simulation.steps)
        {
            let steps = simulation.steps;
            return wrong("simulation.steps", format!("is {steps}; it must be from 1 to {MAXIMUM_STEPS}"));
        }
        if assessment.is_some()
            && let JobScene::BuiltIn { scene, .. } = &scene
            && !scene.has_truth()
        {
            return Err(JobError::Unknown { scene: scene.name().into() });
        }
        let assessment = match assessment {
            Some(AssessmentEntry { step, truth, tolerance, filter }) => {
                number("assessment.tolerance", tolerance, 0.0, false)?;
                let truth = truth.unwrap_or_else(|| TruthKind::of_method(&method));
                let tolerance = tolerance.unwrap_or(Matching::default().tolerance);
                if step.is_some_and(|step| step > scene_file::MAXIMUM_STEP) {
                    return wrong("assessment.step", format!("must be from 0 to {}", scene_file::MAXIMUM_STEP));
                }
                Some(AssessmentJob { step, truth, tolerance, filter })
            }
            None => None,
        };
        let solver = entry.solver.as_deref().map(str::parse::<ContactSolver>).transpose()?;
        let (time_step, level, simulation) = (entry.time_step, entry.level, entry.simulation);
        Ok(Job { scene, method, solver, time_step, noise, level, assessment, simulation })
    }

    fn method(&self, entry: Value) -> Result<Method, JobError> {
        let entry = match entry {
            Value::String(name) => MethodEntry { name, variant: None, settings: None },
            Value::Object(_) => serde_json::from_value(entry)?,
            _ => return wrong("method", "must be a name, or an object with name, variant and settings"),
        };
        let method = match &entry.variant {
            Some(variant) => self.registry.find_variant(&entry.name, variant)?,
            None => self.registry.find(&entry.name)?,
        };
        Ok(match entry.settings {
            Some(settings) if !settings.is_null() => method.with_settings(settings)?,
            _ => method.clone(),
        })
    }

    fn scene(
        &mut self,
        entry: Value,
        model: Option<Model>,
        size: Option<f64>,
        method: &Method,
    ) -> Result<JobScene, JobError> {
        let (text, is_path) = match entry {
            Value::String(name) => match name.parse::<What>()? {
                What::BuiltIn(scene) => {
                    let usual = || Variant::read(method).map_or(Model::Procedural, Model::of);
                    return Ok(JobScene::BuiltIn { scene, model: model.unwrap_or_else(usual), size });
                }
                _ => (name, true),
            },
            Value::Object(_) => (serde_json::from_value::<FileEntry>(entry)?.toml, false),
            _ => return wrong("scene", "must be a name, a path, or an object with the text of a scene file as toml"),
        };
        if size.is_some() || model.is_some() {
            let field = if size.is_some() { "size" } else { "model" };
            return wrong(field, "belongs to the built-in scenes; leave it out where the scene is a file");
        }
        if let Some(known) = self.scenes.get(&text) {
            return Ok(known.clone());
        }
        let scene = match is_path {
            true => open(&text.parse()?, &SceneOptions::default())?.scene,
            false => scene_file::parse(&text, "")?,
        };
        let canonical: Arc<str> = scene_file::encode(&scene)?.into();
        let file = JobScene::File { name: scene.name.into(), text: canonical };
        if !is_path {
            self.scenes.insert(text, file.clone());
        }
        Ok(file)
    }
}
