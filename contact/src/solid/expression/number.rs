//! What expressions are computed in: numbers, intervals, and either of them with derivatives.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::solid::Interval;

/// Something that has the operations of expressions.
pub trait Number:
    Copy + Debug + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A constant.
    fn constant(value: f64) -> Self;
    /// The square.
    fn sqr(self) -> Self;
    /// A whole power.
    fn powi(self, exponent: i32) -> Self;
    /// The root.
    fn sqrt(self) -> Self;
    /// The magnitude.
    fn abs(self) -> Self;
    /// The lower of two.
    fn min(self, other: Self) -> Self;
    /// The higher of two.
    fn max(self, other: Self) -> Self;
    /// The sine.
    fn sin(self) -> Self;
    /// The cosine.
    fn cos(self) -> Self;
    /// The exponential.
    fn exp(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
}

/// Numbers that say which of two is lower, so that derivatives can be taken where functions have a kink.
pub trait Ordered: Number {
    /// Whether it is not above another; `None` where that differs over the numbers it stands for.
    fn is_below(self, other: Self) -> Option<bool>;
    /// Something around both.
    fn around(self, other: Self) -> Self;
}

impl Number for f64 {
    fn constant(value: f64) -> Self {
        value
    }

    fn sqr(self) -> Self {
        self * self
    }

    /// By repeated squaring, so that the bits are the same on every machine.
    fn powi(self, exponent: i32) -> Self {
        let (mut rest, mut square, mut power) = (exponent.unsigned_abs(), self, 1.0);
        while rest > 0 {
            if rest % 2 == 1 {
                power *= square;
            }
            square *= square;
            rest /= 2;
        }
        if exponent < 0 { 1.0 / power } else { power }
    }

    fn sqrt(self) -> Self {
        libm::sqrt(self)
    }

    fn abs(self) -> Self {
        f64::abs(self)
    }

    /// NaN where one is: what is not defined stays so.
    fn min(self, other: Self) -> Self {
        if self.is_nan() || other.is_nan() { f64::NAN } else { f64::min(self, other) }
    }

    fn max(self, other: Self) -> Self {
        if self.is_nan() || other.is_nan() { f64::NAN } else { f64::max(self, other) }
    }

    fn sin(self) -> Self {
        libm::sin(self)
    }

    fn cos(self) -> Self {
        libm::cos(self)
    }

    fn exp(self) -> Self {
        libm::exp(self)
    }

    fn ln(self) -> Self {
        libm::log(self)
    }
}

impl Ordered for f64 {
    fn is_below(self, other: Self) -> Option<bool> {
        Some(self <= other)
    }

    fn around(self, _: Self) -> Self {
        self
    }
}

impl Number for Interval {
    fn constant(value: f64) -> Self {
        Self::point(value)
    }

    fn sqr(self) -> Self {
        Interval::sqr(self)
    }

    fn powi(self, exponent: i32) -> Self {
        Interval::powi(self, exponent)
    }

    fn sqrt(self) -> Self {
        Interval::sqrt(self)
    }

    fn abs(self) -> Self {
        Interval::abs(self)
    }

    fn min(self, other: Self) -> Self {
        Interval::min(self, other)
    }

    fn max(self, other: Self) -> Self {
        Interval::max(self, other)
    }

    fn sin(self) -> Self {
        Interval::sin(self)
    }

    fn cos(self) -> Self {
        Interval::cos(self)
    }

    fn exp(self) -> Self {
        Interval::exp(self)
    }

    fn ln(self) -> Self {
        Interval::ln(self)
    }
}

impl Ordered for Interval {
    fn is_below(self, other: Self) -> Option<bool> {
        if self.high() < other.low() {
            Some(true)
        } else if other.high() < self.low() {
            Some(false)
        } else {
            None
        }
    }

    fn around(self, other: Self) -> Self {
        self.hull(other)
    }
}
