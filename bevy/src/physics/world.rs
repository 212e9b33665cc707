//! The world as a resource.

use super::step::PhysicsError;
use bevy::prelude::*;
use drystone_engine::{BodyHandle, JointHandle, World, WorldReport};
use std::collections::BTreeMap;

/// The world of the engine, and which entity is which of its bodies.
///
/// Between steps everything that [`World`] offers can be asked and set: materials, settings, groups, prescribed
/// motions, excluded pairs, states. Bodies that are added here by hand have no entity: they move and push, but no
/// event or drawing tells of them. A body with an entity is removed by taking the [`super::RigidBody`] away or by
/// despawning; one that is removed here by hand leaves its entity where it was.
#[derive(Resource)]
pub struct Physics {
    world: World,
    handles: BTreeMap<Entity, BodyHandle>,
    entities: BTreeMap<BodyHandle, Entity>,
    /// Those that were removed since the last step, which the events of the next one still name.
    removed: BTreeMap<BodyHandle, Entity>,
    joints: BTreeMap<Entity, JointHandle>,
    joint_entities: BTreeMap<JointHandle, Entity>,
    report: Option<WorldReport>,
    error: Option<PhysicsError>,
    /// Whether transforms are shown between the two last states.
    pub interpolates: bool,
    pub(super) is_drawn: bool,
}

impl Physics {
    pub(super) fn new(world: World, interpolates: bool, is_drawn: bool) -> Self {
        Self {
            world,
            handles: BTreeMap::new(),
            entities: BTreeMap::new(),
            removed: BTreeMap::new(),
            joints: BTreeMap::new(),
            joint_entities: BTreeMap::new(),
            report: None,
            error: None,
            interpolates,
            is_drawn,
        }
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, to change it between steps. What is written to a body's state here stands, unless the components of
    /// its entity are written as well: those win.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// The body of an entity.
    pub fn handle(&self, entity: Entity) -> Option<BodyHandle> {
        self.handles.get(&entity).copied()
    }

    /// The entity of a body.
    pub fn entity(&self, handle: BodyHandle) -> Option<Entity> {
        self.entities.get(&handle).copied()
    }

    /// The joint of an entity; it is stale if it went with a body.
    pub fn joint(&self, entity: Entity) -> Option<JointHandle> {
        self.joints.get(&entity).copied()
    }

    /// The entity of a joint.
    pub fn entity_of_joint(&self, handle: JointHandle) -> Option<Entity> {
        self.joint_entities.get(&handle).copied()
    }

    /// The entity of a body of an event, which may have been removed before the step.
    pub(super) fn entity_of_event(&self, handle: BodyHandle) -> Option<Entity> {
        self.entity(handle).or_else(|| self.removed.get(&handle).copied())
    }

    /// What happened in the last step that was made.
    pub fn report(&self) -> Option<&WorldReport> {
        self.report.as_ref()
    }

    /// Why the last step was not made; `None` if it was.
    pub fn error(&self) -> Option<&PhysicsError> {
        self.error.as_ref()
    }

    pub(super) fn link(&mut self, entity: Entity, handle: BodyHandle) {
        self.handles.insert(entity, handle);
        self.entities.insert(handle, entity);
    }

    pub(super) fn unlink(&mut self, entity: Entity) -> Option<BodyHandle> {
        let handle = self.handles.remove(&entity)?;
        self.entities.remove(&handle);
        self.removed.insert(handle, entity);
        Some(handle)
    }

    /// Forgets the bodies that were removed before the last step.
    pub(super) fn forget_removed(&mut self) {
        self.removed.clear();
    }

    pub(super) fn link_joint(&mut self, entity: Entity, handle: JointHandle) {
        self.joints.insert(entity, handle);
        self.joint_entities.insert(handle, entity);
    }

    pub(super) fn unlink_joint(&mut self, entity: Entity) -> Option<JointHandle> {
        let handle = self.joints.remove(&entity)?;
        self.joint_entities.remove(&handle);
        Some(handle)
    }

    pub(super) fn set_outcome(&mut self, outcome: Result<WorldReport, PhysicsError>) {
        match outcome {
            Ok(report) => (self.report, self.error) = (Some(report), None),
            Err(error) => self.error = Some(error),
        }
    }
}

/// Whether the physics stands still. A step that fails sets it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pause {
    /// No steps are made but [`Pause::single_steps`].
    pub is_paused: bool,
    /// How many steps are still made while paused, one at each fixed tick.
    pub single_steps: u32,
}

impl Pause {
    /// Whether a step is to be made now; takes it off [`Pause::single_steps`].
    pub(super) fn take_step(&mut self) -> bool {
        if self.is_paused {
            let is_asked = self.single_steps > 0;
            self.single_steps = self.single_steps.saturating_sub(1);
            return is_asked;
        }
        true
    }
}
