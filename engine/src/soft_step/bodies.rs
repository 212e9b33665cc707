//! The bodies of a soft step: what does not change in it, and velocities and displacements while it goes on.
//!
//! Angular velocities are scaled by L⁻¹ with L Lᵀ = I⁻¹, so that the row of a Jacobian that reads a velocity also says how an
//! impulse changes it.

use super::quad::Quad;
use super::states::State;
use crate::solver::{SolverBody, Twist, twist};
use glam::{DMat3, DVec3};

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

/// What a body keeps within a substep and from one to the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Between {
    /// The velocities without contacts.
    free: [f64; 6],
    /// What contacts did to them in the last substep.
    carry: [f64; 6],
}

impl Mover {
    /// No body.
    pub const NONE: Self = Self {
        inverse_mass: 0.0,
        position: DVec3::ZERO,
        root: DMat3::ZERO,
        start: [0.0; 6],
        force: [0.0; 6],
        moves: false,
    };

    /// A body in a step of so many substeps, with what forces do to it in all of them together.
    pub fn new(body: &SolverBody, moves: bool, substeps: usize) -> Self {
        let yields = body.inverse_mass > 0.0;
        let (root, inverse) = if yields { lower_root(&body.inverse_inertia) } else { Default::default() };
        let share = 1.0 / substeps as f64;
        let zero = [0.0; 6];
        let own =
            Self { inverse_mass: body.inverse_mass, position: body.position, root, start: zero, force: zero, moves };
        let start = own.scaled(&body.twist, inverse);
        Self { start, force: own.scaled(&body.forced_change, inverse).map(|x| x * share), ..own }
    }

    /// A twist as the state has it, with the inverse of the diagonal of L. Bodies that do not yield have no inertia: their angular
    /// velocity stays as it is.
    fn scaled(&self, &[x, y, z, p, q, r]: &Twist, inverse: DVec3) -> [f64; 6] {
        let spin = DVec3::new(p, q, r);
        let spin = if self.yields() { divided(&self.root, inverse, spin) } else { spin };
        [x, y, z, spin.x, spin.y, spin.z]
    }

    /// The inverse of the inertia tensor, world axes, 1/(kg m²).
    pub fn inverse_inertia(&self) -> DMat3 {
        self.root * self.root.transpose()
    }

    /// Whether impulses change its velocity.
    pub fn yields(&self) -> bool {
        self.inverse_mass > 0.0
    }

    /// A scaled rotation as it is in the world.
    fn turned(&self, scaled: DVec3) -> DVec3 {
        if self.yields() { self.root * scaled } else { scaled }
    }

    /// The position and the inverse mass; L by its columns, without what is above the diagonal, and whether the body yields. Lᵀ makes
    /// the angular part of a row of a Jacobian one for angular velocities as the state has them; it is the identity for a body that does not yield.
    #[inline(always)]
    pub fn rows(&self) -> [Quad; 3] {
        let DVec3 { x, y, z } = self.position;
        let place = Quad([x, y, z, self.inverse_mass]);
        if self.yields() {
            let DMat3 { x_axis: x, y_axis: y, z_axis: z } = &self.root;
            [place, Quad([x.x, x.y, x.z, y.y]), Quad([y.z, z.z, 1.0, 0.0])]
        } else {
            [place, Quad([1.0, 0.0, 0.0, 1.0]), Quad([0.0, 1.0, 0.0, 0.0])]
        }
    }

    /// The state at the beginning of the step.
    pub fn begin(&self) -> State {
        let mut state = State::default();
        self.start.iter().enumerate().for_each(|(k, &x)| state.set(k, x));
        state
    }

    /// The beginning of a substep: forces act, and what contacts did in the last one is done again. Notes the velocities without
    /// contacts.
    #[inline]
    pub fn accelerate(&self, state: &mut State, between: &mut Between) {
        if self.yields() {
            for k in 0..6 {
                between.free[k] = state.get(k) + self.force[k];
                state.set(k, between.free[k] + between.carry[k]);
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
    pub fn carry(&self, state: &State, between: &mut Between) {
        if self.yields() {
            for k in 0..6 {
                between.carry[k] = state.get(k) - between.free[k];
            }
        }
    }

    /// Forces act.
    pub fn kick(&self, state: &mut State) {
        for (k, force) in self.force.iter().enumerate() {
            state.set(k, state.get(k) + force);
        }
    }

    /// Sets the velocity (m/s), the angular velocity (rad/s), and how far the body has come in the step (m, and a rotation vector).
    pub fn put(&self, state: &mut State, [velocity, spin]: [DVec3; 2], [way, turn]: [DVec3; 2]) {
        let inverse = inverses(DVec3::new(self.root.x_axis.x, self.root.y_axis.y, self.root.z_axis.z));
        let velocities = self.scaled(&twist(velocity, spin), inverse);
        let displacements = self.scaled(&twist(way, turn), inverse);
        for (k, (velocity, displacement)) in velocities.into_iter().zip(displacements).enumerate() {
            state.set(k, velocity);
            state.set(6 + k, displacement);
        }
    }

    /// The twist (m/s, rad/s) of a state.
    pub fn twist(&self, state: &State) -> Twist {
        twist(vector(state, 0), self.turned(vector(state, 3)))
    }

    /// The state after a step of `duration` (s) with this twist.
    pub fn set_twist(&self, state: &mut State, twist: &Twist, duration: f64) {
        let diagonal = DVec3::new(self.root.x_axis.x, self.root.y_axis.y, self.root.z_axis.z);
        for (k, x) in self.scaled(twist, inverses(diagonal)).into_iter().enumerate() {
            state.set(k, x);
            state.set(6 + k, duration * x);
        }
    }

    /// How far it has come: a displacement (m), and a rotation vector (rad, world axes).
    pub fn displacement(&self, state: &State) -> [DVec3; 2] {
        [vector(state, 6), self.turned(vector(state, 9))]
    }
}

fn vector(state: &State, first: usize) -> DVec3 {
    DVec3::new(state.get(first), state.get(first + 1), state.get(first + 2))
}

/// L of a symmetric matrix L Lᵀ, and the inverse of its diagonal; columns without a positive diagonal are zero.
fn lower_root(matrix: &DMat3) -> (DMat3, DVec3) {
    let [[a, b, c], [_, d, e], [_, _, f]] = matrix.to_cols_array_2d();
    let root = |square: f64| if square > 0.0 { square.sqrt() } else { 0.0 };
    let l00 = root(a);
    let first = inverse(l00);
    let (l10, l20) = (b * first, c * first);
    let l11 = root(d - l10 * l10);
    let second = inverse(l11);
    let l21 = (e - l20 * l10) * second;
    let l22 = root(f - l20 * l20 - l21 * l21);
    let columns = DMat3::from_cols(DVec3::new(l00, l10, l20), DVec3::new(0.0, l11, l21), DVec3::new(0.0, 0.0, l22));
    (columns, DVec3::new(first, second, inverse(l22)))
}

/// One over a number that is not negative; zero for zero.
fn inverse(x: f64) -> f64 {
    if x > 0.0 { 1.0 / x } else { 0.0 }
}

fn inverses(v: DVec3) -> DVec3 {
    DVec3::new(inverse(v.x), inverse(v.y), inverse(v.z))
}

/// L⁻¹ v, with the inverse of the diagonal of L.
fn divided(lower: &DMat3, inverse: DVec3, v: DVec3) -> DVec3 {
    let (first, second) = (lower.x_axis, lower.y_axis);
    let x = v.x * inverse.x;
    let y = (v.y - first.y * x) * inverse.y;
    DVec3::new(x, y, (v.z - first.z * x - second.z * y) * inverse.z)
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
        let mut state = mover.begin();
        let kept = mover.twist(&state);
        assert!(kept.iter().zip(twist).all(|(x, y)| (x - y).abs() < 1e-14), "{kept:?}");
        let moment = DVec3::new(0.3, -0.7, 1.9);
        let [_, Quad([xx, xy, xz, yy]), Quad([yz, zz, ..])] = mover.rows();
        let lower = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(0.0, yy, yz), DVec3::new(0.0, 0.0, zz));
        let scaled = lower.transpose() * moment;
        (0..3).for_each(|k| state.set(3 + k, state.get(3 + k) + scaled[k]));
        let change = vector_of(mover.twist(&state)) - DVec3::new(-4.0, 5.0, 0.5);
        assert!((change - inverse_inertia * moment).length() < 1e-13);
    }

    fn vector_of([_, _, _, p, q, r]: Twist) -> DVec3 {
        DVec3::new(p, q, r)
    }
}
