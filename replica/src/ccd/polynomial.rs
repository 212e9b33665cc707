//! Polynomials up to the sixth degree and their roots in an interval, in plain floating point.

use std::ops::{Add, Mul, Sub};

/// The highest power.
const DEGREE: usize = 6;

/// Its coefficients, the constant one first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Polynomial([f64; DEGREE + 1]);

impl Polynomial {
    /// `constant` everywhere.
    pub fn constant(constant: f64) -> Self {
        Self::linear(constant, 0.0)
    }

    /// constant + slope t.
    pub fn linear(constant: f64, slope: f64) -> Self {
        let mut all = [0.0; DEGREE + 1];
        (all[0], all[1]) = (constant, slope);
        Self(all)
    }

    /// Its value, by Horner's rule.
    pub fn at(&self, t: f64) -> f64 {
        self.0.iter().rev().fold(0.0, |value, coefficient| value * t + coefficient)
    }

    /// Its derivative.
    fn derivative(&self) -> Self {
        let mut all = [0.0; DEGREE + 1];
        for power in 1..=DEGREE {
            all[power - 1] = self.0[power] * power as f64;
        }
        Self(all)
    }

    /// Its roots from `lo` to `hi`, ascending. Between neighbouring extrema, which are the roots of its derivative, there is
    /// at most one, found by bisection; of the two neighbouring numbers between which the sign changes, the smaller is
    /// given. A double root is found only if the value computed at the extremum is zero or has the other sign.
    pub fn roots(&self, lo: f64, hi: f64) -> Vec<f64> {
        let Some(degree) = (1..=DEGREE).rev().find(|&power| self.0[power] != 0.0) else {
            return Vec::new();
        };
        let mut ends = vec![lo];
        if degree > 1 {
            ends.extend(self.derivative().roots(lo, hi));
        }
        ends.push(hi);
        let mut roots: Vec<f64> = ends.windows(2).filter_map(|pair| self.root_between(pair[0], pair[1])).collect();
        roots.dedup();
        roots
    }

    /// The root between two ends between which it is monotonous.
    fn root_between(&self, mut lo: f64, mut hi: f64) -> Option<f64> {
        let (at_lo, at_hi) = (self.at(lo), self.at(hi));
        if at_lo == 0.0 {
            return Some(lo);
        }
        if at_hi == 0.0 {
            return Some(hi);
        }
        if (at_lo > 0.0) == (at_hi > 0.0) || at_lo.is_nan() || at_hi.is_nan() {
            return None;
        }
        loop {
            let middle = 0.5 * lo + 0.5 * hi;
            if middle <= lo || middle >= hi {
                return Some(lo);
            }
            let at_middle = self.at(middle);
            if at_middle == 0.0 {
                return Some(middle);
            }
            if (at_middle > 0.0) == (at_lo > 0.0) {
                lo = middle;
            } else {
                hi = middle;
            }
        }
    }
}

impl Add for Polynomial {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
        self
    }
}

impl Sub for Polynomial {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a -= b);
        self
    }
}

impl Mul for Polynomial {
    type Output = Self;

    /// What is beyond the sixth degree is left out; products here never are.
    fn mul(self, other: Self) -> Self {
        let mut all = [0.0; DEGREE + 1];
        for (i, a) in self.0.into_iter().enumerate() {
            for (j, b) in other.0.into_iter().enumerate().take(DEGREE + 1 - i) {
                all[i + j] += a * b;
            }
        }
        Self(all)
    }
}

/// a · b, of vectors of polynomials.
pub(super) fn dot(a: [Polynomial; 3], b: [Polynomial; 3]) -> Polynomial {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b, of vectors of polynomials.
pub(super) fn cross(a: [Polynomial; 3], b: [Polynomial; 3]) -> [Polynomial; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a − b, of vectors of polynomials.
pub(super) fn difference(a: [Polynomial; 3], b: [Polynomial; 3]) -> [Polynomial; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn with_roots(roots: &[f64]) -> Polynomial {
        roots.iter().fold(Polynomial::constant(1.0), |p, &root| p * Polynomial::linear(-root, 1.0))
    }

    #[test]
    fn simple_roots_in_the_interval_are_found() {
        assert_eq!(with_roots(&[0.0, 0.5, 1.0]).roots(0.0, 1.0), [0.0, 0.5, 1.0]);
        assert_eq!(with_roots(&[-0.5, 0.25, 2.0]).roots(0.0, 1.0), [0.25]);
        assert_eq!(with_roots(&[0.5]).roots(0.0, 0.25), [0.0; 0]);
    }

    #[test]
    fn a_constant_has_none() {
        assert!(Polynomial::constant(0.0).roots(0.0, 1.0).is_empty());
        assert!(Polynomial::constant(1.0).roots(0.0, 1.0).is_empty());
        assert!(Polynomial::constant(f64::NAN).roots(0.0, 1.0).is_empty());
    }

    proptest! {
        /// Six roots that are apart, from their product.
        #[test]
        fn the_roots_of_a_product_come_back(gaps in prop::array::uniform6(0.08..0.15_f64)) {
            let roots: Vec<f64> = gaps.iter().scan(0.0, |at, gap| { *at += gap; Some(*at) }).collect();
            let found = with_roots(&roots).roots(0.0, 1.0);
            prop_assert_eq!(found.len(), roots.len());
            for (a, b) in found.iter().zip(&roots) {
                prop_assert!((a - b).abs() < 1e-6, "{} {}", a, b);
            }
        }
    }
}
