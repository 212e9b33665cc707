//! How far impulses are from solving a contact problem.
//!
//! The natural map is λ − prox_C(λ − ρ(Aλ + b)), with C taken at the new normal impulse. It is zero exactly at the
//! solutions of λ_n ≥ 0 ⟂ u_n ≥ 0 with friction that opposes sliding within μλ_n. FCLIB writes the same law as a
//! complementarity of cones, with De Saxcé's term in u_n + μ|u_t|; its natural map projects onto the cone and has other
//! values away from a solution, but the same zeros.
//!
//! Any ρ > 0 gives the same zeros as long as all friction rows of a contact share it. Factors that differ between those
//! rows ([`ResidualScale::Rows`]) bend the direction of sliding friction on a ball or an ellipsoid: they belong to
//! another problem, the one that the iteration with local r-factors converges to.

use super::Impulse;
use super::contact_block::largest_eigenvalue;
use super::contact_operator::ContactOperator;
use super::friction::FrictionModel;

/// The factor ρ of the natural map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResidualScale {
    /// One (kg; kg m² for torsion): the plain natural map.
    #[default]
    Unit,
    /// One over the diagonal entry for the normal, one over the largest eigenvalue of the 3×3 block for friction: about
    /// the impulse that is missing, whatever the units and masses.
    Contact,
    /// One over each row's diagonal entry, as in the iteration with local r-factors.
    Rows,
}

/// The largest component of the natural map in magnitude (N s; N m s for torsion). Missing impulses count as zero.
pub fn natural_residual<P: ContactOperator>(
    problem: &P,
    friction: FrictionModel,
    impulses: &[Impulse],
    scale: ResidualScale,
) -> f64 {
    let mut impulses = impulses.to_vec();
    impulses.resize(problem.contact_count(), [0.0; 4]);
    let motion = problem.motion(&impulses);
    let mut largest = 0.0;
    for (contact, impulse) in impulses.iter().enumerate() {
        let velocity = problem.velocity(contact, &motion);
        let factors = match scale {
            ResidualScale::Unit => [1.0; 4],
            ResidualScale::Contact => {
                let block = problem.diagonal_block(contact);
                let friction = 1.0 / largest_eigenvalue(&block);
                [1.0 / block[0][0], friction, friction, friction]
            }
            ResidualScale::Rows => {
                let block = problem.diagonal_block(contact);
                std::array::from_fn(|i| 1.0 / block[i][i])
            }
        };
        let z = std::array::from_fn(|i| impulse[i] - factors[i] * velocity[i]);
        let nearest = proximal_point(z, problem.friction(contact), friction);
        for (x, y) in impulse.iter().zip(nearest) {
            let distance = (*x - y).abs();
            // A comparison, so that a number that is not one stays visible.
            largest = if distance <= largest { largest } else { distance };
        }
    }
    largest
}

/// The normal impulse first; friction within what it allows.
#[inline]
pub(super) fn proximal_point(z: [f64; 4], friction: [f64; 3], model: FrictionModel) -> Impulse {
    // A comparison, so that a number that is not one stays visible.
    let normal = if z[0] <= 0.0 { 0.0 } else { z[0] };
    let [s, t, torsion] = model.project([z[1], z[2], z[3]], friction, normal);
    [normal, s, t, torsion]
}
