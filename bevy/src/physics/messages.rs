//! The engine's events of a step as messages, by entities.

use super::contacts::{Contacts, TouchingPair};
use super::world::Physics;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use drystone_engine::world::{Event, PairImpulse};
use glam::DVec3;

/// Two bodies touch that did not touch in the step before: the contact generator finds contacts between them, which may
/// have small positive gaps.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct ContactStarted(pub TouchingPair);

/// Two bodies still touch. Sent if [`DrystonePlugin::events`](super::DrystonePlugin::events) has `persisted`; [`Contacts`] has the
/// contacts.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct ContactPersisted {
    /// The first body.
    pub a: Entity,
    /// The second body.
    pub b: Entity,
    /// What their contacts did in the step.
    pub impulse: PairImpulse,
}

/// Two bodies that touched in the step before do not any more, or one of them was removed; its entity may be gone.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactEnded {
    /// The first body.
    pub a: Entity,
    /// The second body.
    pub b: Entity,
}

/// A body overlaps a sensor (`NewBody::sensor`) that it did not overlap after the step before.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorEntered {
    /// The sensor.
    pub sensor: Entity,
    /// The body.
    pub body: Entity,
}

/// A body no longer overlaps a sensor, or one of them was removed; its entity may be gone.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorLeft {
    /// The sensor.
    pub sensor: Entity,
    /// The body.
    pub body: Entity,
}

/// A body fell asleep: it rests, and costs nothing until something disturbs it.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct FellAsleep(pub Entity);

/// A body woke up.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct WokeUp(pub Entity);

/// A joint broke in the step and is gone; its [`RigidJoint`](super::RigidJoint) is removed.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct JointBroke {
    /// The entity of the joint.
    pub joint: Entity,
    /// The mean force of the step on B, world frame, N.
    pub force: DVec3,
    /// The mean torque of the step about B's frame on B, world frame, N m.
    pub torque: DVec3,
}

/// Where the messages of a step are written.
#[derive(SystemParam)]
pub(super) struct StepMessages<'w> {
    contact_started: MessageWriter<'w, ContactStarted>,
    contact_persisted: MessageWriter<'w, ContactPersisted>,
    contact_ended: MessageWriter<'w, ContactEnded>,
    sensor_entered: MessageWriter<'w, SensorEntered>,
    sensor_left: MessageWriter<'w, SensorLeft>,
    fell_asleep: MessageWriter<'w, FellAsleep>,
    woke_up: MessageWriter<'w, WokeUp>,
    joint_broke: MessageWriter<'w, JointBroke>,
}

/// The kinds of messages of steps.
pub(super) fn register(app: &mut App) {
    app.add_message::<ContactStarted>().add_message::<ContactPersisted>().add_message::<ContactEnded>();
    app.add_message::<SensorEntered>().add_message::<SensorLeft>();
    app.add_message::<FellAsleep>().add_message::<WokeUp>().add_message::<JointBroke>();
}

impl StepMessages<'_> {
    /// Writes the events of the last step. Those of bodies and joints without an entity are left out. Returns the entities of joints
    /// that broke.
    pub fn write(&mut self, physics: &Physics, contacts: &Contacts) -> Vec<Entity> {
        let pair = |a, b| physics.entity_of_event(a).zip(physics.entity_of_event(b));
        let mut broken = Vec::new();
        // Pairs come in the order in which their contacts start: each is looked for behind the one before.
        let mut pairs = contacts.pairs.iter();
        for event in physics.world().events() {
            match *event {
                Event::ContactStarted { a, b, .. } => {
                    let Some(names) = pair(a, b) else { continue };
                    let mut behind = pairs.clone();
                    if let Some(pair) = behind.find(|pair| (pair.a, pair.b) == names) {
                        self.contact_started.write(ContactStarted(pair.clone()));
                        pairs = behind;
                    }
                }
                Event::ContactPersisted { a, b, impulse } => {
                    let Some((a, b)) = pair(a, b) else { continue };
                    self.contact_persisted.write(ContactPersisted { a, b, impulse });
                }
                Event::ContactEnded { a, b } => {
                    let Some((a, b)) = pair(a, b) else { continue };
                    self.contact_ended.write(ContactEnded { a, b });
                }
                Event::SensorEntered { sensor, body } => {
                    let Some((sensor, body)) = pair(sensor, body) else { continue };
                    self.sensor_entered.write(SensorEntered { sensor, body });
                }
                Event::SensorLeft { sensor, body } => {
                    let Some((sensor, body)) = pair(sensor, body) else { continue };
                    self.sensor_left.write(SensorLeft { sensor, body });
                }
                Event::FellAsleep(body) => {
                    physics.entity(body).map(|entity| self.fell_asleep.write(FellAsleep(entity)));
                }
                Event::WokeUp(body) => {
                    physics.entity(body).map(|entity| self.woke_up.write(WokeUp(entity)));
                }
                Event::JointBroke { joint, force, torque } => {
                    let Some(joint) = physics.entity_of_joint(joint) else { continue };
                    self.joint_broke.write(JointBroke { joint, force, torque });
                    broken.push(joint);
                }
                _ => {}
            }
        }
        broken
    }
}
