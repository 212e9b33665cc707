//! What acts on a body of the published program but contact, and what the solver is told of the body.

use drystone_engine::solver::SolverBody;
use drystone_engine::{Body, ExternalForces, Pose};
use glam::{DMat3, DQuat, DVec3};
use num_traits::One;

use super::arithmetic::Arithmetic;
use super::matrix::Matrix;
use super::problem::twist;

/// Force (N) and torque (N m) in world axes: gravity, damping, and the explicit gyroscopic torque −ω × Iω.
fn on<V: Arithmetic>(forces: &ExternalForces, body: &Body, orientation: DQuat) -> (V, V) {
    if !body.is_dynamic() {
        return (V::narrow(DVec3::ZERO), V::narrow(DVec3::ZERO));
    }
    let (velocity, spin) = (V::narrow(body.velocity), V::narrow(body.angular_velocity));
    let weight = V::narrow(forces.gravity) * V::real(body.mass());
    let force = weight - velocity * V::real(forces.linear_damping);
    let torque = -(spin * V::real(forces.angular_damping));
    (force, torque - spin.cross(inertia::<V>(body, orientation).times(spin)))
}

/// The inertia tensor in world axes, kg m².
fn inertia<V: Arithmetic>(body: &Body, orientation: DQuat) -> Matrix<V> {
    Matrix::turned(V::narrow(body.inertia()), orientation)
}

/// The inverse inertia tensor in world axes, 1/(kg m²): the tensor is inverted there, and not its moments before.
fn inverse_inertia<V: Arithmetic>(body: &Body, orientation: DQuat) -> DMat3 {
    if body.is_dynamic() { inertia::<V>(body, orientation).inverse().widen() } else { DMat3::ZERO }
}

/// The body as the solver sees it at `pose`, computed in the precision of `V`.
pub fn solver_body<V: Arithmetic>(body: &Body, pose: &Pose, forces: &ExternalForces, time_step: f64) -> SolverBody {
    let (force, torque) = on::<V>(forces, body, pose.rotation);
    let time_step = V::real(time_step);
    let inverse_mass = V::Real::one() / V::real(body.mass());
    let inverse_inertia = inverse_inertia::<V>(body, pose.rotation);
    SolverBody {
        position: pose.translation,
        inverse_mass: inverse_mass.into(),
        inverse_inertia,
        twist: twist(body.velocity, body.angular_velocity),
        forced_change: twist(
            (force * time_step * inverse_mass).widen(),
            Matrix::<V>::narrow(&inverse_inertia).times(torque * time_step).widen(),
        ),
    }
}
