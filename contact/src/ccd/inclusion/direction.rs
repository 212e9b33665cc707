//! F seen along one direction, and what that says of a box of t, u and v.

use super::difference::Taylor;
use super::domain::Interval;
use glam::DVec3;

/// n·F over a box about its middle, τ, μ and ν being the distances from there:
/// n·F = value + τ `by_t` + μ `by_u` + ν `by_v` + τ μ `by_tu` + τ ν `by_tv`, up to `reach`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Along {
    value: f64,
    /// By t, u, v.
    slope: [f64; 3],
    by_tu: f64,
    by_tv: f64,
    /// Values no farther than this from zero count as zero.
    reach: f64,
}

/// Nothing in the box can be a contact.
pub(super) struct Empty;

impl Along {
    #[inline(always)]
    pub fn new(n: DVec3, taylor: &Taylor, reach: f64) -> Self {
        Self {
            value: n.dot(taylor.value),
            slope: [n.dot(taylor.by_t), n.dot(taylor.by_u), n.dot(taylor.by_v)],
            by_tu: n.dot(taylor.by_tu),
            by_tv: n.dot(taylor.by_tv),
            reach,
        }
    }

    /// The polynomial at this distance from the middle, exactly, without the reach.
    #[cfg(test)]
    pub fn at(&self, [t, u, v]: &[dashu_ratio::RBig; 3]) -> dashu_ratio::RBig {
        let rational = |x: f64| dashu_ratio::RBig::try_from(x).unwrap();
        let [by_t, by_u, by_v] = self.slope.map(rational);
        rational(self.value)
            + t * by_t
            + u * by_u
            + v * by_v
            + t * u * rational(self.by_tu)
            + t * v * rational(self.by_tv)
    }

    /// Cuts off the parts of one interval of the box (0 t, 1 u, 2 v) in which n·F cannot come within reach of zero.
    #[inline(always)]
    pub fn narrow(&self, which: usize, middle: f64, half: [f64; 3], interval: &mut Interval) -> Result<(), Empty> {
        let [t, u, v] = half;
        // n·F = slope x + rest, with the slope itself in an interval.
        let (slope, spread, rest) = match which {
            0 => (
                self.slope[0],
                u * self.by_tu.abs() + v * self.by_tv.abs(),
                u * self.slope[1].abs() + v * self.slope[2].abs(),
            ),
            1 => (
                self.slope[1],
                t * self.by_tu.abs(),
                t * self.slope[0].abs() + v * self.slope[2].abs() + t * v * self.by_tv.abs(),
            ),
            _ => (
                self.slope[2],
                t * self.by_tv.abs(),
                t * self.slope[0].abs() + u * self.slope[1].abs() + t * u * self.by_tu.abs(),
            ),
        };
        let (least, most) = (slope.abs() - spread, slope.abs() + spread);
        let rest = rest + self.reach;
        if least <= 0.0 {
            // The slope may vanish: no part can be cut off, but all of it.
            return if self.value.abs() > most * half[which] + rest { Err(Empty) } else { Ok(()) };
        }
        // slope x = −value ± rest, made positive.
        let centre = if slope > 0.0 { -self.value } else { self.value };
        let (from, to) = (centre - rest, centre + rest);
        let lo = if from >= 0.0 { from / most } else { from / least };
        let hi = if to >= 0.0 { to / least } else { to / most };
        // The quotients err by a few units in the last place, the sums by one.
        let slack = 8.0 * f64::EPSILON;
        let lo = (middle + (lo - slack * lo.abs())).next_down();
        let hi = (middle + (hi + slack * hi.abs())).next_up();
        if lo > interval.hi || hi < interval.lo {
            return Err(Empty);
        }
        if lo > interval.lo {
            interval.lo = lo;
        }
        if hi < interval.hi {
            interval.hi = hi;
        }
        Ok(())
    }
}
