//! Steps that end before they are made: a program that is told to stop need not wait for a long one.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Ends steps that are being made, if its function says so. The function is asked many times in a step, between phases, pairs of bodies, substeps,
/// sweeps and factorizations, from any of the threads that make it, and should answer within a microsecond. Once it has said yes the step is given
/// up, and no thread asks again but one that was about to. The last question comes after the last call of a generator or a
/// [contact hook](crate::world::ContactHook), just before the step is made for good. It has no influence on the results of steps that are made.
///
/// Clones ask the same function.
#[derive(Clone, Default)]
pub struct Interruption(Option<Arc<Asked>>);

struct Asked {
    ends: Box<dyn Fn() -> bool + Send + Sync>,
    /// Whether the function has said yes in this step.
    is_wanted: AtomicBool,
}

/// A step was given up because an [`Interruption`] said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the step was interrupted")]
pub struct Interrupted;

impl Interruption {
    /// One that never ends a step.
    pub const NEVER: Self = Self(None);

    /// One that ends a step once a function returns true.
    pub fn new(ends: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(Asked { ends: Box::new(ends), is_wanted: AtomicBool::new(false) })))
    }

    /// Whether it may end a step at all.
    pub(crate) fn is_possible(&self) -> bool {
        self.0.is_some()
    }

    /// Begins a step: what was said in the one before counts no more.
    pub(crate) fn begin(&self) {
        if let Some(asked) = &self.0 {
            asked.is_wanted.store(false, Relaxed);
        }
    }

    /// Whether the step is to end.
    #[inline]
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.as_ref().is_some_and(|asked| asked.is_wanted())
    }

    /// Goes on unless the step is to end.
    ///
    /// # Errors
    /// [`Interrupted`].
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Interrupted> {
        if self.is_wanted() { Err(Interrupted) } else { Ok(()) }
    }
}

impl Asked {
    fn is_wanted(&self) -> bool {
        let is_wanted = self.is_wanted.load(Relaxed) || (self.ends)();
        if is_wanted {
            self.is_wanted.store(true, Relaxed);
        }
        is_wanted
    }
}

impl fmt::Debug for Interruption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_possible() { "Interruption" } else { "Interruption::NEVER" })
    }
}
