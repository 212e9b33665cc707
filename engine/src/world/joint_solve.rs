//! Joints in steps that solve all contacts once, by the global solver or by proximal Gauss–Seidel sweeps: islands that have any, solved with their
//! contacts.
//!
//! A step begins and ends at poses at which the joints hold (SHAKE): contacts are looked for where it begins, and the velocities lead from there
//! to its end, so that they are those half a step before. The rows of locks and limits are solved again with what their coordinates miss at the end
//! of the step, until that is nothing.

use super::World;
use super::settings::WorldSettings;
use super::soft::joints::joint_body;
use super::velocity_solve::{Response, solver_settings, tolerable_speed};
use crate::body::{Body, Pose};
use crate::interruption::Interruption;
use crate::islands::Island;
use crate::soft_step::joints::{JointIsland, SoftJoint, SoftJoints};
use crate::solver::global::{self, GlobalReport};
use crate::solver::{
    BoundedRow, ContactSolver, FrictionModel, GlobalSettings, Impulse, SolverBody, SolverContact, SolverError, Twist,
    proximal_rows,
};
use crate::stepper::twist_after;
use drystone_contact::sorting::inserted;
use std::collections::BTreeSet;

/// No body, as joints have it.
const NONE: u32 = u32::MAX;

/// Solves at most that bring coordinates to where they should be at the end of a step.
const NEWTON_LIMIT: usize = 10;

/// Coordinates that are off by no more are there, m or rad.
const NEAR: f64 = 1e-12;

/// A step is solved so often at most while bodies need more damping for their loads.
const DAMPING_ROUNDS: usize = 3;

/// With joints velocities are sought so many times as closely.
const CLOSER: f64 = 1e-3;

/// What ties bodies beside contacts.
pub(super) struct Ties {
    all: SoftJoints,
    /// Bodies that a joint makes one island, with the joint: a body alone twice.
    edges: Vec<([usize; 2], u32)>,
}

impl World {
    /// Whether the settings have a solver for joints.
    pub(super) fn takes_joints(&self) -> bool {
        let step = &self.settings.step;
        let has_rows = match step.contact_solver {
            ContactSolver::Global(_) => step.solver.friction != FrictionModel::Box,
            ContactSolver::ProximalGaussSeidel => true,
            _ => false,
        };
        self.soft_settings().is_some() || (has_rows && self.settings.ccd.is_none())
    }

    /// How long bodies move with their old velocities before contacts are looked for, s. With joints not at all: these hold where steps
    /// begin and end.
    pub(super) fn time_before_detection(&self) -> f64 {
        if self.joints.is_empty() { self.settings.step.time_before_detection() } else { 0.0 }
    }

    /// The joints where the bodies are; none without any.
    pub(super) fn ties(&self, bodies: &[Body], poses: &[Pose]) -> Option<Ties> {
        if self.joints.is_empty() {
            return None;
        }
        let joints: Vec<SoftJoint> = self.soft_joints().collect();
        let all = joints.iter().flat_map(|joint| joint.bodies).filter(|&body| body != NONE);
        let own: BTreeSet<usize> = inserted(all.map(|body| body as usize));
        let own = own.into_iter().map(|body| joint_body(body, &bodies[body], &poses[body])).collect();
        let all = SoftJoints { joints, bodies: own };
        let mut edges = Vec::new();
        for joint in 0..all.joints.len() {
            let of_joint = all.bodies_of(joint).into_iter().filter(|&body| body != NONE).map(|body| body as usize);
            let dynamic: Vec<usize> = of_joint.filter(|&body| bodies[body].is_dynamic()).collect();
            if let Some(&first) = dynamic.first() {
                edges.extend(dynamic.iter().map(|&body| ([first, body], joint as u32)));
            }
        }
        Some(Ties { all, edges })
    }
}

impl Ties {
    /// The pairs of bodies that belong to one island.
    pub fn ends(&self) -> impl Iterator<Item = [usize; 2]> {
        self.edges.iter().map(|edge| edge.0)
    }

    /// The joints of an island, whose contacts from number `count` on are edges of joints.
    pub fn take_members(&self, island: &mut Island, count: usize) -> Vec<u32> {
        let first = island.contacts.partition_point(|&contact| contact < count);
        let mut members: Vec<u32> =
            island.contacts.split_off(first).into_iter().map(|edge| self.edges[edge - count].1).collect();
        members.sort_unstable();
        members.dedup();
        members
    }

    /// All joints with a body that can move.
    pub fn all_members(&self) -> Vec<u32> {
        let mut members: Vec<u32> = self.edges.iter().map(|edge| edge.1).collect();
        members.dedup();
        members
    }

    /// The joints in their order, where `solved` has not ended them as they were.
    pub fn ended(self, solved: Vec<(u32, SoftJoint)>) -> Vec<SoftJoint> {
        let mut all = self.all.joints;
        for (place, joint) in solved {
            all[place as usize] = joint;
        }
        all
    }

    /// Contacts and joints of an island: the impulses and changes of twists, and the joints at the end of the step.
    ///
    /// # Errors
    /// Those of the solver.
    pub fn solve(
        &self,
        (island, members): (&Island, &[u32]),
        states: &[SolverBody],
        contacts: &[SolverContact],
        start: &[Impulse],
        (settings, interruption): (&WorldSettings, &Interruption),
    ) -> Result<(Response, Vec<(u32, SoftJoint)>), SolverError> {
        let step = &settings.step;
        let sweeps = solver_settings(states, CLOSER * tolerable_speed(states, settings), settings);
        let solve_rows =
            |bodies: &[SolverBody], rows: &[BoundedRow], start: (&[Impulse], &[f64])| match step.contact_solver {
                ContactSolver::Global(global) => {
                    let global = GlobalSettings { velocity_tolerance: CLOSER * global.velocity_tolerance, ..global };
                    let friction = step.solver.friction;
                    global::solve_with_rows(interruption, bodies, contacts, rows, (&global, friction), start)
                }
                _ => proximal_rows::solve_with_rows(interruption, bodies, contacts, rows, &sweeps, start),
            };
        let place = |body: u32| island.bodies.binary_search(&(body as usize)).ok();
        let mut joints = JointIsland::default();
        joints.begin_beside(&self.all, members, place, states, step.time_step);
        let mut start = start.to_vec();
        let mut factorizations = 0;
        let mut round = 1;
        loop {
            let damped = joints.damped(states);
            let (mut rows, mut known) = joints.joint_rows(states);
            let mut best: Option<(f64, Response, Vec<f64>)> = None;
            for _ in 0..NEWTON_LIMIT {
                let plain: Vec<BoundedRow> = rows.iter().map(|own| own.row.clone()).collect();
                let (solution, impulses, changes) = solve_rows(&damped, &plain, (&start, &known))?;
                factorizations += solution.global.map_or(0, |report| report.factorizations);
                let twists: Vec<Twist> = damped.iter().zip(&changes).map(|(own, by)| twist_after(own, by)).collect();
                let off = joints.take_solution(&twists, &impulses, &mut rows);
                start.clone_from(&solution.impulses);
                known.clone_from(&impulses);
                let last = best.as_ref().map_or(f64::INFINITY, |best| best.0);
                if off < last || best.is_none() {
                    best = Some((off, (solution, twists), impulses));
                }
                if off <= NEAR || off > 0.5 * last {
                    break;
                }
            }
            let Some((_, (mut solution, twists), impulses)) = best else { break Err(SolverError::UnsupportedRows) };
            joints.take_solution(&twists, &impulses, &mut rows);
            if round < DAMPING_ROUNDS && joints.needs_damping() {
                round += 1;
                continue;
            }
            solution.global = solution.global.map(|report| GlobalReport { factorizations, ..report });
            let change = |(state, after): (&SolverBody, &Twist)| -> Twist {
                std::array::from_fn(|k| after[k] - (state.twist[k] + state.forced_change[k]))
            };
            let changes = states.iter().zip(&twists).map(change).collect();
            break Ok(((solution, changes), joints.finish_beside()));
        }
    }
}
