//! `drystone assess`: the main job.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use clap::Args;
use console::Term;
use drystone::contact::generator::Method;
use drystone::scenes::assessment::{Assessed, Row, assess};
use drystone::scenes::cases::Case;
use drystone::scenes::scene::Scene;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;

use super::options::SceneOptions;
use super::output::{is_standard, write_to};
use super::report::{rows_as_csv, rows_as_json, write_folder};
use super::tables::Tables;

/// What `drystone assess` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A scene by name, or a scene file; may be repeated (default: all scenes).
    #[arg(long, value_name = "NAME|FILE")]
    scene: Vec<String>,

    /// A method; may be repeated (default: all methods).
    #[arg(long, value_name = "NAME")]
    method: Vec<Method>,

    #[command(flatten)]
    options: SceneOptions,

    /// How many threads work (default: one a core). Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Write settings and rows as JSON; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write the rows as CSV; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write tables, rows and all contacts into a folder.
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

/// Runs all methods in all scenes and shows the tables.
pub fn run(arguments: &Arguments) -> Result<()> {
    let options = &arguments.options;
    let names: Vec<String> = if arguments.scene.is_empty() {
        Case::ALL.map(|case| case.name().to_owned()).to_vec()
    } else {
        arguments.scene.clone()
    };
    let scenes = names.iter().map(|name| options.scene(name)).collect::<Result<Vec<Scene>>>()?;
    let methods = if arguments.method.is_empty() { Method::ALL.to_vec() } else { arguments.method.clone() };
    let assessed = assess_all(&scenes, &methods, arguments)?;
    let rows: Vec<Row> = assessed.iter().map(|a| a.row.clone()).collect();

    if let Some(path) = &arguments.json {
        write_to(path, &rows_as_json(&rows, options)?)?;
    }
    if let Some(path) = &arguments.csv {
        write_to(path, &rows_as_csv(&rows)?)?;
    }
    if let Some(folder) = &arguments.report {
        write_folder(folder, &assessed, options)?;
    }
    let to_standard = [&arguments.json, &arguments.csv].into_iter().flatten().any(|path| is_standard(path));
    if !to_standard {
        let term = Term::stdout();
        term.write_line(&introduction(options))?;
        term.write_str(&Tables::for_terminal(&rows, &term))?;
    }
    Ok(())
}

/// What the tables show.
fn introduction(options: &SceneOptions) -> String {
    let model = match options.model() {
        drystone::scenes::cases::Model::Procedural => "procedural",
        drystone::scenes::cases::Model::Recorded => "recorded",
    };
    format!(
        "Variant {}, {} truth, {model} bodies. Beside each value: table 8 of Erleben 2018 (Methodology for Assessing\n\
         Mesh-Based Contact Point Methods).\n",
        options.variant,
        options.truth()
    )
}

/// Every scene by every method, in that order whatever the number of threads.
fn assess_all(scenes: &[Scene], methods: &[Method], arguments: &Arguments) -> Result<Vec<Assessed>> {
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = arguments.threads {
        pool = pool.num_threads(threads as usize);
    }
    let pool = pool.build().context("the threads cannot be started")?;
    let request = arguments.options.assessment();
    let jobs: Vec<(&Scene, Method)> = scenes.iter().flat_map(|s| methods.iter().map(move |&m| (s, m))).collect();
    let progress = Progress::new(jobs.len());
    let run = |&(scene, method): &(&Scene, Method)| {
        let assessed = assess(scene, method, &request);
        progress.advance(&scene.name, method);
        assessed.with_context(|| format!("scene {}, method {method}", scene.name))
    };
    let assessed = pool.install(|| jobs.par_iter().map(run).collect::<Result<Vec<_>>>());
    progress.finish();
    assessed
}

/// A bar on a terminal, a line for every tenth part otherwise; on standard error.
struct Progress {
    bar: ProgressBar,
    jobs: usize,
    done: AtomicUsize,
    is_terminal: bool,
}

impl Progress {
    fn new(jobs: usize) -> Self {
        let is_terminal = Term::stderr().is_term();
        let target = if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(jobs as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        Progress { bar, jobs, done: AtomicUsize::new(0), is_terminal }
    }

    fn advance(&self, scene: &str, method: Method) {
        self.bar.set_message(format!("{scene} {method}"));
        self.bar.inc(1);
        let before = self.done.fetch_add(1, Ordering::Relaxed);
        if !self.is_terminal && (before + 1) * 10 / self.jobs != before * 10 / self.jobs {
            eprintln!("{} of {} done", before + 1, self.jobs);
        }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
