//! One self-contained HTML page that shows runs to whoever has only a browser: bodies, contacts, time, nothing to install and
//! nothing to load.
//!
//! ```
//! use drystone_report::inspection::{Request, What, open};
//! use drystone_report::page::{Page, Run};
//! use std::ops::ControlFlow;
//!
//! let opened = open(&Request::new("cliff-edges".parse::<What>()?))?;
//! let mut run = Run::new(opened.subject, Page::BUDGET);
//! opened.source.run(&mut |frame| {
//!     let Ok(frame) = frame else { return ControlFlow::Break(()) };
//!     let step = frame.step;
//!     run.add(frame);
//!     if step < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
//! });
//! let mut page = Page::new("Cliff edges");
//! page.add(run);
//! assert!(page.html()?.starts_with("<!DOCTYPE html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! Script and style are in the page; the script is made from `web/` beside this crate and stands here as `page.js`, so that
//! building the library needs nothing but Rust. What is coloured how comes from [`crate::inspection::colour`].

mod document;
mod moment;
mod packed;
mod run;
mod template;

pub use run::Run;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The data cannot be written.
    #[error("the data of the page cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// A page on its way.
#[derive(Clone)]
pub struct Page {
    title: String,
    notes: Vec<String>,
    runs: Vec<Run>,
    budget: usize,
}

impl Page {
    /// How much the moments of all runs may take, bytes. The script takes 0.6 MB beside them.
    pub const BUDGET: usize = 16 << 20;

    /// A page without runs.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), notes: Vec::new(), runs: Vec::new(), budget: Self::BUDGET }
    }

    /// The same with another budget, bytes.
    pub fn with_budget(self, budget: usize) -> Self {
        Self { budget, ..self }
    }

    /// Adds a remark, plain text.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// Adds a run; one without frames is left out.
    pub fn add(&mut self, mut run: Run) {
        run.finish();
        if run.moments().len() > 0 {
            self.runs.push(run);
        }
    }

    /// The page. Where all moments together take more than the budget, the longest runs lose every second one, again and
    /// again; their first and their last stay whatever they take. The page says what is missing.
    ///
    /// # Errors
    /// [`PageError`].
    pub fn html(mut self) -> Result<String, PageError> {
        self.fit();
        if self.runs.iter().any(|run| run.every() > 1) {
            self.notes.push("To keep the page small, some runs have not all of their steps here.".into());
        }
        let data = document::json(&self.title, &self.runs)?;
        Ok(template::page(&self.title, &self.notes, &data).into_string())
    }

    fn fit(&mut self) {
        let is_above = |runs: &[Run]| runs.iter().map(Run::bytes).sum::<usize>() > self.budget;
        while is_above(&self.runs) {
            let long = self.runs.iter_mut().filter(|run| run.moments().len() > 2);
            let Some(run) = long.max_by_key(|run| run.bytes()) else { break };
            run.thin();
        }
    }
}

#[cfg(test)]
mod tests;
