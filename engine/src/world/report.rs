//! What happened in a step of a world.

use super::joints::JointReaction;
use crate::body::{BodyId, Pose};
use crate::ccd::CcdReport;
use crate::handle::BodyHandle;
use crate::joint::JointHandle;
use crate::simulator::asynchronous::AsynchronousReport;
use crate::simulator::backtracking::BacktrackingReport;
use crate::soft_step::SoftSettings;
use crate::solver::{GlobalReport, Impulse, Solution, Stop, SvdReport};
use crate::stepper::{ContactBetween, Energy};
use drystone_contact::parallel::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Contacts that a thread takes at least.
const CONTACTS_PER_TASK: usize = 1024;

/// How long the phases of a step took; zero unless the feature `timings` is on. Two of them are always equal: time is no part of what a
/// step did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    /// Boxes and pairs.
    pub broad_phase: Duration,
    /// The contact generator over all pairs.
    pub narrow_phase: Duration,
    /// Islands, impulses and velocities.
    pub solver: Duration,
    /// The position change after the step.
    pub post_stabilisation: Duration,
    /// The whole step.
    pub total: Duration,
}

impl PartialEq for Timings {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Contacts that were treated in a special way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCounts {
    /// Contacts at seams between bodies that were dropped, as a contact with a neighbouring body holds the plane.
    pub internal_edges: usize,
    /// Speculative contacts: those added because the step would have led bodies into each other.
    pub speculative_contacts: usize,
    /// How many substeps were solved for the last time with such contacts still missing, and how many pairs of bodies
    /// had to move as one for the rest of the step, as no number of solves kept them apart.
    pub speculative_limits: usize,
    /// Bodies that came from anywhere at speed and were held back in the first half of the step, where they met others.
    pub held_back: usize,
    /// Contacts that continue one of the step before.
    pub warm_started: usize,
    /// Bodies that sleep at the end of the step.
    pub asleep: usize,
    /// Approaching contacts whose bounce was left out because they were too slow.
    pub restitution_ignored: usize,
    /// Contacts that were asked to part.
    pub pre_stabilised: usize,
    /// Contacts whose bodies were moved apart after the step.
    pub post_stabilised: usize,
    /// Islands whose iteration ended at its limit.
    pub iteration_limits: usize,
    /// Islands whose post-stabilisation ended at the limit of its iteration.
    pub position_iteration_limits: usize,
    /// Islands that the SVD force method solved by its loop of statuses.
    pub svd_exact: usize,
    /// Islands in which the loop failed: solved as an equilibrium within the cones or as a complementarity problem,
    /// both of which satisfy the law too, or left to the iterative solver.
    pub svd_fallbacks: usize,
    /// Islands in which no forces satisfy the law of contact, as it found.
    pub svd_inconsistent: usize,
    /// Linear systems that it solved.
    pub svd_solves: usize,
    /// Islands whose last linear system had more unknowns than independent rows.
    pub svd_rank_deficient: usize,
    /// Contacts whose torsional friction it left out.
    pub torsion_ignored: usize,
    /// Islands that the global method solved by Newton's method.
    pub global_newton: usize,
    /// Islands that it solved by the interior point method.
    pub global_interior_point: usize,
    /// Islands that it left to the iterative solver.
    pub global_fallbacks: usize,
    /// Matrices that it factorized.
    pub global_factorizations: usize,
}

impl std::ops::AddAssign for StepCounts {
    fn add_assign(&mut self, other: Self) {
        let Self {
            internal_edges,
            speculative_contacts,
            speculative_limits,
            held_back,
            warm_started,
            asleep,
            restitution_ignored,
            pre_stabilised,
            post_stabilised,
            iteration_limits,
            position_iteration_limits,
            svd_exact,
            svd_fallbacks,
            svd_inconsistent,
            svd_solves,
            svd_rank_deficient,
            torsion_ignored,
            global_newton,
            global_interior_point,
            global_fallbacks,
            global_factorizations,
        } = other;
        self.internal_edges += internal_edges;
        self.speculative_contacts += speculative_contacts;
        self.speculative_limits += speculative_limits;
        self.held_back += held_back;
        self.warm_started += warm_started;
        self.asleep += asleep;
        self.restitution_ignored += restitution_ignored;
        self.pre_stabilised += pre_stabilised;
        self.post_stabilised += post_stabilised;
        self.iteration_limits += iteration_limits;
        self.position_iteration_limits += position_iteration_limits;
        self.svd_exact += svd_exact;
        self.svd_fallbacks += svd_fallbacks;
        self.svd_inconsistent += svd_inconsistent;
        self.svd_solves += svd_solves;
        self.svd_rank_deficient += svd_rank_deficient;
        self.torsion_ignored += torsion_ignored;
        self.global_newton += global_newton;
        self.global_interior_point += global_interior_point;
        self.global_fallbacks += global_fallbacks;
        self.global_factorizations += global_factorizations;
    }
}

/// An island and how its contacts were solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IslandReport {
    /// Its first dynamic body (the first body of all where islands are not used).
    pub first: BodyId,
    /// How many bodies it has, those that do not yield included.
    pub bodies: usize,
    /// How many contacts it has.
    pub contacts: usize,
    /// How many sweeps were made.
    pub iterations: usize,
    /// The largest move of an impulse in the last sweep, N s; 0 without sweeps.
    pub residual: f64,
    /// How far the impulses are from a solution, N s.
    pub natural_residual: f64,
    /// How many sweeps diverged.
    pub divergences: usize,
    /// Why the iteration ended.
    pub stop: Stop,
    /// What the SVD force method says, where it was asked.
    pub svd: Option<SvdReport>,
    /// What the global method says, where it was asked.
    pub global: Option<GlobalReport>,
    /// The natural map as a velocity at its contact, m/s, after the last substep of the soft step; none by other solvers.
    pub soft_residual: Option<f64>,
}

impl IslandReport {
    pub(super) fn new(first: usize, bodies: usize, solution: &Solution) -> Self {
        Self {
            first: BodyId::new(first as u32),
            bodies,
            contacts: solution.impulses.len(),
            iterations: solution.residuals.len(),
            residual: solution.residuals.last().copied().unwrap_or(0.0),
            natural_residual: solution.natural_residual,
            divergences: solution.divergences,
            stop: solution.stop,
            svd: solution.svd,
            global: solution.global,
            soft_residual: None,
        }
    }

    /// An island of the soft step, still without bodies and contacts.
    pub(super) fn soft(first: usize, soft: &SoftSettings) -> Self {
        Self {
            first: BodyId::new(first as u32),
            bodies: 0,
            contacts: 0,
            iterations: soft.substeps * (soft.sweeps + soft.relaxations),
            residual: 0.0,
            natural_residual: 0.0,
            divergences: 0,
            stop: Stop::Substeps,
            svd: None,
            global: None,
            soft_residual: Some(0.0),
        }
    }
}

/// What happened in a step, whichever [`crate::simulator::Simulator`] made it.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldReport {
    /// The number of the step, from 1.
    pub step: u64,
    /// The time of the world after the step, s.
    pub time: f64,
    /// The bodies in the order in which they were added; a [`BodyId`] of this report counts them.
    pub handles: Vec<BodyHandle>,
    /// The contacts, pair by pair in ascending order, at the poses where they were looked for.
    pub contacts: Vec<ContactBetween>,
    /// One impulse for each contact.
    pub impulses: Vec<Impulse>,
    /// Where the bodies were when contacts were looked for, in the order of the handles.
    pub poses: Vec<Pose>,
    /// How many pairs of bodies the contact generator was asked about.
    pub pairs: usize,
    /// The islands that have contacts, in the order of their first dynamic bodies; none are told by the backtracking
    /// simulator.
    pub islands: Vec<IslandReport>,
    /// Energy before the step.
    pub energy_before: Energy,
    /// Energy after the step.
    pub energy_after: Energy,
    /// How much of the potential energy after the step position correction has added, by lifting bodies against gravity
    /// to take them apart or holding them back in the first half of the step ([`StepCounts::held_back`]), J; negative if it
    /// has lowered them. It adds no kinetic energy.
    pub position_correction_energy: f64,
    /// The depth of the deepest contact, m; 0 if nothing penetrates.
    pub deepest_penetration: f64,
    /// Bodies whose poses were written since the last step, in ascending order: they were put there, and took along
    /// nothing that rests on them ([`super::World::move_to`] moves a kinematic body with what it carries). The
    /// backtracking simulator tells none.
    pub teleported: Vec<BodyId>,
    /// Contacts and islands that were treated in a special way.
    pub counts: StepCounts,
    /// What continuous collision detection did, if the settings ask for it. Contacts, impulses, islands and poses are
    /// then those of the last substep; the deepest contact and the counts are those of all substeps.
    pub ccd: Option<CcdReport>,
    /// What the backtracking simulator says of the step besides, if it made it.
    pub backtracking: Option<Box<BacktrackingReport>>,
    /// What the asynchronous simulator says of the step besides, if it made it.
    pub asynchronous: Option<Box<AsynchronousReport>>,
    /// The reactions of all joints, in the order in which they were added; those of bodies that sleep as they were.
    pub joints: Vec<JointReaction>,
    /// The joints that have broken in the step, in ascending order: the world does not have them any more.
    pub broken_joints: Vec<JointHandle>,
    /// How long it took.
    pub timings: Timings,
    /// What a world knows it by if nothing has moved in the step.
    pub(crate) quiet: QuietStep,
}

/// A step of a world in which nothing moved, by a number that no other one has; none for other steps. Two of them are always equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuietStep(Option<u64>);

impl QuietStep {
    pub(super) fn next() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Self(Some(COUNT.fetch_add(1, Relaxed)))
    }

    /// Whether it is this one.
    pub(super) fn is(self, other: Self) -> bool {
        self.0.is_some() && self.0 == other.0
    }
}

impl PartialEq for QuietStep {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Default for WorldReport {
    /// A report of no step, for [`super::World::step_into`].
    fn default() -> Self {
        let none = Energy { kinetic: 0.0, potential: 0.0 };
        Self {
            step: 0,
            time: 0.0,
            handles: Vec::new(),
            contacts: Vec::new(),
            impulses: Vec::new(),
            poses: Vec::new(),
            pairs: 0,
            islands: Vec::new(),
            energy_before: none,
            energy_after: none,
            position_correction_energy: 0.0,
            deepest_penetration: 0.0,
            teleported: Vec::new(),
            counts: StepCounts::default(),
            ccd: None,
            backtracking: None,
            asynchronous: None,
            joints: Vec::new(),
            broken_joints: Vec::new(),
            timings: Timings::default(),
            quiet: QuietStep::default(),
        }
    }
}

impl WorldReport {
    /// The handle of a body of this report.
    pub fn handle(&self, id: BodyId) -> Option<BodyHandle> {
        self.handles.get(id.index()).copied()
    }

    /// The most sweeps that an island took.
    pub fn iterations(&self) -> usize {
        self.islands.iter().map(|island| island.iterations).max().unwrap_or(0)
    }

    /// The largest residual of the last sweep of an island, N s.
    pub fn residual(&self) -> f64 {
        self.islands.iter().map(|island| island.residual).fold(0.0, f64::max)
    }

    /// How far the impulses are from a solution at worst, N s.
    pub fn natural_residual(&self) -> f64 {
        self.islands.iter().map(|island| island.natural_residual).fold(0.0, f64::max)
    }
}

/// The contacts that a world finds without stepping.
#[derive(Clone, Debug, PartialEq)]
pub struct Detected {
    /// The contacts, pair by pair in ascending order; a [`BodyId`] counts [`super::World::handles`].
    pub contacts: Vec<ContactBetween>,
    /// Where the bodies were.
    pub poses: Vec<Pose>,
    /// How many pairs of bodies the contact generator was asked about.
    pub pairs: usize,
    /// How long it took; only the phases up to the contacts are filled in.
    pub timings: Timings,
}

pub(super) fn deepest(contacts: &[ContactBetween]) -> f64 {
    let depths = contacts.par_iter().in_tasks_of(CONTACTS_PER_TASK).map(|c| -c.contact.gap);
    // Zero without a sign, whichever of two zeros was the larger one.
    depths.reduce(|| 0.0, f64::max) + 0.0
}
