//! `drystone solver`: solvers of contact problems.

use anyhow::Result;
use clap::{Args, Subcommand};

mod bench;

/// What `drystone solver` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Solve problems of FCLIB by all solvers, and by the nonsmooth Gauss-Seidel method (NSGS) for comparison.
    Bench(bench::Arguments),
}

/// Runs a subcommand. `false`: a part of the work failed.
pub fn run(arguments: &Arguments) -> Result<bool> {
    match &arguments.command {
        Command::Bench(arguments) => bench::run(arguments),
    }
}
