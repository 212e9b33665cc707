//! `drystone contacts`: the contacts that one method finds in one scene, one row a contact.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use drystone::contact::generator::Method;
use drystone::scenes::contact_list;
use drystone::scenes::detection::{Moment, detect};

use super::options::{MomentOptions, SceneOptions};
use super::output::write_to;

/// What `drystone contacts` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A scene by name, or a scene file.
    #[arg(long, value_name = "NAME|FILE")]
    scene: String,

    /// The method.
    #[arg(long, value_name = "NAME")]
    method: Method,

    /// Where to write the contacts; "-" is standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    csv: PathBuf,

    #[command(flatten)]
    options: SceneOptions,

    #[command(flatten)]
    moment: MomentOptions,
}

/// Finds and writes the contacts.
pub fn run(arguments: &Arguments) -> Result<()> {
    let scene = arguments.options.scene(&arguments.scene)?;
    let moment = arguments.moment.moment().unwrap_or(Moment::Step(scene.scored_step));
    let detection = detect(&scene, arguments.method, arguments.options.variant, moment)?;
    let mut text = Vec::new();
    contact_list::write(&detection.contacts, &mut text)?;
    write_to(&arguments.csv, &text)
}
