//! The passes of a soft step over its constraints: warm starting, the sweep that takes bodies apart, the one that does not, and what comes
//! at the end.
//!
//! All contacts of a manifold have one normal and one pair of tangents, at right angles to each other: the relative velocity of the centres of mass along each is
//! one number, which the impulses along it alone change.

use super::constraint::{Arms, Constraint, NormalRow, Turning};
use super::lanes::{LANES, Lanes, Vector, Wide, add, dot, minus, plus, stored};
use super::quad::Register;
use super::states::{Access, Pass};

/// The bodies of eight manifolds at work.
struct Ends<R> {
    /// The velocities, displacements and turns of A and of B.
    states: [[Wide<R>; 12]; 2],
    /// Their scaled angular velocities.
    spins: [[Wide<R>; 3]; 2],
    /// The velocity of B's centre of mass against that of A, along the normal and the scaled tangents.
    speeds: [Wide<R>; 3],
    /// The impulses along them in all.
    impulses: [Wide<R>; 3],
    turns: [Wide<R>; 2],
    linear: [Wide<R>; 3],
    /// Normal, tangents times friction.
    directions: [[Wide<R>; 3]; 3],
    turnings: [Turning<R>; 2],
    offset: [Wide<R>; 3],
}

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
        let slip = minus(part(&b, 0), part(&a, 0));
        let [s, t] = &constraint.tangents;
        let directions =
            [Wide::<R>::vector(token, &constraint.normal), Wide::<R>::vector(token, s), Wide::<R>::vector(token, t)];
        let [of_a, of_b] = &constraint.roots;
        let zero = Wide::<R>::splat(token, 0.0);
        Self {
            spins: [part(&a, 3), part(&b, 3)],
            speeds: [dot(directions[0], slip), dot(directions[1], slip), dot(directions[2], slip)],
            impulses: [zero, zero, zero],
            turns: [Wide::<R>::load(token, &constraint.turns[0]), Wide::<R>::load(token, &constraint.turns[1])],
            linear: Wide::<R>::vector(token, &constraint.linear),
            directions,
            turnings: [Turning::load(token, of_a), Turning::load(token, of_b)],
            offset: Wide::<R>::vector(token, &constraint.offset),
            states: [a, b],
        }
    }

    /// How far B's centre of mass has moved along the normal against A's.
    #[inline(always)]
    fn moved(&self) -> Wide<R> {
        let [a, b] = &self.states;
        dot(self.directions[0], minus(part(b, 6), part(a, 6)))
    }

    /// The arms of contacts.
    #[inline(always)]
    fn arms(&self, token: R::Token, row: &NormalRow) -> Arms<R> {
        Arms::of(Wide::<R>::vector(token, &row.arm), self.offset)
    }

    /// The angular parts of the row of a direction.
    #[inline(always)]
    fn angular(&self, direction: usize, arms: &Arms<R>) -> [[Wide<R>; 3]; 2] {
        arms.angular(&self.turnings, self.directions[direction])
    }

    /// The gap of a contact, with the angular parts of its normal row, m.
    #[inline(always)]
    fn gap(&self, token: R::Token, row: &NormalRow, angular: &[[Wide<R>; 3]; 2], moved: Wide<R>) -> Wide<R> {
        let [a, b] = &self.states;
        Wide::<R>::load(token, &row.gap) + moved + dot(angular[1], part(b, 9)) - dot(angular[0], part(a, 9))
    }

    /// The relative velocity along a direction, with the angular parts of its row.
    #[inline(always)]
    fn speed(&self, direction: usize, angular: &[[Wide<R>; 3]; 2]) -> Wide<R> {
        self.speeds[direction] + self.turning(angular)
    }

    /// The same of the angular parts alone.
    #[inline(always)]
    fn turning(&self, angular: &[[Wide<R>; 3]; 2]) -> Wide<R> {
        dot(angular[1], self.spins[1]) - dot(angular[0], self.spins[0])
    }

    /// Gives both bodies an impulse along a direction.
    #[inline(always)]
    fn push(&mut self, direction: usize, angular: &[[Wide<R>; 3]; 2], impulse: Wide<R>) {
        self.speeds[direction] += self.linear[direction] * impulse;
        self.impulses[direction] += impulse;
        self.twist(angular, impulse);
    }

    /// The same for torsion, which has no linear part.
    #[inline(always)]
    fn twist(&mut self, angular: &[[Wide<R>; 3]; 2], impulse: Wide<R>) {
        add(&mut self.spins[0], -(self.turns[0] * impulse), angular[0]);
        add(&mut self.spins[1], self.turns[1] * impulse, angular[1]);
    }

    /// A vector with these parts along the directions.
    #[inline(always)]
    fn along(&self, [n, s, t]: [Wide<R>; 3]) -> [Wide<R>; 3] {
        let [mut sum, along_s, along_t] = self.directions;
        sum = [sum[0] * n, sum[1] * n, sum[2] * n];
        add(&mut sum, s, along_s);
        add(&mut sum, t, along_t);
        sum
    }

    /// Writes the velocities back, where bodies yield.
    #[inline(always)]
    fn finish<A: Access>(self, token: R::Token, constraint: &Constraint, states: &A) {
        let impulse = self.along(self.impulses);
        for side in 0..2 {
            let inverse_mass = Wide::<R>::load(token, &constraint.inverse_masses[side]);
            let state = &self.states[side];
            let mut velocity = part(state, 0);
            add(&mut velocity, if side == 0 { -inverse_mass } else { inverse_mass }, impulse);
            let ([x, y, z], [p, q, r]) = (velocity, self.spins[side]);
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

#[inline(always)]
fn angular<R: Register>(token: R::Token, rows: &[Vector; 2]) -> [[Wide<R>; 3]; 2] {
    [Wide::<R>::vector(token, &rows[0]), Wide::<R>::vector(token, &rows[1])]
}

#[inline(always)]
fn square<R: Register>(x: [Wide<R>; 2]) -> Wide<R> {
    x[0] * x[0] + x[1] * x[1]
}

#[inline(always)]
fn size<R: Register>(x: Wide<R>) -> Wide<R> {
    x.max(-x)
}

/// Gives the bodies the impulses of the last substep of the step before.
#[derive(Clone, Copy, Debug)]
pub struct WarmStart;

impl Pass<Constraint> for WarmStart {
    #[inline(always)]
    fn apply<R: Register, A: Access>(self, token: R::Token, constraint: &mut Constraint, states: &A) {
        let mut ends = Ends::<R>::new(token, constraint, states);
        let mut moments = [[Wide::<R>::splat(token, 0.0); 3]; 2];
        for k in 0..constraint.count {
            let (normal, friction) = (&constraint.normals[k], &constraint.frictions[k]);
            let [s, t] = &friction.impulse;
            let impulses =
                [Wide::<R>::load(token, &normal.impulse), Wide::<R>::load(token, s), Wide::<R>::load(token, t)];
            ends.impulses = plus(ends.impulses, impulses);
            let [a, b] = ends.arms(token, normal).moments(ends.along(impulses));
            moments = [plus(moments[0], a), plus(moments[1], b)];
            if constraint.has_torsion {
                let impulse = Wide::<R>::load(token, &constraint.torsion.impulses[k][0]);
                ends.twist(&angular(token, &constraint.torsion.angular), impulse);
            }
        }
        let one = Wide::<R>::splat(token, 1.0);
        ends.twist(&[ends.turnings[0].of(moments[0]), ends.turnings[1].of(moments[1])], one);
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
            let angular = ends.angular(0, &ends.arms(token, row));
            let gap = ends.gap(token, row, &angular, moved);
            let speed = ends.speed(0, &angular);
            let over = gap + Wide::<R>::load(token, &row.slack);
            let bias = over.if_positive(zero.max(gap) * rate, share_of_mass * (parting * over).max(fastest));
            let (mass, impulse) = (over.if_positive(one, share_of_mass), over.if_positive(zero, share_of_impulse));
            let before = Wide::<R>::load(token, &row.impulse);
            let next = before - Wide::<R>::load(token, &row.mass) * (mass * speed + bias) - impulse * before;
            let next = zero.max(next);
            row.impulse = next.store();
            ends.push(0, &angular, next - before);
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
            let angular = ends.angular(0, &ends.arms(token, row));
            let gap = ends.gap(token, row, &angular, moved);
            let speed = ends.speed(0, &angular);
            let before = Wide::<R>::load(token, &row.impulse);
            let next = zero.max(before - Wide::<R>::load(token, &row.mass) * (speed + zero.max(gap) * rate));
            row.impulse = next.store();
            ends.push(0, &angular, next - before);
        }
        let torsion = angular::<R>(token, &constraint.torsion.angular);
        for k in 0..constraint.count {
            let limit = Wide::<R>::load(token, &constraint.normals[k].impulse);
            let arms = ends.arms(token, &constraint.normals[k]);
            let (along_s, along_t) = (ends.angular(1, &arms), ends.angular(2, &arms));
            let row = &mut constraint.frictions[k];
            let (u, v) = (ends.speed(1, &along_s), ends.speed(2, &along_t));
            let (old_u, old_v) = (Wide::<R>::load(token, &row.impulse[0]), Wide::<R>::load(token, &row.impulse[1]));
            let [k_uu, k_uv, k_vv] = Wide::<R>::vector(token, &row.block);
            let step = Wide::<R>::load(token, &row.step);
            // The impulses that stop the contact, and if they are too large those a step along the velocity leads to.
            let stick = [old_u - (k_uu * u + k_uv * v), old_v - (k_uv * u + k_vv * v)];
            let slide = [old_u - step * u, old_v - step * v];
            let (mut of_stick, mut of_slide) = (square(stick), square(slide));
            let mut turn = [zero; 3];
            if constraint.has_torsion {
                let w = ends.turning(&torsion);
                let old = Wide::<R>::load(token, &constraint.torsion.impulses[k][0]);
                turn = [old, old - Wide::<R>::load(token, &constraint.torsion.mass) * w, old - step * w];
                of_stick += turn[1] * turn[1];
                of_slide += turn[2] * turn[2];
            }
            let over = of_stick - limit * limit;
            let mut next = [stick[0], stick[1], turn[1]];
            if over.is_any_positive() {
                let length = of_slide.sqrt();
                let scale = (length - limit).if_positive(limit.over(length), one);
                let slide = [slide[0] * scale, slide[1] * scale, turn[2] * scale];
                next = [
                    over.if_positive(slide[0], next[0]),
                    over.if_positive(slide[1], next[1]),
                    over.if_positive(slide[2], next[2]),
                ];
            }
            let [next_u, next_v, next_w] = next;
            ends.push(1, &along_s, next_u - old_u);
            ends.push(2, &along_t, next_v - old_v);
            row.impulse = [next_u.store(), next_v.store()];
            if constraint.has_torsion {
                ends.twist(&torsion, next_w - turn[0]);
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
            let row = &constraint.normals[k];
            let angular = ends.angular(0, &ends.arms(token, row));
            let bounce = Wide::<R>::load(token, &constraint.bounces[k]);
            let total = Wide::<R>::load(token, &constraint.frictions[k].total[0]);
            let change = (-(Wide::<R>::load(token, &row.mass) * (ends.speed(0, &angular) - bounce))).max(-total);
            let change = bounce.if_positive(total.if_positive(change, zero), zero);
            constraint.frictions[k].total[0] = (total + change).store();
            ends.push(0, &angular, change);
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
    let mut largest = [zero; 2];
    for k in 0..constraint.count {
        let (row, friction) = (&constraint.normals[k], &constraint.frictions[k]);
        let arms = ends.arms(token, row);
        let along_n = ends.angular(0, &arms);
        let n = ends.speed(0, &along_n) + zero.max(ends.gap(token, row, &along_n, moved)) * rate;
        let (u, v) = (ends.speed(1, &ends.angular(1, &arms)), ends.speed(2, &ends.angular(2, &arms)));
        let (limit, mass, step) = (
            Wide::<R>::load(token, &row.impulse),
            Wide::<R>::load(token, &row.mass),
            Wide::<R>::load(token, &friction.step),
        );
        let mut missing = size(limit - zero.max(limit - mass * n));
        let (held_u, held_v) =
            (Wide::<R>::load(token, &friction.impulse[0]), Wide::<R>::load(token, &friction.impulse[1]));
        let (free_u, free_v) = (held_u - step * u, held_v - step * v);
        let (mut held_w, mut free_w) = (zero, zero);
        if constraint.has_torsion {
            held_w = Wide::<R>::load(token, &constraint.torsion.impulses[k][0]);
            free_w = held_w - step * ends.turning(&angular(token, &constraint.torsion.angular));
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
