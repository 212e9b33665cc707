//! The world: bodies with shapes that move, touch and push each other.
//!
//! Bodies are added with their shapes and named by [`BodyHandle`]s; [`World::step`] moves them all by one time step and
//! reports what happened. Between steps everything can be read and set: states, forces for the next step, prescribed
//! motions, materials, settings, which bodies touch. The order of the bodies is that of their insertion, and with it
//! the order of pairs, contacts and sums: the same calls give the same bits, on any number of threads.
//!
//! ```
//! use drystone_engine::{Friction, Interaction, Pose, Solid, World};
//! use glam::DVec3;
//!
//! let mut world = World::default();
//! let stone = world.materials_mut().add("stone")?;
//! world.materials_mut().set(stone, stone, Interaction::dry(Friction::sliding(0.6)))?;
//! let ground = Solid::cuboid(DVec3::new(10.0, 1.0, 10.0), 2000.0)?;
//! world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5))?)?;
//! let cube = Solid::cuboid(DVec3::ONE, 2000.0)?;
//! let falling = world.add(cube.dynamic(stone, Pose::from_translation(DVec3::Y * 0.6))?)?;
//! for _ in 0..100 {
//!     world.step()?;
//! }
//! assert!((world.body(falling)?.position.y - 0.5).abs() < 2e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body_changes;
mod contact_cache;
mod contact_hook;
mod detection;
mod error;
pub mod events;
mod forces;
mod impact_contacts;
mod internal_edges;
mod joint_solve;
mod joints;
mod motion;
pub(crate) mod near;
mod near_contacts;
mod pairs_that_touch;
mod position_correction;
mod prescribed_motions;
mod report;
mod rigid_groups;
mod settings;
pub mod snapshot;
mod soft;
mod speculative;
mod stabilisation;
mod step;
mod velocity_solve;

pub use contact_cache::WarmStart;
pub use contact_hook::{ContactHook, HookPair};
pub use error::WorldError;
pub use events::{Event, EventSettings, PairImpulse};
pub use joints::JointReaction;
pub use report::{Detected, IslandReport, StepCounts, Timings, WorldReport};
pub use settings::WorldSettings;
pub use snapshot::{Snapshot, SnapshotError};
pub use stabilisation::{PostStabilisation, PreStabilisation};

use crate::body::{Body, BodyKind, Pose};
use crate::broad_phase::BroadPhase;
use crate::handle::{BodyHandle, Handles};
use crate::interruption::Interruption;
use crate::joint::JointSet;
use crate::material::MaterialTable;
use crate::new_body::{Groups, NewBody};
use crate::pair_filter::ExcludedPairs;
use crate::query::QueryFilter;
use crate::query::body_tree::{BodyTree, LazyTree};
use crate::stepper::ExternalWrench;
use contact_cache::ContactCache;
use drystone_contact::ccd::mesh::Topology;
use drystone_contact::generator::{Generator, Method, methods};
use drystone_contact::shape::{Shape, Surface};
use events::EventState;
use glam::DVec3;
use prescribed_motions::RunningMotion;
use soft::{SoftRecord, SoftState};
use std::sync::{Arc, OnceLock};

/// What a world knows of a body besides its state.
#[derive(Clone, Debug)]
struct Entry {
    shape: Arc<Shape>,
    groups: Groups,
    prescribed_motion: Option<RunningMotion>,
    is_sensor: bool,
    user_data: u64,
    /// Mass (kg) and moments (kg m²) of a body that is not dynamic, for when it is.
    mass: Option<(f64, DVec3)>,
    /// For the next step only.
    external_wrench: ExternalWrench,
    /// The pose of its box in the broad phase, and what it is grown by for the motion, m.
    boxed: Option<(Pose, f64)>,
    /// Where the last step has left it; none of a body that is new since.
    left: Option<Pose>,
    /// Vertices, edges and faces of the surface, once they are asked for.
    topology: OnceLock<Arc<Topology>>,
}

impl Entry {
    /// The groups by which it collides: a sensor collides with nothing.
    fn collision_groups(&self) -> Groups {
        if self.is_sensor { Groups::NONE } else { self.groups }
    }

    /// The surface that continuous collision detection looks at; none of a primitive.
    fn surface(&self) -> Option<&Surface> {
        self.shape.surface()
    }

    /// Vertices, edges and faces of the surface that continuous collision detection looks at; none of a primitive.
    fn topology(&self) -> &Topology {
        self.topology
            .get_or_init(|| Arc::new(self.shape.surface().map_or_else(Topology::default, Topology::of_surface)))
    }
}

/// Bodies, what they are made of, and how they step.
pub struct World {
    settings: WorldSettings,
    materials: MaterialTable,
    method: Method,
    handles: Handles,
    /// In the order of insertion.
    bodies: Vec<Body>,
    /// One for each body.
    entries: Vec<Entry>,
    /// Pairs that do not touch, lower handle first.
    excluded: ExcludedPairs,
    joints: JointSet,
    /// Pairs that do not touch because of a joint.
    jointed: ExcludedPairs,
    broad_phase: BroadPhase,
    contact_cache: ContactCache,
    /// Δt of the step that the contact cache is from, s.
    contact_cache_time_step: f64,
    /// What the soft step goes on from.
    soft: SoftState,
    time: f64,
    steps: u64,
    /// What the program has to say about contacts.
    contact_hook: Option<Arc<dyn ContactHook>>,
    /// What may end a step before it is made.
    interruption: Interruption,
    events: EventState,
    /// What queries ask; made when they do.
    query_tree: LazyTree,
}

impl Default for World {
    /// An empty world with the settings for embedding and the semi-local generator.
    fn default() -> Self {
        Self::new(WorldSettings::default(), methods::semi_local())
    }
}

impl Clone for World {
    /// A world that goes on as this one does, bit for bit. Shapes are shared.
    fn clone(&self) -> Self {
        let mut world = Self {
            settings: self.settings.clone(),
            materials: self.materials.clone(),
            method: self.method.clone(),
            handles: self.handles.clone(),
            bodies: self.bodies.clone(),
            entries: self.entries.clone(),
            excluded: self.excluded.clone(),
            joints: self.joints.clone(),
            jointed: self.jointed.clone(),
            broad_phase: BroadPhase::new(),
            contact_cache: self.contact_cache.clone(),
            contact_cache_time_step: self.contact_cache_time_step,
            soft: SoftState::default(),
            contact_hook: self.contact_hook.clone(),
            interruption: self.interruption.clone(),
            events: self.events.clone(),
            time: self.time,
            steps: self.steps,
            query_tree: LazyTree::default(),
        };
        // Boxes are made anew, as in a world that is read from a snapshot.
        world.entries.iter_mut().for_each(|entry| entry.boxed = None);
        if let Some(record) = SoftRecord::new(self) {
            world.restore_soft(&record).unwrap_or_default();
        }
        world
    }
}

impl World {
    /// An empty world that finds contacts by a method.
    pub fn new(settings: WorldSettings, method: Method) -> Self {
        Self {
            settings,
            materials: MaterialTable::new(),
            method,
            handles: Handles::default(),
            bodies: Vec::new(),
            entries: Vec::new(),
            excluded: ExcludedPairs::new(),
            joints: JointSet::default(),
            jointed: ExcludedPairs::new(),
            broad_phase: BroadPhase::new(),
            contact_cache: ContactCache::new(),
            contact_cache_time_step: 1.0,
            soft: SoftState::default(),
            time: 0.0,
            steps: 0,
            contact_hook: None,
            interruption: Interruption::NEVER,
            events: EventState::default(),
            query_tree: LazyTree::default(),
        }
    }

    /// Adds a body behind all others.
    ///
    /// # Errors
    /// [`WorldError::TooManyBodies`], [`WorldError::Generator`] of a method that cannot serve the shape,
    /// [`WorldError::Unbounded`], [`WorldError::ScriptOfNewBody`].
    pub fn add(&mut self, new: NewBody) -> Result<BodyHandle, WorldError> {
        let NewBody { body, shape, groups, prescribed_motion, is_sensor, user_data } = new;
        if prescribed_motion.is_some() && body.kind() != BodyKind::Kinematic {
            return Err(WorldError::PrescribedMotionOfNewBody);
        }
        if body.is_dynamic() && !shape.thickness().is_finite() {
            return Err(WorldError::Unbounded { kind: shape.kind() });
        }
        self.method.generator().prepare(&shape)?;
        let handle = self.handles.insert().ok_or(WorldError::TooManyBodies(self.bodies.len()))?;
        self.soft.forget_pairs();
        self.query_tree.invalidate();
        let prescribed_motion =
            prescribed_motion.map(|prescribed_motion| RunningMotion { prescribed_motion, start: self.time });
        self.bodies.push(body);
        self.entries.push(Entry {
            shape,
            groups,
            prescribed_motion,
            is_sensor,
            user_data,
            mass: None,
            external_wrench: ExternalWrench::NONE,
            boxed: None,
            left: None,
            topology: OnceLock::new(),
        });
        Ok(handle)
    }

    /// Removes a body with its joints, and returns its last state. Its handle is stale from now on.
    ///
    /// # Errors
    /// [`WorldError::Stale`].
    pub fn remove(&mut self, handle: BodyHandle) -> Result<Body, WorldError> {
        self.index(handle)?;
        self.remove_joints_of(handle);
        let index = self.handles.remove(handle).ok_or(WorldError::Stale(handle))?;
        self.soft.wake(index);
        self.query_tree.invalidate();
        self.broad_phase.remove(handle.slot());
        self.entries.remove(index);
        self.excluded.retain(|&(a, b)| a != handle && b != handle);
        self.contact_cache.retain(|&(a, b), _| a != handle && b != handle);
        self.soft.remove(index);
        Ok(self.bodies.remove(index))
    }

    /// The handles of all bodies in the order of insertion; a [`crate::BodyId`] of a report counts them.
    pub fn handles(&self) -> &[BodyHandle] {
        self.handles.dense()
    }

    /// The states of all bodies, in the order of [`World::handles`].
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The tree of boxes around the bodies where they are now.
    pub(crate) fn query_tree(&self) -> &BodyTree {
        let bounds = |i: usize| near::bounds_at(&self.entries[i].shape, &self.bodies[i].pose(), 0.0);
        self.query_tree.get(|old| BodyTree::renewed(old, &self.bodies, self.handles.dense(), bounds))
    }

    /// Whether a query with a filter sees a body, by index.
    pub(crate) fn sees(&self, filter: &QueryFilter<'_>, index: usize) -> bool {
        let handle = self.handles.dense()[index];
        filter.groups.touch(self.entries[index].groups)
            && (filter.sensors || !self.entries[index].is_sensor)
            && !filter.exclude.contains(&handle)
            && filter.predicate.is_none_or(|sees| sees(handle, &self.bodies[index]))
    }

    /// The shape of a body, by index.
    pub(crate) fn shape_of(&self, index: usize) -> &Shape {
        &self.entries[index].shape
    }

    fn index(&self, handle: BodyHandle) -> Result<usize, WorldError> {
        self.handles.index(handle).ok_or(WorldError::Stale(handle))
    }

    /// Whether a handle names a body of this world.
    pub fn contains(&self, handle: BodyHandle) -> bool {
        self.handles.index(handle).is_some()
    }

    /// A body.
    ///
    /// # Errors
    /// [`WorldError::Stale`].
    pub fn body(&self, handle: BodyHandle) -> Result<&Body, WorldError> {
        Ok(&self.bodies[self.index(handle)?])
    }

    /// A body, to set its state or material. A step refuses states that are not finite.
    ///
    /// To write the pose is to teleport the body: it is there at once, with the velocities that it has, and takes along
    /// nothing that rests on it. The next step's report lists it in [`WorldReport::teleported`]. A kinematic body is
    /// moved with what it carries by [`World::move_to`].
    ///
    /// # Errors
    /// [`WorldError::Stale`].
    pub fn body_mut(&mut self, handle: BodyHandle) -> Result<&mut Body, WorldError> {
        let index = self.index(handle)?;
        self.soft.note_change();
        self.query_tree.invalidate();
        Ok(&mut self.bodies[index])
    }

    /// The shape of a body, in its body frame, as it was given.
    ///
    /// # Errors
    /// [`WorldError::Stale`].
    pub fn shape(&self, handle: BodyHandle) -> Result<&Arc<Shape>, WorldError> {
        Ok(&self.entries[self.index(handle)?].shape)
    }

    /// The shapes of all bodies in the order of [`World::handles`], body frames.
    pub fn shapes(&self) -> impl ExactSizeIterator<Item = &Arc<Shape>> {
        self.entries.iter().map(|entry| &entry.shape)
    }

    /// What finds the contacts.
    pub fn generator(&self) -> &Arc<dyn Generator> {
        self.method.generator()
    }

    /// The materials.
    pub fn materials(&self) -> &MaterialTable {
        &self.materials
    }

    /// The materials, to add some or to change what happens between them.
    pub fn materials_mut(&mut self) -> &mut MaterialTable {
        self.soft.wake_all();
        &mut self.materials
    }

    /// The settings.
    pub fn settings(&self) -> &WorldSettings {
        &self.settings
    }

    /// The settings, to change them from the next step on; a step refuses what is out of range.
    pub fn settings_mut(&mut self) -> &mut WorldSettings {
        &mut self.settings
    }

    /// The method by which contacts are found.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// The time since the world was made, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// How many steps were made.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

#[cfg(test)]
mod tests;
