//! The contacts of a world at given poses: boxes, pairs, the generator over all pairs, seams.

use super::error::named;
use super::memory::Remembered;
use super::report::{Detected, Lap, Timings};
use super::seams::drop_seams;
use super::{BodyHandle, Entry, World, WorldError};
use crate::body::{Body, BodyId, Pose};
use crate::broad_phase::Bounds;
use crate::stepper::{ContactBetween, check_states, detection_poses, ids};
use drystone_contact::generator::{Placed, Workspace};
use drystone_contact::{Contact, Feature, Twist as ContactTwist};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Boxes are made larger by this share of their coordinates: a generator in single precision rounds positions, by
/// several units of 1.2e-7.
const ROUNDING: f64 = 2e-6;

/// Pairs that a thread takes at least.
const PAIRS_PER_TASK: usize = 8;

/// Bodies that a thread takes at least.
pub(super) const BODIES_PER_TASK: usize = 64;

/// The contacts of all pairs that are near each other.
pub(super) struct Found {
    /// The places of A and B, in ascending order.
    pub pairs: Vec<(usize, usize)>,
    /// The contacts of each pair.
    pub lists: Vec<Vec<Contact>>,
    /// How many contacts were dropped because other neighbours hold the body.
    pub seams: usize,
}

impl Found {
    /// The pairs with contacts.
    pub fn touching(&self) -> impl Iterator<Item = ((usize, usize), &[Contact])> {
        let lists = self.lists.iter().map(Vec::as_slice);
        self.pairs.iter().copied().zip(lists).filter(|(_, list)| !list.is_empty())
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
        let bodies = self.scripted_bodies();
        let poses = detection_poses(&bodies, &self.settings.step);
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

    /// Keeps these contacts as those of the step before, without impulses: for steppers of one's own, so that generators
    /// find the features that they chose. `poses` are those at which they were found.
    pub fn keep_contacts(&mut self, contacts: &[ContactBetween], poses: &[Pose]) {
        let dense = self.handles.dense();
        self.memory.clear();
        for ContactBetween { a, b, contact } in contacts {
            let (a, b) = (a.index(), b.index());
            let kept = Remembered::new(contact, &poses[a], [0.0; 4]);
            self.memory.entry((dense[a], dense[b])).or_default().push(kept);
        }
    }

    fn detect_of(&mut self, bodies: &[Body], poses: Vec<Pose>) -> Result<Detected, WorldError> {
        let handles = self.handles.dense();
        let check = ids(bodies).and_then(|ids| check_states(bodies, &ids, "before"));
        check.map_err(|e| named(e, handles))?;
        let (mut whole, mut timings) = (Lap::start(), Timings::default());
        let found = self.find(bodies, &poses, &mut timings);
        timings.total = whole.next();
        Ok(Detected { contacts: found.contacts(), poses, pairs: found.pairs.len(), timings })
    }

    /// Boxes, pairs and contacts at the given poses.
    pub(super) fn find(&mut self, bodies: &[Body], poses: &[Pose], timings: &mut Timings) -> Found {
        let mut lap = Lap::start();
        let (entries, generator) = (&self.entries, &self.generator);
        let boxes: Vec<Option<Bounds>> = (0..poses.len())
            .into_par_iter()
            .with_min_len(BODIES_PER_TASK)
            .map(|i| {
                let shape = entries[i].contact_shape();
                (entries[i].boxed != Some(poses[i])).then(|| bounds(shape, &poses[i], 0.5 * generator.reach(shape)))?
            })
            .collect();
        let slots: Vec<u32> = self.handles.dense().iter().map(|handle| handle.slot()).collect();
        for (i, bounds) in boxes.into_iter().enumerate() {
            if let Some(bounds) = bounds {
                self.broad_phase.set(slots[i], bounds);
                self.entries[i].boxed = Some(poses[i]);
            }
        }
        let (handles, entries, excluded) = (&self.handles, &self.entries, &self.excluded);
        let place = |slot: u32| handles.place_of_slot(slot);
        let touch = |a: usize, b: usize| may_touch([a, b], bodies, entries, handles.dense(), excluded);
        let wants = |i: u32, j: u32| matches!((place(i), place(j)), (Some(a), Some(b)) if touch(a, b));
        let mut pairs: Vec<(usize, usize)> = self
            .broad_phase
            .pairs(wants)
            .into_iter()
            .filter_map(|(i, j)| place(i).zip(place(j)))
            .map(|(a, b)| (a.min(b), a.max(b)))
            .collect();
        pairs.sort_unstable();
        timings.broad_phase = lap.next();

        let placed = |i: usize| placed(&entries[i], &bodies[i], poses[i]);
        let (generator, memory) = (&self.generator, &self.memory);
        let mut lists: Vec<Vec<Contact>> = pairs
            .par_iter()
            .with_min_len(PAIRS_PER_TASK)
            .map_init(Default::default, |(workspace, previous): &mut (Workspace, Vec<(Feature, Feature)>), &(a, b)| {
                let remembered = memory.get(&(handles.dense()[a], handles.dense()[b])).map_or(&[][..], Vec::as_slice);
                previous.clear();
                previous.extend(remembered.iter().map(|r| (r.feature_a, r.feature_b)));
                let mut contacts = Vec::new();
                generator.contacts_into(&placed(a), &placed(b), previous, workspace, &mut contacts);
                contacts
            })
            .collect();
        let seams = drop_seams(&pairs, &mut lists, placed, |i| generator.reach(entries[i].contact_shape()));
        timings.narrow_phase = lap.next();
        Found { pairs, lists, seams }
    }
}

/// Whether two bodies, by their places, are to touch at all.
pub(super) fn may_touch(
    [a, b]: [usize; 2],
    bodies: &[Body],
    entries: &[Entry],
    dense: &[BodyHandle],
    excluded: &BTreeSet<(BodyHandle, BodyHandle)>,
) -> bool {
    (bodies[a].is_dynamic() || bodies[b].is_dynamic())
        && entries[a].groups.touch(entries[b].groups)
        && (excluded.is_empty() || !excluded.contains(&super::unordered(dense[a], dense[b])))
}

/// A body at a pose as a generator sees it.
pub(super) fn placed<'e>(entry: &'e Entry, body: &Body, pose: Pose) -> Placed<'e> {
    let twist = ContactTwist { linear: body.velocity, angular: body.angular_velocity };
    Placed { shape: entry.contact_shape(), pose, twist }
}

/// The box of a shape at a pose, wide enough that two boxes overlap wherever a generator may find contacts.
fn bounds(shape: &drystone_contact::shape::Shape, pose: &Pose, margin: f64) -> Option<Bounds> {
    let bounds = Bounds::around(shape.mesh().vertices().iter().map(|&v| pose.transform_point(v)))?;
    let size = bounds.largest_coordinate().max(pose.translation.abs().max_element());
    Some(bounds.grown(margin + ROUNDING * size))
}
