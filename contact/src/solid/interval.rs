//! Interval arithmetic, rounded outwards: what an operation gives holds every value that the operation takes on the
//! numbers of its operands, in exact arithmetic.
//!
//! After each operation both ends move to the next number outwards, which covers the rounding to nearest of the
//! operations of IEEE 754. Sine, cosine, exponential and logarithm are those of `libm`, which are off by less than one
//! unit in the last place; their ends move by [`LIBM_ULPS`] units. Where an operation is not defined on all of an
//! operand (a divisor that holds zero, the root of a number below zero) the result is [`Interval::WHOLE`]: nothing is
//! known.
//!
//! Source: Moore, Kearfott and Cloud, Introduction to Interval Analysis, SIAM 2009, chapters 2 to 5.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Functions of `libm` are taken to be off by no more units in the last place.
pub const LIBM_ULPS: u32 = 2;

/// Arguments beyond this have no digits left that tell where in a period of sine they are.
const LARGEST_ANGLE: f64 = 1e9;

/// All numbers between two, which belong to it. An end may be infinite; none is NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    low: f64,
    high: f64,
}

impl Interval {
    /// All numbers: nothing is known.
    pub const WHOLE: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Zero alone.
    pub const ZERO: Self = Self { low: 0.0, high: 0.0 };

    /// The numbers between two, whichever is the lower; all of them if one of the two is NaN.
    pub fn new(a: f64, b: f64) -> Self {
        if a.is_nan() || b.is_nan() { Self::WHOLE } else { Self { low: a.min(b), high: a.max(b) } }
    }

    /// One number; all of them if it is NaN.
    pub fn point(x: f64) -> Self {
        Self::new(x, x)
    }

    /// The lower end.
    pub fn low(self) -> f64 {
        self.low
    }

    /// The upper end.
    pub fn high(self) -> f64 {
        self.high
    }

    /// Whether a number belongs to it.
    pub fn holds(self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    /// Whether both ends are finite.
    pub fn is_finite(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// The largest magnitude in it.
    pub fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// The smallest magnitude in it.
    pub fn mignitude(self) -> f64 {
        if self.holds(0.0) { 0.0 } else { self.low.abs().min(self.high.abs()) }
    }

    /// What belongs to both; `None` if nothing does.
    pub fn intersection(self, other: Self) -> Option<Self> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Self { low, high })
    }

    /// The smallest interval around both.
    pub fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The square: never below zero.
    pub fn sqr(self) -> Self {
        let (small, large) = (self.mignitude(), self.magnitude());
        Self::outward(small * small, large * large).at_least(0.0)
    }

    /// A whole power; of a negative exponent the inverse of the power.
    pub fn powi(self, exponent: i32) -> Self {
        if exponent < 0 {
            return Self::point(1.0) / self.positive_power(exponent.unsigned_abs());
        }
        self.positive_power(exponent.unsigned_abs())
    }

    /// The root; all numbers if some of the interval is below zero.
    pub fn sqrt(self) -> Self {
        if self.low < 0.0 { Self::WHOLE } else { Self::outward(self.low.sqrt(), self.high.sqrt()).at_least(0.0) }
    }

    /// The magnitude.
    pub fn abs(self) -> Self {
        Self { low: self.mignitude(), high: self.magnitude() }
    }

    /// The lower of two.
    pub fn min(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.min(other.high) }
    }

    /// The higher of two.
    pub fn max(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.max(other.high) }
    }

    /// The sine.
    pub fn sin(self) -> Self {
        self.wave(libm::sin, FRAC_PI_2)
    }

    /// The cosine.
    pub fn cos(self) -> Self {
        self.wave(libm::cos, 0.0)
    }

    /// The exponential.
    pub fn exp(self) -> Self {
        Self::of_libm(libm::exp(self.low), libm::exp(self.high)).at_least(0.0)
    }

    /// The natural logarithm; all numbers unless the interval is above zero.
    pub fn ln(self) -> Self {
        if self.low > 0.0 { Self::of_libm(libm::log(self.low), libm::log(self.high)) } else { Self::WHOLE }
    }

    /// A function of period 2π between −1 and 1 that is highest at `top` and lowest half a period on.
    fn wave(self, function: fn(f64) -> f64, top: f64) -> Self {
        if !self.is_finite() {
            return Self::WHOLE;
        }
        let full = Self { low: -1.0, high: 1.0 };
        if self.magnitude() > LARGEST_ANGLE || self.high - self.low >= TAU {
            return full;
        }
        // Whether a whole number lies between the ends counted in periods; when in doubt, it does.
        let meets = |at: f64| {
            let (first, last) = ((self.low - at) / TAU, (self.high - at) / TAU);
            let doubt = 8.0 * f64::EPSILON * (first.abs().max(last.abs()) + 1.0);
            (first - doubt).ceil() <= (last + doubt).floor()
        };
        let (a, b) = (function(self.low), function(self.high));
        let found = Self::of_libm(a.min(b), a.max(b));
        Self {
            low: if meets(top - 0.5 * TAU) { -1.0 } else { found.low.max(-1.0) },
            high: if meets(top) { 1.0 } else { found.high.min(1.0) },
        }
    }

    fn positive_power(self, exponent: u32) -> Self {
        match exponent {
            0 => Self::point(1.0),
            1 => self,
            2 => self.sqr(),
            _ if exponent.is_multiple_of(2) => {
                let sides = self.abs();
                Self { low: power_of(sides.low, exponent).low, high: power_of(sides.high, exponent).high }
            }
            _ => Self { low: power_of(self.low, exponent).low, high: power_of(self.high, exponent).high },
        }
    }

    /// Ends that were rounded to nearest, moved outwards.
    fn outward(low: f64, high: f64) -> Self {
        if low.is_nan() || high.is_nan() {
            return Self::WHOLE;
        }
        Self { low: low.next_down(), high: high.next_up() }
    }

    /// Ends that come from `libm`, moved outwards.
    fn of_libm(low: f64, high: f64) -> Self {
        (1..LIBM_ULPS).fold(Self::outward(low, high), |found, _| Self::outward(found.low, found.high))
    }

    /// The same, with nothing below a bound that holds anyhow.
    fn at_least(self, bound: f64) -> Self {
        Self { low: self.low.max(bound), high: self.high.max(bound) }
    }

    /// Ends of products or quotients, moved outwards; not beyond zero where the signs of the operands forbid it.
    fn signed(ends: [f64; 4], same: bool, opposite: bool) -> Self {
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if ends.iter().any(|end| end.is_nan()) {
            return Self::WHOLE;
        }
        let found = Self::outward(low, high);
        Self {
            low: if same { found.low.max(0.0) } else { found.low },
            high: if opposite { found.high.min(0.0) } else { found.high },
        }
    }
}

/// A power of one number.
fn power_of(x: f64, exponent: u32) -> Interval {
    (1..exponent).fold(Interval::point(x), |power, _| power * Interval::point(x))
}

impl Neg for Interval {
    type Output = Self;

    fn neg(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        // A sum that is zero is exact.
        let (low, high) = (self.low + other.low, self.high + other.high);
        if low.is_nan() || high.is_nan() {
            return Self::WHOLE;
        }
        Self {
            low: if low == 0.0 { low } else { low.next_down() },
            high: if high == 0.0 { high } else { high.next_up() },
        }
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
        let (a, b) = (self, other);
        if a == Self::ZERO || b == Self::ZERO {
            return Self::ZERO;
        }
        // Zero times infinity is zero: an end that is infinite stands for numbers without an end.
        let product = |x: f64, y: f64| if x == 0.0 || y == 0.0 { 0.0 } else { x * y };
        let ends = [product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)];
        let same = (a.low >= 0.0 && b.low >= 0.0) || (a.high <= 0.0 && b.high <= 0.0);
        let opposite = (a.low >= 0.0 && b.high <= 0.0) || (a.high <= 0.0 && b.low >= 0.0);
        Self::signed(ends, same, opposite)
    }
}

impl Div for Interval {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let (a, b) = (self, other);
        // A divisor without an end may come from something that is not defined.
        if b.holds(0.0) || !b.is_finite() {
            return Self::WHOLE;
        }
        let ends = [a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high];
        let same = (a.low >= 0.0 && b.low > 0.0) || (a.high <= 0.0 && b.high < 0.0);
        let opposite = (a.low >= 0.0 && b.high < 0.0) || (a.high <= 0.0 && b.low > 0.0);
        Self::signed(ends, same, opposite)
    }
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;
    use crate::split_mix::SplitMix;

    fn exact(x: f64) -> RBig {
        RBig::try_from(x).unwrap()
    }

    fn holds(interval: Interval, x: &RBig) -> bool {
        let above = interval.low == f64::NEG_INFINITY || exact(interval.low) <= *x;
        let below = interval.high == f64::INFINITY || *x <= exact(interval.high);
        above && below
    }

    /// An interval of any width about any place, with some ends that are whole or zero.
    fn random_interval(random: &mut SplitMix) -> Interval {
        let scale = 10f64.powi(random.next_below(13) as i32 - 6);
        let centre = random.next_between(-1.0, 1.0) * scale;
        let width = scale * 10f64.powi(-(random.next_below(16) as i32)) * random.next_fraction();
        match random.next_below(5) {
            0 => Interval::new(0.0, centre),
            1 => Interval::point(centre),
            _ => Interval::new(centre, centre + width),
        }
    }

    fn within(random: &mut SplitMix, interval: Interval) -> f64 {
        match random.next_below(4) {
            0 => interval.low,
            1 => interval.high,
            _ => (interval.low + random.next_fraction() * (interval.high - interval.low))
                .clamp(interval.low, interval.high),
        }
    }

    #[test]
    fn the_four_operations_and_powers_hold_the_exact_results() {
        let mut random = SplitMix::new(1);
        for _ in 0..2000 {
            let (a, b) = (random_interval(&mut random), random_interval(&mut random));
            for _ in 0..4 {
                let (x, y) = (within(&mut random, a), within(&mut random, b));
                let (p, q) = (exact(x), exact(y));
                assert!(holds(a + b, &(p.clone() + q.clone())), "{a:?} + {b:?}");
                assert!(holds(a - b, &(p.clone() - q.clone())), "{a:?} - {b:?}");
                assert!(holds(a * b, &(p.clone() * q.clone())), "{a:?} * {b:?}");
                assert!(holds(a.sqr(), &(p.clone() * p.clone())), "{a:?}²");
                let mut power = exact(1.0);
                for exponent in 0..7 {
                    assert!(holds(a.powi(exponent), &power), "{a:?}^{exponent}: {:?}", a.powi(exponent));
                    if x != 0.0 && !a.holds(0.0) {
                        assert!(holds(a.powi(-exponent), &(exact(1.0) / power.clone())), "{a:?}^-{exponent}");
                    }
                    power *= p.clone();
                }
                if y != 0.0 {
                    assert!(holds(a / b, &(p.clone() / q.clone())), "{a:?} / {b:?}");
                }
                let (least, most) = (a.min(b), a.max(b));
                assert!(least.holds(x.min(y)) && most.holds(x.max(y)) && a.abs().holds(x.abs()));
                if a.low >= 0.0 {
                    let root = a.sqrt();
                    assert!(exact(root.low) * exact(root.low) <= p && p <= exact(root.high) * exact(root.high));
                }
            }
        }
    }

    #[test]
    fn results_are_no_wider_than_rounding() {
        let (a, b) = (Interval::point(0.1), Interval::point(0.3));
        for result in [a + b, a - b, a * b, a / b, a.sqr(), a.sqrt(), a.sin(), a.cos(), a.exp(), a.ln(), a.powi(5)] {
            let width = result.high - result.low;
            assert!(width > 0.0 && width < 10.0 * f64::EPSILON * result.magnitude(), "{result:?}");
        }
        assert_eq!(
            Interval::new(-2.0, 1.0).powi(3),
            Interval::new(-8.0_f64.next_up(), 1.0).hull((Interval::new(-2.0, 1.0)).powi(3))
        );
        assert!(Interval::new(-2.0, 1.0).powi(4).low == 0.0 && Interval::new(-2.0, 1.0).sqr().low == 0.0);
        // The root of a sum of squares is defined at zero.
        let about = Interval::new(-1.0, 1.0);
        assert!((about.sqr() + about.sqr()).sqrt().is_finite());
    }

    #[test]
    fn waves_hold_their_values_and_extremes() {
        let mut random = SplitMix::new(2);
        for case in 0..4000 {
            let low = random.next_between(-50.0, 50.0);
            let width = if case % 2 == 0 { random.next_between(0.0, 8.0) } else { random.next_between(0.0, 1e-3) };
            let a = Interval::new(low, low + width);
            let (sine, cosine) = (a.sin(), a.cos());
            for k in 0..=60 {
                let x = (low + width * f64::from(k) / 60.0).clamp(a.low, a.high);
                // Another implementation than libm.
                assert!(sine.holds(x.sin()) && cosine.holds(x.cos()), "{a:?} at {x}");
            }
            if width < 1e-3 {
                assert!(sine.high - sine.low <= 1.001e-3, "{a:?}: {sine:?}");
            }
            let e = Interval::new(0.1 * low, 0.1 * low + 0.1 * width);
            let x = within(&mut random, e);
            assert!(e.exp().holds(x.exp()) && e.abs().ln().holds(x.abs().ln()), "{e:?} {x}");
        }
        assert_eq!((Interval::new(1.5, 1.6).sin().high, Interval::new(3.1, 3.2).cos().low), (1.0, -1.0));
    }

    #[test]
    fn what_is_not_defined_is_not_known() {
        let about = Interval::new(-1.0, 2.0);
        for result in
            [Interval::point(1.0) / about, about.sqrt(), about.ln(), Interval::point(f64::NAN), about.powi(-2)]
        {
            assert_eq!(result, Interval::WHOLE);
        }
        assert_eq!(Interval::new(0.0, 0.0) * Interval::WHOLE, Interval::ZERO);
        assert_eq!(Interval::WHOLE - Interval::WHOLE, Interval::WHOLE);
        assert_eq!(about.intersection(Interval::point(3.0)), None);
        assert!(Interval::point(f64::MAX) + Interval::point(f64::MAX) != Interval::point(f64::INFINITY));
    }
}
