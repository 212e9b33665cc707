//! Eight numbers side by side: the contacts of eight pairs are solved at once.
//!
//! [`Lanes`] is how they lie in memory; a [`Register`] is eight numbers at work: one register of AVX-512, or a [`Pair`] of
//! [halves](super::quad) of four numbers each. What works on a [`Register`] must be inlined all the way: no closure of it goes through
//! a function of the standard library, which would be compiled without the instructions that [`dispatch`] finds.
//! Products and sums are never fused, so that the bits are the same on all machines.

use super::quad::{Half, QUAD, Quad};
use std::ops::{Add, AddAssign, Index, Mul, Neg, Sub, SubAssign};

/// How many numbers there are.
pub const LANES: usize = 2 * QUAD;

/// Eight numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct Lanes([Quad; 2]);

/// Three components of eight vectors.
pub type Vector = [Lanes; 3];

/// Which instructions work on lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Instructions {
    /// The widest vector instructions that the machine has.
    #[default]
    Widest,
    /// Those of AVX2 where the machine has them.
    Avx2,
    /// Those that every machine of its kind has.
    Baseline,
}

/// Something to do with eight numbers side by side.
pub trait Work {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<R: Register>(self, token: R::Token) -> Self::Output;
}

/// Does work with such instructions.
#[inline]
pub fn dispatch<J: Work>(instructions: Instructions, work: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    {
        use super::{avx, avx512, sse::Sse};
        use pulp::{
            core_arch::x86::Sse2,
            x86::{V3, V4},
        };
        if let (Instructions::Widest, Some(avx512)) = (instructions, V4::try_new()) {
            return avx512::run(avx512, work);
        }
        if let (Instructions::Widest | Instructions::Avx2, Some(avx2)) = (instructions, V3::try_new()) {
            return avx::run(avx2, work);
        }
        work.run::<Pair<Sse>>(Sse2::try_new().expect("every x86-64 machine has SSE2"))
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = instructions;
        work.run::<Pair<Quad>>(())
    }
}

impl Lanes {
    /// Zero eight times.
    pub const ZERO: Self = Self([Quad::ZERO; 2]);

    /// Of these numbers.
    #[inline(always)]
    pub fn new([a, b, c, d, e, f, g, h]: [f64; LANES]) -> Self {
        Self([Quad([a, b, c, d]), Quad([e, f, g, h])])
    }

    /// The first four, and the others.
    #[inline(always)]
    pub fn halves(&self) -> [[f64; QUAD]; 2] {
        let [Quad(low), Quad(high)] = self.0;
        [low, high]
    }
}

impl Index<usize> for Lanes {
    type Output = f64;
    #[inline(always)]
    fn index(&self, lane: usize) -> &f64 {
        &self.0[lane / QUAD].0[lane % QUAD]
    }
}

/// Eight numbers at work.
pub trait Register:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self> + AddAssign + SubAssign
{
    /// The proof that the machine has the instructions.
    type Token: Copy;

    /// From memory.
    fn load(token: Self::Token, lanes: &Lanes) -> Self;

    /// To memory.
    fn store(self) -> Lanes;

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

    /// The columns of eight rows of four numbers.
    fn columns(token: Self::Token, rows: [&Quad; LANES]) -> [Self; QUAD];

    /// The eight rows of these columns.
    fn rows(columns: [Self; QUAD]) -> [Quad; LANES];

    /// The same number eight times.
    fn splat(token: Self::Token, x: f64) -> Self;

    /// Three vectors from memory.
    #[inline(always)]
    fn vector(token: Self::Token, lanes: &Vector) -> [Self; 3] {
        [Self::load(token, &lanes[0]), Self::load(token, &lanes[1]), Self::load(token, &lanes[2])]
    }
}

/// Eight numbers in two halves.
#[derive(Clone, Copy)]
pub struct Pair<H>(H, H);

impl<H: Half> Register for Pair<H> {
    type Token = H::Token;

    #[inline(always)]
    fn load(token: H::Token, Lanes([a, b]): &Lanes) -> Self {
        Self(H::load(token, a), H::load(token, b))
    }

    #[inline(always)]
    fn store(self) -> Lanes {
        Lanes([self.0.store(), self.1.store()])
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0), self.1.max(other.1))
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        Self(self.0.if_positive(yes.0, no.0), self.1.if_positive(yes.1, no.1))
    }

    #[inline(always)]
    fn is_any_positive(self) -> bool {
        self.0.is_any_positive() || self.1.is_any_positive()
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        Self(self.0.over(other.0), self.1.over(other.1))
    }

    #[inline(always)]
    fn columns(token: H::Token, [a, b, c, d, e, f, g, h]: [&Quad; LANES]) -> [Self; QUAD] {
        let [p, q, r, s] = H::transpose([H::load(token, a), H::load(token, b), H::load(token, c), H::load(token, d)]);
        let [t, u, v, w] = H::transpose([H::load(token, e), H::load(token, f), H::load(token, g), H::load(token, h)]);
        [Self(p, t), Self(q, u), Self(r, v), Self(s, w)]
    }

    #[inline(always)]
    fn rows([p, q, r, s]: [Self; QUAD]) -> [Quad; LANES] {
        let [a, b, c, d] = H::transpose([p.0, q.0, r.0, s.0]);
        let [e, f, g, h] = H::transpose([p.1, q.1, r.1, s.1]);
        [a.store(), b.store(), c.store(), d.store(), e.store(), f.store(), g.store(), h.store()]
    }

    #[inline(always)]
    fn splat(token: H::Token, x: f64) -> Self {
        let half = H::load(token, &Quad([x; QUAD]));
        Self(half, half)
    }
}

impl<H: Half> Add for Pair<H> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

impl<H: Half> Sub for Pair<H> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }
}

impl<H: Half> Mul for Pair<H> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0, self.1 * other.1)
    }
}

impl<H: Half> Neg for Pair<H> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl<H: Half> AddAssign for Pair<H> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<H: Half> SubAssign for Pair<H> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// Vectors to memory.
#[inline(always)]
pub fn stored<R: Register>([x, y, z]: [R; 3]) -> Vector {
    [x.store(), y.store(), z.store()]
}

/// The scalar products of eight pairs of vectors.
#[inline(always)]
pub fn dot<R: Register>(a: [R; 3], b: [R; 3]) -> R {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector products of eight pairs of vectors.
#[inline(always)]
pub fn cross<R: Register>(a: [R; 3], b: [R; 3]) -> [R; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Differences of vectors.
#[inline(always)]
pub fn minus<R: Register>(a: [R; 3], b: [R; 3]) -> [R; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Sums of vectors.
#[inline(always)]
pub fn plus<R: Register>(a: [R; 3], b: [R; 3]) -> [R; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Adds multiples of vectors.
#[inline(always)]
pub fn add<R: Register>(sum: &mut [R; 3], times: R, v: [R; 3]) {
    for k in 0..3 {
        sum[k] += v[k] * times;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that can be done with two eights of numbers.
    struct All([[f64; LANES]; 2]);

    impl Work for All {
        type Output = Vec<[u64; LANES]>;

        fn run<R: Register>(self, token: R::Token) -> Self::Output {
            let [a, b] = self.0.map(|numbers| R::load(token, &Lanes::new(numbers)));
            let (mut sum, mut difference) = (a, a);
            sum += b;
            difference -= b;
            let simple = [a + b, a - b, a * b, -a, a.max(b), b.max(a), a.if_positive(a, b), b.over(a), (a * a).sqrt()];
            let of_vectors = [dot([a, b, a], [b, b, a]), cross([a, b, a], [b, b, a])[0], minus([a; 3], [b; 3])[2]];
            let rows = R::rows([a, b, a * b, R::splat(token, 7.5)]);
            let columns = R::columns(token, rows.each_ref());
            let all = simple.into_iter().chain(of_vectors).chain(columns).chain([sum, difference]);
            let bits = |x: R| std::array::from_fn(|lane| x.store()[lane].to_bits());
            let rows = rows.map(|row| std::array::from_fn(|k| if k < QUAD { row.0[k].to_bits() } else { 0 }));
            all.map(bits).chain(rows).collect()
        }
    }

    struct IsAnyPositive([f64; LANES]);

    impl Work for IsAnyPositive {
        type Output = bool;

        fn run<R: Register>(self, token: R::Token) -> bool {
            R::load(token, &Lanes::new(self.0)).is_any_positive()
        }
    }

    #[test]
    fn lanes_are_numbers_side_by_side_with_and_without_vector_instructions() {
        let a = [1.5, -2.0, 0.0, 3.25, -7.5, 1e-3, 12.0, -0.125];
        let b = [0.1, 0.7, -1.0, 4.0, 2.0, -3.0, 1e9, 0.25];
        let odd = [-0.0, f64::INFINITY, 1e-310, f64::MIN_POSITIVE, -1e308, 5e-324, 0.0, f64::NEG_INFINITY];
        for pair in [[a, b], [b, odd], [odd, a]] {
            let found = dispatch(Instructions::Widest, All(pair));
            assert_eq!(found, dispatch(Instructions::Avx2, All(pair)));
            assert_eq!(found, dispatch(Instructions::Baseline, All(pair)));
            assert_eq!(found, All(pair).run::<Pair<Quad>>(()));
        }
        let found = dispatch(Instructions::Widest, All([a, b]));
        for lane in 0..LANES {
            let (x, y) = (a[lane], b[lane]);
            let of = |k: usize| f64::from_bits(found[k][lane]);
            assert_eq!([of(0), of(1), of(2), of(3)], [x + y, x - y, x * y, -x]);
            assert_eq!((of(4), of(5)), (x.max(y), x.max(y)));
            assert_eq!(of(6), if x > 0.0 { x } else { y });
            assert_eq!((of(7), of(8)), (y / x, (x * x).sqrt()));
            assert_eq!(of(9), x * y + y * y + x * x);
            assert_eq!([of(12), of(13), of(14), of(15)], [x, y, x * y, 7.5]);
            let row = found[18 + lane].map(f64::from_bits);
            assert_eq!(row[..QUAD], [x, y, x * y, 7.5]);
        }
        let last = |x: f64| [-1.0, f64::NAN, -0.0, 0.0, -2.0, 0.0, 0.0, x];
        for (x, is_any) in
            [(a, true), (b.map(|y| -y * y), false), (last(0.0), false), (last(1e-300), true), (odd, true)]
        {
            assert_eq!(dispatch(Instructions::Widest, IsAnyPositive(x)), is_any);
            assert_eq!(dispatch(Instructions::Baseline, IsAnyPositive(x)), is_any);
            assert_eq!(IsAnyPositive(x).run::<Pair<Quad>>(()), is_any);
        }
        let one = Pair::<Quad>::splat((), 1.0);
        assert_eq!(one.max(Register::splat((), f64::NAN)).store(), one.store());
    }
}
