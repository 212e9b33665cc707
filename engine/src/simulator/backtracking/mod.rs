//! The event-driven simulator: contact sets, searches in time, and contact forces by singular values.
//!
//! Bodies move as in B. Mirtich, "Rigid body contact: collision detection to force computation" (MERL TR98-01),
//! sections 3 and 4.
//!
//! Time is cut into short intervals. Over each, bodies move under gravity and the forces at the contacts that they
//! have. At its end V-Clip is asked. Where pieces overlap, a search goes back to the time at which features came near
//! that are no contact yet: that state is accepted, an impulse is applied, the pair joins the set, and all goes on
//! from there. So every accepted state is one without overlap, and a body settles on one contact after the other.
//!
//! Differs from the paper in what it leaves open: new contacts are held at the gap at which they were found, a fraction
//! of a micrometre; contacts that came back or sank, and contacts that stop sliding, are events with a time of their
//! own; impulses act at all contacts of an island at once; contacts that rebound more slowly than a threshold rest.
//! Energy does not rise but by rounding and the error of the integration.
//!
//! ```
//! use drystone_engine::backtracking::{BacktrackingSettings, BacktrackingSimulator};
//! use drystone_engine::{Friction, Interaction, MaterialTable, Pose, Solid};
//! use glam::{DQuat, DVec3};
//!
//! let mut materials = MaterialTable::new();
//! let stone = materials.add("stone")?;
//! materials.set(stone, stone, Interaction::dry(Friction::sliding(0.6)))?;
//! let mut simulator = BacktrackingSimulator::new(BacktrackingSettings::default(), materials)?;
//! let ground = Solid::cuboid(DVec3::new(10.0, 1.0, 10.0), 2000.0)?;
//! simulator.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5))?)?;
//! let pose = Pose::from_parts(DVec3::Y * 0.7, DQuat::from_rotation_x(0.2));
//! let cube = simulator.add(Solid::cuboid(DVec3::ONE, 2000.0)?.dynamic(stone, pose)?)?;
//! let report = simulator.advance(1.0)?;
//! assert!(report.least_gap > 0.0 && report.contacts.len() >= 3);
//! assert!((simulator.body(cube)?.position.y - 0.5).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contact_row;
mod error;
mod flow;
mod impulses;
mod integrator;
mod nearness;
mod reactions;
mod report;
mod retreat;
mod sets;
mod settings;
mod settle;
mod simulator;
mod snapshot;
mod step;

pub use error::BacktrackingError;
pub use report::{BacktrackingReport, Event, EventKind, SetContact, StatusCounts, Work};
pub use settings::{BacktrackingSettings, Promoting};
pub use snapshot::BacktrackingSnapshot;

use crate::body::Body;
use crate::handle::BodyHandle;
use crate::material::MaterialTable;
use crate::new_body::{Groups, NewBody};
use crate::pair_filter::unordered;
use crate::stepper::Energy;
use drystone_contact::generator::{GeneratorError, Method, methods};
use drystone_contact::shape::Shape;
use drystone_contact::vclip::hierarchy::PieceHierarchy;
use nearness::Nearness;
use sets::Sets;
use std::sync::Arc;

/// Bodies with contact sets. All of it is sequential arithmetic in a fixed order: the same calls give the same bits.
#[derive(Clone)]
pub struct BacktrackingSimulator {
    settings: BacktrackingSettings,
    materials: MaterialTable,
    /// In the order of insertion, as are the solids of the sets.
    bodies: Vec<Body>,
    sets: Sets,
    nearness: Nearness,
    time: f64,
    steps: u64,
    /// V-Clip, for those who judge contacts by what found them.
    method: Method,
}

impl BacktrackingSimulator {
    /// A simulator without bodies.
    ///
    /// # Errors
    /// [`BacktrackingError::Setting`].
    pub fn new(settings: BacktrackingSettings, materials: MaterialTable) -> Result<Self, BacktrackingError> {
        settings.check()?;
        Ok(Self {
            settings,
            materials,
            bodies: Vec::new(),
            sets: Sets::default(),
            nearness: Nearness::default(),
            time: 0.0,
            steps: 0,
            method: methods::vclip(),
        })
    }

    /// Adds a body behind all others. It must not touch another when the next step begins.
    ///
    /// # Errors
    /// [`BacktrackingError::PrescribedMotion`], [`BacktrackingError::Pieces`], [`BacktrackingError::TooManyBodies`].
    pub fn add(&mut self, new: NewBody) -> Result<BodyHandle, BacktrackingError> {
        let NewBody { body, shape, groups, prescribed_motion, is_sensor, user_data } = new;
        let has_own_scales = body.damping() != [0.0; 2]
            || body.gravity_scale() != 1.0
            || body.constant_force() != [glam::DVec3::ZERO; 2];
        if is_sensor || has_own_scales || user_data != 0 {
            return Err(BacktrackingError::Unsupported);
        }
        if prescribed_motion.is_some() {
            return Err(BacktrackingError::PrescribedMotion);
        }
        let solid = self.solid(shape, groups)?;
        let handle = self.sets.handles.insert().ok_or(BacktrackingError::TooManyBodies(self.bodies.len()))?;
        self.sets.solids.push(solid);
        self.bodies.push(body);
        Ok(handle)
    }

    /// What is known of a body by its shape; bodies of one shape share its pieces.
    fn solid(&self, shape: Arc<Shape>, groups: Groups) -> Result<sets::Solid, BacktrackingError> {
        let pieces: Arc<PieceHierarchy> = match self.sets.solids.iter().find(|solid| Arc::ptr_eq(&solid.shape, &shape))
        {
            Some(solid) => Arc::clone(&solid.pieces),
            None => {
                let pieces = shape.polyhedron("convex pieces").and_then(|polyhedron| polyhedron.pieces());
                let error = |source| {
                    GeneratorError::needs("backtracking", shape.kind(), "the convex pieces of a polyhedron", source)
                };
                Arc::new(pieces.map_err(error)?.clone())
            }
        };
        let vertices = shape.surface().map(|surface| surface.vertices()).unwrap_or_default();
        let radius = vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        Ok(sets::Solid { shape, pieces, radius, groups })
    }

    /// Removes a body and returns its last state. Its handle is stale from now on.
    ///
    /// # Errors
    /// [`BacktrackingError::Stale`].
    pub fn remove(&mut self, handle: BodyHandle) -> Result<Body, BacktrackingError> {
        let index = self.sets.handles.remove(handle).ok_or(BacktrackingError::Stale(handle))?;
        self.sets.remove(index, handle);
        self.nearness.remove(index);
        Ok(self.bodies.remove(index))
    }

    /// The handles of all bodies in the order of insertion.
    pub fn handles(&self) -> &[BodyHandle] {
        self.sets.handles.dense()
    }

    /// The states of all bodies, in the order of [`BacktrackingSimulator::handles`].
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    fn index(&self, handle: BodyHandle) -> Result<usize, BacktrackingError> {
        self.sets.handles.index(handle).ok_or(BacktrackingError::Stale(handle))
    }

    /// A body.
    ///
    /// # Errors
    /// [`BacktrackingError::Stale`].
    pub fn body(&self, handle: BodyHandle) -> Result<&Body, BacktrackingError> {
        Ok(&self.bodies[self.index(handle)?])
    }

    /// A body, to set its state. The next step refuses states that are not finite and bodies that overlap; contacts go
    /// where their features are no longer near.
    ///
    /// # Errors
    /// [`BacktrackingError::Stale`].
    pub fn body_mut(&mut self, handle: BodyHandle) -> Result<&mut Body, BacktrackingError> {
        let index = self.index(handle)?;
        Ok(&mut self.bodies[index])
    }

    /// Sets the groups of a body: which it is in and which it touches.
    ///
    /// # Errors
    /// [`BacktrackingError::Stale`].
    pub fn set_groups(&mut self, handle: BodyHandle, groups: Groups) -> Result<(), BacktrackingError> {
        let index = self.index(handle)?;
        self.sets.solids[index].groups = groups;
        Ok(())
    }

    /// Disables or enables collision between two bodies, overriding their groups.
    ///
    /// # Errors
    /// [`BacktrackingError::Stale`], [`BacktrackingError::OneBody`].
    pub fn set_excluded(&mut self, a: BodyHandle, b: BodyHandle, excluded: bool) -> Result<(), BacktrackingError> {
        self.index(a)?;
        self.index(b)?;
        if a == b {
            return Err(BacktrackingError::OneBody(a));
        }
        let pair = unordered(a, b);
        if excluded {
            self.sets.excluded.insert(pair);
        } else {
            self.sets.excluded.remove(&pair);
        }
        Ok(())
    }

    /// The settings.
    pub fn settings(&self) -> &BacktrackingSettings {
        &self.settings
    }

    /// The materials.
    pub fn materials(&self) -> &MaterialTable {
        &self.materials
    }

    /// The time since the simulator was made, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// How many steps were made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Energy of the present state.
    pub fn energy(&self) -> Energy {
        Energy::of(&self.bodies, &self.settings.forces)
    }
}
