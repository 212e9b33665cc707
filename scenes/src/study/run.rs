//! One run of a study: a scene with one method up to a time step.

use drystone_contact::generator::{Method, UnknownName};
use drystone_contact::sorting::CompactSort;
use drystone_engine::solver::ContactSolver;
use drystone_engine::{ContactBetween, Pose};
use glam::DVec3;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::contact_statistics::STEPS;
use super::plan::Study;
use super::spread::Spread;
use super::{Found, InterfaceArea, Sample, Statistics};
use crate::cases::Model;
use crate::detection::{DetectionFailure, Moment, detect_until};
use crate::measure::{Matching, qualities, score};
use crate::opening::{OpenError, SceneOptions, What, open};
use crate::scene::Scene;
use crate::truth::TruthKind;
use drystone_replica::Variant;
use drystone_replica::published::contact_statistics;

/// A run: all that its outcome depends on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// The study that it belongs to, which says what its outcome is.
    pub study: Study,
    /// A built-in scene, by name.
    pub scene: String,
    /// Where its bodies come from.
    pub model: Model,
    /// The method; serialized as its name and variant, and its settings where they are its own.
    #[serde(flatten, serialize_with = "serialize_method")]
    pub method: Method,
    /// The last time step, from 1; its contacts are looked at.
    pub steps: usize,
    /// Δt, s; `None`: the scene's own.
    pub time_step: Option<f64>,
    /// Bodies are shifted by up to this along x and z, m.
    pub noise: Option<f64>,
    /// Where the shifts start from.
    pub seed: Option<u64>,
    /// How often every tetrahedron is split into eight.
    pub level: Option<usize>,
    /// Which solver finds the impulses of the steps; left out of files where it is the usual one.
    #[serde(serialize_with = "solver_name::serialize", skip_serializing_if = "solver_name::is_usual")]
    pub solver: ContactSolver,
}

/// A method as the fields `method` and `variant`; as `settings` as well unless the registry has it with the same.
pub(super) fn serialize_method<S: Serializer>(method: &Method, serializer: S) -> Result<S::Ok, S::Error> {
    let mut fields = serializer.serialize_map(None)?;
    fields.serialize_entry("method", method.name())?;
    fields.serialize_entry("variant", method.variant())?;
    if drystone_replica::readings::registry().find_variant(method.name(), method.variant()) != Ok(method) {
        fields.serialize_entry("settings", method.settings())?;
    }
    fields.end()
}

/// Solvers by their names.
mod solver_name {
    use drystone_engine::solver::ContactSolver;
    use serde::Serializer;

    pub fn is_usual(solver: &ContactSolver) -> bool {
        *solver == ContactSolver::default()
    }

    pub fn serialize<S: Serializer>(solver: &ContactSolver, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(solver.name())
    }
}

/// What a run found. Its outcome follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Contacts in each step, from step 1.
    pub counts: Vec<usize>,
    /// The contacts in the last step.
    pub contacts: Vec<ContactBetween>,
    /// Where the bodies were then.
    pub poses: Vec<Pose>,
}

/// What a run is made for.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Of the last step.
    Sample(Sample),
    /// Of all steps.
    Statistics(Statistics),
}

/// Why a run has no outcome.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No such scene.
    #[error(transparent)]
    Scene(#[from] UnknownName),
    /// The scene cannot be made.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It cannot be stepped.
    #[error(transparent)]
    Detection(#[from] DetectionFailure),
}

impl Run {
    /// The value of the study's parameter: m of noise, level of refinement, s of time step; zero without one.
    pub fn parameter(&self) -> f64 {
        let value = match self.study {
            Study::Perturbation => self.noise,
            Study::Refinement => self.level.map(|level| level as f64),
            Study::TimeStep => self.time_step,
            Study::ContactStatistics | Study::PillarQuality | Study::Wall | Study::Arch => None,
        };
        value.unwrap_or(0.0)
    }

    /// The name of the file that a [`Store`](super::Store) keeps its record in. Runs that differ in more than settings of their
    /// methods have different ones.
    pub fn file_name(&self) -> String {
        let mut name = format!("{}_{}_{}_{}", self.study, self.scene, self.method.variant(), self.method);
        if self.model != Variant::read(&self.method).map_or(Model::Procedural, Model::of) {
            name += "_other-bodies";
        }
        name += &format!("_steps-{}", self.steps);
        if let Some(noise) = self.noise {
            name += &format!("_noise-{noise}");
        }
        if let Some(seed) = self.seed {
            name += &format!("_seed-{seed}");
        }
        if let Some(level) = self.level {
            name += &format!("_level-{level}");
        }
        if let Some(time_step) = self.time_step {
            name += &format!("_step-{time_step}");
        }
        if self.solver != ContactSolver::default() {
            name += &format!("_{}", self.solver);
        }
        name + ".json"
    }

    /// The scene of the run.
    ///
    /// # Errors
    /// [`RunError`], but for the last.
    pub fn scene(&self) -> Result<Scene, RunError> {
        let options = SceneOptions {
            model: Some(self.model),
            time_step: self.time_step,
            perturbation: self.noise.zip(self.seed),
            refinement: self.level.unwrap_or(0),
            solver: self.solver,
            ..SceneOptions::default()
        };
        Ok(open(&What::BuiltIn(self.scene.parse()?), &options)?.scene)
    }

    /// Steps the scene and looks.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn execute(&self) -> Result<Record, RunError> {
        self.execute_until(&|| false)
    }

    /// The same, given up before the next step once someone asks for an end.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn execute_until(&self, is_cancelled: &dyn Fn() -> bool) -> Result<Record, RunError> {
        let found = detect_until(&self.scene()?, &self.method, Moment::Step(self.steps), is_cancelled)?;
        let mut counts: Vec<usize> = found.steps.iter().map(|step| step.contacts).collect();
        counts.push(found.contacts.len());
        Ok(Record { counts, contacts: found.contacts, poses: found.poses })
    }

    /// What the study wants to know of the record. Published variants are judged by the published truth.
    ///
    /// # Errors
    /// [`RunError`] if the scene cannot be made.
    pub fn outcome(&self, record: Record) -> Result<Outcome, RunError> {
        if self.study == Study::ContactStatistics {
            return Ok(Outcome::Statistics(self.statistics(record.counts)));
        }
        Ok(Outcome::Sample(self.sample(&self.scene()?, record)))
    }

    fn statistics(&self, counts: Vec<usize>) -> Statistics {
        let numbers: Vec<f64> = counts.iter().map(|&n| n as f64).collect();
        // A run has at least one step.
        let spread = Spread::of(&numbers).unwrap_or(Spread { mean: 0.0, deviation: 0.0, min: 0.0, max: 0.0 });
        Statistics {
            scene: self.scene.clone(),
            method: self.method.clone(),
            mean: spread.mean,
            min: counts.iter().copied().min().unwrap_or(0),
            max: counts.iter().copied().max().unwrap_or(0),
            deviation: spread.deviation,
            published: contact_statistics(&self.scene, self.method.name())
                .filter(|_| counts.len() == STEPS && self.solver == ContactSolver::default()),
            counts,
        }
    }

    fn sample(&self, scene: &Scene, record: Record) -> Sample {
        let truth = scene.truth(TruthKind::of_method(&self.method));
        let Record { contacts, poses, .. } = record;
        let truth = truth.at(&poses);
        let score = score(&contacts, &truth, &Matching::default());
        let mut qualities = qualities(&contacts, &truth);
        qualities.compact_sort_by(|p, q| q.total_cmp(p));
        let name = |id: drystone_engine::BodyId| scene.bodies[id.index()].name.clone();
        let areas = score.area.as_ref().map(|area| &area.interfaces[..]).unwrap_or_default().iter();
        Sample {
            scene: self.scene.clone(),
            method: self.method.clone(),
            step: self.steps,
            parameter: self.parameter(),
            contacts: score.contacts,
            matching: score.matching,
            qualities,
            up: contacts.iter().map(|c| c.contact.normal.dot(DVec3::Y).abs()).collect(),
            areas: areas
                .map(|i| InterfaceArea { a: name(i.a), b: name(i.b), expected: i.expected, measured: i.measured })
                .collect(),
            coverage: score.area.as_ref().map(|area| area.coverage),
            found: Found { contacts, poses },
        }
    }
}
