//! The step of a world by the [soft step](crate::soft_step): persistent pairs, contacts, substeps, and contacts at times of impact.
//!
//! What the next step goes on from is in [`record`]; all else follows. Memory is kept from step to step: once nothing new comes near, a step asks for none.

mod contacts;
mod islands;
mod looks;
mod pairs;
mod record;
mod resting;

use super::detection::BODIES_PER_TASK;
use super::error::named;
use super::report::{Lap, StepCounts, Timings, WorldReport, deepest};
use super::{World, WorldError};
use crate::body::{Body, BodyId, Pose};
use crate::broad_phase::Bounds;
use crate::motion::advance;
use crate::soft_step::bodies::Mover;
use crate::soft_step::{SoftContact, SoftSettings, SoftStep};
use crate::solver::{Impulse, SolverBody, Twist};
use crate::stepper::{ContactBetween, Energy, ExternalWrench, StepError, solver_body, twist_after};
use contacts::WorldContacts;
use drystone_contact::Feature;
use glam::DVec3;
use islands::IslandFinder;
use pairs::PersistentPair;
use rayon::prelude::*;
pub use record::SoftRecord;
use resting::Resting;

/// How often a step is solved again at most.
const MAX_LOOKS: usize = 8;

/// Bodies that are in each other by no more than this share of the thickness of the thinner one are left so.
const SLACK: f64 = 1e-5;

/// What a world keeps from one soft step to the next.
#[derive(Debug, Default)]
pub(super) struct SoftState {
    /// In ascending order.
    pairs: Vec<PersistentPair>,
    /// The length of a substep of the impulses that are remembered, s.
    pub substep: f64,
    /// Whether the pairs are those of the boxes as they are.
    pairs_are_known: bool,
    solver: SoftStep,
    islands: IslandFinder,
    /// The islands of the last solve that the global solver has taken over.
    resting: Vec<Resting>,
    /// For how many steps an island with this body is left to sweeps, after the global solver has failed; in ascending order.
    pub waits: Vec<(u32, u32)>,
    /// Where the step begins, and what comes of it: no result depends on what is here before.
    bodies: Vec<Body>,
    begin: Vec<(SolverBody, Mover)>,
    movers: Vec<Mover>,
    free: Vec<Twist>,
    mean: Vec<Twist>,
    boxes: Vec<Bounds>,
    /// The bodies with the velocities with which they would go on.
    ahead: Vec<Body>,
    /// How far each body's points move by its rotation, m.
    reaches: Vec<f64>,
    contacts: WorldContacts,
    soft: Vec<SoftContact>,
    /// The pair of each contact that is solved, and its place there.
    places: Vec<(usize, usize)>,
    /// Where bodies end that no number of solves keeps apart.
    zones: Vec<(usize, Twist)>,
}

impl SoftState {
    /// Forgets a body; those behind it move up.
    pub fn remove(&mut self, body: usize) {
        self.pairs.retain(|pair| pair.bodies.0 != body && pair.bodies.1 != body);
        let moved = |place: usize| if place > body { place - 1 } else { place };
        self.pairs.iter_mut().for_each(|pair| pair.bodies = (moved(pair.bodies.0), moved(pair.bodies.1)));
        self.waits.retain(|&(own, _)| own as usize != body);
        self.waits.iter_mut().for_each(|(own, _)| *own = moved(*own as usize) as u32);
        self.pairs_are_known = false;
    }

    /// Forgets everything, as another solver has made a step.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.waits.clear();
        self.pairs_are_known = false;
    }

    /// The pairs have to be asked for again: bodies were added, or what may touch has changed.
    pub fn forget_pairs(&mut self) {
        self.pairs_are_known = false;
    }

    /// The places of the contacts that were solved, after others were added behind those of their pairs.
    fn set_places(&mut self) {
        let mut solved = self.soft.iter().peekable();
        self.places.clear();
        for (k, pair) in self.pairs.iter().enumerate() {
            let own = pair.contacts.iter().enumerate().filter(|(_, own)| !own.is_internal_edge);
            let is_of_pair = |contact: &&SoftContact| (contact.a as usize, contact.b as usize) == pair.bodies;
            self.places.extend(own.filter_map(|(i, _)| solved.next_if(is_of_pair).map(|_| (k, i))));
        }
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

impl World {
    /// Moves the world by one time step with the soft step.
    pub(super) fn step_softly(&mut self, soft: &SoftSettings, report: &mut WorldReport) -> Result<(), WorldError> {
        let mut state = std::mem::take(&mut self.soft);
        // In a thread of the pool from here on: to hand each part of the work over to it costs more than some of the parts.
        let result = rayon::scope(|_| self.soft_step(soft, &mut state, report));
        self.soft = state;
        result
    }

    fn soft_step(
        &mut self,
        soft: &SoftSettings,
        state: &mut SoftState,
        report: &mut WorldReport,
    ) -> Result<(), WorldError> {
        let (mut whole, mut lap, mut timings) = (Lap::start(), Lap::start(), Timings::default());
        soft.check().map_err(|source| WorldError::SoftSettings { source })?;
        let step = self.settings.step;
        self.teleported_into(&mut report.teleported);
        self.kinematic_bodies_into(&mut state.bodies);
        self.check_finite(&state.bodies, "before")?;
        report.energy_before = Energy::of(&state.bodies, &step.forces);
        report.poses.clear();
        report.poses.extend(state.bodies.iter().map(Body::pose));
        self.begin_softly(state, &report.poses, soft);

        let sweeps = self.sweeps(&state.bodies, &state.free, step.time_step);
        self.set_fat_pairs(state, &report.poses, &sweeps);
        timings.broad_phase = lap.next();
        let mut counts = StepCounts::default();
        self.find_softly(state, &report.poses, &mut counts)?;
        timings.narrow_phase = lap.next();
        self.solve_softly(state, soft, report, &mut counts)?;
        report.deepest_penetration = deepest(&report.contacts);
        report.impulses.clear();
        report.impulses.extend(state.soft.iter().map(|contact| contact.total));
        self.end_softly(state, &report.poses)?;
        self.remember(state);
        state.substep = step.time_step / soft.substeps as f64;
        let SoftState { islands, movers, soft: contacts, solver, resting, .. } = state;
        islands.report(movers, contacts, solver, resting, soft, &mut report.islands);

        self.contact_cache.clear();
        self.bodies.clone_from(&state.bodies);
        for (entry, body) in self.entries.iter_mut().zip(&self.bodies) {
            (entry.external_wrench, entry.left) = (ExternalWrench::NONE, Some(body.pose()));
        }
        self.time += step.time_step;
        self.steps += 1;
        timings.solver = lap.next();
        timings.total = whole.next();
        report.handles.clear();
        report.handles.extend_from_slice(self.handles.dense());
        (report.step, report.time, report.pairs) = (self.steps, self.time, state.pairs.len());
        report.energy_after = Energy::of(&self.bodies, &step.forces);
        report.position_correction_energy = 0.0;
        (report.counts, report.ccd, report.backtracking, report.timings) = (counts, None, None, timings);
        Ok(())
    }

    /// Bodies that are no deeper in each other are left so, m.
    fn slack(&self, (a, b): (usize, usize)) -> f64 {
        SLACK * self.entries[a].shape.thickness().min(self.entries[b].shape.thickness())
    }

    fn check_finite(&self, bodies: &[Body], when: &'static str) -> Result<(), WorldError> {
        match bodies.iter().position(|body| !body.state_is_finite()) {
            Some(body) => Err(WorldError::State { body: self.handles.dense()[body], when }),
            None => Ok(()),
        }
    }

    /// The bodies as the solver sees them, and their velocities without contacts.
    fn begin_softly(&self, state: &mut SoftState, poses: &[Pose], soft: &SoftSettings) {
        let step = &self.settings.step;
        let bodies = &state.bodies;
        let of = |i: usize| {
            let own = solver_body(&bodies[i], &poses[i], &self.entries[i].external_wrench, step);
            (own, Mover::new(&own, !bodies[i].is_fixed(), soft.substeps))
        };
        let all = (0..bodies.len()).into_par_iter().with_min_len(BODIES_PER_TASK).map(of);
        all.collect_into_vec(&mut state.begin);
        state.movers.clear();
        state.movers.extend(state.begin.iter().map(|(_, mover)| *mover));
        state.free.clear();
        state.free.extend(state.begin.iter().map(|(own, _)| twist_after(own, &[0.0; 6])));
    }

    /// Solves with the contacts that were found, and again with those that are missing on the way.
    fn solve_softly(
        &mut self,
        state: &mut SoftState,
        soft: &SoftSettings,
        report: &mut WorldReport,
        counts: &mut StepCounts,
    ) -> Result<(), WorldError> {
        let time_step = self.settings.step.time_step;
        let substep = time_step / soft.substeps as f64;
        // An impulse is a force over a time.
        let share = if state.substep > 0.0 { substep / state.substep } else { 1.0 };
        state.zones.clear();
        state.waits.retain_mut(|(_, wait)| {
            *wait -= 1;
            *wait > 0
        });
        state.mean.clone_from(&state.free);
        let mut looks = 0;
        counts.speculative_contacts = self.look_ahead(state, &report.poses, looks)?.0;
        loop {
            self.soft_contacts(state, share, &mut report.contacts, counts)?;
            let mut solver = std::mem::take(&mut state.solver);
            solver.solve(&state.movers, &mut state.soft, soft, time_step);
            state.solver = solver;
            self.solve_resting_islands(state, soft, share, counts)
                .map_err(|(body, source)| WorldError::Solver { body: self.handles.dense()[body], source })?;
            let SoftState { mean, movers, solver, .. } = state;
            mean.clear();
            mean.extend((0..movers.len()).map(|i| {
                let [way, turn] = solver.displacement(i, &movers[i]).map(|x| x / time_step);
                [way.x, way.y, way.z, turn.x, turn.y, turn.z]
            }));
            looks += 1;
            let (added, unsettled) = self.look_ahead(state, &report.poses, looks)?;
            counts.speculative_contacts += added;
            if added == 0 && !unsettled {
                return Ok(());
            }
            if looks == MAX_LOOKS {
                counts.speculative_limits = self.end_unsettled(state, &report.poses)?;
                state.set_places();
                return Ok(());
            }
        }
    }

    /// The contacts of all pairs as they are solved, and as they are reported.
    fn soft_contacts(
        &self,
        state: &mut SoftState,
        share: f64,
        all: &mut Vec<ContactBetween>,
        counts: &mut StepCounts,
    ) -> Result<(), WorldError> {
        let handles = self.handles.dense();
        let allowed = self.settings.pre_stabilisation.map_or(0.0, |pre| pre.allowed_penetration);
        let rest_depth = allowed.min(self.method.generator().slop());
        let threshold = self.settings.restitution_threshold;
        let SoftState { pairs, bodies, contacts, soft, places, .. } = state;
        all.clear();
        soft.clear();
        places.clear();
        counts.restitution_ignored = 0;
        let mut last = None;
        for (k, pair) in pairs.iter().enumerate().filter(|(_, pair)| !pair.contacts.is_empty()) {
            let (a, b) = pair.bodies;
            let (id_a, id_b) = (BodyId::new(a as u32), BodyId::new(b as u32));
            let (body_a, body_b) = (&bodies[a], &bodies[b]);
            let materials = (body_a.material, body_b.material);
            let interaction = match last {
                Some((known, interaction)) if known == materials => interaction,
                _ => self.materials.between(materials.0, materials.1).map_err(|source| {
                    named(StepError::Material { contact: all.len(), a: id_a, b: id_b, source }, handles)
                })?,
            };
            last = Some((materials, interaction));
            let friction = interaction.friction.to_array();
            let slack = self.slack(pair.bodies);
            for (i, own) in pair.contacts.iter().enumerate().filter(|(_, own)| !own.is_internal_edge) {
                let contact = contacts.of(k)[i];
                if !contact.gap.is_finite() {
                    return Err(WorldError::Gap { a: handles[a], b: handles[b], gap: contact.gap });
                }
                let mut bounce = 0.0;
                if interaction.restitution > 0.0 {
                    let velocity =
                        |body: &Body| body.velocity + body.angular_velocity.cross(contact.position - body.position);
                    let approach = contact.normal.dot(velocity(body_a) - velocity(body_b));
                    if approach > threshold {
                        bounce = interaction.restitution * approach;
                    } else {
                        counts.restitution_ignored += usize::from(approach > 0.0);
                    }
                }
                all.push(ContactBetween { a: id_a, b: id_b, contact });
                soft.push(SoftContact {
                    a: a as u32,
                    b: b as u32,
                    position: contact.position,
                    normal: contact.normal,
                    gap: contact.gap + rest_depth,
                    slack: slack + own.rest_depth,
                    friction,
                    bounce,
                    impulse: own.impulse(contact.normal, share),
                    total: [0.0; 4],
                });
                places.push((k, i));
            }
        }
        Ok(())
    }

    /// Puts the bodies to where the step leads.
    fn end_softly(&self, state: &mut SoftState, poses: &[Pose]) -> Result<(), WorldError> {
        let time_step = self.settings.step.time_step;
        let SoftState { bodies, movers, solver, zones, .. } = state;
        let end = |(i, body): (usize, &mut Body)| {
            let pose = if body.is_dynamic() {
                let [way, turn] = solver.displacement(i, &movers[i]);
                let [x, y, z, p, q, r] = solver.twist(i, &movers[i]);
                (body.velocity, body.angular_velocity) = (DVec3::new(x, y, z), DVec3::new(p, q, r));
                advance(poses[i], way, turn, 1.0)
            } else if body.is_fixed() {
                poses[i]
            } else {
                advance(poses[i], body.velocity, body.angular_velocity, time_step)
            };
            (body.position, body.orientation) = (pose.translation, pose.rotation);
        };
        bodies.par_iter_mut().enumerate().with_min_len(BODIES_PER_TASK).for_each(end);
        for &(i, [x, y, z, p, q, r]) in zones.iter() {
            let (velocity, spin) = (DVec3::new(x, y, z), DVec3::new(p, q, r));
            let pose = advance(poses[i], velocity, spin, time_step);
            let body = &mut bodies[i];
            (body.position, body.orientation) = (pose.translation, pose.rotation);
            (body.velocity, body.angular_velocity) = (velocity, spin);
        }
        self.check_finite(bodies, "after")
    }

    /// Keeps the impulses for the next step; that of a bounce says nothing about it.
    fn remember(&self, state: &mut SoftState) {
        for (contact, &(k, i)) in state.soft.iter().zip(&state.places) {
            let impulse: Impulse = if contact.bounce > 0.0 { [0.0; 4] } else { contact.impulse };
            state.pairs[k].contacts[i].remember(contact.normal, impulse);
        }
    }
}
