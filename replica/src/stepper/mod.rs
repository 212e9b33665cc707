//! The time step of the published program: 32-bit arithmetic in its order, solver and roll-back included.
//!
//! The tables of the assessment suite were computed in 32 bits, with a thousand sweeps that do not converge, so that the
//! rounding of every product decides where the bodies are in the second step and which contacts they have there. [`step`]
//! takes the operations in the order of that program and gives its recorded states bit for bit. It uses no fused
//! multiply-add and no function of the platform, so that its results are the same on every machine. [`step`] over
//! [`glam::DVec3`] makes the same operations in 64 bits, to show what rounding does.
//!
//! Moreau's mid-point scheme: bodies move for half a step with their old velocities, contacts are looked for, impulses
//! give new velocities, and bodies move for the other half with those.

mod arithmetic;
mod forces;
mod matrix;
pub mod motion;
mod problem;
mod simulation;
mod solver;

use drystone_contact::precision::Vector;
use drystone_engine::solver::{FrictionModel, Solution, SolverBody, SolverContact, SolverError, Twist};
use drystone_engine::{Body, ContactBetween, Energy, ExternalForces, MaterialTable, Pose, WorldError};
use glam::DVec3;

pub use arithmetic::Arithmetic;
pub use forces::solver_body;
pub use simulation::PublishedSimulation;
pub use solver::solve;

/// How the published program steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedSettings {
    /// Δt, s.
    pub time_step: f64,
    /// Gravity and damping.
    pub forces: ExternalForces,
    /// Which friction impulses are allowed; the published figures were made with the ball.
    pub friction: FrictionModel,
    /// Sweeps of the solver at most.
    pub sweeps: usize,
}

impl Default for PublishedSettings {
    /// Those of the published figures: a hundredth of a second, 1000 sweeps.
    fn default() -> Self {
        Self { time_step: 0.01, forces: ExternalForces::default(), friction: FrictionModel::Ball, sweeps: 1000 }
    }
}

/// What happened in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedReport {
    /// The contacts as they were found.
    pub contacts: Vec<ContactBetween>,
    /// Where the bodies were then.
    pub poses: Vec<Pose>,
    /// The impulses of the contacts, and how they were found.
    pub solution: Solution,
    /// Energy before the step.
    pub energy_before: Energy,
    /// Energy after the step.
    pub energy_after: Energy,
}

/// What keeps a step from being made. The bodies are then as they were before.
#[derive(Debug, thiserror::Error)]
pub enum PublishedError {
    /// The time step is not a positive number.
    #[error("the time step is {0} s; it must be finite and above zero")]
    TimeStep(f64),
    /// A body is nowhere.
    #[error(
        "body {body} has a position or velocity that is not finite, or an orientation that is no rotation, {when} the step"
    )]
    State {
        /// The index of the body.
        body: usize,
        /// "before" or "after".
        when: &'static str,
    },
    /// What the solver is told of a contact is missing.
    #[error(transparent)]
    Contact(#[from] drystone_engine::StepError),
    /// The contacts could not be solved.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The contacts could not be found.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The published program has one solver.
    #[error("the published steps have no solver \"{0}\"; leave it out, or ask for the corrected variant")]
    ContactSolver(&'static str),
}

/// Moves the bodies by one time step, computed in the precision of `V`.
///
/// `find_contacts` gets the poses of all bodies, in their order, at the middle of the step. The order in which it returns
/// the contacts is the order in which the solver visits them, starting from zero impulses.
///
/// # Errors
/// [`PublishedError`]; the bodies are then unchanged.
pub fn step<V: Arithmetic>(
    bodies: &mut [Body],
    materials: &MaterialTable,
    settings: &PublishedSettings,
    find_contacts: impl FnOnce(&[Pose]) -> Result<Vec<ContactBetween>, PublishedError>,
) -> Result<PublishedReport, PublishedError> {
    let &PublishedSettings { time_step, forces, friction, sweeps } = settings;
    check(bodies, time_step)?;
    let energy_before = Energy::of(bodies, &forces);
    let moved = moved_poses::<V>(bodies, time_step);
    let poses = kept_poses::<V>(bodies, &moved);
    let contacts = find_contacts(&poses)?;
    let solver_contacts = solver_contacts(&contacts, bodies, materials)?;
    let states: Vec<SolverBody> =
        bodies.iter().zip(&poses).map(|(body, pose)| solver_body::<V>(body, pose, &forces, time_step)).collect();
    let (solution, changes) = solve::<V>(&states, &solver_contacts, friction, sweeps)?;

    let mut next = bodies.to_vec();
    for (((body, pose), state), change) in next.iter_mut().zip(&moved).zip(&states).zip(&changes) {
        complete::<V>(body, *pose, twist_after::<V>(state, change), time_step);
    }
    check_states(&next, "after")?;
    bodies.clone_from_slice(&next);
    let energy_after = Energy::of(bodies, &forces);
    Ok(PublishedReport { contacts, poses, solution, energy_before, energy_after })
}

/// The poses at which a step looks for contacts, computed in the precision of `V`.
///
/// # Errors
/// [`PublishedError::TimeStep`], [`PublishedError::State`].
pub fn detection_poses<V: Arithmetic>(bodies: &[Body], time_step: f64) -> Result<Vec<Pose>, PublishedError> {
    check(bodies, time_step)?;
    Ok(kept_poses::<V>(bodies, &moved_poses::<V>(bodies, time_step)))
}

/// What the solver is told of contacts: their points and normals, and what happens between the materials.
///
/// # Errors
/// [`PublishedError::Contact`].
pub fn solver_contacts(
    contacts: &[ContactBetween],
    bodies: &[Body],
    materials: &MaterialTable,
) -> Result<Vec<SolverContact>, PublishedError> {
    let one = |(i, contact): (usize, &ContactBetween)| contact.for_solver(i, bodies, materials);
    Ok(contacts.iter().enumerate().map(one).collect::<Result<_, _>>()?)
}

fn moved_poses<V: Arithmetic>(bodies: &[Body], time_step: f64) -> Vec<Pose> {
    bodies.iter().map(|body| motion::moved::<V>(body, body.pose(), 0.5 * time_step)).collect()
}

fn kept_poses<V: Arithmetic>(bodies: &[Body], moved: &[Pose]) -> Vec<Pose> {
    bodies.iter().zip(moved).map(|(body, pose)| motion::kept_by::<V>(body, *pose)).collect()
}

/// The twist of a body after forces and contacts have changed it.
fn twist_after<V: Vector>(state: &SolverBody, change: &Twist) -> Twist {
    std::array::from_fn(|i| (V::real(state.twist[i]) + V::real(state.forced_change[i]) + V::real(change[i])).into())
}

/// Gives a body its new velocities and moves it on from `pose`; bodies that are not dynamic keep their velocities.
fn complete<V: Arithmetic>(body: &mut Body, pose: Pose, twist: Twist, time_step: f64) {
    if body.is_fixed() {
        return;
    }
    if body.is_dynamic() {
        body.velocity = DVec3::new(twist[0], twist[1], twist[2]);
        body.angular_velocity = DVec3::new(twist[3], twist[4], twist[5]);
    }
    let pose = motion::moved::<V>(body, pose, time_step - 0.5 * time_step);
    let pose = motion::kept_by::<V>(body, pose);
    (body.position, body.orientation) = (pose.translation, pose.rotation);
}

fn check(bodies: &[Body], time_step: f64) -> Result<(), PublishedError> {
    if !(time_step.is_finite() && time_step > 0.0) {
        return Err(PublishedError::TimeStep(time_step));
    }
    check_states(bodies, "before")
}

fn check_states(bodies: &[Body], when: &'static str) -> Result<(), PublishedError> {
    match bodies.iter().position(|body| !body.state_is_finite()) {
        Some(body) => Err(PublishedError::State { body, when }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
