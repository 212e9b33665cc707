//! Where bodies are and how they move; forces and impulses on them.

use drystone_contact::Pose;
use drystone_engine::stepper::Energy;
use drystone_engine::{Body, BodyHandle};
use glam::{DQuat, DVec3};
use pyo3::prelude::*;

use super::{Held, PyWorld};
use crate::arrays::{matrices, shaped, vector};
use crate::failure::{Failure, Outcome};

/// A read-only array of three numbers a body.
fn of_bodies<'py>(
    world: &PyWorld,
    py: Python<'py>,
    of: impl Fn(&Held, BodyHandle, &Body) -> DVec3 + Send + Sync,
) -> Outcome<Bound<'py, PyAny>> {
    let numbers: Vec<f64> =
        world.with(py, |held| Ok(held.all().flat_map(|(handle, body)| of(held, handle, body).to_array()).collect()))?;
    let count = numbers.len() / 3;
    Ok(shaped(py, numbers, &[count, 3])?)
}

#[pymethods]
impl PyWorld {
    /// Where the frames of the shapes are, shape (n, 4, 4).
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        let numbers =
            self.with(py, |held| Ok(matrices(held.all().map(|(handle, body)| held.shape_pose(handle, body)))))?;
        let count = numbers.len() / 16;
        Ok(shaped(py, numbers, &[count, 4, 4])?)
    }

    /// Where the origins of the shapes are, m, shape (n, 3).
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        of_bodies(self, py, |held, handle, body| held.shape_pose(handle, body).translation)
    }

    /// How the frames of the shapes are turned, as unit quaternions, shape (n, 4).
    ///
    /// Args:
    ///     order: ``"xyzw"``, with the scalar last, or ``"wxyz"``, with the scalar first.
    ///
    /// Raises:
    ///     ValueError: There is no such order.
    #[pyo3(signature = (*, order))]
    fn quaternions<'py>(&self, py: Python<'py>, order: &str) -> Outcome<Bound<'py, PyAny>> {
        let in_order: fn(DQuat) -> [f64; 4] = match order {
            "xyzw" => |q| [q.x, q.y, q.z, q.w],
            "wxyz" => |q| [q.w, q.x, q.y, q.z],
            _ => return Err(Failure::Value(format!("order is '{order}'; it must be 'xyzw' or 'wxyz'"))),
        };
        let numbers: Vec<f64> = self.with(py, |held| {
            Ok(held.all().flat_map(|(handle, body)| in_order(held.shape_pose(handle, body).rotation)).collect())
        })?;
        let count = numbers.len() / 4;
        Ok(shaped(py, numbers, &[count, 4])?)
    }

    /// Where the centres of mass are, m, shape (n, 3). Of a body that no force moves: where the origin of its shape is.
    #[getter]
    fn centres<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        of_bodies(self, py, |_, _, body| body.position)
    }

    /// Velocities of the centres, world frame, m/s, shape (n, 3).
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        of_bodies(self, py, |_, _, body| body.velocity)
    }

    /// Angular velocities, world frame, rad/s, shape (n, 3).
    #[getter]
    fn angular_velocities<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        of_bodies(self, py, |_, _, body| body.angular_velocity)
    }

    /// The energy of all bodies that move, J: ``(kinetic, potential)``, the potential energy zero at the origin. It is infinite, or no number, where
    /// it is beyond the numbers that there are.
    #[getter]
    fn energy<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        let energy = self.with(py, |held| Ok(Energy::of(held.world.bodies(), &held.world.settings().step.forces)))?;
        Ok(py.import("drystone._world")?.getattr("Energy")?.call1((energy.kinetic, energy.potential))?)
    }

    /// Where the frame of a body's shape is, shape (4, 4).
    ///
    /// Raises:
    ///     WorldError: There is no such body.
    #[pyo3(signature = (body, /))]
    fn pose<'py>(&self, py: Python<'py>, body: u64) -> Outcome<Bound<'py, PyAny>> {
        let handle = BodyHandle::from_bits(body);
        let pose = self.with(py, |held| Ok(held.shape_pose(handle, held.world.body(handle)?)))?;
        Ok(shaped(py, matrices([pose].into_iter()), &[4, 4])?)
    }

    /// Puts a body somewhere at once, with the velocities that it has. A kinematic body is moved with what it carries by
    /// :meth:`move_to`.
    ///
    /// Raises:
    ///     WorldError: There is no such body.
    #[pyo3(signature = (body, pose, /))]
    fn set_pose(&self, py: Python<'_>, body: u64, pose: &Bound<'_, PyAny>) -> Outcome<()> {
        let (handle, pose) = (BodyHandle::from_bits(body), crate::arrays::pose(pose, "pose")?);
        self.with(py, |held| {
            let at = pose * held.frames.get(&handle).copied().unwrap_or(Pose::IDENTITY);
            let body = held.world.body_mut(handle)?;
            (body.position, body.orientation) = (at.translation, at.rotation.normalize());
            Ok(())
        })
    }

    /// Sets the velocities of a body.
    ///
    /// Args:
    ///     velocity: Of the centre, world frame, m/s; as it is if left out.
    ///     angular_velocity: World frame, rad/s; as it is if left out.
    ///
    /// Raises:
    ///     WorldError: There is no such body.
    #[pyo3(signature = (body, velocity = None, angular_velocity = None))]
    fn set_velocity(
        &self,
        py: Python<'_>,
        body: u64,
        velocity: Option<&Bound<'_, PyAny>>,
        angular_velocity: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<()> {
        let velocity = velocity.map(|v| crate::arrays::velocity(v, "velocity")).transpose()?;
        let angular_velocity = angular_velocity.map(|v| crate::arrays::velocity(v, "angular_velocity")).transpose()?;
        self.with(py, |held| {
            let body = held.world.body_mut(BodyHandle::from_bits(body))?;
            body.velocity = velocity.unwrap_or(body.velocity);
            body.angular_velocity = angular_velocity.unwrap_or(body.angular_velocity);
            Ok(())
        })
    }

    /// Adds to the force on a body in the next step.
    ///
    /// Args:
    ///     force: World frame, N.
    ///     point: Where it acts, world frame, m; at the centre of mass if left out.
    ///
    /// Raises:
    ///     WorldError: There is no such body.
    #[pyo3(signature = (body, force, point = None))]
    fn apply_force(
        &self,
        py: Python<'_>,
        body: u64,
        force: &Bound<'_, PyAny>,
        point: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<()> {
        let (body, force) = (BodyHandle::from_bits(body), vector(force, "force")?);
        let point = point.map(|point| vector(point, "point")).transpose()?;
        self.with(py, |held| match point {
            Some(point) => Ok(held.world.apply_force_at(body, force, point)?),
            None => Ok(held.world.apply_force(body, force)?),
        })
    }

    /// Adds to the torque on a body in the next step, world frame, N m.
    ///
    /// Raises:
    ///     WorldError: There is no such body.
    fn apply_torque(&self, py: Python<'_>, body: u64, torque: &Bound<'_, PyAny>) -> Outcome<()> {
        let (body, torque) = (BodyHandle::from_bits(body), vector(torque, "torque")?);
        self.with(py, |held| Ok(held.world.apply_torque(body, torque)?))
    }

    /// Changes the velocities of a body at once.
    ///
    /// Args:
    ///     impulse: World frame, N s.
    ///     point: Where it acts, world frame, m; at the centre of mass if left out.
    ///
    /// Raises:
    ///     WorldError: There is no such body.
    #[pyo3(signature = (body, impulse, point = None))]
    fn apply_impulse(
        &self,
        py: Python<'_>,
        body: u64,
        impulse: &Bound<'_, PyAny>,
        point: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<()> {
        let (body, impulse) = (BodyHandle::from_bits(body), vector(impulse, "impulse")?);
        let point = point.map(|point| vector(point, "point")).transpose()?;
        self.with(py, |held| match point {
            Some(point) => Ok(held.world.apply_impulse_at(body, impulse, point)?),
            None => Ok(held.world.apply_impulse(body, impulse)?),
        })
    }
}
