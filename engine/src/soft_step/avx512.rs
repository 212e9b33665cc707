//! Eight numbers in one register of AVX-512.

use super::lanes::{LANES, Lanes, Register, Work};
use super::quad::{QUAD, Quad};
use pulp::x86::V4;
use std::arch::x86_64::{__m256d, __m512d, __m512i};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Eight numbers, with the proof that the machine has AVX-512.
#[derive(Clone, Copy)]
struct Avx512(V4, __m512d);

/// Ordered and greater.
const GREATER: i32 = std::arch::x86_64::_CMP_GT_OQ;

/// Work with its proof.
struct Run<J>(V4, J);

impl<J: Work> pulp::NullaryFnOnce for Run<J> {
    type Output = J::Output;
    #[inline(always)]
    fn call(self) -> J::Output {
        self.1.run::<Avx512>(self.0)
    }
}

/// Does work with the instructions of AVX-512.
#[inline]
pub fn run<J: Work>(token: V4, work: J) -> J::Output {
    token.vectorize(Run(token, work))
}

/// Rows in place of columns, in each half.
#[inline(always)]
fn transpose(token: V4, [a, b, c, d]: [__m512d; QUAD]) -> [__m512d; QUAD] {
    let avx = token.avx512f;
    let (low, high) = (avx._mm512_unpacklo_pd(a, b), avx._mm512_unpackhi_pd(a, b));
    let (low_2, high_2) = (avx._mm512_unpacklo_pd(c, d), avx._mm512_unpackhi_pd(c, d));
    // Of two registers, the first pairs of each half, and the second ones.
    let [first, second]: [__m512i; 2] = pulp::cast([[0_u64, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]]);
    [
        avx._mm512_permutex2var_pd(low, first, low_2),
        avx._mm512_permutex2var_pd(high, first, high_2),
        avx._mm512_permutex2var_pd(low, second, low_2),
        avx._mm512_permutex2var_pd(high, second, high_2),
    ]
}

impl Avx512 {
    /// Where these are above zero.
    #[inline(always)]
    fn positive(self) -> u8 {
        let avx = self.0.avx512f;
        avx._mm512_cmp_pd_mask::<GREATER>(self.1, avx._mm512_setzero_pd())
    }
}

impl Register for Avx512 {
    type Token = V4;

    #[inline(always)]
    fn load(token: V4, lanes: &Lanes) -> Self {
        Self(token, pulp::cast(lanes.halves()))
    }

    #[inline(always)]
    fn store(self) -> Lanes {
        Lanes::new(pulp::cast(self.1))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // The instruction returns its second operand where neither is larger.
        Self(self.0, self.0.avx512f._mm512_max_pd(other.1, self.1))
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        Self(self.0, self.0.avx512f._mm512_mask_blend_pd(self.positive(), no.1, yes.1))
    }

    #[inline(always)]
    fn is_any_positive(self) -> bool {
        self.positive() != 0
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0, self.0.avx512f._mm512_sqrt_pd(self.1))
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        Self(self.0, self.0.avx512f._mm512_div_pd(self.1, other.1))
    }

    #[inline(always)]
    fn columns(token: V4, [a, b, c, d, e, f, g, h]: [&Quad; LANES]) -> [Self; QUAD] {
        let avx = token.avx512f;
        let both = |low: &Quad, high: &Quad| {
            let [low, high]: [__m256d; 2] = [pulp::cast(low.0), pulp::cast(high.0)];
            avx._mm512_insertf64x4::<1>(avx._mm512_castpd256_pd512(low), high)
        };
        let [p, q, r, s] = transpose(token, [both(a, e), both(b, f), both(c, g), both(d, h)]);
        [Self(token, p), Self(token, q), Self(token, r), Self(token, s)]
    }

    #[inline(always)]
    fn rows([p, q, r, s]: [Self; QUAD]) -> [Quad; LANES] {
        let [a, b, c, d] = transpose(p.0, [p.1, q.1, r.1, s.1]);
        let [a, b, c, d]: [[[f64; QUAD]; 2]; QUAD] = [pulp::cast(a), pulp::cast(b), pulp::cast(c), pulp::cast(d)];
        [Quad(a[0]), Quad(b[0]), Quad(c[0]), Quad(d[0]), Quad(a[1]), Quad(b[1]), Quad(c[1]), Quad(d[1])]
    }

    #[inline(always)]
    fn splat(token: V4, x: f64) -> Self {
        Self(token, token.avx512f._mm512_set1_pd(x))
    }
}

impl Add for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0, self.0.avx512f._mm512_add_pd(self.1, other.1))
    }
}

impl Sub for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0, self.0.avx512f._mm512_sub_pd(self.1, other.1))
    }
}

impl Mul for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0, self.0.avx512f._mm512_mul_pd(self.1, other.1))
    }
}

impl Neg for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0, self.0.avx512dq._mm512_xor_pd(self.1, self.0.avx512f._mm512_set1_pd(-0.0)))
    }
}

impl AddAssign for Avx512 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Avx512 {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
