//! Where a shape is, and how it moves.

use glam::{DQuat, DVec3};
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

/// The pose after moving for `duration` seconds with constant velocities in world axes (m/s, rad/s): the centre of mass
/// goes straight, the orientation follows the exponential map of the rotation vector and is normalised again.
pub fn advance(pose: Pose, velocity: DVec3, angular_velocity: DVec3, duration: f64) -> Pose {
    let speed = angular_velocity.length();
    if speed == 0.0 {
        return Pose::from_parts(pose.translation + velocity * duration, pose.rotation);
    }
    let half_angle = 0.5 * duration * speed;
    let (sine, cosine) = libm::sincos(half_angle);
    let axis = angular_velocity * (sine / speed);
    let turn = DQuat::from_xyzw(axis.x, axis.y, axis.z, cosine);
    Pose::from_parts(pose.translation + velocity * duration, (turn * pose.rotation).normalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn advance_turns_by_the_rotation_vector(w in prop::array::uniform3(-9.0..9.0f64), duration in 1e-4..0.1f64) {
            let w = DVec3::from(w);
            let pose = advance(Pose::identity(), DVec3::X, w, duration);
            prop_assert!((pose.rotation.length() - 1.0).abs() < 1e-15);
            // Oracle: many small rotations of a vector by the matrix I + [w]× dt, second order in dt.
            let steps = 2000;
            let dt = duration / f64::from(steps);
            let mut v = DVec3::new(0.3, -0.4, 0.5);
            let turned = pose.rotation * v;
            for _ in 0..steps {
                let k = w.cross(v);
                v += dt * k + 0.5 * dt * dt * w.cross(k);
            }
            prop_assert!((turned - v).length() < 1e-7);
            prop_assert_eq!(pose.translation, DVec3::X * duration);
        }
    }
}
