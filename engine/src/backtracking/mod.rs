//! Bodies that move as in B. Mirtich, "Rigid body contact: collision detection to force computation" (MERL TR98-01),
//! sections 3 and 4: contact sets, searches in time, and contact forces by singular values.
//!
//! Time is cut into short intervals. Over each, bodies move under gravity and the forces at the contacts that they have. At
//! its end V-Clip is asked. Where pieces overlap, a search goes back to the time at which features came near that
//! are no contact yet: that state is accepted, an impulse is applied, the pair joins the set, and all goes on from there. So
//! every accepted state is one without overlap, and a body settles on one contact after the other.
//!
//! Differs from the paper in what it leaves open: new contacts are held at the gap at which they were found, a fraction
//! of a micrometre; contacts that came back or sank, and contacts that stop sliding, are events with a time of their own;
//! impulses act at all contacts of an island at once; contacts that rebound more slowly than a threshold rest. Energy does
//! not rise but by rounding and the error of the integration.
//!
//! ```
//! use drystone_engine::backtracking::{BacktrackingSettings, Simulation};
//! use drystone_engine::{Friction, Interaction, MaterialTable, Pose, Solid};
//! use glam::{DQuat, DVec3};
//!
//! let mut materials = MaterialTable::new();
//! let stone = materials.add("stone")?;
//! materials.set(stone, stone, Interaction::dry(Friction::sliding(0.6)))?;
//! let mut simulation = Simulation::new(BacktrackingSettings::default(), materials)?;
//! let ground = Solid::cuboid(DVec3::new(10.0, 1.0, 10.0), 2000.0)?;
//! simulation.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5))?)?;
//! let pose = Pose::from_parts(DVec3::Y * 0.7, DQuat::from_rotation_x(0.2));
//! let cube = simulation.add(Solid::cuboid(DVec3::ONE, 2000.0)?.dynamic(stone, pose)?)?;
//! let report = simulation.step(1.0)?;
//! assert!(report.least_gap > 0.0 && report.contacts.len() >= 3);
//! assert!((simulation.body(cube)?.position.y - 0.5).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contact_row;
mod error;
mod flow;
mod impulses;
mod integrator;
mod islands;
mod reactions;
mod report;
mod retreat;
mod sets;
mod settings;
mod settle;
mod step;

pub use error::BacktrackingError;
pub use report::{BacktrackingReport, Event, EventKind, SetContact, StatusCounts, Work};
pub use settings::{BacktrackingSettings, Promoting};

use crate::body::{Body, BodyId};
use crate::material::MaterialTable;
use crate::stepper::Energy;
use crate::world::NewBody;
use sets::{Sets, Trackings};
use std::sync::Arc;

/// Bodies with contact sets. All of it is sequential arithmetic in a fixed order: the same calls give the same bits.
#[derive(Clone, Debug)]
pub struct Simulation {
    settings: BacktrackingSettings,
    materials: MaterialTable,
    bodies: Vec<Body>,
    sets: Sets,
    trackings: Trackings,
    time: f64,
}

impl Simulation {
    /// Nothing yet.
    ///
    /// # Errors
    /// [`BacktrackingError::Setting`].
    pub fn new(settings: BacktrackingSettings, materials: MaterialTable) -> Result<Self, BacktrackingError> {
        settings.check()?;
        let (sets, trackings) = (Sets::default(), Trackings::new());
        Ok(Self { settings, materials, bodies: Vec::new(), sets, trackings, time: 0.0 })
    }

    /// Adds a body behind all others. It must not touch another when the next step begins.
    ///
    /// # Errors
    /// [`BacktrackingError::Script`], [`BacktrackingError::Pieces`], [`BacktrackingError::TooManyBodies`].
    pub fn add(&mut self, new: NewBody) -> Result<BodyId, BacktrackingError> {
        let NewBody { body, shape, groups, script, .. } = new;
        if script.is_some() {
            return Err(BacktrackingError::Script);
        }
        let count = self.bodies.len();
        let id = u32::try_from(count).map(BodyId::new).map_err(|_| BacktrackingError::TooManyBodies(count))?;
        let known = self.sets.solids.iter().find(|solid| Arc::ptr_eq(&solid.shape, &shape));
        let pieces = match known {
            Some(solid) => Arc::clone(&solid.pieces),
            None => Arc::new(shape.pieces()?.clone()),
        };
        let radius = shape.mesh().vertices().iter().map(|v| v.length()).fold(0.0, f64::max);
        self.sets.solids.push(sets::Solid { shape, pieces, radius, groups });
        self.bodies.push(body);
        Ok(id)
    }

    /// The states of all bodies, in the order in which they were added.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// A body.
    ///
    /// # Errors
    /// [`BacktrackingError::UnknownBody`].
    pub fn body(&self, body: BodyId) -> Result<&Body, BacktrackingError> {
        let count = self.bodies.len();
        self.bodies.get(body.index()).ok_or(BacktrackingError::UnknownBody { body, count })
    }

    /// A body, to set its state. The next step refuses states that are not finite and bodies that overlap; contacts go
    /// where their features are no longer near.
    ///
    /// # Errors
    /// [`BacktrackingError::UnknownBody`].
    pub fn body_mut(&mut self, body: BodyId) -> Result<&mut Body, BacktrackingError> {
        let count = self.bodies.len();
        self.bodies.get_mut(body.index()).ok_or(BacktrackingError::UnknownBody { body, count })
    }

    /// The settings.
    pub fn settings(&self) -> &BacktrackingSettings {
        &self.settings
    }

    /// The materials.
    pub fn materials(&self) -> &MaterialTable {
        &self.materials
    }

    /// Since the simulation was made, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Energy of the present state.
    pub fn energy(&self) -> Energy {
        Energy::of(&self.bodies, &self.settings.forces)
    }
}
