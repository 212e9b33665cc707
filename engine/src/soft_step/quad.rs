//! Four numbers: how they lie in memory ([`Quad`]), and at work in a [`Half`] of a [register](super::lanes::Register), which
//! is an array of numbers or a vector register of the machine.

use std::ops::{Add, Mul, Neg, Sub};

/// How many numbers there are.
pub const QUAD: usize = 4;

/// Four numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Quad(pub [f64; QUAD]);

/// Four numbers at work.
pub trait Half: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self> {
    /// The proof that the machine has the instructions.
    type Token: Copy;

    /// From memory.
    fn load(token: Self::Token, quad: &Quad) -> Self;

    /// To memory.
    fn store(self) -> Quad;

    /// The larger of each two; never the second where that is not a number.
    fn max(self, other: Self) -> Self;

    /// `yes` where these are above zero, elsewhere `no`.
    fn if_positive(self, yes: Self, no: Self) -> Self;

    /// Whether any of these is above zero.
    fn is_any_positive(self) -> bool;

    /// The square roots.
    fn sqrt(self) -> Self;

    /// The quotients.
    fn over(self, other: Self) -> Self;

    /// Rows in place of columns.
    fn transpose(rows: [Self; QUAD]) -> [Self; QUAD];
}

impl Quad {
    /// Zero four times.
    pub const ZERO: Self = Self([0.0; QUAD]);

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let ([a, b, c, d], [p, q, r, s]) = (self.0, other.0);
        Self([f(a, p), f(b, q), f(c, r), f(d, s)])
    }
}

/// Without vector instructions, for machines that are not x86-64.
impl Half for Quad {
    type Token = ();

    #[inline(always)]
    fn load((): (), quad: &Quad) -> Self {
        *quad
    }

    #[inline(always)]
    fn store(self) -> Quad {
        self
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |x, y| if y > x { y } else { x })
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        let [a, b, c, d] = self.0;
        let pick = |x: f64, k: usize| if x > 0.0 { yes.0[k] } else { no.0[k] };
        Self([pick(a, 0), pick(b, 1), pick(c, 2), pick(d, 3)])
    }

    #[inline(always)]
    fn is_any_positive(self) -> bool {
        let [a, b, c, d] = self.0;
        a > 0.0 || b > 0.0 || c > 0.0 || d > 0.0
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([a.sqrt(), b.sqrt(), c.sqrt(), d.sqrt()])
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        self.zip(other, |x, y| x / y)
    }

    #[inline(always)]
    fn transpose(rows: [Self; QUAD]) -> [Self; QUAD] {
        std::array::from_fn(|k| Self(rows.map(|row| row.0[k])))
    }
}

impl Add for Quad {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |x, y| x + y)
    }
}

impl Sub for Quad {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |x, y| x - y)
    }
}

impl Mul for Quad {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |x, y| x * y)
    }
}

impl Neg for Quad {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([-a, -b, -c, -d])
    }
}
