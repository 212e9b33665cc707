//! Bodies that move: rigid bodies, the friction between their materials, a contact solver, a time stepper and a world.
//!
//! A [`World`] holds bodies with their shapes, finds the pairs that are close, asks a contact generator about them,
//! solves for the impulses at the contacts and moves the bodies. [`step`] does the same for a slice of bodies whose
//! contacts a callback finds. The solver does not know where a contact comes from.
//!
//! Conventions, everywhere: metres, kilograms, seconds, radians; right-handed frames; y is up in scenes; contact
//! normals point from body A to body B in world coordinates.

/// The examples of the guides are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../docs/embedding.md")]
#[doc = include_str!("../../docs/queries.md")]
#[doc = include_str!("../../docs/events.md")]
mod guides {}

pub mod body;
pub mod broad_phase;
pub mod ccd;
mod compressed_rows;
pub mod external_forces;
pub mod gyroscopic;
pub mod handle;
mod interruption;
mod islands;
pub mod joint;
mod lap;
pub mod material;
pub mod matrix;
pub mod motion;
pub mod new_body;
pub mod overlap;
mod pair_filter;
pub mod prescribed_motion;
pub mod query;
pub mod recording;
pub mod simulator;
pub mod soft_step;
pub mod solver;
pub mod stepper;
pub mod vtk;
pub mod world;

/// Shapes, contact generators and queries of shapes.
pub use drystone_contact as contact;
/// Vectors and rotations.
pub use glam;

pub use body::{Body, BodyError, BodyId, BodyKind, Pose};
pub use ccd::{CcdReport, CcdSettings};
pub use external_forces::ExternalForces;
pub use handle::BodyHandle;
pub use interruption::{Interrupted, Interruption};
pub use joint::{Joint, JointHandle, JointKind, NewJoint};
pub use material::{Combine, CombineRules, Friction, Interaction, Material, MaterialError, MaterialId, MaterialTable};
pub use new_body::{Groups, NewBody, Solid, SolidError};
pub use overlap::{BodyOverlap, BodyOverlapError, OverlapAudit};
pub use prescribed_motion::{Phase, PrescribedMotion, PrescribedMotionError};
pub use simulator::backtracking;
pub use stepper::{ContactBetween, DetectionError, Energy, Scheme, StepError, StepReport, StepSettings, step};
pub use world::{World, WorldError, WorldReport, WorldSettings};
