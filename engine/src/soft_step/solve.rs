//! The solve of a soft step, batch by batch.

use super::batches::Batches;
use super::bodies::{Between, Mover};
use super::colouring::{Colouring, NONE};
use super::constraint::{Constraint, Rows};
use super::joints::contact::{HEAVY, HeavyContact, HeavyManifold, MOST, Parting, Slot};
use super::joints::{JointIsland, SoftJoints};
use super::lanes::{Instructions, LANES, Register, Work, dispatch};
use super::passes::{Bounce, Measure, Part, Relax, WarmStart};
use super::states::{SharedState, State, States};
use super::{Manifold, SoftContact, SoftSettings};
use crate::interruption::Interruption;
use crate::solver::Impulse;
use drystone_contact::parallel::prelude::*;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Bodies that touch nothing and that a thread takes at least.
const BODIES_PER_TASK: usize = 256;

/// Several threads work on a batch of more eights than this: on one large island.
pub const LARGE: usize = 64;

/// A manifold that a sweep changes by a speed above this share of the parting speed may be hit.
const HIT: f64 = 1e-3;

/// Sweeps that give bodies their bounce.
const BOUNCE_SWEEPS: usize = 20;

/// What comes of a manifold.
#[derive(Clone, Debug, Default)]
pub struct Solved {
    /// For each contact the impulse of the last substep, and that of the whole step.
    pub impulses: Rows<[Impulse; 2]>,
    /// How far it is from the law: the natural map, N s and m/s.
    pub missing: [f64; 2],
}

/// A solve of all batches.
pub struct Solve<'s> {
    /// Batches end before their last substep if it wants.
    pub interruption: &'s Interruption,
    pub instructions: Instructions,
    pub manifolds: &'s [Manifold],
    pub contacts: &'s [SoftContact],
    pub movers: &'s [Mover],
    pub batches: &'s Batches,
    pub colouring: &'s Colouring,
    pub settings: &'s SoftSettings,
    /// s.
    pub substep: f64,
    pub bounces: bool,
    /// Whether there are several threads.
    pub is_shared: bool,
    /// Of each thread.
    pub constraints: &'s [Mutex<Vec<Constraint>>],
    pub joints: &'s SoftJoints,
    /// Of each batch, if any has joints.
    pub joint_islands: &'s [Mutex<JointIsland>],
}

/// What batches work on.
pub struct At<'a> {
    pub states: &'a mut [State],
    pub between: &'a mut [Between],
    pub solved: &'a mut [[Solved; LANES]],
}

impl<'a> At<'a> {
    /// What is before a body and an eight, and the rest.
    fn split(self, body: usize, eight: usize) -> (Self, Self) {
        let (states, other_states) = self.states.split_at_mut(body);
        let (between, other_between) = self.between.split_at_mut(body);
        let (solved, other_solved) = self.solved.split_at_mut(eight);
        let rest = At { states: other_states, between: other_between, solved: other_solved };
        (At { states, between, solved }, rest)
    }
}

impl Solve<'_> {
    /// Solves all batches, and moves the bodies behind the last one, which touch nothing.
    pub fn all(&self, at: At, (constraints, shared): &mut (Vec<Constraint>, Vec<SharedState>)) {
        let count = self.batches.count();
        let ended = self.batches.ends.last().copied().unwrap_or(0);
        for batch in (0..count).filter(|&batch| self.is_large(batch)) {
            let (bodies, eights) = (self.batches.bodies_of(batch), self.colouring.eights_of(batch));
            shared.resize_with(shared.len().max(bodies.len()), Default::default);
            let own = At {
                states: &mut at.states[bodies.clone()],
                between: &mut at.between[bodies.clone()],
                solved: &mut at.solved[eights],
            };
            self.batch(batch, own, constraints, &mut shared[..bodies.len()]);
        }
        let (touching, free) = at.split(ended, self.colouring.order.len());
        if count > 0 {
            self.small(0..count, touching);
        }
        let tasks = free.states.par_chunks_mut(BODIES_PER_TASK).zip(free.between.par_chunks_mut(BODIES_PER_TASK));
        tasks
            .in_tasks_of(1)
            .for_each(|(states, between)| self.substeps(&mut States::new(states, &mut []), between, |_, _| {}));
    }

    /// Solves batches, one by each thread.
    fn small(&self, range: Range<usize>, at: At) {
        if range.len() > 1 {
            let middle = range.start + range.len() / 2;
            let begin = |batch: usize| (self.batches.bodies_of(batch).start, self.colouring.eights_of(batch).start);
            let (first, second) = (begin(range.start), begin(middle));
            let (own, rest) = at.split(second.0 - first.0, second.1 - first.1);
            drystone_contact::parallel::join(
                || self.small(range.start..middle, own),
                || self.small(middle..range.end, rest),
            );
        } else if !self.is_large(range.start) {
            // No thread takes on anything else before it has let go of this.
            let own = &self.constraints[drystone_contact::parallel::current_thread_index().unwrap_or(0)];
            let mut constraints = own.lock().unwrap_or_else(PoisonError::into_inner);
            self.batch(range.start, at, &mut constraints, &mut []);
        }
    }

    /// Whether several threads work on a batch.
    fn is_large(&self, batch: usize) -> bool {
        self.is_shared && self.colouring.eights_of(batch).len() > LARGE
    }

    /// Solves a batch; one with shared states by several threads.
    fn batch(&self, batch: usize, at: At, constraints: &mut Vec<Constraint>, shared: &mut [SharedState]) {
        let Self { instructions, settings, colouring, .. } = *self;
        let eights = colouring.eights_of(batch);
        if constraints.len() < eights.len() {
            constraints.resize(eights.len() + eights.len() / 4, Constraint::default());
        }
        let constraints = &mut constraints[..eights.len()];
        let order = &colouring.order[eights.clone()];
        let ends = (eights.start, &colouring.ends[colouring.colours_of(batch)]);
        let mut states = States::new(at.states, shared);
        let rate = 1.0 / self.substep;
        // Joints push in turns with contacts, which begin with what they were by then.
        let joints = self.batches.joints_of(batch);
        let hit_speed = if joints.is_empty() { HIT * settings.parting_speed } else { f64::INFINITY };
        let act = |states: &mut States, during: During<'_>| match during {
            During::Start => {
                // Rows are made while their contacts are at hand.
                let prepare = |first: usize, constraints: &mut [Constraint]| {
                    self.prepare(constraints, &order[first..first + constraints.len()]);
                };
                states.sweep_after(constraints, ends, instructions, WarmStart, prepare);
            }
            During::Move => {
                for _ in 0..settings.sweeps {
                    let part = Part { substep_rate: rate, parting_speed: settings.parting_speed, hit_speed };
                    states.sweep(constraints, ends, instructions, part);
                }
            }
            During::Rest => {
                for round in 1..=settings.relaxations {
                    let relax = Relax { substep_rate: rate, hit_speed, is_last: round == settings.relaxations };
                    states.sweep(constraints, ends, instructions, relax);
                }
            }
            During::Read(slots, impulses) => {
                for (&[k, lane, point], impulse) in slots.iter().zip(impulses) {
                    *impulse = constraints[k].normals[point].impulse[lane];
                }
            }
            During::Add(slots, changes, is_last) => {
                for (&[k, lane, point], change) in slots.iter().zip(changes) {
                    constraints[k].add_impulse(lane, point, *change, is_last);
                }
            }
        };
        if joints.is_empty() {
            self.substeps(&mut states, at.between, act);
        } else {
            let mut island = self.joint_islands[batch].lock().unwrap_or_else(PoisonError::into_inner);
            self.substeps_with_joints(batch, (&mut states, at.between), &mut island, act);
        }
        if self.interruption.is_wanted() {
            // Rows may not even be there.
            return states.end();
        }
        let finish = |place: usize, constraint: &Constraint, solved: &mut [Solved; LANES]| {
            let manifolds = solved.iter_mut().zip(&order[place]).enumerate();
            for (lane, (solved, &k)) in manifolds.filter(|(_, (_, k))| **k != NONE) {
                let manifold = &self.manifolds[k as usize];
                solved.missing = constraint.missing.map(|missing| missing[lane]);
                solved.impulses.resize(manifold.count as usize, Default::default());
                constraint.finish(lane, &mut solved.impulses);
            }
        };
        states.look(constraints, at.solved, instructions, Measure { substep_rate: rate }, finish);
        if self.bounces {
            for _ in 0..BOUNCE_SWEEPS {
                states.sweep(constraints, ends, instructions, Bounce);
            }
            let all = constraints.iter().zip(at.solved).enumerate();
            all.for_each(|(k, (constraint, solved))| finish(k, constraint, solved));
        }
        states.end();
    }

    /// Moves bodies through all substeps; contacts act at places of each.
    fn substeps(&self, states: &mut States, between: &mut [Between], mut act: impl FnMut(&mut States, During<'_>)) {
        for part in 0..self.settings.substeps {
            if self.interruption.is_wanted() {
                return;
            }
            states.over_bodies(between, |_, state, between| {
                if part > 0 {
                    between.carry(state);
                }
                between.accelerate(state);
            });
            if part == 0 {
                act(states, During::Start);
            }
            act(states, During::Move);
            states.over_bodies(between, |_, state, between| between.advance(state, self.substep));
            act(states, During::Rest);
        }
    }

    /// The same with the joints of a batch.
    fn substeps_with_joints(
        &self,
        batch: usize,
        (states, between): (&mut States, &mut [Between]),
        island: &mut JointIsland,
        mut act: impl FnMut(&mut States, During<'_>),
    ) {
        let Self { movers, batches, .. } = *self;
        let bodies = &batches.bodies[batches.bodies_of(batch)];
        let members = batches.joints[batches.joints_of(batch)].iter().map(|&(_, joint)| joint);
        let has_contacts = !self.colouring.eights_of(batch).is_empty();
        let begin = batches.bodies_of(batch).start;
        let place = |body: u32| batches.place(body as usize) - begin;
        let [rate, share, _] = self.settings.softness(1.0, self.substep);
        let parting = Parting { rate: rate * share, speed: self.settings.parting_speed };
        self.heavy_manifolds(batch, &mut island.manifolds);
        island.begin(self.joints, members, movers, place, parting, (has_contacts, self.substep));
        let is_jointed = island.take_marks(bodies.len());
        for part in 0..self.settings.substeps {
            if self.interruption.is_wanted() {
                break;
            }
            states.over_bodies(between, |k, state, between| {
                if !is_jointed[k] {
                    if part > 0 {
                        between.carry(state);
                    }
                    between.accelerate(state);
                }
            });
            island.accelerate(states, movers, part == 0);
            if has_contacts {
                island.before_contacts(states);
                if part == 0 {
                    act(states, During::Start);
                }
                act(states, During::Move);
                island.after_contacts(states, movers);
            }
            states.over_bodies(between, |k, state, between| {
                if !is_jointed[k] {
                    between.advance(state, self.substep);
                }
            });
            if island.has_heavy_contacts() {
                act(states, During::Read(&island.slots, &mut island.contact_impulses));
            }
            island.advance(states, movers);
            if island.has_heavy_contacts() {
                act(states, During::Add(&island.slots, &island.contact_changes, false));
            }
            if has_contacts {
                island.before_contacts(states);
                act(states, During::Rest);
                island.after_contacts(states, movers);
            }
            if island.has_heavy_contacts() {
                act(states, During::Read(&island.slots, &mut island.contact_impulses));
            }
            island.project(states, movers);
            if island.has_heavy_contacts() {
                act(states, During::Add(&island.slots, &island.contact_changes, true));
            }
        }
        island.give_back(is_jointed);
    }

    /// The manifolds of a batch in which a body with joints touches a much heavier one that moves.
    fn heavy_manifolds(&self, batch: usize, heavy: &mut Vec<HeavyManifold>) {
        let Self { movers, batches, .. } = *self;
        let begin = batches.bodies_of(batch).start;
        heavy.clear();
        let mut left = MOST;
        for (eight, manifolds) in self.colouring.order[self.colouring.eights_of(batch)].iter().enumerate() {
            for (lane, &k) in manifolds.iter().enumerate().filter(|(_, k)| **k != NONE) {
                let Manifold { start, count, .. } = self.manifolds[k as usize];
                let contacts = &self.contacts[start as usize..(start + count) as usize];
                let bodies = [contacts[0].a, contacts[0].b];
                let own = bodies.map(|body| &movers[body as usize]);
                let lighter = usize::from(own[1].inverse_mass > own[0].inverse_mass);
                if !own.iter().all(|own| own.yields())
                    || own[lighter].inverse_mass < HEAVY * own[1 - lighter].inverse_mass
                    || self.joints.body(bodies[lighter]).is_none()
                    || contacts.len() > left
                {
                    continue;
                }
                let contact = |(point, contact): (usize, &SoftContact)| HeavyContact {
                    arms: own.map(|own| contact.position - own.position),
                    gap: contact.gap,
                    slack: contact.slack,
                    slot: [eight, lane, point],
                };
                left -= contacts.len();
                heavy.push(HeavyManifold {
                    places: bodies.map(|body| batches.place(body as usize) - begin),
                    bodies,
                    normal: contacts[0].normal,
                    contacts: contacts.iter().enumerate().map(contact).collect(),
                });
            }
        }
    }

    /// The rows of constraints from their contacts.
    fn prepare(&self, constraints: &mut [Constraint], eights: &[[u32; LANES]]) {
        let Self { manifolds, contacts, movers, settings, substep, .. } = *self;
        let softness = [settings.softness(1.0, substep), settings.softness(2.0, substep)];
        let sides = &self.batches.sides;
        dispatch(self.instructions, Prepare { constraints, eights, manifolds, contacts, movers, sides, softness });
    }
}

/// Where contacts act in a substep.
enum During<'d> {
    /// Of the first one, once forces have acted.
    Start,
    /// Before bodies move.
    Move,
    /// And after that.
    Rest,
    /// No sweep: the impulses of contacts.
    Read(&'d [Slot], &'d mut [f64]),
    /// No sweep: adds to the impulses of contacts; whether those of the whole step get them too.
    Add(&'d [Slot], &'d [f64], bool),
}

/// The rows of constraints from their contacts.
struct Prepare<'p> {
    constraints: &'p mut [Constraint],
    /// The manifolds of each.
    eights: &'p [[u32; LANES]],
    manifolds: &'p [Manifold],
    contacts: &'p [SoftContact],
    movers: &'p [Mover],
    /// The bodies of each manifold, by their places in the batch.
    sides: &'p [[u32; 2]],
    softness: [[f64; 3]; 2],
}

impl Work for Prepare<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Register>(self, token: R::Token) {
        let Self { manifolds, contacts, .. } = self;
        let of = |k: u32| match manifolds.get(k as usize) {
            Some(manifold) => &contacts[manifold.start as usize..(manifold.start + manifold.count) as usize],
            None => &[],
        };
        for (constraint, eight) in self.constraints.iter_mut().zip(self.eights) {
            let own = eight.map(of);
            let sides = eight.map(|k| self.sides.get(k as usize).copied().unwrap_or_default());
            constraint.prepare::<R>(token, (own, sides), self.movers, self.softness);
        }
    }
}
