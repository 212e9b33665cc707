//! Jobs for `drystone.sweep`: what is read, and what runs in a worker.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use drystone_scenes::job::{self, Checkpoints, Execution, Job, JobError, JobScene, Reader};
use pyo3::prelude::*;

use crate::failure::{Failure, Outcome, guarded};
use crate::method::REGISTRY;
use crate::threads;

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
            JobError::Step { .. } => Self::World(error.to_string()),
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

/// Of jobs as JSON: their ids, what they are (without texts of scene files), and the texts of their scene files. An error names
/// the job by its number.
#[pyfunction]
pub fn _read_jobs(py: Python<'_>, texts: Vec<String>) -> Outcome<Vec<(String, String, Option<String>)>> {
    threads::released(py, 1, || {
        let mut reader = Reader::new(&REGISTRY);
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

/// Runs a job: its id, and what came out as JSON.
#[pyfunction]
pub fn _run_job(
    py: Python<'_>,
    text: &str,
    checkpoints: Option<std::path::PathBuf>,
    every: u64,
) -> Outcome<(String, String)> {
    let job: Job = guarded(|| Ok(Reader::new(&REGISTRY).read(text)?))?;
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
            Execution { registry: &REGISTRY, checkpoints: checkpoints.as_ref(), is_cancelled: &is_cancelled };
        Ok(job.execute(&execution)?)
    });
    if let Ok((_, Some(interrupt))) = asked.into_inner() {
        return Err(interrupt.into());
    }
    let text = serde_json::to_string(&outcome?).map_err(|error| Failure::Panic(error.to_string()))?;
    Ok((job.id(), text))
}
