//! A sweep over the normal rows of eight manifolds.

use super::constraint::NormalRow;
use super::ends::{Ends, Moved};
use super::frame::N;
use super::lanes::Register;

/// What a sweep wants.
pub trait Aim<R: Register>: Copy {
    /// The impulse of a contact with this gap (m) and this normal velocity (m/s), N s; one that is not above zero is none.
    fn impulse(self, token: R::Token, row: &NormalRow, gap: R, speed: R) -> R;
}

/// What a sweep over manifolds has done to their impulses, N s.
#[derive(Clone, Copy)]
pub struct Swept<R> {
    /// The sum of the changes.
    pub change: R,
    /// The sum of the impulses before.
    pub held: R,
}

/// Gives both bodies the impulse that each row wants, one row after the other, where manifolds are marked by a number above zero.
#[inline(always)]
pub fn sweep<R: Register>(
    token: R::Token,
    ends: &mut Ends<R>,
    rows: &mut [NormalRow],
    moved: &Moved<R>,
    (aim, mark): (impl Aim<R>, Option<R>),
) -> Swept<R> {
    let zero = R::splat(token, 0.0);
    let mut swept = Swept { change: zero, held: zero };
    for row in rows {
        let arms = ends.arms(token, row);
        let (gap, speed) = (ends.gap(token, row, &arms, moved), ends.speed(N, &arms));
        let before = R::load(token, &row.impulse);
        let mut next = zero.max(aim.impulse(token, row, gap, speed));
        if let Some(mark) = mark {
            next = mark.if_positive(next, before);
        }
        row.impulse = next.store();
        ends.push(N, &ends.masses.pushed(N, &arms), next - before);
        swept.change += (next - before).max(before - next);
        swept.held += before;
    }
    swept
}
