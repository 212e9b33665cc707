//! `drystone ccd bench`: methods over files of queries with known answers.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use super::settings::{DEFAULT_METHOD, KindWord, SettingsOptions};
use crate::contact::ccd::{CcdError, Guarantee};
use crate::program::interrupt::Interrupt;
use crate::program::output::{check_folder, check_places, is_standard, note, write_to};
use crate::replica::ccd::method;
use crate::scenes::ccd::benchmark::{Parameter, Row};
use crate::scenes::ccd::{QuerySet, read};

mod execute;
mod files;
mod page;
mod table;

/// What `drystone ccd bench` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Files of queries (.ccdq, or .csv as published), or folders with them.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    /// A method; may be repeated.
    #[arg(long, value_name = "NAME", default_value = DEFAULT_METHOD)]
    method: Vec<String>,

    #[command(flatten)]
    settings: SettingsOptions,

    /// Ask only the first N queries of every set.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// By what answers are judged: the labels of the files, which are about contact without separation, or the exact
    /// method asked the same.
    #[arg(long, default_value = "labels", value_name = "TRUTH")]
    truth: TruthWord,

    /// Also vary a setting over the range of the paper's figures; may be repeated.
    #[arg(long, value_name = "SETTING")]
    sweep: Vec<SweepWord>,

    /// The kind of queries in CSV files whose name and folder do not tell it.
    #[arg(long, value_name = "KIND")]
    kind: Option<KindWord>,

    /// How many threads work. With more than one, times disturb each other.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,

    /// Write settings and results as JSON; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write one row a set, family and setting as CSV; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the page with tables and charts.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// By what answers are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TruthWord {
    /// What the files say, of contact without separation.
    Labels,
    /// What the exact method says with the same separation and time interval.
    Exact,
}

impl TruthWord {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Labels => "labels",
            Self::Exact => "exact",
        }
    }
}

/// What is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SweepWord {
    /// The tolerance.
    Tol,
    /// The most checks.
    Checks,
    /// The minimum separation.
    Ms,
}

impl SweepWord {
    fn parameter(self) -> Parameter {
        match self {
            Self::Tol => Parameter::Tolerance,
            Self::Checks => Parameter::Checks,
            Self::Ms => Parameter::Separation,
        }
    }
}

/// Everything that came out.
pub struct Results {
    /// The sets that were asked, cut to the limit.
    pub sets: Vec<QuerySet>,
    /// By what answers were judged.
    pub truth: TruthWord,
    /// How many threads were at work.
    pub threads: u32,
    /// The figures.
    pub rows: Vec<Row>,
    /// What could not be run: one line each.
    pub failures: Vec<String>,
    /// How long it took, s.
    pub seconds: f64,
}

/// Runs the benchmark. `false`: it was interrupted, something got no answer, or a method missed what it promises to find.
pub fn run(arguments: &Arguments) -> Result<bool> {
    check_all_places(arguments)?;
    let start = Instant::now();
    let interrupt = Interrupt::watch();
    let settings = arguments.settings.settings();
    let mut names: Vec<&str> = Vec::new();
    for name in &arguments.method {
        // Settings out of range and unknown names are the user's; what a method cannot do is a result.
        match method(name, settings) {
            Ok(_) | Err(CcdError::Unsupported { .. }) => {}
            Err(error) => bail!(error),
        }
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut sets = read(&arguments.paths, arguments.kind.map(|kind| kind.0))?;
    if let Some(limit) = arguments.limit {
        for set in &mut sets {
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            set.queries.truncate(limit);
            set.labels.truncate(limit);
            set.times.iter_mut().for_each(|times| times.truncate(limit));
        }
    }
    let mut sweeps: Vec<Parameter> = Vec::new();
    for parameter in arguments.sweep.iter().map(|word| word.parameter()) {
        if !sweeps.contains(&parameter) {
            sweeps.push(parameter);
        }
    }
    let plan = execute::Plan { names: &names, settings, sweeps: &sweeps, sets: &sets, truth: arguments.truth };
    let Some((rows, failures)) = plan.execute(arguments.threads, &interrupt)? else {
        note("drystone: interrupted; nothing is written");
        return Ok(false);
    };
    let (truth, threads, seconds) = (arguments.truth, arguments.threads, start.elapsed().as_secs_f64());
    let results = Results { sets, truth, threads, rows, failures, seconds };
    if let Some(path) = &arguments.json {
        write_to(path, &files::json(&results)?)?;
    }
    if let Some(path) = &arguments.csv {
        write_to(path, &files::csv(&results)?)?;
    }
    if let Some(path) = &arguments.report {
        write_to(path, page::page(&results, &settings).as_bytes())?;
    }
    if ![&arguments.json, &arguments.csv].into_iter().flatten().any(|path| is_standard(path)) {
        print!("{}", table::tables(&results));
    }
    for failure in &results.failures {
        note(&format!("drystone: {failure}"));
    }
    Ok(results.failures.is_empty() && !is_promise_broken(&results.rows))
}

fn check_all_places(arguments: &Arguments) -> Result<()> {
    check_places(arguments.json.as_ref(), arguments.csv.as_ref())?;
    if let Some(report) = &arguments.report {
        if is_standard(report) || report.is_dir() {
            bail!("--report writes a page to be opened in a browser; give it the name of a file");
        }
        if [&arguments.json, &arguments.csv].into_iter().flatten().any(|other| other == report) {
            bail!("--report and another option both write to {}; give them different places", report.display());
        }
    }
    let places = [&arguments.json, &arguments.csv, &arguments.report].into_iter().flatten();
    places.filter(|path| !is_standard(path)).try_for_each(|path| check_folder(path).context("before any work"))
}

/// Whether a method that promises to miss nothing missed a contact or gave a late time; notes which.
fn is_promise_broken(rows: &[Row]) -> bool {
    let mut is_broken = false;
    for row in rows {
        let wrong = (row.figures.false_negatives, row.figures.late);
        let promises = method(&row.method, row.settings).is_ok_and(|m| !matches!(m.guarantee(), Guarantee::None(_)));
        if promises && wrong != (0, 0) {
            note(&format!(
                "drystone: {} promises to miss no contact and to give no late time; in {} {} it missed {}, {} times were late",
                row.method,
                row.name,
                super::settings::kind_name(row.kind),
                wrong.0,
                wrong.1
            ));
            is_broken = true;
        }
    }
    is_broken
}
