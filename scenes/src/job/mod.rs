//! A job: a scene, a method and what is measured, as data. It runs anywhere, and its id says which results are its own.
//!
//! A [`Job`] is read from JSON ([`Reader`], docs/jobs.md). Its [canonical form](Job::canonical) spells out method and scene, so that two
//! ways to write the same job are one; its [id](Job::id) is a hash of that form and of [`program`]. [`Job::execute`] makes the
//! [`Outcome`]; long simulations leave [`Checkpoints`] behind, from which they go on with the same bits.
//!
//! ```
//! use drystone_replica::readings;
//! use drystone_scenes::job::{Execution, Reader};
//!
//! let registry = readings::registry();
//! let job = Reader::new(&registry).read(r#"{"scene": "cliff-edges", "method": "semi-local"}"#)?;
//! let outcome = job.execute(&Execution::new(&registry))?;
//! assert_eq!(outcome.rows[0].score.coverage, 1.0);
//! # Ok::<(), drystone_scenes::job::JobError>(())
//! ```

mod checkpoint;
mod entry;
mod error;
mod run;
mod simulated;

use std::collections::BTreeMap;
use std::sync::Arc;

use drystone_contact::generator::Method;
use drystone_contact::generator::cone_filter::Sides;
use drystone_contact::sorting::inserted;
use drystone_engine::solver::ContactSolver;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::builtin::BuiltIn;
use crate::cases::Model;
use crate::truth::TruthKind;

pub use checkpoint::Checkpoints;
pub use entry::Reader;
pub use error::JobError;
pub use run::{Execution, Outcome};
pub use simulated::{BodyEnd, End};

/// The program that results are of: its version and its build, a hash of all sources that results depend on and of the compiler.
/// Another build is another program.
pub fn program() -> &'static str {
    concat!("drystone ", env!("CARGO_PKG_VERSION"), " build ", env!("DRYSTONE_BUILD"))
}

/// A job: all that its outcome depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Where its bodies come from.
    pub scene: JobScene,
    /// What finds the contacts.
    pub method: Method,
    /// What finds the impulses of steps; `None`: what is usual for the scene.
    pub solver: Option<ContactSolver>,
    /// Δt, s; `None`: the scene's own.
    pub time_step: Option<f64>,
    /// Bodies are shifted by up to so many metres along x and z, from this seed.
    pub noise: Option<(f64, u64)>,
    /// How often every tetrahedron is split into eight.
    pub level: usize,
    /// How contacts are scored, if they are.
    pub assessment: Option<AssessmentJob>,
    /// How the scene is simulated, if it is.
    pub simulation: Option<SimulationJob>,
}

/// The scene of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum JobScene {
    /// A built-in one.
    BuiltIn {
        /// Which.
        scene: BuiltIn,
        /// Where its bodies come from.
        model: Model,
        /// Its size; `None`: the usual one.
        size: Option<f64>,
    },
    /// The whole text of a scene file, as [`encode`](crate::scene_file::encode) writes it.
    File {
        /// The scene's name.
        name: Arc<str>,
        /// The text.
        text: Arc<str>,
    },
}

/// How contacts are scored.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AssessmentJob {
    /// The time step to look at, from 1; 0 for the pose at the start; `None`: the scene's own.
    pub step: Option<usize>,
    /// By which contacts they are judged.
    pub truth: TruthKind,
    /// How normals are matched ([`Matching`](crate::measure::Matching)).
    pub tolerance: f64,
    /// The sides on which the normal-cone filter tests, if there is one.
    pub filter: Option<Sides>,
}

/// How a scene is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulationJob {
    /// How many steps are made.
    pub steps: u64,
    /// Whether it steps as the assessment suite does, in place of the settings for embedding.
    #[serde(default)]
    pub suite: bool,
    /// Whether steps are divided at times of impact.
    #[serde(default)]
    pub ccd: bool,
    /// Whether the states of all bodies belong to the outcome.
    #[serde(default)]
    pub bodies: bool,
}

impl Job {
    /// The job as JSON in which everything is spelled out, keys in alphabetical order.
    pub fn canonical(&self) -> Value {
        self.with_scene(match &self.scene {
            JobScene::BuiltIn { scene, .. } => scene.name().into(),
            JobScene::File { text, .. } => json!({ "toml": &**text }),
        })
    }

    /// The same with the name of a scene file's scene and a hash of its text (`file`) in place of the text, for people and tables.
    pub fn description(&self) -> Value {
        self.with_scene(match &self.scene {
            JobScene::BuiltIn { scene, .. } => scene.name().into(),
            JobScene::File { name, text } => json!({ "name": &**name, "file": hash(text.as_bytes()) }),
        })
    }

    fn with_scene(&self, scene: Value) -> Value {
        let (model, size) = match self.scene {
            JobScene::BuiltIn { model, size, .. } => (Some(model), size),
            JobScene::File { .. } => (None, None),
        };
        sorted(json!({
            "scene": scene,
            "model": model,
            "size": size,
            "method": {
                "name": self.method.name(),
                "variant": self.method.variant(),
                "settings": self.method.settings(),
            },
            "solver": self.solver.map(|solver| solver.name()),
            "time_step": self.time_step,
            "noise": self.noise.map(|(noise, _)| noise),
            "seed": self.noise.map(|(_, seed)| seed),
            "level": self.level,
            "assessment": self.assessment,
            "simulation": self.simulation,
        }))
    }

    /// The id: 32 hexadecimal digits, a hash of the canonical form and of [`program`]. Methods that the project does not have are
    /// known by their names, variants and settings alone.
    pub fn id(&self) -> String {
        hash(format!("{}\n{}", program(), self.canonical()).as_bytes())
    }

    /// What the scene is called.
    pub fn scene_name(&self) -> &str {
        match &self.scene {
            JobScene::BuiltIn { scene, .. } => scene.name(),
            JobScene::File { name, .. } => name,
        }
    }
}

/// The value with the keys of its objects in order, whatever order the maps of this build keep.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let object: BTreeMap<String, Value> = inserted(object);
            object.into_iter().map(|(key, value)| (key, sorted(value))).collect()
        }
        Value::Array(values) => values.into_iter().map(sorted).collect(),
        plain => plain,
    }
}

/// The first half of a hash of 256 bits, hexadecimal.
fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}
