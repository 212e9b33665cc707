//! The step of a world by the [soft step](crate::soft_step): persistent pairs, contacts, substeps, and contacts at times of impact.
//!
//! What the next step goes on from is in [`record`]; all else follows. Memory is kept from step to step: once nothing new comes near, a step asks for none.

mod before;
mod bodies;
mod contact_work;
mod contacts;
mod due;
mod islands;
pub(super) mod joints;
mod looks;
mod near_pairs;
mod pairs;
mod record;
mod report;
mod resting;
mod sleeping;
mod solve;

use super::detection::BODIES_PER_TASK;
use super::internal_edges::InternalEdges;
use super::report::{QuietStep, StepCounts, Timings, WorldReport, deepest};
use super::{World, WorldError, WorldSettings};
use crate::body::Body;
use crate::broad_phase::Bounds;
use crate::lap::Lap;
use crate::soft_step::bodies::Mover;
use crate::soft_step::{SoftContact, SoftSettings, SoftStep};
use crate::solver::{FrictionModel, Twist};
use crate::stepper::Energy;
use before::Before;
use bodies::Traits;
use contact_work::ContactWork;
use contacts::{Scratch, WorldContacts};
use drystone_contact::Feature;
use drystone_contact::parallel::prelude::*;
use due::Boxes;
use islands::IslandFinder;
use looks::Way;
use near_pairs::{Move, NearPair};
use pairs::{Frame, PersistentPair};
pub use record::SoftRecord;
use report::ReportedPair;
use resting::Resting;
use sleeping::Rest;
use solve::SolvedPair;
use std::sync::Mutex;

/// Bodies that are in each other by no more than this share of the thickness of the thinner one are left so.
const SLACK: f64 = 1e-5;

/// What a world keeps from one soft step to the next.
#[derive(Debug, Default)]
pub(super) struct SoftState {
    /// Bodies whose grown boxes overlap, in ascending order.
    near: Vec<NearPair>,
    near_before: Vec<NearPair>,
    /// Those of these without contacts that may come together.
    near_due: Vec<u32>,
    /// The share of the room in its box that each body needs, how far it may still go in it (m), and the boxes that are renewed.
    used_rooms: Vec<f64>,
    rooms: Vec<f64>,
    new_boxes: Vec<Option<(f64, Bounds)>>,
    /// How each body has moved in the last step; empty if bodies were removed since.
    moves: Vec<Move>,
    /// Those of these that have contacts, or may have some any time, in ascending order.
    pairs: Vec<PersistentPair>,
    fresh: Vec<PersistentPair>,
    /// The length of a substep of the impulses that are remembered, s.
    pub substep: f64,
    /// Whether the pairs are those of the boxes as they are.
    pairs_are_known: bool,
    /// One for each body.
    pub rests: Vec<Rest>,
    /// The number of the island that fell asleep last.
    pub last_island: u32,
    /// The settings of the last step.
    pub settings: Option<WorldSettings>,
    /// Whether something was written to the world since the last step.
    has_changed: bool,
    /// The last step, if nothing moved in it.
    quiet: QuietStep,
    solver: SoftStep,
    /// Which bodies have joints; empty if none has.
    jointed: Vec<bool>,
    islands: IslandFinder,
    /// The islands of the last solve that the global solver has taken over.
    resting: Vec<Resting>,
    /// What contacts have done in the step to the island of each root; empty if sweeps have converged for all.
    work: Vec<ContactWork>,
    /// For how many steps an island with this body is left to sweeps, after the global solver has failed; in ascending order.
    pub waits: Vec<(u32, u32)>,
    /// The bodies where the step begins, then where it ends, and their energies there: as the last step has left them, or empty.
    bodies: Vec<Body>,
    energies: Vec<Energy>,
    /// What else the step begins with, and what comes of it: no result depends on what is here before.
    movers: Vec<Mover>,
    traits: Vec<Traits>,
    mean: Vec<Twist>,
    boxes: Boxes,
    frames: Vec<Frame>,
    internal_edges: InternalEdges,
    /// Which bodies are not as the last step has left them.
    written: Vec<bool>,
    /// Which bodies may disturb others.
    stirs: Vec<bool>,
    /// How far bodies may move in the step, m.
    sweeps: Vec<f64>,
    /// Of each thread.
    scratch: Vec<Mutex<Scratch>>,
    slow_steps: Vec<u32>,
    ways: Vec<Way>,
    /// The mean twists with which bodies were looked at.
    seen: Vec<Twist>,
    /// Which bodies move otherwise now.
    is_new_way: Vec<bool>,
    /// The bodies that the last look has given contacts, or could not follow.
    impact_bodies: Vec<usize>,
    contacts: WorldContacts,
    soft: Vec<SoftContact>,
    /// The pairs that touch.
    solved_pairs: Vec<SolvedPair>,
    /// The pair of each contact that is solved, and its place there.
    places: Vec<(usize, usize)>,
    /// The pairs whose contacts are reported.
    reported: Vec<ReportedPair>,
    /// How bodies move that no number of solves keeps apart, and how they go on after the step.
    zones: Vec<(usize, [Twist; 2])>,
    /// Where a step that may be interrupted begins.
    before: Before,
}

impl SoftState {
    /// Forgets a body; those behind it move up.
    pub fn remove(&mut self, body: usize) {
        self.pairs.retain(|pair| pair.bodies.0 != body && pair.bodies.1 != body);
        let moved = |place: usize| if place > body { place - 1 } else { place };
        self.pairs.iter_mut().for_each(|pair| pair.bodies = (moved(pair.bodies.0), moved(pair.bodies.1)));
        let others = |pair: &NearPair| pair.places().0 != body && pair.places().1 != body;
        self.near.retain(others);
        self.near.iter_mut().for_each(|pair| pair.bodies = pair.bodies.map(|own| moved(own as usize) as u32));
        self.waits.retain(|&(own, _)| own as usize != body);
        if body < self.rests.len() {
            self.rests.remove(body);
        }
        if body < self.bodies.len() {
            self.bodies.remove(body);
        }
        if body < self.energies.len() {
            self.energies.remove(body);
        }
        self.waits.iter_mut().for_each(|(own, _)| *own = moved(*own as usize) as u32);
        self.moves.clear();
        self.pairs_are_known = false;
    }

    /// Forgets everything, as another solver has made a step.
    pub fn clear(&mut self) {
        self.near.clear();
        self.pairs.clear();
        self.waits.clear();
        self.moves.clear();
        self.bodies.clear();
        self.wake_all();
        self.pairs_are_known = false;
    }

    /// The pairs have to be asked for again: bodies were added, or what may touch has changed.
    pub fn forget_pairs(&mut self) {
        (self.pairs_are_known, self.has_changed) = (false, true);
    }

    /// The places of the contacts that were solved, after pairs were added, or contacts behind those of their pairs.
    fn set_places(&mut self) {
        let mut solved = self.soft.iter().peekable();
        self.places.clear();
        for (k, pair) in self.pairs.iter().enumerate() {
            let is_of_pair = |contact: &&SoftContact| (contact.a as usize, contact.b as usize) == pair.bodies;
            self.places.extend(pair.held().filter_map(|(i, _)| solved.next_if(is_of_pair).map(|_| (k, i))));
        }
    }

    /// Bodies that are no deeper in each other are left so, m.
    fn slack(&self, (a, b): (usize, usize)) -> f64 {
        SLACK * self.traits[a].thickness.min(self.traits[b].thickness)
    }

    /// The place of a pair, or where it would be.
    fn place(&self, bodies: (usize, usize)) -> Result<usize, usize> {
        self.pairs.binary_search_by_key(&bodies, |pair| pair.bodies)
    }

    /// The features of the contacts of a pair.
    pub fn features(&self, bodies: (usize, usize)) -> impl Iterator<Item = (Feature, Feature)> {
        let contacts = self.place(bodies).ok().map(|k| &self.pairs[k].contacts);
        contacts.into_iter().flatten().map(|c| (c.feature_a, c.feature_b))
    }
}

/// A world of fewer bodies, with contacts of fewer pairs, is moved by the thread that calls: hardly any part of the work is so large that several
/// threads share it, and to hand a step over to the pool takes longer than the step. A part that is shared all the same is handed over by itself.
const SMALL: [usize; 2] = [BODIES_PER_TASK, 32];

impl World {
    /// Moves the world by one time step with the soft step.
    pub(super) fn step_softly(&mut self, soft: &SoftSettings, report: &mut WorldReport) -> Result<(), WorldError> {
        soft.check().map_err(|source| WorldError::SoftSettings { source })?;
        if self.settings.step.solver.friction == FrictionModel::Box {
            return Err(WorldError::BoxFriction);
        }
        self.check_finite(&self.bodies, "before")?;
        let mut state = std::mem::take(&mut self.soft);
        let result = if self.entries.len() < SMALL[0] && state.pairs.len() < SMALL[1] {
            self.soft_step(soft, &mut state, report)
        } else {
            // In a thread of the pool from here on: to hand each part of the work over to it costs more than some of the parts.
            drystone_contact::parallel::scope(|_| self.soft_step(soft, &mut state, report))
        };
        if let Err(WorldError::Interrupted(_)) = result {
            let mut before = std::mem::take(&mut state.before);
            before.restore(self, &mut state, report);
            state.before = before;
        } else if result.is_err() {
            // The bodies are where they were.
            state.bodies.clone_from(&self.bodies);
        }
        self.soft = state;
        result
    }

    fn soft_step(
        &mut self,
        soft: &SoftSettings,
        state: &mut SoftState,
        report: &mut WorldReport,
    ) -> Result<(), WorldError> {
        let (mut lap, mut timings) = (Lap::start(), Timings::default());
        let step = self.settings.step;
        if !state.has_changed && state.quiet.is(report.quiet) && state.settings.as_ref() == Some(&self.settings) {
            // All of the report but the time is as it was.
            (self.time, self.steps) = (self.time + step.time_step, self.steps + 1);
            (report.time, report.step) = (self.time, self.steps);
            report.timings = Timings { total: lap.next(), ..timings };
            return Ok(());
        }
        if self.interruption.is_possible() {
            let mut before = std::mem::take(&mut state.before);
            before.keep(self, state, report);
            state.before = before;
        }
        self.begin_bodies(state, report);
        self.note_joints(state);
        self.wake_disturbed(state);
        let is_quiet = !state.stirs.contains(&true) && self.nothing_is_prescribed();
        self.begin_softly(state, &report.poses, soft);
        self.begin_joints(state, &report.poses);
        self.set_fat_pairs(state, &report.poses);
        timings.broad_phase = lap.next();
        self.interruption.check()?;
        let mut counts = StepCounts::default();
        self.find_softly(state, &report.poses, soft, &mut counts)?;
        timings.narrow_phase = lap.next();
        self.solve_softly(state, soft, &report.poses, &mut counts)?;
        self.find_contact_work(state);
        self.end_softly(state, &report.poses)?;
        // A step that fails leaves the contacts of the one before.
        state.report_contacts(soft, report);
        report.deepest_penetration = deepest(&report.contacts);
        self.remember(state);
        self.end_joints(&state.solver.joints.joints, report);
        state.substep = step.time_step / soft.substeps as f64;
        let SoftState { islands, movers, solver, resting, .. } = state;
        islands.report(movers, solver, resting, soft, &mut report.islands);
        self.fall_asleep(state, soft);
        counts.asleep = state.rests.iter().filter(|rest| rest.island > 0).count();

        self.contact_cache.clear();
        self.end_bodies(state, report);
        self.time += step.time_step;
        self.steps += 1;
        timings.solver = lap.next();
        timings.total = lap.total();
        report.handles.clear();
        report.handles.extend_from_slice(self.handles.dense());
        (report.step, report.time, report.pairs) = (self.steps, self.time, state.near.len());
        report.position_correction_energy = 0.0;
        (report.counts, report.ccd, report.backtracking, report.timings) = (counts, None, None, timings);
        state.has_changed = false;
        if !report.broken_joints.is_empty() {
            self.soft = std::mem::take(state);
            self.remove_broken(&report.broken_joints);
            *state = std::mem::take(&mut self.soft);
        }
        state.quiet =
            if is_quiet && report.broken_joints.is_empty() { QuietStep::next() } else { QuietStep::default() };
        report.quiet = state.quiet;
        Ok(())
    }

    /// Whether no kinematic body follows a prescribed motion.
    fn nothing_is_prescribed(&self) -> bool {
        self.entries.iter().all(|entry| entry.prescribed_motion.is_none())
    }

    fn check_finite(&self, bodies: &[Body], when: &'static str) -> Result<(), WorldError> {
        let all = bodies.par_iter().in_tasks_of(BODIES_PER_TASK);
        match all.position_first(|body| !body.state_is_finite()) {
            Some(body) => Err(WorldError::State { body: self.handles.dense()[body], when }),
            None => Ok(()),
        }
    }
}
