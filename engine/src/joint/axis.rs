//! One coordinate of a joint: whether it is locked or limited, what drives it, and its friction.

use super::JointError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Numbers that may be infinite, as JSON has them: none for infinity.
mod infinite {
    use super::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(x: &f64, to: S) -> Result<S::Ok, S::Error> {
        Some(*x).filter(|x| !x.is_infinite()).serialize(to)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or(f64::INFINITY))
    }
}

/// The same, with minus infinity.
mod minus_infinite {
    use super::{Deserialize, Deserializer};

    pub use super::infinite::serialize;

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or(f64::NEG_INFINITY))
    }
}

/// How far a coordinate may go, m or rad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Motion {
    /// Anywhere.
    #[default]
    Free,
    /// It stays zero.
    Locked,
    /// From one value to another; either may be infinite.
    Limited {
        /// The least value.
        #[serde(with = "minus_infinite")]
        lower: f64,
        /// The largest one, no less than `lower`.
        #[serde(with = "infinite")]
        upper: f64,
    },
}

/// What drives a coordinate. Forces are in N for displacements, torques in N m for angles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Motor {
    /// Keeps a velocity with a force of at most so much.
    Velocity {
        /// m/s or rad/s.
        target: f64,
        /// N or N m; not negative, may be infinite.
        #[serde(with = "infinite")]
        max_force: f64,
    },
    /// Drives to a position by a spring and a damper that are integrated implicitly: stable for any stiffness and damping.
    Position {
        /// m or rad.
        target: f64,
        /// N/m or N m/rad.
        stiffness: f64,
        /// N s/m or N m s/rad.
        damping: f64,
        /// N or N m; not negative, may be infinite.
        #[serde(with = "infinite")]
        max_force: f64,
    },
    /// A spring with a damper; the spring by the trapezoidal rule, which takes no energy from it.
    Spring {
        /// Where it has no force, m or rad.
        rest: f64,
        /// N/m or N m/rad.
        stiffness: f64,
        /// N s/m or N m s/rad.
        damping: f64,
    },
}

/// A coordinate of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// How far it may go.
    pub motion: Motion,
    /// What drives it.
    pub motor: Option<Motor>,
    /// Dry friction: the force (N) or torque (N m) that it takes to move it; not negative.
    pub friction: f64,
}

impl Axis {
    /// Goes anywhere.
    pub const FREE: Self = Self { motion: Motion::Free, motor: None, friction: 0.0 };

    /// Stays zero.
    pub const LOCKED: Self = Self { motion: Motion::Locked, motor: None, friction: 0.0 };

    /// Stays within limits.
    pub const fn limited(lower: f64, upper: f64) -> Self {
        Self { motion: Motion::Limited { lower, upper }, motor: None, friction: 0.0 }
    }

    /// # Errors
    /// [`JointError`] for numbers that none has; `axis` is for the error.
    pub(crate) fn check(&self, axis: usize) -> Result<(), JointError> {
        let not_negative = |quantity: &'static str, value: f64| match value >= 0.0 {
            true => Ok(()),
            false => Err(JointError::Negative { axis, quantity, value }),
        };
        let finite = |quantity: &'static str, value: f64| match value.is_finite() {
            true => Ok(()),
            false => Err(JointError::NotFinite { axis, quantity, value }),
        };
        if let Motion::Limited { lower, upper } = self.motion
            && !(lower <= upper && lower < f64::INFINITY && upper > f64::NEG_INFINITY)
        {
            return Err(JointError::Limits { axis, lower, upper });
        }
        not_negative("friction", self.friction)?;
        finite("friction", self.friction)?;
        match self.motor {
            None => Ok(()),
            Some(_) if self.motion == Motion::Locked => Err(JointError::MotorOfLocked { axis }),
            Some(Motor::Velocity { target, max_force }) => {
                finite("target velocity", target)?;
                not_negative("maximal force", max_force)
            }
            Some(Motor::Position { target, stiffness, damping, max_force }) => {
                finite("target", target)?;
                not_negative("stiffness", stiffness)?;
                finite("stiffness", stiffness)?;
                not_negative("damping", damping)?;
                finite("damping", damping)?;
                not_negative("maximal force", max_force)
            }
            Some(Motor::Spring { rest, stiffness, damping }) => {
                finite("rest position", rest)?;
                not_negative("stiffness", stiffness)?;
                finite("stiffness", stiffness)?;
                not_negative("damping", damping)?;
                finite("damping", damping)
            }
        }
    }
}
