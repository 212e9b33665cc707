//! Asynchronous mechanics of deformable surfaces: every force has a clock of its own, and all clocks share one queue.
//!
//! A vertex runs straight between kicks. A force, when its clock ticks, advances the vertices of its stencil alone and changes
//! their velocities by Δt F; the step of a clock is fixed, so that each force is integrated symplectically, and it follows from
//! stiffness and mass by rule ([`spring`], [`hinge`]). Times are whole ticks ([`clock`]): nothing accumulates, and steps
//! that are powers of two keep the clocks of neighbours in phase, without which they would resonate.
//!
//! Internal forces do not change the momentum or the angular momentum; the energy oscillates about its value with the square of the
//! steps.
//!
//! Source: Harmon, Vouga, Smith, Tamstorf, Grinspun, "Asynchronous contact mechanics", Communications of the ACM 55 (2012), section 2.

pub mod clock;
mod error;
pub mod hinge;
pub mod queue;
mod simulation;
pub mod spring;
mod surface;
mod vertices;

pub use clock::{Clock, Ticks};
pub use error::AsynchronousError;
pub use hinge::Hinge;
pub use queue::EventQueue;
pub use simulation::{AsynchronousSimulation, Energies};
pub use spring::Spring;
pub use surface::{DeformableSurface, SurfaceMaterial};
pub use vertices::Vertices;

#[cfg(test)]
mod tests;
