//! Bodies that move: rigid bodies, the friction between their materials, a contact solver and a time stepper.
//!
//! A step asks a callback for the contacts between the bodies, solves for the impulses at the contacts and moves the
//! bodies. The engine does not know the shapes of its bodies; the solver does not know where a contact comes from.
//!
//! Conventions, everywhere: metres, kilograms, seconds, radians; right-handed frames; y is up in scenes; contact
//! normals point from body A to body B in world coordinates.

pub mod body;
pub mod external_forces;
pub mod material;
pub mod matrix;
pub mod motion;
pub mod script;
pub mod solver;
pub mod stepper;

pub use body::{Body, BodyError, BodyId, BodyKind, Pose};
pub use external_forces::ExternalForces;
pub use material::{Friction, Interaction, MaterialError, MaterialId, MaterialTable};
pub use script::{Phase, Script, ScriptError};
pub use stepper::{ContactBetween, DetectionError, Energy, Scheme, StepError, StepReport, StepSettings, step};
