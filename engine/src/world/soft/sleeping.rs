//! Sleeping: an island that has been at rest for a while stays as it is, at no cost, until something disturbs it.
//!
//! An island falls asleep when all its bodies have been slow for long enough and its contacts obey the law. It wakes as a whole when a contact with a body
//! that moves is found, when someone writes to one of its bodies, removes one that it touches or pushes it, and
//! when settings or materials change. Which islands sleep follows from the steps alone: a run that is resumed from a snapshot has the same ones.

use super::super::World;
use super::super::detection::BODIES_PER_TASK;
use super::SoftState;
use super::islands::root_of;
use super::pairs::PersistentPair;
use super::resting::{AT_REST, CALM, HELD};
use crate::body::{Body, Pose};
use crate::soft_step::{SoftSettings, SolvedManifold};
use crate::stepper::ExternalWrench;
use drystone_contact::parallel::prelude::*;
use glam::DVec3;

/// An island whose natural map is larger than this stays awake, m/s.
const LARGEST_RESIDUAL: f64 = 1e-3;

/// What is known of the rest of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// For how many steps it has been slow.
    pub steps: u32,
    /// The number of the island that it sleeps in; 0 of a body that is awake.
    pub island: u32,
    /// For how many steps it has to be at rest until the [global solver](super::resting) is asked; 0 of a body that was never faster.
    pub restless: u32,
    /// For how many steps it may be [faster](super::resting) for that, as the global solver has solved its island.
    pub held: u32,
}

impl SoftState {
    /// Whether a body sleeps.
    pub fn is_asleep(&self, body: usize) -> bool {
        self.rests.get(body).is_some_and(|rest| rest.island > 0)
    }

    /// Wakes a body with its island; or, if it is no body that can sleep, the islands that touch it.
    pub fn wake(&mut self, body: usize) {
        self.has_changed = true;
        let touching =
            |pair: &&PersistentPair| !pair.contacts.is_empty() && (pair.bodies.0 == body || pair.bodies.1 == body);
        let around = self.pairs.iter().filter(touching).flat_map(|pair| [pair.bodies.0, pair.bodies.1]);
        let islands: Vec<u32> =
            around.chain([body]).filter_map(|body| self.rests.get(body)).map(|r| r.island).collect();
        self.wake_islands(islands);
    }

    /// Something may have been written to a body: the next step looks what.
    pub fn note_change(&mut self) {
        self.has_changed = true;
    }

    /// Wakes all bodies.
    pub fn wake_all(&mut self) {
        self.has_changed = true;
        self.rests.fill(Rest::default());
    }

    /// Wakes islands; those that do not sleep have the number 0. Returns whether one was asleep.
    pub(super) fn wake_islands(&mut self, mut islands: Vec<u32>) -> bool {
        islands.retain(|&island| island > 0);
        islands.sort_unstable();
        for rest in self.rests.iter_mut().filter(|rest| rest.island > 0) {
            if islands.binary_search(&rest.island).is_ok() {
                *rest = Rest::default();
            }
        }
        !islands.is_empty()
    }

    /// Whether one of two bodies disturbs the other one.
    pub(super) fn is_stirred(&self, (a, b): (usize, usize)) -> bool {
        self.stirs[a] || self.stirs[b]
    }
}

impl World {
    /// Whether a body sleeps: the [soft step](crate::soft_step) leaves it where it is until something disturbs it.
    ///
    /// # Errors
    /// [`super::super::WorldError::Stale`].
    pub fn is_asleep(&self, handle: crate::BodyHandle) -> Result<bool, super::super::WorldError> {
        Ok(self.soft.is_asleep(self.index(handle)?))
    }

    /// Wakes a body and all that sleeps with it.
    ///
    /// # Errors
    /// [`super::super::WorldError::Stale`].
    pub fn wake(&mut self, handle: crate::BodyHandle) -> Result<(), super::super::WorldError> {
        let index = self.index(handle)?;
        self.soft.wake(index);
        Ok(())
    }

    /// Whether a body is not as the last step has left it, which is `known`.
    pub(super) fn is_written(&self, known: Option<&Body>, body: usize) -> bool {
        self.entries[body].left != Some(self.bodies[body].pose()) || known != Some(&self.bodies[body])
    }

    /// Wakes what was disturbed since the last step, and says which bodies may disturb others: those that are awake, and those that
    /// move or were put where they are.
    pub(super) fn wake_disturbed(&self, state: &mut SoftState) {
        state.rests.resize(self.bodies.len(), Rest::default());
        if state.settings.as_ref() != Some(&self.settings) {
            if state.settings.is_some() {
                state.wake_all();
            }
            state.settings = Some(self.settings.clone());
        }
        let mut islands: Vec<u32> = Vec::new();
        let is_pushed = |body: usize| self.entries[body].external_wrench != ExternalWrench::NONE;
        let disturbed = (0..self.bodies.len()).filter(|&body| state.rests[body].island > 0);
        islands.extend(disturbed.filter(|&body| is_pushed(body) || state.written[body]).map(|i| state.rests[i].island));
        if state.written.contains(&true) {
            let touched = |pair: &&PersistentPair| {
                !pair.contacts.is_empty() && (state.written[pair.bodies.0] || state.written[pair.bodies.1])
            };
            let around = state.pairs.iter().filter(touched).flat_map(|pair| [pair.bodies.0, pair.bodies.1]);
            islands.extend(around.map(|body| state.rests[body].island));
            islands.extend(self.islands_by_joints(state, |body| state.written[body]));
        }
        state.wake_islands(islands);
        let calm = (CALM / self.settings.step.time_step).ceil().min(f64::from(u32::MAX)) as u32;
        let all = state.rests.par_iter_mut().enumerate().in_tasks_of(BODIES_PER_TASK);
        all.filter(|(body, _)| self.bodies[*body].is_dynamic()).for_each(|(body, rest)| {
            let limit = if rest.held > 0 { HELD } else { AT_REST };
            let is_restless = self.is_faster(body, limit, || self.entries[body].shape.radius());
            rest.restless = if is_restless { calm } else { rest.restless.saturating_sub(1) };
            rest.held = if is_restless { 0 } else { rest.held.saturating_sub(1) };
        });
        let SoftState { stirs, written, bodies, rests, .. } = state;
        let disturbs = |((body, is_written), rest): ((&Body, &bool), &Rest)| {
            let moves = body.velocity != DVec3::ZERO || body.angular_velocity != DVec3::ZERO;
            if body.is_dynamic() { rest.island == 0 } else { moves || *is_written }
        };
        let all = bodies.par_iter().zip(&*written).zip(&*rests).in_tasks_of(BODIES_PER_TASK);
        all.map(disturbs).collect_into_vec(stirs);
    }

    /// Wakes the islands that contacts tie to bodies that disturb them. Returns whether there were any.
    pub(super) fn wake_touched(&self, state: &mut SoftState, poses: &[Pose], soft: &SoftSettings) -> bool {
        let touched = |pair: &&PersistentPair| {
            let (a, b) = pair.bodies;
            !pair.contacts.is_empty() && state.stirs[a] != state.stirs[b]
        };
        let bodies = state.pairs.iter().filter(touched).flat_map(|pair| [pair.bodies.0, pair.bodies.1]);
        let mut islands: Vec<u32> = bodies.map(|body| state.rests[body].island).filter(|&island| island > 0).collect();
        islands.extend(self.islands_by_joints(state, |body| state.stirs[body]));
        if !state.wake_islands(islands) {
            return false;
        }
        for (body, pose) in poses.iter().enumerate() {
            if state.bodies[body].is_dynamic() && !state.stirs[body] && !state.is_asleep(body) {
                state.stirs[body] = true;
                state.movers[body] = self.begin_of(state, body, pose, soft);
                state.traits[body].yields = state.movers[body].yields();
            }
        }
        true
    }

    /// Puts the islands to sleep whose bodies have been slow for long enough. The islands are those of the report of this step.
    pub(super) fn fall_asleep(&self, state: &mut SoftState, soft: &SoftSettings) {
        let time_step = self.settings.step.time_step;
        let wanted = if soft.sleep_time > 0.0 { (soft.sleep_time / time_step).ceil() } else { f64::INFINITY };
        if wanted.is_infinite() {
            return;
        }
        let mut carried = Vec::new();
        state.carried_by_joints(&state.movers, |body| carried.push(state.solver.root(body) as usize));
        let SoftState {
            bodies,
            movers,
            traits,
            solver,
            rests,
            zones,
            stirs,
            resting,
            slow_steps: steps,
            last_island,
            ..
        } = state;
        // For how many steps all bodies of an island have been slow, at the place of its first body that yields.
        steps.clear();
        steps.resize(bodies.len(), u32::MAX);
        let count_slow = |(i, rest): (usize, &mut Rest)| {
            if !movers[i].yields() {
                return;
            }
            let radius = traits[i].radius;
            let speed = |way: DVec3, turn: DVec3| way.length() + turn.length() * radius;
            let [way, turn] = solver.displacement(i, &movers[i]).map(|x| x / time_step);
            let [x, y, z, p, q, r] = solver.twist(i, &movers[i]);
            let fastest = speed(way, turn).max(speed(DVec3::new(x, y, z), DVec3::new(p, q, r)));
            let is_slow = fastest <= soft.sleep_speed && !zones.iter().any(|(body, _)| *body == i);
            rest.steps = if is_slow { rest.steps.saturating_add(1) } else { 0 };
        };
        rests.par_iter_mut().enumerate().in_tasks_of(BODIES_PER_TASK).for_each(count_slow);
        for (i, rest) in rests.iter().enumerate().filter(|(i, _)| movers[*i].yields()) {
            let root = solver.root(i as u32) as usize;
            steps[root] = steps[root].min(rest.steps);
        }
        for SolvedManifold { bodies: [a, b], missing, .. } in solver.manifolds() {
            let root = root_of(solver, movers, [a, b]) as usize;
            // Those that the global solver has solved obey the law.
            if missing[1] > LARGEST_RESIDUAL && !resting.iter().any(|resting| resting.root == root) {
                steps[root] = 0;
            }
            // What something carries stays awake.
            let carries = |own: u32, other: u32| {
                let (own, other) = (own as usize, other as usize);
                movers[own].yields() && !movers[other].yields() && stirs[other]
            };
            if carries(a, b) || carries(b, a) {
                steps[root] = 0;
            }
        }
        for root in carried {
            steps[root] = 0;
        }
        for i in (0..bodies.len()).filter(|&i| movers[i].yields()) {
            let root = solver.root(i as u32) as usize;
            if f64::from(steps[root]) >= wanted {
                // The root is the first body of its island.
                if i == root {
                    *last_island += 1;
                    rests[i].island = *last_island;
                }
                rests[i].island = rests[root].island;
                (bodies[i].velocity, bodies[i].angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
            }
        }
    }
}
