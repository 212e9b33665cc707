//! Four numbers in one register of AVX.

use super::lanes::{Pair, Work};
use super::quad::{Half, QUAD, Quad};
use pulp::x86::V3;
use std::arch::x86_64::__m256d;
use std::ops::{Add, Mul, Neg, Sub};

/// Four numbers, with the proof that the machine has AVX2.
#[derive(Clone, Copy)]
struct Avx(V3, __m256d);

/// Ordered and greater.
const GREATER: i32 = std::arch::x86_64::_CMP_GT_OQ;

/// Work with its proof.
struct Run<J>(V3, J);

impl<J: Work> pulp::NullaryFnOnce for Run<J> {
    type Output = J::Output;
    #[inline(always)]
    fn call(self) -> J::Output {
        self.1.run::<Pair<Avx>>(self.0)
    }
}

/// Does work with the instructions of AVX2.
#[inline]
pub fn run<J: Work>(token: V3, work: J) -> J::Output {
    token.vectorize(Run(token, work))
}

impl Half for Avx {
    type Token = V3;

    #[inline(always)]
    fn load(token: V3, quad: &Quad) -> Self {
        Self(token, pulp::cast(quad.0))
    }

    #[inline(always)]
    fn store(self) -> Quad {
        Quad(pulp::cast(self.1))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // The instruction returns its second operand where neither is larger.
        Self(self.0, self.0.avx._mm256_max_pd(other.1, self.1))
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        let avx = self.0.avx;
        let mask = avx._mm256_cmp_pd::<GREATER>(self.1, avx._mm256_setzero_pd());
        Self(self.0, avx._mm256_blendv_pd(no.1, yes.1, mask))
    }

    #[inline(always)]
    fn is_any_positive(self) -> bool {
        let avx = self.0.avx;
        let mask = avx._mm256_cmp_pd::<GREATER>(self.1, avx._mm256_setzero_pd());
        avx._mm256_movemask_pd(mask) != 0
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0, self.0.avx._mm256_sqrt_pd(self.1))
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        Self(self.0, self.0.avx._mm256_div_pd(self.1, other.1))
    }

    #[inline(always)]
    fn transpose([a, b, c, d]: [Self; QUAD]) -> [Self; QUAD] {
        let avx = a.0.avx;
        let (low, high) = (avx._mm256_unpacklo_pd(a.1, b.1), avx._mm256_unpackhi_pd(a.1, b.1));
        let (low_2, high_2) = (avx._mm256_unpacklo_pd(c.1, d.1), avx._mm256_unpackhi_pd(c.1, d.1));
        [
            Self(a.0, avx._mm256_permute2f128_pd::<0x20>(low, low_2)),
            Self(a.0, avx._mm256_permute2f128_pd::<0x20>(high, high_2)),
            Self(a.0, avx._mm256_permute2f128_pd::<0x31>(low, low_2)),
            Self(a.0, avx._mm256_permute2f128_pd::<0x31>(high, high_2)),
        ]
    }
}

impl Add for Avx {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0, self.0.avx._mm256_add_pd(self.1, other.1))
    }
}

impl Sub for Avx {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0, self.0.avx._mm256_sub_pd(self.1, other.1))
    }
}

impl Mul for Avx {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0, self.0.avx._mm256_mul_pd(self.1, other.1))
    }
}

impl Neg for Avx {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let avx = self.0.avx;
        Self(self.0, avx._mm256_xor_pd(self.1, avx._mm256_set1_pd(-0.0)))
    }
}
