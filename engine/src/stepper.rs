//! The time step: move, find contacts, solve, move.
//!
//! Moreau's mid-point scheme moves the bodies for half a step with their old velocities, looks for contacts there,
//! solves for the new velocities and moves for the other half with those. The semi-implicit scheme looks for contacts
//! where the bodies are and moves for the whole step with the new velocities.
//!
//! [`step`] works on a slice of bodies and asks a callback for contacts; [`crate::World`] is made of the same parts.

mod motion;
mod response;

use crate::body::{Body, BodyId, Pose};
use crate::external_forces::ExternalForces;
use crate::interruption::Interruption;
use crate::material::{MaterialError, MaterialTable};
use crate::solver::{ContactSolver, Solution, SolverBody, SolverContact, SolverError, SolverSettings};
use drystone_contact::Contact;
use serde::{Deserialize, Serialize};

pub use motion::detection_poses;
pub(crate) use motion::{check_states, complete, ids, move_freely, set_poses, set_twists};
pub(crate) use response::{ExternalWrench, iterate, respond, rotating_body, solver_body, twist_after};

/// A contact and the two bodies that it lies between; its normal points from `a` to `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactBetween {
    /// The body of shape A.
    pub a: BodyId,
    /// The body of shape B.
    pub b: BodyId,
    /// Where they touch. The solver uses the normal as given, and neither the gap nor the features.
    pub contact: Contact,
}

/// Where in the step contacts are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scheme {
    /// After half a step with the old velocities.
    #[default]
    Midpoint,
    /// At the start of the step.
    SemiImplicit,
}

/// How a step is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSettings {
    /// Δt, s.
    pub time_step: f64,
    /// Where in the step contacts are looked for.
    pub scheme: Scheme,
    /// Gravity and damping.
    pub forces: ExternalForces,
    /// Which solver finds the impulses.
    pub contact_solver: ContactSolver,
    /// How the iterative solver works: by choice, where another one hands over to it, and in post-stabilisation.
    pub solver: SolverSettings,
}

impl StepSettings {
    /// How long bodies move with their old velocities before contacts are looked for, s.
    pub(crate) fn time_before_detection(&self) -> f64 {
        match self.scheme {
            Scheme::Midpoint => 0.5 * self.time_step,
            Scheme::SemiImplicit => 0.0,
        }
    }

    /// How long they move with their new velocities after that, s.
    pub(crate) fn time_after_detection(&self) -> f64 {
        self.time_step - self.time_before_detection()
    }
}

impl StepSettings {
    pub(crate) fn check(&self) -> Result<(), StepError> {
        let time_step = self.time_step;
        if time_step.is_finite() && time_step > 0.0 { Ok(()) } else { Err(StepError::TimeStep(time_step)) }
    }
}

impl Default for StepSettings {
    /// The settings of the assessment suite: mid-point scheme, a hundredth of a second.
    fn default() -> Self {
        Self {
            time_step: 0.01,
            scheme: Scheme::Midpoint,
            forces: ExternalForces::default(),
            contact_solver: ContactSolver::default(),
            solver: SolverSettings::default(),
        }
    }
}

/// Energy of all bodies that move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Energy in the gravity field, J, zero at the origin.
    pub potential: f64,
}

impl Energy {
    /// The energy of the bodies as they are.
    pub fn of(bodies: &[Body], forces: &ExternalForces) -> Self {
        Self {
            kinetic: bodies.iter().map(Body::kinetic_energy).sum(),
            potential: bodies.iter().map(|body| forces.potential_energy(body)).sum(),
        }
    }

    /// That of one body.
    pub(crate) fn of_body(body: &Body, forces: &ExternalForces) -> Self {
        Self { kinetic: body.kinetic_energy(), potential: forces.potential_energy(body) }
    }

    /// All of these together.
    pub(crate) fn sum(all: &[Self]) -> Self {
        Self { kinetic: all.iter().map(|own| own.kinetic).sum(), potential: all.iter().map(|own| own.potential).sum() }
    }

    /// Kinetic plus potential, J.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// What happened in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// The contacts as the callback gave them.
    pub contacts: Vec<ContactBetween>,
    /// Their impulses, and how they were found: the residual of every sweep, divergences, why the solver ended.
    pub solution: Solution,
    /// Energy before the step.
    pub energy_before: Energy,
    /// Energy after the step.
    pub energy_after: Energy,
}

impl StepReport {
    /// How many sweeps the solver made.
    pub fn iterations(&self) -> usize {
        self.solution.residuals.len()
    }
}

/// An error of the callback that finds contacts.
pub type DetectionError = Box<dyn std::error::Error + Send + Sync>;

/// What keeps a step from being made. The bodies are then as they were before.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// The time step is not a positive number.
    #[error("the time step is {0} s; it must be finite and above zero")]
    TimeStep(f64),
    /// A body is nowhere.
    #[error(
        "{body} has a position or velocity that is not finite, or an orientation that is no rotation, {when} the step"
    )]
    State {
        /// The body.
        body: BodyId,
        /// "before" or "after".
        when: &'static str,
    },
    /// More bodies than ids.
    #[error("{0} bodies are more than a body id can count")]
    TooManyBodies(usize),
    /// The callback failed.
    #[error("contacts could not be found: {0}")]
    Detection(#[source] DetectionError),
    /// Two bodies in contact have a material that is not in the table.
    #[error("contact {contact} between {a} and {b}: {source}")]
    Material {
        /// The contact, from zero.
        contact: usize,
        /// The first body.
        a: BodyId,
        /// The second body.
        b: BodyId,
        /// What is missing.
        source: MaterialError,
    },
    /// The contacts could not be solved.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// Moves the bodies by one time step.
///
/// `find_contacts` gets the poses of all bodies, in their order, at the time when contacts are looked for. The order in
/// which it returns the contacts is the order in which the solver visits them, starting from zero impulses.
///
/// # Errors
/// [`StepError`]; the bodies are then unchanged.
pub fn step(
    bodies: &mut [Body],
    materials: &MaterialTable,
    settings: &StepSettings,
    mut find_contacts: impl FnMut(&[Pose]) -> Result<Vec<ContactBetween>, DetectionError>,
) -> Result<StepReport, StepError> {
    settings.check()?;
    let ids = ids(bodies)?;
    check_states(bodies, &ids, "before")?;
    let energy_before = Energy::of(bodies, &settings.forces);
    let poses = detection_poses(bodies, settings);
    let contacts = find_contacts(&poses).map_err(StepError::Detection)?;
    let solver_contacts = contacts
        .iter()
        .enumerate()
        .map(|(i, c)| c.for_solver(i, bodies, materials))
        .collect::<Result<Vec<SolverContact>, _>>()?;
    let states: Vec<SolverBody> = bodies
        .iter()
        .zip(&poses)
        .map(|(body, pose)| solver_body(body, pose, &ExternalWrench::NONE, settings))
        .collect();
    let (solution, changes) =
        respond(&Interruption::NEVER, settings, &states, &solver_contacts, &settings.solver, &[])?;
    let twists: Vec<_> = states.iter().zip(&changes).map(|(state, change)| twist_after(state, change)).collect();

    let next = complete(bodies, &poses, &twists, settings);
    check_states(&next, &ids, "after")?;
    bodies.clone_from_slice(&next);
    let energy_after = Energy::of(bodies, &settings.forces);
    Ok(StepReport { contacts, solution, energy_before, energy_after })
}

#[cfg(test)]
mod tests;
