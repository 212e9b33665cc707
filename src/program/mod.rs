//! The program `drystone` as a function, for programs with contact methods of their own; one subcommand a file.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use drystone::contact::generator::{Method, semi_local::SemiLocal};
//!
//! fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
//!     let mut registry = drystone::replica::readings::registry();
//!     let wary = SemiLocal { envelope: 0.05, ..SemiLocal::default() };
//!     registry.add(Method::new("wary", "semi-local with a wider margin", wary))?;
//!     Ok(drystone::program::run(registry))
//! }
//! ```
//! A method with a generator of its own: `examples/own_method.rs`.

mod assess;
mod ccd;
mod contacts;
mod interrupt;
mod job;
mod method_name;
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
mod solver;
mod study;
mod tables;
mod temporal;
mod toc;
mod vclip;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::contact::generator::Registry;

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
    /// Score lists of contacts that any other engine made.
    Score(score::Arguments),
    /// Look at contacts from step to step: flicker, energy that appears, work of contacts that should not be there.
    Temporal(temporal::Arguments),
    /// Run a study of the paper: a scene by every method over a parameter.
    Study(study::Arguments),
    /// Run jobs, one line of JSON each, from standard input to standard output.
    Job(job::Arguments),
    /// Let a scene run; record it, export it, go on with it.
    Simulate(simulate::Arguments),
    /// Make the steps of a recording again and verify them to the last bit.
    Replay(replay::Arguments),
    /// List the scenes, write one as a scene file, or export them as data for other programs.
    Scenes(scenes::Arguments),
    /// Repeat the published experiments with the V-Clip algorithm.
    Vclip(vclip::Arguments),
    /// Continuous collision detection: when do two moving features meet?
    Ccd(ccd::Arguments),
    /// Time of contact: when does a point of a turning body touch a solid?
    Toc(toc::Arguments),
    /// Solvers of contact problems beside each other.
    Solver(solver::Arguments),
    /// List the contact methods.
    Methods,
    /// List the simulators.
    Simulators,
}

/// Runs the program on the arguments of the process, with the methods of the registry: see [`run_with`].
pub fn run(registry: Registry) -> ExitCode {
    run_with(&registry, std::env::args_os())
}

/// Runs the program on arguments, the first of which is what it is called. It writes to standard output and standard
/// error, and takes over the signals by which systems end programs: it may end the process.
///
/// `--method` and the methods of recordings are found in the registry; without `--method`, `assess` runs all of it, each
/// method in its usual variant, or as `--variant` says. [`readings::registry`](crate::replica::readings::registry) has the
/// methods of the project in all variants.
///
/// The status: 0 done, 1 a part of the work failed and was reported, 2 bad usage or bad input, 130 or 143 ended as asked, by Ctrl-C or by
/// the signal TERM: within a second, and what is left of the work is said.
pub fn run_with<A: Into<OsString> + Clone>(registry: &Registry, arguments: impl IntoIterator<Item = A>) -> ExitCode {
    let program = match Program::try_parse_from(arguments) {
        Ok(program) => program,
        Err(message) => {
            // Help and version are such messages too. Nobody may be listening, which is no reason to stop.
            let _ = message.print();
            return if message.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    if let Err(error) = interrupt::take_over() {
        output::note(&format!("drystone: signals cannot be watched for: {error}"));
    }
    let result = match program.command {
        Command::Assess(arguments) => assess::run(&arguments, registry),
        Command::Contacts(arguments) => contacts::run(&arguments, registry).map(|()| true),
        Command::Score(arguments) => score::run(&arguments, registry),
        Command::Temporal(arguments) => temporal::run(&arguments, registry),
        Command::Study(arguments) => study::run(&arguments, registry),
        Command::Job(arguments) => job::run(&arguments, registry),
        Command::Simulate(arguments) => simulate::run(&arguments, registry),
        Command::Replay(arguments) => replay::run(&arguments, registry),
        Command::Scenes(arguments) => scenes::run(&arguments, registry),
        Command::Vclip(arguments) => vclip::run(&arguments),
        Command::Ccd(arguments) => ccd::run(&arguments),
        Command::Toc(arguments) => toc::run(&arguments),
        Command::Solver(arguments) => solver::run(&arguments),
        Command::Methods => methods::run(registry).map(|()| true),
        Command::Simulators => simulators::run().map(|()| true),
    };
    match result {
        Ok(_) if let Some(status) = interrupt::status() => ExitCode::from(status),
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::note(&format!("drystone: {}", one_line(&error)));
            ExitCode::from(2)
        }
    }
}

/// The error and its causes, shortened; a cause that its parent already quotes is not repeated.
fn one_line(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    output::shortened(text)
}

/// Whether the reader of our output went away, as `head` does.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
