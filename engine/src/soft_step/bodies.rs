//! The bodies of a soft step: what does not change in it, and velocities and displacements while it goes on.
//!
//! Angular velocities are scaled by L⁻¹ with L Lᵀ = I⁻¹, so that the row of a Jacobian that reads a velocity also says how an
//! impulse changes it.

use super::lanes::{LANES, Lanes, Vector};
use crate::solver::{SolverBody, Twist, twist};
use glam::{DMat3, DVec3};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Velocity (m/s), scaled angular velocity, displacement since the step began (m), scaled turn. Contacts of one colour share no
/// body that yields, and no thread writes what another one reads: the order of accesses does not matter.
pub type State = [AtomicU64; 12];

/// A body as it is when the step begins.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    /// 1/kg.
    pub inverse_mass: f64,
    /// Of the centre of mass, m.
    pub position: DVec3,
    /// L, lower triangular, with L Lᵀ the inverse of the inertia tensor in world axes.
    root: DMat3,
    /// Scaled velocities at the beginning of the step.
    start: [f64; 6],
    /// What forces add in a substep, scaled.
    force: [f64; 6],
    /// Whether it moves: a fixed body has at most the velocity of its surface.
    moves: bool,
}

/// What contacts did to the velocities in a substep, which the next one begins with.
pub type Carry = [f64; 6];

impl Mover {
    /// A body in a step of so many substeps, with what forces do to it in all of them together.
    pub fn new(body: &SolverBody, moves: bool, substeps: usize) -> Self {
        let root = if body.inverse_mass > 0.0 { lower_root(&body.inverse_inertia) } else { DMat3::ZERO };
        let share = 1.0 / substeps as f64;
        let zero = [0.0; 6];
        let own =
            Self { inverse_mass: body.inverse_mass, position: body.position, root, start: zero, force: zero, moves };
        Self { start: own.scaled(&body.twist), force: own.scaled(&body.forced_change).map(|x| x * share), ..own }
    }

    /// A twist as the state has it. Bodies that do not yield have no inertia: their angular velocity stays as it is.
    fn scaled(&self, &[x, y, z, p, q, r]: &Twist) -> [f64; 6] {
        let spin = DVec3::new(p, q, r);
        let spin = if self.yields() { divided(&self.root, spin) } else { spin };
        [x, y, z, spin.x, spin.y, spin.z]
    }

    /// Whether impulses change its velocity.
    pub fn yields(&self) -> bool {
        self.inverse_mass > 0.0
    }

    /// A scaled rotation as it is in the world.
    fn turned(&self, scaled: DVec3) -> DVec3 {
        if self.yields() { self.root * scaled } else { scaled }
    }

    /// The angular part of a row of a Jacobian for angular velocities as the state has them.
    pub fn angular(&self, row: DVec3) -> DVec3 {
        if self.yields() { self.root.transpose() * row } else { row }
    }

    /// The state at the beginning of the step.
    pub fn begin(&self, state: &State) {
        for (k, x) in state.iter().enumerate() {
            set(x, if k < 6 { self.start[k] } else { 0.0 });
        }
    }

    /// The beginning of a substep: forces act, and what contacts did in the last one is done again. Notes the velocities without
    /// contacts.
    pub fn accelerate(&self, state: &State, carry: &Carry, free: &mut [f64; 6]) {
        if self.yields() {
            for k in 0..6 {
                free[k] = get(&state[k]) + self.force[k];
                set(&state[k], free[k] + carry[k]);
            }
        }
    }

    /// Moves on for a time, s.
    pub fn advance(&self, state: &State, duration: f64) {
        if self.moves {
            for k in 0..6 {
                set(&state[6 + k], get(&state[6 + k]) + duration * get(&state[k]));
            }
        }
    }

    /// The end of a substep.
    pub fn carry(&self, state: &State, free: &[f64; 6], carry: &mut Carry) {
        if self.yields() {
            for k in 0..6 {
                carry[k] = get(&state[k]) - free[k];
            }
        }
    }

    /// The twist (m/s, rad/s) of a state.
    pub fn twist(&self, state: &State) -> Twist {
        twist(vector(state, 0), self.turned(vector(state, 3)))
    }

    /// The state after a step of `duration` (s) with this twist.
    pub fn set_twist(&self, state: &State, twist: &Twist, duration: f64) {
        for (k, x) in self.scaled(twist).into_iter().enumerate() {
            set(&state[k], x);
            set(&state[6 + k], duration * x);
        }
    }

    /// How far it has come: a displacement (m), and a rotation vector (rad, world axes).
    pub fn displacement(&self, state: &State) -> [DVec3; 2] {
        [vector(state, 6), self.turned(vector(state, 9))]
    }
}

fn vector(state: &State, first: usize) -> DVec3 {
    DVec3::new(get(&state[first]), get(&state[first + 1]), get(&state[first + 2]))
}

/// L of a symmetric matrix L Lᵀ; columns without a positive diagonal are zero.
fn lower_root(matrix: &DMat3) -> DMat3 {
    let [[a, b, c], [_, d, e], [_, _, f]] = matrix.to_cols_array_2d();
    let root = |square: f64| if square > 0.0 { square.sqrt() } else { 0.0 };
    let over = |x: f64, y: f64| if y > 0.0 { x / y } else { 0.0 };
    let l00 = root(a);
    let (l10, l20) = (over(b, l00), over(c, l00));
    let l11 = root(d - l10 * l10);
    let l21 = over(e - l20 * l10, l11);
    let l22 = root(f - l20 * l20 - l21 * l21);
    DMat3::from_cols(DVec3::new(l00, l10, l20), DVec3::new(0.0, l11, l21), DVec3::new(0.0, 0.0, l22))
}

/// L⁻¹ v; zero where a diagonal is.
fn divided(lower: &DMat3, v: DVec3) -> DVec3 {
    let over = |x: f64, y: f64| if y > 0.0 { x / y } else { 0.0 };
    let (first, second, third) = (lower.x_axis, lower.y_axis, lower.z_axis);
    let x = over(v.x, first.x);
    let y = over(v.y - first.y * x, second.y);
    DVec3::new(x, y, over(v.z - first.z * x - second.z * y, third.z))
}

#[inline(always)]
fn get(x: &AtomicU64) -> f64 {
    f64::from_bits(x.load(Relaxed))
}

#[inline(always)]
fn set(x: &AtomicU64, value: f64) {
    x.store(value.to_bits(), Relaxed);
}

/// The states of four bodies, component by component.
#[inline(always)]
pub fn gather(states: &[State], bodies: &[u32; LANES]) -> [Lanes; 12] {
    let four = bodies.map(|body| &states[body as usize]);
    std::array::from_fn(|k| Lanes([get(&four[0][k]), get(&four[1][k]), get(&four[2][k]), get(&four[3][k])]))
}

/// Writes the velocities of four bodies back, where they yield.
#[inline(always)]
pub fn scatter(states: &[State], bodies: &[u32; LANES], yields: &[bool; LANES], values: &[Lanes; 12]) {
    for lane in 0..LANES {
        if yields[lane] {
            let state = &states[bodies[lane] as usize];
            for k in 0..6 {
                set(&state[k], values[k].0[lane]);
            }
        }
    }
}

/// Three components of a gathered state from the given one on.
#[inline(always)]
pub fn part(state: &[Lanes; 12], first: usize) -> Vector {
    [state[first], state[first + 1], state[first + 2]]
}

/// The difference of three components.
#[inline(always)]
pub fn difference(b: &[Lanes; 12], a: &[Lanes; 12], first: usize) -> Vector {
    [b[first] - a[first], b[first + 1] - a[first + 1], b[first + 2] - a[first + 2]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    #[test]
    fn an_impulse_does_what_the_inertia_says() {
        let turn = DMat3::from_quat(DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.1, 2.0));
        let inverse_inertia = turn * DMat3::from_diagonal(DVec3::new(2.0, 0.1, 7.0)) * turn.transpose();
        let twist = [1.0, 2.0, 3.0, -4.0, 5.0, 0.5];
        let body =
            SolverBody { position: DVec3::ZERO, inverse_mass: 0.5, inverse_inertia, twist, forced_change: [0.0; 6] };
        let mover = Mover::new(&body, true, 4);
        let state = State::default();
        mover.begin(&state);
        let kept = mover.twist(&state);
        assert!(kept.iter().zip(twist).all(|(x, y)| (x - y).abs() < 1e-14), "{kept:?}");
        let moment = DVec3::new(0.3, -0.7, 1.9);
        let scaled = mover.angular(moment);
        (0..3).for_each(|k| set(&state[3 + k], get(&state[3 + k]) + scaled[k]));
        let change = vector_of(mover.twist(&state)) - DVec3::new(-4.0, 5.0, 0.5);
        assert!((change - inverse_inertia * moment).length() < 1e-13);
    }

    fn vector_of([_, _, _, p, q, r]: Twist) -> DVec3 {
        DVec3::new(p, q, r)
    }
}
