//! A sweep over the rows of friction of eight manifolds.

use super::constraint::Constraint;
use super::ends::Ends;
use super::frame::{S, T};
use super::lanes::Register;

#[inline(always)]
fn square<R: Register>(x: [R; 2]) -> R {
    x[0] * x[0] + x[1] * x[1]
}

/// Solves the friction of each contact, one after the other, where manifolds are marked by a number above zero.
#[inline(always)]
pub fn sweep<R: Register>(token: R::Token, ends: &mut Ends<R>, constraint: &mut Constraint, mark: Option<R>) {
    let (zero, one) = (R::splat(token, 0.0), R::splat(token, 1.0));
    let [friction_s, friction_t] = &constraint.friction;
    let (friction_s, friction_t) = (R::load(token, friction_s), R::load(token, friction_t));
    let of_torsion = R::load(token, &constraint.torsion.friction);
    let twisted = ends.masses.twisted();
    for (k, (normal, row)) in constraint.normals.iter().zip(&mut constraint.frictions).enumerate() {
        let limit = R::load(token, &normal.impulse);
        let arms = ends.arms(token, normal);
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
        if let Some(mark) = mark {
            next = [mark.if_positive(next[0], old_u), mark.if_positive(next[1], old_v)];
            next_w = mark.if_positive(next_w, old_w);
        }
        let [next_u, next_v] = next;
        ends.push(S, &ends.masses.pushed(S, &arms), friction_s * (next_u - old_u));
        ends.push(T, &ends.masses.pushed(T, &arms), friction_t * (next_v - old_v));
        row.impulse = [next_u.store(), next_v.store()];
        if constraint.has_torsion {
            ends.turn(&twisted, of_torsion * (next_w - old_w));
            constraint.torsion.impulses[k][0] = next_w.store();
        }
    }
}
