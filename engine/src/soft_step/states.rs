//! The velocities and displacements of bodies while a soft step goes on, and the sweeps over constraints that change them.
//!
//! Constraints of one colour share no body that yields, and no thread writes what another one reads: the order of accesses does not
//! matter. One thread works on plain numbers; several threads on atomic ones, as the compiler does not know of the colours.

use super::TASKS_AT_ONCE;
use super::lanes::{Instructions, LANES, Lanes, Register, Work, dispatch};
use super::quad::{QUAD, Quad};
use drystone_contact::parallel::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Constraints that a thread takes at least.
const CONSTRAINTS_PER_TASK: usize = 8;

/// Bodies that a thread takes at least.
const BODIES_PER_TASK: usize = 256;

/// Velocity (m/s), angular velocity (rad/s), displacement since the step began (m), and turn (a rotation vector, rad); world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State(pub [Quad; 3]);

/// The same, for several threads.
pub type SharedState = [AtomicU64; 3 * QUAD];

impl State {
    /// A number of it.
    #[inline(always)]
    pub fn get(&self, k: usize) -> f64 {
        self.0[k / QUAD].0[k % QUAD]
    }

    /// Changes a number of it.
    #[inline(always)]
    pub fn set(&mut self, k: usize, x: f64) {
        self.0[k / QUAD].0[k % QUAD] = x;
    }
}

/// How a pass over constraints reads and writes states: one thread, or several. It looks each time, so that passes are compiled once for both.
pub enum Access<'s> {
    /// Of one thread.
    Own(&'s mut [State]),
    /// Of several threads.
    Shared(&'s [SharedState]),
}

/// A pass over constraints.
pub trait Pass<C>: Copy + Sync {
    /// Its work at one of them.
    fn apply<R: Register>(self, token: R::Token, constraint: &mut C, states: &mut Access);
}

/// The states of the bodies of a batch.
pub struct States<'s> {
    own: &'s mut [State],
    shared: &'s mut [SharedState],
    is_shared: bool,
}

impl<'s> States<'s> {
    /// Those of bodies; with as many shared ones for several threads, or none.
    pub fn new(own: &'s mut [State], shared: &'s mut [SharedState]) -> Self {
        let is_shared = !shared.is_empty();
        let states = Self { own, shared, is_shared };
        if is_shared {
            let all = states.shared.par_iter_mut().zip(&*states.own).in_tasks_of(BODIES_PER_TASK);
            all.for_each(|(shared, own)| put(shared, own));
        }
        states
    }

    /// Leaves the states where they can be read.
    pub fn end(self) {
        if self.is_shared {
            let all = self.shared.par_iter_mut().zip(self.own).in_tasks_of(BODIES_PER_TASK);
            all.for_each(|(shared, own)| *own = taken(shared));
        }
    }

    /// The state of one body.
    pub fn get(&mut self, body: usize) -> State {
        if self.is_shared { taken(&mut self.shared[body]) } else { self.own[body] }
    }

    /// Writes the state of one body.
    pub fn put(&mut self, body: usize, state: &State) {
        if self.is_shared { put(&mut self.shared[body], state) } else { self.own[body] = *state }
    }

    /// Something for each body by itself; `others` has as many entries as there are bodies.
    pub fn over_bodies<T: Send>(&mut self, others: &mut [T], work: impl Fn(usize, &mut State, &mut T) + Sync) {
        if self.is_shared {
            let all = self.shared.par_iter_mut().zip(others).enumerate().in_tasks_of(BODIES_PER_TASK);
            all.for_each(|(k, (shared, other))| {
                let mut state = taken(shared);
                work(k, &mut state, other);
                put(shared, &state);
            });
        } else {
            self.own.iter_mut().zip(others).enumerate().for_each(|(k, (state, other))| work(k, state, other));
        }
    }

    /// A pass over all constraints, colour by colour; `ends` says where each ends, `begin` where the first one begins.
    pub fn sweep<C: Send, P: Pass<C>>(
        &mut self,
        constraints: &mut [C],
        colours: (usize, &[usize]),
        instructions: Instructions,
        pass: P,
    ) {
        if self.is_shared {
            return self.sweep_after(constraints, colours, instructions, pass, |_, _| {});
        }
        let states = &mut Access::Own(self.own);
        dispatch(instructions, Run { constraints, states, pass });
    }

    /// The same, with something to be done before with some constraints at a time, whose first one has this place.
    pub fn sweep_after<C: Send, P: Pass<C>>(
        &mut self,
        constraints: &mut [C],
        (begin, ends): (usize, &[usize]),
        instructions: Instructions,
        pass: P,
        before: impl Fn(usize, &mut [C]) + Sync,
    ) {
        if !self.is_shared {
            let states = &mut Access::Own(self.own);
            for (k, constraints) in constraints.chunks_mut(CONSTRAINTS_PER_TASK).enumerate() {
                before(k * CONSTRAINTS_PER_TASK, constraints);
                dispatch(instructions, Run { constraints, states: &mut *states, pass });
            }
            return;
        }
        let shared = &*self.shared;
        let (mut begin, first) = (begin, begin);
        for &end in ends {
            let constraints = &mut constraints[begin - first..end - first];
            let run = |(k, constraints): (usize, &mut [C])| {
                before(begin - first + k * CONSTRAINTS_PER_TASK, constraints);
                dispatch(instructions, Run { constraints, states: &mut Access::Shared(shared), pass });
            };
            if constraints.len() > CONSTRAINTS_PER_TASK {
                let tasks = constraints.par_chunks_mut(CONSTRAINTS_PER_TASK).enumerate();
                tasks.with_max_len(TASKS_AT_ONCE).in_tasks_of(1).for_each(run);
            } else {
                run((0, constraints));
            }
            begin = end;
        }
    }

    /// A pass that changes no state, over constraints in any order, with something to be done behind it with each and its entry of
    /// another list.
    pub fn look<C: Send, P: Pass<C>, T: Send>(
        &mut self,
        constraints: &mut [C],
        others: &mut [T],
        instructions: Instructions,
        pass: P,
        behind: impl Fn(usize, &C, &mut T) + Sync,
    ) {
        let work = |k: usize, constraints: &[C], others: &mut [T]| {
            let own = constraints.iter().zip(others).enumerate();
            own.for_each(|(i, (constraint, other))| behind(k * CONSTRAINTS_PER_TASK + i, constraint, other));
        };
        if !self.is_shared {
            let states = &mut Access::Own(self.own);
            let tasks = constraints.chunks_mut(CONSTRAINTS_PER_TASK).zip(others.chunks_mut(CONSTRAINTS_PER_TASK));
            for (k, (constraints, others)) in tasks.enumerate() {
                dispatch(instructions, Run { constraints: &mut *constraints, states: &mut *states, pass });
                work(k, constraints, others);
            }
            return;
        }
        let shared = &*self.shared;
        let tasks = constraints.par_chunks_mut(CONSTRAINTS_PER_TASK).zip(others.par_chunks_mut(CONSTRAINTS_PER_TASK));
        tasks.enumerate().with_max_len(TASKS_AT_ONCE).in_tasks_of(1).for_each(|(k, (constraints, others))| {
            dispatch(instructions, Run { constraints: &mut *constraints, states: &mut Access::Shared(shared), pass });
            work(k, constraints, others);
        });
    }
}

/// A pass over constraints of one colour.
struct Run<'r, 's, C, P> {
    constraints: &'r mut [C],
    states: &'r mut Access<'s>,
    pass: P,
}

impl<C, P: Pass<C>> Work for Run<'_, '_, C, P> {
    type Output = ();

    #[inline(always)]
    fn run<R: Register>(self, token: R::Token) {
        for constraint in self.constraints {
            self.pass.apply::<R>(token, constraint, &mut *self.states);
        }
    }
}

impl Access<'_> {
    /// The states of eight bodies, component by component.
    #[inline(always)]
    pub fn gather<R: Register>(&self, token: R::Token, bodies: &[u32; LANES]) -> [R; 3 * QUAD] {
        match self {
            Self::Own(own) => {
                let [p, q, r, s, t, u, v, w] = *bodies;
                let get = |body: u32| &own[body as usize];
                let states = [get(p), get(q), get(r), get(s), get(t), get(u), get(v), get(w)];
                let [a, b, c, d] = columns(token, states, 0);
                let [e, f, g, h] = columns(token, states, 1);
                let [i, j, k, l] = columns(token, states, 2);
                [a, b, c, d, e, f, g, h, i, j, k, l]
            }
            Self::Shared(shared) => {
                let lanes = gathered(shared, bodies);
                let mut all = [R::splat(token, 0.0); 3 * QUAD];
                for (wide, lanes) in all.iter_mut().zip(&lanes) {
                    *wide = R::load(token, lanes);
                }
                all
            }
        }
    }

    /// Writes the velocities of those of eight bodies that yield, and what follows them in the states: each part as it is read again, which is what
    /// processors wait least for.
    #[inline(always)]
    pub fn set(&mut self, bodies: &[u32; LANES], yields: &[bool; LANES], [first, second]: [&[Quad; LANES]; 2]) {
        let all = bodies.iter().zip(yields).zip(first.iter().zip(second));
        let yielding = all.filter(|((_, yields), _)| **yields).map(|((&body, _), velocity)| (body as usize, velocity));
        match self {
            Self::Own(own) => {
                for (body, (first, second)) in yielding {
                    let state = &mut own[body];
                    (state.0[0], state.0[1]) = (*first, *second);
                }
            }
            Self::Shared(shared) => {
                for (body, (first, second)) in yielding {
                    set_velocity(&shared[body], first, second);
                }
            }
        }
    }
}

/// Four components of the states of eight bodies.
#[inline(always)]
fn columns<R: Register>(token: R::Token, [a, b, c, d, e, f, g, h]: [&State; LANES], k: usize) -> [R; QUAD] {
    R::columns(token, [&a.0[k], &b.0[k], &c.0[k], &d.0[k], &e.0[k], &f.0[k], &g.0[k], &h.0[k]])
}

#[inline(never)]
fn gathered(shared: &[SharedState], bodies: &[u32; LANES]) -> [Lanes; 3 * QUAD] {
    let of = |k: usize| bodies.map(|body| f64::from_bits(shared[body as usize][k].load(Relaxed)));
    std::array::from_fn(|k| Lanes::new(of(k)))
}

#[inline(never)]
fn set_velocity(state: &SharedState, Quad([x, y, z, p]): &Quad, Quad([q, r, ..]): &Quad) {
    for (number, x) in state.iter().zip([x, y, z, p, q, r]) {
        number.store(x.to_bits(), Relaxed);
    }
}

fn put(shared: &mut SharedState, state: &State) {
    for (k, x) in shared.iter_mut().enumerate() {
        *x.get_mut() = state.get(k).to_bits();
    }
}

fn taken(shared: &mut SharedState) -> State {
    let mut state = State::default();
    shared.iter_mut().enumerate().for_each(|(k, x)| state.set(k, f64::from_bits(*x.get_mut())));
    state
}
