//! One contact on its own: the impulse that its law asks for when all other impulses stay.
//!
//! With the contact's block A of the Delassus matrix and the velocity q that it has without its own impulse, u = Aλ + q.
//!
//! *Friction for a given normal impulse* minimises ½ xᵀA_ff x + bᵀx over the allowed set: the exact projection in the
//! metric of A_ff. For ball and ellipsoid x = D y with D the semi-axes per unit of normal impulse, |y| ≤ λ_n; in the
//! eigenvectors of D A_ff D the minimum is y_i = −c_i / (e_i + τ), where τ is zero inside and otherwise the root of
//! |y(τ)| = λ_n, found by Newton's method on 1/|y| (Moré and Sorensen, "Computing a trust region step", 1983, section
//! 3). For the box each row is minimised in turn.
//!
//! *Normal and friction together*: with friction x(λ_n) as above, u_n(λ_n) = A_nn λ_n + A_nf x(λ_n) + q_n is continuous.
//! If q_n ≥ 0 the contact opens. Otherwise u_n is negative at zero and positive for large λ_n, where the contact sticks,
//! and the root between is bracketed and found by the Illinois form of false position. So an answer always exists;
//! for large coefficients there may be others.

use super::friction::FrictionModel;
use super::{Impulse, SolverError};

/// Newton steps at most for τ; the iteration rises monotonically and takes about four.
const NEWTON_LIMIT: usize = 50;
/// Rounds at most over the rows of a friction box.
const ROUND_LIMIT: usize = 1000;
/// Doublings and false-position steps at most for the normal impulse; about five are usual.
const ROOT_LIMIT: usize = 100;

/// The exact impulse of a single contact: `block[row][column]` takes its impulse to its velocity (symmetric, positive
/// semidefinite), `velocity` is its velocity without any impulse; rows in the order of an [`Impulse`], `friction` in the
/// order s, t, torsion.
///
/// # Errors
/// [`SolverError::Unresponsive`] if a diagonal entry is not finite and above zero, [`SolverError::Rows`] if another number
/// is not finite.
pub fn solve_one_contact(
    block: &[[f64; 4]; 4],
    velocity: &[f64; 4],
    friction: &[f64; 3],
    model: FrictionModel,
) -> Result<Impulse, SolverError> {
    if !velocity.iter().chain(friction).all(|x| x.is_finite()) {
        return Err(SolverError::Rows { contact: 0 });
    }
    let block = ContactBlock::new(0, *block, *friction, model)?;
    Ok(block.impulse(velocity, 0.0))
}

/// A contact's own block, prepared.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactBlock {
    a: [[f64; 4]; 4],
    model: FrictionModel,
    /// Half-sides of the box or semi-axes per unit of normal impulse; a ball has three equal ones.
    axes: [f64; 3],
    /// Eigenvalues of D A_ff D (D is one for a box), raised to what rounding leaves of zero.
    eigenvalues: [f64; 3],
    /// The eigenvectors times D: `directions[k]` is a friction impulse.
    directions: [[f64; 3]; 3],
}

impl ContactBlock {
    /// Prepares the block of a contact.
    pub(super) fn new(
        contact: usize,
        a: [[f64; 4]; 4],
        friction: [f64; 3],
        model: FrictionModel,
    ) -> Result<Self, SolverError> {
        let responsive = |i: usize| a[i][i].is_finite() && a[i][i] > 0.0;
        if !((0..4).all(responsive) && a.iter().flatten().all(|x| x.is_finite())) {
            return Err(SolverError::Unresponsive { contact });
        }
        let axes = if model == FrictionModel::Ball { [friction[0]; 3] } else { friction };
        // The box has no metric to be scaled to; its eigenvectors serve where friction holds.
        let d = if model == FrictionModel::Box { [1.0; 3] } else { axes };
        let scaled = std::array::from_fn(|i| std::array::from_fn(|j| d[i] * a[i + 1][j + 1] * d[j]));
        let (values, vectors) = eigen(scaled);
        let largest = values.into_iter().fold(0.0, f64::max);
        let least = largest * f64::EPSILON * 16.0;
        let directions = vectors.map(|v| std::array::from_fn(|i| d[i] * v[i]));
        Ok(Self { a, model, axes, eigenvalues: values.map(|e| e.max(least)), directions })
    }

    /// The velocity that an impulse of this contact gives it.
    #[inline]
    pub(super) fn response(&self, impulse: &Impulse) -> [f64; 4] {
        let [n, s, t, torsion] = *impulse;
        std::array::from_fn(|i| self.a[i][0] * n + self.a[i][1] * s + self.a[i][2] * t + self.a[i][3] * torsion)
    }

    /// The normal impulse that stops the approach of the present velocity `u`, and the friction that is best for it.
    /// `impulse` is the present one; the change of the normal impulse is seen by friction, that of friction is not seen
    /// by the normal.
    #[inline]
    pub(super) fn normal_then_friction(&self, impulse: &Impulse, u: &[f64; 4]) -> Impulse {
        let target = impulse[0] - u[0] / self.a[0][0];
        let normal = if target <= 0.0 { 0.0 } else { target };
        let own = self.response(impulse);
        let q = [1, 2, 3].map(|i| u[i] - own[i] + self.a[i][0] * normal);
        let [s, t, torsion] = self.friction(q, normal);
        [normal, s, t, torsion]
    }

    /// The impulse that satisfies the contact's law, where `q` is its velocity without any impulse of its own. `guess` is
    /// a normal impulse to start from.
    pub(super) fn impulse(&self, q: &[f64; 4], guess: f64) -> Impulse {
        if q[0] >= 0.0 {
            return [0.0; 4];
        }
        let evaluate = |normal: f64| {
            let free = [1, 2, 3].map(|i| q[i] + self.a[i][0] * normal);
            let f = self.friction(free, normal);
            let coupling = self.a[0][1] * f[0] + self.a[0][2] * f[1] + self.a[0][3] * f[2];
            (q[0] + self.a[0][0] * normal + coupling, [normal, f[0], f[1], f[2]])
        };
        let enough = 3.0 * f64::EPSILON * -q[0];
        let mut low = (0.0, q[0]);
        let mut high: Option<(f64, f64)> = None;
        let mut normal = if guess > 0.0 && guess.is_finite() { guess } else { -q[0] / self.a[0][0] };
        let (mut best, mut best_u) = ([0.0; 4], -q[0]);
        let mut same_side = 0i32;
        for round in 0..ROOT_LIMIT {
            let (u, found) = evaluate(normal);
            if u.abs() < best_u {
                (best, best_u) = (found, u.abs());
            }
            if u.abs() <= enough || u.is_nan() {
                break;
            }
            // Illinois: an end that stays twice in a row counts half.
            if u < 0.0 {
                low = (normal, u);
                same_side = same_side.min(0) - 1;
                if let Some(high) = high.as_mut().filter(|_| same_side < -1) {
                    high.1 /= 2.0;
                }
            } else {
                high = Some((normal, u));
                same_side = same_side.max(0) + 1;
                if same_side > 1 {
                    low.1 /= 2.0;
                }
            }
            let next = match high {
                Some(high) => (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1),
                // The first step is exact where friction does not change; doubling makes sure of an upper end.
                None if round == 0 => normal - u / self.a[0][0],
                None => (normal - u / self.a[0][0]) * 2.0,
            };
            if next <= low.0 || high.is_some_and(|high| next >= high.0) {
                break;
            }
            normal = next;
        }
        best
    }

    /// The friction impulse that minimises ½ xᵀA_ff x + qᵀx within what `normal` allows.
    #[inline]
    fn friction(&self, q: [f64; 3], normal: f64) -> [f64; 3] {
        if normal <= 0.0 {
            return [0.0; 3];
        }
        match self.model {
            FrictionModel::Box => self.box_friction(q, normal),
            FrictionModel::Ball | FrictionModel::Ellipsoid => self.round_friction(q, normal),
        }
    }

    /// The impulse −Σ d_k y_k of coordinates along the directions.
    #[inline]
    fn along_directions(&self, y: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| -(0..3).fold(0.0, |sum, k| sum + self.directions[k][i] * y[k]))
    }

    fn round_friction(&self, q: [f64; 3], normal: f64) -> [f64; 3] {
        let e = &self.eigenvalues;
        if e[0].max(e[1]).max(e[2]) <= 0.0 {
            return [0.0; 3];
        }
        let c = self.directions.map(|d| d[0] * q[0] + d[1] * q[1] + d[2] * q[2]);
        let point = |tau: f64| -> [f64; 3] { std::array::from_fn(|k| c[k] / (e[k] + tau)) };
        let square = |y: &[f64; 3]| y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
        let mut y = point(0.0);
        let mut length = square(&y).sqrt();
        if length > normal {
            let size = square(&c).sqrt();
            // |y(τ)| lies between |c|/(e_max + τ) and |c|/(e_min + τ).
            let (least, most) = (e[0].min(e[1]).min(e[2]), e[0].max(e[1]).max(e[2]));
            let mut tau = (size / normal - most).max(0.0);
            let ceiling = (size / normal - least).max(tau);
            for _ in 0..NEWTON_LIMIT {
                y = point(tau);
                length = square(&y).sqrt();
                let slope = (0..3).fold(0.0, |sum, k| sum + y[k] * y[k] / (e[k] + tau));
                let next = (tau + (length - normal) / normal * (length * length / slope)).min(ceiling);
                if next <= tau || next.is_nan() {
                    break;
                }
                tau = next;
            }
            // Onto the boundary to the last bit that can be had.
            let share = normal / length;
            y = y.map(|x| x * share);
        }
        self.along_directions(y)
    }

    fn box_friction(&self, q: [f64; 3], normal: f64) -> [f64; 3] {
        let half = self.axes.map(|axis| axis * normal);
        let within = |i: usize, value: f64| value.max(-half[i]).min(half[i]);
        let c = self.directions.map(|d| d[0] * q[0] + d[1] * q[1] + d[2] * q[2]);
        let free = self.along_directions(std::array::from_fn(|k| c[k] / self.eigenvalues[k]));
        if (0..3).all(|i| free[i].abs() <= half[i]) {
            return free;
        }
        let mut x: [f64; 3] = std::array::from_fn(|i| within(i, free[i]));
        for _ in 0..ROUND_LIMIT {
            let before = x;
            for i in 0..3 {
                let row = &self.a[i + 1];
                let u = q[i] + row[1] * x[0] + row[2] * x[1] + row[3] * x[2];
                x[i] = within(i, x[i] - u / row[i + 1]);
            }
            let size = half.into_iter().fold(0.0, f64::max);
            if (0..3).all(|i| (x[i] - before[i]).abs() <= f64::EPSILON * size) {
                break;
            }
        }
        x
    }
}

/// The largest eigenvalue of a contact's friction block.
pub(super) fn largest_eigenvalue(a: &[[f64; 4]; 4]) -> f64 {
    let friction = std::array::from_fn(|i| std::array::from_fn(|j| a[i + 1][j + 1]));
    eigen(friction).0.into_iter().fold(0.0, f64::max)
}

/// Eigenvalues and unit eigenvectors of a symmetric matrix by Jacobi's rotations (cyclic, Golub and Van Loan, section 8.5):
/// `vectors[k]` belongs to `values[k]`.
fn eigen(mut a: [[f64; 3]; 3]) -> ([f64; 3], [[f64; 3]; 3]) {
    let mut vectors = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // Convergence is quadratic; five cycles are usual.
    for _ in 0..16 {
        let mut rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let small = f64::EPSILON * f64::EPSILON * (a[p][p] * a[q][q]).abs();
            if a[p][q] == 0.0 || a[p][q] * a[p][q] <= small {
                continue;
            }
            rotated = true;
            let theta = (a[q][q] - a[p][p]) / (a[p][q] + a[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for row in &mut a {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
            for i in 0..3 {
                (a[p][i], a[q][i]) = (c * a[p][i] - s * a[q][i], s * a[p][i] + c * a[q][i]);
                (vectors[p][i], vectors[q][i]) =
                    (c * vectors[p][i] - s * vectors[q][i], s * vectors[p][i] + c * vectors[q][i]);
            }
        }
        if !rotated {
            break;
        }
    }
    ([a[0][0], a[1][1], a[2][2]], vectors)
}

#[cfg(test)]
mod tests;
