//! Manifolds solved by themselves.
//!
//! One impulse after the other is what bodies at rest need: little changes in a sweep then. A body that lands, or that still has the impulse of a
//! landing, would be given spin by the first contacts, and the others would not take it back. Where a sweep changes the normal impulses of a manifold
//! by more than a share of them, the manifold gives all of its impulses back and is solved by itself: one step along what each contact wants alone, as
//! long as is best for all of them (exact where they want the same, and the same on both sides of the body), then sweeps over its contacts.

use super::constraint::{Constraint, NormalRow};
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
    ends.give(token, constraint, mark.if_positive(R::splat(token, -1.0), zero));
    let clear = |lanes: &mut Lanes| *lanes = mark.if_positive(zero, R::load(token, lanes)).store();
    for (row, friction) in constraint.normals.iter_mut().zip(&mut constraint.frictions) {
        clear(&mut row.impulse);
        clear(&mut friction.impulse[0]);
        clear(&mut friction.impulse[1]);
    }
    if constraint.has_torsion {
        for [impulse, _] in &mut constraint.torsion.impulses {
            clear(impulse);
        }
    }
    step_together(token, ends, constraint, moved, aim, mark);
    // Each manifold by itself: how long others beside it take makes no difference.
    let little = R::splat(token, LITTLE) * change;
    let mut left = mark;
    for _ in 0..SWEEPS {
        let swept = normals::sweep(token, ends, &mut constraint.normals, moved, (aim, Some(left)));
        left = (swept.change - little).if_positive(left, zero);
        if !left.is_any_positive() {
            break;
        }
    }
    let mut left = mark;
    for _ in 0..ROUNDS {
        rubbing::sweep(token, ends, constraint, Some(left));
        let swept = normals::sweep(token, ends, &mut constraint.normals, moved, (aim, Some(left)));
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
    let zero = R::splat(token, 0.0);
    for row in &mut constraint.normals {
        let arms = ends.arms(token, row);
        let (gap, speed) = (ends.gap(token, row, &arms, moved), ends.speed(N, &arms));
        let step = mark.if_positive(zero.max(aim.impulse(token, row, gap, speed)), zero);
        row.impulse = (R::load(token, &row.impulse) + step).store();
    }
    // What those that are marked have now is the step.
    let step_of = |row: &NormalRow| mark.if_positive(R::load(token, &row.impulse), zero);
    for row in &constraint.normals {
        let arms = ends.arms(token, row);
        ends.push(N, &ends.masses.pushed(N, &arms), step_of(row));
    }
    // It should have been so long that what they want then is at right angles to it, masses taken into account.
    let (mut ahead, mut turned) = (zero, zero);
    for row in &constraint.normals {
        let (arms, step) = (ends.arms(token, row), step_of(row));
        let (gap, speed) = (ends.gap(token, row, &arms, moved), ends.speed(N, &arms));
        let wish = aim.impulse(token, row, gap, speed) - R::load(token, &row.impulse);
        let mass = R::load(token, &row.mass);
        let weighed = mass.if_positive(step.over(mass), zero);
        ahead += weighed * step;
        turned += weighed * (step - wish);
    }
    let length = turned.if_positive(ahead.over(turned), zero);
    let longest = R::splat(token, LONGEST);
    let longer = (length - longest).if_positive(longest, length) - R::splat(token, 1.0);
    for row in &mut constraint.normals {
        let (arms, more) = (ends.arms(token, row), longer * step_of(row));
        row.impulse = (R::load(token, &row.impulse) + more).store();
        ends.push(N, &ends.masses.pushed(N, &arms), more);
    }
}
