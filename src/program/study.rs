//! `drystone study`: the studies of the paper, each a scene by every method over a parameter.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use console::Term;
use rayon::prelude::*;
use serde::Serialize;

use super::interrupt::Left;
use super::method_name::{MethodName, find_all};
use super::one_line;
use super::options::StepOptions;
use super::output::{check_places, claim, is_standard, note, write_to};
use super::progress::Progress;
use crate::contact::generator::Registry;
use crate::replica::Variant;
use crate::scenes::study::{Outcome, Plan, Record, Run, Store, Study};

mod files;
mod tables;

/// Wall and Arch in one.
const INTERFACES: &str = "interfaces";

/// What `drystone study` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The study; "interfaces" is "wall" and "arch".
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(Study::ALL.map(Study::name).into_iter().chain([INTERFACES])))]
    name: String,

    /// A method; may be repeated (default: those of the paper). With settings of its own as NAME{"SETTING":VALUE}.
    #[arg(long, value_name = "NAME")]
    method: Vec<MethodName>,

    /// How methods are read: corrected, published or earlier. The last two take the bodies behind the published tables.
    #[arg(long, default_value = "corrected", value_name = "VARIANT")]
    variant: Variant,

    /// The last time step, from 1 (default: the paper's, 500 for contact-statistics).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    steps: Option<u32>,

    #[command(flatten)]
    stepping: StepOptions,

    /// The first seed of the noise of "perturbation" (default: 0).
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// How many threads work (default: one a core). Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Keep every finished run in this folder, and take from it what is there; write table, JSON and CSV beside them.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write settings and results as JSON; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write one row a run as CSV; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// A run and what it was made for.
#[derive(Clone, Debug, Serialize)]
pub struct Finished {
    /// The run.
    pub run: Run,
    /// What came out.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// A run that has no outcome.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The run.
    pub run: Run,
    /// Why.
    pub error: String,
}

impl Failure {
    /// What the run is called.
    pub fn name(&self) -> String {
        self.run.file_name().trim_end_matches(".json").to_owned()
    }
}

/// Runs a study and shows its tables. `false`: some runs failed.
pub fn run(arguments: &Arguments, registry: &Registry) -> Result<bool> {
    check_places(arguments.json.as_ref(), arguments.csv.as_ref())?;
    let studies: Vec<Study> = match arguments.name.as_str() {
        INTERFACES => vec![Study::Wall, Study::Arch],
        name => vec![name.parse()?],
    };
    if arguments.seed.is_some() && !studies.contains(&Study::Perturbation) {
        bail!("--seed belongs to the study {}; {} has no noise", Study::Perturbation, arguments.name);
    }
    let mut plan = Plan::new(arguments.variant);
    plan.steps = arguments.steps.map(|n| n as usize);
    plan.seed = arguments.seed.unwrap_or(0);
    plan.solver = arguments.stepping.solver;
    if !arguments.method.is_empty() {
        plan.methods = find_all(&arguments.method, registry, arguments.variant)?;
    }
    let runs: Vec<Run> = studies.iter().flat_map(|study| study.runs(&plan)).collect();
    let _claimed = arguments.out.as_deref().map(claim).transpose()?;
    let store = arguments.out.as_ref().map(|folder| Store::open(folder.join("runs"))).transpose()?;
    let left = |folder: &PathBuf| {
        Left::behind(format!(
            "the runs that are finished are in {}; the same command goes on from them",
            folder.display()
        ))
    };
    let _left = arguments.out.as_ref().map(left);
    let (finished, failures) = execute(&runs, arguments.threads, store.as_ref())?;

    let results = files::Results { name: &arguments.name, plan: &plan, finished: &finished, failures: &failures };
    if let Some(path) = &arguments.json {
        write_to(path, &results.json()?)?;
    }
    if let Some(path) = &arguments.csv {
        write_to(path, &results.csv()?)?;
    }
    if let Some(folder) = &arguments.out {
        let place = |extension| folder.join(format!("{}_{}.{extension}", arguments.name, arguments.variant));
        write_to(&place("json"), &results.json()?)?;
        write_to(&place("csv"), &results.csv()?)?;
        write_to(&place("txt"), tables::plain(&studies, &finished).as_bytes())?;
    }
    if ![&arguments.json, &arguments.csv].into_iter().flatten().any(|path| is_standard(path)) {
        let term = Term::stdout();
        term.write_str(&tables::for_terminal(&studies, &finished, &term))?;
    }
    for failure in &failures {
        note(&format!("drystone: {}: {}", failure.name(), failure.error));
    }
    Ok(failures.is_empty())
}

/// Executes the runs that the store does not have, each on one thread, and keeps each as soon as it is finished. The
/// results have the order of the runs whatever the number of threads.
pub fn execute(runs: &[Run], threads: Option<u32>, store: Option<&Store>) -> Result<(Vec<Finished>, Vec<Failure>)> {
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = threads {
        pool = pool.num_threads(threads as usize);
    }
    let pool = pool.build().context("the threads cannot be started")?;
    // All of them first: a file that cannot be used is to be known before an hour's work.
    let there = |run| store.map_or(Ok(None), |store| store.load(run));
    let there: Vec<Option<Record>> = runs.iter().map(there).collect::<Result<_, _>>()?;
    let missing = there.iter().filter(|record| record.is_none()).count();
    if missing < runs.len() {
        note(&format!("{} of {} runs are there already", runs.len() - missing, runs.len()));
    }
    let progress = Progress::new(missing);
    let one = |(run, there): (&Run, Option<Record>)| -> Result<Outcome> {
        let record = match there {
            Some(record) => record,
            None => {
                let record = run.execute();
                progress.advance(run.file_name().trim_end_matches(".json"));
                let record = record?;
                if let Some(store) = store {
                    store.save(run, &record)?;
                }
                record
            }
        };
        Ok(run.outcome(record)?)
    };
    let jobs: Vec<(&Run, Option<Record>)> = runs.iter().zip(there).collect();
    let outcomes: Vec<Result<Outcome>> = pool.install(|| jobs.into_par_iter().with_max_len(1).map(one).collect());
    progress.finish();
    let (mut finished, mut failures) = (Vec::new(), Vec::new());
    for (run, outcome) in runs.iter().cloned().zip(outcomes) {
        match outcome {
            Ok(outcome) => finished.push(Finished { run, outcome }),
            Err(error) => failures.push(Failure { run, error: one_line(&error) }),
        }
    }
    Ok((finished, failures))
}
