//! What a program changes about bodies between steps, besides their states: impulses, mass and kind, user data.

use super::{World, WorldError};
use crate::body::BodyKind;
use crate::handle::BodyHandle;
use glam::DVec3;

impl World {
    /// Changes the velocity of a dynamic body at once, by an impulse through its centre of mass (N s, world frame), and wakes it. Bodies
    /// that are not dynamic do not yield to it.
    ///
    /// # Errors
    /// [`WorldError::Stale`], [`WorldError::NotFinite`].
    pub fn apply_impulse(&mut self, handle: BodyHandle, impulse: DVec3) -> Result<(), WorldError> {
        self.strike(handle, impulse, DVec3::ZERO, "impulse", impulse)
    }

    /// Changes the velocities of a dynamic body at once, by an impulse (N s, world frame) at a point (m, world frame).
    ///
    /// # Errors
    /// [`WorldError::Stale`], [`WorldError::NotFinite`].
    pub fn apply_impulse_at(&mut self, handle: BodyHandle, impulse: DVec3, point: DVec3) -> Result<(), WorldError> {
        let arm = point - self.body(handle)?.position;
        if !point.is_finite() {
            return Err(WorldError::NotFinite { quantity: "point of the impulse", body: handle, value: point });
        }
        self.strike(handle, impulse, arm.cross(impulse), "impulse", impulse)
    }

    /// Changes the angular velocity of a dynamic body at once, by an angular impulse (N m s, world frame).
    ///
    /// # Errors
    /// [`WorldError::Stale`], [`WorldError::NotFinite`].
    pub fn apply_torque_impulse(&mut self, handle: BodyHandle, impulse: DVec3) -> Result<(), WorldError> {
        self.strike(handle, DVec3::ZERO, impulse, "torque impulse", impulse)
    }

    fn strike(
        &mut self,
        handle: BodyHandle,
        linear: DVec3,
        angular: DVec3,
        quantity: &'static str,
        value: DVec3,
    ) -> Result<(), WorldError> {
        let index = self.index(handle)?;
        let body = &self.bodies[index];
        if !body.is_dynamic() {
            return if value.is_finite() {
                Ok(())
            } else {
                Err(WorldError::NotFinite { quantity, body: handle, value })
            };
        }
        let velocity = body.velocity + linear * body.inverse_mass();
        let spin = body.angular_velocity + body.inverse_inertia_at(body.orientation) * angular;
        if !(velocity.length().is_finite() && spin.length().is_finite()) {
            return Err(WorldError::NotFinite { quantity, body: handle, value });
        }
        (self.bodies[index].velocity, self.bodies[index].angular_velocity) = (velocity, spin);
        self.soft.wake(index);
        Ok(())
    }

    /// Gives a body another kind, and wakes what touches it. A body that stops being dynamic keeps its mass for when it becomes dynamic
    /// again; one that never was is given a mass by [`World::set_mass`] first. A body that becomes fixed has no velocity, one that is no
    /// longer kinematic no prescribed motion.
    ///
    /// # Errors
    /// [`WorldError::Stale`], [`WorldError::NoMass`], [`WorldError::Unbounded`].
    pub fn set_kind(&mut self, handle: BodyHandle, kind: BodyKind) -> Result<(), WorldError> {
        let index = self.index(handle)?;
        let (body, entry) = (&self.bodies[index], &self.entries[index]);
        if body.kind() == kind {
            return Ok(());
        }
        let own = body.is_dynamic().then(|| (body.mass(), body.inertia())).or(entry.mass);
        if kind == BodyKind::Dynamic && !entry.shape.thickness().is_finite() {
            return Err(WorldError::Unbounded { kind: entry.shape.kind() });
        }
        if kind == BodyKind::Dynamic && own.is_none() {
            return Err(WorldError::NoMass(handle));
        }
        let (mass, inertia) = own.unwrap_or((f64::INFINITY, DVec3::INFINITY));
        let changed = body.with_kind(kind, mass, inertia);
        let changed = changed.map_err(|source| WorldError::Mass { body: handle, source })?;
        self.soft.wake(index);
        self.bodies[index] = changed;
        self.entries[index].mass = own.filter(|_| kind != BodyKind::Dynamic);
        if kind != BodyKind::Kinematic {
            self.entries[index].prescribed_motion = None;
        }
        self.soft.forget_pairs();
        Ok(())
    }

    /// Sets the mass (kg) and the principal moments of inertia (kg m²) of a body: at once of a dynamic one, for when it becomes dynamic of
    /// any other.
    ///
    /// # Errors
    /// [`WorldError::Stale`], [`WorldError::Mass`].
    pub fn set_mass(&mut self, handle: BodyHandle, mass: f64, inertia: DVec3) -> Result<(), WorldError> {
        let index = self.index(handle)?;
        let body = self.bodies[index].with_kind(BodyKind::Dynamic, mass, inertia);
        let body = body.map_err(|source| WorldError::Mass { body: handle, source })?;
        if self.bodies[index].is_dynamic() {
            self.soft.wake(index);
            self.bodies[index] = body;
        } else {
            self.entries[index].mass = Some((mass, inertia));
        }
        Ok(())
    }

    /// The user data of a body.
    ///
    /// # Errors
    /// [`WorldError::Stale`].
    pub fn user_data(&self, handle: BodyHandle) -> Result<u64, WorldError> {
        Ok(self.entries[self.index(handle)?].user_data)
    }

    /// Sets the user data of a body. Where a contact hook may ask for it, the body and what touches it wake.
    ///
    /// # Errors
    /// [`WorldError::Stale`].
    pub fn set_user_data(&mut self, handle: BodyHandle, data: u64) -> Result<(), WorldError> {
        let index = self.index(handle)?;
        if std::mem::replace(&mut self.entries[index].user_data, data) != data && self.has_contact_hook() {
            self.soft.wake(index);
        }
        Ok(())
    }

    /// Whether a body is a sensor.
    ///
    /// # Errors
    /// [`WorldError::Stale`].
    pub fn is_sensor(&self, handle: BodyHandle) -> Result<bool, WorldError> {
        Ok(self.entries[self.index(handle)?].is_sensor)
    }

    /// Makes a body a sensor, or no longer one.
    ///
    /// # Errors
    /// [`WorldError::Stale`].
    pub fn set_sensor(&mut self, handle: BodyHandle, is_sensor: bool) -> Result<(), WorldError> {
        let index = self.index(handle)?;
        self.soft.wake(index);
        self.entries[index].is_sensor = is_sensor;
        self.soft.forget_pairs();
        Ok(())
    }
}
