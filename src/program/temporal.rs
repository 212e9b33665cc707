//! `drystone temporal`: what the contacts of methods do from step to step of a run.

use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Context, Result};
use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use super::interrupt::Interrupt;
use super::method_name::{self, MethodName};
use super::one_line;
use super::options::{JudgingOptions, SceneOptions};
use super::output::{check_places, is_standard, note, write_to};
use super::progress::Progress;
use crate::contact::generator::{Method, Registry};
use crate::scenes::builtin::BuiltIn;
use crate::scenes::scene::Scene;
use crate::scenes::temporal::{Temporal, TemporalSettings, temporal};

/// The name of the JSON format (docs/temporal-scores.md).
const SCHEMA: &str = "drystone.temporal/1";

/// What `drystone temporal` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A scene by name, or a scene file; may be repeated (default: all built-in scenes whose contacts are known).
    #[arg(long, value_name = "NAME|FILE")]
    scene: Vec<String>,

    /// A method; may be repeated (default: all). With settings of its own as NAME{"SETTING":VALUE}.
    #[arg(long, value_name = "NAME")]
    method: Vec<MethodName>,

    /// How many steps to look at.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(3..=1_000_000), default_value_t = 20)]
    steps: u32,

    /// How many threads work (default: one a core). Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Write settings and results as JSON; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write one row a scene and method as CSV; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    options: SceneOptions,

    #[command(flatten)]
    judging: JudgingOptions,
}

/// What came of a method in a scene.
#[derive(Debug, Serialize)]
struct Row {
    scene: String,
    method: String,
    #[serde(flatten)]
    seen: Temporal,
}

#[derive(Debug, Serialize)]
struct Failure {
    scene: String,
    method: String,
    error: String,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    program: &'static str,
    variant: &'a str,
    truth: &'a str,
    rows: &'a [Row],
    failures: &'a [Failure],
}

/// The columns of the CSV; one that does not apply is empty.
const COLUMNS: [&str; 11] = [
    "scene",
    "method",
    "steps",
    "contacts",
    "flashes",
    "dropouts",
    "flicker",
    "energy_gain",
    "ghosts",
    "ghost_work",
    "lift",
];

/// Runs all methods in all scenes and shows what came out. `false`: some could not be run. Asked to end, it shows what is finished.
pub fn run(arguments: &Arguments, registry: &Registry) -> Result<bool> {
    check_places(arguments.json.as_ref(), arguments.csv.as_ref())?;
    let options = &arguments.options;
    let names: Vec<String> = if arguments.scene.is_empty() {
        BuiltIn::assessed().into_iter().map(|scene| scene.name().to_owned()).collect()
    } else {
        arguments.scene.clone()
    };
    let is_first = |i: &usize| !names[..*i].contains(&names[*i]);
    let names = (0..names.len()).filter(is_first).map(|i| &names[i]);
    let scenes: Vec<Scene> = names.map(|name| options.held_scene(name)).collect::<Result<_>>()?;
    let methods = match &arguments.method[..] {
        [] => method_name::all(registry, options.variant)?,
        names => method_name::find_all(names, registry, options.variant)?,
    };
    let truth = arguments.judging.truth(options.variant);
    let settings = TemporalSettings {
        matching: arguments.judging.matching(),
        ..TemporalSettings::new(arguments.steps as usize, truth)
    };
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = arguments.threads {
        pool = pool.num_threads(threads as usize);
    }
    let pool = pool.build().context("the threads cannot be started")?;
    let jobs: Vec<(&Scene, &Method)> = scenes.iter().flat_map(|s| methods.iter().map(move |m| (s, m))).collect();
    let progress = Progress::new(jobs.len());
    let interrupt = Interrupt::watch();
    let asked = interrupt.flag();
    let look = |&(scene, method): &(&Scene, &Method)| {
        let seen = temporal(scene, method, &settings, || !asked.load(Relaxed)).transpose()?;
        progress.advance(&format!("{} {method}", scene.name));
        let (scene, method) = (scene.name.clone(), method.to_string());
        Some(match seen {
            Ok(seen) => Ok(Row { scene, method, seen }),
            Err(error) => Err(Failure { scene, method, error: one_line(&error.into()) }),
        })
    };
    let results: Vec<Option<Result<Row, Failure>>> =
        pool.install(|| jobs.par_iter().with_max_len(1).map(look).collect());
    progress.finish();
    if interrupt.is_asked() {
        let finished = results.iter().flatten().count();
        note(&format!("drystone: ended as asked: {finished} of {} runs are finished", jobs.len()));
    }
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for result in results.into_iter().flatten() {
        match result {
            Ok(row) => rows.push(row),
            Err(failure) => failures.push(failure),
        }
    }
    if let Some(path) = &arguments.json {
        let document = Document {
            schema: SCHEMA,
            program: concat!("drystone ", env!("CARGO_PKG_VERSION")),
            variant: options.variant.name(),
            truth: truth.name(),
            rows: &rows,
            failures: &failures,
        };
        let mut text = serde_json::to_vec_pretty(&document)?;
        text.push(b'\n');
        write_to(path, &text)?;
    }
    if let Some(path) = &arguments.csv {
        write_to(path, &csv(&rows)?)?;
    }
    if ![&arguments.json, &arguments.csv].into_iter().flatten().any(|path| is_standard(path)) {
        write_to("-".as_ref(), table(&rows).as_bytes())?;
    }
    for Failure { scene, method, error } in &failures {
        note(&format!("drystone: scene {scene}, method {method}: {error}"));
    }
    Ok(failures.is_empty())
}

fn csv(rows: &[Row]) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    let number = |x: Option<f64>| x.map_or(String::new(), |x| x.to_string());
    for Row { scene, method, seen } in rows {
        writer.write_record([
            scene.clone(),
            method.clone(),
            seen.steps.to_string(),
            seen.contacts.to_string(),
            seen.flashes.to_string(),
            seen.dropouts.to_string(),
            seen.flicker.to_string(),
            number(seen.energy_gain),
            seen.ghosts.map_or(String::new(), |ghosts| ghosts.to_string()),
            number(seen.ghost_work),
            seen.lift.to_string(),
        ])?;
    }
    Ok(writer.into_inner()?)
}

/// A line for each scene and method; energies as shares of what would lift the bodies by their thickness.
fn table(rows: &[Row]) -> String {
    let width = |of: fn(&Row) -> &str, title: &str| {
        rows.iter().map(|row| of(row).chars().count()).chain([title.len()]).max().unwrap_or(0)
    };
    let (scenes, methods) = (width(|row| &row.scene, "scene"), width(|row| &row.method, "method"));
    let mut text = format!(
        "{:scenes$}  {:methods$}  {:>8}  {:>9}  {:>11}  {:>6}  {:>10}\n",
        "scene", "method", "contacts", "flicker %", "energy gain", "ghosts", "ghost work"
    );
    for Row { scene, method, seen } in rows {
        let share = |energy: Option<f64>| match energy {
            Some(energy) if seen.lift > 0.0 => format!("{:.1e}", energy / seen.lift),
            _ => "-".to_owned(),
        };
        let line = format!(
            "{scene:scenes$}  {method:methods$}  {:>8.1}  {:>9.1}  {:>11}  {:>6}  {:>10}\n",
            seen.contacts as f64 / seen.steps as f64,
            100.0 * seen.flicker,
            share(seen.energy_gain),
            seen.ghosts.map_or("-".to_owned(), |ghosts| ghosts.to_string()),
            share(seen.ghost_work),
        );
        text += &line;
    }
    text
}
