//! Numbers that count what is done with them, as the report counts: additions, subtractions, comparisons,
//! multiplications, divisions and square roots are one operation each; changes of sign are none.

use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use drystone_contact::vclip::scalar::Scalar;

thread_local! {
    /// Operations on this thread so far. No result depends on it.
    static OPERATIONS: Cell<u64> = const { Cell::new(0) };
}

/// What some work returns, and how many operations on [`Counted`] numbers it took.
pub fn operations<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let before = OPERATIONS.get();
    let result = work();
    (result, OPERATIONS.get() - before)
}

fn count<R>(result: R) -> R {
    OPERATIONS.set(OPERATIONS.get() + 1);
    result
}

/// A number whose operations are counted; it says whether the search keeps moved points, see
/// [`Scalar::KEEPS_POINTS`].
#[derive(Clone, Copy, Debug)]
pub struct Counted<const KEEPS: bool>(f64);

impl<const KEEPS: bool> Scalar for Counted<KEEPS> {
    const ZERO: Self = Self(0.0);
    const ONE: Self = Self(1.0);
    const KEEPS_POINTS: bool = KEEPS;

    fn of(x: f64) -> Self {
        Self(x)
    }

    fn value(self) -> f64 {
        self.0
    }

    fn sqrt(self) -> Self {
        count(Self(self.0.sqrt()))
    }
}

impl<const KEEPS: bool> Add for Counted<KEEPS> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        count(Self(self.0 + other.0))
    }
}

impl<const KEEPS: bool> Sub for Counted<KEEPS> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        count(Self(self.0 - other.0))
    }
}

impl<const KEEPS: bool> Mul for Counted<KEEPS> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        count(Self(self.0 * other.0))
    }
}

impl<const KEEPS: bool> Div for Counted<KEEPS> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        count(Self(self.0 / other.0))
    }
}

impl<const KEEPS: bool> Neg for Counted<KEEPS> {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<const KEEPS: bool> PartialEq for Counted<KEEPS> {
    fn eq(&self, other: &Self) -> bool {
        count(self.0 == other.0)
    }
}

// The four comparisons are made from this one.
impl<const KEEPS: bool> PartialOrd for Counted<KEEPS> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        count(self.0.partial_cmp(&other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_counts_once_and_signs_do_not() {
        let (x, y) = (Counted::<true>(3.0), Counted(4.0));
        let all =
            || [(x + y).value(), (x - y).value(), (x * y).value(), (x / y).value(), y.sqrt().value(), (-x).value()];
        assert_eq!(operations(all), ([7.0, -1.0, 12.0, 0.75, 2.0, -3.0], 5));
        assert_eq!(operations(|| [x < y, x > y, x <= y, x >= y, x == y]), ([true, false, true, false, false], 5));
        let (_, none) = operations(|| Counted::<true>::of(2.0).value());
        assert_eq!(none, 0);
    }

    #[test]
    fn counts_may_be_nested() {
        let work = || Counted::<true>::ONE + Counted::ONE;
        let ((_, inner), outer) = operations(|| {
            work();
            operations(work)
        });
        assert_eq!((inner, outer), (1, 2));
    }
}
