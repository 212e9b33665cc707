//! Four numbers side by side: the contacts of four pairs are solved at once.
//!
//! Plain arrays, which the compiler turns into the vector instructions of the machine where [`dispatch`] allows them. Products and
//! sums are never fused, so that the bits are the same on all of them.

use std::ops::{Add, AddAssign, Index, Mul, MulAssign, Neg, Sub, SubAssign};

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
    /// Those that every machine of its kind has.
    Baseline,
}

/// Runs `work` with such instructions.
#[inline]
pub fn dispatch<R>(instructions: Instructions, work: impl FnOnce() -> R) -> R {
    struct Work<F>(F);
    impl<R, F: FnOnce() -> R> pulp::WithSimd for Work<F> {
        type Output = R;
        #[inline(always)]
        fn with_simd<S: pulp::Simd>(self, _: S) -> R {
            (self.0)()
        }
    }
    match instructions {
        Instructions::Widest => pulp::Arch::new().dispatch(Work(work)),
        Instructions::Baseline => work(),
    }
}

impl Lanes {
    /// No number at all four times.
    pub const ZERO: Self = Self([0.0; LANES]);

    /// The same number four times.
    #[inline(always)]
    pub fn splat(x: f64) -> Self {
        Self([x; LANES])
    }

    /// The larger of each two; never the second where that is not a number.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        self.zip(other, |x, y| if y > x { y } else { x })
    }

    /// `yes` where these are above zero, elsewhere `no`.
    #[inline(always)]
    pub fn if_positive(self, yes: Self, no: Self) -> Self {
        let [a, b, c, d] = self.0;
        let pick = |x: f64, k: usize| if x > 0.0 { yes.0[k] } else { no.0[k] };
        Self([pick(a, 0), pick(b, 1), pick(c, 2), pick(d, 3)])
    }

    /// The square roots.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([a.sqrt(), b.sqrt(), c.sqrt(), d.sqrt()])
    }

    /// The quotients.
    #[inline(always)]
    pub fn over(self, other: Self) -> Self {
        self.zip(other, |x, y| x / y)
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let ([a, b, c, d], [p, q, r, s]) = (self.0, other.0);
        Self([f(a, p), f(b, q), f(c, r), f(d, s)])
    }
}

/// The scalar products of four pairs of vectors.
#[inline(always)]
pub fn dot(a: &Vector, b: &Vector) -> Lanes {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
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

impl MulAssign for Lanes {
    #[inline(always)]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_numbers_side_by_side_with_and_without_vector_instructions() {
        let (a, b) = (Lanes([1.5, -2.0, 0.0, 3.25]), Lanes([0.1, 0.7, -1.0, 4.0]));
        let all =
            |a: Lanes, b: Lanes| [a + b, a - b, a * b, -a, a.max(b), a.if_positive(a, b), b.over(a), (a * a).sqrt()];
        let found = dispatch(Instructions::Widest, || all(a, b));
        assert_eq!(format!("{found:?}"), format!("{:?}", all(a, b)));
        for lane in 0..LANES {
            let (x, y) = (a[lane], b[lane]);
            assert_eq!([found[0], found[1], found[2], found[3]].map(|l| l[lane]), [x + y, x - y, x * y, -x]);
            assert_eq!(found[4][lane], if y > x { y } else { x });
            assert_eq!(found[5][lane], if x > 0.0 { x } else { y });
            assert_eq!(found[7][lane], (x * x).sqrt());
        }
        assert_eq!(Lanes::splat(1.0).max(Lanes::splat(f64::NAN)), Lanes::splat(1.0));
        let sum = (0..3).map(|k| a[k] * b[k]).sum::<f64>();
        assert_eq!(dot(&[0, 1, 2].map(|k| Lanes::splat(a[k])), &[0, 1, 2].map(|k| Lanes::splat(b[k])))[3], sum);
    }
}
