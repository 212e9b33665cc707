//! The r-factors: how far the proximal iteration steps along the residual velocity of each contact.

use super::SolverError;
use super::contact_problem::{ContactProblem, ContactRows};
use crate::matrix::Matrix;
use drystone_contact::precision::Vector;
use num_traits::Float;

/// How the r-factors are chosen, and by what share ν they shrink when a sweep diverges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RFactor {
    /// One factor r for every row (N s per m/s).
    Global {
        /// The factor at the start.
        r: f64,
        /// ν, above 0 and at most 1.
        reduction: f64,
    },
    /// One factor for each row: one over its diagonal entry of A.
    Local {
        /// ν, above 0 and at most 1.
        reduction: f64,
    },
    /// One over the diagonal entry for the normal, the inverse of the 3×3 block for friction.
    Blocked {
        /// ν, above 0 and at most 1.
        reduction: f64,
    },
}

impl RFactor {
    /// The global strategy with the published numbers.
    pub const GLOBAL: Self = Self::Global { r: 5.0, reduction: 0.1 };
    /// The local strategy with the published reduction.
    pub const LOCAL: Self = Self::Local { reduction: 0.9 };
    /// The blocked strategy, which never shrinks.
    pub const BLOCKED: Self = Self::Blocked { reduction: 1.0 };

    /// The reduction factor ν.
    pub fn reduction(self) -> f64 {
        match self {
            Self::Global { reduction, .. } | Self::Local { reduction } | Self::Blocked { reduction } => reduction,
        }
    }

    /// The factors of every contact.
    ///
    /// # Errors
    /// [`SolverError::Setting`] for a factor or reduction out of range, [`SolverError::SingularBlock`].
    pub fn blocks<V: Vector>(self, problem: &ContactProblem<V>) -> Result<Vec<RBlock<V>>, SolverError> {
        let reduction = self.reduction();
        if !(reduction > 0.0 && reduction <= 1.0) {
            let allowed = "it must be above 0 and at most 1";
            return Err(SolverError::Setting { setting: "the r-factor reduction", value: reduction, allowed });
        }
        if let Self::Global { r, .. } = self
            && !(r.is_finite() && r > 0.0)
        {
            let allowed = "it must be finite and above 0";
            return Err(SolverError::Setting { setting: "the global r-factor", value: r, allowed });
        }
        problem.contacts().iter().enumerate().map(|(contact, rows)| self.block(contact, rows)).collect()
    }

    fn block<V: Vector>(self, contact: usize, rows: &ContactRows<V::Real>) -> Result<RBlock<V>, SolverError> {
        let a = rows.diagonal_block();
        let diagonal = |entry: [V::Real; 3]| Matrix::diagonal(V::from_coordinates(entry[0], entry[1], entry[2]));
        match self {
            Self::Global { r, .. } => Ok(RBlock { normal: V::real(r), friction: diagonal([V::real(r); 3]) }),
            Self::Local { .. } => {
                let [normal, s, t, torsion] = [0, 1, 2, 3].map(|i| a[i][i].recip());
                Ok(RBlock { normal, friction: diagonal([s, t, torsion]) })
            }
            Self::Blocked { .. } => {
                let columns = [1, 2, 3].map(|c| V::from_coordinates(a[1][c], a[2][c], a[3][c]));
                let friction = Matrix::from_columns(columns).inverse();
                if !friction.is_finite() {
                    return Err(SolverError::SingularBlock { contact });
                }
                Ok(RBlock { normal: a[0][0].recip(), friction })
            }
        }
    }
}

/// The r-factors of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RBlock<V: Vector> {
    /// For the normal row.
    pub normal: V::Real,
    /// For the rows s, t, torsion.
    pub friction: Matrix<V>,
}

impl<V: Vector> RBlock<V> {
    /// All factors multiplied by `share`.
    pub fn scaled(&self, share: V::Real) -> Self {
        Self { normal: self.normal * share, friction: self.friction.scaled(share) }
    }
}
