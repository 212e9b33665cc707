//! `drystone assess`: the main job.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use console::Term;
use rayon::prelude::*;

use self::pictures::Viewer;
use super::method_name::{self, MethodName};
use super::one_line;
use super::options::{FilterOptions, JudgingOptions, MomentOptions, SceneOptions, StepOptions};
use super::output::{check_places, claim, is_standard, note, write_to};
use super::progress::Progress;
use super::report::{Failure, Run, file_name, rows_as_csv};
use super::tables::Tables;
use crate::contact::generator::{Method, Registry};
use crate::engine::solver::ContactSolver;
use crate::scenes::assessment::{Assessed, Assessment, Row, assess};
use crate::scenes::builtin::BuiltIn;
use crate::scenes::contact_region::RegionSettings;
use crate::scenes::scene::Scene;

mod moments;
mod page;
mod pictures;
mod studies;

/// Where the report of a whole assessment goes unless told otherwise.
const FOLDER: &str = "drystone-report";

/// Where a report keeps finished runs of studies until all are finished.
const UNFINISHED: &str = "unfinished";

/// What `drystone assess` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A scene by name, or a scene file; may be repeated (default: the thirteen of the
    /// paper; of these, with --size, the ten that have sizes).
    #[arg(long, value_name = "NAME|FILE")]
    scene: Vec<String>,

    /// A method; may be repeated (default: all methods). With settings of its own as NAME{"SETTING":VALUE}.
    #[arg(long, value_name = "NAME")]
    method: Vec<MethodName>,

    #[command(flatten)]
    options: SceneOptions,

    #[command(flatten)]
    stepping: StepOptions,

    #[command(flatten)]
    moment: MomentOptions,

    #[command(flatten)]
    judging: JudgingOptions,

    #[command(flatten)]
    filter: FilterOptions,

    /// How many threads work (default: one a core). Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Write settings and rows as JSON; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write the rows as CSV; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the report, its data and all contacts into this folder. With all scenes as they are, the studies of the paper
    /// belong to it. (Default: drystone-report, if no option asks for a part of the whole, or for other results.)
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,

    /// Leave the studies out of the report.
    #[arg(long)]
    no_studies: bool,

    /// Put pictures of pillar, wall and arch into the report, drawn by the program drystone-viewer if it is installed.
    #[arg(long)]
    pictures: bool,

    /// Write scenes and methods as one HTML page to look at in a browser: every step up to the scored one.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

impl Arguments {
    /// Whether scenes and methods are those of the paper, as they are there.
    fn is_whole(&self) -> bool {
        let moment = self.moment.moment();
        self.is_as_it_is() && self.scene.is_empty() && moment.is_none() && self.filter.filter.is_none()
    }

    /// Whether built-in scenes are not changed, nor how they step.
    fn is_as_it_is(&self) -> bool {
        let SceneOptions { model, size, dt, perturb, refine, .. } = &self.options;
        let bodies = model.is_none() && size.is_none() && perturb.is_none() && *refine == 0;
        bodies && dt.is_none() && self.stepping.solver == ContactSolver::default()
    }

    /// Refuses what cannot be done before anything is.
    fn check(&self) -> Result<()> {
        check_places(self.json.as_ref(), self.csv.as_ref())?;
        if let Some(page) = &self.page {
            super::page::check("--page", page, [&self.json, &self.csv].map(|path| path.as_deref()))?;
        }
        if self.pictures && self.folder().is_none() {
            bail!("--pictures belong to a report; name its folder with --report DIR");
        }
        if self.pictures && !self.is_as_it_is() {
            bail!(
                "--pictures shows scenes as they are, not with --model, --size, --dt, --perturb, --refine or another --solver"
            );
        }
        Ok(())
    }

    /// Where the report goes, if one is asked for.
    fn folder(&self) -> Option<&Path> {
        let asks_for_other =
            self.json.is_some() || self.csv.is_some() || self.page.is_some() || !self.method.is_empty();
        let main_job = self.is_whole() && !asks_for_other;
        self.report.as_deref().or(main_job.then_some(Path::new(FOLDER)))
    }
}

/// Runs all methods in all scenes and shows the tables. `false`: some could not be run.
pub fn run(arguments: &Arguments, registry: &Registry) -> Result<bool> {
    let start = Instant::now();
    arguments.check()?;
    let viewer = arguments.pictures.then(Viewer::find).flatten();
    let options = &arguments.options;
    let request = Assessment {
        truth: arguments.judging.truth(options.variant),
        moment: arguments.moment.moment(),
        matching: arguments.judging.matching(),
        region: RegionSettings::default(),
        filter: arguments.filter.filter(),
    };
    let methods = match &arguments.method[..] {
        [] => method_name::all(registry, options.variant)?,
        names => method_name::find_all(names, registry, options.variant)?,
    };
    let scenes = scenes(arguments)?;
    let _claimed = arguments.folder().map(claim).transpose()?;
    let (assessed, failures) = assess_all(&scenes, &methods, &request, arguments.threads)?;
    let rows: Vec<Row> = assessed.iter().map(|a| a.row.clone()).collect();

    let run =
        Run { options, solver: Some(arguments.stepping.solver), request: &request, rows: &rows, failures: &failures };
    if let Some(path) = &arguments.json {
        write_to(path, &run.json()?)?;
    }
    if let Some(path) = &arguments.csv {
        write_to(path, &rows_as_csv(&rows)?)?;
    }
    let to_standard = [&arguments.json, &arguments.csv].into_iter().flatten().any(|path| is_standard(path));
    if !to_standard {
        let term = Term::stdout();
        let (variant, truth, model) = (options.variant, request.truth, options.model_name());
        term.write_line(&format!("Variant {variant}, {truth} truth, {model} bodies in built-in scenes."))?;
        term.write_str(&Tables::for_terminal(&rows, &term))?;
    }
    for Failure { scene, method, error } in &failures {
        note(&format!("drystone: scene {scene}, method {method}: {error}"));
    }
    if let Some(path) = &arguments.page {
        moments::write(path, &scenes, &assessed, &request, arguments.threads)?;
        note(&format!("The page is {}", path.display()));
    }
    let Some(folder) = arguments.folder() else {
        return Ok(failures.is_empty());
    };
    let unfinished = folder.join(UNFINISHED);
    let studies = if arguments.is_whole() && !arguments.no_studies {
        note("The studies of the paper, among them 500 steps of the Pillar:");
        studies::run(options.variant, &methods, arguments.threads, &unfinished)?
    } else {
        studies::Studies::default()
    };
    for failure in &studies.failures {
        note(&format!("drystone: {}: {}", failure.name(), failure.error));
    }
    let rendered = viewer.map_or_else(|| Ok(Vec::new()), |viewer| viewer.pictures(&scenes, &assessed, folder))?;
    let results = page::Results {
        scenes: &scenes,
        assessed: &assessed,
        run: &run,
        studies: &studies,
        rendered: &rendered,
        start,
    };
    page::write(folder, &results)?;
    if unfinished.exists() && studies.failures.is_empty() {
        std::fs::remove_dir_all(&unfinished).with_context(|| format!("{} cannot be removed", unfinished.display()))?;
    }
    note(&format!("The report is {}", folder.join("index.html").display()));
    Ok(failures.is_empty() && studies.failures.is_empty())
}

/// The scenes asked for, each once; their names have to differ, for they name columns and folders.
fn scenes(arguments: &Arguments) -> Result<Vec<Scene>> {
    let names: Vec<String> = if arguments.scene.is_empty() {
        let takes_size = |scene: &BuiltIn| arguments.options.size.is_none() || scene.size().is_some();
        BuiltIn::assessed().into_iter().filter(takes_size).map(|scene| scene.name().to_owned()).collect()
    } else {
        arguments.scene.clone()
    };
    let mut scenes: Vec<Scene> = Vec::with_capacity(names.len());
    for (i, name) in names.iter().enumerate() {
        if names[..i].contains(name) {
            continue;
        }
        let scene = arguments.options.scene_with_truth(name, arguments.stepping.solver)?;
        arguments.stepping.check(&scene, arguments.moment.moment())?;
        if let Some(other) = scenes.iter().find(|other| file_name(&other.name) == file_name(&scene.name)) {
            bail!("{name} has a scene called \"{}\", as does another; give one of them a name of its own", other.name);
        }
        scenes.push(scene);
    }
    Ok(scenes)
}

fn pool(threads: Option<u32>) -> Result<rayon::ThreadPool> {
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = threads {
        pool = pool.num_threads(threads as usize);
    }
    pool.build().context("the threads cannot be started")
}

/// Every scene by every method, in that order whatever the number of threads.
fn assess_all(
    scenes: &[Scene],
    methods: &[Method],
    request: &Assessment,
    threads: Option<u32>,
) -> Result<(Vec<Assessed>, Vec<Failure>)> {
    let pool = pool(threads)?;
    let jobs: Vec<(&Scene, &Method)> = scenes.iter().flat_map(|s| methods.iter().map(move |m| (s, m))).collect();
    let progress = Progress::new(jobs.len());
    let run = |&(scene, method): &(&Scene, &Method)| {
        let assessed = assess(scene, method, request);
        progress.advance(&format!("{} {method}", scene.name));
        assessed.map_err(|error| Failure {
            scene: scene.name.clone(),
            method: method.to_string(),
            error: one_line(&error.into()),
        })
    };
    let results: Vec<Result<Assessed, Failure>> = pool.install(|| jobs.par_iter().map(run).collect());
    progress.finish();
    let (mut assessed, mut failures) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(row) => assessed.push(row),
            Err(failure) => failures.push(failure),
        }
    }
    Ok((assessed, failures))
}
