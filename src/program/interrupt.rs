//! Ctrl-C: a wish to end after the current step, or within it where steps are long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

/// Whether the user has asked the program to end.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Watches for Ctrl-C, and for the signals by which systems end programs. The second one ends the program at once.
    pub fn watch() -> Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&asked);
        let handler = move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        };
        ctrlc::set_handler(handler).context("Ctrl-C cannot be watched for")?;
        Ok(Self(asked))
    }

    /// What is set when it is asked for.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Whether it was asked for.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
