use super::{CcdError, Query};
use serde::{Deserialize, Serialize};

/// How the distance of a minimum separation is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// The largest difference of a coordinate (L∞), as in the paper, section 6.
    #[default]
    Chebyshev,
    /// The straight distance (L2).
    Euclidean,
}

/// What all methods are asked with; a method uses what it has a use for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// δ, m: a box of differences that is no wider on any axis is not divided further. Contact is then reported
    /// although the features may be δ apart.
    pub tolerance: f64,
    /// m_I: so many boxes are looked at before the search stops with a time that is early rather than exact.
    pub checks: u64,
    /// The search is for contacts at 0 ≤ t ≤ this; at most 1.
    pub t_max: f64,
    /// d, m: features that are no farther apart count as touching.
    pub separation: f64,
    /// How d is measured.
    pub metric: Metric,
    /// After so many checks, and where rounding forbids an answer, the question is decided in integers, if not `None`.
    pub exact_after: Option<u64>,
}

impl Default for Settings {
    /// As in the paper: δ = 1e-6 m, m_I = 1e6, the whole interval, no separation, no exact fallback.
    fn default() -> Self {
        Self {
            tolerance: 1e-6,
            checks: 1_000_000,
            t_max: 1.0,
            separation: 0.0,
            metric: Metric::Chebyshev,
            exact_after: None,
        }
    }
}

impl Settings {
    /// That every number is in its range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), CcdError> {
        let smallest_allowed = self.tolerance > 0.0 || (self.tolerance == 0.0 && self.exact_after.is_some());
        if !(smallest_allowed && self.tolerance.is_finite()) {
            return Err(CcdError::Tolerance(self.tolerance));
        }
        if self.checks == 0 {
            return Err(CcdError::Checks);
        }
        if !(0.0..=Query::LARGEST).contains(&self.separation) {
            return Err(CcdError::Separation(self.separation));
        }
        if !(0.0..=1.0).contains(&self.t_max) {
            return Err(CcdError::TimeLimit(self.t_max));
        }
        Ok(())
    }
}
