//! Jobs for `drystone.sweep`: what is read, and what runs in a worker.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use drystone_scenes::job::{self, Checkpoints, Execution, Job, JobError, JobScene, Reader};
use pyo3::prelude::*;

use crate::failure::{Failure, Outcome, guarded};
use crate::{callback, threads};

/// How often Python is asked whether it was interrupted.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

impl From<JobError> for Failure {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Name(_) | JobError::Settings(_) => Self::Method(error.to_string()),
            JobError::Open(_) | JobError::Scene(_) | JobError::Unknown { .. } | JobError::Ties { .. } => {
                Self::Scene(error.to_string())
            }
            JobError::Detection(error) => error.into(),
            JobError::Step { step, source } => match Self::from(source) {
                // Ctrl-C among them.
                Self::Python(exception) => Self::Python(exception),
                failure => failure.at(&format!("step {step}")),
            },
            JobError::Json(_) | JobError::Field { .. } | JobError::Checkpoint { .. } | JobError::Interrupted => {
                Self::Value(error.to_string())
            }
        }
    }
}

/// The version and build of what runs jobs.
#[pyfunction]
pub fn _program() -> &'static str {
    job::program()
}

/// A generator in Python, and the variant that jobs know it by.
type Carried<'py> = (Bound<'py, PyAny>, String);

/// Of jobs as JSON: their ids, what they are (without texts of scene files), and the texts of their scene files. An error names
/// the job by its number. Jobs may have methods of the generators.
#[pyfunction]
pub fn _read_jobs(
    py: Python<'_>,
    texts: Vec<String>,
    generators: Vec<Carried<'_>>,
) -> Outcome<Vec<(String, String, Option<String>)>> {
    let registry = callback::registry_of(&generators)?;
    threads::released(py, 1, || {
        let mut reader = Reader::new(&registry);
        let read = |(number, text): (usize, &String)| {
            let job = reader.read(text).map_err(|error| Failure::from(error).at(&format!("job {number}")))?;
            let scene = match &job.scene {
                JobScene::File { text, .. } => Some(text.to_string()),
                JobScene::BuiltIn { .. } => None,
            };
            Ok((job.id(), job.description().to_string(), scene))
        };
        texts.iter().enumerate().map(read).collect()
    })
}

/// Runs a job, which may have the method of a generator: its id, and what came out as JSON.
#[pyfunction]
pub fn _run_job(
    py: Python<'_>,
    text: &str,
    checkpoints: Option<std::path::PathBuf>,
    every: u64,
    generator: Option<Carried<'_>>,
) -> Outcome<(String, String)> {
    let registry = callback::registry_of(generator.as_slice())?;
    let job: Job = guarded(|| Ok(Reader::new(&registry).read(text)?))?;
    let checkpoints = checkpoints.map(|folder| Checkpoints::new(folder, every)).transpose()?;
    // When Python was asked last, and what it said.
    let asked = Mutex::new((Instant::now(), None));
    let is_cancelled = || {
        let Ok(mut asked) = asked.lock() else { return true };
        if asked.1.is_none() && asked.0.elapsed() > BETWEEN_LOOKS {
            *asked = (Instant::now(), Python::attach(|py| py.check_signals()).err());
        }
        asked.1.is_some()
    };
    let outcome = threads::released(py, 1, || {
        let execution =
            Execution { registry: &registry, checkpoints: checkpoints.as_ref(), is_cancelled: &is_cancelled };
        Ok(job.execute(&execution)?)
    });
    if let Ok((_, Some(interrupt))) = asked.into_inner() {
        return Err(interrupt.into());
    }
    let text = serde_json::to_string(&outcome?).map_err(|error| Failure::Panic(error.to_string()))?;
    Ok((job.id(), text))
}
