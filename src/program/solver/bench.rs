//! `drystone solver bench`: solvers beside each other on problems of FCLIB.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;

use crate::program::interrupt::Interrupt;
use crate::program::one_line;
use crate::program::output::{check_distinct, check_folder, is_standard, note, shown, write_to};
use crate::program::progress::Progress;
use crate::scenes::fclib::benchmark::{BenchSettings, Measurement, measure};
use crate::scenes::fclib::profile::{FACTORS, profiles};
use crate::scenes::fclib::{BenchSolver, FclibProblem, read};

mod table;

/// The name of the JSON format (docs/fclib.md).
const SCHEMA: &str = "drystone.solver-bench/1";

/// What `drystone solver bench` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Problems of FCLIB (HDF5), in the local or the global form.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// A solver; may be repeated (default: all).
    #[arg(long, value_name = "NAME")]
    solver: Vec<BenchSolver>,

    /// A problem is solved where the natural map by the length of q is this at most.
    #[arg(long, value_name = "SHARE", default_value_t = 1e-8, value_parser = tolerance)]
    tolerance: f64,

    /// Sweeps at most.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    sweeps: u32,

    /// How many runs are timed, of which the fastest counts.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeats: u32,

    /// Write settings and results as JSON; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("it must be a number above 0".to_owned()),
    }
}

/// What came of a problem.
#[derive(Debug, Serialize)]
struct Problem {
    file: String,
    contacts: usize,
    /// max |W − Wᵀ| / max |W|.
    asymmetry: f64,
    rows: Vec<Row>,
}

/// What came of a solver on a problem.
#[derive(Debug, Serialize)]
struct Row {
    solver: &'static str,
    #[serde(flatten)]
    measured: Measurement,
}

/// The share of problems that a solver solves within each of the factors.
#[derive(Debug, Serialize)]
struct Profile {
    solver: &'static str,
    shares: [f64; FACTORS.len()],
}

#[derive(Debug, Serialize)]
struct Failure {
    file: String,
    error: String,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    program: &'static str,
    settings: BenchSettings,
    problems: &'a [Problem],
    /// The factors of the profiles; `null` is infinity.
    factors: [f64; FACTORS.len()],
    profiles: &'a [Profile],
    failures: &'a [Failure],
}

/// Measures all solvers on all problems. `false`: some could not be read. Asked to end, it shows the problems that are finished.
pub fn run(arguments: &Arguments) -> Result<bool> {
    check_places(arguments)?;
    let interrupt = Interrupt::watch();
    let (mut problems, mut failures) = (Vec::new(), Vec::new());
    for path in &arguments.files {
        let file = path.display().to_string();
        match read(path) {
            Ok(problem) => problems.push((file, problem)),
            Err(error) => failures.push(Failure { file, error: one_line(&error.into()) }),
        }
    }
    match &failures[..] {
        [failure] if problems.is_empty() => bail!("{}", failure.error),
        failures => failures.iter().for_each(|failure| note(&format!("drystone: {}", failure.error))),
    }
    if problems.is_empty() {
        bail!("none of the files can be read as a problem");
    }
    let is_first = |i: &usize| !arguments.solver[..*i].contains(&arguments.solver[*i]);
    let mut solvers: Vec<BenchSolver> =
        (0..arguments.solver.len()).filter(is_first).map(|i| arguments.solver[i]).collect();
    if solvers.is_empty() {
        solvers = BenchSolver::ALL.to_vec();
    }
    let settings = BenchSettings {
        tolerance: arguments.tolerance,
        max_sweeps: arguments.sweeps as usize,
        repeats: arguments.repeats as usize,
    };
    let progress = Progress::new(problems.len() * solvers.len());
    let measured: Vec<Problem> = problems
        .iter()
        .map_while(|(file, problem)| measured(file, problem, &solvers, &settings, &interrupt, &progress))
        .collect();
    progress.finish();
    if interrupt.is_asked() {
        note(&format!("drystone: ended as asked: {} of {} problems are finished", measured.len(), problems.len()));
    }
    let profiles = profiles_of(&solvers, &measured);
    if let Some(path) = &arguments.json {
        let document = Document {
            schema: SCHEMA,
            program: concat!("drystone ", env!("CARGO_PKG_VERSION")),
            settings,
            problems: &measured,
            factors: FACTORS,
            profiles: &profiles,
            failures: &failures,
        };
        let mut text = serde_json::to_vec_pretty(&document)?;
        text.push(b'\n');
        write_to(path, &text)?;
    }
    if !arguments.json.as_deref().is_some_and(is_standard) {
        write_to(Path::new("-"), shown(&table::text(&measured, &profiles, &settings)).as_bytes())?;
    }
    Ok(failures.is_empty())
}

fn check_places(arguments: &Arguments) -> Result<()> {
    let Some(json) = arguments.json.as_deref() else { return Ok(()) };
    let inputs: Vec<(&str, Option<&Path>)> =
        arguments.files.iter().map(|path| ("the problem", Some(path.as_path()))).collect();
    check_distinct(&[("--json", Some(json))], &inputs)?;
    if is_standard(json) { Ok(()) } else { check_folder(json) }
}

/// All solvers on a problem; `None` if the program is asked to end.
fn measured(
    file: &str,
    problem: &FclibProblem,
    solvers: &[BenchSolver],
    settings: &BenchSettings,
    interrupt: &Interrupt,
    progress: &Progress,
) -> Option<Problem> {
    let asked = interrupt.flag();
    let mut rows = Vec::new();
    for solver in solvers {
        let measured = measure(problem, solver, settings, || !asked.load(Relaxed))?;
        progress.advance(&format!("{} {solver}", name(file)));
        rows.push(Row { solver: solver.name(), measured });
    }
    Some(Problem { file: file.to_owned(), contacts: problem.contacts().len(), asymmetry: problem.asymmetry(), rows })
}

/// The name of a file without its folder.
fn name(file: &str) -> String {
    Path::new(file).file_name().map_or_else(|| file.to_owned(), |name| name.to_string_lossy().into_owned())
}

fn profiles_of(solvers: &[BenchSolver], problems: &[Problem]) -> Vec<Profile> {
    let time = |row: &Row| row.measured.reached.then_some(row.measured.seconds);
    let times: Vec<Vec<Option<f64>>> = (0..solvers.len())
        .map(|k| problems.iter().map(|problem| problem.rows.get(k).and_then(time)).collect())
        .collect();
    solvers.iter().zip(profiles(&times)).map(|(solver, shares)| Profile { solver: solver.name(), shares }).collect()
}
