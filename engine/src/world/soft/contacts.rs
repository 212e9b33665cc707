//! Broad and narrow phase of the soft step.

use super::super::World;
use super::super::detection::{BODIES_PER_TASK, placed};
use super::super::internal_edges::internal_edge_contacts;
use super::super::near::{bounds_at, pair_margin};
use super::super::report::StepCounts;
use super::SoftState;
use super::pairs::{PersistentContact, PersistentPair};
use crate::body::Pose;
use crate::motion::displacement;
use crate::soft_step::SoftSettings;
use drystone_contact::generator::{GeneratorError, Placed, Workspace};
use drystone_contact::{Contact, Feature};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Pairs that a thread takes at least.
const PAIRS_PER_TASK: usize = 32;

/// Contacts stay until their bodies have moved against each other by this share of the thickness of the thinner one.
const KEPT_UNTIL: f64 = 1e-3;

/// The boxes of bodies are grown by this share of their radius, so that they stay while bodies move by less.
const FAT: f64 = 0.1;

/// What looking for contacts needs, with memory that is kept.
#[derive(Debug, Default)]
pub struct Scratch {
    workspace: Workspace,
    previous: Vec<(Feature, Feature)>,
    found: Vec<Contact>,
    old: Vec<PersistentContact>,
}

/// All contacts of the pairs where the bodies are, with those on internal edges.
#[derive(Debug, Default)]
pub struct WorldContacts {
    list: Vec<Contact>,
    /// Where each pair begins; one more at the end.
    starts: Vec<usize>,
}

impl WorldContacts {
    /// Finds the contacts of the pairs of which one body is not at rest.
    pub fn find(&mut self, pairs: &[PersistentPair], poses: &[Pose], stirs: &[bool]) {
        self.list.clear();
        self.starts.clear();
        for pair in pairs {
            let (a, b) = pair.bodies;
            self.starts.push(self.list.len());
            let own = pair.contacts.iter().filter(|_| stirs[a] || stirs[b]);
            self.list.extend(own.map(|contact| contact.at([&poses[a], &poses[b]])));
        }
        self.starts.push(self.list.len());
    }

    /// Those of a pair.
    pub fn of(&self, pair: usize) -> &[Contact] {
        &self.list[self.starts[pair]..self.starts[pair + 1]]
    }
}

impl World {
    /// Broad phase: the pairs of bodies whose boxes overlap, grown so that they stay while bodies move little.
    pub(super) fn set_fat_pairs(&mut self, state: &mut SoftState, poses: &[Pose], sweeps: &[f64]) {
        let mut has_changed = !state.pairs_are_known;
        for (i, (body, pose)) in state.bodies.iter().zip(poses).enumerate() {
            let entry = &self.entries[i];
            let radius = entry.shape.radius();
            let sweep = sweeps.get(i).copied().unwrap_or(0.0);
            // Grown by as much on each side.
            let room = if body.is_fixed() || !radius.is_finite() { 0.0 } else { FAT * radius + 1.5 * sweep };
            let stays = entry.boxed.is_some_and(|(from, known)| {
                let way = if from == *pose { 0.0 } else { displacement(&from, pose, radius) };
                way + sweep <= 0.5 * known && 0.5 * known <= 2.0 * room
            });
            if !stays {
                let shape = self.method.generator().contact_shape(&entry.shape);
                let bounds = bounds_at(shape, pose, self.contact_margin(i) + 2.0 * room);
                self.broad_phase.set(self.handles.dense()[i].slot(), bounds);
                self.entries[i].boxed = Some((*pose, 2.0 * room));
                has_changed = true;
            }
        }
        if has_changed {
            state.set_pairs(&self.wanted_pairs(&state.bodies));
            state.pairs_are_known = true;
        }
    }

    /// Narrow phase: new contacts for the pairs whose bodies have moved against each other.
    pub(super) fn find_softly(
        &self,
        state: &mut SoftState,
        poses: &[Pose],
        soft: &SoftSettings,
        counts: &mut StepCounts,
    ) -> Result<(), GeneratorError> {
        let generator = self.method.generator();
        let SoftState { pairs, bodies, boxes, stirs, scratch, .. } = state;
        scratch.resize_with(rayon::current_num_threads().max(1), Mutex::default);
        let own = |i: usize| {
            let shape = generator.contact_shape(&self.entries[i].shape);
            bounds_at(shape, &poses[i], self.contact_margin(i))
        };
        (0..poses.len()).into_par_iter().with_min_len(BODIES_PER_TASK).map(own).collect_into_vec(boxes);
        let distance = self.settings.warm_start.map(|warm_start| warm_start.distance);
        // Contacts that continue others, and pairs whose contacts are new.
        let find = |pair: &mut PersistentPair| {
            let (a, b) = pair.bodies;
            if !(stirs[a] || stirs[b]) {
                return Ok((0, 0));
            }
            if !boxes[a].overlaps(&boxes[b]) {
                let is_new = !pair.contacts.is_empty();
                pair.clear();
                return Ok((0, usize::from(is_new)));
            }
            let own = [&poses[a], &poses[b]];
            let (shape_a, shape_b) = (&self.entries[a].shape, &self.entries[b].shape);
            if let Some(before) = pair.found_at {
                let now = own[0].inverse() * *own[1];
                // Bodies of infinite size do not move.
                let radius = shape_a.radius().min(shape_b.radius());
                let kept = KEPT_UNTIL * shape_a.thickness().min(shape_b.thickness());
                if displacement(&before, &now, radius) <= kept {
                    return Ok((pair.contacts.len(), 0));
                }
            }
            let mut scratch =
                scratch[rayon::current_thread_index().unwrap_or(0)].lock().unwrap_or_else(PoisonError::into_inner);
            let Scratch { workspace, previous, found, old } = &mut *scratch;
            previous.clear();
            previous.extend(pair.contacts.iter().map(|contact| (contact.feature_a, contact.feature_b)));
            if previous.is_empty() || pair.is_unsettled {
                previous.push((Feature::UNKNOWN, Feature::UNKNOWN));
            }
            found.clear();
            let placed = |i: usize| placed(&self.entries[i], &bodies[i], poses[i]);
            generator.contacts_into(&placed(a), &placed(b), previous, workspace, found)?;
            let is_new = !(found.is_empty() && pair.contacts.is_empty());
            Ok((pair.renew(found, own, distance, old), usize::from(is_new)))
        };
        let sum = |(x, y): (usize, usize), (p, q): (usize, usize)| Ok((x + p, y + q));
        let (warm, new) = pairs.par_iter_mut().with_min_len(PAIRS_PER_TASK).map(find).try_reduce(|| (0, 0), sum)?;
        counts.warm_started = warm;
        self.wake_touched(state, poses, soft);
        state.contacts.find(&state.pairs, poses, &state.stirs);
        if new > 0 {
            self.mark_internal_edges(state, poses);
        }
        let marked = |pair: &PersistentPair| pair.contacts.iter().filter(|contact| contact.is_internal_edge).count();
        counts.internal_edges = state.pairs.iter().map(marked).sum();
        Ok(())
    }

    /// Marks the contacts that seams between bodies make.
    fn mark_internal_edges(&self, state: &mut SoftState, poses: &[Pose]) {
        let SoftState { pairs, bodies, contacts, .. } = state;
        let touching: Vec<usize> = (0..pairs.len()).filter(|&k| !contacts.of(k).is_empty()).collect();
        let lists: Vec<&[Contact]> = touching.iter().map(|&k| contacts.of(k)).collect();
        let of: Vec<(usize, usize)> = touching.iter().map(|&k| pairs[k].bodies).collect();
        let seen = |i: usize| {
            let placed = placed(&self.entries[i], &bodies[i], poses[i]);
            Placed { shape: self.method.generator().contact_shape(placed.shape), ..placed }
        };
        let margin = |a: usize, b: usize| pair_margin(self.contact_margin(a), self.contact_margin(b));
        let dropped = internal_edge_contacts(&of, &lists, seen, margin);
        for &k in &touching {
            pairs[k].contacts.iter_mut().for_each(|contact| contact.is_internal_edge = false);
        }
        for (k, i) in dropped {
            pairs[touching[k]].contacts[i].is_internal_edge = true;
        }
    }
}

impl SoftState {
    /// Keeps the pairs of an ascending list, and adds those that are new.
    pub(super) fn set_pairs(&mut self, pairs: &[(usize, usize)]) {
        if self.pairs.iter().map(|pair| pair.bodies).eq(pairs.iter().copied()) {
            return;
        }
        let mut old = std::mem::take(&mut self.pairs).into_iter().peekable();
        self.pairs.reserve(pairs.len());
        for &bodies in pairs {
            while old.next_if(|pair| pair.bodies < bodies).is_some() {}
            let known = old.next_if(|pair| pair.bodies == bodies);
            self.pairs.push(known.unwrap_or_else(|| PersistentPair::new(bodies)));
        }
    }
}
