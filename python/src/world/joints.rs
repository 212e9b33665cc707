//! Joints: what a world is told of one, and what it says of it.

use std::sync::Arc;

use drystone_engine::joint::{Axis, Motion, Motor};
use drystone_engine::{BodyHandle, JointHandle, NewJoint, World, WorldError};
use glam::DVec3;
use pyo3::prelude::*;

use super::PyWorld;
use crate::arrays::{frozen, shaped, vector};
use crate::failure::{Failure, Outcome};

/// What drives a coordinate of a joint. Forces are in N for displacements, torques in N m for angles.
#[pyclass(name = "Motor", module = "drystone", frozen)]
pub struct PyMotor(Motor);

#[pymethods]
impl PyMotor {
    /// Keeps a velocity (m/s or rad/s) with a force of at most ``max_force``.
    #[staticmethod]
    #[pyo3(signature = (target, *, max_force = f64::INFINITY))]
    fn velocity(target: f64, max_force: f64) -> Self {
        Self(Motor::Velocity { target, max_force })
    }

    /// Drives to a position (m or rad) by a spring and a damper, stable for any stiffness and damping.
    #[staticmethod]
    #[pyo3(signature = (target, *, stiffness, damping, max_force = f64::INFINITY))]
    fn position(target: f64, stiffness: f64, damping: f64, max_force: f64) -> Self {
        Self(Motor::Position { target, stiffness, damping, max_force })
    }

    /// A spring with a damper that is at rest at ``rest`` (m or rad).
    #[staticmethod]
    #[pyo3(signature = (rest, *, stiffness, damping = 0.0))]
    fn spring(rest: f64, stiffness: f64, damping: f64) -> Self {
        Self(Motor::Spring { rest, stiffness, damping })
    }

    fn __repr__(&self) -> String {
        match self.0 {
            Motor::Velocity { target, max_force } => format!("Motor.velocity({target}, max_force={max_force})"),
            Motor::Position { target, stiffness, damping, max_force } => {
                format!("Motor.position({target}, stiffness={stiffness}, damping={damping}, max_force={max_force})")
            }
            Motor::Spring { rest, stiffness, damping } => {
                format!("Motor.spring({rest}, stiffness={stiffness}, damping={damping})")
            }
        }
    }
}

/// Makes the joint once the world is known.
type Make = Arc<dyn Fn(&World) -> Result<NewJoint, WorldError> + Send + Sync>;

/// A joint to be added by :meth:`World.add_joint`: a constraint between two bodies, or a body and the world.
///
/// Each function makes one kind. ``a`` is a body, or ``None`` for the world; ``b`` is a body, on which motors and limits act. Points and axes are
/// those of the world at the time when the joint is added, except for :meth:`distance`, :meth:`rope` and :meth:`spring`.
///
/// >>> import drystone as ds
/// >>> world = ds.World()
/// >>> wheel = world.add(ds.Shape.cylinder(0.5, 0.1), ds.pose((0, 3, 0)))
/// >>> hinge = world.add_joint(ds.Joint.hinge(None, wheel, point=(0, 3, 0), axis=(0, 1, 0)).with_motor(ds.Motor.velocity(2.0)))
/// >>> report = world.step(100)
/// >>> round(float(world.joint(hinge).coordinates[3]), 2)
/// 2.0
#[pyclass(name = "Joint", module = "drystone", frozen)]
pub struct PyJoint(Make);

fn ends(a: Option<u64>, b: u64) -> (Option<BodyHandle>, BodyHandle) {
    (a.map(BodyHandle::from_bits), BodyHandle::from_bits(b))
}

fn axis_of(argument: &Bound<'_, PyAny>, name: &str) -> Outcome<DVec3> {
    match vector(argument, name)? {
        DVec3::ZERO => Err(Failure::Value(format!("{name} is zero; it must have a direction"))),
        axis => Ok(axis),
    }
}

impl PyJoint {
    fn of(make: impl Fn(&World) -> Result<NewJoint, WorldError> + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    fn with(&self, change: impl Fn(NewJoint) -> NewJoint + Send + Sync + 'static) -> Self {
        let make = Arc::clone(&self.0);
        Self::of(move |world| make(world).map(&change))
    }
}

#[pymethods]
impl PyJoint {
    /// B does not move against A.
    #[staticmethod]
    fn fixed(a: Option<u64>, b: u64) -> Self {
        let (a, b) = ends(a, b);
        Self::of(move |world| NewJoint::fixed(a, b, world))
    }

    /// B turns about an axis of A through a point. The angle is coordinate 3.
    #[staticmethod]
    #[pyo3(signature = (a, b, *, point, axis))]
    fn hinge(a: Option<u64>, b: u64, point: &Bound<'_, PyAny>, axis: &Bound<'_, PyAny>) -> Outcome<Self> {
        let ((a, b), point, axis) = (ends(a, b), vector(point, "point")?, axis_of(axis, "axis")?);
        Ok(Self::of(move |world| NewJoint::hinge(a, b, point, axis, world)))
    }

    /// B slides along an axis of A. The displacement is coordinate 0.
    #[staticmethod]
    #[pyo3(signature = (a, b, *, axis))]
    fn slider(a: Option<u64>, b: u64, axis: &Bound<'_, PyAny>) -> Outcome<Self> {
        let ((a, b), axis) = (ends(a, b), axis_of(axis, "axis")?);
        Ok(Self::of(move |world| NewJoint::slider(a, b, axis, world)))
    }

    /// B turns about a point of A.
    #[staticmethod]
    #[pyo3(signature = (a, b, *, point))]
    fn ball(a: Option<u64>, b: u64, point: &Bound<'_, PyAny>) -> Outcome<Self> {
        let ((a, b), point) = (ends(a, b), vector(point, "point")?);
        Ok(Self::of(move |world| NewJoint::ball(a, b, point, world)))
    }

    /// B turns about a point of A by two axes at right angles: the first one is fixed to A, the second one to B.
    #[staticmethod]
    #[pyo3(signature = (a, b, *, point, axis_a, axis_b))]
    fn universal(
        a: Option<u64>,
        b: u64,
        point: &Bound<'_, PyAny>,
        axis_a: &Bound<'_, PyAny>,
        axis_b: &Bound<'_, PyAny>,
    ) -> Outcome<Self> {
        let ((a, b), point) = (ends(a, b), vector(point, "point")?);
        let axes = [axis_of(axis_a, "axis_a")?, axis_of(axis_b, "axis_b")?];
        Ok(Self::of(move |world| NewJoint::universal(a, b, point, axes, world)))
    }

    /// B turns about a point of A: its axis by at most ``swing`` (rad) against A's, and about it by a twist within limits (rad).
    #[staticmethod]
    #[pyo3(signature = (a, b, *, point, axis, swing, twist))]
    fn cone_twist(
        a: Option<u64>,
        b: u64,
        point: &Bound<'_, PyAny>,
        axis: &Bound<'_, PyAny>,
        swing: f64,
        twist: (f64, f64),
    ) -> Outcome<Self> {
        let ((a, b), at) = (ends(a, b), (vector(point, "point")?, axis_of(axis, "axis")?));
        Ok(Self::of(move |world| NewJoint::cone_twist(a, b, at, (swing, twist.into()), world)))
    }

    /// Six coordinates, displacements along and angles about the axes of a frame of the world, each within its limits.
    ///
    /// Args:
    ///     frame: The frame on both bodies, shape (4, 4).
    ///     limits: Six pairs of a least and a largest value (m, rad); ``None`` in place of a pair leaves the coordinate free, and
    ///         (0, 0) locks it.
    #[staticmethod]
    #[pyo3(signature = (a, b, *, frame, limits))]
    fn six_dof(a: Option<u64>, b: u64, frame: &Bound<'_, PyAny>, limits: [Option<(f64, f64)>; 6]) -> Outcome<Self> {
        let ((a, b), frame) = (ends(a, b), crate::arrays::pose(frame, "frame")?);
        let axes = limits.map(|limits| match limits {
            None => Axis::FREE,
            Some((0.0, 0.0)) => Axis::LOCKED,
            Some((lower, upper)) => Axis::limited(lower, upper),
        });
        Ok(Self::of(move |world| NewJoint::six_dof(a, b, frame, axes, world)))
    }

    /// Keeps the distance of two points within limits, m. The same limits twice make a rod. Points are in body frames (origin in the
    /// centre of mass, axes along the principal axes of inertia), in the world frame for the world.
    #[staticmethod]
    #[pyo3(signature = (a, b, *, point_a, point_b, limits))]
    fn distance(
        a: Option<u64>,
        b: u64,
        point_a: &Bound<'_, PyAny>,
        point_b: &Bound<'_, PyAny>,
        limits: (f64, f64),
    ) -> Outcome<Self> {
        let ((a, b), points) = (ends(a, b), [vector(point_a, "point_a")?, vector(point_b, "point_b")?]);
        Ok(Self::of(move |_| Ok(NewJoint::distance(a, b, points, limits.into()))))
    }

    /// A rope of a length (m) between two points, as of :meth:`distance`.
    #[staticmethod]
    #[pyo3(signature = (a, b, *, point_a, point_b, length))]
    fn rope(
        a: Option<u64>,
        b: u64,
        point_a: &Bound<'_, PyAny>,
        point_b: &Bound<'_, PyAny>,
        length: f64,
    ) -> Outcome<Self> {
        let ((a, b), points) = (ends(a, b), [vector(point_a, "point_a")?, vector(point_b, "point_b")?]);
        Ok(Self::of(move |_| Ok(NewJoint::rope(a, b, points, length))))
    }

    /// A spring between two points, as of :meth:`distance`, with a length at rest (m), a stiffness (N/m) and a damping (N s/m).
    #[staticmethod]
    #[pyo3(signature = (a, b, *, point_a, point_b, rest, stiffness, damping = 0.0))]
    fn spring(
        a: Option<u64>,
        b: u64,
        point_a: &Bound<'_, PyAny>,
        point_b: &Bound<'_, PyAny>,
        rest: f64,
        stiffness: f64,
        damping: f64,
    ) -> Outcome<Self> {
        let ((a, b), points) = (ends(a, b), [vector(point_a, "point_a")?, vector(point_b, "point_b")?]);
        Ok(Self::of(move |_| Ok(NewJoint::spring(a, b, points, [rest, stiffness, damping]))))
    }

    /// Couples the angles of two hinges that are there: the second one turns by ``ratio`` times the first one.
    #[staticmethod]
    fn gear(first: u64, second: u64, ratio: f64) -> Self {
        let [first, second] = [first, second].map(JointHandle::from_bits);
        Self::of(move |_| Ok(NewJoint::gear(first, second, ratio)))
    }

    /// Couples the angle of a hinge and the displacement of a slider that are there, by ``ratio`` m per rad.
    #[staticmethod]
    fn rack(hinge: u64, slider: u64, ratio: f64) -> Self {
        let [hinge, slider] = [hinge, slider].map(JointHandle::from_bits);
        Self::of(move |_| Ok(NewJoint::rack(hinge, slider, ratio)))
    }

    /// The same joint with a motor on its first coordinate that is not locked.
    fn with_motor(&self, motor: &Bound<'_, PyMotor>) -> Self {
        let motor = motor.get().0;
        self.with(move |joint| joint.with_motor(motor))
    }

    /// The same joint with limits (m or rad) of its first coordinate that is not locked.
    fn with_limits(&self, lower: f64, upper: f64) -> Self {
        self.with(move |joint| joint.with_limits(lower, upper))
    }

    /// The same joint with dry friction (N or N m) of all coordinates that are not locked.
    fn with_friction(&self, friction: f64) -> Self {
        self.with(move |joint| joint.with_friction(friction))
    }

    /// The same joint with a force (N) and a torque (N m) from which on it breaks; ``None`` for never.
    #[pyo3(signature = (*, force = None, torque = None))]
    fn with_breaking(&self, force: Option<f64>, torque: Option<f64>) -> Self {
        self.with(move |joint| joint.with_breaking(force, torque))
    }

    /// The same joint with bodies that collide with each other, or do not.
    fn with_collision(&self, collides: bool) -> Self {
        self.with(move |joint| joint.with_collision(collides))
    }
}

/// A joint of a world, as the last step left it.
#[pyclass(name = "JointState", module = "drystone", frozen, get_all)]
pub struct PyJointState {
    /// ``"hinge"``, ``"slider"``, ...
    kind: &'static str,
    /// A; ``None`` for the world.
    a: Option<u64>,
    /// B; ``None`` of a gear or rack.
    b: Option<u64>,
    /// Displacements along x, y and z of the frame on A, and angles, m and rad, shape (6,). Angles are counted on over full turns.
    coordinates: Py<PyAny>,
    /// The mean force on B in the step, world frame, N, shape (3,).
    force: Py<PyAny>,
    /// The mean torque on B about the frame on it, world frame, N m, shape (3,).
    torque: Py<PyAny>,
}

#[pymethods]
impl PyJointState {
    fn __repr__(&self) -> String {
        format!("<drystone.JointState {}, a={:?}, b={:?}, coordinates={}>", self.kind, self.a, self.b, self.coordinates)
    }
}

#[pymethods]
impl PyWorld {
    /// Adds a joint. Its bodies do not collide with each other from now on, unless it says so. Joints need the solver ``"soft"``,
    /// ``"soft-accurate"``, ``"global"`` or ``"prox-gauss-seidel"``, without ``ccd``.
    ///
    /// Returns:
    ///     Its number.
    ///
    /// Raises:
    ///     WorldError: There is no such body, none of both moves under forces, or a number is out of range.
    #[pyo3(signature = (joint, /))]
    fn add_joint(&self, py: Python<'_>, joint: &Bound<'_, PyJoint>) -> Outcome<u64> {
        let make = &joint.get().0;
        self.with(py, |held| {
            let joint = make(&held.world)?;
            Ok(held.world.add_joint(joint)?.to_bits())
        })
    }

    /// Removes a joint, with the gears and racks that couple it.
    ///
    /// Raises:
    ///     WorldError: There is no such joint.
    #[pyo3(signature = (joint, /))]
    fn remove_joint(&self, py: Python<'_>, joint: u64) -> Outcome<()> {
        self.with(py, |held| {
            held.world.remove_joint(JointHandle::from_bits(joint))?;
            Ok(())
        })
    }

    /// The numbers of all joints in the order in which they were added, shape (n,).
    #[getter]
    fn joints<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        let joints = self.with(py, |held| Ok(held.world.joints().map(|(joint, _)| joint.to_bits()).collect()))?;
        Ok(frozen::<u64>(py, joints).into_any())
    }

    /// What is known of a joint.
    ///
    /// Raises:
    ///     WorldError: There is no such joint.
    #[pyo3(signature = (joint, /))]
    fn joint(&self, py: Python<'_>, joint: u64) -> Outcome<PyJointState> {
        let (kind, [a, b], coordinates, [force, torque]) = self.with(py, |held| {
            let joint = held.world.joint(JointHandle::from_bits(joint))?;
            Ok((joint.kind(), joint.bodies(), joint.coordinates(), joint.reaction()))
        })?;
        let array = |numbers: &[f64]| shaped(py, numbers.to_vec(), &[numbers.len()]).map(Bound::unbind);
        Ok(PyJointState {
            kind: kind.name(),
            a: a.map(BodyHandle::to_bits),
            b: b.map(BodyHandle::to_bits),
            coordinates: array(&coordinates)?,
            force: array(&force.to_array())?,
            torque: array(&torque.to_array())?,
        })
    }

    /// Gives the first coordinate of a joint that is not locked a motor, or takes it away.
    ///
    /// Raises:
    ///     WorldError: There is no such joint, or a number is out of range.
    #[pyo3(signature = (joint, motor, /))]
    fn set_motor(&self, py: Python<'_>, joint: u64, motor: Option<&Bound<'_, PyMotor>>) -> Outcome<()> {
        let motor = motor.map(|motor| motor.get().0);
        self.with(py, |held| {
            let handle = JointHandle::from_bits(joint);
            let mut joint = held.world.joint(handle)?.clone();
            joint.set_motor(motor).map_err(|error| Failure::World(error.to_string()))?;
            *held.world.joint_mut(handle)? = joint;
            Ok(())
        })
    }

    /// Sets the limits (m or rad) of the first coordinate of a joint that is not locked.
    ///
    /// Raises:
    ///     WorldError: There is no such joint, or the limits are in the wrong order.
    #[pyo3(signature = (joint, lower, upper, /))]
    fn set_limits(&self, py: Python<'_>, joint: u64, lower: f64, upper: f64) -> Outcome<()> {
        if lower.is_nan() || upper.is_nan() || lower > upper {
            return Err(Failure::World(format!("the limits are {lower} and {upper}; the first must be the lower one")));
        }
        self.with(py, |held| {
            let joint = held.world.joint_mut(JointHandle::from_bits(joint))?;
            let axis = joint.main_axis();
            joint.axes[axis].motion = Motion::Limited { lower, upper };
            Ok(())
        })
    }

    /// Locks axes of the world along which, and about which, a body does not move from now on, in place of those that were locked.
    ///
    /// Args:
    ///     linear: Whether it does not move along x, y, z.
    ///     angular: Whether it does not turn about x, y, z.
    ///
    /// Raises:
    ///     WorldError: There is no such body, or no force moves it.
    #[pyo3(signature = (body, *, linear = [false; 3], angular = [false; 3]))]
    fn lock_axes(&self, py: Python<'_>, body: u64, linear: [bool; 3], angular: [bool; 3]) -> Outcome<()> {
        let body = BodyHandle::from_bits(body);
        self.with(py, |held| Ok(held.world.lock_axes(body, linear, angular)?))
    }
}
