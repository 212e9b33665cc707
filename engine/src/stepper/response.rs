//! The response of bodies to forces and contacts: what the solver is told of them, and the twists that come of it.

use super::{ContactBetween, StepError, StepSettings};
use crate::body::{Body, BodyId, Pose};
use crate::gyroscopic::free_change;
use crate::material::MaterialTable;
use crate::matrix::Matrix;
use crate::solver::svd::impulses::solve_impulses;
use crate::solver::{
    ContactProblem, ContactSolver, Impulse, Solution, SolverBody, SolverContact, SolverError, SolverSettings, Twist,
    solve, twist,
};
use drystone_contact::precision::{Precision, Vector};
use glam::{DVec3, Vec3};
use num_traits::One;

/// What acts on a body besides contact, gravity, damping and its own rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Load {
    /// Force through the centre of mass, world frame, N.
    pub force: DVec3,
    /// Torque about the centre of mass, world frame, N m.
    pub torque: DVec3,
}

impl Load {
    pub const NONE: Self = Self { force: DVec3::ZERO, torque: DVec3::ZERO };
}

/// The body as the solver sees it at `pose`. In single precision the gyroscopic torque is the explicit one of the published
/// program; in double precision the free rotation is integrated by itself.
pub(crate) fn solver_body(body: &Body, pose: &Pose, load: &Load, settings: &StepSettings) -> SolverBody {
    match settings.precision {
        Precision::Single => {
            let forces = settings.forces.on_in::<Vec3>(body, pose.rotation);
            pushed(body, pose, forces, load, settings)
        }
        Precision::Double => {
            let forces = settings.forces.but_gyroscopic_in::<DVec3>(body);
            let mut state = pushed(body, pose, forces, load, settings);
            if body.is_dynamic() {
                let free = free_change(body.inertia(), pose.rotation, body.angular_velocity, settings.time_step);
                state.forced_change.iter_mut().skip(3).zip(free.to_array()).for_each(|(sum, part)| *sum += part);
            }
            state
        }
    }
}

/// The body under the given force and torque and those of `load`, computed in the precision of `V`.
fn pushed<V: Vector>(
    body: &Body,
    pose: &Pose,
    (mut force, mut torque): (V, V),
    load: &Load,
    settings: &StepSettings,
) -> SolverBody {
    // A sum with zero can change the sign of a zero, and published steps are held to the last bit.
    if body.is_dynamic() && *load != Load::NONE {
        force = force + V::narrow(load.force);
        torque = torque + V::narrow(load.torque);
    }
    let time_step = V::real(settings.time_step);
    let inverse_mass = V::Real::one() / V::real(body.mass());
    let inverse_inertia = body.inverse_inertia_in(settings.precision, pose.rotation);
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

/// The impulses of the contacts by the solver of the step, and the change of each body's twist by them. `iterative` are
/// the settings of the iterative solver, `start` its initial impulses (none for zero).
pub(crate) fn respond(
    step: &StepSettings,
    states: &[SolverBody],
    contacts: &[SolverContact],
    iterative: &SolverSettings,
    start: &[Impulse],
) -> Result<(Solution, Vec<Twist>), SolverError> {
    match &step.contact_solver {
        ContactSolver::ProximalGaussSeidel => iterate(step.precision, states, contacts, iterative, start),
        ContactSolver::Svd(settings) => solve_impulses(states, contacts, settings, iterative, start),
    }
}

/// The impulses by the iterative solver, computed in `precision`.
pub(crate) fn iterate(
    precision: Precision,
    states: &[SolverBody],
    contacts: &[SolverContact],
    settings: &SolverSettings,
    start: &[Impulse],
) -> Result<(Solution, Vec<Twist>), SolverError> {
    match precision {
        Precision::Single => respond_in::<Vec3>(states, contacts, settings, start),
        Precision::Double => respond_in::<DVec3>(states, contacts, settings, start),
    }
}

fn respond_in<V: Vector>(
    states: &[SolverBody],
    contacts: &[SolverContact],
    settings: &SolverSettings,
    start: &[Impulse],
) -> Result<(Solution, Vec<Twist>), SolverError> {
    let problem = ContactProblem::<V>::assemble_in(states, contacts)?;
    let solution = solve(&problem, settings, start)?;
    let changes = problem.twist_changes(&solution.impulses);
    Ok((solution, changes))
}

/// The twist of a body after forces and contacts have changed it, summed in `precision`.
pub(crate) fn twist_after(precision: Precision, state: &SolverBody, change: &Twist) -> Twist {
    fn sum<V: Vector>(state: &SolverBody, change: &Twist) -> Twist {
        std::array::from_fn(|i| (V::real(state.twist[i]) + V::real(state.forced_change[i]) + V::real(change[i])).into())
    }
    match precision {
        Precision::Single => sum::<Vec3>(state, change),
        Precision::Double => sum::<DVec3>(state, change),
    }
}

pub(crate) fn solver_contact(
    index: usize,
    between: &ContactBetween,
    bodies: &[Body],
    materials: &MaterialTable,
) -> Result<SolverContact, StepError> {
    let ContactBetween { a, b, contact } = *between;
    let material = |body: BodyId| {
        let unknown = SolverError::UnknownBody { contact: index, body, count: bodies.len() };
        bodies.get(body.index()).map(|body| body.material).ok_or(unknown)
    };
    let interaction = materials.between(material(a)?, material(b)?).map_err(|source| StepError::Material {
        contact: index,
        a,
        b,
        source,
    })?;
    Ok(SolverContact {
        a,
        b,
        position: contact.position,
        normal: contact.normal,
        friction: interaction.friction.to_array(),
        restitution: interaction.restitution,
        stabilisation: 0.0,
    })
}
