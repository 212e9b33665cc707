//! The step: components to the world, the world's step, the world to components.

use super::body::{BodyPose, ExternalForce, Link, Velocity};
use super::contacts::Contacts;
use super::joint::RigidJoint;
use super::messages::StepMessages;
use super::world::{Pause, Physics};
use bevy::prelude::*;
use drystone_engine::{BodyError, BodyHandle, World, WorldError, WorldReport};
use std::time::Duration;

/// Why a step was not made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PhysicsError {
    /// The world could not step.
    #[error(transparent)]
    World(#[from] WorldError),
    /// What the application wrote to a [`BodyPose`] or a [`Velocity`] is no state of a body.
    #[error("the components of entity {entity}: {error}")]
    Components {
        /// The entity.
        entity: Entity,
        /// What is wrong.
        error: BodyError,
    },
    /// An [`ExternalForce`] that is not finite.
    #[error("the external force on entity {entity} is not finite")]
    Force {
        /// The entity.
        entity: Entity,
    },
}

/// A step was not made. The world is as it was before, and the physics is paused; it goes on when [`Pause::is_paused`] is
/// taken back, which fails again as long as the reason is there.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct StepFailed {
    /// Why.
    pub error: PhysicsError,
    /// How many steps the world has made.
    pub steps: u64,
}

type Bodies<'w, 's> = Query<
    'w,
    's,
    (Entity, &'static mut Link, &'static mut BodyPose, &'static mut Velocity, Option<&'static ExternalForce>),
>;

/// A fixed tick.
#[expect(clippy::too_many_arguments, reason = "a system's parameters are what it asks Bevy for")]
pub(super) fn step(
    mut physics: ResMut<Physics>,
    mut pause: ResMut<Pause>,
    mut bodies: Bodies,
    mut contacts: ResMut<Contacts>,
    mut clock: ResMut<Time<Fixed>>,
    mut messages: StepMessages,
    mut commands: Commands,
    mut failed: MessageWriter<StepFailed>,
) {
    if !pause.bypass_change_detection().take_step() {
        // What stands still is shown where it is, or where it was put; what cannot be put there fails the next step.
        for (entity, mut link, pose, velocity, _) in &mut bodies {
            let _ = hand_state(physics.world_mut(), entity, &mut link, *pose, *velocity);
            link.previous = link.pose;
        }
        return;
    }
    match try_step(&mut physics, &mut bodies) {
        Ok(report) => {
            contacts.renew(&report, &physics);
            for joint in messages.write(&physics, &contacts) {
                physics.unlink_joint(joint);
                commands.entity(joint).try_remove::<RigidJoint>();
            }
            physics.forget_removed();
            physics.set_outcome(Ok(report));
        }
        Err(error) => {
            failed.write(StepFailed { error: error.clone(), steps: physics.world().steps() });
            physics.set_outcome(Err(error));
            *pause = Pause { is_paused: true, single_steps: 0 };
        }
    }
    if let Some(time_step) = fixed_time_step(physics.world().settings().step.time_step)
        && clock.timestep() != time_step
    {
        clock.set_timestep(time_step);
    }
}

/// Makes a step; without one, nothing of the world has changed but what the application wrote.
fn try_step(physics: &mut Physics, bodies: &mut Bodies) -> Result<WorldReport, PhysicsError> {
    // Each body gets what is its own, so that the order of the query does not matter. Of several errors that of the lowest
    // handle is told.
    let mut errors: Vec<(BodyHandle, PhysicsError)> = Vec::new();
    let world = physics.world_mut();
    for (entity, mut link, pose, velocity, force) in bodies.iter_mut() {
        // It may have been removed by hand.
        if !world.contains(link.handle) {
            continue;
        }
        let force = force.copied().unwrap_or_default();
        let handed = match hand_state(world, entity, &mut link, *pose, *velocity) {
            Ok(()) => hand_force(world, entity, &mut link, force),
            Err(error) => Err(error),
        };
        errors.extend(handed.err().map(|error| (link.handle, error)));
    }
    if let Some((_, error)) = errors.into_iter().min_by_key(|(handle, _)| *handle) {
        return Err(error);
    }
    let report = world.step()?;
    for (_, mut link, mut pose, mut velocity, _) in bodies.iter_mut() {
        let Ok(body) = world.body(link.handle) else { continue };
        let previous = link.pose;
        *link = Link { previous, ..Link::new(link.handle, body) };
        pose.set_if_neq(link.pose);
        velocity.set_if_neq(link.velocity);
    }
    Ok(report)
}

/// Hands the pose and the velocity to a body if the application wrote them.
fn hand_state(
    world: &mut World,
    entity: Entity,
    link: &mut Link,
    pose: BodyPose,
    velocity: Velocity,
) -> Result<(), PhysicsError> {
    let body = world.body_mut(link.handle)?;
    let wrong = |error| PhysicsError::Components { entity, error };
    if pose != link.pose {
        let moved = body.clone().at(pose.position, pose.orientation).map_err(wrong)?;
        body.position = moved.position;
        if pose.orientation != link.pose.orientation {
            body.orientation = moved.orientation;
        }
        // Between where it was and where it is now nothing is shown.
        (link.pose, link.previous) = (pose, pose);
    }
    if velocity != link.velocity {
        *body = body.clone().moving(velocity.linear, velocity.angular).map_err(wrong)?;
        link.velocity = velocity;
    }
    Ok(())
}

/// Applies the external force, less what was applied for a step that then failed.
fn hand_force(world: &mut World, entity: Entity, link: &mut Link, wanted: ExternalForce) -> Result<(), PhysicsError> {
    let (force, torque) = (wanted.force - link.applied.force, wanted.torque - link.applied.torque);
    if !(force.is_finite() && torque.is_finite()) {
        return Err(PhysicsError::Force { entity });
    }
    world.apply_force(link.handle, force)?;
    world.apply_torque(link.handle, torque)?;
    link.applied = wanted;
    Ok(())
}

/// A time step as Bevy's clock takes it; `None` for one that is no positive time.
pub(super) fn fixed_time_step(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok().filter(|time_step| !time_step.is_zero())
}
