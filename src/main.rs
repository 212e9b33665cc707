//! The program `drystone`, with all methods of the project in all variants.

use std::process::ExitCode;

fn main() -> ExitCode {
    drystone::program::run(drystone::replica::readings::registry())
}
