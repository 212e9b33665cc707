//! Intervals that hold all values of a quantity, rounded outward: what certified answers are made of.

use std::ops::{Add, Mul, Neg, Sub};

/// All numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The smallest.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

/// Sine and cosine of `libm` are off by less than so many units in the last place.
const TRIGONOMETRY: u32 = 2;

impl Interval {
    /// One number.
    pub fn point(value: f64) -> Self {
        Self { low: value, high: value }
    }

    /// From the smaller to the larger of two numbers.
    pub fn between(a: f64, b: f64) -> Self {
        Self { low: a.min(b), high: a.max(b) }
    }

    /// With both ends moved out by one rounding.
    fn outward(low: f64, high: f64) -> Self {
        Self { low: low.next_down(), high: high.next_up() }
    }

    /// The square.
    pub fn square(self) -> Self {
        let ends = [self.low * self.low, self.high * self.high];
        let low = if self.low <= 0.0 && self.high >= 0.0 { 0.0 } else { ends[0].min(ends[1]).next_down().max(0.0) };
        Self { low, high: ends[0].max(ends[1]).next_up() }
    }

    /// The numbers that are in both; `self` if there are none, which rounding alone can bring about.
    pub fn intersection(self, other: Self) -> Self {
        let both = Self { low: self.low.max(other.low), high: self.high.min(other.high) };
        if both.low <= both.high { both } else { self }
    }

    /// All sines and all cosines.
    pub fn sine_and_cosine(self) -> [Self; 2] {
        let all = Self { low: -1.0, high: 1.0 };
        if self.high - self.low >= 6.0 || self.low.abs().max(self.high.abs()) > 1e9 {
            return [all; 2];
        }
        let ends = [self.low, self.high].map(libm::sincos);
        let widened = |a: f64, b: f64| {
            let (mut low, mut high) = (a.min(b), a.max(b));
            for _ in 0..TRIGONOMETRY {
                (low, high) = (low.next_down(), high.next_up());
            }
            Self { low: low.max(-1.0), high: high.min(1.0) }
        };
        // Whether quarter turns of these numbers, modulo four, may lie in between.
        let quarter = std::f64::consts::FRAC_PI_2;
        let (first, last) = ((self.low / quarter - 1e-6).ceil() as i64, (self.high / quarter + 1e-6).floor() as i64);
        let has = |turn: i64| (first..=last).any(|k| k.rem_euclid(4) == turn);
        let range = |a: f64, b: f64, top: i64| {
            let mut range = widened(a, b);
            if has(top) {
                range.high = 1.0;
            }
            if has((top + 2) % 4) {
                range.low = -1.0;
            }
            range
        };
        [range(ends[0].0, ends[1].0, 1), range(ends[0].1, ends[1].1, 0)]
    }
}

impl Add for Interval {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::outward(self.low + other.low, self.high + other.high)
    }
}

impl Sub for Interval {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::outward(self.low - other.high, self.high - other.low)
    }
}

impl Neg for Interval {
    type Output = Self;
    fn neg(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }
}

impl Mul for Interval {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let products = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        let (low, high) =
            products.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)));
        Self::outward(low, high)
    }
}

/// A quantity that changes with time: its values over an interval of time, and those of its derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// The values.
    pub value: Interval,
    /// Those of the derivative, per second.
    pub rate: Interval,
}

impl Rate {
    /// A constant.
    pub fn constant(value: f64) -> Self {
        Self { value: Interval::point(value), rate: Interval::point(0.0) }
    }

    /// The time itself.
    pub fn time(times: Interval) -> Self {
        Self { value: times, rate: Interval::point(1.0) }
    }

    /// The square.
    pub fn square(self) -> Self {
        Self { value: self.value.square(), rate: Interval::point(2.0) * self.value * self.rate }
    }

    /// Sine and cosine of an angle.
    pub fn sine_and_cosine(self) -> [Self; 2] {
        let [sine, cosine] = self.value.sine_and_cosine();
        [Self { value: sine, rate: cosine * self.rate }, Self { value: cosine, rate: -(sine * self.rate) }]
    }
}

impl Add for Rate {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, rate: self.rate + other.rate }
    }
}

impl Sub for Rate {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, rate: self.rate - other.rate }
    }
}

impl Mul for Rate {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self { value: self.value * other.value, rate: self.rate * other.value + self.value * other.rate }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_value_is_inside(a in -9.0..9.0f64, width in 0.0..7.0f64, share in 0.0..=1.0f64, b in -3.0..3.0f64) {
            let (x, y) = (Interval { low: a, high: a + width }, Interval { low: b, high: b + 0.5 });
            let (at, other) = (a + share * width, b + 0.5 * share);
            let holds = |range: Interval, value: f64| range.low <= value && value <= range.high;
            let [sine, cosine] = x.sine_and_cosine();
            prop_assert!(holds(sine, at.sin()) && holds(cosine, at.cos()), "{at} {sine:?} {cosine:?}");
            prop_assert!(holds(x * y, at * other) && holds(x - y, at - other) && holds(x.square(), at * at));
            // The derivative by a difference.
            let f = |t: f64| t.sin() * t * t - t;
            let t = Rate::time(x);
            let g = t.sine_and_cosine()[0] * t.square() - t;
            let difference = (f(at + 1e-6) - f(at - 1e-6)) / 2e-6;
            prop_assert!(holds(g.value, f(at)));
            prop_assert!(difference > g.rate.low - 1e-6 && difference < g.rate.high + 1e-6);
        }
    }
}
