//! Bodies come and go.

use std::sync::Arc;

use drystone_contact::Pose;
use drystone_contact::shape::Shape;
use drystone_engine::{Body, BodyError, BodyHandle, BodyKind, Groups, NewBody, Solid, SolidError};
use glam::DVec3;
use pyo3::prelude::*;

use super::{Held, PyWorld};
use crate::arrays::frozen;
use crate::failure::{Failure, Outcome};
use crate::shape::PyShape;

impl From<SolidError> for Failure {
    fn from(error: SolidError) -> Self {
        Self::World(error.to_string())
    }
}

impl From<BodyError> for Failure {
    fn from(error: BodyError) -> Self {
        Self::World(error.to_string())
    }
}

/// What bodies to be added have in common.
struct Common<'a> {
    shape: &'a Arc<Shape>,
    density: f64,
    kind: BodyKind,
    material: &'a str,
    groups: Groups,
    is_sensor: bool,
}

fn kind_of(fixed: bool, kinematic: bool) -> Outcome<BodyKind> {
    match (fixed, kinematic) {
        (false, false) => Ok(BodyKind::Dynamic),
        (true, false) => Ok(BodyKind::Fixed),
        (false, true) => Ok(BodyKind::Kinematic),
        (true, true) => Err(Failure::Value("fixed and kinematic are both true; a body is one of them at most".into())),
    }
}

/// Groups of an argument; all without one.
pub fn groups_of(groups: Option<(u32, u32)>) -> Groups {
    groups.map_or(Groups::ALL, |(member, with)| Groups { member, with })
}

impl Held {
    /// The shape in its body frame; made once for all bodies of it.
    fn solid(&mut self, shape: &Arc<Shape>, density: f64) -> Outcome<&Solid> {
        let is_it = |(known, of, _): &(Arc<Shape>, f64, Solid)| Arc::ptr_eq(known, shape) && *of == density;
        let place = match self.solids.iter().position(is_it) {
            Some(place) => place,
            None => {
                self.solids.push((Arc::clone(shape), density, Solid::new(shape, density)?));
                self.solids.len() - 1
            }
        };
        Ok(&self.solids[place].2)
    }

    /// A body to be added, and its frame.
    fn make(
        &mut self,
        common: &Common<'_>,
        pose: Pose,
        [velocity, angular_velocity]: [DVec3; 2],
    ) -> Outcome<(NewBody, Pose)> {
        let material = self.world.materials().id(common.material)?;
        let (mut new, frame) = match common.kind {
            BodyKind::Dynamic => {
                let solid = self.solid(common.shape, common.density)?;
                (solid.dynamic(material, pose)?, solid.frame)
            }
            kind => {
                let body = if kind == BodyKind::Fixed { Body::fixed(material) } else { Body::kinematic(material) };
                let body = body.at(pose.translation, pose.rotation)?;
                (NewBody::new(body, Arc::clone(common.shape)), Pose::IDENTITY)
            }
        };
        new.body = new.body.moving(velocity, angular_velocity)?;
        new.groups = common.groups;
        new.is_sensor = common.is_sensor;
        Ok((new, frame))
    }

    fn add(&mut self, (new, frame): (NewBody, Pose)) -> Outcome<u64> {
        let handle = self.world.add(new)?;
        if frame != Pose::IDENTITY {
            self.frames.insert(handle, frame);
        }
        Ok(handle.to_bits())
    }
}

#[pymethods]
impl PyWorld {
    /// Adds a body behind all others.
    ///
    /// Args:
    ///     shape: Its shape.
    ///     pose: Where the frame of the shape is, shape (4, 4).
    ///     density: kg/m³, of a body that moves under forces.
    ///     fixed: Whether it stays where it is. A half-space, a height field and an open mesh are only for bodies that no force moves.
    ///     kinematic: Whether it moves as it is told (:meth:`move_to`, :meth:`set_velocity`), whatever pushes it.
    ///     velocity: Velocity of the centre of mass (of the shape's origin, unless forces move it), world frame, m/s.
    ///     angular_velocity: World frame, rad/s.
    ///     material: The name of its material.
    ///     groups: The groups that it is in and those that it touches, one a bit each; two bodies touch if each is in a group that the other
    ///         touches. All by default.
    ///     sensor: Whether it touches nothing but has events of bodies that overlap it.
    ///
    /// Returns:
    ///     Its number.
    ///
    /// Raises:
    ///     WorldError: The shape has no mass, there is no such material, or a number is not finite.
    ///     GeneratorError: The method cannot serve the shape.
    #[pyo3(signature = (shape, pose, /, *, density = 1000.0, fixed = false, kinematic = false, velocity = None, angular_velocity = None, material = "default", groups = None, sensor = false))]
    #[allow(clippy::too_many_arguments)]
    fn add(
        &self,
        py: Python<'_>,
        shape: &Bound<'_, PyShape>,
        pose: &Bound<'_, PyAny>,
        density: f64,
        fixed: bool,
        kinematic: bool,
        velocity: Option<&Bound<'_, PyAny>>,
        angular_velocity: Option<&Bound<'_, PyAny>>,
        material: &str,
        groups: Option<(u32, u32)>,
        sensor: bool,
    ) -> Outcome<u64> {
        let shape = &shape.get().0;
        let kind = kind_of(fixed, kinematic)?;
        let common = Common { shape, density, kind, material, groups: groups_of(groups), is_sensor: sensor };
        let pose = crate::arrays::pose(pose, "pose")?;
        let velocity = velocity.map_or(Ok(DVec3::ZERO), |v| crate::arrays::velocity(v, "velocity"))?;
        let angular_velocity =
            angular_velocity.map_or(Ok(DVec3::ZERO), |v| crate::arrays::velocity(v, "angular_velocity"))?;
        self.with(py, |held| {
            let made = held.make(&common, pose, [velocity, angular_velocity])?;
            held.add(made)
        })
    }

    /// Adds bodies of one shape, at rest: as :meth:`add` one by one.
    ///
    /// Args:
    ///     poses: Where they are, shape (n, 4, 4).
    ///
    /// Returns:
    ///     Their numbers, shape (n,).
    #[pyo3(signature = (shape, poses, /, *, density = 1000.0, fixed = false, kinematic = false, material = "default", groups = None, sensor = false))]
    #[allow(clippy::too_many_arguments)]
    fn add_many<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyShape>,
        poses: &Bound<'py, PyAny>,
        density: f64,
        fixed: bool,
        kinematic: bool,
        material: &str,
        groups: Option<(u32, u32)>,
        sensor: bool,
    ) -> Outcome<Bound<'py, PyAny>> {
        let shape = &shape.get().0;
        let kind = kind_of(fixed, kinematic)?;
        let common = Common { shape, density, kind, material, groups: groups_of(groups), is_sensor: sensor };
        let poses = crate::arrays::poses(poses, "poses")?;
        let at_rest = [DVec3::ZERO; 2];
        // None is added if one cannot be.
        let added = self.with(py, |held| {
            let made = poses.iter().map(|&pose| held.make(&common, pose, at_rest)).collect::<Outcome<Vec<_>>>()?;
            made.into_iter().map(|one| held.add(one)).collect::<Outcome<Vec<u64>>>()
        })?;
        Ok(frozen(py, added).into_any())
    }

    /// Removes a body with its joints.
    ///
    /// Raises:
    ///     WorldError: There is no such body.
    #[pyo3(signature = (body, /))]
    fn remove(&self, py: Python<'_>, body: u64) -> Outcome<()> {
        let body = BodyHandle::from_bits(body);
        self.with(py, |held| {
            held.world.remove(body)?;
            held.frames.remove(&body);
            Ok(())
        })
    }

    /// The numbers of all bodies in the order in which they were added, shape (n,).
    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        let bodies = self.with(py, |held| Ok(held.world.handles().iter().map(|body| body.to_bits()).collect()))?;
        Ok(frozen::<u64>(py, bodies).into_any())
    }

    fn __len__(&self, py: Python<'_>) -> Outcome<usize> {
        self.with(py, |held| Ok(held.world.bodies().len()))
    }

    fn __contains__(&self, py: Python<'_>, body: u64) -> Outcome<bool> {
        self.with(py, |held| Ok(held.world.contains(BodyHandle::from_bits(body))))
    }

    /// The shape of a body, in its body frame: origin in the centre of mass, axes along the principal axes of inertia.
    ///
    /// Raises:
    ///     WorldError: There is no such body.
    #[pyo3(signature = (body, /))]
    fn shape(&self, py: Python<'_>, body: u64) -> Outcome<PyShape> {
        self.with(py, |held| Ok(PyShape(Arc::clone(held.world.shape(BodyHandle::from_bits(body))?))))
    }

    /// ``"dynamic"``, ``"fixed"`` or ``"kinematic"``.
    ///
    /// Raises:
    ///     WorldError: There is no such body.
    #[pyo3(signature = (body, /))]
    fn kind(&self, py: Python<'_>, body: u64) -> Outcome<&'static str> {
        self.with(py, |held| {
            Ok(match held.world.body(BodyHandle::from_bits(body))?.kind() {
                BodyKind::Dynamic => "dynamic",
                BodyKind::Fixed => "fixed",
                BodyKind::Kinematic => "kinematic",
            })
        })
    }

    /// The mass of a body, kg; infinite of one that no force moves.
    ///
    /// Raises:
    ///     WorldError: There is no such body.
    #[pyo3(signature = (body, /))]
    fn mass(&self, py: Python<'_>, body: u64) -> Outcome<f64> {
        self.with(py, |held| Ok(held.world.body(BodyHandle::from_bits(body))?.mass()))
    }

    /// Says whether two bodies never touch each other, whatever their groups.
    ///
    /// Raises:
    ///     WorldError: There is no such body, or both are the same.
    #[pyo3(signature = (a, b, excluded = true, /))]
    fn set_excluded(&self, py: Python<'_>, a: u64, b: u64, excluded: bool) -> Outcome<()> {
        let [a, b] = [a, b].map(BodyHandle::from_bits);
        self.with(py, |held| Ok(held.world.set_excluded(a, b, excluded)?))
    }

    /// Whether a body sleeps: it costs nothing until something disturbs it.
    ///
    /// Raises:
    ///     WorldError: There is no such body.
    #[pyo3(signature = (body, /))]
    fn is_asleep(&self, py: Python<'_>, body: u64) -> Outcome<bool> {
        self.with(py, |held| Ok(held.world.is_asleep(BodyHandle::from_bits(body))?))
    }

    /// Moves a kinematic body to a pose within the next step, with what it carries.
    ///
    /// Raises:
    ///     WorldError: There is no such body, or it is not kinematic.
    #[pyo3(signature = (body, pose, /))]
    fn move_to(&self, py: Python<'_>, body: u64, pose: &Bound<'_, PyAny>) -> Outcome<()> {
        let (body, pose) = (BodyHandle::from_bits(body), crate::arrays::pose(pose, "pose")?);
        self.with(py, |held| {
            let frame = held.frames.get(&body).copied().unwrap_or(Pose::IDENTITY);
            Ok(held.world.move_to(body, pose * frame)?)
        })
    }
}
