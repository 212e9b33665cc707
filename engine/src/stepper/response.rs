//! The response of bodies to forces and contacts: what the solver is told of them, and the twists that come of it.

use super::{ContactBetween, StepError, StepSettings};
use crate::body::{Body, BodyId, Pose};
use crate::gyroscopic::free_change;
use crate::interruption::Interruption;
use crate::material::MaterialTable;
use crate::soft_step;
use crate::solver::global;
use crate::solver::svd::impulses::solve_impulses;
use crate::solver::{
    ContactProblem, ContactSolver, Impulse, Solution, SolverBody, SolverContact, SolverError, SolverSettings, Twist,
    proximal::solve_unless, twist,
};
use glam::DVec3;

/// What acts on a body besides contact, gravity, its constant force, damping and its own rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ExternalWrench {
    /// Force through the centre of mass, world frame, N.
    pub force: DVec3,
    /// Torque about the centre of mass, world frame, N m.
    pub torque: DVec3,
}

impl ExternalWrench {
    pub const NONE: Self = Self { force: DVec3::ZERO, torque: DVec3::ZERO };
}

/// The body as the solver sees it at `pose`; its free rotation is integrated by itself, and damping acts on what all
/// other forces lead to.
pub(crate) fn solver_body(
    body: &Body,
    pose: &Pose,
    external_wrench: &ExternalWrench,
    settings: &StepSettings,
) -> SolverBody {
    let rotation = if body.is_dynamic() {
        free_change(body.inertia(), pose.rotation, body.angular_velocity, settings.time_step)
    } else {
        DVec3::ZERO
    };
    rotating_body(body, pose, external_wrench, settings, rotation)
}

/// The same with the change of the angular velocity by free rotation, rad/s.
pub(crate) fn rotating_body(
    body: &Body,
    pose: &Pose,
    external_wrench: &ExternalWrench,
    settings: &StepSettings,
    rotation: DVec3,
) -> SolverBody {
    let (time_step, forces) = (settings.time_step, &settings.forces);
    let inverse_mass = body.inverse_mass();
    let inverse_inertia = body.inverse_inertia_at(pose.rotation);
    let mut change = (DVec3::ZERO, DVec3::ZERO);
    if body.is_dynamic() {
        let ExternalWrench { force, torque } = *external_wrench;
        change.0 = (forces.constant(body) + force) * time_step * inverse_mass;
        change.1 = inverse_inertia * ((torque + body.constant_force()[1]) * time_step) + rotation;
        let undamped = (body.velocity + change.0, body.angular_velocity + change.1);
        let (velocity, angular_velocity) = forces.damped(body, pose.rotation, undamped, time_step);
        change = (change.0 - velocity, change.1 - angular_velocity);
    }
    SolverBody {
        position: pose.translation,
        inverse_mass,
        inverse_inertia,
        twist: twist(body.velocity, body.angular_velocity),
        forced_change: twist(change.0, change.1),
    }
}

/// The impulses of the contacts by the solver of the step, and the change of each body's twist by them. `iterative` are
/// the settings of the iterative solver, `start` its initial impulses (none for zero). It may be interrupted.
pub(crate) fn respond(
    interruption: &Interruption,
    step: &StepSettings,
    states: &[SolverBody],
    contacts: &[SolverContact],
    iterative: &SolverSettings,
    start: &[Impulse],
) -> Result<(Solution, Vec<Twist>), SolverError> {
    match &step.contact_solver {
        ContactSolver::ProximalGaussSeidel => iterate(interruption, states, contacts, iterative, start),
        ContactSolver::Svd(settings) => solve_impulses(states, contacts, settings, iterative, start),
        ContactSolver::Global(settings) => {
            global::solve_impulses_unless(interruption, states, contacts, settings, iterative, start)
        }
        ContactSolver::Soft(settings) => soft_step::solve_impulses(states, contacts, settings, step.time_step, start),
    }
}

/// The impulses by the iterative solver.
pub(crate) fn iterate(
    interruption: &Interruption,
    states: &[SolverBody],
    contacts: &[SolverContact],
    settings: &SolverSettings,
    start: &[Impulse],
) -> Result<(Solution, Vec<Twist>), SolverError> {
    let problem = ContactProblem::assemble(states, contacts)?;
    let solution = solve_unless(interruption, &problem, settings, start)?;
    let changes = problem.twist_changes(&solution.impulses);
    Ok((solution, changes))
}

/// The twist of a body after forces and contacts have changed it.
pub(crate) fn twist_after(state: &SolverBody, change: &Twist) -> Twist {
    std::array::from_fn(|i| state.twist[i] + state.forced_change[i] + change[i])
}

impl ContactBetween {
    /// The contact as the solver sees it, without stabilisation; `index` is for errors.
    ///
    /// # Errors
    /// [`StepError::Solver`] for a body that is not there, [`StepError::Material`] for materials that are
    /// not in the table.
    pub fn for_solver(
        &self,
        index: usize,
        bodies: &[Body],
        materials: &MaterialTable,
    ) -> Result<SolverContact, StepError> {
        let Self { a, b, contact } = *self;
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
}
