//! Broad and narrow phase of the soft step.

use super::super::detection::placed;
use super::super::near::pair_margin;
use super::super::report::StepCounts;
use super::super::{World, WorldError};
use super::SoftState;
use super::pairs::{Frame, PersistentContact, PersistentPair};
use crate::body::{BodyId, Pose};
use crate::compressed_rows::fill_rows;
use crate::soft_step::SoftSettings;
use crate::stepper::ContactBetween;
use drystone_contact::generator::{PairMemory, Placed, Workspace, impact};
use drystone_contact::parallel::prelude::*;
use drystone_contact::{Contact, Feature};
use glam::DVec3;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pairs that a thread takes at once.
const PAIRS_PER_TASK: usize = 32;

/// How far bodies without contacts are apart is of interest between these shares of the thickness of the thinner one.
const APART: [f64; 2] = [1.0, 0.01];

/// A contact that is still to be found.
pub const NO_CONTACT: ContactBetween = ContactBetween {
    a: BodyId::new(0),
    b: BodyId::new(0),
    contact: Contact {
        position: DVec3::ZERO,
        normal: DVec3::ZERO,
        gap: 0.0,
        feature_a: Feature::UNKNOWN,
        feature_b: Feature::UNKNOWN,
    },
};

/// What looking for contacts needs, with memory that is kept.
#[derive(Debug, Default)]
pub struct Scratch {
    pub workspace: Workspace,
    previous: Vec<(Feature, Feature)>,
    pub found: Vec<Contact>,
    old: Vec<PersistentContact>,
    /// A copy of what is kept of the pair that is looked at.
    pub memory: PairMemory,
}

/// That of the thread.
pub fn own_scratch(scratch: &[Mutex<Scratch>]) -> MutexGuard<'_, Scratch> {
    scratch[drystone_contact::parallel::current_thread_index().unwrap_or(0)]
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

/// All contacts of the pairs where the bodies are, with those on internal edges.
#[derive(Debug, Default)]
pub struct WorldContacts {
    pub list: Vec<ContactBetween>,
    /// The places of the pairs that touch and of which one body is not at rest, ascending.
    pairs: Vec<usize>,
    /// Their bodies.
    pub bodies: Vec<(usize, usize)>,
    /// Where each begins; one more at the end.
    starts: Vec<usize>,
}

impl WorldContacts {
    /// Finds the contacts of the pairs of which one body is not at rest.
    pub fn find(&mut self, pairs: &[PersistentPair], frames: &[Frame], stirs: &[bool]) {
        self.pairs.clear();
        self.bodies.clear();
        self.starts.clear();
        let mut count = 0;
        for (k, pair) in pairs.iter().enumerate().filter(|(_, pair)| !pair.contacts.is_empty()) {
            let (a, b) = pair.bodies;
            if stirs[a] || stirs[b] {
                self.pairs.push(k);
                self.bodies.push(pair.bodies);
                self.starts.push(count);
                count += pair.contacts.len();
            }
        }
        self.starts.push(count);
        self.list.resize(count, NO_CONTACT);
        let fill = |row: usize, list: &mut [ContactBetween]| {
            let pair = &pairs[self.pairs[row]];
            let own = [&frames[pair.bodies.0], &frames[pair.bodies.1]];
            let (a, b) = (BodyId::new(pair.bodies.0 as u32), BodyId::new(pair.bodies.1 as u32));
            for (contact, persistent) in list.iter_mut().zip(&pair.contacts) {
                *contact = ContactBetween { a, b, contact: persistent.within(own) };
            }
        };
        fill_rows(self.pairs.len(), &|row| self.starts[row], &mut self.list[..], &fill);
    }

    /// The row of a pair among those that touch.
    pub fn row(&self, pair: usize) -> Option<usize> {
        self.pairs.binary_search(&pair).ok()
    }

    /// How many pairs touch.
    pub fn rows(&self) -> usize {
        self.pairs.len()
    }

    /// A pair that touches, with its contacts.
    pub fn of_row(&self, row: usize) -> (usize, &[ContactBetween]) {
        (self.pairs[row], &self.list[self.starts[row]..self.starts[row + 1]])
    }

    /// The pairs that touch, with their contacts; ascending.
    pub fn touching(&self) -> impl Iterator<Item = (usize, &[ContactBetween])> {
        (0..self.pairs.len()).map(|row| self.of_row(row))
    }

    /// Those of a pair.
    pub fn of(&self, pair: usize) -> &[ContactBetween] {
        self.row(pair).map_or(&[], |row| self.of_row(row).1)
    }
}

impl World {
    /// Narrow phase: new contacts for the pairs whose bodies have moved against each other.
    pub(super) fn find_softly(
        &self,
        state: &mut SoftState,
        poses: &[Pose],
        soft: &SoftSettings,
        counts: &mut StepCounts,
    ) -> Result<(), WorldError> {
        let generator = self.method.generator();
        let stays = self.set_due(state, poses);
        let SoftState { near, near_due, fresh, pairs, bodies, boxes, scratch, .. } = state;
        scratch.resize_with(drystone_contact::parallel::current_num_threads().max(1), Mutex::default);
        fresh.clear();
        for &k in near_due.iter() {
            let pair = &mut near[k as usize];
            let (a, b) = pair.places();
            let gap = boxes.at(a).gap(boxes.at(b));
            pair.apart = gap.max(0.0);
            if gap <= 0.0 {
                fresh.push(PersistentPair { is_due: true, ..PersistentPair::new((a, b)) });
            }
        }
        let distance = self.settings.warm_start.map(|warm_start| warm_start.distance);
        // Contacts that continue others, and pairs whose contacts are new.
        let find = &|pair: &mut PersistentPair| {
            let (a, b) = pair.bodies;
            if !pair.is_due {
                return Ok((0, 0));
            }
            self.interruption.check()?;
            if !boxes.at(a).overlaps(boxes.at(b)) || !self.hook_collides(bodies, (a, b)) {
                let is_new = !pair.contacts.is_empty();
                pair.clear();
                return Ok((0, usize::from(is_new)));
            }
            let own = [&poses[a], &poses[b]];
            let Scratch { workspace, previous, found, old, .. } = &mut *own_scratch(scratch);
            previous.clear();
            previous.extend(pair.contacts.iter().map(|contact| (contact.feature_a, contact.feature_b)));
            if previous.is_empty() || pair.is_unsettled {
                previous.push((Feature::UNKNOWN, Feature::UNKNOWN));
            }
            found.clear();
            let placed = |i: usize| placed(&self.entries[i], &bodies[i], poses[i]);
            workspace.memory = Some(std::mem::take(&mut pair.memory));
            let result = generator.contacts_into(&placed(a), &placed(b), previous, workspace, found);
            pair.memory = workspace.memory.take().unwrap_or_default();
            result?;
            let is_new = !(found.is_empty() && pair.contacts.is_empty());
            let warm = pair.renew(found, own, distance, old);
            if found.is_empty() {
                pair.apart = self.apart(pair.bodies, own);
            }
            Ok((warm, usize::from(is_new)))
        };
        let sum = |(x, y): (usize, usize), (p, q): (usize, usize)| Ok::<_, WorldError>((x + p, y + q));
        let mut all = (stays, 0);
        for list in [&mut *pairs, &mut *fresh] {
            let found = list
                .par_iter_mut()
                .with_max_len(PAIRS_PER_TASK)
                .in_tasks_of(PAIRS_PER_TASK)
                .map(find)
                .try_reduce(|| (0, 0), sum)?;
            all = (all.0 + found.0, all.1 + found.1);
        }
        let (warm, new) = all;
        counts.warm_started = warm;
        state.sort_out();
        self.wake_touched(state, poses, soft);
        state.contacts.find(&state.pairs, &state.frames, &state.stirs);
        if new > 0 {
            self.mark_internal_edges(state, poses)?;
        }
        let internal_edges = state.contacts.pairs.iter().map(|&k| state.pairs[k].internal_edges as usize);
        counts.internal_edges = internal_edges.sum();
        Ok(())
    }

    /// How far two bodies may move against each other without having contacts, m: zero if they are near each other.
    fn apart(&self, (a, b): (usize, usize), poses: [&Pose; 2]) -> f64 {
        let shapes = [&*self.entries[a].shape, &*self.entries[b].shape];
        let margin = pair_margin(self.contact_margin(a), self.contact_margin(b));
        let thickness = shapes[0].thickness().min(shapes[1].thickness());
        let seen = shapes.map(|shape| self.method.generator().contact_shape(shape));
        let poses = poses.map(|pose| *pose);
        let limits = APART.map(|share| margin + share * thickness);
        impact::distance_apart(seen, &poses, limits).map_or(0.0, |apart| apart - margin)
    }

    /// Marks the contacts that seams between bodies make.
    fn mark_internal_edges(&self, state: &mut SoftState, poses: &[Pose]) -> Result<(), WorldError> {
        let SoftState { pairs, bodies, contacts, internal_edges, .. } = state;
        let seen = |i: usize| {
            let placed = placed(&self.entries[i], &bodies[i], poses[i]);
            Placed { shape: self.method.generator().contact_shape(placed.shape), ..placed }
        };
        let margin = |a: usize, b: usize| pair_margin(self.contact_margin(a), self.contact_margin(b));
        let of = |i: usize| contacts.of_row(i).1.iter().map(|own| &own.contact);
        let dropped = internal_edges.find(&self.interruption, &contacts.bodies, of, seen, margin)?;
        let mut before = 0;
        for (row, &k) in contacts.pairs.iter().enumerate() {
            let count = dropped[before..].iter().take_while(|(own, _)| *own == row).count();
            if count > 0 || pairs[k].internal_edges > 0 {
                let own = &dropped[before..before + count];
                pairs[k].mark_internal_edges(|i| own.iter().any(|&(_, dropped)| dropped == i));
            }
            before += count;
        }
        Ok(())
    }
}

impl SoftState {
    /// Lets go of pairs that are apart, and keeps of the fresh ones those that are not.
    fn sort_out(&mut self) {
        let mut fresh = std::mem::take(&mut self.fresh);
        let mut pairs = std::mem::take(&mut self.pairs);
        let mut is_apart = |pair: &PersistentPair| {
            if let (true, Ok(k)) = (pair.apart > 0.0, self.near_place(pair.bodies)) {
                self.near[k].apart = pair.apart;
            }
            pair.apart > 0.0 || pair.is_idle()
        };
        if pairs.iter().any(|pair| pair.apart > 0.0 || pair.is_idle()) {
            pairs.retain(|pair| !is_apart(pair));
        }
        fresh.retain(|pair| !is_apart(pair));
        self.pairs = pairs;
        if !fresh.is_empty() {
            self.add_pairs(fresh.drain(..));
        }
        self.fresh = fresh;
    }
}
