//! Drystone in a Bevy application: bodies as components, a fixed time step, contact events, contacts drawn.
//!
//! [`DrystonePlugin`] holds a [`World`](drystone_engine::World) in the resource [`Physics`]. An entity with a [`RigidBody`]
//! is a body of that world; after each step its [`BodyPose`] and [`Velocity`] say its state in double precision, and its
//! `Transform` follows. [`ContactStarted`], [`ContactEnded`] and the resource [`Contacts`] say who touches whom, with
//! normals that point from A to B; sensors, sleeping and joints that break have messages of their own. An entity with a [`RigidJoint`]
//! is a joint. A step that fails stops the physics and says why in a [`StepFailed`].
//!
//! The [`draw`] module draws bodies, contacts, areas and lines from plain data, with or without the physics; its one
//! configuration is [`draw::Layers`].
//!
//! Metres are Bevy's units, y is up, frames are right-handed; see `docs/bevy.md`.
//!
//! ```
//! use bevy::prelude::*;
//! use drystone_bevy::{DEFAULT_MATERIAL, DrystonePlugin, RigidBody};
//! use drystone_engine::{Pose, Solid};
//! use glam::DVec3;
//!
//! fn set_up(mut commands: Commands) -> Result {
//!     let ground = Solid::cuboid(DVec3::new(10.0, 1.0, 10.0), 2000.0)?;
//!     commands.spawn(RigidBody::fixed(&ground, DEFAULT_MATERIAL, Pose::from_translation(DVec3::NEG_Y * 0.5))?);
//!     let cube = Solid::cuboid(DVec3::ONE, 2000.0)?;
//!     commands.spawn(RigidBody::dynamic(&cube, DEFAULT_MATERIAL, Pose::from_translation(DVec3::Y * 2.0))?);
//!     Ok(())
//! }
//!
//! // With a window: DefaultPlugins in place of MinimalPlugins, a camera and a light.
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, DrystonePlugin::default())).add_systems(Startup, set_up);
//! app.update();
//! # assert_eq!(app.world().resource::<drystone_bevy::Physics>().world().bodies().len(), 2);
//! ```

pub mod draw;
mod physics;

pub use physics::{
    BodyPose, BodyRefused, ContactBetweenEntities, ContactEnded, ContactPersisted, ContactStarted, Contacts,
    DEFAULT_MATERIAL, DrystonePlugin, ExternalForce, FellAsleep, JointBroke, JointProblem, JointRefused, Pause,
    Physics, PhysicsError, PhysicsMarks, PhysicsSystems, RigidBody, RigidJoint, SensorEntered, SensorLeft, StepFailed,
    TouchingPair, Velocity, WokeUp,
};
