//! Speculative contacts: where a step would lead bodies into each other through features that the generator could not know
//! of at the poses of the step, contacts are added before the step is made.

use super::detection::{Found, placed};
use super::impact_contacts::patience;
use super::position_correction::correct;
use super::report::Timings;
use super::velocity_solve::{Solved, Substep};
use super::{World, WorldError};
use crate::body::{Body, Pose};
use crate::solver::Twist;
use crate::stepper::{move_freely, set_twists};
use drystone_contact::parallel::prelude::*;
use drystone_contact::sorting::inserted;
use drystone_contact::{Contact, Feature};
use std::collections::BTreeSet;

/// How often a step is solved again with speculative contacts, at most.
const MAX_SOLVES: usize = 32;

/// How often it is solved again with contacts at times of impact, at most.
const MAX_LOOKS: usize = 8;

/// Pairs that no number of solves keeps apart.
pub(super) struct Unsettled {
    /// Ascending.
    pub pairs: Vec<(usize, usize)>,
    /// Whether they turn as one, or do not turn.
    pub may_turn: bool,
}

impl World {
    /// Solves for the velocities, and again as long as the way to the predicted end of the step shows contacts to be missing,
    /// which are added. The contacts were found at these poses.
    pub(super) fn solve_with_speculative_contacts(
        &mut self,
        bodies: &[Body],
        poses: &[Pose],
        found: &mut Found,
        substep: Substep<'_>,
        timings: &mut Timings,
    ) -> Result<Solved, WorldError> {
        let mut solved = self.solve(bodies, poses, found, None, substep, timings)?;
        let (mut speculative_contacts, mut solves, mut unsettled) = (0, 0, 0);
        while self.looks_for_impacts() {
            let held = found.contact_count();
            let pairs = self.add_impact_contacts(bodies, poses, &solved.twists, found, patience(solves))?;
            if pairs.is_empty() {
                break;
            }
            speculative_contacts += found.contact_count() - held;
            solves += 1;
            solved = self.solve(bodies, poses, found, Some(&solved), substep, timings)?;
            if solves == MAX_LOOKS {
                unsettled = self.move_unsettled_as_one(bodies, poses, &mut solved.twists, found)?.pairs.len();
                break;
            }
        }
        while self.method.generator().is_speculative() && solves < MAX_SOLVES {
            let ends = self.predicted_poses(bodies, poses, &solved, substep);
            let added = self.add_speculative_contacts(bodies, poses, &ends, found)?;
            if added == 0 {
                break;
            }
            speculative_contacts += added;
            solves += 1;
            solved = self.solve(bodies, poses, found, None, substep, timings)?;
        }
        solved.counts.speculative_contacts = speculative_contacts;
        solved.counts.speculative_limits = unsettled + usize::from(solves == MAX_SOLVES);
        Ok(solved)
    }

    /// Lets pairs that no number of solves keeps apart move as one, and what these then meet as well (rigid impact zones: X.
    /// Provot, "Collision and self-collision handling in cloth model dedicated to design garments", 1997). Bodies move along
    /// straight lines within a step, so that those that turn about each other too fast do not stay as they are: they stop
    /// turning. These pairs and all others of their bodies are noted in `found`.
    pub(super) fn move_unsettled_as_one(
        &mut self,
        bodies: &[Body],
        poses: &[Pose],
        twists: &mut [Twist],
        found: &mut Found,
    ) -> Result<Unsettled, WorldError> {
        let (mut zones, mut may_turn) = (BTreeSet::new(), true);
        loop {
            let pairs = self.add_impact_contacts(bodies, poses, twists, &mut found.clone(), patience(MAX_LOOKS))?;
            let known = zones.len();
            zones.extend(pairs.iter().copied());
            match (pairs.is_empty(), zones.len() > known) {
                (false, true) => {}
                (false, false) if may_turn => may_turn = false,
                _ => break,
            }
            self.move_as_one(bodies, poses, &zones.iter().copied().collect::<Vec<_>>(), may_turn, twists);
        }
        let own: BTreeSet<usize> =
            inserted(zones.iter().flat_map(|&(a, b)| [a, b]).filter(|&i| bodies[i].is_dynamic()));
        let is_touched = |&(a, b): &(usize, usize)| own.contains(&a) || own.contains(&b);
        found.unsettled = inserted(found.pairs.iter().copied().filter(is_touched).chain(zones.iter().copied()));
        Ok(Unsettled { pairs: zones.into_iter().collect(), may_turn })
    }

    /// Where the new velocities would take the bodies by the end of the step, if nothing ended their motion before.
    fn predicted_poses(&self, bodies: &[Body], poses: &[Pose], solved: &Solved, substep: Substep<'_>) -> Vec<Pose> {
        let (mut next, mut poses) = (bodies.to_vec(), poses.to_vec());
        set_twists(&mut next, &solved.twists);
        move_freely(&next, &mut poses, self.settings.step.time_step - self.time_before_detection());
        if substep.ccd.is_none() {
            correct(&mut poses, &solved.corrections);
        }
        poses
    }

    /// Adds the contacts that are missing on the way from the poses of the step to its end, behind those of their pairs, and
    /// returns how many.
    pub(super) fn add_speculative_contacts(
        &self,
        bodies: &[Body],
        poses: &[Pose],
        ends: &[Pose],
        found: &mut Found,
    ) -> Result<usize, WorldError> {
        let placed = |i: usize| placed(&self.entries[i], &bodies[i], poses[i]);
        let missed = |(&(a, b), held): (&(usize, usize), &Vec<Contact>)| {
            self.interruption.check()?;
            let held: Vec<(Feature, Feature)> = held.iter().map(|c| (c.feature_a, c.feature_b)).collect();
            let mut contacts = Vec::new();
            let (generator, ends) = (self.method.generator(), [&ends[a], &ends[b]]);
            generator.speculative_contacts(&placed(a), &placed(b), ends, &held, &mut contacts)?;
            Ok(contacts)
        };
        let missed: Result<Vec<Vec<Contact>>, WorldError> =
            found.pairs.par_iter().zip(&found.lists).in_tasks_of(1).map(missed).collect();
        let missed = missed?;
        let added = missed.iter().map(Vec::len).sum();
        for (list, missed) in found.lists.iter_mut().zip(missed) {
            list.extend(missed);
        }
        Ok(added)
    }
}
