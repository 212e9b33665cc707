//! What can go wrong with a world, by handle.

use crate::body::BodyError;
use crate::ccd::CcdSettings;
use crate::handle::BodyHandle;
use crate::interruption::Interrupted;
use crate::joint::{JointError, JointHandle};
use crate::material::MaterialError;
use crate::prescribed_motion::PrescribedMotionError;
use crate::solver::SolverError;
use crate::stepper::StepError;
use drystone_contact::generator::GeneratorError;
use drystone_contact::query::QueryError;
use glam::DVec3;

/// What keeps a world from doing what was asked. The world is then unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WorldError {
    /// The handle names no body of this world any more, or never did.
    #[error("{0} is not in this world; it has been removed, or the handle belongs to another world")]
    Stale(BodyHandle),
    /// More bodies than handles.
    #[error("the world holds {0} bodies, which is as many as handles can count")]
    TooManyBodies(usize),
    /// A pair of a body with itself.
    #[error("{0} was given twice; a pair consists of two bodies")]
    OneBody(BodyHandle),
    /// The handle names no joint of this world any more, or never did.
    #[error("{0} is not in this world; it has been removed, it has broken, or the handle belongs to another world")]
    StaleJoint(JointHandle),
    /// A coupling of a joint with itself.
    #[error("{0} was given twice; a gear or rack couples two joints")]
    OneJoint(JointHandle),
    /// A joint between bodies none of which is dynamic.
    #[error("a joint of {0}, which is not dynamic, needs another body that is dynamic")]
    JointOfFixed(BodyHandle),
    /// A joint without bodies.
    #[error("a joint needs a body that is dynamic")]
    JointOfWorld,
    /// A joint with numbers that none has.
    #[error("{}: {source}", joint.map_or("a new joint".to_owned(), |joint| joint.to_string()))]
    Joint {
        /// Which one; none for a new one.
        joint: Option<JointHandle>,
        /// What is wrong.
        source: JointError,
    },
    /// Joints in a step that has none.
    #[error(
        "only the soft step, proximal Gauss–Seidel sweeps and the global solver (without box friction), all without continuous collision detection, have joints; choose one of them (ContactSolver::Soft, ProximalGaussSeidel or Global, ccd: None), or remove the joints and locked axes"
    )]
    UnsupportedJoints,
    /// A prescribed motion for a body that does not follow one.
    #[error(
        "{0} has a prescribed motion, but only kinematic bodies can have one; make it kinematic or leave the motion out"
    )]
    PrescribedMotionOfYielding(BodyHandle),
    /// A prescribed motion for a new body that does not follow one.
    #[error(
        "a new body has a prescribed motion, but only kinematic bodies can have one; make it kinematic or leave it out"
    )]
    PrescribedMotionOfNewBody,
    /// A body that is to move to a pose but follows forces, or stays.
    #[error("{0} cannot be moved to a pose, which only kinematic bodies can; make it kinematic, or set its velocities")]
    MoveTo(BodyHandle),
    /// A pose to which no body can move.
    #[error("{body} cannot move to or from its pose: {source}")]
    Target {
        /// The body.
        body: BodyHandle,
        /// What is wrong with the pose.
        source: BodyError,
    },
    /// A pose too far away for a time step.
    #[error(
        "the pose to which {body} is to move is too far away for one time step: {source}; move it in several steps"
    )]
    TooFar {
        /// The body.
        body: BodyHandle,
        /// The velocity that cannot be.
        source: PrescribedMotionError,
    },
    /// A force, torque or point that is none.
    #[error("the {quantity} on {body} is {value}; all components must be finite")]
    NotFinite {
        /// "force", "torque" or "point of the force".
        quantity: &'static str,
        /// The body.
        body: BodyHandle,
        /// What was given.
        value: DVec3,
    },
    /// The method cannot serve a shape.
    #[error(transparent)]
    Generator(#[from] GeneratorError),
    /// A body whose shape continuous collision detection does not take.
    #[error(
        "continuous collision detection takes polyhedra, and {body} is a {kind}; switch it off, or leave the body out"
    )]
    CcdShape {
        /// The body.
        body: BodyHandle,
        /// What its shape is.
        kind: &'static str,
    },
    /// A body that turns too often in a step for continuous collision detection.
    #[error(
        "{body} turns with {spin} rad/s, by {} rad in a step, and continuous collision detection follows {limit} rad at most; shorten the time step, slow the body down, or raise max_intervals", spin * time_step
    )]
    CcdSpin {
        /// The body.
        body: BodyHandle,
        /// How fast it turns, rad/s.
        spin: f64,
        /// Δt, s.
        time_step: f64,
        /// [`CcdSettings::largest_turn`], rad.
        limit: f64,
    },
    /// A body that moves under forces with a shape that has no end.
    #[error("a {kind} has no mass; make the body fixed or kinematic")]
    Unbounded {
        /// What the shape is.
        kind: &'static str,
    },
    /// The time step is not a positive number.
    #[error("the time step is {0} s; give a finite time above zero")]
    TimeStep(f64),
    /// A setting out of range.
    #[error("{setting} is {value}; it must be finite and not negative")]
    Setting {
        /// Which setting.
        setting: &'static str,
        /// The value that was given.
        value: f64,
    },
    /// Settings of continuous collision detection that cannot be.
    #[error(
        "the settings of continuous collision detection {0:?} need a clearance above 0, a share between 0 and 1, and at least one substep, interval and iteration"
    )]
    Ccd(CcdSettings),
    /// Poses that are not those of the bodies.
    #[error("{given} poses for {bodies} bodies")]
    Poses {
        /// How many poses there are.
        given: usize,
        /// How many bodies there are.
        bodies: usize,
    },
    /// A body is nowhere.
    #[error(
        "{body} has a position or velocity that is not finite, or an orientation that is no rotation, {when} the step"
    )]
    State {
        /// The body.
        body: BodyHandle,
        /// "before" or "after".
        when: &'static str,
    },
    /// Two bodies in contact have a material that is not in the table.
    #[error("{a} and {b} touch: {source}")]
    Material {
        /// The first body.
        a: BodyHandle,
        /// The second body.
        b: BodyHandle,
        /// What is missing.
        source: MaterialError,
    },
    /// The contact generator reports a distance that is none.
    #[error("the contact generator gives {a} and {b} a gap of {gap} m; it must be finite")]
    Gap {
        /// The first body.
        a: BodyHandle,
        /// The second body.
        b: BodyHandle,
        /// The gap, m.
        gap: f64,
    },
    /// The contacts of an island could not be solved.
    #[error("the contacts of the bodies that {body} touches, directly or through others: {source}")]
    Solver {
        /// A body of the island.
        body: BodyHandle,
        /// What is wrong; contacts and bodies are numbered within the island.
        source: SolverError,
    },
    /// Settings of the soft step that cannot be.
    #[error("{source}")]
    SoftSettings {
        /// What is wrong.
        source: SolverError,
    },
    /// A body that is to become dynamic and has no mass.
    #[error("{0} cannot become dynamic, as it has no mass; give it one by set_mass first")]
    NoMass(BodyHandle),
    /// A mass that no dynamic body can have.
    #[error("{body}: {source}")]
    Mass {
        /// The body.
        body: BodyHandle,
        /// What is wrong.
        source: BodyError,
    },
    /// A query without an answer.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The step was given up, as its [`crate::Interruption`] wanted.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// Box friction in the soft step.
    #[error("the soft step has elliptic friction cones alone; for box friction use another solver (prox-gauss-seidel)")]
    BoxFriction,
}

/// Contacts of an island with this body that could not be solved.
pub(super) fn unsolved(body: BodyHandle, source: SolverError) -> WorldError {
    match source {
        SolverError::Interrupted(interrupted) => interrupted.into(),
        source => WorldError::Solver { body, source },
    }
}

/// The same error with handles in place of numbers.
pub(super) fn named(error: StepError, handles: &[BodyHandle]) -> WorldError {
    match error {
        StepError::TimeStep(time_step) => WorldError::TimeStep(time_step),
        StepError::State { body, when } => WorldError::State { body: handles[body.index()], when },
        StepError::Material { a, b, source, .. } => {
            WorldError::Material { a: handles[a.index()], b: handles[b.index()], source }
        }
        StepError::Solver(source) => WorldError::Solver { body: handles[0], source },
        StepError::TooManyBodies(_) | StepError::Detection(_) => WorldError::TooManyBodies(handles.len()),
    }
}
