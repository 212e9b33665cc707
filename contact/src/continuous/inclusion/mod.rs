//! The inclusion root finder: conservative at every scale.
//!
//! F(t, u, v), the difference of the two features, is bounded over boxes of t, u and v; boxes whose bounds do not come within
//! reach of zero are dropped, the others narrowed and halved, earliest first (paper, section 5). Beyond the paper: bounds
//! from Taylor's polynomial, which is exact here; bounds along directions in which F depends on one variable alone, to
//! first order, which narrow a box as Newton's method would (at a simple contact its width is squared each time); a filter that
//! is linear in the coordinates; and integers for what rounding forbids. docs/ccd.md proves that nothing is missed.

mod difference;
mod direction;
mod domain;
mod filter;
mod root;
mod search;

use super::{Answer, ContinuousError, Guarantee, Method, Outcome, Query, Settings};
use difference::Difference;
use filter::Reach;
use search::Found;

/// The inclusion root finder.
#[derive(Clone, Copy, Debug)]
pub struct RootFinder {
    settings: Settings,
}

impl RootFinder {
    /// Its name in the registry.
    pub const NAME: &str = "inclusion";

    /// # Errors
    /// Settings that are out of range.
    pub fn new(settings: Settings) -> Result<Self, ContinuousError> {
        settings.check()?;
        if settings.exact_after.is_some() {
            return Err(ContinuousError::Unsupported { method: "inclusion", what: "the exact fallback" });
        }
        Ok(Self { settings })
    }

    /// What it was made with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Answers one query. Allocates nothing, unless integers are asked.
    ///
    /// # Errors
    /// Coordinates that are not finite or too large.
    pub fn solve(&self, query: &Query) -> Result<Answer, ContinuousError> {
        query.check()?;
        let f = Difference::new(query);
        let reach = Reach::new(f.largest, &self.settings);
        if root::excludes(&f, &reach) {
            return Ok(Answer::free(1));
        }
        Ok(answer(search::search(&f, &reach, &self.settings)))
    }
}

fn answer(found: Found) -> Answer {
    match found {
        Found::Nothing { checks } => Answer::free(1 + checks),
        Found::Contact { time, reached, checks } => {
            Answer { outcome: Outcome::Impact { lo: time.lo, hi: time.hi }, checks: 1 + checks, reached, exact: false }
        }
        Found::Limit { t, reached, checks } => {
            Answer { outcome: Outcome::Stopped { t }, checks: 1 + checks, reached, exact: false }
        }
        Found::Undecided { known, checks } => {
            let t = known.map_or(0.0, |(time, _)| time.lo);
            Answer { outcome: Outcome::Stopped { t }, checks: 1 + checks, reached: 0.0, exact: false }
        }
    }
}

impl Method for RootFinder {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Conservative
    }

    fn solve(&self, query: &Query) -> Result<Answer, ContinuousError> {
        self.solve(query)
    }
}
