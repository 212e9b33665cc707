//! Joints to be added to a world.

use super::{AXES, Axis, Coupling, Joint, JointHandle, JointKind, Motor, frame_across, frame_along};
use crate::body::{Body, Pose};
use crate::handle::BodyHandle;
use glam::DVec3;

/// A joint to be added to a world by [`World::add_joint`](crate::World::add_joint).
///
/// ```
/// use drystone_engine::{NewJoint, Pose, Solid, World};
/// use drystone_engine::joint::Motor;
/// use glam::DVec3;
///
/// let mut world = World::default();
/// let stone = world.materials_mut().add("stone")?;
/// let wheel = Solid::cuboid(DVec3::ONE, 100.0)?;
/// let wheel = world.add(wheel.dynamic(stone, Pose::from_translation(DVec3::Y * 3.0))?)?;
/// // A hinge to the world, through the middle of the wheel and along z, with a motor.
/// let motor = Motor::Velocity { target: 2.0, max_force: 1e4 };
/// let hinge = NewJoint::hinge(None, wheel, DVec3::Y * 3.0, DVec3::Z, &world)?.with_motor(motor);
/// let hinge = world.add_joint(hinge)?;
/// for _ in 0..100 {
///     world.step()?;
/// }
/// let angle = world.joint(hinge)?.coordinates()[3];
/// assert!((angle - 2.0 * world.time()).abs() < 1e-2, "{angle}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NewJoint {
    pub(crate) joint: Joint,
}

impl NewJoint {
    /// A joint of a kind between A (the world if none) and B, with frames in their body frames (in the world frame for the world).
    pub fn new(kind: JointKind, a: Option<BodyHandle>, b: BodyHandle, frames: [Pose; 2], axes: [Axis; AXES]) -> Self {
        let joint = Joint {
            kind,
            bodies: [a, Some(b)],
            frames,
            coupling: None,
            axes,
            breaking: [None; 2],
            collides: false,
            coordinates: [0.0; AXES],
            impulses: [[0.0; AXES]; 2],
            reaction: [DVec3::ZERO; 2],
        };
        Self { joint }
    }

    /// A joint whose frames on both bodies are the same one of the world, where the bodies are now.
    fn at(
        kind: JointKind,
        (a, b): (Option<BodyHandle>, BodyHandle),
        frame: Pose,
        axes: [Axis; AXES],
        world: &crate::World,
    ) -> Result<Self, crate::WorldError> {
        let on = |body: Option<BodyHandle>| -> Result<Pose, crate::WorldError> {
            body.map_or(Ok(frame), |body| Ok(within(world.body(body)?, &frame)))
        };
        Ok(Self::new(kind, a, b, [on(a)?, on(Some(b))?], axes))
    }

    /// B does not move against A (or the world) from where they are.
    ///
    /// # Errors
    /// [`WorldError::Stale`](crate::WorldError::Stale), as those that follow.
    pub fn fixed(a: Option<BodyHandle>, b: BodyHandle, world: &crate::World) -> Result<Self, crate::WorldError> {
        let frame = Pose::from_translation(world.body(b)?.position);
        Self::at(JointKind::Fixed, (a, b), frame, JointKind::Fixed.axes(), world)
    }

    /// B turns about an axis of A, through a point (m); both of the world, where the bodies are now. The angle (coordinate 3) is zero now, and
    /// positive by the right-hand rule.
    ///
    /// # Errors
    /// [`WorldError::Stale`](crate::WorldError::Stale).
    pub fn hinge(
        a: Option<BodyHandle>,
        b: BodyHandle,
        point: DVec3,
        axis: DVec3,
        world: &crate::World,
    ) -> Result<Self, crate::WorldError> {
        Self::at(JointKind::Hinge, (a, b), frame_along(point, axis), JointKind::Hinge.axes(), world)
    }

    /// B slides along an axis of A, of the world as it is now. The displacement (coordinate 0) is zero now.
    ///
    /// # Errors
    /// [`WorldError::Stale`](crate::WorldError::Stale).
    pub fn slider(
        a: Option<BodyHandle>,
        b: BodyHandle,
        axis: DVec3,
        world: &crate::World,
    ) -> Result<Self, crate::WorldError> {
        let frame = frame_along(world.body(b)?.position, axis);
        Self::at(JointKind::Slider, (a, b), frame, JointKind::Slider.axes(), world)
    }

    /// B turns about a point (m, world) of A.
    ///
    /// # Errors
    /// [`WorldError::Stale`](crate::WorldError::Stale).
    pub fn ball(
        a: Option<BodyHandle>,
        b: BodyHandle,
        point: DVec3,
        world: &crate::World,
    ) -> Result<Self, crate::WorldError> {
        Self::at(JointKind::Ball, (a, b), Pose::from_translation(point), JointKind::Ball.axes(), world)
    }

    /// B turns about a point (m, world) of A by two axes at right angles: the first one is fixed to A, the second one to B.
    ///
    /// # Errors
    /// [`WorldError::Stale`](crate::WorldError::Stale).
    pub fn universal(
        a: Option<BodyHandle>,
        b: BodyHandle,
        point: DVec3,
        axes: [DVec3; 2],
        world: &crate::World,
    ) -> Result<Self, crate::WorldError> {
        Self::at(JointKind::Universal, (a, b), frame_across(point, axes), JointKind::Universal.axes(), world)
    }

    /// B turns about a point (m, world) of A: its axis by at most `swing` (rad) against A's, and about it by a twist within limits (rad).
    ///
    /// # Errors
    /// [`WorldError::Stale`](crate::WorldError::Stale).
    pub fn cone_twist(
        a: Option<BodyHandle>,
        b: BodyHandle,
        (point, axis): (DVec3, DVec3),
        (swing, twist): (f64, [f64; 2]),
        world: &crate::World,
    ) -> Result<Self, crate::WorldError> {
        let mut axes = JointKind::ConeTwist.axes();
        axes[3] = Axis::limited(twist[0], twist[1]);
        axes[4] = Axis::limited(f64::NEG_INFINITY, swing);
        Self::at(JointKind::ConeTwist, (a, b), frame_along(point, axis), axes, world)
    }

    /// A joint of six coordinates, each of which is what its axis says, with the same frame of the world on both bodies.
    ///
    /// # Errors
    /// [`WorldError::Stale`](crate::WorldError::Stale).
    pub fn six_dof(
        a: Option<BodyHandle>,
        b: BodyHandle,
        frame: Pose,
        axes: [Axis; AXES],
        world: &crate::World,
    ) -> Result<Self, crate::WorldError> {
        Self::at(JointKind::SixDof, (a, b), frame, axes, world)
    }

    /// Keeps the distance of two points (m, body frames; world frame for the world) within limits, m. The same limits twice make a rod.
    pub fn distance(a: Option<BodyHandle>, b: BodyHandle, points: [DVec3; 2], limits: [f64; 2]) -> Self {
        Self::between(JointKind::Distance, (a, b), points, Axis::limited(limits[0], limits[1]))
    }

    /// A rope of a length (m) between two points.
    pub fn rope(a: Option<BodyHandle>, b: BodyHandle, points: [DVec3; 2], length: f64) -> Self {
        Self::between(JointKind::Rope, (a, b), points, Axis::limited(f64::NEG_INFINITY, length))
    }

    /// A spring between two points, with a length at rest (m), a stiffness (N/m) and a damping (N s/m).
    pub fn spring(
        a: Option<BodyHandle>,
        b: BodyHandle,
        points: [DVec3; 2],
        [rest, stiffness, damping]: [f64; 3],
    ) -> Self {
        let motor = Some(Motor::Spring { rest, stiffness, damping });
        Self::between(JointKind::Spring, (a, b), points, Axis { motor, ..Axis::FREE })
    }

    fn between(kind: JointKind, (a, b): (Option<BodyHandle>, BodyHandle), points: [DVec3; 2], axis: Axis) -> Self {
        let mut axes = kind.axes();
        axes[0] = axis;
        Self {
            joint: Joint { collides: true, ..Self::new(kind, a, b, points.map(Pose::from_translation), axes).joint },
        }
    }

    /// Couples the angles of two hinges: the second one turns by `ratio` times the first one.
    pub fn gear(first: JointHandle, second: JointHandle, ratio: f64) -> Self {
        Self::coupled(JointKind::Gear, [first, second], ratio)
    }

    /// Couples the angle of a hinge and the displacement of a slider, by so many m per rad.
    pub fn rack(hinge: JointHandle, slider: JointHandle, ratio: f64) -> Self {
        Self::coupled(JointKind::Rack, [hinge, slider], ratio)
    }

    fn coupled(kind: JointKind, joints: [JointHandle; 2], ratio: f64) -> Self {
        let joint = Joint {
            kind,
            bodies: [None; 2],
            frames: [Pose::IDENTITY; 2],
            coupling: Some(Coupling { joints, ratio, offset: 0.0 }),
            axes: kind.axes(),
            breaking: [None; 2],
            collides: true,
            coordinates: [0.0; AXES],
            impulses: [[0.0; AXES]; 2],
            reaction: [DVec3::ZERO; 2],
        };
        Self { joint }
    }

    /// With a motor on the first coordinate that is not locked.
    pub fn with_motor(mut self, motor: Motor) -> Self {
        let axis = self.joint.main_axis();
        self.joint.axes[axis].motor = Some(motor);
        self
    }

    /// With limits (m or rad) of the first coordinate that is not locked.
    pub fn with_limits(mut self, lower: f64, upper: f64) -> Self {
        let axis = self.joint.main_axis();
        self.joint.axes[axis].motion = super::Motion::Limited { lower, upper };
        self
    }

    /// With dry friction (N or N m) of all coordinates that are not locked.
    pub fn with_friction(mut self, friction: f64) -> Self {
        self.joint
            .axes
            .iter_mut()
            .filter(|axis| axis.motion != super::Motion::Locked)
            .for_each(|axis| axis.friction = friction);
        self
    }

    /// With a force (N) and a torque (N m) from which on it breaks.
    pub fn with_breaking(mut self, force: Option<f64>, torque: Option<f64>) -> Self {
        self.joint.breaking = [force, torque];
        self
    }

    /// With bodies that collide with each other, or do not.
    pub fn with_collision(mut self, collides: bool) -> Self {
        self.joint.collides = collides;
        self
    }
}

/// A frame of the world as a body has it.
pub(crate) fn within(body: &Body, frame: &Pose) -> Pose {
    let inverse = body.orientation.conjugate();
    Pose::from_parts(inverse * (frame.translation - body.position), (inverse * frame.rotation).normalize())
}
