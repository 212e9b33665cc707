//! `drystone score`: scores contacts that any other engine made, for a pose of a scene.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use drystone::engine::Body;
use drystone::scenes::assessment::{Row, score_contacts};
use drystone::scenes::contact_list;
use drystone::scenes::detection::step_settings;

use super::options::{PoseName, SceneOptions};
use super::output::{is_standard, write_to};
use super::report::{rows_as_csv, rows_as_json};

/// What `drystone score` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A scene by name, or a scene file.
    #[arg(long, value_name = "NAME|FILE")]
    scene: String,

    /// The contacts (docs/contact-lists.md); "-" is standard input. They belong to the mid-point pose of the first time
    /// step, or with `--pose start` to the pose at t = 0.
    #[arg(long, value_name = "FILE.csv")]
    contacts: PathBuf,

    /// How to call whoever made the contacts.
    #[arg(long, value_name = "NAME", default_value = "contacts")]
    name: String,

    /// Write the row as JSON; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write the row as CSV; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    options: SceneOptions,
}

/// Reads, scores and prints.
pub fn run(arguments: &Arguments) -> Result<()> {
    let options = &arguments.options;
    let scene = options.scene(&arguments.scene)?;
    let place = || arguments.contacts.display().to_string();
    let contacts = if is_standard(&arguments.contacts) {
        contact_list::read(std::io::stdin().lock(), &scene)
    } else {
        contact_list::read(File::open(&arguments.contacts).with_context(place)?, &scene)
    }
    .with_context(place)?;
    let states = scene.states();
    let poses = match options.pose {
        Some(PoseName::Start) => states.iter().map(Body::pose).collect(),
        None => drystone::engine::stepper::detection_poses(&states, &step_settings(&scene, options.variant)),
    };
    let mut row = score_contacts(&scene, &arguments.name, &contacts, &poses, &options.assessment());
    row.step = usize::from(options.pose.is_none());
    let rows = [row];
    if let Some(path) = &arguments.json {
        write_to(path, &rows_as_json(&rows, options)?)?;
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
    writeln!(out, "{} in {}, judged by the {} truth", row.method, row.scene, row.truth)?;
    writeln!(out, "  contacts   {}", score.contacts)?;
    writeln!(out, "  coverage   {:.1} % of the expected normals", 100.0 * score.coverage)?;
    writeln!(out, "  quality    {:.1} % of the contacts", 100.0 * score.quality)?;
    writeln!(out, "  excess     {:.2} times the minimum of {}", score.excess, score.minimum)?;
    if let Some(excess) = row.excess_at_pose {
        writeln!(out, "             {excess:.2} times the {} corners at this pose", row.minimum_at_pose)?;
    }
    if let Some([least, .., most]) = score.wrong.angles {
        writeln!(out, "  wrong      {} contacts, by {least:.2}° to {most:.2}°", score.wrong.count)?;
    }
    Ok(())
}
