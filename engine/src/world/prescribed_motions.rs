//! How kinematic bodies move.

use super::{World, WorldError};
use crate::body::{BodyKind, Pose};
use crate::handle::BodyHandle;
use crate::motion::velocities_between;
use crate::prescribed_motion::{Phase, PrescribedMotion};

/// A prescribed motion and when it began.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RunningMotion {
    pub prescribed_motion: PrescribedMotion,
    /// The time of the world at the prescribed motion's time zero, s.
    pub start: f64,
}

impl World {
    /// Gives a kinematic body a prescribed motion that begins now, or takes it away; without one the body keeps its
    /// velocities.
    ///
    /// # Errors
    /// [`WorldError::Stale`], [`WorldError::ScriptOfYielding`].
    pub fn set_prescribed_motion(
        &mut self,
        handle: BodyHandle,
        prescribed_motion: Option<PrescribedMotion>,
    ) -> Result<(), WorldError> {
        let index = self.index(handle)?;
        if prescribed_motion.is_some() && self.bodies[index].kind() != BodyKind::Kinematic {
            return Err(WorldError::PrescribedMotionOfYielding(handle));
        }
        self.soft.wake(index);
        self.entries[index].prescribed_motion =
            prescribed_motion.map(|prescribed_motion| RunningMotion { prescribed_motion, start: self.time });
        Ok(())
    }

    /// Moves a kinematic body to a pose of its body frame (world frame, m) in the next step, with what it carries: for
    /// that step it has the constant velocities that lead there exactly, straight and by at most half a turn about one
    /// axis. Then it rests until it is told again. A step that continuous collision detection ends early is made up for
    /// in the next one.
    ///
    /// This is a prescribed motion that lasts for one time step from now, in place of the one that the body has had.
    ///
    /// # Errors
    /// [`WorldError::Stale`], [`WorldError::MoveTo`] for a body that is not kinematic, [`WorldError::Target`] for a pose
    /// that is not finite or no rotation, [`WorldError::TimeStep`].
    pub fn move_to(&mut self, handle: BodyHandle, pose: Pose) -> Result<(), WorldError> {
        let index = self.index(handle)?;
        let time_step = self.settings.step.time_step;
        let body = &self.bodies[index];
        if body.kind() != BodyKind::Kinematic {
            return Err(WorldError::MoveTo(handle));
        }
        if !(time_step.is_finite() && time_step > 0.0) {
            return Err(WorldError::TimeStep(time_step));
        }
        let refused = |source| WorldError::Target { body: handle, source };
        let target = body.clone().at(pose.translation, pose.rotation).map_err(refused)?;
        let from = body.clone().at(body.position, body.orientation).map_err(refused)?;
        // The motion ends no later than the step in the time of the world, which is rounded.
        let rounded = (self.time + time_step) - self.time;
        let duration = if rounded > 0.0 { rounded.min(time_step) } else { time_step };
        let (velocity, angular_velocity) = velocities_between(&from.pose(), &target.pose(), duration);
        let motion = PrescribedMotion::new(vec![Phase { duration, velocity, angular_velocity }]);
        self.set_prescribed_motion(handle, Some(motion.map_err(|source| WorldError::TooFar { body: handle, source })?))
    }

    /// The prescribed motion of a body.
    ///
    /// # Errors
    /// [`WorldError::Stale`].
    pub fn prescribed_motion(&self, handle: BodyHandle) -> Result<Option<&PrescribedMotion>, WorldError> {
        Ok(self.entries[self.index(handle)?].prescribed_motion.as_ref().map(|running| &running.prescribed_motion))
    }
}
