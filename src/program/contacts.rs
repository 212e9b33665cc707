//! `drystone contacts`: the contacts that one method finds in one scene, one row a contact; with a filter, what it says of
//! each.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::method_name::MethodName;
use super::options::{FilterOptions, MomentOptions, SceneOptions, StepOptions};
use super::output::write_to;
use crate::contact::generator::Registry;
use crate::scenes::contact_list;
use crate::scenes::detection::{Moment, detect};
use crate::scenes::filtering::filtering;

/// What `drystone contacts` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A scene by name, or a scene file.
    #[arg(long, value_name = "NAME|FILE")]
    scene: String,

    /// The method; with settings of its own as NAME{"SETTING":VALUE}.
    #[arg(long, value_name = "NAME")]
    method: MethodName,

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
pub fn run(arguments: &Arguments, registry: &Registry) -> Result<()> {
    let method = arguments.method.find(registry, arguments.options.variant)?;
    let scene = arguments.options.scene(&arguments.scene, arguments.stepping.solver)?;
    arguments.stepping.check(&scene, arguments.moment.moment())?;
    let moment = arguments.moment.moment().unwrap_or(Moment::Step(scene.scored_step));
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
