//! The page of an assessment: every scene by every method, step by step up to the scored one.

use std::path::Path;

use anyhow::{Context, Result};
use rayon::prelude::*;

use super::pool;
use crate::program::output::note;
use crate::program::progress::Progress;
use crate::program::{one_line, page};
use crate::report::inspection::Frame;
use crate::report::page::{Page, Run};
use crate::scenes::assessment::{Assessed, Assessment};
use crate::scenes::scene::Scene;
use crate::scenes::simulation::{self, WorldPreset};

/// How much the moments of an assessment may take, bytes: it has many runs.
const BUDGET: usize = 2 * Page::BUDGET;

/// Makes the steps of what was assessed once more, and writes them as a page.
pub fn write(
    path: &Path,
    scenes: &[Scene],
    assessed: &[Assessed],
    request: &Assessment,
    threads: Option<u32>,
) -> Result<()> {
    note("The page, for which all steps are made again:");
    // Runs are kept until all are there; none of them needs more than a few times its share.
    let budget = BUDGET / assessed.len().clamp(1, 8);
    let progress = Progress::new(assessed.len());
    let run = |of: &Assessed| {
        let row = &of.row;
        let scene = scenes.iter().find(|scene| scene.name == row.scene).context("a scene is missing")?;
        let made = run(scene, of, request, budget);
        progress.advance(&format!("{} {}", row.scene, row.method));
        made
    };
    let runs: Vec<Result<(Run, Option<String>)>> = pool(threads)?.install(|| assessed.par_iter().map(run).collect());
    progress.finish();
    let variant = assessed.first().map_or("corrected", |of| of.method.variant());
    let mut whole = Page::new(format!("Contact methods assessed, variant {variant}")).with_budget(BUDGET);
    for run in runs {
        let (run, problem) = run?;
        whole.add(run);
        if let Some(problem) = problem {
            note(&format!("drystone: {problem}"));
            whole.note(problem);
        }
    }
    if request.filter.is_some() {
        whole.note("The scores are of filtered contacts; here are all, coloured by the filter's verdict if you wish.");
    }
    page::write(path, whole)
}

/// The start of a row's run and its steps up to the scored one; beside them, why the rest is missing.
fn run(scene: &Scene, of: &Assessed, request: &Assessment, budget: usize) -> Result<(Run, Option<String>)> {
    let (method, row) = (&of.method, &of.row);
    let mut world = simulation::world(scene, method, WorldPreset::Suite)?;
    let bodies: Vec<String> = scene.bodies.iter().map(|body| body.name.clone()).collect();
    let truth = scene.truth(request.truth);
    let mut run = page::begin(&mut world, &scene.name, &bodies, Some(truth), budget)?;
    for step in 1..=row.step {
        match world.step() {
            Ok(report) => run.add(Frame::of_step(run.subject(), &world, report)),
            Err(error) => {
                let problem =
                    format!("scene {}, method {method}, step {step}: {}", scene.name, one_line(&error.into()));
                return Ok((run, Some(problem)));
            }
        }
    }
    Ok((run, None))
}
