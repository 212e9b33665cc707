//! `--page`: runs as one HTML page.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::output::{check_folder, is_standard, write_to};
use crate::engine::simulator::Simulator;
use crate::report::inspection::{Frame, Subject};
use crate::report::page::{Page, Run};
use crate::scenes::truth::Truth;

/// Refuses a place where no page can be written, before the work begins. `option`: by which it was given; `others`: where else
/// results go.
pub fn check<'p>(option: &str, page: &Path, others: impl IntoIterator<Item = Option<&'p Path>>) -> Result<()> {
    if is_standard(page) {
        bail!("{option} writes a file to be opened in a browser; give it a name");
    }
    if page.is_dir() {
        bail!("{option} {} is a folder; give the name of a file", page.display());
    }
    if others.into_iter().flatten().any(|other| other == page) {
        bail!("{option} and another option both write to {}; give them different places", page.display());
    }
    check_folder(page)
}

/// A run that has the moment before any step. Looking at it changes nothing in the simulator.
pub fn begin(
    simulator: &mut dyn Simulator,
    scene: &str,
    bodies: &[String],
    truth: Option<Truth>,
    budget: usize,
) -> Result<Run> {
    let subject = Arc::new(Subject::new(scene, simulator, bodies, truth));
    let found = simulator.detect_now().context("the contacts of the start cannot be found")?;
    let start = Frame::of_detection(&subject, simulator, simulator.steps(), found);
    let mut run = Run::new(subject, budget);
    run.add(start);
    Ok(run)
}

/// Writes it.
pub fn write(path: &Path, page: Page) -> Result<()> {
    write_to(path, page.html()?.as_bytes())
}
