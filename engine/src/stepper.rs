//! The time step: move, find contacts, solve, move.
//!
//! Moreau's mid-point scheme moves the bodies for half a step with their old velocities, looks for contacts there, solves
//! for the new velocities and moves for the other half with those. The semi-implicit scheme looks for contacts where
//! the bodies are and moves for the whole step with the new velocities.
//!
//! States and impulses are f64 on the outside; [`StepSettings::precision`] says in which precision a step computes.

use crate::body::{Body, BodyId, Pose};
use crate::external_forces::ExternalForces;
use crate::material::{MaterialError, MaterialTable};
use crate::matrix::Matrix;
use crate::motion::{advance_in, kept_in};
use crate::solver::{
    ContactProblem, Solution, SolverBody, SolverContact, SolverError, SolverSettings, Twist, solve, twist,
};
use drystone_contact::Contact;
use drystone_contact::precision::{Precision, Vector};
use glam::{DVec3, Vec3};
use num_traits::One;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// The precision of all arithmetic of the step: poses, forces, inertia, contact rows, sweeps and velocities.
    /// [`Precision::Double`] is the one to use. [`Precision::Single`] is there to reproduce published figures: those of
    /// the assessment suite were computed in 32 bits, with a thousand sweeps that do not converge, so that the rounding
    /// of every product decides where the bodies are in the second step and which contacts they have there. It takes
    /// the operations in the order of the published program and gives its recorded states bit for bit. It uses no
    /// fused multiply-add and no function of the platform, so that its results are the same on every machine.
    pub precision: Precision,
    /// Gravity and damping.
    pub forces: ExternalForces,
    /// How contacts are solved.
    pub solver: SolverSettings,
}

impl StepSettings {
    /// How long bodies move with their old velocities before contacts are looked for, s.
    fn time_before_detection(&self) -> f64 {
        match self.scheme {
            Scheme::Midpoint => 0.5 * self.time_step,
            Scheme::SemiImplicit => 0.0,
        }
    }
}

impl Default for StepSettings {
    /// The settings of the assessment suite: mid-point scheme, a hundredth of a second.
    fn default() -> Self {
        Self {
            time_step: 0.01,
            scheme: Scheme::Midpoint,
            precision: Precision::Double,
            forces: ExternalForces::default(),
            solver: SolverSettings::default(),
        }
    }
}

/// Energy of all bodies that move.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    #[error("{body} has a position, orientation or velocity that is not finite {when} the step")]
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
    /// Two bodies in contact have no friction between their materials.
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
    let time_step = settings.time_step;
    if !(time_step.is_finite() && time_step > 0.0) {
        return Err(StepError::TimeStep(time_step));
    }
    let ids = ids(bodies)?;
    check_states(bodies, &ids, "before")?;
    let energy_before = Energy::of(bodies, &settings.forces);
    let before = settings.time_before_detection();
    let moved_poses = moved_poses(bodies, settings);
    let poses = kept_poses(bodies, &moved_poses, settings);
    let contacts = find_contacts(&poses).map_err(StepError::Detection)?;
    let solver_contacts = contacts
        .iter()
        .enumerate()
        .map(|(i, c)| solver_contact(i, c, bodies, materials))
        .collect::<Result<Vec<_>, _>>()?;
    let (solution, twists) = match settings.precision {
        Precision::Single => respond::<Vec3>(bodies, &poses, &solver_contacts, settings)?,
        Precision::Double => respond::<DVec3>(bodies, &poses, &solver_contacts, settings)?,
    };

    let mut next = bodies.to_vec();
    for ((body, pose), twist) in next.iter_mut().zip(&moved_poses).zip(twists) {
        if body.is_fixed() {
            continue;
        }
        if body.is_dynamic() {
            body.velocity = DVec3::new(twist[0], twist[1], twist[2]);
            body.angular_velocity = DVec3::new(twist[3], twist[4], twist[5]);
        }
        let pose = moved(body, *pose, time_step - before, settings.precision);
        let pose = kept(body, pose, settings.precision);
        body.position = pose.translation;
        body.orientation = pose.rotation;
    }
    check_states(&next, &ids, "after")?;
    bodies.clone_from_slice(&next);
    let energy_after = Energy::of(bodies, &settings.forces);
    Ok(StepReport { contacts, solution, energy_before, energy_after })
}

/// The poses at which a step of these settings looks for contacts.
pub fn detection_poses(bodies: &[Body], settings: &StepSettings) -> Vec<Pose> {
    kept_poses(bodies, &moved_poses(bodies, settings), settings)
}

/// Where the old velocities take the bodies before contacts are looked for.
fn moved_poses(bodies: &[Body], settings: &StepSettings) -> Vec<Pose> {
    let before = settings.time_before_detection();
    bodies.iter().map(|body| moved(body, body.pose(), before, settings.precision)).collect()
}

/// The moved poses as the bodies keep them.
fn kept_poses(bodies: &[Body], moved: &[Pose], settings: &StepSettings) -> Vec<Pose> {
    bodies.iter().zip(moved).map(|(body, pose)| kept(body, *pose, settings.precision)).collect()
}

fn ids(bodies: &[Body]) -> Result<Vec<BodyId>, StepError> {
    let count = u32::try_from(bodies.len()).map_err(|_| StepError::TooManyBodies(bodies.len()))?;
    Ok((0..count).map(BodyId::new).collect())
}

fn check_states(bodies: &[Body], ids: &[BodyId], when: &'static str) -> Result<(), StepError> {
    match bodies.iter().zip(ids).find(|(body, _)| !body.state_is_finite()) {
        Some((_, &body)) => Err(StepError::State { body, when }),
        None => Ok(()),
    }
}

/// Where the body's present velocity takes it from `pose`; fixed bodies stay.
fn moved(body: &Body, pose: Pose, duration: f64, precision: Precision) -> Pose {
    if body.is_fixed() { pose } else { advance_in(precision, pose, body.velocity, body.angular_velocity, duration) }
}

/// A moved pose as the body keeps it; fixed bodies keep theirs to the last bit.
fn kept(body: &Body, pose: Pose, precision: Precision) -> Pose {
    if body.is_fixed() { pose } else { kept_in(precision, pose) }
}

/// The impulses of the contacts, and the twists that they and the forces lead to, computed in the precision of `V`.
fn respond<V: Vector>(
    bodies: &[Body],
    poses: &[Pose],
    contacts: &[SolverContact],
    settings: &StepSettings,
) -> Result<(Solution, Vec<Twist>), SolverError> {
    let states: Vec<SolverBody> =
        bodies.iter().zip(poses).map(|(body, pose)| solver_body::<V>(body, pose, settings)).collect();
    let problem = ContactProblem::<V>::assemble_in(&states, contacts)?;
    let solution = solve(&problem, &settings.solver, &[])?;
    let changes = problem.twist_changes(&solution.impulses);
    let after = |(state, change): (&SolverBody, &Twist)| {
        let sum = |i: usize| V::real(state.twist[i]) + V::real(state.forced_change[i]) + V::real(change[i]);
        std::array::from_fn(|i| sum(i).into())
    };
    let twists = states.iter().zip(&changes).map(after).collect();
    Ok((solution, twists))
}

fn solver_body<V: Vector>(body: &Body, pose: &Pose, settings: &StepSettings) -> SolverBody {
    let (force, torque) = settings.forces.on_in::<V>(body, pose.rotation);
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

fn solver_contact(
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
    })
}

#[cfg(test)]
mod tests;
