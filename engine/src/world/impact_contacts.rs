//! Contacts at times of impact: where the velocities of a solve would lead bodies into each other past the contacts that
//! they have, contacts are added there, as speculative ones, and the step is solved again.
//!
//! Contacts are looked for once a step. A motion is followed from there to where the next step looks for them, a time step
//! later ([`drystone_contact::generator::impact`]). Bodies that no number of solves keeps apart, as they turn about too fast
//! for the planes of their contacts, move as one rigid body for the rest of the step: that keeps both momenta and adds no
//! energy.

use super::detection::{BODIES_PER_TASK, Found, placed};
use super::internal_edges::drop_internal_edge_contacts;
use super::near::pair_margin;
use super::{World, WorldError};
use crate::body::{Body, BodyKind, Pose};
use crate::solver::{Twist, twist};
use crate::stepper::{solver_body, twist_after};
use drystone_contact::Contact;
use drystone_contact::generator::impact::{self, Impact, Motion};
use drystone_contact::generator::{Placed, Workspace};
use drystone_contact::parallel::prelude::*;
use drystone_contact::pose::Twist as ContactTwist;
use glam::DVec3;
use std::collections::BTreeSet;

/// What bounces may be deeper by this factor before it does, so that it has all of its velocity when it touches: no deeper
/// than generators find contacts well.
const BOUNCE_DEPTH: f64 = 5.0;

/// Each time that a step is solved again it may end deeper by this share of the allowed depth, up to [`MOST_PATIENCE`]: a rotation
/// takes what touches at a lever into the other body by more than its velocity says, and contacts do not push bodies apart
/// for that.
const PATIENCE: f64 = 0.25;

/// See [`PATIENCE`]; well below the depth at which generators find contacts.
const MOST_PATIENCE: f64 = 2.5;

/// Pairs that a thread takes at least.
const PAIRS_PER_TASK: usize = 8;

/// How many times as deep as usual bodies may be at the end of a step that was solved again so often.
pub(super) fn patience(solves: usize) -> f64 {
    (1.0 + PATIENCE * solves as f64).min(MOST_PATIENCE)
}

/// What is known when contacts at impacts are chosen.
struct Look<'l> {
    bodies: &'l [Body],
    /// Those with which dynamic bodies would go on.
    twists: &'l [Twist],
    poses: &'l [Pose],
    found: &'l Found,
    /// The first impact of each pair.
    impacts: &'l [Option<Impact>],
    /// The pairs of each dynamic body.
    pairs_of: &'l [Vec<usize>],
    /// See [`patience`].
    patience: f64,
}

impl World {
    /// Whether contacts at times of impact are looked for: continuous collision detection ends a motion there by itself.
    pub(super) fn looks_for_impacts(&self) -> bool {
        self.settings.ccd.is_none() && self.method.generator().is_asked_at_impact()
    }

    /// How far any point of each body may move within `duration` (s), m; zero where that is less than what the box of the
    /// body is grown by for contacts. Empty if impacts are not looked for.
    pub(super) fn sweeps(&self, bodies: &[Body], twists: &[Twist], duration: f64) -> Vec<f64> {
        let mut sweeps = Vec::new();
        let size = |i: usize| [self.entries[i].shape.radius(), self.contact_margin(i)];
        self.sweeps_into(bodies, |i| twists[i], size, duration, &mut sweeps);
        sweeps
    }

    /// The same into a list; `size` is the radius of a body, and up to which distance it may have contacts, m.
    pub(super) fn sweeps_into(
        &self,
        bodies: &[Body],
        twist: impl Fn(usize) -> Twist + Sync,
        size: impl Fn(usize) -> [f64; 2] + Sync,
        duration: f64,
        sweeps: &mut Vec<f64>,
    ) {
        sweeps.clear();
        if !self.looks_for_impacts() {
            return;
        }
        let sweep = |i: usize| {
            if bodies[i].is_fixed() {
                return 0.0;
            }
            let [x, y, z, p, q, r] = twist(i);
            let spin = DVec3::new(p, q, r).length();
            let [radius, margin] = size(i);
            let turning = if spin > 0.0 { spin * radius } else { 0.0 };
            let sweep = (DVec3::new(x, y, z).length() + turning) * duration;
            if sweep > 0.5 * margin && sweep.is_finite() { sweep } else { 0.0 }
        };
        let all = (0..bodies.len()).into_par_iter().in_tasks_of(BODIES_PER_TASK);
        all.map(sweep).collect_into_vec(sweeps);
    }

    /// The twists with which the bodies would go on if nothing touched them.
    pub(super) fn free_twists(&self, bodies: &[Body], poses: &[Pose]) -> Vec<Twist> {
        if !self.looks_for_impacts() {
            return Vec::new();
        }
        let free = |i: usize| {
            let state = solver_body(&bodies[i], &poses[i], &self.entries[i].external_wrench, &self.settings.step);
            twist_after(&state, &[0.0; 6])
        };
        (0..bodies.len()).map(free).collect()
    }

    /// Adds the contacts at the first impacts of all pairs, if the bodies go on with these twists for a time step, behind
    /// those that the pairs have. Returns the pairs that got any, or whose motion was too long to be followed to its end.
    /// Bodies may be `patience` times as deep in each other at the end of the step as usual ([`patience`]).
    ///
    /// # Errors
    /// Those of the generator.
    pub(super) fn add_impact_contacts(
        &mut self,
        bodies: &[Body],
        poses: &[Pose],
        twists: &[Twist],
        found: &mut Found,
        patience: f64,
    ) -> Result<Vec<(usize, usize)>, WorldError> {
        let duration = self.settings.step.time_step;
        let sweeps = self.sweeps(bodies, twists, duration);
        self.add_pairs(bodies, poses, &sweeps, found);
        let impacts = self.first_impacts((bodies, twists), poses, found, (duration, patience))?;
        Ok(self.add_contacts_at_impacts((bodies, twists), poses, found, &impacts, patience))
    }

    /// The same where the first impact of each pair is known.
    pub(super) fn add_contacts_at_impacts(
        &self,
        (bodies, twists): (&[Body], &[Twist]),
        poses: &[Pose],
        found: &mut Found,
        impacts: &[Option<Impact>],
        patience: f64,
    ) -> Vec<(usize, usize)> {
        if impacts.iter().all(Option::is_none) {
            return Vec::new();
        }
        let mut pairs_of: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
        for (k, &(a, b)) in found.pairs.iter().enumerate() {
            [a, b].iter().filter(|&&body| bodies[body].is_dynamic()).for_each(|&body| pairs_of[body].push(k));
        }
        let look = Look { bodies, twists, poses, found, impacts, pairs_of: &pairs_of, patience };
        let kept: Vec<Option<Vec<Contact>>> =
            (0..impacts.len()).into_par_iter().in_tasks_of(1).map(|k| self.without_internal_edges(k, &look)).collect();
        let mut grown = Vec::new();
        for (k, contacts) in kept.into_iter().enumerate() {
            if let Some(contacts) = contacts {
                found.lists[k].extend(contacts);
                grown.push(found.pairs[k]);
            }
        }
        grown
    }

    /// How deep two bodies may be in each other at the end of a step, m: what bounces is let through until it touches.
    pub(super) fn allowed_depth(&self, bodies: &[Body], (a, b): (usize, usize)) -> f64 {
        let interaction = self.interaction_between(bodies, (a, b));
        let bounces = interaction.is_ok_and(|interaction| interaction.restitution > 0.0);
        let allowed = impact::allowed_depth(&self.entries[a].shape, &self.entries[b].shape);
        if bounces { BOUNCE_DEPTH * allowed } else { allowed }
    }

    /// The motion of a pair from these poses on, with its duration and the patience of the step; dynamic bodies have the twists given,
    /// others their own.
    pub(super) fn pair_motion<'w>(
        &'w self,
        (bodies, twists): (&[Body], &[Twist]),
        poses: &[Pose],
        (a, b): (usize, usize),
        (duration, patience): (f64, f64),
    ) -> Motion<'w> {
        let at = |i: usize| {
            let twist = match bodies[i].kind() {
                BodyKind::Dynamic => {
                    let [x, y, z, p, q, r] = twists[i];
                    ContactTwist { linear: DVec3::new(x, y, z), angular: DVec3::new(p, q, r) }
                }
                BodyKind::Kinematic => placed(&self.entries[i], &bodies[i], poses[i]).twist,
                BodyKind::Fixed => ContactTwist::default(),
            };
            Placed { shape: &self.entries[i].shape, pose: poses[i], twist }
        };
        Motion { placed: [at(a), at(b)], duration, allowed: patience * self.allowed_depth(bodies, (a, b)) }
    }

    fn first_impacts(
        &self,
        moving: (&[Body], &[Twist]),
        poses: &[Pose],
        found: &Found,
        of_motion: (f64, f64),
    ) -> Result<Vec<Option<Impact>>, WorldError> {
        let generator = self.method.generator();
        let impact = |workspace: &mut Workspace, (&pair, held): (&(usize, usize), &Vec<Contact>)| {
            self.interruption.check()?;
            Ok(self.pair_motion(moving, poses, pair, of_motion).first_impact(generator, held, workspace)?)
        };
        let pairs = found.pairs.par_iter().zip(&found.lists).in_tasks_of(PAIRS_PER_TASK);
        pairs.map_init(Workspace::default, impact).collect()
    }

    /// The contacts of a pair at its impact, where they are now, without those on internal edges: what a neighbour holds
    /// is asked at the poses of the impact. `None` if nothing is left of them.
    fn without_internal_edges(&self, pair: usize, look: &Look<'_>) -> Option<Vec<Contact>> {
        let &Look { bodies, twists, poses, found, impacts, pairs_of, patience } = look;
        let moving = (bodies, twists);
        let impact = impacts[pair].as_ref()?;
        if impact.contacts.is_empty() {
            return Some(Vec::new());
        }
        let of_motion = (self.settings.step.time_step, patience);
        let (a, b) = found.pairs[pair];
        // The bodies around, and the pairs by their places among them.
        let mut around = vec![a, b];
        let mut place = |body: usize| {
            around.iter().position(|&known| known == body).unwrap_or_else(|| {
                around.push(body);
                around.len() - 1
            })
        };
        let mut pairs = vec![(0, 1)];
        let mut lists = vec![impact.contacts.clone()];
        for k in pairs_of[a].iter().chain(&pairs_of[b]).copied().filter(|&k| k != pair) {
            let new = impacts[k].as_ref().map_or(&[][..], |impact| &impact.contacts);
            if found.lists[k].is_empty() && new.is_empty() {
                continue;
            }
            let motion = self.pair_motion(moving, poses, found.pairs[k], of_motion);
            let held = motion.transported(&found.lists[k], impact.time);
            pairs.push((place(found.pairs[k].0), place(found.pairs[k].1)));
            lists.push(held.into_iter().chain(new.iter().copied()).collect());
        }
        let motion = self.pair_motion(moving, poses, (a, b), of_motion);
        let there = |i: usize| {
            let i = around[i];
            let of_one = self.pair_motion(moving, poses, (i, i), of_motion);
            let pose = of_one.poses(impact.time)[0];
            Placed { shape: self.method.generator().contact_shape(&self.entries[i].shape), pose, ..of_one.placed[0] }
        };
        let margin = |a: usize, b: usize| pair_margin(self.contact_margin(around[a]), self.contact_margin(around[b]));
        // Where that is interrupted the step is given up anyway.
        drop_internal_edge_contacts(&self.interruption, &pairs, &mut lists, there, margin).ok()?;
        let contacts = lists.swap_remove(0);
        (!contacts.is_empty()).then(|| Impact { contacts, ..*impact }.contacts_now(&motion))
    }

    /// How long each body can move with its velocity before it gets into another one with which it had no contact in the
    /// step before, at most `duration`, s. A step sees to it that there is no such impact before the next one looks for
    /// contacts; this is for bodies that were put somewhere, or set in motion, since.
    ///
    /// # Errors
    /// Those of the generator.
    pub(super) fn free_times(
        &mut self,
        bodies: &[Body],
        poses: &[Pose],
        duration: f64,
    ) -> Result<Vec<f64>, WorldError> {
        let mut times = vec![duration; bodies.len()];
        let twists: Vec<Twist> = bodies.iter().map(|body: &Body| twist(body.velocity, body.angular_velocity)).collect();
        let sweeps = self.sweeps(bodies, &twists, duration);
        if sweeps.iter().all(|&sweep| sweep == 0.0) {
            return Ok(times);
        }
        let mut pairs = self.near_pairs(bodies, poses, &sweeps);
        let dense = self.handles.dense();
        let is_new = |&(a, b): &(usize, usize)| {
            (sweeps[a] > 0.0 || sweeps[b] > 0.0) && !self.contact_cache.contains_key(&(dense[a], dense[b]))
        };
        pairs.retain(is_new);
        let lists = vec![Vec::new(); pairs.len()];
        let found = Found { pairs, lists, internal_edges: 0, unsettled: BTreeSet::new() };
        let impacts = self.first_impacts((bodies, &twists), poses, &found, (duration, 1.0))?;
        for (&(a, b), impact) in found.pairs.iter().zip(impacts) {
            if let Some(Impact { time, .. }) = impact {
                times[a] = times[a].min(time);
                times[b] = times[b].min(time);
            }
        }
        Ok(times)
    }
}
