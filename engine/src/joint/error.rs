//! What is wrong with a joint.

use super::{JointHandle, JointKind};

/// What is wrong with the numbers of a joint. Axes are counted from 0: x, y, z, then the angles.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum JointError {
    /// A frame that is none.
    #[error("the {name} of the joint is no frame; give a finite position and a unit quaternion")]
    Frame {
        /// Which one.
        name: &'static str,
    },
    /// Limits that no coordinate can be within.
    #[error(
        "axis {axis} of the joint has the limits {lower} to {upper}; the lower one must not be above the upper one"
    )]
    Limits {
        /// Which axis.
        axis: usize,
        /// m or rad.
        lower: f64,
        /// m or rad.
        upper: f64,
    },
    /// A number that must not be negative.
    #[error("the {quantity} of axis {axis} of the joint is {value}; it must not be negative")]
    Negative {
        /// Which axis.
        axis: usize,
        /// Which number.
        quantity: &'static str,
        /// What was given.
        value: f64,
    },
    /// A number that must be finite.
    #[error("the {quantity} of axis {axis} of the joint is {value}; it must be finite")]
    NotFinite {
        /// Which axis.
        axis: usize,
        /// Which number.
        quantity: &'static str,
        /// What was given.
        value: f64,
    },
    /// A number that must be above zero.
    #[error("the {quantity} of the joint is {value}; it must be above zero")]
    NotPositive {
        /// Which number.
        quantity: &'static str,
        /// What was given.
        value: f64,
    },
    /// A motor on a coordinate that does not move.
    #[error("axis {axis} of the joint is locked and has a motor; leave one of them out")]
    MotorOfLocked {
        /// Which axis.
        axis: usize,
    },
    /// A ratio of a gear or rack.
    #[error("the ratio of the gear or rack is {ratio}; it must be finite and not zero")]
    Ratio {
        /// What was given.
        ratio: f64,
    },
    /// A coupling of joints that cannot be coupled.
    #[error(
        "a {kind:?} cannot couple {joint}, which is a {found:?}; a gear takes two hinges, a rack a hinge and a slider"
    )]
    Coupling {
        /// Gear or rack.
        kind: JointKind,
        /// The joint.
        joint: JointHandle,
        /// What it is.
        found: JointKind,
    },
}
