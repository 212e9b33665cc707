//! The prescribed motion of a kinematic body: which velocities it has when.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A stretch of time with constant velocities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// How long it lasts, s; infinity for ever.
    pub duration: f64,
    /// Velocity of the centre of mass, world frame, m/s.
    pub velocity: DVec3,
    /// Angular velocity, world frame, rad/s.
    pub angular_velocity: DVec3,
}

/// What is wrong with a prescribed motion.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PrescribedMotionError {
    /// A phase that does not last.
    #[error("phase {phase} lasts {duration} s; give a time above zero")]
    Duration {
        /// The phase, from zero.
        phase: usize,
        /// What was given, s.
        duration: f64,
    },
    /// A velocity that is none.
    #[error("phase {phase} has a velocity that is not finite")]
    NotFinite {
        /// The phase, from zero.
        phase: usize,
    },
}

/// Phases one after the other from time zero; after the last the body rests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrescribedMotion {
    phases: Vec<Phase>,
}

impl PrescribedMotion {
    /// A prescribed motion of these phases.
    ///
    /// # Errors
    /// A duration that is not above zero, a velocity that is not finite.
    pub fn new(phases: Vec<Phase>) -> Result<Self, PrescribedMotionError> {
        for (number, phase) in phases.iter().enumerate() {
            if phase.duration.is_nan() || phase.duration <= 0.0 {
                return Err(PrescribedMotionError::Duration { phase: number, duration: phase.duration });
            }
            if !(phase.velocity.is_finite() && phase.angular_velocity.is_finite()) {
                return Err(PrescribedMotionError::NotFinite { phase: number });
            }
        }
        Ok(Self { phases })
    }

    /// The phases in their order.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// The mean velocities (linear m/s, angular rad/s) between two times `from` < `to`, s: a step with them goes as far
    /// as the prescribed motion does, however the phases lie in it.
    pub fn mean_velocities(&self, from: f64, to: f64) -> (DVec3, DVec3) {
        let mut mean = (DVec3::ZERO, DVec3::ZERO);
        let mut start = 0.0;
        for phase in &self.phases {
            let end = start + phase.duration;
            let share = (end.min(to) - f64::max(start, from)).max(0.0) / (to - from);
            mean.0 += phase.velocity * share;
            mean.1 += phase.angular_velocity * share;
            start = end;
        }
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(duration: f64, speed: f64) -> Phase {
        Phase { duration, velocity: DVec3::X * speed, angular_velocity: DVec3::Z * speed }
    }

    #[test]
    fn a_step_over_several_phases_goes_as_far_as_they_do() {
        let prescribed_motion =
            PrescribedMotion::new(vec![phase(0.5, 1.0), phase(0.25, 4.0), phase(f64::INFINITY, -2.0)]).unwrap();
        assert_eq!(prescribed_motion.mean_velocities(0.0, 0.5), (DVec3::X, DVec3::Z));
        assert_eq!(prescribed_motion.mean_velocities(0.0, 1.0).0, DVec3::X * (0.5 + 1.0 - 0.5));
        assert_eq!(prescribed_motion.mean_velocities(7.0, 9.0).0, DVec3::X * -2.0);
        assert_eq!(PrescribedMotion::new(vec![phase(1.0, 1.0)]).unwrap().mean_velocities(2.0, 3.0).0, DVec3::ZERO);
    }

    #[test]
    fn bad_phases_are_refused() {
        assert!(matches!(
            PrescribedMotion::new(vec![phase(0.0, 1.0)]),
            Err(PrescribedMotionError::Duration { phase: 0, .. })
        ));
        assert!(PrescribedMotion::new(vec![phase(f64::NAN, 1.0)]).is_err());
        assert!(matches!(
            PrescribedMotion::new(vec![phase(1.0, f64::NAN)]),
            Err(PrescribedMotionError::NotFinite { phase: 0 })
        ));
    }
}
