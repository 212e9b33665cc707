//! The program `drystone`: one subcommand a file in `cli/`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
