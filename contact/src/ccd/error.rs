use super::{Kind, Query};
use thiserror::Error;

/// Why a query cannot be answered.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CcdError {
    /// A coordinate is not a number, or infinite.
    #[error("coordinate {axis} of point {point} at t = {time} is {value}; it must be finite")]
    NotFinite {
        /// Which of the four points.
        point: usize,
        /// x, y or z.
        axis: &'static str,
        /// 0 or 1.
        time: usize,
        /// What it is, m.
        value: f64,
    },
    /// A coordinate is out of range.
    #[error("coordinate {axis} of point {point} at t = {time} is {value} m; at most {} m is allowed", Query::LARGEST)]
    TooLarge {
        /// Which of the four points.
        point: usize,
        /// x, y or z.
        axis: &'static str,
        /// 0 or 1.
        time: usize,
        /// What it is, m.
        value: f64,
    },
    /// δ is out of range.
    #[error("the tolerance is {0} m; it must be finite and positive (or zero, with the exact fallback)")]
    Tolerance(f64),
    /// No check is allowed.
    #[error("the limit of checks is 0; at least one is needed (for no limit give a large number)")]
    Checks,
    /// d is out of range.
    #[error("the minimum separation is {0} m; it must be finite, not negative, and at most {max} m", max = Query::LARGEST)]
    Separation(f64),
    /// t_max is out of range.
    #[error("the end of the time interval is {0}; it must be from 0 to 1")]
    TimeLimit(f64),
    /// A setting of the line search is out of range.
    #[error("the {setting} of the line search is {value}; it must be {range}")]
    LineSearch {
        /// "share", "cap" or "least step".
        setting: &'static str,
        /// What it is.
        value: f64,
        /// What is allowed, in words.
        range: &'static str,
    },
    /// Arrays of coordinates that do not belong together.
    #[error(
        "array {array} of the coordinates has {found} numbers, array 0 has {expected}; one for each query is needed"
    )]
    Lengths {
        /// Which of the 24.
        array: usize,
        /// Its length.
        found: usize,
        /// That of the first.
        expected: usize,
    },
    /// A query among those of the other kind.
    #[error("a query of kind {found:?} among those of kind {expected:?}")]
    OtherKind {
        /// What the others are.
        expected: Kind,
        /// What it is.
        found: Kind,
    },
    /// One query of many cannot be answered.
    #[error("query {index}: {error}")]
    AtQuery {
        /// Its number.
        index: usize,
        /// Why.
        error: Box<CcdError>,
    },
    /// No method has this name.
    #[error("there is no method \"{name}\"; there are: {}", known.join(", "))]
    UnknownMethod {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A method that cannot do what the settings ask for.
    #[error("{method} cannot do this: {what}")]
    Unsupported {
        /// Its name.
        method: &'static str,
        /// What it cannot.
        what: &'static str,
    },
}
