//! The forces on a body besides contact: gravity, a constant force and torque of its own, damping and the gyroscopic torque.
//!
//! A time step takes damping at the velocities that the forces lead to (backward Euler): M (v − v*) = −Δt d v with v*
//! the velocity after all other forces, so v = (1 + Δt d M⁻¹)⁻¹ v*. Each principal component of v is one of v* times a
//! share between 0 and 1, and the kinetic energy cannot grow, however light the body or long the step; the old velocity
//! in its place (forward Euler) turns a velocity round and lets it grow where Δt d > 2 m. A constant force f leads to
//! the velocity f/d exactly, to which the factor exp(−Δt d/m) of the exact decay would not.

use crate::body::Body;
use crate::matrix::turned;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Gravity and linear damping for all bodies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExternalForces {
    /// Acceleration of free fall, world frame, m/s².
    pub gravity: DVec3,
    /// Force against the velocity for each m/s of it, N s/m.
    pub linear_damping: f64,
    /// Torque against the angular velocity for each rad/s of it, N m s.
    pub angular_damping: f64,
}

impl Default for ExternalForces {
    /// The values of the assessment suite: 9.82 m/s² along −y, both dampings 0.01.
    fn default() -> Self {
        Self { gravity: DVec3::new(0.0, -9.82, 0.0), linear_damping: 0.01, angular_damping: 0.01 }
    }
}

impl ExternalForces {
    /// No force at all: free flight.
    pub const NONE: Self = Self { gravity: DVec3::ZERO, linear_damping: 0.0, angular_damping: 0.0 };

    /// Force (N) and torque about the centre of mass (N m) on a body, world frame, with the inertia of the given
    /// orientation. The torque includes the gyroscopic term −ω × Iω. Zero unless the body is dynamic.
    pub fn on(&self, body: &Body, orientation: DQuat) -> (DVec3, DVec3) {
        if !body.is_dynamic() {
            return (DVec3::ZERO, DVec3::ZERO);
        }
        let gyroscopic = body.angular_velocity.cross(body.angular_momentum_at(orientation, body.angular_velocity));
        let [linear, angular] = body.damping();
        let own = body.angular_momentum_at(orientation, body.angular_velocity) * angular;
        let damping = body.angular_velocity * self.angular_damping + own;
        let force = self.constant(body) - body.velocity * (self.linear_damping + linear * body.mass());
        (force, body.constant_force()[1] - damping - gyroscopic)
    }

    /// The force of gravity and the body's constant one, N, world frame. Zero unless the body is dynamic.
    pub(crate) fn constant(&self, body: &Body) -> DVec3 {
        if !body.is_dynamic() {
            return DVec3::ZERO;
        }
        self.gravity * body.mass() * body.gravity_scale() + body.constant_force()[0]
    }

    /// What damping takes in a step of `time_step` (s) from the velocity (m/s) and the angular velocity (rad/s, world
    /// frame) to which all other forces lead, with the inertia of the given orientation: backward Euler.
    pub(crate) fn damped(
        &self,
        body: &Body,
        orientation: DQuat,
        (velocity, angular_velocity): (DVec3, DVec3),
        time_step: f64,
    ) -> (DVec3, DVec3) {
        let [linear, angular] = body.damping();
        let is_any = [self.linear_damping, self.angular_damping, linear, angular].iter().any(|&damping| damping != 0.0);
        if !body.is_dynamic() || !is_any {
            return (DVec3::ZERO, DVec3::ZERO);
        }
        let share = |damping: f64, mass: f64| time_step * damping / (mass + time_step * damping);
        let of_moment = |moment: f64| share(self.angular_damping + angular * moment, moment);
        let moments = DVec3::from_array(body.inertia().to_array().map(of_moment));
        (
            velocity * share(self.linear_damping + linear * body.mass(), body.mass()),
            turned(moments, orientation) * angular_velocity,
        )
    }

    /// Energy of the body in the fields of gravity and of its constant force, J, zero at the origin. Zero unless the body is dynamic. A torque
    /// has no potential.
    pub fn potential_energy(&self, body: &Body) -> f64 {
        if !body.is_dynamic() {
            return 0.0;
        }
        let [force, _] = body.constant_force();
        -body.mass() * self.gravity.dot(body.position) * body.gravity_scale() - force.dot(body.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::MaterialId;

    #[test]
    fn a_falling_spinning_body() {
        let body = Body::dynamic(2.0, DVec3::new(1.0, 2.0, 3.0), MaterialId::new(0))
            .unwrap()
            .moving(DVec3::new(1.0, 0.0, 0.0), DVec3::new(1.0, 1.0, 0.0))
            .unwrap();
        let (force, torque) = ExternalForces::default().on(&body, DQuat::IDENTITY);
        assert!((force - DVec3::new(-0.01, -19.64, 0.0)).length() < 1e-12);
        // ω × Iω = (1,1,0) × (1,2,0) = (0,0,1).
        assert!((torque - DVec3::new(-0.01, -0.01, -1.0)).length() < 1e-12);
        assert_eq!(ExternalForces::default().on(&Body::fixed(MaterialId::new(0)), DQuat::IDENTITY).0, DVec3::ZERO);
    }
}
