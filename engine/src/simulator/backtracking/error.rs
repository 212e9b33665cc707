//! Why bodies cannot be moved on.

use crate::handle::BodyHandle;
use crate::material::MaterialError;
use crate::solver::SolverError;
use drystone_contact::generator::GeneratorError;

/// Why the backtracking simulator cannot take a body or make a step. After an error the bodies are as they were at
/// the last accepted time.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BacktrackingError {
    /// A new body with something that this simulator does not have.
    #[error(
        "the backtracking simulator has no sensors, user data, or damping, gravity scale and constant forces of single bodies; leave them out, or use a World"
    )]
    Unsupported,
    /// A setting out of range.
    #[error("{setting} is {value}; see the documentation of the settings for what is allowed")]
    Setting {
        /// Which setting.
        setting: &'static str,
        /// The value that was given.
        value: f64,
    },
    /// The time step is not a positive number.
    #[error("the time step is {0} s; give a finite time above zero")]
    TimeStep(f64),
    /// The handle names no body of this simulator any more, or never did.
    #[error("{0} is not in this simulator; it has been removed, or the handle belongs to another one")]
    Stale(BodyHandle),
    /// More bodies than handles.
    #[error("the simulator holds {0} bodies, which is as many as handles can count")]
    TooManyBodies(usize),
    /// A pair of a body with itself.
    #[error("{0} was given twice; a pair consists of two bodies")]
    OneBody(BodyHandle),
    /// Prescribed motion.
    #[error(
        "backtracking has no prescribed motion: kinematic bodies keep their velocities; leave the prescribed motion out"
    )]
    PrescribedMotion,
    /// A force or torque from outside.
    #[error("backtracking has no external wrenches but gravity and damping; leave the force or torque on {0} out")]
    ExternalWrench(BodyHandle),
    /// The shape cannot be cut into convex pieces.
    #[error(transparent)]
    Pieces(#[from] GeneratorError),
    /// A body state that is not finite.
    #[error("{body} has a position or velocity that is not finite, or an orientation that is no rotation")]
    State {
        /// The body.
        body: BodyHandle,
    },
    /// Two bodies in contact have no friction between their materials.
    #[error("{a} and {b} touch: {source}")]
    Material {
        /// The first body.
        a: BodyHandle,
        /// The second body.
        b: BodyHandle,
        /// What is missing.
        source: MaterialError,
    },
    /// Two bodies overlap or touch before the step.
    #[error("{a} and {b} overlap before the step (pieces {} and {}); bodies must start apart for backtracking", pieces[0], pieces[1])]
    Overlapping {
        /// The first body.
        a: BodyHandle,
        /// The second body.
        b: BodyHandle,
        /// Their pieces.
        pieces: [u32; 2],
    },
    /// Two bodies come into each other, and no contact that could be added or stopped keeps them apart.
    #[error("{a} and {b} come into each other at {time} s (pieces {} and {}), and no contact keeps them apart", pieces[0], pieces[1])]
    Unresolved {
        /// The first body.
        a: BodyHandle,
        /// The second body.
        b: BodyHandle,
        /// Their pieces.
        pieces: [u32; 2],
        /// The last accepted time, s.
        time: f64,
    },
    /// Forces or impulses could not be found.
    #[error("the contacts of the bodies that {body} touches, directly or through others: {source}")]
    Solver {
        /// A body of the island.
        body: BodyHandle,
        /// What is wrong; contacts and bodies are numbered within the island.
        source: SolverError,
    },
}
