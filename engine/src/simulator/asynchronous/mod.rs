//! Asynchronous mechanics of deformable surfaces: every force has a clock of its own, and all clocks share one queue.
//!
//! A vertex runs straight between kicks. A force, when its clock ticks, advances the vertices of its stencil alone and changes
//! their velocities by Δt F; the step of a clock is fixed, so that each force is integrated symplectically, and it follows from
//! stiffness and mass by rule ([`spring`], [`membrane`], [`hinge`]). Times are whole ticks ([`clock`]): nothing accumulates, and steps
//! that are powers of two keep the clocks of neighbours in phase, without which they would resonate.
//!
//! Internal forces do not change the momentum or the angular momentum; the energy oscillates about its value with the square of the
//! steps.
//!
//! Contact ([`ContactLaw`]) is a force as well: [`layers`] of penalties, ever stiffer and with ever shorter steps as two features get nearer, of
//! which only those are active that a pair has got to. That no other is needed is certified by [`slab`]s, and for all pairs that are far
//! from each other by [`fat_boxes`]. Whatever its parameters, nothing passes through anything; where motion leaves no room, the
//! simulation ends with an error that names the place.
//!
//! Solids that are nearly rigid are affine bodies ([`affine_body`]), and those that no force moves [`obstacle`]s: their vertices run straight as
//! all others do.
//!
//! Source: Harmon, Vouga, Smith, Tamstorf, Grinspun, "Asynchronous contact mechanics", Communications of the ACM 55 (2012), sections 2 to 5.

pub mod affine_body;
mod blocks;
pub mod box_tree;
pub mod clock;
mod contact_report;
pub mod contacts;
mod elasticity;
mod energies;
mod error;
pub mod fat_boxes;
pub mod features;
mod force_key;
mod friction;
mod hierarchical_contacts;
pub mod hinge;
mod intersection;
pub mod kinetic_hierarchy;
pub mod layers;
pub mod membrane;
pub mod obstacle;
pub mod pairs;
mod parts;
mod penalty;
mod profile;
pub mod queue;
mod report;
pub mod separation;
mod simulation;
mod simulator;
pub mod slab;
mod snapshot;
pub mod speculative;
pub mod spring;
mod surface;
mod vertex_steps;
mod vertices;

pub use affine_body::{AffineBody, AffineMaterial};
pub use clock::{Clock, Ticks};
pub use contact_report::ContactReport;
pub use contacts::Contacts;
pub use energies::Energies;
pub use error::AsynchronousError;
pub use force_key::ForceKey;
pub use hinge::Hinge;
pub use kinetic_hierarchy::HierarchyReport;
pub use layers::ContactLaw;
pub use membrane::{Membrane, MembraneMaterial};
pub use obstacle::Obstacle;
pub use profile::{EventKind, EventProfile};
pub use queue::EventQueue;
pub use report::AsynchronousReport;
pub use simulation::{AsynchronousSimulation, VelocityKey};
pub use simulator::AsynchronousSimulator;
pub use snapshot::AsynchronousSnapshot;
pub use speculative::{WindowReport, Windows};
pub use spring::Spring;
pub use surface::{DeformableSurface, SurfaceMaterial};
pub use vertex_steps::VertexSteps;
pub use vertices::Vertices;

#[cfg(test)]
mod tests;
