//! Rows beside those of contacts: of joints.

use arrayvec::ArrayVec;

/// Bodies of a row at most: a gear has those of two hinges.
pub const SIDES: usize = 4;

/// An impulse λ (N s, or N m s) within bounds that acts along the gradient of one velocity u. With s = u + `compliance` · λ − `target`, s is zero
/// between the bounds, not negative at the lower one, and not positive at the upper one. Without bounds that is a lock, with one of them zero and the other infinite a
/// limit, with finite ones a motor or friction.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundedRow {
    /// Bodies by their places in the list, each once, with the gradient of the velocity by the twist.
    pub sides: ArrayVec<(usize, [f64; 6]), SIDES>,
    /// The part of the velocity that no impulse changes, of bodies that are not in the list, m/s or rad/s.
    pub offset: f64,
    /// m/s or rad/s.
    pub target: f64,
    /// The lower bound of the impulse and the upper one; they may be infinite.
    pub bounds: [f64; 2],
    /// How much the velocity yields by the impulse, not negative: of a spring.
    pub compliance: f64,
}
