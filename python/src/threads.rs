//! Where work runs: with the GIL released, on pools of the package, which survive a fork of the process.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::{Failure, Outcome, guarded};
use crate::interrupt::{BETWEEN_LOOKS, Watch};

/// A pool, the process that started it, and how many threads it has.
type Started = (u32, usize, Arc<ThreadPool>);

/// The pools. The lock is taken by threads that hold the GIL alone, so that none holds it while Python forks the process.
static POOLS: Mutex<Vec<Started>> = Mutex::new(Vec::new());

/// How many threads an argument `threads` means; `None` is one a core.
///
/// # Errors
/// [`Failure::Value`] of 0 or far too many.
pub fn count(threads: Option<usize>) -> Outcome<usize> {
    match threads {
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
        Some(threads) if (1..=1024).contains(&threads) => Ok(threads),
        Some(threads) => Err(Failure::Value(format!("threads is {threads}; it must be from 1 to 1024"))),
    }
}

/// Those who do the work.
pub enum Crew {
    /// The calling thread.
    Alone,
    /// A pool.
    Pool(Arc<ThreadPool>),
}

impl Crew {
    /// So many threads; for a thread of a pool, as where a generator in Python calls the package, the calling one with its pool. The caller holds the GIL.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn of(_: Python<'_>, threads: usize) -> Outcome<Self> {
        if threads == 1 {
            alone()?;
            return Ok(Self::Alone);
        }
        // A thread of a pool that waited for others could wait for itself.
        if rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1 {
            return Ok(Self::Alone);
        }
        pool(threads).map(Self::Pool)
    }

    /// Does the work and waits for its end.
    ///
    /// # Errors
    /// Those of `work`, and [`Failure::Panic`] if it panics.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> Outcome<T> + Send) -> Outcome<T> {
        match self {
            Self::Alone => guarded(work),
            Self::Pool(pool) => answer(work, |work| install(pool, work)),
        }
    }

    /// The same work, which may take long and asks the watch now and then. A pool does not: the calling thread asks Python for it.
    ///
    /// # Errors
    /// As [`Crew::run`].
    pub fn run_watched<T: Send>(&self, watch: &Watch, work: impl FnOnce() -> Outcome<T> + Send) -> Outcome<T> {
        match self {
            Self::Alone => guarded(work),
            Self::Pool(pool) => answer(work, |work| install_watched(pool, watch, work)),
        }
    }
}

/// Work that a pool does without knowing what comes of it, so that all kinds of work share the code for it.
type Work<'w> = &'w mut (dyn FnMut() + Send);

/// What comes of work that `on` has done.
fn answer<T: Send>(work: impl FnOnce() -> Outcome<T> + Send, on: impl FnOnce(Work<'_>)) -> Outcome<T> {
    let (mut work, mut outcome) = (Some(work), None);
    on(&mut || outcome = work.take().map(guarded));
    outcome.unwrap_or_else(|| Err(Failure::Panic("a thread ended without an answer".into())))
}

fn install(pool: &ThreadPool, work: Work<'_>) {
    pool.install(work);
}

fn install_watched(pool: &ThreadPool, watch: &Watch, work: Work<'_>) {
    let (done, ended) = channel();
    pool.in_place_scope(|scope| {
        scope.spawn(move |_| {
            work();
            // Somebody waits for it until it is sent.
            done.send(()).unwrap_or_default();
        });
        while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(BETWEEN_LOOKS) {
            watch.look();
        }
    });
}

/// Runs `work` with the GIL released.
///
/// # Errors
/// As [`Crew::run`].
pub fn released<T: Send>(py: Python<'_>, threads: usize, work: impl FnOnce() -> Outcome<T> + Send) -> Outcome<T> {
    let crew = Crew::of(py, threads)?;
    py.detach(|| crew.run(work))
}

/// Makes the calling thread a pool of its own, so that what a library does in parallel stays on it. Other pools are not touched
/// by it, above all not the one that a library starts by itself, whose threads a forked process does not have.
///
/// # Errors
/// If that cannot be done.
pub fn alone() -> Outcome<()> {
    if rayon::current_thread_index().is_some() { Ok(()) } else { alone_from_now_on() }
}

#[cold]
fn alone_from_now_on() -> Outcome<()> {
    // The thread belongs to its pool until it ends.
    ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().map_err(cannot_start)?;
    Ok(())
}

fn pool(threads: usize) -> Outcome<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((.., pool)) = pools.iter().find(|(p, t, _)| (*p, *t) == (process, threads)) {
        return Ok(Arc::clone(pool));
    }
    // A child of a fork has none of its parent's threads; nothing can be done with their pools, not even to end them.
    let (own, foreign) = std::mem::take(&mut *pools).into_iter().partition(|(p, ..)| *p == process);
    *pools = own;
    Vec::leak(foreign);
    let name = |k| format!("drystone-{k}");
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().map_err(cannot_start)?;
    let pool = Arc::new(pool);
    pools.push((process, threads, Arc::clone(&pool)));
    Ok(pool)
}

fn cannot_start(error: rayon::ThreadPoolBuildError) -> Failure {
    Failure::Panic(format!("threads cannot be started: {error}"))
}
