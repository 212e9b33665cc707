//! How a time of contact is looked for.

use serde::{Deserialize, Serialize};

use super::TocError;

/// The bound of the distance between the path of a point and its chord.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// r (1 − cos φ/2), which is reached; a bound of the second derivative where the solid turns as well.
    #[default]
    Exact,
    /// Equation 2 as ν = √2 (1 − cos φ) r, and 2√2 r from φ = π on.
    ReadingA,
    /// Equation 2 as ν = √(2 (1 − cos φ)) r, and 2√2 r from φ = π on.
    ReadingB,
}

/// What encloses the path in an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Boxes {
    /// A box along the chord, which holds all of the path.
    #[default]
    Chord,
    /// The box of Algorithm 1, along the velocity of the centre of mass. **It leaves out part of most paths, so that contacts are
    /// missed.**
    Printed,
    /// None: chords alone are tested against the surface ("variation sans bounding boxes"). **Contacts no deeper than
    /// the precision are missed.**
    Without,
}

/// How a time of contact is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TocSettings {
    /// Intervals are halved until the path is enclosed in a box of about this size, m (the paper's ε). It is raised to what
    /// rounding of coordinates leaves where it is smaller.
    pub precision: f64,
    /// Deviation from the chord.
    pub bound: Bound,
    /// What encloses the path.
    pub boxes: Boxes,
    /// A query that has tested so many boxes stops and says so.
    pub max_boxes: u32,
}

impl Default for TocSettings {
    fn default() -> Self {
        Self { precision: 1e-6, bound: Bound::Exact, boxes: Boxes::Chord, max_boxes: 1_000_000 }
    }
}

impl TocSettings {
    /// Checks the numbers.
    ///
    /// # Errors
    /// [`TocError::Precision`], [`TocError::NoBoxes`].
    pub fn check(&self) -> Result<(), TocError> {
        if !(self.precision.is_finite() && self.precision > 0.0) {
            return Err(TocError::Precision { precision: self.precision });
        }
        if self.max_boxes == 0 { Err(TocError::NoBoxes) } else { Ok(()) }
    }
}
