//! The command line.

mod assess;
mod ccd;
mod contacts;
mod interrupt;
mod methods;
mod options;
mod output;
mod page;
mod progress;
mod replay;
mod report;
mod scenes;
mod score;
mod simulate;
mod simulators;
mod study;
mod tables;
mod vclip;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Generate contacts by every known local method, score them, look at them.
#[derive(Parser)]
#[command(name = "drystone", version, about, max_term_width = 110)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Score contact methods: every scene by every method, beside the published figures.
    Assess(assess::Arguments),
    /// Write the contacts that one method finds in one scene.
    Contacts(contacts::Arguments),
    /// Score a list of contacts that any other engine made.
    Score(score::Arguments),
    /// Run a study of the paper: a scene by every method over a parameter.
    Study(study::Arguments),
    /// Let a scene run; record it, export it, go on with it.
    Simulate(simulate::Arguments),
    /// Make the steps of a recording again and verify them to the last bit.
    Replay(replay::Arguments),
    /// List the scenes, or write one as a scene file.
    Scenes(scenes::Arguments),
    /// Repeat the published experiments with the V-Clip algorithm.
    Vclip(vclip::Arguments),
    /// Continuous collision detection: when do two moving features meet?
    Ccd(ccd::Arguments),
    /// List the contact methods.
    Methods,
    /// List the simulators.
    Simulators,
}

/// Runs the program: 0 done, 1 a part of the work failed and was reported, 2 bad usage or bad input.
pub fn run() -> ExitCode {
    let result = match Program::parse().command {
        Command::Assess(arguments) => assess::run(&arguments),
        Command::Contacts(arguments) => contacts::run(&arguments).map(|()| true),
        Command::Score(arguments) => score::run(&arguments).map(|()| true),
        Command::Study(arguments) => study::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Scenes(arguments) => scenes::run(&arguments).map(|()| true),
        Command::Vclip(arguments) => vclip::run(&arguments),
        Command::Ccd(arguments) => ccd::run(&arguments),
        Command::Methods => methods::run().map(|()| true),
        Command::Simulators => simulators::run().map(|()| true),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::note(&format!("drystone: {}", one_line(&error)));
            ExitCode::from(2)
        }
    }
}

/// The error and its causes; a cause that its parent already quotes is not repeated.
fn one_line(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Whether the reader of our output went away, as `head` does.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
