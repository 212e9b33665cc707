//! The contacts of a world at given poses: broad phase, narrow phase, internal edges.

use super::contact_cache::CachedContact;
use super::error::named;
use super::internal_edges::drop_internal_edge_contacts;
use super::near::{bounds_at, pair_margin};
use super::report::{Detected, Timings};
use super::{Entry, World, WorldError};
use crate::body::{Body, BodyId, Pose};
use crate::broad_phase::Bounds;
use crate::lap::Lap;
use crate::motion::displacement;
use crate::overlap::{BodyOverlap, BodyOverlapError, OverlapAudit};
use crate::pair_filter::PairFilter;
use crate::stepper::{ContactBetween, check_states, detection_poses, ids};
use drystone_contact::generator::{Placed, Workspace};
use drystone_contact::parallel::prelude::*;
use drystone_contact::{Contact, Feature, Twist as ContactTwist};
use std::collections::BTreeSet;

/// Pairs that a thread takes at least.
const PAIRS_PER_TASK: usize = 8;

/// Bodies that a thread takes at least.
pub(super) const BODIES_PER_TASK: usize = 64;

/// The contacts of all pairs that are near each other.
#[derive(Clone)]
pub(super) struct Found {
    /// The indices of A and B, in ascending order.
    pub pairs: Vec<(usize, usize)>,
    /// The contacts of each pair.
    pub lists: Vec<Vec<Contact>>,
    /// How many contacts were dropped because other neighbours hold the body.
    pub internal_edges: usize,
    /// Pairs of bodies of which some could not be kept apart by any number of solves: their next contacts may be deep ones.
    pub unsettled: BTreeSet<(usize, usize)>,
}

impl Found {
    /// The pairs with contacts.
    pub fn touching(&self) -> impl Iterator<Item = ((usize, usize), &[Contact])> {
        let lists = self.lists.iter().map(Vec::as_slice);
        self.pairs.iter().copied().zip(lists).filter(|(_, list)| !list.is_empty())
    }

    /// How many contacts there are.
    pub fn contact_count(&self) -> usize {
        self.lists.iter().map(Vec::len).sum()
    }

    /// All contacts, pair by pair.
    pub fn contacts(&self) -> Vec<ContactBetween> {
        let between = |((a, b), list): ((usize, usize), &[Contact])| {
            let (a, b) = (BodyId::new(a as u32), BodyId::new(b as u32));
            list.iter().map(|&contact| ContactBetween { a, b, contact }).collect::<Vec<_>>()
        };
        self.touching().flat_map(between).collect()
    }
}

impl World {
    /// The contacts that the next step would find.
    ///
    /// # Errors
    /// [`WorldError::Setting`], [`WorldError::TimeStep`], [`WorldError::State`].
    pub fn detect(&mut self) -> Result<Detected, WorldError> {
        self.settings.check()?;
        let bodies = self.kinematic_bodies();
        let poses = match self.soft_settings() {
            Some(_) => bodies.iter().map(Body::pose).collect(),
            None => detection_poses(&bodies, &self.settings.step),
        };
        self.detect_of(&bodies, poses)
    }

    /// The contacts where the bodies are now.
    ///
    /// # Errors
    /// [`WorldError::State`].
    pub fn detect_now(&mut self) -> Result<Detected, WorldError> {
        let poses: Vec<Pose> = self.bodies.iter().map(Body::pose).collect();
        self.detect_at(&poses)
    }

    /// The contacts if the bodies were at these poses, one for each body: for steppers of one's own.
    ///
    /// # Errors
    /// [`WorldError::State`]; [`WorldError::Poses`] for another number of poses.
    pub fn detect_at(&mut self, poses: &[Pose]) -> Result<Detected, WorldError> {
        if poses.len() != self.bodies.len() {
            return Err(WorldError::Poses { given: poses.len(), bodies: self.bodies.len() });
        }
        let bodies = self.bodies.clone();
        self.detect_of(&bodies, poses.to_vec())
    }

    /// How far bodies that may touch are in each other at their present poses, measured by their surfaces and not by contacts;
    /// pairs in ascending order, none that only touches.
    ///
    /// # Errors
    /// [`BodyOverlapError`].
    pub fn overlaps(&self) -> Result<Vec<BodyOverlap>, BodyOverlapError> {
        self.overlap_audit().here()
    }

    /// What measures overlaps of these bodies at any poses.
    pub fn overlap_audit(&self) -> OverlapAudit {
        OverlapAudit {
            bodies: self.bodies.clone(),
            handles: self.handles.dense().to_vec(),
            shapes: self.shapes().cloned().collect(),
            groups: self.entries.iter().map(|entry| entry.collision_groups()).collect(),
            excluded: self.excluded.union(&self.jointed).copied().collect(),
        }
    }

    /// Puts these contacts into the contact cache, without impulses: for steppers of one's own, so that generators
    /// find the features that they chose in the step before. `poses` are those at which they were found.
    pub fn cache_contacts(&mut self, contacts: &[ContactBetween], poses: &[Pose]) {
        let dense = self.handles.dense();
        self.contact_cache.clear();
        for ContactBetween { a, b, contact } in contacts {
            let (a, b) = (a.index(), b.index());
            let cached = CachedContact::new(contact, &poses[a], [0.0; 4]);
            self.contact_cache.entry((dense[a], dense[b])).or_default().push(cached);
        }
    }

    fn detect_of(&mut self, bodies: &[Body], poses: Vec<Pose>) -> Result<Detected, WorldError> {
        let handles = self.handles.dense();
        let check = ids(bodies).and_then(|ids| check_states(bodies, &ids, "before"));
        check.map_err(|e| named(e, handles))?;
        self.interruption.begin();
        let (mut whole, mut timings) = (Lap::start(), Timings::default());
        let found = self.find(bodies, &poses, &[], &mut timings)?;
        timings.total = whole.next();
        Ok(Detected { contacts: found.contacts(), poses, pairs: found.pairs.len(), timings })
    }

    /// Broad phase and narrow phase at the given poses; their times are added to the timings. Pairs that come near each
    /// other if each body moves by its `sweep` (m; none at all for zero) are among the pairs, with or without contacts.
    pub(super) fn find(
        &mut self,
        bodies: &[Body],
        poses: &[Pose],
        sweeps: &[f64],
        timings: &mut Timings,
    ) -> Result<Found, WorldError> {
        let mut lap = Lap::start();
        let pairs = self.near_pairs(bodies, poses, sweeps);
        timings.broad_phase += lap.next();
        let mut lists = self.contacts_of(&pairs, bodies, poses, &self.contact_boxes(poses, sweeps))?;
        let seen = |i: usize| {
            let placed = placed(&self.entries[i], &bodies[i], poses[i]);
            Placed { shape: self.method.generator().contact_shape(placed.shape), ..placed }
        };
        let margin = |a: usize, b: usize| pair_margin(self.contact_margin(a), self.contact_margin(b));
        let internal_edges = drop_internal_edge_contacts(&self.interruption, &pairs, &mut lists, seen, margin)?;
        timings.narrow_phase += lap.next();
        Ok(Found { pairs, lists, internal_edges, unsettled: BTreeSet::new() })
    }

    /// The contact margin of a body's shape: how far the generator may report contacts from it, m.
    pub(super) fn contact_margin(&self, index: usize) -> f64 {
        self.method.generator().margin(&self.entries[index].shape)
    }

    /// Adds the pairs that only sweeps bring near each other, without contacts.
    pub(super) fn add_pairs(&mut self, bodies: &[Body], poses: &[Pose], sweeps: &[f64], found: &mut Found) {
        let boxed = |i: usize| {
            let way = |from: &Pose| match *from == poses[i] {
                true => 0.0,
                false => displacement(from, &poses[i], self.entries[i].shape.radius()),
            };
            self.entries[i].boxed.is_some_and(|(pose, known)| known >= 2.0 * (sweeps[i] + way(&pose)))
        };
        if (0..sweeps.len()).all(|i| sweeps[i] == 0.0 || boxed(i)) {
            return;
        }
        let pairs = self.near_pairs(bodies, poses, sweeps);
        let known = std::mem::take(&mut found.pairs);
        let mut lists = std::mem::take(&mut found.lists).into_iter();
        let mut known = known.into_iter().peekable();
        let merged: BTreeSet<(usize, usize)> = known.clone().chain(pairs).collect();
        for pair in merged {
            let list = if known.next_if_eq(&pair).is_some() { lists.next() } else { None };
            found.pairs.push(pair);
            found.lists.push(list.unwrap_or_default());
        }
    }

    /// Broad phase: moves the boxes to the poses and returns the pairs of bodies that may have contacts there, or come near
    /// each other if each moves by its `sweep` (m; none for zero), by index, in ascending order.
    pub(super) fn near_pairs(&mut self, bodies: &[Body], poses: &[Pose], sweeps: &[f64]) -> Vec<(usize, usize)> {
        let this = &*self;
        let boxes: Vec<Option<((Pose, f64), Bounds)>> = (0..poses.len())
            .into_par_iter()
            .in_tasks_of(BODIES_PER_TASK)
            .map(|i| {
                let entry = &this.entries[i];
                let shape = this.method.generator().contact_shape(&entry.shape);
                let boxed = (poses[i], 2.0 * sweeps.get(i).copied().unwrap_or(0.0));
                (entry.boxed != Some(boxed))
                    .then(|| (boxed, bounds_at(shape, &poses[i], this.contact_margin(i) + boxed.1)))
            })
            .collect();
        let slots: Vec<u32> = self.handles.dense().iter().map(|handle| handle.slot()).collect();
        for (i, bounds) in boxes.into_iter().enumerate() {
            if let Some((boxed, bounds)) = bounds {
                self.broad_phase.set(slots[i], bounds);
                self.entries[i].boxed = Some(boxed);
            }
        }
        let mut pairs = self.wanted_pairs(bodies);
        if self.contact_hook.is_some() {
            pairs.retain(|&pair| self.hook_collides(bodies, pair));
        }
        pairs
    }

    /// The pairs of bodies that may touch and whose boxes overlap, by place, in ascending order.
    pub(super) fn wanted_pairs(&mut self, bodies: &[Body]) -> Vec<(usize, usize)> {
        let (handles, entries) = (&self.handles, &self.entries);
        let groups = |index: usize| entries[index].collision_groups();
        let filter =
            PairFilter { bodies, handles: handles.dense(), groups, excluded: &self.excluded, jointed: &self.jointed };
        let index = |slot: u32| handles.index_of_slot(slot);
        let wants = |i: u32, j: u32| matches!((index(i), index(j)), (Some(a), Some(b)) if filter.may_touch(a, b));
        let mut pairs: Vec<(usize, usize)> = self
            .broad_phase
            .pairs(wants)
            .into_iter()
            .filter_map(|(i, j)| index(i).zip(index(j)))
            .map(|(a, b)| (a.min(b), a.max(b)))
            .collect();
        pairs.par_sort_unstable();
        pairs
    }

    /// The boxes outside of which no body has contacts; empty where all pairs that are near have boxes that overlap, as no
    /// body moves far enough to be swept.
    fn contact_boxes(&self, poses: &[Pose], sweeps: &[f64]) -> Vec<Bounds> {
        if sweeps.iter().all(|&sweep| sweep == 0.0) {
            return Vec::new();
        }
        let own = |i: usize| {
            let shape = self.method.generator().contact_shape(&self.entries[i].shape);
            bounds_at(shape, &poses[i], self.contact_margin(i))
        };
        (0..poses.len()).into_par_iter().in_tasks_of(BODIES_PER_TASK).map(own).collect()
    }

    /// Narrow phase: the contacts of each pair whose boxes overlap.
    fn contacts_of(
        &self,
        pairs: &[(usize, usize)],
        bodies: &[Body],
        poses: &[Pose],
        boxes: &[Bounds],
    ) -> Result<Vec<Vec<Contact>>, WorldError> {
        let placed = |i: usize| placed(&self.entries[i], &bodies[i], poses[i]);
        let handles = self.handles.dense();
        pairs
            .par_iter()
            .in_tasks_of(PAIRS_PER_TASK)
            .map_init(Default::default, |(workspace, previous): &mut (Workspace, Vec<(Feature, Feature)>), &(a, b)| {
                self.interruption.check()?;
                let mut contacts = Vec::new();
                if !boxes.is_empty() && !boxes[a].overlaps(&boxes[b]) {
                    return Ok(contacts);
                }
                previous.clear();
                match self.contact_cache.get(&(handles[a], handles[b])) {
                    Some(cached) => previous.extend(cached.iter().map(|c| (c.feature_a, c.feature_b))),
                    None => previous.extend(self.soft.features((a, b))),
                }
                if previous.is_empty() {
                    previous.push((Feature::UNKNOWN, Feature::UNKNOWN));
                }
                let generator = self.method.generator();
                generator.contacts_into(&placed(a), &placed(b), previous, workspace, &mut contacts)?;
                Ok(contacts)
            })
            .collect()
    }
}

/// A body at a pose as a generator sees it.
pub(super) fn placed<'e>(entry: &'e Entry, body: &Body, pose: Pose) -> Placed<'e> {
    let twist = ContactTwist { linear: body.velocity, angular: body.angular_velocity };
    Placed { shape: &entry.shape, pose, twist }
}
