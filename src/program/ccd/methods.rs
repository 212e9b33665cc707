//! `drystone ccd methods`: what methods there are and what their answers are worth.

use std::io::Write;

use anyhow::Result;

use crate::contact::ccd::{CcdError, Guarantee, NamedMethod, Settings};
use crate::replica::ccd::METHODS;

/// Two lines a method: name and what it does; its guarantee.
pub fn run() -> Result<()> {
    let mut out = std::io::stdout().lock();
    for method in &METHODS {
        writeln!(out, "{:<24} {}", method.name, method.about)?;
        writeln!(out, "{:<24} {}", "", guarantee(method)?)?;
    }
    Ok(())
}

/// What a method guarantees, in words.
fn guarantee(method: &NamedMethod) -> Result<String, CcdError> {
    Ok(match (method.make)(Settings::default())?.guarantee() {
        Guarantee::Conservative => "conservative: no contact is missed, no time is late".into(),
        Guarantee::Exact => "exact: no contact is missed or invented, no time is late".into(),
        Guarantee::None(when) => format!("no guarantee: {when}"),
    })
}
