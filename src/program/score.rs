//! `drystone score`: scores contacts that any other engine made, for a pose of a scene.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use super::options::{JudgingOptions, PoseName, SceneOptions};
use super::output::{check_places, is_standard, write_to};
use super::report::{Run, rows_as_csv};
use crate::engine::Body;
use crate::engine::solver::ContactSolver;
use crate::scenes::assessment::{Assessment, Row, score_contacts};
use crate::scenes::contact_list;
use crate::scenes::contact_region::RegionSettings;
use crate::scenes::detection::{Moment, first_poses};

/// What `drystone score` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A scene by name, or a scene file.
    #[arg(long, value_name = "NAME|FILE")]
    scene: String,

    /// The contacts (docs/contact-lists.md); "-" is standard input.
    #[arg(long, value_name = "FILE.csv")]
    contacts: PathBuf,

    /// How to call whoever made the contacts.
    #[arg(long, value_name = "NAME", default_value = "contacts")]
    name: String,

    /// The contacts belong to the pose at t = 0 (default: to the mid-point pose of the first time step).
    #[arg(long, value_enum)]
    pose: Option<PoseName>,

    /// Write the row as JSON; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write the row as CSV; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    options: SceneOptions,

    #[command(flatten)]
    judging: JudgingOptions,
}

/// Reads, scores and prints.
pub fn run(arguments: &Arguments) -> Result<()> {
    check_places(arguments.json.as_ref(), arguments.csv.as_ref())?;
    let options = &arguments.options;
    let scene = options.scene_with_truth(&arguments.scene, ContactSolver::default())?;
    let contacts = if is_standard(&arguments.contacts) {
        contact_list::read(std::io::stdin().lock(), &scene).context("standard input")
    } else {
        let place = || arguments.contacts.display().to_string();
        contact_list::read(File::open(&arguments.contacts).with_context(place)?, &scene).with_context(place)
    }?;
    let states = scene.states();
    let (poses, step) = match arguments.pose {
        Some(PoseName::Start) => (states.iter().map(Body::pose).collect(), 0),
        None => (first_poses(&scene, options.variant)?, 1),
    };
    let request = Assessment {
        truth: arguments.judging.truth(options.variant),
        moment: Some(if step == 0 { Moment::Start } else { Moment::Step(step) }),
        matching: arguments.judging.matching(),
        region: RegionSettings::default(),
        filter: None,
    };
    let mut row = score_contacts(&scene, &arguments.name, &contacts, &poses, &request);
    row.step = step;
    let rows = [row];
    if let Some(path) = &arguments.json {
        write_to(path, &Run { options, solver: None, request: &request, rows: &rows, failures: &[] }.json()?)?;
    }
    if let Some(path) = &arguments.csv {
        write_to(path, &rows_as_csv(&rows)?)?;
    }
    if [&arguments.json, &arguments.csv].into_iter().flatten().any(|path| is_standard(path)) {
        return Ok(());
    }
    print(&rows[0])
}

fn print(row: &Row) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let score = &row.score;
    let pose = if row.step == 0 { "the pose at t = 0" } else { "the mid-point pose of the first time step" };
    writeln!(out, "{} in {}, judged by the {} truth, in {pose}", row.method, row.scene, row.truth)?;
    writeln!(out, "  contacts   {}", score.contacts)?;
    writeln!(out, "  coverage   {:.1} % of the expected normals", 100.0 * score.coverage)?;
    writeln!(out, "  quality    {:.1} % of the contacts", 100.0 * score.quality)?;
    writeln!(out, "  excess     {:.2} times the minimum of {}", score.excess, score.minimum)?;
    if let Some(excess) = row.excess_at_pose {
        writeln!(out, "             {excess:.2} times the {} corners at this pose", row.minimum_at_pose)?;
    }
    if let Some(area) = &score.area {
        let (percent, measured, expected) = (100.0 * area.coverage, area.measured, area.expected);
        writeln!(out, "  area       {percent:.1} %: {measured:.4} of {expected:.4} m²")?;
    }
    write!(out, "  wrong      {} contacts", score.wrong.count)?;
    match score.wrong.angles {
        Some([.., most]) if most < 0.01 => writeln!(out, ", whose normals are not of unit length")?,
        Some([least, .., most]) => writeln!(out, ", by {least:.2}° to {most:.2}°")?,
        None => writeln!(out)?,
    }
    Ok(())
}
