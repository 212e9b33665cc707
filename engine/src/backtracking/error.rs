//! Why bodies cannot be moved on.

use crate::body::BodyId;
use crate::material::MaterialError;
use crate::solver::SolverError;
use drystone_contact::vclip::hierarchy::HierarchyError;

/// Why a simulation with contact sets cannot take a body or make a step. After an error the bodies are as they were at
/// the last accepted time.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BacktrackingError {
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
    /// No such body.
    #[error("there is no {body}; the simulation has {count}")]
    UnknownBody {
        /// The body that was asked for.
        body: BodyId,
        /// How many there are.
        count: usize,
    },
    /// More bodies than can be counted.
    #[error("there are {0} bodies already, as many as can be counted")]
    TooManyBodies(usize),
    /// Bodies of this simulation follow no scripts.
    #[error("the body has a script; here kinematic bodies keep their velocities")]
    Script,
    /// The shape cannot be cut into convex pieces.
    #[error("the shape has no convex pieces: {0}")]
    Pieces(#[from] HierarchyError),
    /// A body is nowhere.
    #[error("{body} has a position or velocity that is not finite, or an orientation that is no rotation")]
    State {
        /// The body.
        body: BodyId,
    },
    /// Two bodies in contact have no friction between their materials.
    #[error("{a} and {b} touch: {source}")]
    Material {
        /// The first body.
        a: BodyId,
        /// The second body.
        b: BodyId,
        /// What is missing.
        source: MaterialError,
    },
    /// Two bodies overlap or touch before the step.
    #[error("{a} and {b} overlap before the step (pieces {} and {}); bodies must start apart", pieces[0], pieces[1])]
    Overlapping {
        /// The first body.
        a: BodyId,
        /// The second body.
        b: BodyId,
        /// Their pieces.
        pieces: [u32; 2],
    },
    /// Two bodies come into each other, and no contact that could be added or stopped keeps them apart.
    #[error("{a} and {b} come into each other at {time} s (pieces {} and {}), and no contact keeps them apart", pieces[0], pieces[1])]
    Unresolved {
        /// The first body.
        a: BodyId,
        /// The second body.
        b: BodyId,
        /// Their pieces.
        pieces: [u32; 2],
        /// The last accepted time, s.
        time: f64,
    },
    /// Forces or impulses could not be found.
    #[error("the contacts of the bodies that {body} touches, directly or through others: {source}")]
    Solver {
        /// A body of the island.
        body: BodyId,
        /// What is wrong; contacts and bodies are numbered within the island.
        source: SolverError,
    },
}
