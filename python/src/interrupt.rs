//! Ctrl-C while something long is computed: who asks Python, and what it has said.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use drystone_engine::Interruption;
use pyo3::prelude::*;

use crate::callback;
use crate::failure::{Failure, Outcome};

/// How often Python is asked.
pub const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Asks Python now and then whether a call was interrupted. Signals are for the main thread: it is the thread of the call that asks, and others learn
/// what it was told.
#[derive(Default)]
pub struct Watch {
    /// The thread of the call, and when it asked last.
    caller: Mutex<Option<(ThreadId, Instant)>>,
    is_interrupted: AtomicBool,
    exception: Mutex<Option<PyErr>>,
}

impl Watch {
    /// Begins a call by this thread now.
    pub fn begin(&self, now: Instant) {
        self.begin_short();
        *lock(&self.caller) = Some((std::thread::current().id(), now));
    }

    /// Begins a call in which nobody asks whether it was interrupted.
    pub fn begin_short(&self) {
        if self.has_failed() {
            *lock(&self.exception) = None;
            self.is_interrupted.store(false, Ordering::Relaxed);
        }
    }

    /// What the engine asks in a step.
    pub fn interruption(self: &Arc<Self>) -> Interruption {
        let watch = Arc::clone(self);
        Interruption::new(move || watch.is_interrupted())
    }

    /// Asks Python, if this is the thread of the call and it has not asked for a while. The thread may have released the GIL.
    fn is_interrupted(&self) -> bool {
        if self.has_failed() {
            return true;
        }
        {
            // Only the thread of the call goes on from here, and it never waits for itself.
            let Ok(mut caller) = self.caller.try_lock() else { return false };
            match &mut *caller {
                Some((thread, asked)) if *thread == std::thread::current().id() && asked.elapsed() >= BETWEEN_LOOKS => {
                    *asked = Instant::now();
                }
                _ => return false,
            }
        }
        self.look()
    }

    /// Asks Python. A handler of signals cannot use what the call uses.
    pub fn look(&self) -> bool {
        if let Err(exception) = Python::attach(|py| callback::marked(|| py.check_signals())) {
            self.fail(exception);
        }
        self.has_failed()
    }

    /// Ends the call with an exception, unless another one does already.
    pub fn fail(&self, exception: PyErr) {
        lock(&self.exception).get_or_insert(exception);
        self.is_interrupted.store(true, Ordering::Relaxed);
    }

    /// Whether an exception ends the call.
    pub fn has_failed(&self) -> bool {
        self.is_interrupted.load(Ordering::Relaxed)
    }

    /// Goes on unless Python was interrupted.
    ///
    /// # Errors
    /// One in whose place [`Watch::concluded`] puts the exception.
    pub fn check(&self) -> Outcome<()> {
        if self.is_interrupted() { Err(Failure::World("the call was interrupted".into())) } else { Ok(()) }
    }

    /// What a call comes to.
    ///
    /// # Errors
    /// The exception that ends it, else those that it has.
    pub fn concluded<T>(&self, outcome: Outcome<T>) -> Outcome<T> {
        if !self.has_failed() {
            return outcome;
        }
        lock(&self.exception).take().map_or(outcome, |exception| Err(exception.into()))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
