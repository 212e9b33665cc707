//! The bodies of eight manifolds while a pass works on them, in the frames of the manifolds.

use super::constraint::{Constraint, NormalRow, frame};
use super::effective_masses::{Arms, Masses, Spins};
use super::frame::{Inertia, N, along, composed, swept};
use super::lanes::{Register, add, cross, dot, minus, plus};
use super::states::Access;

/// The bodies of eight manifolds at work.
pub struct Ends<R> {
    /// The velocities, displacements and turns of A and of B.
    states: [[R; 12]; 2],
    axes: [[R; 3]; 3],
    /// Their angular velocities along the axes, before and now.
    pub before: [[R; 3]; 2],
    pub spins: [[R; 3]; 2],
    /// The velocity of B's centre of mass against that of A, along the axes.
    pub speeds: [R; 3],
    /// The impulses along them in all.
    pub impulses: [R; 3],
    pub masses: Masses<R>,
    offset: [R; 3],
}

/// How far bodies have moved, along the axes.
#[derive(Clone, Copy)]
pub struct Moved<R> {
    /// B's centre of mass along the normal against A's.
    way: R,
    turns: [[R; 3]; 2],
}

/// Three components from the given one on.
#[inline(always)]
fn part<R: Register>(state: &[R; 12], first: usize) -> [R; 3] {
    [state[first], state[first + 1], state[first + 2]]
}

impl<R: Register> Ends<R> {
    #[inline(always)]
    pub fn new(token: R::Token, constraint: &Constraint, states: &Access) -> Self {
        let a = states.gather::<R>(token, &constraint.bodies[0]);
        let b = states.gather::<R>(token, &constraint.bodies[1]);
        let axes = frame(R::vector(token, &constraint.normal), R::vector(token, &constraint.tangent));
        let [mass_a, mass_b] = &constraint.inverse_masses;
        let spins = [along(&axes, part(&a, 3)), along(&axes, part(&b, 3))];
        Self {
            before: spins,
            spins,
            speeds: along(&axes, minus(part(&b, 0), part(&a, 0))),
            impulses: [R::splat(token, 0.0); 3],
            masses: Masses {
                inverse_mass: R::load(token, mass_a) + R::load(token, mass_b),
                inertias: [
                    Inertia::load(token, &constraint.inertias[0]),
                    Inertia::load(token, &constraint.inertias[1]),
                ],
            },
            offset: R::vector(token, &constraint.offset),
            axes,
            states: [a, b],
        }
    }

    #[inline(always)]
    pub fn moved(&self) -> Moved<R> {
        let [a, b] = &self.states;
        Moved {
            way: dot(self.axes[N], minus(part(b, 6), part(a, 6))),
            turns: [along(&self.axes, part(a, 9)), along(&self.axes, part(b, 9))],
        }
    }

    /// The arms of contacts.
    #[inline(always)]
    pub fn arms(&self, token: R::Token, row: &NormalRow) -> Arms<R> {
        let arm = R::vector(token, &row.arm);
        [arm, plus(arm, self.offset)]
    }

    /// The gap of a contact, m.
    #[inline(always)]
    pub fn gap(&self, token: R::Token, row: &NormalRow, arms: &Arms<R>, moved: &Moved<R>) -> R {
        let turned = swept(N, arms[1], moved.turns[1]) - swept(N, arms[0], moved.turns[0]);
        R::load(token, &row.gap) + moved.way + turned
    }

    /// The relative velocity at a contact along an axis.
    #[inline(always)]
    pub fn speed(&self, axis: usize, arms: &Arms<R>) -> R {
        self.speeds[axis] + (swept(axis, arms[1], self.spins[1]) - swept(axis, arms[0], self.spins[0]))
    }

    /// The spin of B against A about the normal.
    #[inline(always)]
    pub fn twist(&self) -> R {
        self.spins[1][N] - self.spins[0][N]
    }

    /// Gives both bodies an impulse along an axis.
    #[inline(always)]
    pub fn push(&mut self, axis: usize, spins: &Spins<R>, impulse: R) {
        self.speeds[axis] += self.masses.inverse_mass * impulse;
        self.impulses[axis] += impulse;
        self.turn(spins, impulse);
    }

    /// Turns both bodies by so many times what an impulse does.
    #[inline(always)]
    pub fn turn(&mut self, spins: &Spins<R>, impulse: R) {
        add(&mut self.spins[0], -impulse, spins[0]);
        add(&mut self.spins[1], impulse, spins[1]);
    }

    /// Gives both bodies so many times all impulses of a constraint.
    #[inline(always)]
    pub fn give(&mut self, token: R::Token, constraint: &Constraint, times: R) {
        let mut moments = [[R::splat(token, 0.0); 3]; 2];
        let mut impulses = [R::splat(token, 0.0); 3];
        let [friction_s, friction_t] = &constraint.friction;
        let (friction_s, friction_t) = (R::load(token, friction_s), R::load(token, friction_t));
        for (k, (normal, friction)) in constraint.normals.iter().zip(&constraint.frictions).enumerate() {
            let [s, t] = &friction.impulse;
            let impulse =
                [R::load(token, s) * friction_s, R::load(token, t) * friction_t, R::load(token, &normal.impulse)];
            impulses = plus(impulses, impulse);
            let [a, b] = self.arms(token, normal);
            moments = [plus(moments[0], cross(a, impulse)), plus(moments[1], cross(b, impulse))];
            if constraint.has_torsion {
                let torsion = R::load(token, &constraint.torsion.impulses[k][0]);
                let torsion = torsion * R::load(token, &constraint.torsion.friction);
                moments[0][N] += torsion;
                moments[1][N] += torsion;
            }
        }
        add(&mut self.impulses, times, impulses);
        add(&mut self.speeds, self.masses.inverse_mass * times, impulses);
        let spins = [self.masses.inertias[0].of(moments[0]), self.masses.inertias[1].of(moments[1])];
        self.turn(&spins, times);
    }

    /// Writes the velocities back, where bodies yield.
    #[inline(always)]
    pub fn finish(self, token: R::Token, constraint: &Constraint, states: &mut Access) {
        let impulse = composed(&self.axes, self.impulses);
        for side in 0..2 {
            let inverse_mass = R::load(token, &constraint.inverse_masses[side]);
            let state = &self.states[side];
            let mut velocity = part(state, 0);
            add(&mut velocity, if side == 0 { -inverse_mass } else { inverse_mass }, impulse);
            let spin = plus(part(state, 3), composed(&self.axes, minus(self.spins[side], self.before[side])));
            let ([x, y, z], [p, q, r]) = (velocity, spin);
            let first = R::rows([x, y, z, p]);
            let second = R::rows([q, r, state[6], state[7]]);
            states.set(&constraint.bodies[side], &constraint.yields[side], [&first, &second]);
        }
    }
}
