//! Manifolds solved by themselves.
//!
//! One impulse after the other is what bodies at rest need: little changes in a sweep then. A body that lands, or that still has the impulse of a
//! landing, would be given spin by the first contacts, and the others would not take it back. Where a sweep changes the normal impulses of a manifold
//! by more than a share of them, the manifold gives all of its impulses back and is solved by itself: one step along what each contact wants alone, as
//! long as is best for all of them (exact where they want the same, and the same on both sides of the body), then sweeps over its contacts.

use super::constraint::{Constraint, MAX_POINTS};
use super::ends::{Ends, Moved};
use super::frame::N;
use super::lanes::{Lanes, Register};
use super::normals::{self, Aim, Swept};
use super::rubbing;

/// A manifold whose impulses change by more than this share of them in a sweep is solved by itself.
const MUCH: f64 = 0.25;

/// Sweeps over its normals at most.
const SWEEPS: usize = 16;

/// Sweeps over its friction and its normals at most.
const ROUNDS: usize = 8;

/// They end when one changes no more than this share of what the first sweep did.
const LITTLE: f64 = 0.002;

/// The step along what all contacts want is at most so many times that.
const LONGEST: f64 = 4.0;

/// Solves the manifolds by themselves in which a sweep has changed much, and more than an impulse that changes the speed at a contact by
/// `hit_speed` (m/s).
#[inline(always)]
pub fn settle<R: Register>(
    token: R::Token,
    ends: &mut Ends<R>,
    constraint: &mut Constraint,
    moved: &Moved<R>,
    (aim, hit_speed): (impl Aim<R>, f64),
    Swept { change, held }: Swept<R>,
) {
    let zero = R::splat(token, 0.0);
    let least = R::splat(token, hit_speed) * R::load(token, &constraint.normals[0].mass);
    let mark = change - (least + R::splat(token, MUCH) * held);
    if !mark.is_any_positive() {
        return;
    }
    let count = constraint.count;
    ends.give(token, constraint, mark.if_positive(R::splat(token, -1.0), zero));
    let clear = |lanes: &mut Lanes| *lanes = mark.if_positive(zero, R::load(token, lanes)).store();
    for k in 0..count {
        clear(&mut constraint.normals[k].impulse);
        clear(&mut constraint.frictions[k].impulse[0]);
        clear(&mut constraint.frictions[k].impulse[1]);
        if constraint.has_torsion {
            clear(&mut constraint.torsion.impulses[k][0]);
        }
    }
    step_together(token, ends, constraint, moved, aim, mark);
    // Each manifold by itself: how long others beside it take makes no difference.
    let little = R::splat(token, LITTLE) * change;
    let mut left = mark;
    for _ in 0..SWEEPS {
        let swept = normals::sweep(token, ends, &mut constraint.normals[..count], moved, (aim, Some(left)));
        left = (swept.change - little).if_positive(left, zero);
        if !left.is_any_positive() {
            break;
        }
    }
    let mut left = mark;
    for _ in 0..ROUNDS {
        rubbing::sweep(token, ends, constraint, Some(left));
        let swept = normals::sweep(token, ends, &mut constraint.normals[..count], moved, (aim, Some(left)));
        left = (swept.change - little).if_positive(left, zero);
        if !left.is_any_positive() {
            break;
        }
    }
}

/// A step of marked manifolds without impulses along what each of their contacts wants alone.
#[inline(always)]
fn step_together<R: Register>(
    token: R::Token,
    ends: &mut Ends<R>,
    constraint: &mut Constraint,
    moved: &Moved<R>,
    aim: impl Aim<R>,
    mark: R,
) {
    let (zero, count) = (R::splat(token, 0.0), constraint.count);
    let (mut steps, mut wishes) = ([zero; MAX_POINTS], [zero; MAX_POINTS]);
    for (k, row) in constraint.normals[..count].iter().enumerate() {
        let arms = ends.arms(token, row);
        let (gap, speed) = (ends.gap(token, row, &arms, moved), ends.speed(N, &arms));
        wishes[k] = mark.if_positive(aim.impulse(token, row, gap, speed), zero);
        steps[k] = zero.max(wishes[k]);
    }
    for (row, step) in constraint.normals[..count].iter_mut().zip(steps) {
        let arms = ends.arms(token, row);
        row.impulse = (R::load(token, &row.impulse) + step).store();
        ends.push(N, &ends.masses.pushed(N, &arms), step);
    }
    // It should have been so long that what they want then is at right angles to it, masses taken into account.
    let (mut ahead, mut turned) = (zero, zero);
    for (k, row) in constraint.normals[..count].iter().enumerate() {
        let arms = ends.arms(token, row);
        let (gap, speed) = (ends.gap(token, row, &arms, moved), ends.speed(N, &arms));
        let wish = aim.impulse(token, row, gap, speed) - R::load(token, &row.impulse);
        let mass = R::load(token, &row.mass);
        let weighed = mass.if_positive(steps[k].over(mass), zero);
        ahead += weighed * wishes[k];
        turned += weighed * (wishes[k] - wish);
    }
    let length = turned.if_positive(ahead.over(turned), zero);
    let longest = R::splat(token, LONGEST);
    let longer = (length - longest).if_positive(longest, length) - R::splat(token, 1.0);
    for (row, step) in constraint.normals[..count].iter_mut().zip(steps) {
        let arms = ends.arms(token, row);
        row.impulse = (R::load(token, &row.impulse) + longer * step).store();
        ends.push(N, &ends.masses.pushed(N, &arms), longer * step);
    }
}
