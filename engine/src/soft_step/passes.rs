//! The passes of a soft step over its constraints: warm starting, the sweep that takes bodies apart, the one that does not, and what comes
//! at the end.
//!
//! A pass works in the frames of the manifolds, into which it takes velocities, and out of which it brings their changes: for each contact few
//! entries are left then.

use super::constraint::{Constraint, FrictionRows, NormalRow};
use super::ends::Ends;
use super::frame::{N, S, T};
use super::lanes::{Lanes, Register, stored};
use super::normals::{self, Aim};
use super::rubbing;
use super::settle::settle;
use super::states::{Access, Pass};

#[inline(always)]
fn size<R: Register>(x: R) -> R {
    x.max(-x)
}

/// Gives the bodies the impulses of the last substep of the step before.
#[derive(Clone, Copy, Debug)]
pub struct WarmStart;

impl Pass<Constraint> for WarmStart {
    #[inline(always)]
    fn apply<R: Register>(self, token: R::Token, constraint: &mut Constraint, states: &mut Access) {
        let mut ends = Ends::<R>::new(token, constraint, states);
        ends.give(token, constraint, R::splat(token, 1.0));
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
    /// See [`settle`], m/s; infinite if no manifold is solved by itself.
    pub hit_speed: f64,
}

impl Pass<Constraint> for Part {
    #[inline(always)]
    fn apply<R: Register>(self, token: R::Token, constraint: &mut Constraint, states: &mut Access) {
        let mut ends = Ends::<R>::new(token, constraint, states);
        let moved = ends.moved();
        let rate = R::splat(token, self.substep_rate);
        let [parting, share_of_mass, share_of_impulse] = R::vector(token, &constraint.softness);
        let fastest = R::splat(token, -self.parting_speed);
        let aim = Parting { rate, fastest, parting, share_of_mass, share_of_impulse };
        let swept = normals::sweep(token, &mut ends, &mut constraint.normals, &moved, (aim, None));
        if self.hit_speed.is_finite() {
            settle(token, &mut ends, constraint, &moved, (aim, self.hit_speed), swept);
        }
        ends.finish(token, constraint, states);
    }
}

/// Depths are springs.
#[derive(Clone, Copy)]
struct Parting<R> {
    rate: R,
    fastest: R,
    parting: R,
    share_of_mass: R,
    share_of_impulse: R,
}

impl<R: Register> Aim<R> for Parting<R> {
    #[inline(always)]
    fn impulse(self, token: R::Token, row: &NormalRow, gap: R, speed: R) -> R {
        let (zero, one) = (R::splat(token, 0.0), R::splat(token, 1.0));
        let over = gap + R::load(token, &row.slack);
        let spring = self.share_of_mass * (self.parting * over).max(self.fastest);
        let bias = over.if_positive(zero.max(gap) * self.rate, spring);
        let mass = over.if_positive(one, self.share_of_mass);
        let share = over.if_positive(zero, self.share_of_impulse);
        let before = R::load(token, &row.impulse);
        before - R::load(token, &row.mass) * (mass * speed + bias) - share * before
    }
}

/// A sweep without them, over normals and friction.
#[derive(Clone, Copy, Debug)]
pub struct Relax {
    /// 1/s.
    pub substep_rate: f64,
    /// See [`settle`], m/s; infinite if no manifold is solved by itself.
    pub hit_speed: f64,
    /// Whether the impulses of this sweep are those of the substep.
    pub is_last: bool,
}

/// Gaps close within a substep.
#[derive(Clone, Copy)]
struct Closing<R> {
    rate: R,
}

impl<R: Register> Aim<R> for Closing<R> {
    #[inline(always)]
    fn impulse(self, token: R::Token, row: &NormalRow, gap: R, speed: R) -> R {
        let wanted = speed + R::splat(token, 0.0).max(gap) * self.rate;
        R::load(token, &row.impulse) - R::load(token, &row.mass) * wanted
    }
}

impl Pass<Constraint> for Relax {
    #[inline(always)]
    fn apply<R: Register>(self, token: R::Token, constraint: &mut Constraint, states: &mut Access) {
        let mut ends = Ends::<R>::new(token, constraint, states);
        let moved = ends.moved();
        let rate = R::splat(token, self.substep_rate);
        let aim = Closing { rate };
        let swept = normals::sweep(token, &mut ends, &mut constraint.normals, &moved, (aim, None));
        if self.hit_speed.is_finite() {
            settle(token, &mut ends, constraint, &moved, (aim, self.hit_speed), swept);
        }
        rubbing::sweep(token, &mut ends, constraint, None);
        if self.is_last {
            for (row, normal) in constraint.frictions.iter_mut().zip(&constraint.normals) {
                let [n, s, t] = R::vector(token, &row.total);
                let [u, v] = &row.impulse;
                let (u, v) = (R::load(token, u), R::load(token, v));
                row.total = stored([n + R::load(token, &normal.impulse), s + u, t + v]);
            }
            if constraint.has_torsion {
                for [impulse, total] in &mut constraint.torsion.impulses {
                    *total = (R::load(token, total) + R::load(token, impulse)).store();
                }
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
    fn apply<R: Register>(self, token: R::Token, constraint: &mut Constraint, states: &mut Access) {
        if !constraint.has_bounce {
            return;
        }
        let mut ends = Ends::<R>::new(token, constraint, states);
        let zero = R::splat(token, 0.0);
        let rows = constraint.normals.iter().zip(&mut constraint.frictions).zip(&constraint.bounces);
        for ((row, FrictionRows { total: [of_step, ..], .. }), bounce) in rows {
            let arms = ends.arms(token, row);
            let mass = R::load(token, &row.mass);
            let bounce = R::load(token, bounce);
            let total = R::load(token, of_step);
            let change = (-(mass * (ends.speed(N, &arms) - bounce))).max(-total);
            let change = bounce.if_positive(total.if_positive(change, zero), zero);
            *of_step = (total + change).store();
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
    fn apply<R: Register>(self, token: R::Token, constraint: &mut Constraint, states: &mut Access) {
        constraint.missing = natural_map::<R>(token, constraint, states, self.substep_rate);
    }
}

#[inline(always)]
fn natural_map<R: Register>(
    token: R::Token,
    constraint: &Constraint,
    states: &Access,
    substep_rate: f64,
) -> [Lanes; 2] {
    let ends = Ends::<R>::new(token, constraint, states);
    let moved = ends.moved();
    let (zero, one, rate) = (R::splat(token, 0.0), R::splat(token, 1.0), R::splat(token, substep_rate));
    let [friction_s, friction_t] = &constraint.friction;
    let (friction_s, friction_t) = (R::load(token, friction_s), R::load(token, friction_t));
    let of_torsion = R::load(token, &constraint.torsion.friction);
    let mut largest = [zero; 2];
    for (k, (row, friction)) in constraint.normals.iter().zip(&constraint.frictions).enumerate() {
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
