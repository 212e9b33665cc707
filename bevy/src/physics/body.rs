//! Bodies as components.

use bevy::prelude::*;
use drystone_engine::SolidError;
use drystone_engine::{Body, BodyHandle, MaterialId, NewBody, Pose, Solid};
use glam::{DQuat, DVec3};

/// Makes its entity a body. What it says is how the body begins; it is not read or written afterwards. Inserting another one
/// replaces the body; removing it, or despawning, removes the body.
///
/// The entity must have no parent: its `Transform` is written in world coordinates. Its scale is left alone.
#[derive(Component, Clone, Debug)]
#[require(Transform, Visibility)]
pub struct RigidBody(pub NewBody);

impl RigidBody {
    /// A body that moves, at rest, with the solid's given frame at `pose`.
    ///
    /// # Errors
    /// [`SolidError::Body`] for a pose that is none.
    pub fn dynamic(solid: &Solid, material: MaterialId, pose: Pose) -> Result<Self, SolidError> {
        solid.dynamic(material, pose).map(Self)
    }

    /// A body that stays where it is.
    ///
    /// # Errors
    /// [`SolidError::Body`] for a pose that is none.
    pub fn fixed(solid: &Solid, material: MaterialId, pose: Pose) -> Result<Self, SolidError> {
        solid.fixed(material, pose).map(Self)
    }

    /// A body that moves with the [`Velocity`] that it is given, whatever touches it.
    ///
    /// # Errors
    /// [`SolidError::Body`] for a pose that is none.
    pub fn kinematic(solid: &Solid, material: MaterialId, pose: Pose) -> Result<Self, SolidError> {
        solid.kinematic(material, pose).map(Self)
    }
}

/// Where a body is after the last step. Put on the entity by the physics.
///
/// Writing it moves the body there before the next step, without a velocity and without a path in between. (Writing the
/// `Transform` moves nothing: it is overwritten.)
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct BodyPose {
    /// Centre of mass, world frame, m.
    pub position: DVec3,
    /// Takes body coordinates to world coordinates; unit length. The body frame has the principal axes of inertia.
    pub orientation: DQuat,
}

/// How a body moves after the last step. Put on the entity by the physics; writing it sets the velocities before the next
/// step. For a fixed body it is that of its surface.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Velocity {
    /// Of the centre of mass, world frame, m/s.
    pub linear: DVec3,
    /// World frame, rad/s.
    pub angular: DVec3,
}

/// A force and a torque that act on a body in every step for as long as this component is there.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct ExternalForce {
    /// Through the centre of mass, world frame, N.
    pub force: DVec3,
    /// World frame, N m.
    pub torque: DVec3,
}

impl BodyPose {
    /// Where a body is.
    pub fn of(body: &Body) -> Self {
        Self { position: body.position, orientation: body.orientation }
    }

    /// The pose in single precision, as Bevy has it; a scale of one.
    pub fn transform(&self) -> Transform {
        let (p, q) = (self.position.as_vec3(), self.orientation.as_quat());
        let rotation = Quat::from_xyzw(q.x, q.y, q.z, q.w);
        Transform { translation: Vec3::new(p.x, p.y, p.z), rotation, scale: Vec3::ONE }
    }
}

impl Velocity {
    /// How a body moves.
    pub fn of(body: &Body) -> Self {
        Self { linear: body.velocity, angular: body.angular_velocity }
    }
}

/// The physics' own notes on an entity.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Link {
    pub handle: BodyHandle,
    /// What the physics has written to the components: anything else there was written by the application.
    pub pose: BodyPose,
    pub velocity: Velocity,
    /// Where the body was before the last step.
    pub previous: BodyPose,
    /// What has been applied for the step to come; more than nothing only after a step that failed.
    pub applied: ExternalForce,
}

impl Link {
    pub fn new(handle: BodyHandle, body: &Body) -> Self {
        let (pose, velocity) = (BodyPose::of(body), Velocity::of(body));
        Self { handle, pose, velocity, previous: pose, applied: ExternalForce::default() }
    }
}
