//! How far the work is: a bar on a terminal, a line for every tenth part otherwise; on standard error.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output::note;

/// The progress of a number of jobs, which may end on any thread.
pub struct Progress {
    bar: ProgressBar,
    jobs: usize,
    done: AtomicUsize,
    is_terminal: bool,
}

impl Progress {
    /// None of the jobs is done.
    pub fn new(jobs: usize) -> Self {
        let is_terminal = Term::stderr().is_term();
        let target = if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(jobs as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        // The clock goes on while a long job runs.
        bar.enable_steady_tick(Duration::from_millis(500));
        Progress { bar, jobs, done: AtomicUsize::new(0), is_terminal }
    }

    /// One more job is done.
    pub fn advance(&self, job: &str) {
        self.bar.set_message(job.to_owned());
        self.bar.inc(1);
        let before = self.done.fetch_add(1, Ordering::Relaxed);
        if !self.is_terminal && (before + 1) * 10 / self.jobs != before * 10 / self.jobs {
            note(&format!("{} of {} done", before + 1, self.jobs));
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
