//! The passes of a soft step over its constraints: warm starting, the sweep that takes bodies apart, the one that does not, and what comes
//! at the end.
//!
//! A pass works in the frames of the manifolds, into which it takes velocities, and out of which it brings their changes: for each contact few
//! entries are left then.

use super::constraint::{Constraint, NormalRow, frame};
use super::frame::{Inertia, N, S, T, along, composed, swept};
use super::lanes::{LANES, Lanes, Wide, add, cross, dot, minus, plus, stored};
use super::quad::Register;
use super::states::{Access, Pass};

/// The bodies of eight manifolds at work.
struct Ends<R> {
    /// The velocities, displacements and turns of A and of B.
    states: [[Wide<R>; 12]; 2],
    axes: [[Wide<R>; 3]; 3],
    /// Their angular velocities along the axes, before and now.
    before: [[Wide<R>; 3]; 2],
    spins: [[Wide<R>; 3]; 2],
    /// The velocity of B's centre of mass against that of A, along the axes.
    speeds: [Wide<R>; 3],
    /// The impulses along them in all.
    impulses: [Wide<R>; 3],
    /// The sum of the inverse masses.
    inverse_mass: Wide<R>,
    inertias: [Inertia<R>; 2],
    offset: [Wide<R>; 3],
}

/// How far bodies have moved, along the axes.
#[derive(Clone, Copy)]
struct Moved<R> {
    /// B's centre of mass along the normal against A's.
    way: Wide<R>,
    turns: [[Wide<R>; 3]; 2],
}

/// The spins of A and of B that an impulse at a contact makes.
type Spins<R> = [[Wide<R>; 3]; 2];

/// From the centres of mass of A and of B to contacts.
type Arms<R> = [[Wide<R>; 3]; 2];

/// Three components from the given one on.
#[inline(always)]
fn part<R: Register>(state: &[Wide<R>; 12], first: usize) -> [Wide<R>; 3] {
    [state[first], state[first + 1], state[first + 2]]
}

impl<R: Register> Ends<R> {
    #[inline(always)]
    fn new<A: Access>(token: R::Token, constraint: &Constraint, states: &A) -> Self {
        let a = states.gather::<R>(token, &constraint.bodies[0]);
        let b = states.gather::<R>(token, &constraint.bodies[1]);
        let axes = frame(Wide::<R>::vector(token, &constraint.normal), Wide::<R>::vector(token, &constraint.tangent));
        let [mass_a, mass_b] = &constraint.inverse_masses;
        let spins = [along(&axes, part(&a, 3)), along(&axes, part(&b, 3))];
        Self {
            before: spins,
            spins,
            speeds: along(&axes, minus(part(&b, 0), part(&a, 0))),
            impulses: [Wide::<R>::splat(token, 0.0); 3],
            inverse_mass: Wide::<R>::load(token, mass_a) + Wide::<R>::load(token, mass_b),
            inertias: [Inertia::load(token, &constraint.inertias[0]), Inertia::load(token, &constraint.inertias[1])],
            offset: Wide::<R>::vector(token, &constraint.offset),
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
        let arm = Wide::<R>::vector(token, &row.arm);
        [arm, plus(arm, self.offset)]
    }

    /// The gap of a contact, m.
    #[inline(always)]
    fn gap(&self, token: R::Token, row: &NormalRow, arms: &Arms<R>, moved: &Moved<R>) -> Wide<R> {
        let turned = swept(N, arms[1], moved.turns[1]) - swept(N, arms[0], moved.turns[0]);
        Wide::<R>::load(token, &row.gap) + moved.way + turned
    }

    /// The relative velocity at a contact along an axis.
    #[inline(always)]
    fn speed(&self, axis: usize, arms: &Arms<R>) -> Wide<R> {
        self.speeds[axis] + (swept(axis, arms[1], self.spins[1]) - swept(axis, arms[0], self.spins[0]))
    }

    /// What an impulse along an axis does.
    #[inline(always)]
    fn pushed(&self, axis: usize, arms: &Arms<R>) -> Spins<R> {
        [self.inertias[0].pushed(axis, arms[0]), self.inertias[1].pushed(axis, arms[1])]
    }

    /// What it changes in the relative velocity along an axis by turning the bodies.
    #[inline(always)]
    fn turning(&self, axis: usize, arms: &Arms<R>, spins: &Spins<R>) -> Wide<R> {
        swept(axis, arms[0], spins[0]) + swept(axis, arms[1], spins[1])
    }

    /// The spin of B against A about the normal.
    #[inline(always)]
    fn twist(&self) -> Wide<R> {
        self.spins[1][N] - self.spins[0][N]
    }

    /// Gives both bodies an impulse along an axis.
    #[inline(always)]
    fn push(&mut self, axis: usize, spins: &Spins<R>, impulse: Wide<R>) {
        self.speeds[axis] += self.inverse_mass * impulse;
        self.impulses[axis] += impulse;
        self.turn(spins, impulse);
    }

    /// Turns both bodies by so many times what an impulse does.
    #[inline(always)]
    fn turn(&mut self, spins: &Spins<R>, impulse: Wide<R>) {
        add(&mut self.spins[0], -impulse, spins[0]);
        add(&mut self.spins[1], impulse, spins[1]);
    }

    /// What a moment about the normal does.
    #[inline(always)]
    fn twisted(&self) -> Spins<R> {
        [self.inertias[0].about(N), self.inertias[1].about(N)]
    }

    /// Writes the velocities back, where bodies yield.
    #[inline(always)]
    fn finish<A: Access>(self, token: R::Token, constraint: &Constraint, states: &A) {
        let impulse = composed(&self.axes, self.impulses);
        for side in 0..2 {
            let inverse_mass = Wide::<R>::load(token, &constraint.inverse_masses[side]);
            let state = &self.states[side];
            let mut velocity = part(state, 0);
            add(&mut velocity, if side == 0 { -inverse_mass } else { inverse_mass }, impulse);
            let spin = plus(part(state, 3), composed(&self.axes, minus(self.spins[side], self.before[side])));
            let ([x, y, z], [p, q, r]) = (velocity, spin);
            let first = Wide::rows([x, y, z, p]);
            let second = Wide::rows([q, r, state[6], state[7]]);
            for lane in 0..LANES {
                if constraint.yields[side][lane] {
                    states.set(constraint.bodies[side][lane], [first[lane], second[lane]]);
                }
            }
        }
    }
}

/// The inverse, or zero of what is not positive.
#[inline(always)]
fn inverse<R: Register>(token: R::Token, x: Wide<R>) -> Wide<R> {
    x.if_positive(Wide::<R>::splat(token, 1.0).over(x), Wide::<R>::splat(token, 0.0))
}

#[inline(always)]
fn square<R: Register>(x: [Wide<R>; 2]) -> Wide<R> {
    x[0] * x[0] + x[1] * x[1]
}

#[inline(always)]
fn size<R: Register>(x: Wide<R>) -> Wide<R> {
    x.max(-x)
}

/// What impulses of friction do at a contact, each along an axis and over the friction there.
struct Friction<R> {
    /// Of an impulse along s, and along t.
    spins: [Spins<R>; 2],
    /// What they change in the velocities over the friction: along s by one along s, mixed, along t.
    block: [Wide<R>; 3],
}

impl<R: Register> Friction<R> {
    #[inline(always)]
    fn new(ends: &Ends<R>, arms: &Arms<R>, [s, t]: [Wide<R>; 2]) -> Self {
        let spins = [ends.pushed(S, arms), ends.pushed(T, arms)];
        let along_s = ends.inverse_mass + ends.turning(S, arms, &spins[0]);
        let along_t = ends.inverse_mass + ends.turning(T, arms, &spins[1]);
        let mixed = ends.turning(T, arms, &spins[0]);
        Self { spins, block: [s * s * along_s, s * t * mixed, t * t * along_t] }
    }

    /// The inverse of the block. Without a determinant friction acts in one direction, or in none.
    #[inline(always)]
    fn inverse_block(&self, token: R::Token) -> [Wide<R>; 3] {
        let [uu, uv, vv] = self.block;
        let determinant = uu * vv - uv * uv;
        let of_block = inverse(token, determinant);
        let (zero, one) = (Wide::<R>::splat(token, 0.0), Wide::<R>::splat(token, 1.0));
        if determinant.if_positive(zero, one).is_any_positive() {
            return [
                determinant.if_positive(vv * of_block, inverse(token, uu)),
                -(uv * of_block),
                determinant.if_positive(uu * of_block, inverse(token, vv)),
            ];
        }
        [vv * of_block, -(uv * of_block), uu * of_block]
    }

    /// One over the largest eigenvalue, that of torsion included.
    #[inline(always)]
    fn step(&self, token: R::Token, torsion: Wide<R>) -> Wide<R> {
        let [uu, uv, vv] = self.block;
        let (half, quarter) = (Wide::<R>::splat(token, 0.5), Wide::<R>::splat(token, 0.25));
        let largest = half * (uu + vv) + (quarter * (uu - vv) * (uu - vv) + uv * uv).sqrt();
        inverse(token, largest.max(torsion))
    }
}

/// Gives the bodies the impulses of the last substep of the step before.
#[derive(Clone, Copy, Debug)]
pub struct WarmStart;

impl Pass<Constraint> for WarmStart {
    #[inline(always)]
    fn apply<R: Register, A: Access>(self, token: R::Token, constraint: &mut Constraint, states: &A) {
        let mut ends = Ends::<R>::new(token, constraint, states);
        let mut moments = [[Wide::<R>::splat(token, 0.0); 3]; 2];
        let [friction_s, friction_t] = &constraint.friction;
        let (friction_s, friction_t) = (Wide::<R>::load(token, friction_s), Wide::<R>::load(token, friction_t));
        for k in 0..constraint.count {
            let (normal, friction) = (&constraint.normals[k], &constraint.frictions[k]);
            let [s, t] = &friction.impulse;
            let impulse = [
                Wide::<R>::load(token, s) * friction_s,
                Wide::<R>::load(token, t) * friction_t,
                Wide::<R>::load(token, &normal.impulse),
            ];
            ends.impulses = plus(ends.impulses, impulse);
            let [a, b] = ends.arms(token, normal);
            moments = [plus(moments[0], cross(a, impulse)), plus(moments[1], cross(b, impulse))];
            if constraint.has_torsion {
                let torsion = Wide::<R>::load(token, &constraint.torsion.impulses[k][0]);
                let torsion = torsion * Wide::<R>::load(token, &constraint.torsion.friction);
                moments[0][N] += torsion;
                moments[1][N] += torsion;
            }
        }
        let spins = [ends.inertias[0].of(moments[0]), ends.inertias[1].of(moments[1])];
        ends.turn(&spins, Wide::<R>::splat(token, 1.0));
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
        let (zero, one) = (Wide::<R>::splat(token, 0.0), Wide::<R>::splat(token, 1.0));
        let (rate, fastest) =
            (Wide::<R>::splat(token, self.substep_rate), Wide::<R>::splat(token, -self.parting_speed));
        let [parting, share_of_mass, share_of_impulse] = Wide::<R>::vector(token, &constraint.softness);
        for row in &mut constraint.normals[..constraint.count] {
            let arms = ends.arms(token, row);
            let (gap, speed, spins) =
                (ends.gap(token, row, &arms, &moved), ends.speed(N, &arms), ends.pushed(N, &arms));
            let full = inverse(token, ends.inverse_mass + ends.turning(N, &arms, &spins));
            let over = gap + Wide::<R>::load(token, &row.slack);
            let bias = over.if_positive(zero.max(gap) * rate, share_of_mass * (parting * over).max(fastest));
            let (mass, impulse) = (over.if_positive(one, share_of_mass), over.if_positive(zero, share_of_impulse));
            let before = Wide::<R>::load(token, &row.impulse);
            let next = before - full * (mass * speed + bias) - impulse * before;
            let next = zero.max(next);
            row.impulse = next.store();
            ends.push(N, &spins, next - before);
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
        let (zero, one, rate) =
            (Wide::<R>::splat(token, 0.0), Wide::<R>::splat(token, 1.0), Wide::<R>::splat(token, self.substep_rate));
        for row in &mut constraint.normals[..constraint.count] {
            let arms = ends.arms(token, row);
            let (gap, speed, spins) =
                (ends.gap(token, row, &arms, &moved), ends.speed(N, &arms), ends.pushed(N, &arms));
            let mass = inverse(token, ends.inverse_mass + ends.turning(N, &arms, &spins));
            let before = Wide::<R>::load(token, &row.impulse);
            let next = zero.max(before - mass * (speed + zero.max(gap) * rate));
            row.impulse = next.store();
            ends.push(N, &spins, next - before);
        }
        let [friction_s, friction_t] = &constraint.friction;
        let (friction_s, friction_t) = (Wide::<R>::load(token, friction_s), Wide::<R>::load(token, friction_t));
        let of_torsion = Wide::<R>::load(token, &constraint.torsion.friction);
        let twisted = ends.twisted();
        let of_twist = of_torsion * of_torsion * (twisted[0][N] + twisted[1][N]);
        for k in 0..constraint.count {
            let limit = Wide::<R>::load(token, &constraint.normals[k].impulse);
            let arms = ends.arms(token, &constraint.normals[k]);
            let friction = Friction::new(&ends, &arms, [friction_s, friction_t]);
            let row = &mut constraint.frictions[k];
            let (u, v) = (friction_s * ends.speed(S, &arms), friction_t * ends.speed(T, &arms));
            let (old_u, old_v) = (Wide::<R>::load(token, &row.impulse[0]), Wide::<R>::load(token, &row.impulse[1]));
            let [k_uu, k_uv, k_vv] = friction.inverse_block(token);
            // The impulses that stop the contact, and if they are too large those a step along the velocity leads to.
            let mut next = [old_u - (k_uu * u + k_uv * v), old_v - (k_uv * u + k_vv * v)];
            let mut of_next = square(next);
            let (mut w, mut old_w, mut next_w) = (zero, zero, zero);
            if constraint.has_torsion {
                w = of_torsion * ends.twist();
                old_w = Wide::<R>::load(token, &constraint.torsion.impulses[k][0]);
                next_w = old_w - inverse(token, of_twist) * w;
                of_next += next_w * next_w;
            }
            let over = of_next - limit * limit;
            if over.is_any_positive() {
                let step = friction.step(token, of_twist);
                let (slide, slide_w) = ([old_u - step * u, old_v - step * v], old_w - step * w);
                let length = (square(slide) + slide_w * slide_w).sqrt();
                let scale = (length - limit).if_positive(limit.over(length), one);
                next = [over.if_positive(slide[0] * scale, next[0]), over.if_positive(slide[1] * scale, next[1])];
                next_w = over.if_positive(slide_w * scale, next_w);
            }
            let [next_u, next_v] = next;
            ends.push(S, &friction.spins[0], friction_s * (next_u - old_u));
            ends.push(T, &friction.spins[1], friction_t * (next_v - old_v));
            row.impulse = [next_u.store(), next_v.store()];
            if constraint.has_torsion {
                ends.turn(&twisted, of_torsion * (next_w - old_w));
                let [impulse, total] = &mut constraint.torsion.impulses[k];
                *impulse = next_w.store();
                if self.is_last {
                    *total = (Wide::<R>::load(token, total) + next_w).store();
                }
            }
            if self.is_last {
                let [n, s, t] = Wide::<R>::vector(token, &row.total);
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
        let zero = Wide::<R>::splat(token, 0.0);
        for k in 0..constraint.count {
            let arms = ends.arms(token, &constraint.normals[k]);
            let spins = ends.pushed(N, &arms);
            let mass = inverse(token, ends.inverse_mass + ends.turning(N, &arms, &spins));
            let bounce = Wide::<R>::load(token, &constraint.bounces[k]);
            let total = Wide::<R>::load(token, &constraint.frictions[k].total[0]);
            let change = (-(mass * (ends.speed(N, &arms) - bounce))).max(-total);
            let change = bounce.if_positive(total.if_positive(change, zero), zero);
            constraint.frictions[k].total[0] = (total + change).store();
            ends.push(N, &spins, change);
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
    let (zero, one, rate) =
        (Wide::<R>::splat(token, 0.0), Wide::<R>::splat(token, 1.0), Wide::<R>::splat(token, substep_rate));
    let [friction_s, friction_t] = &constraint.friction;
    let (friction_s, friction_t) = (Wide::<R>::load(token, friction_s), Wide::<R>::load(token, friction_t));
    let of_torsion = Wide::<R>::load(token, &constraint.torsion.friction);
    let twisted = ends.twisted();
    let of_twist = of_torsion * of_torsion * (twisted[0][N] + twisted[1][N]);
    let mut largest = [zero; 2];
    for k in 0..constraint.count {
        let (row, friction) = (&constraint.normals[k], &constraint.frictions[k]);
        let arms = ends.arms(token, row);
        let mass = inverse(token, ends.inverse_mass + ends.turning(N, &arms, &ends.pushed(N, &arms)));
        let n = ends.speed(N, &arms) + zero.max(ends.gap(token, row, &arms, &moved)) * rate;
        let (u, v) = (friction_s * ends.speed(S, &arms), friction_t * ends.speed(T, &arms));
        let limit = Wide::<R>::load(token, &row.impulse);
        let step = Friction::new(&ends, &arms, [friction_s, friction_t]).step(token, of_twist);
        let mut missing = size(limit - zero.max(limit - mass * n));
        let (held_u, held_v) =
            (Wide::<R>::load(token, &friction.impulse[0]), Wide::<R>::load(token, &friction.impulse[1]));
        let (free_u, free_v) = (held_u - step * u, held_v - step * v);
        let (mut held_w, mut free_w) = (zero, zero);
        if constraint.has_torsion {
            held_w = Wide::<R>::load(token, &constraint.torsion.impulses[k][0]);
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
