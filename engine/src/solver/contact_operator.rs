//! What a solver asks of a contact problem: velocities at contacts, and how impulses change them.
//!
//! The problem is: impulses λ, relative velocities u = Aλ + b, and at every contact k a law between λ_k and u_k. A is
//! symmetric and positive semidefinite. A Gauss–Seidel method needs one block of rows of A at a time, applied to the newest
//! impulses; it never needs to know whether A = J M⁻¹ Jᵀ is kept in factors ([`ContactProblem`]) or formed
//! ([`Delassus`](super::Delassus)).

use super::contact_problem::ContactProblem;
use super::{Impulse, Twist};

/// A contact problem as the solver sees it. Rows of a contact are in the order of an [`Impulse`]; `contact` counts from
/// zero and is below [`contact_count`](ContactOperator::contact_count).
pub trait ContactOperator {
    /// What the impulses of all contacts do, kept up to date from contact to contact: the changes of the bodies' twists,
    /// or the relative velocities themselves.
    type Motion: Clone;

    /// How many contacts there are.
    fn contact_count(&self) -> usize;

    /// Friction coefficients in the order s, t, torsion.
    fn friction(&self, contact: usize) -> [f64; 3];

    /// What the given impulses do, one per contact. No impulses at all count as zero.
    fn motion(&self, impulses: &[Impulse]) -> Self::Motion;

    /// The relative velocity u_k = (Aλ + b)_k at a contact (m/s; rad/s for torsion).
    fn velocity(&self, contact: usize, motion: &Self::Motion) -> [f64; 4];

    /// Adds the effect of an additional impulse at a contact.
    fn push(&self, contact: usize, impulse: &Impulse, motion: &mut Self::Motion);

    /// The contact's own block of A, `block[row][column]`; symmetric.
    fn diagonal_block(&self, contact: usize) -> [[f64; 4]; 4];
}

impl ContactOperator for ContactProblem {
    type Motion = Vec<Twist>;

    fn contact_count(&self) -> usize {
        self.contacts().len()
    }

    #[inline]
    fn friction(&self, contact: usize) -> [f64; 3] {
        self.contacts()[contact].friction
    }

    fn motion(&self, impulses: &[Impulse]) -> Self::Motion {
        let mut changes = vec![[0.0; 6]; self.body_count()];
        for (rows, impulse) in self.contacts().iter().zip(impulses) {
            rows.push(impulse, &mut changes);
        }
        changes
    }

    #[inline]
    fn velocity(&self, contact: usize, motion: &Self::Motion) -> [f64; 4] {
        let rows = &self.contacts()[contact];
        let gained = rows.relative_velocity(motion);
        std::array::from_fn(|i| gained[i] + rows.bias[i])
    }

    #[inline]
    fn push(&self, contact: usize, impulse: &Impulse, motion: &mut Self::Motion) {
        self.contacts()[contact].push(impulse, motion);
    }

    fn diagonal_block(&self, contact: usize) -> [[f64; 4]; 4] {
        self.contacts()[contact].diagonal_block()
    }
}
