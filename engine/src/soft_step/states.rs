//! The velocities and displacements of bodies while a soft step goes on, and the sweeps over constraints that change them.
//!
//! Constraints of one colour share no body that yields, and no thread writes what another one reads: the order of accesses does not
//! matter. One thread works on plain numbers; several threads on atomic ones, as the compiler does not know of the colours.

use super::TASKS_AT_ONCE;
use super::bodies::Mover;
use super::lanes::{Instructions, LANES, Lanes, Wide, Work, dispatch};
use rayon::prelude::*;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Constraints that a thread takes at least.
const CONSTRAINTS_PER_TASK: usize = 16;

/// Bodies that a thread takes at least.
const BODIES_PER_TASK: usize = 256;

/// Velocity (m/s), scaled angular velocity, displacement since the step began (m), scaled turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State(pub [Lanes; 3]);

/// The same, for several threads.
type SharedState = [AtomicU64; 3 * LANES];

impl State {
    /// A number of it.
    #[inline(always)]
    pub fn get(&self, k: usize) -> f64 {
        self.0[k / LANES].0[k % LANES]
    }

    /// Changes a number of it.
    #[inline(always)]
    pub fn set(&mut self, k: usize, x: f64) {
        self.0[k / LANES].0[k % LANES] = x;
    }
}

/// How a pass over constraints reads and writes states.
pub trait Access {
    /// The states of four bodies, component by component.
    fn gather<W: Wide>(&self, token: W::Token, bodies: &[u32; LANES]) -> [W; 3 * LANES];

    /// Writes a velocity, and what follows it in the state.
    fn set(&self, body: u32, velocity: [Lanes; 2]);
}

/// A pass over constraints.
pub trait Pass<C>: Copy + Sync {
    /// Its work at one of them.
    fn apply<W: Wide, A: Access>(self, token: W::Token, constraint: &mut C, states: &A);
}

/// The states of all bodies.
#[derive(Debug, Default)]
pub struct States {
    own: Vec<State>,
    shared: Vec<SharedState>,
    is_shared: bool,
}

impl States {
    /// Begins with the states of these bodies, for so many constraints of the largest colour.
    pub fn begin(&mut self, movers: &[Mover], widest: usize) {
        self.is_shared = widest > CONSTRAINTS_PER_TASK && rayon::current_num_threads() > 1;
        if self.is_shared {
            self.shared.resize_with(movers.len(), Default::default);
            let all = self.shared.par_iter_mut().zip(movers).with_min_len(BODIES_PER_TASK);
            all.for_each(|(shared, mover)| put(shared, &mover.begin()));
        } else {
            self.own.clear();
            self.own.extend(movers.iter().map(Mover::begin));
        }
    }

    /// Leaves the states where they can be read.
    pub fn end(&mut self) {
        if self.is_shared {
            let all = self.shared.par_iter_mut().with_min_len(BODIES_PER_TASK);
            all.map(taken).collect_into_vec(&mut self.own);
            self.is_shared = false;
        }
    }

    /// The states at the end of a step.
    pub fn ended(&self) -> &[State] {
        &self.own
    }

    /// The same, to be changed.
    pub fn ended_mut(&mut self) -> &mut [State] {
        &mut self.own
    }

    /// Something for each body by itself; `others` has as many entries as there are bodies.
    pub fn over_bodies<T: Send>(&mut self, others: &mut [T], work: impl Fn(usize, &mut State, &mut T) + Sync) {
        if self.is_shared {
            let all = self.shared.par_iter_mut().zip(others).enumerate().with_min_len(BODIES_PER_TASK);
            all.for_each(|(k, (shared, other))| {
                let mut state = taken(shared);
                work(k, &mut state, other);
                put(shared, &state);
            });
        } else {
            self.own.iter_mut().zip(others).enumerate().for_each(|(k, (state, other))| work(k, state, other));
        }
    }

    /// A pass over all constraints, colour by colour; `ends` says where each ends.
    pub fn sweep<C: Send, P: Pass<C>>(
        &mut self,
        constraints: &mut [C],
        ends: &[usize],
        instructions: Instructions,
        pass: P,
    ) {
        if !self.is_shared {
            let states = Cell::from_mut(&mut self.own[..]).as_slice_of_cells();
            let constraints = &mut constraints[..ends.last().copied().unwrap_or(0)];
            return dispatch(instructions, Run { constraints, states: &Own(states), pass });
        }
        let states = &Shared(&self.shared);
        let mut begin = 0;
        for &end in ends {
            let constraints = &mut constraints[begin..end];
            let run = |constraints: &mut [C]| dispatch(instructions, Run { constraints, states, pass });
            if constraints.len() > CONSTRAINTS_PER_TASK {
                constraints.par_chunks_mut(CONSTRAINTS_PER_TASK).with_max_len(TASKS_AT_ONCE).for_each(run);
            } else {
                run(constraints);
            }
            begin = end;
        }
    }
}

/// A pass over constraints of one colour.
struct Run<'r, C, A, P> {
    constraints: &'r mut [C],
    states: &'r A,
    pass: P,
}

impl<C, A: Access, P: Pass<C>> Work for Run<'_, C, A, P> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self, token: W::Token) {
        for constraint in self.constraints {
            self.pass.apply::<W, A>(token, constraint, self.states);
        }
    }
}

/// Of one thread.
struct Own<'s>(&'s [Cell<State>]);

impl Access for Own<'_> {
    #[inline(always)]
    fn gather<W: Wide>(&self, token: W::Token, &[p, q, r, s]: &[u32; LANES]) -> [W; 3 * LANES] {
        let get = |body: u32| self.0[body as usize].get();
        let (State(p), State(q), State(r), State(s)) = (get(p), get(q), get(r), get(s));
        let first =
            W::transpose([W::load(token, &p[0]), W::load(token, &q[0]), W::load(token, &r[0]), W::load(token, &s[0])]);
        let second =
            W::transpose([W::load(token, &p[1]), W::load(token, &q[1]), W::load(token, &r[1]), W::load(token, &s[1])]);
        let third =
            W::transpose([W::load(token, &p[2]), W::load(token, &q[2]), W::load(token, &r[2]), W::load(token, &s[2])]);
        let ([a, b, c, d], [e, f, g, h], [i, j, k, l]) = (first, second, third);
        [a, b, c, d, e, f, g, h, i, j, k, l]
    }

    #[inline(always)]
    fn set(&self, body: u32, [first, second]: [Lanes; 2]) {
        let cell = &self.0[body as usize];
        let State([.., last]) = cell.get();
        cell.set(State([first, second, last]));
    }
}

/// Of several threads.
struct Shared<'s>(&'s [SharedState]);

impl Access for Shared<'_> {
    #[inline(always)]
    fn gather<W: Wide>(&self, token: W::Token, &[p, q, r, s]: &[u32; LANES]) -> [W; 3 * LANES] {
        let (p, q) = (&self.0[p as usize], &self.0[q as usize]);
        let (r, s) = (&self.0[r as usize], &self.0[s as usize]);
        let number = |x: &AtomicU64| f64::from_bits(x.load(Relaxed));
        let four = |k: usize| W::load(token, &Lanes([number(&p[k]), number(&q[k]), number(&r[k]), number(&s[k])]));
        [four(0), four(1), four(2), four(3), four(4), four(5), four(6), four(7), four(8), four(9), four(10), four(11)]
    }

    #[inline(always)]
    fn set(&self, body: u32, velocity: [Lanes; 2]) {
        let state = &self.0[body as usize];
        let [Lanes([x, y, z, p]), Lanes([q, r, ..])] = velocity;
        let put = |k: usize, x: f64| state[k].store(x.to_bits(), Relaxed);
        put(0, x);
        put(1, y);
        put(2, z);
        put(3, p);
        put(4, q);
        put(5, r);
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
