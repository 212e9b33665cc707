//! The bodies of a soft step: what does not change in it, and velocities and displacements while it goes on.

use super::quad::Quad;
use super::states::State;
use crate::gyroscopic::FreeRotation;
use crate::solver::{SolverBody, Twist, twist};
use glam::{DMat3, DVec3};

/// A body as it is when the step begins.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    /// 1/kg.
    pub inverse_mass: f64,
    /// Of the centre of mass, m.
    pub position: DVec3,
    /// The inverse of the inertia tensor, world axes, 1/(kg m²); zero unless impulses change its velocity.
    inverse_inertia: DMat3,
    /// The twist at the beginning of the step.
    start: Twist,
    /// What forces add to it in the step.
    force: Twist,
    /// A substep is this share of it.
    share: f64,
    /// Free rotation in the angular velocity at the end, rad/s.
    rotation: DVec3,
    /// Whether it moves: a fixed body has at most the velocity of its surface.
    moves: bool,
}

/// What a body keeps within a substep and from one to the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Between {
    /// What forces add to its twist in a substep.
    force: Twist,
    /// The twist without contacts.
    free: Twist,
    /// What contacts did to it in the last substep.
    carry: Twist,
    yields: bool,
    moves: bool,
}

impl Between {
    /// The beginning of a substep: forces act, and what contacts did in the last one is done again. Notes the velocities without
    /// contacts.
    #[inline]
    pub fn accelerate(&mut self, state: &mut State) {
        if self.yields {
            for k in 0..6 {
                self.free[k] = state.get(k) + self.force[k];
                state.set(k, self.free[k] + self.carry[k]);
            }
        }
    }

    /// Moves on for a time, s.
    #[inline]
    pub fn advance(&self, state: &mut State, duration: f64) {
        if self.moves {
            for k in 0..6 {
                state.set(6 + k, state.get(6 + k) + duration * state.get(k));
            }
        }
    }

    /// The end of a substep.
    #[inline]
    pub fn carry(&mut self, state: &State) {
        if self.yields {
            for k in 0..6 {
                self.carry[k] = state.get(k) - self.free[k];
            }
        }
    }
}

impl Mover {
    /// No body.
    pub const NONE: Self = Self {
        inverse_mass: 0.0,
        position: DVec3::ZERO,
        inverse_inertia: DMat3::ZERO,
        start: [0.0; 6],
        force: [0.0; 6],
        share: 0.0,
        rotation: DVec3::ZERO,
        moves: false,
    };

    /// A body in a step of so many substeps, with what forces do to it in all of them together.
    pub fn new(body: &SolverBody, moves: bool, substeps: usize) -> Self {
        Self {
            inverse_mass: body.inverse_mass,
            position: body.position,
            inverse_inertia: if body.inverse_mass > 0.0 { body.inverse_inertia } else { DMat3::ZERO },
            start: body.twist,
            force: body.forced_change,
            share: 1.0 / substeps as f64,
            rotation: DVec3::ZERO,
            moves,
        }
    }

    /// A body whose forces hold the change of its angular velocity by free rotation: it begins so much faster or slower that it turns in the
    /// whole step as it does freely. What comes of it is the angular momentum ([`Mover::spin_without_rotation`]).
    pub fn rotating(mut self, free: FreeRotation) -> Self {
        let ahead = free.mean - 0.5 * (1.0 + self.share) * free.change;
        for (start, ahead) in self.start[3..].iter_mut().zip(ahead.to_array()) {
            *start += ahead;
        }
        self.rotation = ahead + free.change;
        self
    }

    /// The body as solvers see it.
    pub fn body(&self) -> SolverBody {
        SolverBody {
            position: self.position,
            inverse_mass: self.inverse_mass,
            inverse_inertia: self.inverse_inertia,
            twist: self.start,
            forced_change: self.force,
        }
    }

    /// The twist (m/s, rad/s) when such a share of the forces of the step has acted, and nothing else.
    pub fn twist_without_contacts(&self, share: f64) -> Twist {
        std::array::from_fn(|k| self.start[k] + share * self.force[k])
    }

    /// What forces add to the velocity of the point of the body at this position in the step, m/s.
    pub fn force_at(&self, position: DVec3) -> DVec3 {
        let [x, y, z, p, q, r] = self.force;
        DVec3::new(x, y, z) + DVec3::new(p, q, r).cross(position - self.position)
    }

    /// The inverse of the inertia tensor, world axes, 1/(kg m²).
    pub fn inverse_inertia(&self) -> DMat3 {
        self.inverse_inertia
    }

    /// Whether impulses change its velocity.
    pub fn yields(&self) -> bool {
        self.inverse_mass > 0.0
    }

    /// The position and the inverse mass; the upper half of the inverse of the inertia tensor, row by row, and twice nothing.
    #[inline(always)]
    pub fn rows(&self) -> [Quad; 3] {
        let DVec3 { x, y, z } = self.position;
        let DMat3 { x_axis: p, y_axis: q, z_axis: r } = &self.inverse_inertia;
        [Quad([x, y, z, self.inverse_mass]), Quad([p.x, q.x, r.x, q.y]), Quad([r.y, r.z, 0.0, 0.0])]
    }

    /// The state at the beginning of the step.
    pub fn begin(&self) -> State {
        let mut state = State::default();
        self.start.iter().enumerate().for_each(|(k, &x)| state.set(k, x));
        state
    }

    /// What the body keeps from substep to substep, before the first one.
    pub fn between(&self) -> Between {
        let force = self.force.map(|x| self.share * x);
        Between { force, yields: self.yields(), moves: self.moves, ..Between::default() }
    }

    /// Forces act.
    pub fn kick(&self, state: &mut State) {
        for (k, force) in self.force.iter().enumerate() {
            state.set(k, state.get(k) + self.share * force);
        }
    }

    /// Sets the velocity (m/s), the angular velocity (rad/s), and how far the body has come in the step (m, and a rotation vector).
    pub fn put(&self, state: &mut State, [velocity, spin]: [DVec3; 2], [way, turn]: [DVec3; 2]) {
        for (k, (velocity, displacement)) in twist(velocity, spin).into_iter().zip(twist(way, turn)).enumerate() {
            state.set(k, velocity);
            state.set(6 + k, displacement);
        }
    }

    /// The twist (m/s, rad/s) to which forces and contacts have led, without free rotation: that of the momenta, with the inertia tensor as it
    /// was when the step began.
    pub fn twist(&self, state: &State) -> Twist {
        twist(vector(state, 0), vector(state, 3) - self.rotation)
    }

    /// What all but forces and free rotation have changed of the velocity (m/s) and the angular velocity (rad/s) by the end of the step.
    pub fn contact_change(&self, state: &State) -> Twist {
        std::array::from_fn(|k| state.get(k) - self.start[k] - self.force[k])
    }

    /// The state after a step of `duration` (s) with this twist.
    pub fn set_twist(&self, state: &mut State, twist: &Twist, duration: f64) {
        for (k, &x) in twist.iter().enumerate() {
            state.set(k, x);
            state.set(6 + k, duration * x);
        }
    }

    /// How far it has come: a displacement (m), and a rotation vector (rad, world axes).
    pub fn displacement(&self, state: &State) -> [DVec3; 2] {
        [vector(state, 6), vector(state, 9)]
    }
}

fn vector(state: &State, first: usize) -> DVec3 {
    DVec3::new(state.get(first), state.get(first + 1), state.get(first + 2))
}
