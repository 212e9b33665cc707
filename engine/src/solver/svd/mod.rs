//! Contact forces of least norm by singular values.
//!
//! B. Mirtich, "Rigid body contact: collision detection to force computation" (MERL TR98-01), section 4.2: in
//! a = A f + b all components of a are set to zero that a contact does not let go: normal and tangents where it is
//! static, the normal where it slides (is *dynamic*), whose force then has one unknown, its length along the edge of the
//! friction cone. f = −A⁺ b is the force of least norm. A static force outside of its cone makes the contact dynamic, a
//! negative one inactive, and all is solved again.
//!
//! [`solve_forces`] works on plain values and knows no level: forces and accelerations, or impulses and velocities.
//! [`solve_impulses`](impulses::solve_impulses) puts contact problems of time steps to it.
//!
//! Differs from the paper in: the order in which statuses change, a check at the end and contacts that come back
//! (`statuses`); A is never formed, so that the answer loses digits by the condition of the Jacobian and not by its
//! square (`least_norm`); where all fails the system without friction is solved exactly as a complementarity problem
//! (`least_distance`). The method has no friction about the normal: torsional coefficients are without effect, and
//! [`SvdReport::torsion_ignored`] counts the contacts that have one.

mod envelope;
mod equilibrium;
mod factors;
mod force_balance;
pub mod impulses;
mod least_distance;
mod least_norm;
mod singular_values;
mod statuses;

use super::{SolverError, Twist};
use crate::body::BodyId;
use glam::DMat3;

/// A body as the method sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceBody {
    /// One over the mass, 1/kg; zero for a body that does not yield.
    pub inverse_mass: f64,
    /// Inverse inertia tensor in world axes, 1/(kg m²); symmetric.
    pub inverse_inertia: DMat3,
    /// What the body does without contact forces, world frame: its acceleration (m/s², rad/s²), or its twist at the end of
    /// the step (m/s, rad/s).
    pub free: Twist,
}

/// A contact as the method sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceContact {
    /// The two bodies, A and B, by their places in the list.
    pub bodies: [BodyId; 2],
    /// The Jacobian: rows normal, s, t; columns 0–5 take the twist of A, 6–11 that of B, to the motion of B relative to A.
    pub jacobian: [[f64; 12]; 3],
    /// What is to be added to the relative motion of the free bodies (normal, s, t): terms of velocity at the level of
    /// accelerations; rebound and stabilisation at that of velocities. b of the method is J times free motion plus this.
    pub bias: [f64; 3],
    /// Sliding velocity of B relative to A along s and t now, m/s: it makes the contact static or dynamic.
    pub sliding: [f64; 2],
    /// Friction coefficients along s and t; forces stay within an elliptic cone.
    pub friction: [f64; 2],
}

/// What the unknowns are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Forces (N) that change accelerations. The friction of a sliding contact opposes its velocity, whatever
    /// it does to the acceleration.
    Acceleration,
    /// Impulses (N s) that change velocities. Friction may stop sliding, but not turn it round: a contact whose friction
    /// would is static.
    Velocity,
}

/// How forces are sought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SvdSettings {
    /// Contacts that slide no faster are static at first, m/s.
    pub static_speed: f64,
    /// Singular values of the thin factors up to this share of the largest one count as zero. (They are about the square
    /// roots of those of A.)
    pub rank_tolerance: f64,
    /// Pivots of their normal equations up to this share of the diagonal entry count as zero.
    pub pivot_tolerance: f64,
    /// A force may leave its cone, or pull, by this share of the largest force.
    pub force_tolerance: f64,
    /// Forces must hold what the contacts resist up to this share of b; otherwise they are not accepted.
    pub balance_tolerance: f64,
    /// Relative motions that should vanish or not approach may miss that by this share of b. It is met by all that b holds of
    /// the motion of bodies; the biases of redundant contacts may contradict each other.
    pub motion_tolerance: f64,
    /// The loop of statuses ends after so many solves, or four a contact.
    pub most_solves: usize,
    /// Up to so many columns (six for each body that yields) the factors are decomposed into singular values; larger
    /// systems are solved by their normal equations, refined to the same accuracy.
    pub dense_columns: usize,
    /// Systems without friction of up to so many contacts are solved as complementarity problems if need be.
    pub complementarity_contacts: usize,
    /// Sets of up to so many contacts that slide are searched for the bearing ones if need be, at the level of accelerations.
    pub enumerated_contacts: usize,
}

impl SvdSettings {
    /// Static below 1 cm/s; ranks to 10⁻¹⁰ (pivots to 10⁻¹¹), forces and balance to 10⁻⁹, motions to 10⁻⁶; dense up to four
    /// bodies, complementarity up to 128 contacts, search up to 8.
    pub const PRECISE: Self = Self {
        static_speed: 1e-2,
        rank_tolerance: 1e-10,
        pivot_tolerance: 1e-11,
        force_tolerance: 1e-9,
        balance_tolerance: 1e-9,
        motion_tolerance: 1e-6,
        most_solves: 1000,
        dense_columns: 24,
        complementarity_contacts: 128,
        enumerated_contacts: 8,
    };

    /// For time steps, in which the gaps of redundant contacts ask for velocities that contradict each other: motions to a
    /// hundredth of what the solver has to change; and no more solves than a step may take.
    pub const STEPS: Self = Self { motion_tolerance: 1e-2, most_solves: 16, ..Self::PRECISE };
}

impl Default for SvdSettings {
    fn default() -> Self {
        Self::PRECISE
    }
}

/// The status of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContactStatus {
    /// It does not slide; its force has three unknowns.
    Static,
    /// It slides or has no friction; its force has one unknown, along the edge of the cone.
    Dynamic,
    /// It bears no force.
    Inactive,
}

/// Why the loop of statuses ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Statuses came that had been there before.
    Repeated,
    /// Four solves a contact, or as many as are allowed, were used up.
    SolveLimit,
    /// The forces do not hold what the contacts resist.
    Balance,
    /// Biases of redundant contacts contradict each other.
    Motion,
    /// Masses or lengths are so far apart that a sum is not finite.
    NotFinite,
}

/// What became of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SvdStatus {
    /// The loop ended: the forces satisfy the law of every contact.
    Exact,
    /// The loop failed; forces within the cones hold everything still, and of these they have the least norm.
    Equilibrium(Failure),
    /// The loop failed; the system has no friction and was solved exactly as a complementarity problem.
    Complementarity(Failure),
    /// The loop failed; the iterative solver took over.
    ProximalGaussSeidel(Failure),
    /// No forces satisfy the law. Proven for systems without friction, and where all contacts slide, of limited size; the
    /// forces are zero.
    Inconsistent,
    /// The loop failed, and nothing else was tried; the forces are zero.
    Undecided(Failure),
}

/// How a system was solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SvdReport {
    /// What became of it.
    pub status: SvdStatus,
    /// How many linear systems were solved.
    pub solves: usize,
    /// Unknowns of the last one.
    pub unknowns: usize,
    /// The rank of its A.
    pub rank: usize,
    /// |A f + b| by |b| of the last one (largest components); 0 if b is zero.
    pub residual: f64,
    /// Contacts whose torsional friction is left out.
    pub torsion_ignored: usize,
}

impl SvdReport {
    /// Whether A had fewer independent rows than unknowns, so that the force of least norm was one of many.
    pub fn is_rank_deficient(&self) -> bool {
        self.rank < self.unknowns
    }
}

/// Forces and how they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct Forces {
    /// Along normal, s and t, one for each contact, on B: N, or N s.
    pub forces: Vec<[f64; 3]>,
    /// The last status of each contact.
    pub statuses: Vec<ContactStatus>,
    /// How they were found.
    pub report: SvdReport,
}

/// Finds the contact forces of least norm.
///
/// # Errors
/// [`SolverError::UnknownBody`], [`SolverError::SameBody`], [`SolverError::Immovable`]; [`SolverError::Rows`] for
/// numbers of a contact or its bodies that are not finite, or negative friction or masses; [`SolverError::Setting`].
pub fn solve_forces(
    bodies: &[ForceBody],
    contacts: &[ForceContact],
    level: Level,
    settings: &SvdSettings,
) -> Result<Forces, SolverError> {
    settings.check()?;
    for (index, contact) in contacts.iter().enumerate() {
        check(index, contact, bodies)?;
    }
    // A body without contacts is in no row, but its numbers go into the same sums.
    let untouched = |body: &ForceBody| body.free.iter().all(|x| x.is_finite()) && body.inverse_mass.is_finite();
    if !bodies.iter().all(untouched) {
        return Err(SolverError::Rows { contact: contacts.len() });
    }
    let found = statuses::solve(&factors::System::new(bodies, contacts), contacts, level, settings);
    if found.report.residual.is_finite() && found.forces.iter().flatten().all(|x| x.is_finite()) {
        return Ok(found);
    }
    // Without forces all of b is left.
    let report = SvdReport { status: SvdStatus::Undecided(Failure::NotFinite), residual: 1.0, ..found.report };
    Ok(Forces { forces: vec![[0.0; 3]; contacts.len()], report, ..found })
}

/// More contacts than this have too many subsets to try all.
const MOST_ENUMERATED: usize = 16;

impl SvdSettings {
    fn check(&self) -> Result<(), SolverError> {
        let shares = [
            ("the static speed", self.static_speed),
            ("the rank tolerance", self.rank_tolerance),
            ("the pivot tolerance", self.pivot_tolerance),
            ("the force tolerance", self.force_tolerance),
            ("the balance tolerance", self.balance_tolerance),
            ("the motion tolerance", self.motion_tolerance),
        ];
        if self.enumerated_contacts > MOST_ENUMERATED {
            return Err(SolverError::Setting {
                setting: "the number of contacts that are enumerated",
                value: self.enumerated_contacts as f64,
                allowed: "it must be at most 16: twice as many sets are tried for each more",
            });
        }
        match shares.into_iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0)) {
            Some((setting, value)) => {
                Err(SolverError::Setting { setting, value, allowed: "it must be finite and not negative" })
            }
            None => Ok(()),
        }
    }
}

fn check(index: usize, contact: &ForceContact, bodies: &[ForceBody]) -> Result<(), SolverError> {
    let [a, b] = contact.bodies;
    let find = |body: BodyId| {
        let unknown = SolverError::UnknownBody { contact: index, body, count: bodies.len() };
        bodies.get(body.index()).ok_or(unknown)
    };
    let pair = [find(a)?, find(b)?];
    if a == b {
        return Err(SolverError::SameBody { contact: index, body: a });
    }
    if pair.iter().all(|body| body.inverse_mass == 0.0) {
        return Err(SolverError::Immovable { contact: index, a, b });
    }
    let ForceContact { jacobian, bias, sliding, friction, .. } = contact;
    let of_bodies = pair.iter().all(|body| {
        let ForceBody { inverse_mass, inverse_inertia, free } = body;
        inverse_mass.is_finite()
            && *inverse_mass >= 0.0
            && inverse_inertia.is_finite()
            && free.iter().all(|x| x.is_finite())
    });
    let numbers = jacobian.iter().flatten().chain(bias).chain(sliding).chain(friction);
    if of_bodies && numbers.into_iter().all(|x| x.is_finite()) && friction.iter().all(|mu| *mu >= 0.0) {
        Ok(())
    } else {
        Err(SolverError::Rows { contact: index })
    }
}
