//! How far impulses are from solving a problem, as FCLIB measures it.
//!
//! The natural map of a contact is r − P(r − (u + μ|u_t| n)), where P projects onto the cone |r_t| ≤ μ r_n and u = W r + q with the
//! problem's own W. It is zero exactly at the solutions (De Saxcé's term μ|u_t| makes a complementarity of cones of Coulomb's law).

use super::problem::FclibProblem;

/// The natural map of all contacts together, in two scales.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// Its Euclidean length by that of q; its own length where q is zero.
    pub relative: f64,
    /// Its Euclidean length by 1 + √|q|: the first merit function of FCLIB's own code. Problems with small velocities look
    /// solved in it by no impulses at all.
    pub merit: f64,
}

/// The residual of impulses, one a contact (normal, two tangents).
pub fn residual(problem: &FclibProblem, impulses: &[[f64; 3]]) -> Residual {
    let velocities = problem.velocities(impulses);
    let contacts = problem.contacts();
    let (mut square, mut size) = (0.0, 0.0);
    for ((contact, impulse), velocity) in contacts.iter().zip(impulses).zip(&velocities) {
        let nearest = projected(impulse, velocity, contact.friction, 1.0);
        square += (0..3).map(|i| impulse[i] - nearest[i]).fold(0.0, |sum, x| sum + x * x);
        size += contact.velocity.iter().fold(0.0, |sum, q| sum + q * q);
    }
    let (length, size) = (square.sqrt(), size.sqrt());
    Residual { relative: if size > 0.0 { length / size } else { length }, merit: length / (1.0 + size.sqrt()) }
}

/// P(r − ρ(u + μ|u_t| n)).
pub fn projected(impulse: &[f64; 3], velocity: &[f64; 3], friction: f64, rho: f64) -> [f64; 3] {
    let [n, s, t] = *velocity;
    let sliding = friction * libm::hypot(s, t);
    onto_cone([impulse[0] - rho * (n + sliding), impulse[1] - rho * s, impulse[2] - rho * t], friction)
}

/// The point of the cone |z_t| ≤ μ z_n that is nearest.
fn onto_cone(z: [f64; 3], friction: f64) -> [f64; 3] {
    let tangential = libm::hypot(z[1], z[2]);
    if friction * tangential <= -z[0] {
        return [0.0; 3];
    }
    if tangential <= friction * z[0] {
        return z;
    }
    let normal = (z[0] + friction * tangential) / (1.0 + friction * friction);
    let share = if tangential > 0.0 { friction * normal / tangential } else { 0.0 };
    [normal, share * z[1], share * z[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_projected_onto_the_cone() {
        assert_eq!(onto_cone([2.0, 0.6, 0.8], 0.5), [2.0, 0.6, 0.8]);
        assert_eq!(onto_cone([-1.0, 0.6, 0.8], 0.5), [0.0; 3]);
        assert_eq!(onto_cone([-1.0, 0.0, 0.0], 0.0), [0.0; 3]);
        assert_eq!(onto_cone([0.5, 3.0, 4.0], 0.0), [0.5, 0.0, 0.0]);
        let [n, s, t] = onto_cone([0.0, 3.0, 4.0], 1.0);
        assert!((n - 2.5).abs() < 1e-15 && (s - 1.5).abs() < 1e-15 && (t - 2.0).abs() < 1e-15);
    }
}
