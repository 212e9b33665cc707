//! `drystone ccd`: continuous collision detection between two features.

use anyhow::Result;
use clap::{Args, Subcommand};

mod bench;
mod methods;
mod query;
mod settings;

/// What `drystone ccd` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Ask methods every query of files with known answers; count what is wrong, time it.
    Bench(bench::Arguments),
    /// Ask one query.
    Query(query::Arguments),
    /// List the methods and what their answers are worth.
    Methods,
}

/// Runs a subcommand. `false`: a part of the work failed, was interrupted, or a method broke its promise.
pub fn run(arguments: &Arguments) -> Result<bool> {
    match &arguments.command {
        Command::Bench(arguments) => bench::run(arguments),
        Command::Query(arguments) => query::run(arguments).map(|()| true),
        Command::Methods => methods::run().map(|()| true),
    }
}
