//! The passes of a soft step over its constraints: warm starting, the sweep that takes bodies apart, the one that does not, and what comes
//! at the end.
//!
//! A pass works in the frames of the manifolds, into which it takes velocities, and out of which it brings their changes: for each contact few
//! entries are left then.

use super::constraint::{Constraint, NormalRow, frame};
use super::effective_masses::{Arms, Masses, Spins};
use super::frame::{Inertia, N, S, T, along, composed, swept};
use super::lanes::{LANES, Lanes, Register, add, cross, dot, minus, plus, stored};
use super::states::{Access, Pass};

/// The bodies of eight manifolds at work.
struct Ends<R> {
    /// The velocities, displacements and turns of A and of B.
    states: [[R; 12]; 2],
    axes: [[R; 3]; 3],
    /// Their angular velocities along the axes, before and now.
    before: [[R; 3]; 2],
    spins: [[R; 3]; 2],
    /// The velocity of B's centre of mass against that of A, along the axes.
    speeds: [R; 3],
    /// The impulses along them in all.
    impulses: [R; 3],
    masses: Masses<R>,
    offset: [R; 3],
}

/// How far bodies have moved, along the axes.
#[derive(Clone, Copy)]
struct Moved<R> {
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
    fn new<A: Access>(token: R::Token, constraint: &Constraint, states: &A) -> Self {
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
    fn moved(&self) -> Moved<R> {
        let [a, b] = &self.states;
        Moved {
            way: dot(self.axes[N], minus(part(b, 6), part(a, 6))),
            turns: [along(&self.axes, part(a, 9)), along(&self.axes, part(b, 9))],
        }
    }

    /// The arms of contacts.
    #[inline(always)]
    fn arms(&self, token: R::Token, row: &NormalRow) -> Arms<R> {
        let arm = R::vector(token, &row.arm);
        [arm, plus(arm, self.offset)]
    }

    /// The gap of a contact, m.
    #[inline(always)]
    fn gap(&self, token: R::Token, row: &NormalRow, arms: &Arms<R>, moved: &Moved<R>) -> R {
        let turned = swept(N, arms[1], moved.turns[1]) - swept(N, arms[0], moved.turns[0]);
        R::load(token, &row.gap) + moved.way + turned
    }

    /// The relative velocity at a contact along an axis.
    #[inline(always)]
    fn speed(&self, axis: usize, arms: &Arms<R>) -> R {
        self.speeds[axis] + (swept(axis, arms[1], self.spins[1]) - swept(axis, arms[0], self.spins[0]))
    }

    /// The spin of B against A about the normal.
    #[inline(always)]
    fn twist(&self) -> R {
        self.spins[1][N] - self.spins[0][N]
    }

    /// Gives both bodies an impulse along an axis.
    #[inline(always)]
    fn push(&mut self, axis: usize, spins: &Spins<R>, impulse: R) {
        self.speeds[axis] += self.masses.inverse_mass * impulse;
        self.impulses[axis] += impulse;
        self.turn(spins, impulse);
    }

    /// Turns both bodies by so many times what an impulse does.
    #[inline(always)]
    fn turn(&mut self, spins: &Spins<R>, impulse: R) {
        add(&mut self.spins[0], -impulse, spins[0]);
        add(&mut self.spins[1], impulse, spins[1]);
    }

    /// Writes the velocities back, where bodies yield.
    #[inline(always)]
    fn finish<A: Access>(self, token: R::Token, constraint: &Constraint, states: &A) {
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
            for lane in 0..LANES {
                if constraint.yields[side][lane] {
                    states.set(constraint.bodies[side][lane], [first[lane], second[lane]]);
                }
            }
        }
    }
}

#[inline(always)]
fn square<R: Register>(x: [R; 2]) -> R {
    x[0] * x[0] + x[1] * x[1]
}

#[inline(always)]
fn size<R: Register>(x: R) -> R {
    x.max(-x)
}

/// Gives the bodies the impulses of the last substep of the step before.
#[derive(Clone, Copy, Debug)]
pub struct WarmStart;

impl Pass<Constraint> for WarmStart {
    #[inline(always)]
    fn apply<R: Register, A: Access>(self, token: R::Token, constraint: &mut Constraint, states: &A) {
        let mut ends = Ends::<R>::new(token, constraint, states);
        let mut moments = [[R::splat(token, 0.0); 3]; 2];
        let [friction_s, friction_t] = &constraint.friction;
        let (friction_s, friction_t) = (R::load(token, friction_s), R::load(token, friction_t));
        for k in 0..constraint.count {
            let (normal, friction) = (&constraint.normals[k], &constraint.frictions[k]);
            let [s, t] = &friction.impulse;
            let impulse =
                [R::load(token, s) * friction_s, R::load(token, t) * friction_t, R::load(token, &normal.impulse)];
            ends.impulses = plus(ends.impulses, impulse);
            let [a, b] = ends.arms(token, normal);
            moments = [plus(moments[0], cross(a, impulse)), plus(moments[1], cross(b, impulse))];
            if constraint.has_torsion {
                let torsion = R::load(token, &constraint.torsion.impulses[k][0]);
                let torsion = torsion * R::load(token, &constraint.torsion.friction);
                moments[0][N] += torsion;
                moments[1][N] += torsion;
            }
        }
        let spins = [ends.masses.inertias[0].of(moments[0]), ends.masses.inertias[1].of(moments[1])];
        ends.turn(&spins, R::splat(token, 1.0));
        ends.finish(token, constraint, states);
    }
}

/// A sweep with velocities that take bodies apart.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// 1/s.
    pub substep_rate: f64,
    /// m/s.
    pub parting_speed: f64,
}

impl Pass<Constraint> for Part {
    #[inline(always)]
    fn apply<R: Register, A: Access>(self, token: R::Token, constraint: &mut Constraint, states: &A) {
        let mut ends = Ends::<R>::new(token, constraint, states);
        let moved = ends.moved();
        let (zero, one) = (R::splat(token, 0.0), R::splat(token, 1.0));
        let (rate, fastest) = (R::splat(token, self.substep_rate), R::splat(token, -self.parting_speed));
        let [parting, share_of_mass, share_of_impulse] = R::vector(token, &constraint.softness);
        for row in &mut constraint.normals[..constraint.count] {
            let arms = ends.arms(token, row);
            let (gap, speed) = (ends.gap(token, row, &arms, &moved), ends.speed(N, &arms));
            let full = R::load(token, &row.mass);
            let over = gap + R::load(token, &row.slack);
            let bias = over.if_positive(zero.max(gap) * rate, share_of_mass * (parting * over).max(fastest));
            let (mass, impulse) = (over.if_positive(one, share_of_mass), over.if_positive(zero, share_of_impulse));
            let before = R::load(token, &row.impulse);
            let next = before - full * (mass * speed + bias) - impulse * before;
            let next = zero.max(next);
            row.impulse = next.store();
            ends.push(N, &ends.masses.pushed(N, &arms), next - before);
        }
        ends.finish(token, constraint, states);
    }
}

/// A sweep without them, over normals and friction.
#[derive(Clone, Copy, Debug)]
pub struct Relax {
    /// 1/s.
    pub substep_rate: f64,
    /// Whether the impulses of this sweep are those of the substep.
    pub is_last: bool,
}

impl Pass<Constraint> for Relax {
    #[inline(always)]
    fn apply<R: Register, A: Access>(self, token: R::Token, constraint: &mut Constraint, states: &A) {
        let mut ends = Ends::<R>::new(token, constraint, states);
        let moved = ends.moved();
        let (zero, one, rate) = (R::splat(token, 0.0), R::splat(token, 1.0), R::splat(token, self.substep_rate));
        for row in &mut constraint.normals[..constraint.count] {
            let arms = ends.arms(token, row);
            let (gap, speed) = (ends.gap(token, row, &arms, &moved), ends.speed(N, &arms));
            let mass = R::load(token, &row.mass);
            let before = R::load(token, &row.impulse);
            let next = zero.max(before - mass * (speed + zero.max(gap) * rate));
            row.impulse = next.store();
            ends.push(N, &ends.masses.pushed(N, &arms), next - before);
        }
        let [friction_s, friction_t] = &constraint.friction;
        let (friction_s, friction_t) = (R::load(token, friction_s), R::load(token, friction_t));
        let of_torsion = R::load(token, &constraint.torsion.friction);
        let twisted = ends.masses.twisted();
        for k in 0..constraint.count {
            let limit = R::load(token, &constraint.normals[k].impulse);
            let arms = ends.arms(token, &constraint.normals[k]);
            let row = &mut constraint.frictions[k];
            let (u, v) = (friction_s * ends.speed(S, &arms), friction_t * ends.speed(T, &arms));
            let (old_u, old_v) = (R::load(token, &row.impulse[0]), R::load(token, &row.impulse[1]));
            let [k_uu, k_uv, k_vv] = R::vector(token, &row.masses);
            // The impulses that stop the contact, and if they are too large those a step along the velocity leads to.
            let mut next = [old_u - (k_uu * u + k_uv * v), old_v - (k_uv * u + k_vv * v)];
            let mut of_next = square(next);
            let (mut w, mut old_w, mut next_w) = (zero, zero, zero);
            if constraint.has_torsion {
                w = of_torsion * ends.twist();
                old_w = R::load(token, &constraint.torsion.impulses[k][0]);
                next_w = old_w - R::load(token, &constraint.torsion.mass) * w;
                of_next += next_w * next_w;
            }
            let over = of_next - limit * limit;
            if over.is_any_positive() {
                let step = R::load(token, &row.least_mass);
                let (slide, slide_w) = ([old_u - step * u, old_v - step * v], old_w - step * w);
                let length = (square(slide) + slide_w * slide_w).sqrt();
                let scale = (length - limit).if_positive(limit.over(length), one);
                next = [over.if_positive(slide[0] * scale, next[0]), over.if_positive(slide[1] * scale, next[1])];
                next_w = over.if_positive(slide_w * scale, next_w);
            }
            let [next_u, next_v] = next;
            ends.push(S, &ends.masses.pushed(S, &arms), friction_s * (next_u - old_u));
            ends.push(T, &ends.masses.pushed(T, &arms), friction_t * (next_v - old_v));
            row.impulse = [next_u.store(), next_v.store()];
            if constraint.has_torsion {
                ends.turn(&twisted, of_torsion * (next_w - old_w));
                let [impulse, total] = &mut constraint.torsion.impulses[k];
                *impulse = next_w.store();
                if self.is_last {
                    *total = (R::load(token, total) + next_w).store();
                }
            }
            if self.is_last {
                let [n, s, t] = R::vector(token, &row.total);
                row.total = stored([n + limit, s + next_u, t + next_v]);
            }
        }
        ends.finish(token, constraint, states);
    }
}

/// Gives what has hit something in this step its velocity back.
#[derive(Clone, Copy, Debug)]
pub struct Bounce;

impl Pass<Constraint> for Bounce {
    #[inline(always)]
    fn apply<R: Register, A: Access>(self, token: R::Token, constraint: &mut Constraint, states: &A) {
        if !constraint.has_bounce {
            return;
        }
        let mut ends = Ends::<R>::new(token, constraint, states);
        let zero = R::splat(token, 0.0);
        for k in 0..constraint.count {
            let arms = ends.arms(token, &constraint.normals[k]);
            let mass = R::load(token, &constraint.normals[k].mass);
            let bounce = R::load(token, &constraint.bounces[k]);
            let total = R::load(token, &constraint.frictions[k].total[0]);
            let change = (-(mass * (ends.speed(N, &arms) - bounce))).max(-total);
            let change = bounce.if_positive(total.if_positive(change, zero), zero);
            constraint.frictions[k].total[0] = (total + change).store();
            ends.push(N, &ends.masses.pushed(N, &arms), change);
        }
        ends.finish(token, constraint, states);
    }
}

/// Notes how far the impulses of the last substep are from the law of each manifold.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// 1/s.
    pub substep_rate: f64,
}

impl Pass<Constraint> for Measure {
    #[inline(always)]
    fn apply<R: Register, A: Access>(self, token: R::Token, constraint: &mut Constraint, states: &A) {
        constraint.missing = natural_map::<R, A>(token, constraint, states, self.substep_rate);
    }
}

#[inline(always)]
fn natural_map<R: Register, A: Access>(
    token: R::Token,
    constraint: &Constraint,
    states: &A,
    substep_rate: f64,
) -> [Lanes; 2] {
    let ends = Ends::<R>::new(token, constraint, states);
    let moved = ends.moved();
    let (zero, one, rate) = (R::splat(token, 0.0), R::splat(token, 1.0), R::splat(token, substep_rate));
    let [friction_s, friction_t] = &constraint.friction;
    let (friction_s, friction_t) = (R::load(token, friction_s), R::load(token, friction_t));
    let of_torsion = R::load(token, &constraint.torsion.friction);
    let mut largest = [zero; 2];
    for k in 0..constraint.count {
        let (row, friction) = (&constraint.normals[k], &constraint.frictions[k]);
        let arms = ends.arms(token, row);
        let mass = R::load(token, &row.mass);
        let n = ends.speed(N, &arms) + zero.max(ends.gap(token, row, &arms, &moved)) * rate;
        let (u, v) = (friction_s * ends.speed(S, &arms), friction_t * ends.speed(T, &arms));
        let limit = R::load(token, &row.impulse);
        let step = R::load(token, &friction.least_mass);
        let mut missing = size(limit - zero.max(limit - mass * n));
        let (held_u, held_v) = (R::load(token, &friction.impulse[0]), R::load(token, &friction.impulse[1]));
        let (free_u, free_v) = (held_u - step * u, held_v - step * v);
        let (mut held_w, mut free_w) = (zero, zero);
        if constraint.has_torsion {
            held_w = R::load(token, &constraint.torsion.impulses[k][0]);
            free_w = held_w - step * of_torsion * ends.twist();
        }
        let length = (free_u * free_u + free_v * free_v + free_w * free_w).sqrt();
        let scale = (length - limit).if_positive(limit.over(length), one);
        missing = missing.max(size(held_u - free_u * scale));
        missing = missing.max(size(held_v - free_v * scale));
        missing = missing.max(size(held_w - free_w * scale));
        // No contact has no mass.
        let speed = mass.if_positive(missing.over(mass), zero);
        largest = [largest[0].max(missing), largest[1].max(speed)];
    }
    [largest[0].store(), largest[1].store()]
}
