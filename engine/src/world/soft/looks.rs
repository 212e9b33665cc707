//! Contacts that are missing on the way: those at times of impact, and those that a generator knows of by looking ahead.

use super::super::detection::{BODIES_PER_TASK, Found};
use super::super::impact_contacts::patience;
use super::super::{World, WorldError};
use super::SoftState;
use super::contacts::{Scratch, own_scratch};
use super::near_pairs::NearPair;
use super::pairs::{PersistentContact, PersistentPair};
use crate::body::Pose;
use crate::motion::advance;
use crate::soft_step::SoftSettings;
use crate::solver::Twist;
use drystone_contact::Contact;
use drystone_contact::generator::impact::{ALLOWED, Impact};
use drystone_contact::parallel::prelude::*;
use glam::DVec3;
use std::collections::BTreeSet;

impl World {
    /// Adds the contacts that are missing on the way of bodies with the mean twists of the state. Returns how many, and whether the
    /// motion of some pair was too long to be followed to its end. `looks` is how often the step was solved.
    pub(super) fn look_ahead(
        &mut self,
        state: &mut SoftState,
        poses: &[Pose],
        soft: &SoftSettings,
        looks: usize,
    ) -> Result<(usize, bool), WorldError> {
        let mut found;
        if self.looks_for_impacts() {
            if !self.find_ways(state, poses, looks) {
                return Ok((0, false));
            }
            let missing = self.missing_contacts(state, poses, looks)?;
            if missing.is_empty() {
                return Ok((0, false));
            }
            let (pairs, impacts): (Vec<_>, Vec<_>) = missing.into_iter().unzip();
            state.impact_bodies.clear();
            state.impact_bodies.extend(pairs.iter().flat_map(|&(a, b)| [a, b]));
            found = neighbours(state, &pairs, poses);
            let mut known = pairs.iter().zip(impacts).peekable();
            let impact = |pair| known.next_if(|(own, _)| *own == pair).map(|(_, impact)| impact);
            let impacts: Vec<Option<Impact>> = found.pairs.iter().map(impact).collect();
            let moving = (&state.bodies[..], &state.mean[..]);
            let grown = self.add_contacts_at_impacts(moving, poses, &mut found, &impacts, depth_share(looks));
            found.unsettled = grown.into_iter().collect();
        } else if self.method.generator().is_speculative() {
            found = all_found(state, poses);
            let duration = self.settings.step.time_step;
            let moved = |(pose, twist): (&Pose, &Twist)| {
                let [x, y, z, p, q, r] = *twist;
                advance(*pose, DVec3::new(x, y, z), DVec3::new(p, q, r), duration)
            };
            let ends: Vec<Pose> = poses.iter().zip(&state.mean).map(moved).collect();
            self.add_speculative_contacts(&state.bodies, poses, &ends, &mut found)?;
        } else {
            return Ok((0, false));
        }
        if found.pairs.iter().any(|&bodies| state.near_place(bodies).is_err()) {
            state.set_near(&found.pairs);
        }
        let with_contacts = found.pairs.iter().zip(&found.lists).filter(|(_, list)| !list.is_empty());
        let is_new = |bodies: &&(usize, usize)| state.place(**bodies).is_err();
        let new: Vec<(usize, usize)> = with_contacts.map(|(bodies, _)| bodies).filter(is_new).copied().collect();
        if !new.is_empty() {
            state.add_pairs(new.into_iter().map(PersistentPair::new));
            state.set_places();
        }
        let mut added = 0;
        for (&bodies, list) in found.pairs.iter().zip(&found.lists) {
            let Ok(k) = state.place(bodies) else { continue };
            let pair = &mut state.pairs[k];
            for contact in &list[pair.held_count()..] {
                pair.contacts.push(PersistentContact::new(contact, [&poses[bodies.0], &poses[bodies.1]]));
                // They hold for this step.
                pair.found_at = None;
                added += 1;
            }
        }
        if added > 0 {
            self.wake_touched(state, poses, soft);
            state.contacts.find(&state.pairs, &state.frames, &state.stirs);
        }
        Ok((added, !found.unsettled.is_empty()))
    }

    /// How the bodies move with the mean twists of the state, with boxes that are wide enough for that, and which of them move otherwise
    /// than in the looks before. Returns whether any of them moves farther than the generator sees.
    fn find_ways(&mut self, state: &mut SoftState, poses: &[Pose], looks: usize) -> bool {
        let duration = self.settings.step.time_step;
        let SoftState { bodies, traits, mean, ways, sweeps, seen, is_new_way, .. } = state;
        let way = |i: usize| {
            let own = &traits[i];
            // As far as this the generator sees ahead, with a body as thick.
            let seen = ALLOWED * own.thickness;
            if own.is_fixed {
                return (Way { seen, ..Way::default() }, 0.0);
            }
            let [x, y, z, p, q, r] = mean[i];
            let spin = DVec3::new(p, q, r).length();
            let turning = if spin > 0.0 { spin * own.radius * duration } else { 0.0 };
            let way = Way { way: DVec3::new(x, y, z) * duration, turning, seen };
            (way, way.way.length() + turning)
        };
        let all = (0..bodies.len()).into_par_iter().in_tasks_of(BODIES_PER_TASK);
        all.map(way).unzip_into_vecs(ways, sweeps);
        // Of no pair does the generator see less than of the thinnest body.
        let least = ways.iter().map(|way| way.seen).fold(f64::INFINITY, f64::min);
        let is_slow = sweeps.iter().all(|&sweep| sweep <= 0.5 * least);
        let is_new = |(i, (seen, now)): (usize, (&mut Twist, &Twist))| {
            if traits[i].is_fixed {
                return false;
            }
            let [x, y, z, p, q, r] = std::array::from_fn(|k| now[k] - seen[k]);
            let spin = DVec3::new(p, q, r).length();
            let change = DVec3::new(x, y, z).length() + if spin > 0.0 { spin * traits[i].radius } else { 0.0 };
            let is_new = change * duration > SAME_WAY * least;
            if is_new {
                *seen = *now;
            }
            is_new
        };
        if looks == 0 {
            state.impact_bodies.clear();
            seen.clone_from(mean);
            is_new_way.clear();
            is_new_way.resize(bodies.len(), true);
        } else {
            let all = seen.par_iter_mut().zip(&*mean).enumerate().in_tasks_of(BODIES_PER_TASK);
            all.map(is_new).collect_into_vec(is_new_way);
            // The first look leaves out pairs that touch.
            let touching = state.contacts.bodies.iter().filter(|_| looks == 1).flat_map(|&(a, b)| [a, b]);
            touching.chain(state.impact_bodies.iter().copied()).for_each(|body| is_new_way[body] = true);
        }
        if is_slow {
            return false;
        }
        self.widen_boxes(state, poses);
        true
    }

    /// The pairs of bodies that move so far against each other in the step that they meet where no contact holds them, ascending, with
    /// their first impacts: of those of which a body moves otherwise than in the looks before. Before the first solve only those without
    /// contacts are looked at.
    fn missing_contacts(
        &self,
        state: &mut SoftState,
        poses: &[Pose],
        looks: usize,
    ) -> Result<Vec<PairImpact>, WorldError> {
        let duration = self.settings.step.time_step;
        let SoftState { near, pairs, bodies, mean, ways, is_new_way, contacts, boxes, scratch, .. } = state;
        self.find_all_boxes(boxes, poses);
        let (moving, ways) = ((&bodies[..], &mean[..]), &*ways);
        // Whether their boxes may come together on ways that are longer than the generator sees.
        let may_meet = |pair: &NearPair| {
            let (a, b) = pair.places();
            if !(is_new_way[a] || is_new_way[b]) {
                return false;
            }
            let (way, turning) = (ways[b].way - ways[a].way, ways[a].turning + ways[b].turning);
            if way.length() + turning < pair.apart {
                return false;
            }
            let least = ways[a].seen.min(ways[b].seen) - turning;
            if least >= 0.0 && way.length_squared() <= least * least {
                return false;
            }
            let [own, other] = [boxes.at(a), boxes.at(b)];
            let apart = (other.low - own.high).max(own.low - other.high);
            (apart - way.abs()).max_element() <= turning && self.hook_collides(moving.0, (a, b))
        };
        let misses = |near: &NearPair| {
            self.interruption.check()?;
            let bodies_of = near.places();
            let Scratch { workspace, found: held, memory, .. } = &mut *own_scratch(scratch);
            held.clear();
            let known = pairs.binary_search_by_key(&bodies_of, |pair| pair.bodies).ok();
            if let Some(k) = known {
                let own = contacts.of(k);
                // No contact is known of bodies that sleep both.
                held.extend(pairs[k].held().filter_map(|(i, _)| own.get(i).map(|own| own.contact)));
            }
            if looks == 0 && !held.is_empty() {
                return Ok(None);
            }
            let motion = self.pair_motion(moving, poses, bodies_of, (duration, depth_share(looks)));
            if let Some(k) = known {
                memory.copy_from(&pairs[k].memory);
                workspace.memory = Some(std::mem::take(memory));
            }
            let impact = motion.first_impact(&**self.method.generator(), held, workspace);
            if let Some(used) = workspace.memory.take() {
                *memory = used;
            }
            let impact = impact?;
            Ok(impact.map(|impact| (bodies_of, impact)))
        };
        // A few of them cost much more than all others.
        let all = near.par_iter().with_max_len(PAIRS_PER_TASK).in_tasks_of(PAIRS_PER_TASK);
        all.filter(|near| may_meet(near)).map(misses).filter_map(Result::transpose).collect()
    }

    /// Lets pairs that no number of solves keeps apart move as one, and returns how many there are. They end the step with the momentum that
    /// they have by then, not with that of their way: what has pushed them meanwhile has got the opposite.
    pub(super) fn end_unsettled(&mut self, state: &mut SoftState, poses: &[Pose]) -> Result<usize, WorldError> {
        let mut found = all_found(state, poses);
        let mut ways = state.mean.clone();
        let unsettled = self.move_unsettled_as_one(&state.bodies, poses, &mut ways, &mut found)?;
        let ends: Vec<Twist> = state.movers.iter().enumerate().map(|(i, mover)| state.solver.twist(i, mover)).collect();
        let mut joined = ends.clone();
        self.move_as_one(&state.bodies, poses, &unsettled.pairs, unsettled.may_turn, &mut joined);
        let is_changed = |i: &usize| ways[*i] != state.mean[*i] || joined[*i] != ends[*i];
        let changed = (0..ends.len()).filter(is_changed).filter(|&i| state.bodies[i].is_dynamic());
        state.zones = changed.map(|i| (i, [ways[i], joined[i]])).collect();
        state.wake_islands(state.zones.iter().map(|(i, _)| state.rests[*i].island).collect());
        state.add_pairs(found.unsettled.iter().copied().map(PersistentPair::new));
        for pair in &mut state.pairs {
            pair.is_unsettled = found.unsettled.contains(&pair.bodies);
            if pair.is_unsettled {
                pair.found_at = None;
            }
        }
        state.contacts.find(&state.pairs, &state.frames, &state.stirs);
        Ok(unsettled.pairs.len())
    }
}

/// Two bodies with their first impact.
type PairImpact = ((usize, usize), Impact);

/// How a body moves in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    /// m.
    way: DVec3,
    /// How far its points move by its rotation, m.
    turning: f64,
    /// How far the generator sees ahead, m.
    seen: f64,
}

/// The share of the usual depth up to which bodies without contacts may get into each other, before the step is solved.
const FIRST_DEPTH: f64 = 0.1;

/// The same of all bodies once it is solved for the first time.
const SECOND_DEPTH: f64 = 0.15;

/// A body moves in a step as it did when it was looked at if no point of it ends farther from there than this share of what the
/// generator sees of the thinnest body: much less than bodies may get into each other.
const SAME_WAY: f64 = 1e-3;

/// Pairs that a thread takes at once.
const PAIRS_PER_TASK: usize = 256;

/// How deep bodies may be in each other at the end of a step that was solved so often, as a share of the usual depth: little at
/// first, as nobody knows by then what the other contacts do.
fn depth_share(looks: usize) -> f64 {
    match looks {
        0 => FIRST_DEPTH,
        1 => SECOND_DEPTH,
        _ => patience(looks - 2),
    }
}

/// The pairs with contacts that share a body that moves with some of these pairs, with these.
fn neighbours(state: &SoftState, pairs: &[(usize, usize)], poses: &[Pose]) -> Found {
    let mut is_own = vec![false; state.bodies.len()];
    for body in pairs.iter().flat_map(|&(a, b)| [a, b]) {
        is_own[body] = state.bodies[body].is_dynamic();
    }
    let around = state.pairs.iter().filter(|pair| is_own[pair.bodies.0] || is_own[pair.bodies.1]);
    found(state, pairs, around, poses)
}

/// All pairs whose boxes overlap.
fn all_found(state: &SoftState, poses: &[Pose]) -> Found {
    let all: Vec<(usize, usize)> = state.near.iter().map(NearPair::places).collect();
    found(state, &all, &state.pairs, poses)
}

/// Pairs, with and without contacts, both ascending, as other parts of a world know them.
fn found<'s>(
    state: &SoftState,
    pairs: &[(usize, usize)],
    with_contacts: impl IntoIterator<Item = &'s PersistentPair>,
    poses: &[Pose],
) -> Found {
    let mut all: Vec<(usize, usize)> =
        with_contacts.into_iter().map(|pair| pair.bodies).chain(pairs.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    let list = |&(a, b): &(usize, usize)| -> Vec<Contact> {
        let known = state.place((a, b)).ok().map(|k| state.pairs[k].held());
        known.into_iter().flatten().map(|(_, contact)| contact.at([&poses[a], &poses[b]])).collect()
    };
    let lists = all.iter().map(list).collect();
    Found { pairs: all, lists, internal_edges: 0, unsettled: BTreeSet::new() }
}
