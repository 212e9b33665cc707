//! Contacts of jointed bodies with much heavier ones.
//!
//! Sweeps bring a heavy body on light ones to rest by impulses as large as the light ones can give, which takes as many sweeps as it is
//! times as heavy; what carries it is the joints behind them. The normals of such
//! contacts are rows of the system of the joints, which begin with the impulses of the sweeps ("subspace minimization", M. Silcowitz, S.
//! Niebe, K. Erleben, "Projected Gauss-Seidel subspace minimization method for interactive rigid body dynamics", 2010).

use super::row::{Row, Step};
use crate::soft_step::constraint::Rows;
use glam::DVec3;

/// A body is heavy for another one if its mass is so many times as large.
pub const HEAVY: f64 = 8.0;

/// So many contacts of a batch are solved with its joints at most, as all those of one body depend on each other.
pub const MOST: usize = 256;

/// What is added to what an impulse changes in the velocity of its contact, as a share of it: contacts of a face depend on each other.
pub(super) const COMPLIANCE: f64 = 1e-7;

/// Where the impulse of a contact is: its constraint, the lane, and the place in the manifold.
pub type Slot = [usize; 3];

/// A contact.
#[derive(Clone, Copy, Debug)]
pub struct HeavyContact {
    /// From the centres of mass of A and B, m.
    pub arms: [DVec3; 2],
    /// Where the step begins, m.
    pub gap: f64,
    pub slack: f64,
    pub slot: Slot,
}

/// The contacts of a manifold.
#[derive(Clone, Debug)]
pub struct HeavyManifold {
    /// A and B by their places in the batch, and in the list of bodies.
    pub places: [usize; 2],
    pub bodies: [u32; 2],
    pub normal: DVec3,
    pub contacts: Rows<HeavyContact>,
}

/// How bodies that are too deep in each other are taken apart.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parting {
    /// The share of the depth in a second, 1/s.
    pub rate: f64,
    /// m/s at most.
    pub speed: f64,
}

/// The row of a contact that has an impulse already.
pub(super) fn contact_row(k: usize, gap: f64, slack: f64, impulse: f64, (substep, parting): (f64, Parting)) -> Row {
    let over = gap + slack;
    let velocity = if over > 0.0 { -gap.max(0.0) / substep } else { (-parting.rate * over).min(parting.speed) };
    let steps = std::iter::once(Step { velocity, low: -impulse, high: f64::INFINITY }).collect();
    Row::bounded(k, steps, 0.0)
}
