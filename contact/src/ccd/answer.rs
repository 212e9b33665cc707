/// What a method says of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// They do not meet for 0 ≤ t ≤ t_max.
    Free,
    /// They do not meet before `lo`, and come within the tolerance of meeting in [`lo`, `hi`].
    Impact {
        /// The time to trust: 0 ≤ `lo` ≤ `hi`.
        lo: f64,
        /// Where the search ended; at most t_max.
        hi: f64,
    },
    /// They do not meet before `t`; whether they do after it was not found out within the limit of checks.
    Stopped {
        /// The time to trust.
        t: f64,
    },
}

/// An outcome and what it took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// What was found.
    pub outcome: Outcome,
    /// n: boxes, intervals or roots that were looked at.
    pub checks: u64,
    /// The width of the last box of differences, m: the tolerance that was reached; 0 where it is exact or has no meaning.
    pub reached: f64,
    /// Whether integers decided.
    pub exact: bool,
}

impl Outcome {
    /// The time before which they surely do not meet, if a meeting is possible.
    #[must_use]
    pub fn time(self) -> Option<f64> {
        match self {
            Self::Free => None,
            Self::Impact { lo, .. } => Some(lo),
            Self::Stopped { t } => Some(t),
        }
    }

    /// Whether a meeting is possible.
    #[must_use]
    pub fn is_impact(self) -> bool {
        self != Self::Free
    }
}

impl Answer {
    /// They do not meet for 0 ≤ t ≤ t_max.
    #[must_use]
    pub fn free(checks: u64) -> Self {
        Self { outcome: Outcome::Free, checks, reached: 0.0, exact: false }
    }
}
