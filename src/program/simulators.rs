//! `drystone simulators`: what simulators there are.

use std::io::Write;

use anyhow::Result;

use crate::engine::simulator::SimulatorKind;

/// One line a simulator: name and how it moves bodies.
pub fn run() -> Result<()> {
    let mut out = std::io::stdout().lock();
    for simulator in SimulatorKind::ALL {
        writeln!(out, "{simulator:<18} {}", simulator.summary())?;
    }
    Ok(())
}
