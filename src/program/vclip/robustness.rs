//! `drystone vclip robustness`: circles and wrong answers of the search where the closest features change.

use std::fmt::Write;

use anyhow::{Result, anyhow};
use clap::Args;
use clap::builder::PossibleValuesParser;
use rayon::prelude::*;

use crate::program::interrupt::Interrupt;
use crate::program::output::note;
use crate::program::progress::Progress;
use crate::replica::vclip::coherence::Solid;
use crate::replica::vclip::robustness::{Tally, Turns, trial};

/// Trials between two looks at whether the user wants to end.
const BLOCK: u64 = 500;

/// What `drystone vclip robustness` is asked.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Trials for each shape and way to turn it.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    trials: u64,

    /// A shape; may be repeated (default: all).
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Solid::ALL.map(Solid::name)))]
    shape: Vec<String>,

    /// How the second body is turned against the first; may be repeated (default: all). "slight" is the report's.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Turns::ALL.map(Turns::name)))]
    turns: Vec<String>,

    /// The seed of all poses.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// Runs the experiment. `false`: it was interrupted, or [`Tally::uncertified`] is not zero.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let interrupt = Interrupt::watch();
    let is_wanted = |wanted: &[String], name: &str| wanted.is_empty() || wanted.iter().any(|w| w == name);
    let solids = Solid::ALL.into_iter().filter(|solid| is_wanted(&arguments.shape, solid.name()));
    let turns = || Turns::ALL.into_iter().filter(|turns| is_wanted(&arguments.turns, turns.name()));
    let rows: Vec<(Solid, Turns)> = solids.flat_map(|solid| turns().map(move |turns| (solid, turns))).collect();
    let blocks = arguments.trials.div_ceil(BLOCK);
    let progress = Progress::new(rows.len() * usize::try_from(blocks).map_err(|_| anyhow!("too many trials"))?);
    let mut text = format!(
        "{:<12} {:<7} {:>9} {:>10} {:>8} {:>7} {:>7} {:>11} {:>9}  {:>5} {:>5} {:>5} {:>5}\n",
        "shape",
        "turns",
        "trials",
        "calls",
        "circles",
        "wrong",
        "common",
        "uncertified",
        "error",
        "VV %",
        "VE %",
        "EE %",
        "VF %"
    );
    let mut is_right = true;
    for (solid, turns) in rows {
        let polyhedron = solid.polyhedron()?;
        let block = |block: u64| {
            let mut tally = Tally::default();
            if !interrupt.is_asked() {
                let numbers = block * BLOCK..arguments.trials.min((block + 1) * BLOCK);
                numbers.for_each(|number| tally += trial(&polyhedron, turns, arguments.seed, number));
                progress.advance(&format!("{}, {}", solid.name(), turns.name()));
            }
            tally
        };
        let tally = (0..blocks).into_par_iter().map(block).reduce(Tally::default, |mut sum, tally| {
            sum += tally;
            sum
        });
        if tally.trials > 0 {
            row(&mut text, solid, turns, &tally)?;
        }
        is_right &= tally.uncertified == 0 && tally.trials == arguments.trials;
    }
    progress.finish();
    print!("{text}");
    if interrupt.is_asked() {
        note("drystone: interrupted; the table holds the trials that were made");
    }
    Ok(is_right)
}

fn row(text: &mut String, solid: Solid, turns: Turns, tally: &Tally) -> Result<()> {
    write!(
        text,
        "{:<12} {:<7} {:>9} {:>10} {:>8} {:>7} {:>7} {:>11} {:>9.1e} ",
        solid.name(),
        turns.name(),
        tally.trials,
        tally.calls,
        tally.circles,
        tally.wrong,
        tally.intersecting,
        tally.uncertified,
        tally.error
    )?;
    for count in tally.pairs {
        write!(text, " {:>5.1}", 100.0 * count as f64 / tally.trials as f64)?;
    }
    writeln!(text)?;
    Ok(())
}
