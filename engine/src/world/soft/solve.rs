//! The solve of a soft step: contacts as they are solved, substeps, contacts that are missing on the way, and where the step leads.

use super::super::detection::BODIES_PER_TASK;
use super::super::error::{named, unsolved};
use super::super::report::StepCounts;
use super::super::rigid_groups::velocities;
use super::super::{World, WorldError};
use super::contact_work::ContactWork;
use super::near_pairs::Move;
use super::pairs::LastTangents;
use super::{SLACK, SoftState};
use crate::body::{Body, BodyId, Pose};
use crate::compressed_rows::fill_rows;
use crate::material::Interaction;
use crate::motion::advance;
use crate::soft_step::bodies::Mover;
use crate::soft_step::{SoftContact, SoftSettings};
use crate::solver::Impulse;
use crate::stepper::StepError;
use drystone_contact::parallel::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Pairs that a thread takes at least.
const PAIRS_PER_TASK: usize = 256;

/// How often a step is solved again at most.
const MAX_LOOKS: usize = 8;

/// A pair of bodies that touch, while its contacts are written down.
#[derive(Clone, Copy, Debug)]
pub(super) struct SolvedPair {
    /// Where its contacts begin among those that are solved.
    start: usize,
    /// What happens between the materials.
    interaction: Option<Interaction>,
}

impl World {
    /// Solves with the contacts that were found, and again with those that are missing on the way.
    pub(super) fn solve_softly(
        &mut self,
        state: &mut SoftState,
        soft: &SoftSettings,
        poses: &[Pose],
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
        // As the parts of the step lead bodies on which nothing but forces acts.
        let share_of_force = 0.5 * (1.0 + 1.0 / soft.substeps as f64);
        let mean = |mover: &Mover| mover.twist_without_contacts(share_of_force);
        state.movers.par_iter().in_tasks_of(BODIES_PER_TASK).map(mean).collect_into_vec(&mut state.mean);
        let mut looks = 0;
        counts.speculative_contacts = self.look_ahead(state, poses, soft, looks)?.0;
        loop {
            self.interruption.check()?;
            self.soft_contacts(state, (share, substep), counts)?;
            let mut solver = std::mem::take(&mut state.solver);
            let solved = solver.solve(&self.interruption, &state.movers, &mut state.soft, (soft, time_step));
            state.solver = solver;
            solved?;
            self.solve_resting_islands(state, soft, share, counts)
                .map_err(|(body, source)| unsolved(self.handles.dense()[body], source))?;
            let SoftState { mean, movers, solver, .. } = state;
            let mean_twist = |(i, mover): (usize, &Mover)| {
                let [way, turn] = solver.displacement(i, mover).map(|x| x / time_step);
                [way.x, way.y, way.z, turn.x, turn.y, turn.z]
            };
            let all = movers.par_iter().enumerate().in_tasks_of(BODIES_PER_TASK);
            all.map(mean_twist).collect_into_vec(mean);
            looks += 1;
            let (added, unsettled) = self.look_ahead(state, poses, soft, looks)?;
            counts.speculative_contacts += added;
            if added == 0 && !unsettled {
                return Ok(self.interruption.check()?);
            }
            if looks == MAX_LOOKS {
                counts.speculative_limits = self.end_unsettled(state, poses)?;
                state.set_places();
                return Ok(self.interruption.check()?);
            }
        }
    }

    /// The contacts as they are solved: those of bodies that impulses move.
    fn soft_contacts(
        &self,
        state: &mut SoftState,
        (share, substep): (f64, f64),
        counts: &mut StepCounts,
    ) -> Result<(), WorldError> {
        let handles = self.handles.dense();
        let allowed = self.settings.pre_stabilisation.map_or(0.0, |pre| pre.allowed_penetration);
        let rest_depth = allowed.min(self.method.generator().slop());
        let threshold = self.settings.restitution_threshold;
        let time_step = self.settings.step.time_step;
        let SoftState { pairs, bodies, traits, contacts, soft, solved_pairs, places, movers, .. } = state;
        let solved = |row: usize| {
            let k = contacts.of_row(row).0;
            let (a, b) = pairs[k].bodies;
            let own = [&traits[a], &traits[b]];
            let count = if own.iter().any(|own| own.yields) { pairs[k].held_count() } else { 0 };
            let between = self.materials.between(own[0].material, own[1].material);
            SolvedPair { start: count, interaction: between.ok().map(|usual| self.hooked(bodies, (a, b), usual)) }
        };
        let all = (0..contacts.rows()).into_par_iter().in_tasks_of(PAIRS_PER_TASK);
        all.map(solved).collect_into_vec(solved_pairs);
        let mut count = 0;
        for pair in solved_pairs.iter_mut() {
            count += std::mem::replace(&mut pair.start, count);
        }
        if let Some(row) = solved_pairs.iter().position(|pair| pair.interaction.is_none()) {
            let (a, b) = pairs[contacts.of_row(row).0].bodies;
            self.materials.between(bodies[a].material, bodies[b].material).map_err(|source| {
                let (a, b) = (BodyId::new(a as u32), BodyId::new(b as u32));
                named(StepError::Material { contact: solved_pairs[row].start, a, b, source }, handles)
            })?;
        }
        places.resize(count, (0, 0));
        soft.resize(count, SoftContact::NONE);
        let (ignored, is_finite) = (AtomicUsize::new(0), AtomicBool::new(true));
        let fill = |row: usize, (soft, places): (&mut [SoftContact], &mut [(usize, usize)])| {
            let (k, found) = contacts.of_row(row);
            let (a, b) = pairs[k].bodies;
            let Some(interaction) = &solved_pairs[row].interaction else { return };
            let friction = interaction.friction.to_array();
            let slack = SLACK * traits[a].thickness.min(traits[b].thickness);
            let mut tangents = LastTangents::default();
            for ((soft, place), (i, own)) in soft.iter_mut().zip(places).zip(pairs[k].held()) {
                let contact = &found[i].contact;
                *place = (k, i);
                if !contact.gap.is_finite() {
                    is_finite.store(false, Relaxed);
                }
                let mut bounce = 0.0;
                if interaction.restitution > 0.0 {
                    let velocity =
                        |body: &Body| body.velocity + body.angular_velocity.cross(contact.position - body.position);
                    let approach = contact.normal.dot(velocity(&bodies[a]) - velocity(&bodies[b]));
                    if approach > threshold {
                        let forces = movers[a].force_at(contact.position) - movers[b].force_at(contact.position);
                        let closing = contact.normal.dot(forces) / time_step;
                        bounce = bounce_speed(interaction.restitution, approach, (closing, contact.gap), substep);
                    } else if approach > 0.0 {
                        ignored.fetch_add(1, Relaxed);
                    }
                }
                // Entry by entry: no copy of it is made.
                (soft.a, soft.b) = (a as u32, b as u32);
                (soft.position, soft.normal) = (contact.position, contact.normal);
                (soft.gap, soft.slack) = (contact.gap + rest_depth, slack + own.rest_depth);
                (soft.friction, soft.bounce) = (friction, bounce);
                soft.impulse = own.impulse(tangents.of(contact.normal), share);
            }
        };
        let start = |row: usize| solved_pairs.get(row).map_or(count, |pair| pair.start);
        fill_rows(solved_pairs.len(), &start, (&mut soft[..], &mut places[..]), &fill);
        counts.restitution_ignored = ignored.into_inner();
        if is_finite.into_inner() {
            return Ok(());
        }
        let wrong = soft.iter().find(|contact| !contact.gap.is_finite());
        wrong.map_or(Ok(()), |contact| {
            let [a, b] = [contact.a, contact.b].map(|body| handles[body as usize]);
            Err(WorldError::Gap { a, b, gap: contact.gap - rest_depth })
        })
    }

    /// Puts the bodies to where the step leads.
    pub(super) fn end_softly(&self, state: &mut SoftState, poses: &[Pose]) -> Result<(), WorldError> {
        let time_step = self.settings.step.time_step;
        let SoftState { near, bodies, movers, solver, work, zones, rests, moves, traits, jointed, .. } = state;
        // What moves as one is written below.
        let is_finite = AtomicBool::new(zones.is_empty());
        let end = |(i, body): (usize, &mut Body)| {
            if rests[i].island > 0 || body.is_fixed() {
                return Move::default();
            }
            let (pose, [way, turn]) = if body.is_dynamic() {
                let [way, turn] = solver.displacement(i, &movers[i]);
                let pose = advance(poses[i], way, turn, 1.0);
                let (velocity, spin) = velocities(solver.twist(i, &movers[i]));
                let root = movers[i].yields().then(|| solver.root(i as u32) as usize);
                let scale = root.and_then(|root| work.get(root)).map_or(1.0, ContactWork::scale);
                let (velocity, spin) = (scale * velocity, scale * spin);
                // The angular momentum stays while the body turns.
                let is_jointed = jointed.get(i).is_some_and(|&is| is);
                let spin =
                    if is_jointed { spin } else { body.spin_after_turn(spin, [poses[i].rotation, pose.rotation]) };
                (body.velocity, body.angular_velocity) = (velocity, spin);
                (pose, [way, turn])
            } else {
                let (velocity, spin) = (body.velocity, body.angular_velocity);
                (advance(poses[i], velocity, spin, time_step), [velocity * time_step, spin * time_step])
            };
            (body.position, body.orientation) = (pose.translation, pose.rotation);
            if !body.state_is_finite() {
                is_finite.store(false, Relaxed);
            }
            Move::new(way, turn, traits[i].radius)
        };
        let all = bodies.par_iter_mut().enumerate();
        all.in_tasks_of(BODIES_PER_TASK).map(end).collect_into_vec(moves);
        for &(i, [way, end]) in zones.iter() {
            let (velocity, spin) = velocities(way);
            let pose = advance(poses[i], velocity, spin, time_step);
            moves[i] = Move::new(velocity * time_step, spin * time_step, traits[i].radius);
            let body = &mut bodies[i];
            (body.position, body.orientation) = (pose.translation, pose.rotation);
            (body.velocity, body.angular_velocity) = velocities(end);
        }
        if !is_finite.into_inner() {
            self.check_finite(bodies, "after")?;
        }
        near.par_iter_mut().in_tasks_of(PAIRS_PER_TASK).for_each(|pair| pair.count(moves));
        Ok(())
    }

    /// Keeps the impulses for the next step; that of a bounce says nothing about it.
    pub(super) fn remember(&self, state: &mut SoftState) {
        let SoftState { pairs, soft, places, .. } = state;
        let tasks = drystone_contact::parallel::current_num_threads().max(1);
        let per_task = pairs.len().div_ceil(tasks).max(PAIRS_PER_TASK);
        pairs.par_chunks_mut(per_task).enumerate().in_tasks_of(1).for_each(|(task, pairs)| {
            let first = task * per_task;
            let begin = places.partition_point(|&(k, _)| k < first);
            let mut tangents = LastTangents::default();
            for (contact, &(k, i)) in soft[begin..].iter().zip(&places[begin..]) {
                let Some(pair) = pairs.get_mut(k - first) else { break };
                let impulse: Impulse = if contact.bounce > 0.0 { [0.0; 4] } else { contact.impulse };
                pair.contacts[i].remember(tangents.of(contact.normal), impulse);
            }
        });
    }
}

/// How fast bodies part that approach each other, m/s: so that they rise by the share e² of what they have fallen. They are as fast as that when they
/// touch, at the end of the step; until then they go on with the given acceleration towards each other (m/s²) over the gap (m). Of
/// semi-implicit parts of h seconds v²/2 + a gap + a h v/2 stays while bodies approach, and v²/2 + a gap − a h v/2 while they part.
fn bounce_speed(restitution: f64, approach: f64, (closing, gap): (f64, f64), substep: f64) -> f64 {
    let half = 0.5 * closing * substep;
    let energy = approach * approach + 2.0 * closing * gap.max(0.0) + 2.0 * half * approach;
    (half + (half * half + restitution * restitution * energy.max(0.0)).sqrt()).max(0.0)
}
