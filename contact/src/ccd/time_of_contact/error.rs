//! What is wrong with a query.

use thiserror::Error;

/// What is wrong with a query.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TocError {
    /// The precision is not positive.
    #[error("the precision is {precision} m; it must be finite and above zero")]
    Precision {
        /// The one given, m.
        precision: f64,
    },
    /// No box may be tested.
    #[error("no box may be tested (max_boxes is 0); allow at least one")]
    NoBoxes,
    /// The interval ends before it begins.
    #[error("the interval from {start} s to {end} s is none; both must be finite, the end not before the start")]
    Interval {
        /// s.
        start: f64,
        /// s.
        end: f64,
    },
    /// A pose, velocity or point is not finite.
    #[error("the {what} of the {of} is {value}; it must be finite")]
    NotFinite {
        /// "position", "velocity" and so on.
        what: &'static str,
        /// "solid", "body".
        of: &'static str,
        /// As text.
        value: String,
    },
    /// The printed choices are for solids at rest.
    #[error(
        "the solid turns (at {speed} rad/s): a point seen from it has no constant twist, and equation 2 and the printed box do \
         not hold; use the exact bound with boxes along chords"
    )]
    TurningSolid {
        /// rad/s.
        speed: f64,
    },
}
