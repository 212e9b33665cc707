//! Contacts that are missing on the way: those at times of impact, and those that a generator knows of by looking ahead.

use super::super::detection::Found;
use super::super::impact_contacts::patience;
use super::super::{World, WorldError};
use super::SoftState;
use super::pairs::{PersistentContact, PersistentPair};
use crate::body::Pose;
use crate::motion::{advance, displacement};
use crate::soft_step::SoftSettings;
use crate::solver::Twist;
use crate::stepper::set_twists;
use drystone_contact::Contact;
use drystone_contact::generator::impact::allowed_depth;
use drystone_contact::generator::{GeneratorError, Workspace};
use glam::DVec3;
use rayon::prelude::*;
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
        let asks_at_impact = self.looks_for_impacts();
        let missing = match (asks_at_impact, self.method.generator().is_speculative()) {
            (true, _) => self.missing_contacts(state, poses, looks)?,
            (false, true) => Missing::Anywhere,
            (false, false) => return Ok((0, false)),
        };
        let mut found = match missing {
            Missing::Anywhere => found(&state.pairs, poses),
            Missing::Between(pairs) if pairs.is_empty() => return Ok((0, false)),
            Missing::Between(pairs) => found(neighbours(state, &pairs), poses),
        };
        if asks_at_impact {
            let grown = self.add_impact_contacts(&state.bodies, poses, &state.mean, &mut found, depth_share(looks))?;
            found.unsettled = grown.into_iter().collect();
        } else {
            let duration = self.settings.step.time_step;
            let moved = |(pose, twist): (&Pose, &Twist)| {
                let [x, y, z, p, q, r] = *twist;
                advance(*pose, DVec3::new(x, y, z), DVec3::new(p, q, r), duration)
            };
            let ends: Vec<Pose> = poses.iter().zip(&state.mean).map(moved).collect();
            self.add_speculative_contacts(&state.bodies, poses, &ends, &mut found)?;
        }
        if found.pairs.iter().any(|&bodies| state.place(bodies).is_err()) {
            state.set_pairs(&found.pairs);
            state.set_places();
        }
        let mut added = 0;
        for (&bodies, list) in found.pairs.iter().zip(&found.lists) {
            let Ok(k) = state.place(bodies) else { continue };
            let pair = &mut state.pairs[k];
            let held = pair.contacts.iter().filter(|contact| !contact.is_internal_edge).count();
            for contact in &list[held..] {
                pair.contacts.push(PersistentContact::new(contact, [&poses[bodies.0], &poses[bodies.1]]));
                // They hold for this step.
                pair.found_at = None;
                added += 1;
            }
        }
        if added > 0 {
            self.wake_touched(state, poses, soft);
        }
        state.contacts.find(&state.pairs, poses, &state.stirs);
        Ok((added, !found.unsettled.is_empty()))
    }

    /// Which bodies move so far against each other in the step that they meet where no contact holds them. Before the first solve
    /// only those without contacts are looked at.
    fn missing_contacts(&self, state: &mut SoftState, poses: &[Pose], looks: usize) -> Result<Missing, GeneratorError> {
        let duration = self.settings.step.time_step;
        let SoftState { pairs, bodies, ahead, mean, reaches, contacts, boxes, .. } = state;
        // How far points of a body move by its rotation.
        let turning = |i: usize| {
            let [.., p, q, r] = mean[i];
            let spin = DVec3::new(p, q, r).length();
            if spin > 0.0 && !bodies[i].is_fixed() { spin * self.entries[i].shape.radius() * duration } else { 0.0 }
        };
        let way = |i: usize| {
            let [x, y, z, ..] = mean[i];
            if bodies[i].is_fixed() { DVec3::ZERO } else { DVec3::new(x, y, z) * duration }
        };
        reaches.clear();
        reaches.extend((0..bodies.len()).map(turning));
        let mut is_slow = true;
        for (i, turning) in reaches.iter().enumerate() {
            let sweep = way(i).length() + turning;
            if sweep <= 0.5 * self.contact_margin(i) {
                continue;
            }
            is_slow = false;
            let (from, room) = self.entries[i].boxed.unwrap_or((poses[i], 0.0));
            let moved =
                if from == poses[i] { 0.0 } else { displacement(&from, &poses[i], self.entries[i].shape.radius()) };
            if moved + sweep > 0.5 * room {
                return Ok(Missing::Anywhere);
            }
        }
        if is_slow {
            return Ok(Missing::Between(Vec::new()));
        }
        ahead.clone_from(bodies);
        set_twists(ahead, mean);
        let (bodies, reaches) = (&*ahead, &*reaches);
        let misses = |workspace: &mut Workspace, (k, pair): (usize, &PersistentPair)| {
            let (a, b) = pair.bodies;
            let (way, turning) = (way(b) - way(a), reaches[a] + reaches[b]);
            // As far as this the generator sees ahead.
            let seen = allowed_depth(&self.entries[a].shape, &self.entries[b].shape);
            if way.length() + turning <= seen {
                return Ok(false);
            }
            // Their boxes stay apart all the way.
            let apart = (boxes[b].low - boxes[a].high).max(boxes[a].low - boxes[b].high);
            if (apart - way.abs()).max_element() > turning {
                return Ok(false);
            }
            if looks == 0 && !pair.contacts.is_empty() {
                return Ok(false);
            }
            let own = contacts.of(k).iter().zip(&pair.contacts);
            let held: Vec<Contact> =
                own.filter(|(_, own)| !own.is_internal_edge).map(|(contact, _)| *contact).collect();
            let motion = self.pair_motion(bodies, poses, pair.bodies, (duration, depth_share(looks)));
            Ok(motion.first_impact(&**self.method.generator(), &held, workspace)?.is_some())
        };
        let all = pairs.par_iter().enumerate().with_min_len(PAIRS_PER_TASK);
        let find = |workspace: &mut Workspace, (k, pair)| Ok(misses(workspace, (k, pair))?.then_some(k));
        let found = all.map_init(Workspace::default, find).filter_map(Result::transpose);
        Ok(Missing::Between(found.collect::<Result<_, GeneratorError>>()?))
    }

    /// Lets pairs that no number of solves keeps apart move as one, and returns how many there are.
    pub(super) fn end_unsettled(&mut self, state: &mut SoftState, poses: &[Pose]) -> Result<usize, WorldError> {
        let mut found = found(&state.pairs, poses);
        let mut zones = state.mean.clone();
        let count = self.move_unsettled_as_one(&state.bodies, poses, &mut zones, &mut found)?;
        let changed = zones.into_iter().enumerate().filter(|(i, twist)| *twist != state.mean[*i]);
        state.zones = changed.filter(|(i, _)| state.bodies[*i].is_dynamic()).collect();
        for pair in &mut state.pairs {
            pair.is_unsettled = found.unsettled.contains(&pair.bodies);
            if pair.is_unsettled {
                pair.found_at = None;
            }
        }
        Ok(count)
    }
}

/// The share of the usual depth up to which bodies without contacts may get into each other.
const FIRST_DEPTH: f64 = 0.1;

/// Pairs that a thread takes at least.
const PAIRS_PER_TASK: usize = 64;

/// How deep bodies may be in each other at the end of a step that was solved so often, as a share of the usual depth: less for
/// bodies that have no contact yet.
fn depth_share(looks: usize) -> f64 {
    if looks == 0 { FIRST_DEPTH } else { patience(looks - 1) }
}

/// Where contacts are missing.
enum Missing {
    /// Between these pairs, by their places.
    Between(Vec<usize>),
    /// Perhaps also between bodies that are no pair.
    Anywhere,
}

/// The pairs of these places, and all that share a body that moves with them.
fn neighbours<'s>(state: &'s SoftState, places: &[usize]) -> impl Iterator<Item = &'s PersistentPair> + use<'s> {
    let mut is_own = vec![false; state.bodies.len()];
    for body in places.iter().flat_map(|&k| [state.pairs[k].bodies.0, state.pairs[k].bodies.1]) {
        is_own[body] = state.bodies[body].is_dynamic();
    }
    state.pairs.iter().filter(move |pair| is_own[pair.bodies.0] || is_own[pair.bodies.1])
}

/// The contacts of pairs as other parts of a world know them.
fn found<'s>(pairs: impl IntoIterator<Item = &'s PersistentPair>, poses: &[Pose]) -> Found {
    let list = |pair: &PersistentPair| -> Vec<Contact> {
        let (a, b) = pair.bodies;
        let own = pair.contacts.iter().filter(|contact| !contact.is_internal_edge);
        own.map(|contact| contact.at([&poses[a], &poses[b]])).collect()
    };
    let (pairs, lists) = pairs.into_iter().map(|pair| (pair.bodies, list(pair))).unzip();
    Found { pairs, lists, internal_edges: 0, unsettled: BTreeSet::new() }
}
