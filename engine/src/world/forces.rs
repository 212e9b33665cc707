//! Forces on bodies in the next step.

use super::{World, WorldError};
use crate::handle::BodyHandle;
use glam::DVec3;

impl World {
    /// Adds a force (N, world frame) through the centre of mass for the next step.
    ///
    /// # Errors
    /// [`WorldError::Stale`], [`WorldError::NotFinite`].
    pub fn apply_force(&mut self, handle: BodyHandle, force: DVec3) -> Result<(), WorldError> {
        self.push(handle, force, DVec3::ZERO, "force", force)
    }

    /// Adds a force (N, world frame) at a point (m, world frame, where the body is now) for the next step.
    ///
    /// # Errors
    /// [`WorldError::Stale`], [`WorldError::NotFinite`].
    pub fn apply_force_at(&mut self, handle: BodyHandle, force: DVec3, point: DVec3) -> Result<(), WorldError> {
        let arm = point - self.body(handle)?.position;
        if !point.is_finite() {
            return Err(WorldError::NotFinite { quantity: "point of the force", body: handle, value: point });
        }
        self.push(handle, force, arm.cross(force), "force", force)
    }

    /// Adds a torque (N m, world frame) for the next step.
    ///
    /// # Errors
    /// [`WorldError::Stale`], [`WorldError::NotFinite`].
    pub fn apply_torque(&mut self, handle: BodyHandle, torque: DVec3) -> Result<(), WorldError> {
        self.push(handle, DVec3::ZERO, torque, "torque", torque)
    }

    fn push(
        &mut self,
        body: BodyHandle,
        force: DVec3,
        torque: DVec3,
        quantity: &'static str,
        value: DVec3,
    ) -> Result<(), WorldError> {
        let index = self.index(body)?;
        let external_wrench = &mut self.entries[index].external_wrench;
        let (force, torque) = (external_wrench.force + force, external_wrench.torque + torque);
        if !(force.is_finite() && torque.is_finite()) {
            return Err(WorldError::NotFinite { quantity, body, value });
        }
        (external_wrench.force, external_wrench.torque) = (force, torque);
        self.soft.note_change();
        Ok(())
    }
}
