//! `drystone contacts`: the contacts that one method finds in one scene, one row a contact; with a filter, what it says of
//! each.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use drystone::contact::generator::Method;
use drystone::scenes::contact_list;
use drystone::scenes::detection::{Moment, detect};
use drystone::scenes::filtering::filtering;

use super::options::{self, FilterOptions, MomentOptions, SceneOptions, StepOptions};
use super::output::write_to;

/// What `drystone contacts` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A scene by name, or a scene file.
    #[arg(long, value_name = "NAME|FILE")]
    scene: String,

    /// The method; with settings of its own as NAME{"SETTING":VALUE}.
    #[arg(long, value_name = "NAME", value_parser = options::method)]
    method: Method,

    /// Where to write the contacts; "-" is standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    csv: PathBuf,

    #[command(flatten)]
    options: SceneOptions,

    #[command(flatten)]
    stepping: StepOptions,

    #[command(flatten)]
    moment: MomentOptions,

    #[command(flatten)]
    filter: FilterOptions,
}

/// Finds and writes the contacts.
pub fn run(arguments: &Arguments) -> Result<()> {
    let scene = arguments.options.scene(&arguments.scene, arguments.stepping.solver)?;
    let moment = arguments.moment.moment().unwrap_or(Moment::Step(scene.scored_step));
    let method = arguments.options.variant.of(&arguments.method);
    let detection = detect(&scene, &method, moment)?;
    let mut text = Vec::new();
    match arguments.filter.filter() {
        Some(filter) => {
            let judged = filtering(&scene, &method, &detection, &filter);
            contact_list::write_judged(&detection.contacts, &judged.verdicts, &mut text)?;
        }
        None => contact_list::write(&detection.contacts, &mut text)?,
    }
    write_to(&arguments.csv, &text)
}
