//! Values with their derivatives along x, y and z: automatic differentiation, forward.
//!
//! Where a function has a kink (the magnitude at zero, the lower and higher of two that are equal) the derivatives of
//! intervals hold those on both sides, which is what a bound by the mean value theorem needs (Clarke, Optimization and
//! Nonsmooth Analysis, 1983, theorem 2.3.7); of numbers one side is taken.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::number::{Number, Ordered};

/// A value and its derivatives along x, y and z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<T> {
    /// The value.
    pub value: T,
    /// The derivatives, per m.
    pub gradient: [T; 3],
}

impl<T: Number> Dual<T> {
    /// The coordinate along an axis.
    pub fn coordinate(value: T, axis: usize) -> Self {
        Self { value, gradient: std::array::from_fn(|k| T::constant(if k == axis { 1.0 } else { 0.0 })) }
    }

    /// A function of the value, by its value and its slope.
    fn chain(self, value: T, slope: T) -> Self {
        Self { value, gradient: self.gradient.map(|d| slope * d) }
    }

    fn product(self, other: Self) -> Self {
        self.with(other, self.value * other.value, |a, b| a * other.value + self.value * b)
    }

    fn quotient(self, other: Self) -> Self {
        let quotient = self.value / other.value;
        self.with(other, quotient, |a, b| (a - quotient * b) / other.value)
    }

    /// Something of both, by its value and by how derivatives join.
    fn with(self, other: Self, value: T, join: impl Fn(T, T) -> T) -> Self {
        Self { value, gradient: std::array::from_fn(|k| join(self.gradient[k], other.gradient[k])) }
    }
}

impl<T: Ordered> Dual<T> {
    /// The one whose derivatives count, or those of both.
    fn choice(self, other: Self, value: T, is_first: Option<bool>) -> Self {
        self.with(other, value, |a, b| match is_first {
            Some(true) => a,
            Some(false) => b,
            None => a.around(b),
        })
    }
}

impl<T: Number> Neg for Dual<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, gradient: self.gradient.map(|d| -d) }
    }
}

impl<T: Number> Add for Dual<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.with(other, self.value + other.value, |a, b| a + b)
    }
}

impl<T: Number> Sub for Dual<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.with(other, self.value - other.value, |a, b| a - b)
    }
}

impl<T: Number> Mul for Dual<T> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        self.product(other)
    }
}

impl<T: Number> Div for Dual<T> {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        self.quotient(other)
    }
}

impl<T: Ordered> Number for Dual<T> {
    fn constant(value: f64) -> Self {
        Self { value: T::constant(value), gradient: [T::constant(0.0); 3] }
    }

    fn sqr(self) -> Self {
        self.chain(self.value.sqr(), T::constant(2.0) * self.value)
    }

    fn powi(self, exponent: i32) -> Self {
        if exponent == 0 {
            return Self::constant(1.0);
        }
        self.chain(self.value.powi(exponent), T::constant(f64::from(exponent)) * self.value.powi(exponent - 1))
    }

    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, T::constant(0.5) / root)
    }

    fn abs(self) -> Self {
        let (one, zero) = (T::constant(1.0), T::constant(0.0));
        let slope = match self.value.is_below(zero) {
            Some(true) => -one,
            Some(false) => one,
            None => one.around(-one),
        };
        self.chain(self.value.abs(), slope)
    }

    fn min(self, other: Self) -> Self {
        self.choice(other, self.value.min(other.value), self.value.is_below(other.value))
    }

    fn max(self, other: Self) -> Self {
        self.choice(other, self.value.max(other.value), other.value.is_below(self.value))
    }

    fn sin(self) -> Self {
        self.chain(self.value.sin(), self.value.cos())
    }

    fn cos(self) -> Self {
        self.chain(self.value.cos(), -self.value.sin())
    }

    fn exp(self) -> Self {
        let power = self.value.exp();
        self.chain(power, power)
    }

    fn ln(self) -> Self {
        self.chain(self.value.ln(), T::constant(1.0) / self.value)
    }
}
