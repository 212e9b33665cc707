//! Polynomials in the time of a step, with integer coefficients: their exact signs.

use dashu_int::IBig;
use dashu_int::ops::BitTest;
use std::ops::{Add, Mul, Sub};

/// A polynomial in the time t of the step, with whole coefficients: Σ cᵢ sⁿ⁻ⁱ tⁱ with s = 1 − t.
///
/// A number that moves at constant speed is such a sum of degree 1 whose coefficients are its values at both ends. Sums
/// are of one degree, products convolve. In x = t / s, which goes from 0 to ∞, the cᵢ are the coefficients of an
/// ordinary polynomial, so that Descartes' rule of signs speaks of the inside of the step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form(Vec<IBig>);

impl Form {
    /// What is `start` at t = 0 and `end` at t = 1.
    pub fn linear(start: IBig, end: IBig) -> Self {
        Self(vec![start, end])
    }

    /// From c₀ … cₙ; there is at least one.
    pub fn from_coefficients(coefficients: Vec<IBig>) -> Self {
        Self(coefficients)
    }

    /// c₀ … cₙ.
    pub fn coefficients(&self) -> &[IBig] {
        &self.0
    }

    /// The same number at all times, as a form of degree 1.
    pub fn constant(number: &IBig) -> Self {
        Self(vec![number.clone(), number.clone()])
    }

    /// Whether it is zero at all times.
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(IBig::is_zero)
    }

    /// This many times itself.
    pub fn scaled(&self, factor: &IBig) -> Self {
        Self(self.0.iter().map(|c| c * factor).collect())
    }

    /// Its derivative by t.
    pub fn slope(&self) -> Self {
        let degree = self.0.len() - 1;
        let term = |i: usize| &self.0[i + 1] * IBig::from(i + 1) - &self.0[i] * IBig::from(degree - i);
        Self((0..degree).map(term).collect())
    }

    /// Its sign at t = 0.
    pub fn sign_at_start(&self) -> i8 {
        self.0.first().map_or(0, sign)
    }

    /// Its sign at t = 1.
    pub fn sign_at_end(&self) -> i8 {
        self.0.last().map_or(0, sign)
    }

    /// Its sign at t = index / 2^level.
    pub fn sign_at(&self, index: &IBig, level: usize) -> i8 {
        let rest = (IBig::ONE << level) - index;
        let Some((first, others)) = self.0.split_first() else { return 0 };
        let (mut sum, mut power) = (first.clone(), IBig::ONE);
        for c in others {
            power *= index;
            sum = sum * &rest + c * &power;
        }
        sign(&sum)
    }

    /// How often the signs of its coefficients change: as many roots as there are inside the step, or more by an even
    /// number.
    pub fn variations(&self) -> usize {
        variations(&self.0)
    }

    /// Its sign inside the step if it surely has no root there; zero if it is zero.
    pub fn sign_inside(&self) -> Option<i8> {
        sign_inside(&self.0)
    }

    /// Its sign in the whole step, both ends included, if it surely has no root there.
    pub fn sign_throughout(&self) -> Option<i8> {
        let ends = self.sign_at_start();
        (ends != 0 && ends == self.sign_at_end()).then(|| self.sign_inside()).flatten()
    }

    /// Itself with t going from index / 2^level to (index + 1) / 2^level, up to a positive factor.
    pub fn within(&self, index: &IBig, level: usize) -> Self {
        let next = index + IBig::ONE;
        let all = IBig::ONE << level;
        let rest = Self(vec![&all - index, &all - &next]);
        let time = Self(vec![index.clone(), next]);
        let Some((first, others)) = self.0.split_first() else { return self.clone() };
        let (mut sum, mut power) = (Self(vec![first.clone()]), Self(vec![IBig::ONE]));
        for c in others {
            power = &power * &time;
            sum = &(&sum * &rest) + &power.scaled(c);
        }
        sum
    }
}

impl Add for &Form {
    type Output = Form;

    fn add(self, other: &Form) -> Form {
        debug_assert_eq!(self.0.len(), other.0.len());
        Form(self.0.iter().zip(&other.0).map(|(a, b)| a + b).collect())
    }
}

impl Sub for &Form {
    type Output = Form;

    fn sub(self, other: &Form) -> Form {
        debug_assert_eq!(self.0.len(), other.0.len());
        Form(self.0.iter().zip(&other.0).map(|(a, b)| a - b).collect())
    }
}

impl Mul for &Form {
    type Output = Form;

    fn mul(self, other: &Form) -> Form {
        let mut product = vec![IBig::ZERO; self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (b, sum) in other.0.iter().zip(&mut product[i..]) {
                *sum += a * b;
            }
        }
        Form(product)
    }
}

/// −1, 0 or 1.
pub(super) fn sign(number: &IBig) -> i8 {
    match number {
        zero if zero.is_zero() => 0,
        negative if negative.sign() == dashu_int::Sign::Negative => -1,
        _ => 1,
    }
}

/// How often the signs change, zeros left out.
pub(super) fn variations(numbers: &[IBig]) -> usize {
    let (mut last, mut count) = (0, 0);
    for s in numbers.iter().map(sign).filter(|&s| s != 0) {
        count += usize::from(last == -s);
        last = s;
    }
    count
}

/// The sign that all numbers have that are not zero, if there is one; zero if all are.
pub(super) fn sign_inside(numbers: &[IBig]) -> Option<i8> {
    let mut common = 0;
    for s in numbers.iter().map(sign).filter(|&s| s != 0) {
        if common == -s {
            return None;
        }
        common = s;
    }
    Some(common)
}

/// The bits of its magnitude.
pub(super) fn bits(number: &IBig) -> usize {
    number.bit_len()
}
