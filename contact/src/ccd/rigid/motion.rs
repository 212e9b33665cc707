//! A pose that changes with constant velocities for some time, so that points run on helices.

use crate::Pose;
use crate::pose::advance;
use glam::DVec3;

/// A pose that changes with constant velocities for some time.
#[derive(Clone, Copy, Debug)]
pub struct NonlinearRigidMotion {
    /// The pose at the start.
    pub pose: Pose,
    /// World axes, m/s.
    pub velocity: DVec3,
    /// World axes, rad/s.
    pub angular_velocity: DVec3,
    /// How long, s.
    pub duration: f64,
}

impl NonlinearRigidMotion {
    /// A pose that does not change.
    pub fn still(pose: Pose) -> Self {
        Self { pose, velocity: DVec3::ZERO, angular_velocity: DVec3::ZERO, duration: 0.0 }
    }

    /// The pose after the fraction `s` of the time.
    pub fn at(&self, s: f64) -> Pose {
        if s == 0.0 || self.is_still() {
            return self.pose;
        }
        advance(self.pose, self.velocity, self.angular_velocity, s * self.duration)
    }

    /// Whether the pose stays as it is, to the last bit.
    pub fn is_still(&self) -> bool {
        self.duration == 0.0 || (self.velocity == DVec3::ZERO && self.angular_velocity == DVec3::ZERO)
    }

    /// The angle of the whole motion, rad.
    pub fn angle(&self) -> f64 {
        self.angular_velocity.length() * self.duration
    }
}
