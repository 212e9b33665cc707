//! Four numbers side by side: the contacts of four pairs are solved at once.
//!
//! [`Lanes`] is how they lie in memory; a [`Wide`] is four numbers at work, in plain arrays or in a vector register where
//! [`dispatch`] finds the instructions. What works on a [`Wide`] must be inlined all the way: no closure of it goes through a
//! function of the standard library, which would be compiled without these instructions. Products and sums are never fused, so that the bits are the same on all machines.

use std::ops::{Add, AddAssign, Index, Mul, Neg, Sub, SubAssign};

/// How many numbers there are.
pub const LANES: usize = 4;

/// Four numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Lanes(pub [f64; LANES]);

/// Three components of four vectors.
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

/// Four numbers at work.
pub trait Wide:
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

    /// Rows in place of columns.
    fn transpose(rows: [Self; LANES]) -> [Self; LANES];

    /// The same number four times.
    #[inline(always)]
    fn splat(token: Self::Token, x: f64) -> Self {
        Self::load(token, &Lanes([x; LANES]))
    }

    /// Three vectors from memory.
    #[inline(always)]
    fn vector(token: Self::Token, lanes: &Vector) -> [Self; 3] {
        [Self::load(token, &lanes[0]), Self::load(token, &lanes[1]), Self::load(token, &lanes[2])]
    }
}

/// Something to do with four numbers side by side.
pub trait Work {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<W: Wide>(self, token: W::Token) -> Self::Output;
}

/// Does work with such instructions.
#[inline]
pub fn dispatch<J: Work>(instructions: Instructions, work: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    {
        use super::avx;
        use pulp::x86::{V3, V4};
        if let (Instructions::Widest, Some(avx512)) = (instructions, V4::try_new()) {
            return avx::run_with_more_registers(avx512, work);
        }
        if let (Instructions::Widest | Instructions::Avx2, Some(avx2)) = (instructions, V3::try_new()) {
            return avx::run(avx2, work);
        }
    }
    work.run::<Lanes>(())
}

impl Lanes {
    /// No number at all four times.
    pub const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let ([a, b, c, d], [p, q, r, s]) = (self.0, other.0);
        Self([f(a, p), f(b, q), f(c, r), f(d, s)])
    }
}

/// Without vector instructions.
impl Wide for Lanes {
    type Token = ();

    #[inline(always)]
    fn load((): (), lanes: &Lanes) -> Self {
        *lanes
    }

    #[inline(always)]
    fn store(self) -> Lanes {
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
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        std::array::from_fn(|k| Self(rows.map(|row| row.0[k])))
    }
}

/// Vectors to memory.
#[inline(always)]
pub fn stored<W: Wide>([x, y, z]: [W; 3]) -> Vector {
    [x.store(), y.store(), z.store()]
}

/// The scalar products of four pairs of vectors.
#[inline(always)]
pub fn dot<W: Wide>(a: [W; 3], b: [W; 3]) -> W {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector products of four pairs of vectors.
#[inline(always)]
pub fn cross<W: Wide>(a: [W; 3], b: [W; 3]) -> [W; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Differences of vectors.
#[inline(always)]
pub fn minus<W: Wide>(a: [W; 3], b: [W; 3]) -> [W; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Sums of vectors.
#[inline(always)]
pub fn plus<W: Wide>(a: [W; 3], b: [W; 3]) -> [W; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Adds multiples of vectors.
#[inline(always)]
pub fn add<W: Wide>(sum: &mut [W; 3], times: W, v: [W; 3]) {
    for k in 0..3 {
        sum[k] += v[k] * times;
    }
}

impl Index<usize> for Lanes {
    type Output = f64;
    #[inline(always)]
    fn index(&self, lane: usize) -> &f64 {
        &self.0[lane]
    }
}

impl Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |x, y| x + y)
    }
}

impl Sub for Lanes {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |x, y| x - y)
    }
}

impl Mul for Lanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |x, y| x * y)
    }
}

impl Neg for Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([-a, -b, -c, -d])
    }
}

impl AddAssign for Lanes {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Lanes {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that can be done with two fours of numbers.
    struct All([Lanes; 2]);

    impl Work for All {
        type Output = Vec<[u64; LANES]>;

        fn run<W: Wide>(self, token: W::Token) -> Self::Output {
            let [a, b] = self.0.map(|lanes| W::load(token, &lanes));
            let (mut sum, mut difference) = (a, a);
            sum += b;
            difference -= b;
            let simple = [a + b, a - b, a * b, -a, a.max(b), b.max(a), a.if_positive(a, b), b.over(a), (a * a).sqrt()];
            let of_vectors = [dot([a, b, a], [b, b, a]), cross([a, b, a], [b, b, a])[0], minus([a; 3], [b; 3])[2]];
            let turned = W::transpose([a, b, a * b, W::splat(token, 7.5)]);
            let all = simple.into_iter().chain(of_vectors).chain(turned).chain([sum, difference]);
            all.map(|x| x.store().0.map(f64::to_bits)).collect()
        }
    }

    struct IsAnyPositive(Lanes);

    impl Work for IsAnyPositive {
        type Output = bool;

        fn run<W: Wide>(self, token: W::Token) -> bool {
            W::load(token, &self.0).is_any_positive()
        }
    }

    #[test]
    fn lanes_are_numbers_side_by_side_with_and_without_vector_instructions() {
        let (a, b) = (Lanes([1.5, -2.0, 0.0, 3.25]), Lanes([0.1, 0.7, -1.0, 4.0]));
        let odd = Lanes([-0.0, f64::INFINITY, 1e-310, f64::MIN_POSITIVE]);
        for pair in [[a, b], [b, odd], [odd, a]] {
            let found = dispatch(Instructions::Widest, All(pair));
            assert_eq!(found, dispatch(Instructions::Baseline, All(pair)));
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
            let row = found[12 + lane].map(f64::from_bits);
            assert_eq!(row, [x, y, x * y, 7.5]);
        }
        for (x, is_any) in [(a, true), (-b * b, false), (Lanes([-1.0, f64::NAN, -0.0, 0.0]), false), (odd, true)] {
            assert_eq!(dispatch(Instructions::Widest, IsAnyPositive(x)), is_any);
            assert_eq!(dispatch(Instructions::Baseline, IsAnyPositive(x)), is_any);
        }
        assert_eq!(Lanes::splat((), 1.0).max(Lanes::splat((), f64::NAN)), Lanes::splat((), 1.0));
    }
}
