//! Joints as components.

use super::world::Physics;
use bevy::prelude::*;
use drystone_engine::{BodyHandle, JointHandle, NewJoint, World, WorldError};
use std::fmt;
use std::sync::Arc;

/// Makes its entity a joint, of bodies or of other joints that are entities. The joint is added where it is inserted, so its bodies come before it.
/// Inserting another one replaces the joint; removing it, or despawning, removes the joint. A joint goes with its bodies.
///
/// Motors, limits and friction are changed by `Physics::world_mut().joint_mut(handle)`; [`Physics::joint`] has the handle.
///
/// ```
/// use bevy::prelude::*;
/// use drystone_bevy::{DEFAULT_MATERIAL, DrystonePlugin, Physics, RigidBody, RigidJoint};
/// use drystone_engine::{NewJoint, Pose, Solid};
/// use glam::DVec3;
///
/// fn set_up(mut commands: Commands) -> Result {
///     let door = Solid::cuboid(DVec3::new(1.0, 2.0, 0.05), 600.0)?;
///     let pose = Pose::from_translation(DVec3::new(0.5, 1.0, 0.0));
///     let door = commands.spawn(RigidBody::dynamic(&door, DEFAULT_MATERIAL, pose)?).id();
///     commands.spawn(RigidJoint::new(None, door, |a, b, world| {
///         Ok(NewJoint::hinge(a, b, DVec3::ZERO, DVec3::Y, world)?.with_limits(0.0, 1.5))
///     }));
///     Ok(())
/// }
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, DrystonePlugin::default())).add_systems(Startup, set_up);
/// app.update();
/// # assert_eq!(app.world().resource::<Physics>().world().joints().count(), 1);
/// ```
#[derive(Component, Clone, Debug)]
pub struct RigidJoint(Maker);

type OfBodies = dyn Fn(Option<BodyHandle>, BodyHandle, &World) -> Result<NewJoint, WorldError> + Send + Sync;
type OfJoints = dyn Fn([JointHandle; 2]) -> NewJoint + Send + Sync;

#[derive(Clone)]
enum Maker {
    Bodies { a: Option<Entity>, b: Entity, make: Arc<OfBodies> },
    Joints { joints: [Entity; 2], make: Arc<OfJoints> },
}

impl fmt::Debug for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bodies { a, b, .. } => f.debug_struct("Bodies").field("a", a).field("b", b).finish_non_exhaustive(),
            Self::Joints { joints, .. } => f.debug_struct("Joints").field("joints", joints).finish_non_exhaustive(),
        }
    }
}

impl RigidJoint {
    /// A joint between body `a`, or the world, and body `b`, as `make` says with their handles, where they are.
    pub fn new(
        a: Option<Entity>,
        b: Entity,
        make: impl Fn(Option<BodyHandle>, BodyHandle, &World) -> Result<NewJoint, WorldError> + Send + Sync + 'static,
    ) -> Self {
        Self(Maker::Bodies { a, b, make: Arc::new(make) })
    }

    /// A gear or rack between two joints: `NewJoint::gear`, `NewJoint::rack`.
    pub fn coupling(joints: [Entity; 2], make: impl Fn([JointHandle; 2]) -> NewJoint + Send + Sync + 'static) -> Self {
        Self(Maker::Joints { joints, make: Arc::new(make) })
    }

    fn add(&self, physics: &mut Physics) -> Result<JointHandle, JointProblem> {
        let new = match &self.0 {
            Maker::Bodies { a, b, make } => {
                let handle = |entity: Entity| physics.handle(entity).ok_or(JointProblem::NoBody { entity });
                make(a.map(handle).transpose()?, handle(*b)?, physics.world())?
            }
            Maker::Joints { joints, make } => {
                let handle = |entity: Entity| physics.joint(entity).ok_or(JointProblem::NoJoint { entity });
                make([handle(joints[0])?, handle(joints[1])?])
            }
        };
        Ok(physics.world_mut().add_joint(new)?)
    }
}

/// Why there is no joint.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum JointProblem {
    /// An entity that is no body.
    #[error("entity {entity} is no body; insert its `RigidBody` before the joint")]
    NoBody {
        /// The entity.
        entity: Entity,
    },
    /// An entity that is no joint.
    #[error("entity {entity} is no joint; insert its `RigidJoint` before the gear or rack")]
    NoJoint {
        /// The entity.
        entity: Entity,
    },
    /// The world does not take it.
    #[error(transparent)]
    World(#[from] WorldError),
}

/// A [`RigidJoint`] that could not be added. Its entity is no joint; nothing else happens.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct JointRefused {
    /// The entity.
    pub entity: Entity,
    /// Why.
    pub error: JointProblem,
}

/// Adds the joint at once.
pub(super) fn add(
    inserted: On<Insert, RigidJoint>,
    mut physics: ResMut<Physics>,
    joints: Query<&RigidJoint>,
    mut refused: MessageWriter<JointRefused>,
) {
    let entity = inserted.entity;
    let Ok(joint) = joints.get(entity) else { return };
    match joint.add(&mut physics) {
        Ok(handle) => physics.link_joint(entity, handle),
        Err(error) => drop(refused.write(JointRefused { entity, error })),
    }
}

/// Removes the joint at once.
pub(super) fn remove(discarded: On<Discard, RigidJoint>, mut physics: ResMut<Physics>) {
    if let Some(handle) = physics.unlink_joint(discarded.entity) {
        // It may be gone with a body, or by hand.
        let _ = physics.world_mut().remove_joint(handle);
    }
}
