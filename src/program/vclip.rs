//! `drystone vclip`: the experiments of the V-Clip report, repeated.

use anyhow::Result;
use clap::{Args, Subcommand};

mod coherence;
mod robustness;

/// What `drystone vclip` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Subcommand, Debug)]
enum Experiment {
    /// Count the operations of tracked searches, beside the published curves.
    Coherence(coherence::Arguments),
    /// Look for wrong answers where the closest features change.
    Robustness(robustness::Arguments),
}

/// Runs an experiment. `false`: it was interrupted, or answers were wrong.
pub fn run(arguments: &Arguments) -> Result<bool> {
    match &arguments.experiment {
        Experiment::Coherence(arguments) => coherence::run(arguments),
        Experiment::Robustness(arguments) => robustness::run(arguments),
    }
}
