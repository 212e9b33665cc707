//! Four numbers in two registers of SSE2, which every x86-64 machine has.

use super::quad::{Half, QUAD, Quad};
use pulp::core_arch::x86::Sse2;
use std::arch::x86_64::__m128d;
use std::ops::{Add, Mul, Neg, Sub};

/// The first two of four numbers and the others, with the proof that the machine has SSE2.
#[derive(Clone, Copy)]
pub struct Sse(Sse2, [__m128d; 2]);

impl Sse {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(Sse2, __m128d, __m128d) -> __m128d) -> Self {
        let Self(sse, [low, high]) = self;
        Self(sse, [f(sse, low, other.1[0]), f(sse, high, other.1[1])])
    }

    /// All bits where numbers are above zero.
    #[inline(always)]
    fn is_positive(self) -> Self {
        self.zip(self, |sse, x, _| sse._mm_cmpgt_pd(x, sse._mm_setzero_pd()))
    }
}

impl Half for Sse {
    type Token = Sse2;

    #[inline(always)]
    fn load(sse: Sse2, quad: &Quad) -> Self {
        Self(sse, pulp::cast(quad.0))
    }

    #[inline(always)]
    fn store(self) -> Quad {
        Quad(pulp::cast(self.1))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // The instruction returns its second operand where neither is larger.
        self.zip(other, |sse, x, y| sse._mm_max_pd(y, x))
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        let mask = self.is_positive();
        let (yes, no) = (
            mask.zip(yes, |sse, mask, yes| sse._mm_and_pd(mask, yes)),
            mask.zip(no, |sse, mask, no| sse._mm_andnot_pd(mask, no)),
        );
        yes.zip(no, |sse, yes, no| sse._mm_or_pd(yes, no))
    }

    #[inline(always)]
    fn is_any_positive(self) -> bool {
        let Self(sse, [low, high]) = self.is_positive();
        sse._mm_movemask_pd(sse._mm_or_pd(low, high)) != 0
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.zip(self, |sse, x, _| sse._mm_sqrt_pd(x))
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        self.zip(other, |sse, x, y| sse._mm_div_pd(x, y))
    }

    #[inline(always)]
    fn transpose([a, b, c, d]: [Self; QUAD]) -> [Self; QUAD] {
        let sse = a.0;
        let low = |k: usize| Self(sse, [sse._mm_unpacklo_pd(a.1[k], b.1[k]), sse._mm_unpacklo_pd(c.1[k], d.1[k])]);
        let high = |k: usize| Self(sse, [sse._mm_unpackhi_pd(a.1[k], b.1[k]), sse._mm_unpackhi_pd(c.1[k], d.1[k])]);
        [low(0), high(0), low(1), high(1)]
    }
}

impl Add for Sse {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |sse, x, y| sse._mm_add_pd(x, y))
    }
}

impl Sub for Sse {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |sse, x, y| sse._mm_sub_pd(x, y))
    }
}

impl Mul for Sse {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |sse, x, y| sse._mm_mul_pd(x, y))
    }
}

impl Neg for Sse {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.zip(self, |sse, x, _| sse._mm_xor_pd(x, sse._mm_set1_pd(-0.0)))
    }
}
