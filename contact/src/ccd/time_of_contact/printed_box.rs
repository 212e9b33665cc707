//! The box of Algorithm 1, as printed.
//!
//! Its axis is the velocity of the centre of mass, its sides e_α = |v_B| T + 2 |u| and e_{β,γ}, the smaller of ν/√2 and what the arm can
//! reach. Printed without p(t_a) in the centre and without T in e_α; both are supplied. Where the centre is at rest, so that n_α is not
//! defined, it is the arm. A point with an arm moves across v_B as well, by more than ν: part of the path is outside.

use glam::{DMat3, DVec3};

use crate::solid::OrientedBox;

/// The box for a point at `start` (m), whose arm is `arm` (m) there, in an interval of `duration` s in which its centre moves with
/// `velocity` (m/s); `deviation` is ν (m).
pub(super) fn printed_box(start: DVec3, arm: DVec3, velocity: DVec3, duration: f64, deviation: f64) -> OrientedBox {
    let reach = arm.length();
    let along = velocity.try_normalize().or_else(|| arm.try_normalize()).unwrap_or(DVec3::X);
    let (second, third) = along.any_orthonormal_pair();
    let wide = deviation * std::f64::consts::FRAC_1_SQRT_2;
    // How far to the upper and to the lower side.
    let [beta, gamma] = [second, third].map(|n| [wide.min(reach - arm.dot(n)), wide.min(reach + arm.dot(n))]);
    let centre = start + 0.5 * (velocity * duration + second * (beta[0] - beta[1]) + third * (gamma[0] - gamma[1]));
    let half =
        DVec3::new(velocity.length() * duration + 2.0 * reach, 0.5 * (beta[0] + beta[1]), 0.5 * (gamma[0] + gamma[1]));
    OrientedBox { centre, axes: DMat3::from_cols(along, second, third), half }
}
