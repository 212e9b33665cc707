//! `drystone methods`: what methods there are.

use std::io::Write;

use anyhow::Result;

use super::method_name::usual;
use crate::contact::generator::{Registry, methods};

/// One line a method: name and how it finds a normal.
pub fn run(registry: &Registry) -> Result<()> {
    let mut out = std::io::stdout().lock();
    for method in usual(registry) {
        writeln!(out, "{method:<18} {}", method.summary())?;
    }
    writeln!(
        out,
        "\nThe first {} in three variants: corrected (the paper's text), published (what most tables show), earlier (tables 6\n\
         and 7). The others are not in the paper, and the same in every variant.",
        methods::local().len()
    )?;
    Ok(())
}
