//! Where a shape is and how it moves.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A placement: `rotation`, then `translation`, take the body frame to the world frame (m).
pub use glamx::DPose3 as Pose;

/// A velocity of a rigid shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Twist {
    /// Velocity of the body frame's origin, world axes, m/s.
    pub linear: DVec3,
    /// Angular velocity, world axes, rad/s.
    pub angular: DVec3,
}
