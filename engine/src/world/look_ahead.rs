//! Looking at where a step leads before it is made: contacts that the generator could not know of at the poses of the step
//! are added where bodies would get into each other.

use super::World;
use super::detection::{Found, placed};
use crate::body::{Body, Pose};
use drystone_contact::{Contact, Feature};
use rayon::prelude::*;

impl World {
    /// Adds the contacts that are missing on the way from the poses of the step to its end, behind those of their pairs, and
    /// returns how many.
    pub(super) fn look_ahead(&self, bodies: &[Body], poses: &[Pose], next: &[Body], found: &mut Found) -> usize {
        let placed = |i: usize| placed(&self.entries[i], &bodies[i], poses[i]);
        let missed = |(&(a, b), held): (&(usize, usize), &Vec<Contact>)| {
            let held: Vec<(Feature, Feature)> = held.iter().map(|c| (c.feature_a, c.feature_b)).collect();
            let ends = [next[a].pose(), next[b].pose()];
            let mut contacts = Vec::new();
            self.generator.missed(&placed(a), &placed(b), [&ends[0], &ends[1]], &held, &mut contacts);
            contacts
        };
        let missed: Vec<Vec<Contact>> = found.pairs.par_iter().zip(&found.lists).map(missed).collect();
        let added = missed.iter().map(Vec::len).sum();
        for (list, missed) in found.lists.iter_mut().zip(missed) {
            list.extend(missed);
        }
        added
    }
}
