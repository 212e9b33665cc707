//! What a soft step changes before it is sure to be made, as it was before: for steps that are [interrupted](crate::Interruption).
//!
//! What generators keep of pairs is not brought back: no result depends on it.

use super::SoftState;
use super::near_pairs::NearPair;
use super::pairs::PersistentPair;
use super::sleeping::Rest;
use crate::body::{Body, BodyId, Pose};
use crate::stepper::Energy;
use crate::world::near::bounds_at;
use crate::world::report::WorldReport;
use crate::world::{World, WorldSettings};
use drystone_contact::generator::PairMemory;
use drystone_contact::parallel::prelude::*;

/// Pairs that a thread takes at least.
const PAIRS_PER_TASK: usize = 256;

/// The state and the report before a step. Memory is kept.
#[derive(Debug, Default)]
pub(super) struct Before {
    pairs: Vec<PersistentPair>,
    near: Vec<NearPair>,
    rests: Vec<Rest>,
    waits: Vec<(u32, u32)>,
    bodies: Vec<Body>,
    settings: Option<WorldSettings>,
    has_changed: bool,
    pairs_are_known: bool,
    /// The poses of the boxes of bodies, and what they are grown by, m.
    boxes: Vec<Option<(Pose, f64)>>,
    /// Of the report.
    poses: Vec<Pose>,
    teleported: Vec<BodyId>,
    energy: Option<Energy>,
}

impl Before {
    /// Keeps what is there.
    pub fn keep(&mut self, world: &World, state: &SoftState, report: &mut WorldReport) {
        self.pairs.resize_with(state.pairs.len(), PersistentPair::default);
        let all = self.pairs.par_iter_mut().zip(&state.pairs).in_tasks_of(PAIRS_PER_TASK);
        all.for_each(|(kept, pair)| kept.copy_from(pair));
        self.near.clone_from(&state.near);
        self.rests.clone_from(&state.rests);
        self.waits.clone_from(&state.waits);
        self.bodies.clone_from(&state.bodies);
        self.settings.clone_from(&state.settings);
        (self.has_changed, self.pairs_are_known) = (state.has_changed, state.pairs_are_known);
        self.boxes.clear();
        self.boxes.extend(world.entries.iter().map(|entry| entry.boxed));
        // A step begins with new ones.
        std::mem::swap(&mut self.poses, &mut report.poses);
        std::mem::swap(&mut self.teleported, &mut report.teleported);
        self.energy = Some(report.energy_before);
    }

    /// Brings it back.
    pub fn restore(&mut self, world: &mut World, state: &mut SoftState, report: &mut WorldReport) {
        std::mem::swap(&mut self.pairs, &mut state.pairs);
        std::mem::swap(&mut self.near, &mut state.near);
        std::mem::swap(&mut self.rests, &mut state.rests);
        std::mem::swap(&mut self.waits, &mut state.waits);
        std::mem::swap(&mut self.bodies, &mut state.bodies);
        std::mem::swap(&mut self.settings, &mut state.settings);
        (state.has_changed, state.pairs_are_known) = (self.has_changed, self.pairs_are_known);
        world.restore_boxes(&self.boxes);
        std::mem::swap(&mut self.poses, &mut report.poses);
        std::mem::swap(&mut self.teleported, &mut report.teleported);
        if let Some(energy) = self.energy.take() {
            report.energy_before = energy;
        }
    }
}

impl World {
    fn restore_boxes(&mut self, boxes: &[Option<(Pose, f64)>]) {
        for (i, &before) in boxes.iter().enumerate() {
            if self.entries[i].boxed == before {
                continue;
            }
            let slot = self.handles.dense()[i].slot();
            match before {
                Some((pose, room)) => {
                    let shape = self.method.generator().contact_shape(&self.entries[i].shape);
                    self.broad_phase.set(slot, bounds_at(shape, &pose, self.contact_margin(i) + room));
                }
                None => self.broad_phase.remove(slot),
            }
            self.entries[i].boxed = before;
        }
    }
}

impl PersistentPair {
    /// Takes over what another one holds, in the own allocation, but for what its generator keeps.
    fn copy_from(&mut self, other: &Self) {
        let mut contacts = std::mem::take(&mut self.contacts);
        contacts.clone_from(&other.contacts);
        let &Self { bodies, found_at, apart, is_unsettled, room, is_due, internal_edges, .. } = other;
        let memory = PairMemory::default();
        *self = Self { bodies, found_at, apart, is_unsettled, room, is_due, internal_edges, contacts, memory };
    }
}
