//! `drystone score`: scores lists of contacts that any other engine made, each for a pose of a scene.

mod lists;
mod text;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use rayon::prelude::*;

use self::lists::List;
use super::method_name::MethodName;
use super::options::{JudgingOptions, MomentOptions, SceneOptions};
use super::output::{check_places, is_standard, note, write_to};
use super::progress::Progress;
use super::report::{Failure, Run, file_name, rows_as_csv, write_scores};
use super::{one_line, tables::Tables};
use crate::contact::generator::Registry;
use crate::engine::solver::ContactSolver;
use crate::report::Picture;
use crate::scenes::assessment::{Assessment, Row, score_contacts};
use crate::scenes::contact_region::RegionSettings;
use crate::scenes::detection::{Moment, SceneState, state_at};
use crate::scenes::physics::OneStep;
use crate::scenes::scene::Scene;

/// The width of the main panel of a picture, pixels.
const PICTURE: f64 = 380.0;

/// What `drystone score` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A scene by name, or a scene file; may be repeated with folders of lists.
    #[arg(long, value_name = "NAME|FILE")]
    scene: Vec<String>,

    /// A list of contacts (docs/contact-lists.md) for the one scene named; "-" is standard input. Or a folder of lists
    /// SCENE/NAME.csv, for the scenes named or for all that have a folder there. May be repeated.
    #[arg(long, value_name = "FILE.csv|DIR", required = true)]
    contacts: Vec<PathBuf>,

    /// How to call whoever made the contacts of a file, one name a file (default: "contacts", or of several files their names).
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,

    #[command(flatten)]
    moment: MomentOptions,

    /// Which method makes the steps before --step N; the first step asks none.
    #[arg(long, value_name = "NAME", default_value = "semi-local", requires = "step")]
    method: MethodName,

    /// Write the rows as JSON; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write the rows as CSV; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write all of it into this folder: assessment.json, assessment.csv, tables.txt.
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,

    /// Draw each list in its scene, with right normals and wrong ones told apart, as DIR/SCENE/NAME.svg.
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,

    #[command(flatten)]
    options: SceneOptions,

    #[command(flatten)]
    judging: JudgingOptions,
}

/// A scene, where its bodies are at the moment, and the step that they should make.
struct Scored<'s> {
    scene: &'s Scene,
    state: SceneState,
    step: Option<OneStep<'s>>,
}

/// Reads, scores and prints. `false`: some lists could not be read.
pub fn run(arguments: &Arguments, registry: &Registry) -> Result<bool> {
    check_places(arguments.json.as_ref(), arguments.csv.as_ref())?;
    let options = &arguments.options;
    let (scenes, lists) = lists::find(arguments)?;
    let moment = arguments.moment.moment().unwrap_or(Moment::Step(1));
    let request = Assessment {
        truth: arguments.judging.truth(options.variant),
        moment: Some(moment),
        matching: arguments.judging.matching(),
        region: RegionSettings::default(),
        filter: None,
    };
    let method = arguments.method.find(registry, options.variant)?;
    let scored = |scene| -> Result<Scored<'_>> {
        let state = state_at(scene, &method, moment).with_context(|| format!("scene {}", scene.name))?;
        let step = OneStep::new(scene, &state, &scene.truth(request.truth).at(&state.poses))?;
        Ok(Scored { scene, state, step })
    };
    let scored: Vec<Scored<'_>> = scenes.par_iter().map(scored).collect::<Result<_>>()?;
    if arguments.pictures.is_some() {
        lists::check_file_names(&lists)?;
    }
    let is_alone = lists.len() == 1;
    let progress = (!is_alone).then(|| Progress::new(lists.len()));
    let rows: Vec<Result<Row>> = lists
        .par_iter()
        .map(|list| {
            let row = row(list, &scored[list.scene], &request, arguments.pictures.as_deref());
            if let Some(progress) = &progress {
                progress.advance(&format!("{} {}", scenes[list.scene].name, list.name));
            }
            row
        })
        .collect();
    if let Some(progress) = progress {
        progress.finish();
    }
    let (mut judged, mut failures) = (Vec::new(), Vec::new());
    for (list, row) in lists.iter().zip(rows) {
        match row {
            Ok(row) => judged.push(row),
            Err(error) if is_alone => return Err(error),
            Err(error) => failures.push(Failure {
                scene: scenes[list.scene].name.clone(),
                method: list.name.clone(),
                error: one_line(&error),
            }),
        }
    }
    show(arguments, &request, &judged, &failures)?;
    Ok(failures.is_empty())
}

/// The scores of a list, which is drawn into a folder if there is one.
fn row(list: &List, scored: &Scored<'_>, request: &Assessment, pictures: Option<&Path>) -> Result<Row> {
    let Scored { scene, state, step } = scored;
    let contacts = list.read(scene)?;
    let mut row = score_contacts(scene, &list.name, &contacts, &state.poses, request);
    row.step = match request.moment {
        Some(Moment::Step(step)) => step,
        _ => 0,
    };
    let place = || list.path.display().to_string();
    row.physics = step.as_ref().map(|step| step.judge(&contacts)).transpose().with_context(place)?;
    if let Some(folder) = pictures {
        let (method, contacts, poses) = (list.name.as_str(), &contacts[..], &state.poses[..]);
        let picture = Picture { scene, method, contacts, poses, study: None, parameter: 0.0 };
        draw(&picture, folder)?;
    }
    Ok(row)
}

fn draw(picture: &Picture<'_>, folder: &Path) -> Result<()> {
    let folder = folder.join(file_name(&picture.scene.name));
    fs::create_dir_all(&folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    write_to(&folder.join(format!("{}.svg", file_name(picture.method))), picture.in_place(PICTURE).as_bytes())
}

fn show(arguments: &Arguments, request: &Assessment, rows: &[Row], failures: &[Failure]) -> Result<()> {
    // The solver that made the steps before is each scene's own: that of the suite, or one that holds its joints.
    let is_stepped = matches!(request.moment, Some(Moment::Step(2..)));
    let solver = is_stepped.then(ContactSolver::default);
    let run = Run { options: &arguments.options, solver, request, rows, failures };
    if let Some(path) = &arguments.json {
        write_to(path, &run.json()?)?;
    }
    if let Some(path) = &arguments.csv {
        write_to(path, &rows_as_csv(rows)?)?;
    }
    if let Some(folder) = &arguments.report {
        write_scores(folder, &run)?;
        note(&format!("The scores are in {}", folder.display()));
    }
    for Failure { scene, method, error } in failures {
        note(&format!("drystone: scene {scene}, list {method}: {error}"));
    }
    if [&arguments.json, &arguments.csv].into_iter().flatten().any(|path| is_standard(path)) {
        return Ok(());
    }
    match rows {
        [row] if failures.is_empty() => text::print(row),
        rows => {
            let term = console::Term::stdout();
            Ok(term.write_str(&Tables::strictly(rows, &term))?)
        }
    }
}
