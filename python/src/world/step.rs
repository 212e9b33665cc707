//! Steps of a world: for others between them, and for Ctrl-C in the middle of long ones.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use drystone_engine::Interruption;
use drystone_engine::solver::ContactSolver;
use pyo3::prelude::*;

use super::events::PyEvent;
use super::{Held, PyWorld};
use crate::callback;
use crate::failure::{Failure, Outcome};
use crate::threads::Crew;

/// How long steps are made before others get the world and Python is asked whether it was interrupted.
pub const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Steps that are no longer than this keep the GIL: nobody can do much meanwhile.
const SHORT: Duration = Duration::from_micros(5);

/// After a step that has taken so long, others may take long as well.
const LONG: Duration = Duration::from_millis(50);

/// How long steps wait at most for others that want the world.
const FOR_OTHERS: Duration = Duration::from_millis(5);

impl Held {
    /// Whether the next step may be interrupted: by a hook that raises; if there are other bodies than in the steps before; after one that was
    /// long; where the steps of a solver differ much. For soft steps it costs a little, and these solve nine times at most: one that is the
    /// first to be long is not much longer than half a second.
    fn may_be_long(&self) -> bool {
        let settings = self.world.settings();
        let is_soft = matches!(settings.step.contact_solver, ContactSolver::Soft(_)) && settings.ccd.is_none();
        self.functions.is_some() || !is_soft || self.last_steps != (self.world.bodies().len(), false)
    }

    /// Whether the next step is one like the last one, and that was so short that it need not release the GIL.
    fn is_short(&self) -> bool {
        !self.was_used && self.recorder.is_none() && !self.may_be_long() && self.report.timings.total <= SHORT
    }

    /// Makes a step that begins at a time and may be interrupted or not, and returns when it ends.
    fn step(&mut self, start: Instant, may_be_long: bool) -> Outcome<Instant> {
        self.world.set_interruption(if may_be_long { self.watch.interruption() } else { Interruption::NEVER });
        let outcome = self.make_step();
        self.world.set_interruption(Interruption::NEVER);
        let end = Instant::now();
        self.note(end - start);
        outcome.map(|()| end)
    }

    /// Notes how long the last step took.
    fn note(&mut self, took: Duration) {
        let count = self.world.bodies().len();
        self.last_steps = (count, self.last_steps == (count, true) || took >= LONG);
        self.was_used = false;
    }

    fn make_step(&mut self) -> Outcome<()> {
        match &mut self.recorder {
            Some(recorder) => {
                self.report = recorder.step(&mut self.world).map_err(|error| Failure::World(error.to_string()))?;
            }
            None => self.world.step_into(&mut self.report)?,
        }
        let step = self.world.steps();
        self.events.extend(self.world.events().iter().map(|event| PyEvent::new(event, step)));
        Ok(())
    }

    fn report(&self) -> PyStepReport {
        let report = &self.report;
        PyStepReport {
            step: self.world.steps(),
            time: self.world.time(),
            contacts: report.contacts.len(),
            pairs: report.pairs,
            islands: report.islands.len(),
            iterations: report.iterations(),
            residual: report.residual(),
            natural_residual: report.natural_residual(),
            deepest_penetration: report.deepest_penetration,
            asleep: report.counts.asleep,
        }
    }
}

impl PyWorld {
    /// Makes a step that is short, if nobody else has the world.
    fn short_step(&self) -> Option<Outcome<PyStepReport>> {
        // What threads of a pool or a generator do may need the GIL.
        if self.threads > 1 || self.generator.is_some() {
            return None;
        }
        let mut held = self.held.try_lock().ok().filter(|held| held.is_short())?;
        held.events.clear();
        Some(held.guarded(|held| {
            held.make_step()?;
            held.note(held.report.timings.total);
            Ok(held.report())
        }))
    }
}

#[pymethods]
impl PyWorld {
    /// Makes steps. Ctrl-C ends the call within about half a second, also in the middle of a step that takes long: the world is then as after the
    /// last whole step, and goes on from there as if nothing had happened.
    ///
    /// Args:
    ///     count: How many.
    ///
    /// Returns:
    ///     What happened in the last one.
    ///
    /// Raises:
    ///     WorldError: A step cannot be made, for example because a state is not finite. The world is as before that step.
    #[pyo3(signature = (count = 1, /))]
    fn step(&self, py: Python<'_>, count: u64) -> Outcome<PyStepReport> {
        if callback::is_running() {
            return Err(Failure::World("what is called by a step cannot make steps".into()));
        }
        let crew = Crew::of(py, self.threads)?;
        if count == 1
            && let Some(report) = self.short_step()
        {
            let report = report?;
            py.check_signals()?;
            return Ok(report);
        }
        let mut made = 0;
        loop {
            let first = made;
            let report = py.detach(|| {
                let mut held = self.lock()?;
                let held = &mut *held;
                if first == 0 {
                    held.events.clear();
                }
                let start = Instant::now();
                let may_be_long = held.may_be_long();
                if may_be_long {
                    self.watch.begin(start);
                } else {
                    self.watch.begin_short();
                }
                let outcome = crew.run_watched(&self.watch, || {
                    let mut end = start;
                    while made < count {
                        end = held.guarded(|held| held.step(end, may_be_long))?;
                        made += 1;
                        let is_other = held.may_be_long() != may_be_long;
                        if is_other || end - start > BETWEEN_LOOKS || self.waiting.load(Ordering::Relaxed) > 0 {
                            break;
                        }
                    }
                    Ok(held.report())
                });
                self.watch.concluded(outcome)
            })?;
            py.check_signals()?;
            if made == count {
                return Ok(report);
            }
            py.detach(|| {
                let start = Instant::now();
                while self.waiting.load(Ordering::Relaxed) > 0 && start.elapsed() < FOR_OTHERS {
                    std::thread::yield_now();
                }
            });
        }
    }
}

/// What happened in a step.
#[pyclass(name = "StepReport", module = "drystone", frozen, get_all)]
pub struct PyStepReport {
    /// The number of the step, from 1.
    step: u64,
    /// The time after it, s.
    time: f64,
    /// How many contacts there were.
    contacts: usize,
    /// How many pairs of bodies the method was asked about.
    pairs: usize,
    /// How many groups of bodies in contact were solved.
    islands: usize,
    /// The most sweeps that one of them took.
    iterations: usize,
    /// The largest change of an impulse in a last sweep, N s.
    residual: f64,
    /// How far the impulses are from a solution at worst, N s.
    natural_residual: f64,
    /// The depth of the deepest contact, m.
    deepest_penetration: f64,
    /// How many bodies sleep.
    asleep: usize,
}

#[pymethods]
impl PyStepReport {
    fn __repr__(&self) -> String {
        format!(
            "StepReport(step={}, time={}, contacts={}, pairs={}, islands={}, iterations={}, residual={}, natural_residual={}, deepest_penetration={}, asleep={})",
            self.step,
            self.time,
            self.contacts,
            self.pairs,
            self.islands,
            self.iterations,
            self.residual,
            self.natural_residual,
            self.deepest_penetration,
            self.asleep
        )
    }
}
