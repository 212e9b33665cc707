//! Looking at where a step leads before it is made: contacts that the generator could not know of at the poses of the step
//! are added where bodies would get into each other.

use super::detection::{Found, placed};
use super::report::Timings;
use super::solving::{Outcome, Portion};
use super::{World, WorldError};
use crate::body::{Body, Pose};
use drystone_contact::generator::GeneratorError;
use drystone_contact::{Contact, Feature};
use rayon::prelude::*;

/// How often a step is solved again with contacts that were missing, at most.
const LOOKS: usize = 32;

impl World {
    /// Solves, and again as long as the way to the end shows contacts to be missing, which are added.
    pub(super) fn solve_looking_ahead(
        &self,
        bodies: &[Body],
        moved: &[Pose],
        poses: &[Pose],
        found: &mut Found,
        portion: Portion,
        timings: &mut Timings,
    ) -> Result<Outcome, WorldError> {
        let mut outcome = self.solve(bodies, moved, poses, found, portion, timings)?;
        let (mut found_ahead, mut looks) = (0, 0);
        while self.method.generator().is_speculative() && looks < LOOKS {
            let added = self.look_ahead(bodies, poses, &outcome.next, found)?;
            if added == 0 {
                break;
            }
            found_ahead += added;
            looks += 1;
            outcome = self.solve(bodies, moved, poses, found, portion, timings)?;
        }
        outcome.counts.found_ahead = found_ahead;
        outcome.counts.looks_ended = usize::from(looks == LOOKS);
        Ok(outcome)
    }

    /// Adds the contacts that are missing on the way from the poses of the step to its end, behind those of their pairs, and
    /// returns how many.
    fn look_ahead(
        &self,
        bodies: &[Body],
        poses: &[Pose],
        next: &[Body],
        found: &mut Found,
    ) -> Result<usize, WorldError> {
        let placed = |i: usize| placed(&self.entries[i], &bodies[i], poses[i]);
        let missed = |(&(a, b), held): (&(usize, usize), &Vec<Contact>)| {
            let held: Vec<(Feature, Feature)> = held.iter().map(|c| (c.feature_a, c.feature_b)).collect();
            let ends = [next[a].pose(), next[b].pose()];
            let mut contacts = Vec::new();
            let generator = self.method.generator();
            generator.speculative_contacts(&placed(a), &placed(b), [&ends[0], &ends[1]], &held, &mut contacts)?;
            Ok(contacts)
        };
        let missed: Result<Vec<Vec<Contact>>, GeneratorError> =
            found.pairs.par_iter().zip(&found.lists).map(missed).collect();
        let missed = missed?;
        let added = missed.iter().map(Vec::len).sum();
        for (list, missed) in found.lists.iter_mut().zip(missed) {
            list.extend(missed);
        }
        Ok(added)
    }
}
