//! `drystone toc`: when does a point of a turning body touch a solid?

use anyhow::Result;
use clap::{Args, Subcommand};

mod bench;
mod query;

/// What `drystone toc` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Ask one query.
    Query(Box<query::Arguments>),
    /// Ask hard queries by chance; count what is missed or late by certified answers, and what it takes.
    Bench(bench::Arguments),
}

/// Runs a subcommand. `false`: it was interrupted, or a promise was broken.
pub fn run(arguments: &Arguments) -> Result<bool> {
    match &arguments.command {
        Command::Query(arguments) => query::run(arguments).map(|()| true),
        Command::Bench(arguments) => bench::run(arguments),
    }
}
