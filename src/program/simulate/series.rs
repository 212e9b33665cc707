//! One row a step, as CSV.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde::Serialize;

use super::audit::Audited;
use super::surface_row::SurfaceRow;
use crate::engine::WorldReport;
use crate::engine::recording::PartFile;
use crate::program::output::is_standard;

#[derive(Serialize)]
struct Row {
    step: u64,
    time: f64,
    bodies: usize,
    pairs: usize,
    contacts: usize,
    islands: usize,
    iterations: usize,
    residual: f64,
    natural_residual: f64,
    divergences: usize,
    deepest_penetration: f64,
    /// Empty where it was not measured.
    audited_overlap: Option<f64>,
    audited_pairs: Option<usize>,
    kinetic_energy: f64,
    potential_energy: f64,
    warm_started: usize,
    restitution_ignored: usize,
    pre_stabilised: usize,
    post_stabilised: usize,
    iteration_limits: usize,
    position_iteration_limits: usize,
    svd_exact: usize,
    svd_fallbacks: usize,
    svd_inconsistent: usize,
    svd_solves: usize,
    svd_rank_deficient: usize,
    torsion_ignored: usize,
    events: usize,
    broad_phase_seconds: f64,
    narrow_phase_seconds: f64,
    solver_seconds: f64,
    post_stabilisation_seconds: f64,
    seconds: f64,
}

/// Where the rows go.
enum Place {
    Standard(csv::Writer<std::io::Stdout>),
    File(csv::Writer<PartFile>),
    /// A device or a pipe.
    Device(csv::Writer<File>),
}

/// The rows of a run.
pub struct Series(Place);

impl Series {
    /// Begins; "-" is standard output.
    pub fn create(path: &Path) -> Result<Self> {
        if is_standard(path) {
            return Ok(Self(Place::Standard(csv::Writer::from_writer(std::io::stdout()))));
        }
        if fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
            let file = OpenOptions::new().write(true).open(path);
            let file = file.with_context(|| format!("{} cannot be written", path.display()))?;
            return Ok(Self(Place::Device(csv::Writer::from_writer(file))));
        }
        let file = PartFile::create(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => anyhow!(
                "{} is there: another run is writing {}, or was killed while it did; move it away or remove it",
                PartFile::part_of(path).display(),
                path.display()
            ),
            _ => anyhow::Error::from(error).context(format!("{} cannot be written", path.display())),
        })?;
        Ok(Self(Place::File(csv::Writer::from_writer(file))))
    }

    /// Adds a step of a length in s, with its overlaps if they were measured.
    pub fn add(&mut self, report: &WorldReport, audited: Option<Audited>, time_step: f64) -> Result<()> {
        if let Some(surfaces) = &report.asynchronous {
            return self.write(SurfaceRow::new(report, surfaces, audited, time_step));
        }
        let (counts, timings) = (&report.counts, &report.timings);
        let row = Row {
            step: report.step,
            time: report.time,
            bodies: report.handles.len(),
            pairs: report.pairs,
            contacts: report.contacts.len(),
            islands: report.islands.len(),
            iterations: report.iterations(),
            residual: report.residual(),
            natural_residual: report.natural_residual(),
            divergences: report.islands.iter().map(|island| island.divergences).sum(),
            deepest_penetration: report.deepest_penetration,
            audited_overlap: audited.map(|audited| audited.depth),
            audited_pairs: audited.map(|audited| audited.pairs),
            kinetic_energy: report.energy_after.kinetic,
            potential_energy: report.energy_after.potential,
            warm_started: counts.warm_started,
            restitution_ignored: counts.restitution_ignored,
            pre_stabilised: counts.pre_stabilised,
            post_stabilised: counts.post_stabilised,
            iteration_limits: counts.iteration_limits,
            position_iteration_limits: counts.position_iteration_limits,
            svd_exact: counts.svd_exact,
            svd_fallbacks: counts.svd_fallbacks,
            svd_inconsistent: counts.svd_inconsistent,
            svd_solves: counts.svd_solves,
            svd_rank_deficient: counts.svd_rank_deficient,
            torsion_ignored: counts.torsion_ignored,
            events: report.backtracking.as_ref().map_or(0, |report| report.events.len()),
            broad_phase_seconds: timings.broad_phase.as_secs_f64(),
            narrow_phase_seconds: timings.narrow_phase.as_secs_f64(),
            solver_seconds: timings.solver.as_secs_f64(),
            post_stabilisation_seconds: timings.post_stabilisation.as_secs_f64(),
            seconds: timings.total.as_secs_f64(),
        };
        self.write(row)
    }

    fn write(&mut self, row: impl Serialize) -> Result<()> {
        match &mut self.0 {
            Place::Standard(writer) => writer.serialize(row)?,
            Place::File(writer) => writer.serialize(row)?,
            Place::Device(writer) => writer.serialize(row)?,
        }
        Ok(())
    }

    /// Ends; a file takes its place.
    pub fn finish(self) -> Result<()> {
        match self.0 {
            Place::Standard(mut writer) => writer.flush()?,
            Place::Device(mut writer) => writer.flush()?,
            Place::File(writer) => {
                let mut file = writer.into_inner().map_err(|error| error.into_error())?;
                file.flush()?;
                let path = file.path().display().to_string();
                file.finish().with_context(|| format!("{path} cannot be written"))?;
            }
        }
        Ok(())
    }
}
