//! The inclusion root finder: conservative at every scale.
//!
//! F(t, u, v), the difference of the two features, is bounded over boxes of t, u and v; boxes whose bounds do not
//! come within reach of zero are dropped, the others narrowed and bisected, earliest first (paper, section 5). Beyond
//! the paper: bounds from Taylor's polynomial, which is exact here; bounds along directions in which F depends on one
//! variable alone, to first order, which narrow a box as Newton's method would (at a simple contact its width is
//! squared each time); a filter that is linear in the coordinates; and integers for what rounding forbids.
//! docs/ccd.md proves that nothing is missed.

mod batch;
mod difference;
mod direction;
mod domain;
mod filter;
mod look;
mod narrow;
#[cfg(test)]
mod properties;
mod root;
mod search;
#[cfg(test)]
mod tests;
mod waiting;

use super::{Answer, CcdError, Guarantee, Method, Metric, Outcome, Query, Settings, exact};
use difference::Difference;
use filter::Reach;
use search::{Candidate, End};

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
    pub fn new(settings: Settings) -> Result<Self, CcdError> {
        settings.check()?;
        Ok(Self { settings })
    }

    /// What it was made with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Answers one query. Allocates nothing, unless exact arithmetic has to decide.
    ///
    /// # Errors
    /// Coordinates that are not finite or too large.
    pub fn solve(&self, query: &Query) -> Result<Answer, CcdError> {
        query.check()?;
        let reach = Reach::new(query.largest(), &self.settings);
        if root::excludes(query, &reach) {
            return Ok(Answer::free(1));
        }
        let f = Difference::new(query);
        let (end, checks) = search::search(&f, &reach, &self.settings);
        let (outcome, reached, exact) = match end {
            End::Complete(candidate) => from_candidate(candidate),
            End::Limit { time, width } => (Outcome::Stopped { t: time }, width, false),
            End::Undecided(candidate) => self.decide(query, candidate)?,
        };
        Ok(Answer { outcome, checks: 1 + checks, reached, exact })
    }

    /// Leaves it to exact arithmetic whether there is a contact before the candidate. They know no straight
    /// distances: there the cube around the ball is asked, whose contacts are no later.
    #[cold]
    fn decide(&self, query: &Query, candidate: Option<Candidate>) -> Result<(Outcome, f64, bool), CcdError> {
        let Settings { t_max, separation, metric, .. } = self.settings;
        let end = candidate.map_or(t_max, |candidate| candidate.time.lo);
        let is_exact = separation == 0.0 || metric == Metric::Chebyshev;
        Ok(match exact::decide(query, end, separation)? {
            Some(time) => (Outcome::Impact { lo: time.lo, hi: time.hi.min(t_max) }, 0.0, is_exact),
            None if candidate.is_none() => (Outcome::Free, 0.0, true),
            None => from_candidate(candidate),
        })
    }
}

/// Outcome, width of the box of differences, and that no exact integer arithmetic was needed.
fn from_candidate(candidate: Option<Candidate>) -> (Outcome, f64, bool) {
    candidate.map_or((Outcome::Free, 0.0, false), |Candidate { time, width }| {
        (Outcome::Impact { lo: time.lo, hi: time.hi }, width, false)
    })
}

impl Method for RootFinder {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn guarantee(&self) -> Guarantee {
        let Settings { tolerance, exact_after, separation, metric, checks, .. } = self.settings;
        let is_exact = tolerance == 0.0
            && exact_after.is_some_and(|after| after < checks)
            && (separation == 0.0 || metric == Metric::Chebyshev);
        if is_exact { Guarantee::Exact } else { Guarantee::Conservative }
    }

    fn solve(&self, query: &Query) -> Result<Answer, CcdError> {
        self.solve(query)
    }
}
