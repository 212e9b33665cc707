//! Bodies come and go with their entities.

use super::body::{BodyPose, Link, RigidBody, Velocity};
use super::world::Physics;
use crate::draw::DrawnBody;
use bevy::prelude::*;
use drystone_engine::WorldError;
use std::sync::Arc;

/// A [`RigidBody`] that the world did not take. Its entity is no body; nothing else happens.
#[derive(Message, Clone, Debug)]
pub struct BodyRefused {
    /// The entity.
    pub entity: Entity,
    /// Why.
    pub error: WorldError,
}

/// Adds the body at once, so that the bodies are in the order in which their components were inserted.
pub(super) fn add(
    inserted: On<Insert, RigidBody>,
    mut physics: ResMut<Physics>,
    mut bodies: Query<(&RigidBody, &mut Transform, Option<&DrawnBody>)>,
    mut refused: MessageWriter<BodyRefused>,
    mut commands: Commands,
) {
    let entity = inserted.entity;
    let Ok((RigidBody(new), mut transform, drawn)) = bodies.get_mut(entity) else { return };
    let handle = match physics.world_mut().add(new.clone()) {
        Ok(handle) => handle,
        Err(error) => {
            refused.write(BodyRefused { entity, error });
            return;
        }
    };
    physics.link(entity, handle);
    let link = Link::new(handle, &new.body);
    *transform = link.pose.transform().with_scale(transform.scale);
    // Poses and velocities that are there already were put there by the application and hold from the first step.
    commands.entity(entity).try_insert(link).try_insert_if_new((link.pose, link.velocity));
    if physics.is_drawn && drawn.is_none() {
        commands.entity(entity).try_insert(DrawnBody::new(Arc::clone(&new.shape)));
    }
}

/// Removes the body at once.
pub(super) fn remove(
    discarded: On<Discard, RigidBody>,
    mut physics: ResMut<Physics>,
    bodies: Query<(&RigidBody, Option<&DrawnBody>)>,
    mut commands: Commands,
) {
    let entity = discarded.entity;
    let Some(handle) = physics.unlink(entity) else { return };
    // It may have been removed by hand.
    let _ = physics.world_mut().remove(handle);
    let Ok(mut entity_commands) = commands.get_entity(entity) else { return };
    entity_commands.try_remove::<(Link, BodyPose, Velocity)>();
    if let Ok((RigidBody(old), Some(drawn))) = bodies.get(entity)
        && physics.is_drawn
        && Arc::ptr_eq(&old.shape, &drawn.shape)
    {
        entity_commands.try_remove::<DrawnBody>();
    }
}
