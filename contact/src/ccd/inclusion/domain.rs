//! Boxes of time and place.

/// An interval: centre and half of its width are derived; the ends are exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub lo: f64,
    pub hi: f64,
}

/// A box t × u × v; indices in this order.
pub(super) type Domain = [Interval; 3];

impl Interval {
    pub const UNIT: Self = Self { lo: 0.0, hi: 1.0 };

    #[inline(always)]
    pub fn middle(self) -> f64 {
        0.5 * (self.lo + self.hi)
    }

    #[inline(always)]
    pub fn half(self) -> f64 {
        0.5 * (self.hi - self.lo)
    }

    #[inline(always)]
    pub fn width(self) -> f64 {
        self.hi - self.lo
    }
}
