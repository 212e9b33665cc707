//! Contact impulses: from contacts to one impulse of four components each.
//!
//! The solver knows masses, velocities, contact points and directions; it does not know shapes, poses or forces. The
//! formulation is the proximal-point one of Erleben, "Rigid body contact problems using proximal operators" (SCA 2017):
//! find λ with λ = prox_C(λ − R(Aλ + b)), where A = J M⁻¹ Jᵀ, b holds the relative velocities without contact
//! impulses, C bounds the friction of each contact by its normal impulse, and R > 0 scales the step.
//!
//! Sums are taken in a fixed order: results are the same bits everywhere.

pub mod bounded_row;
mod conjugate;
pub mod contact_block;
pub mod contact_operator;
pub mod contact_problem;
pub mod contact_solver;
pub mod delassus;
pub mod friction;
pub mod global;
pub mod natural_map;
pub mod proximal;
pub mod proximal_rows;
pub mod r_factor;
pub mod rollback;
pub mod svd;

pub use bounded_row::BoundedRow;
pub use contact_block::solve_one_contact;
pub use contact_operator::ContactOperator;
pub use contact_problem::{ContactProblem, ContactRows, SolverBody, SolverContact};
pub use contact_solver::ContactSolver;
pub use delassus::{Delassus, DelassusBlock, DelassusContact};
pub use friction::FrictionModel;
pub use global::{GlobalReport, GlobalSettings, GlobalStatus};
pub use natural_map::{ResidualScale, natural_residual};
pub use proximal::{Solution, SolverSettings, Stop, solve};
pub use r_factor::RFactor;
pub use rollback::Rollback;
pub use svd::{SvdReport, SvdSettings, SvdStatus, solve_forces};

use crate::body::BodyId;
use glam::DVec3;

/// Components of one contact impulse, in the order normal, s, t (N s) and torsion (N m s).
pub type Impulse = [f64; 4];

/// Velocity of a body: three linear components (m/s), then three angular ones (rad/s), world frame.
pub type Twist = [f64; 6];

/// Puts a linear and an angular velocity (world frame) together.
pub fn twist(linear: DVec3, angular: DVec3) -> Twist {
    let ([x, y, z], [p, q, r]) = (linear.to_array(), angular.to_array());
    [x, y, z, p, q, r]
}

/// What keeps a contact problem from being solved.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SolverError {
    /// A contact names a body that is not in the list.
    #[error("contact {contact} names {body}, but there are {count} bodies")]
    UnknownBody {
        /// The contact, from zero.
        contact: usize,
        /// The body it names.
        body: BodyId,
        /// How many bodies there are.
        count: usize,
    },
    /// A contact of a body with itself.
    #[error("contact {contact} lies between {body} and itself")]
    SameBody {
        /// The contact, from zero.
        contact: usize,
        /// The body.
        body: BodyId,
    },
    /// A contact between two bodies that cannot move.
    #[error("contact {contact} lies between {a} and {b}, which are both fixed; leave such pairs out")]
    Immovable {
        /// The contact, from zero.
        contact: usize,
        /// The first body.
        a: BodyId,
        /// The second body.
        b: BodyId,
    },
    /// A normal that gives no direction.
    #[error("contact {contact} has the normal {normal}; it must be finite and not zero")]
    Normal {
        /// The contact, from zero.
        contact: usize,
        /// The normal that was given.
        normal: DVec3,
    },
    /// A contact point, velocity, mass or coefficient that is not finite.
    #[error("contact {contact} leads to rows that are not finite; check its position and the state of its bodies")]
    Rows {
        /// The contact, from zero.
        contact: usize,
    },
    /// A contact whose own block gives no velocity per impulse.
    #[error("contact {contact} does not respond to impulses; the diagonal of its block must be finite and above zero")]
    Unresponsive {
        /// The contact, from zero.
        contact: usize,
    },
    /// A block of a Delassus matrix that cannot be used.
    #[error("the block at row {row}, column {column}: {reason}")]
    Block {
        /// Row of blocks, from zero.
        row: usize,
        /// Column of blocks, from zero.
        column: usize,
        /// What is wrong.
        reason: &'static str,
    },
    /// Another number of initial impulses than of contacts.
    #[error("{given} initial impulses for {expected} contacts")]
    InitialImpulses {
        /// How many contacts there are.
        expected: usize,
        /// How many impulses were given.
        given: usize,
    },
    /// Joints that no solver takes.
    #[error(
        "the global solver takes joints with friction of balls and ellipsoids alone, and with bodies that can turn; choose another friction model, or the soft step"
    )]
    UnsupportedRows,
    /// A setting out of range.
    #[error("{setting} is {value}; {allowed}")]
    Setting {
        /// Which setting.
        setting: &'static str,
        /// The value that was given.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// The solve was given up, as an [`Interruption`](crate::Interruption) wanted.
    #[error(transparent)]
    Interrupted(#[from] crate::interruption::Interrupted),
    /// The iterates grew without bound.
    #[error(
        "the impulses stopped being finite in sweep {sweep}; use the exact or the blocked strategy, or a smaller global r-factor"
    )]
    NotFinite {
        /// The sweep, from zero.
        sweep: usize,
    },
}
