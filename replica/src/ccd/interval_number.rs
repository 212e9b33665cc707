//! Interval arithmetic whose bounds are rounded outward, in the one rounding mode that Rust has.
//!
//! Every operation computes its bounds to nearest and moves them one number outward, except where the result is known to
//! be exact: a sum with a zero, a sum that is zero, a product with a zero. Coordinates that pass `Query::check` are small
//! enough for nothing here to overflow.

use std::ops::{Add, Mul, Neg, Sub};

/// All numbers from `lo` to `hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    /// The least.
    pub lo: f64,
    /// The greatest.
    pub hi: f64,
}

/// x, y and z.
pub(super) type IntervalVector = [Interval; 3];

impl Interval {
    /// One number.
    pub fn point(value: f64) -> Self {
        Self { lo: value, hi: value }
    }

    /// Whether some number of it is at most `distance` from zero. Bounds that are not numbers count as all numbers.
    pub fn is_within(self, distance: f64) -> bool {
        !(self.lo > distance || self.hi < -distance)
    }

    /// hi − lo, or a little more.
    pub fn width(self) -> f64 {
        sum(self.hi, -self.lo, f64::next_up)
    }

    /// The two halves; `None` if no number lies between the bounds.
    pub fn halves(self) -> Option<[Self; 2]> {
        let middle = 0.5 * self.lo + 0.5 * self.hi;
        (self.lo < middle && middle < self.hi)
            .then_some([Self { lo: self.lo, hi: middle }, Self { lo: middle, hi: self.hi }])
    }
}

/// a + b, moved by `outward` unless it is exact.
fn sum(a: f64, b: f64, outward: fn(f64) -> f64) -> f64 {
    let rounded = a + b;
    if a == 0.0 || b == 0.0 || rounded == 0.0 { rounded } else { outward(rounded) }
}

/// a b, moved by `outward` unless it is exact.
fn product(a: f64, b: f64, outward: fn(f64) -> f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { outward(a * b) }
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { lo: sum(self.lo, other.lo, f64::next_down), hi: sum(self.hi, other.hi, f64::next_up) }
    }
}

impl Neg for Interval {
    type Output = Self;

    fn neg(self) -> Self {
        Self { lo: -self.hi, hi: -self.lo }
    }
}

impl Sub for Interval {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Interval {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let all = |outward| {
            [(self.lo, other.lo), (self.lo, other.hi), (self.hi, other.lo), (self.hi, other.hi)]
                .map(|(a, b)| product(a, b, outward))
        };
        let (low, high) = (all(f64::next_down), all(f64::next_up));
        Self {
            lo: low.into_iter().fold(f64::INFINITY, f64::min),
            hi: high.into_iter().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

/// a − b, of vectors.
pub(super) fn difference(a: IntervalVector, b: IntervalVector) -> IntervalVector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a + s b, of vectors and a number.
pub(super) fn along(a: IntervalVector, s: Interval, b: IntervalVector) -> IntervalVector {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// a · b.
pub(super) fn dot(a: IntervalVector, b: IntervalVector) -> Interval {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
pub(super) fn cross(a: IntervalVector, b: IntervalVector) -> IntervalVector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_ratio::RBig;
    use proptest::prelude::*;

    fn exact(value: f64) -> RBig {
        RBig::try_from(value).expect("finite")
    }

    /// A number of any magnitude within 1e±100, zeros and small integers among them.
    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            Just(0.0),
            (-8..8).prop_map(f64::from),
            -10.0..10.0,
            (-1.0..1.0, -300..300).prop_map(|(x, e)| x * libm::exp2(f64::from(e))),
        ]
    }

    /// An interval and a number in it.
    fn interval() -> impl Strategy<Value = (Interval, f64)> {
        (number(), number(), number()).prop_map(|(a, b, c)| {
            let mut all = [a, b, c];
            all.sort_unstable_by(f64::total_cmp);
            (Interval { lo: all[0], hi: all[2] }, all[1])
        })
    }

    fn holds(interval: Interval, value: &RBig) -> bool {
        exact(interval.lo) <= *value && *value <= exact(interval.hi)
    }

    proptest! {
        #[test]
        fn results_hold_what_exact_arithmetic_gives((x, a) in interval(), (y, b) in interval()) {
            let (ra, rb) = (exact(a), exact(b));
            prop_assert!(holds(x + y, &(&ra + &rb)));
            prop_assert!(holds(x - y, &(&ra - &rb)));
            prop_assert!(holds(x * y, &(&ra * &rb)));
            prop_assert!(exact(x.width()) >= exact(x.hi) - exact(x.lo));
        }

        #[test]
        fn halves_share_their_middle((x, a) in interval()) {
            match x.halves() {
                Some([left, right]) => {
                    prop_assert_eq!((left.lo, left.hi, right.hi), (x.lo, right.lo, x.hi));
                    prop_assert!(holds(left, &exact(a)) || holds(right, &exact(a)));
                }
                None => prop_assert!(x.hi <= x.lo.next_up()),
            }
        }
    }

    #[test]
    fn exact_results_are_not_widened() {
        let (zero, one) = (Interval::point(0.0), Interval::point(1.0));
        assert_eq!(one + zero, one);
        assert_eq!(one - one, zero);
        assert_eq!(one * zero, zero);
        assert_ne!(Interval::point(0.1) + Interval::point(0.2), Interval::point(0.1 + 0.2));
    }

    #[test]
    fn bounds_that_are_not_numbers_may_be_anything() {
        assert!(Interval { lo: f64::NAN, hi: f64::NAN }.is_within(0.0));
    }
}
