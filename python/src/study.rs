//! The studies of the paper as tables.

use std::sync::Arc;
use std::time::Instant;

use drystone_contact::generator::Method;
use drystone_contact::parallel::prelude::*;
use drystone_engine::solver::ContactSolver;
use drystone_replica::Variant;
use drystone_scenes::detection::DetectionFailure;
use drystone_scenes::study::{Plan, Row, Run, RunError, Study};
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde_json::{Value, json};

use crate::callback;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Watch;
use crate::method::{REGISTRY, method};
use crate::threads::{self, Crew};

/// Wall and Arch in one, as on the command line.
const INTERFACES: &str = "interfaces";

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Detection(error) => error.into(),
            other => Self::Scene(other.to_string()),
        }
    }
}

/// What a run came to: a row and all of it, or what is wrong.
type Finished = Result<(Row, Value), RunError>;

/// The names of the studies.
#[pyfunction]
pub fn study_names() -> Vec<&'static str> {
    Study::ALL.map(Study::name).into_iter().chain([INTERFACES]).collect()
}

/// What `drystone.study` calls: rows, runs and failures as JSON. `advance` is told how many runs there are, then of each whether it failed.
#[pyfunction]
#[pyo3(name = "_study")]
#[allow(clippy::too_many_arguments)]
pub fn study_json(
    py: Python<'_>,
    name: &str,
    methods: Vec<Bound<'_, PyAny>>,
    variant: &str,
    steps: Option<usize>,
    solver: &str,
    seed: Option<u64>,
    threads: Option<usize>,
    advance: &Bound<'_, PyAny>,
) -> Outcome<String> {
    let value = |error: &dyn std::fmt::Display| Failure::Value(error.to_string());
    let studies = match name {
        INTERFACES => vec![Study::Wall, Study::Arch],
        name => vec![name.parse::<Study>().map_err(|error| value(&error))?],
    };
    if seed.is_some() && !studies.contains(&Study::Perturbation) {
        return Err(Failure::Value(format!("seed belongs to the study {}; {name} has no noise", Study::Perturbation)));
    }
    if let Some(steps) = steps.filter(|steps| !(1..=100_000).contains(steps)) {
        return Err(Failure::Value(format!("steps is {steps}; it must be from 1 to 100000")));
    }
    let variant: Variant = variant.parse().map_err(|error| value(&error))?;
    let solver = solver.parse::<ContactSolver>().map_err(|error| value(&error))?;
    let mut plan = Plan { steps, solver, seed: seed.unwrap_or(0), ..Plan::new(variant) };
    if !methods.is_empty() {
        plan.methods = methods.iter().map(|argument| reading(argument, variant)).collect::<Outcome<_>>()?;
    }
    let runs: Vec<Run> = studies.iter().flat_map(|study| study.runs(&plan)).collect();
    advance.call1((runs.len(),))?;
    let finished = execute(py, &runs, threads::count(threads)?, advance.clone().unbind())?;
    let (mut rows, mut whole, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for (run, outcome) in runs.iter().zip(finished) {
        match outcome {
            Ok((row, all)) => {
                rows.push(row);
                whole.push(all);
            }
            Err(error) => {
                let text = error.to_string();
                if let error @ Failure::Python(_) = Failure::from(error) {
                    return Err(error);
                }
                failures.push(json!({ "run": run.file_name().trim_end_matches(".json"), "error": text }));
            }
        }
    }
    // As text: a value would have its fields in another order.
    let rows = serde_json::to_string(&rows).map_err(|error| Failure::Panic(error.to_string()))?;
    let (runs, failures) = (Value::Array(whole), Value::Array(failures));
    Ok(format!(r#"{{"rows":{rows},"runs":{runs},"failures":{failures}}}"#))
}

/// A name in the variant, where the method has it; anything else as it is.
fn reading(argument: &Bound<'_, PyAny>, variant: Variant) -> Outcome<Method> {
    let Ok(name) = argument.cast::<PyString>() else { return method(argument) };
    let name = name.to_cow()?;
    match REGISTRY.find_variant(name.as_ref(), variant.name()) {
        Ok(method) => Ok(method.clone()),
        Err(_) => Ok(variant.of(REGISTRY.find(name.as_ref())?)),
    }
}

/// Makes all runs, each on one thread.
///
/// # Errors
/// Ctrl-C, and what `advance` raises.
fn execute(py: Python<'_>, runs: &[Run], threads: usize, advance: Py<PyAny>) -> Outcome<Vec<Finished>> {
    let crew = Crew::of(py, threads)?;
    let watch = Arc::new(Watch::default());
    let one = |run: &Run| -> Finished {
        let is_cancelled = || watch.check().is_err();
        if is_cancelled() {
            return Err(DetectionFailure::Interrupted { step: 1 }.into());
        }
        let outcome = run.outcome(run.execute_until(&is_cancelled)?)?;
        let mut whole = json!(outcome);
        whole["run"] = json!(run);
        Ok((run.row(&outcome), whole))
    };
    let told = |finished: Finished| {
        if !watch.has_failed()
            && let Err(error) = Python::attach(|py| callback::marked(|| advance.call1(py, (finished.is_err(),))))
        {
            watch.fail(error);
        }
        finished
    };
    py.detach(|| {
        watch.begin(Instant::now());
        let all = || Ok(runs.par_iter().with_max_len(1).in_tasks_of(1).map(|run| told(one(run))).collect());
        watch.concluded(crew.run_watched(&watch, all))
    })
}
