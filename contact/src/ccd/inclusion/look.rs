//! What is seen of F over one box.

use super::difference::{Difference, Taylor};
use super::domain::{Domain, Interval};
use super::filter::Reach;
use crate::ccd::Settings;
use glam::DVec3;

/// F about the middle of a box, and the box of differences that bounds it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// About `middle`.
    pub taylor: Taylor,
    /// Of t, u, v.
    pub middle: [f64; 3],
    /// Half of the widths of t, u, v.
    pub half: [f64; 3],
    /// Half of the widths of the box of differences about `taylor.value`, m.
    pub radius: DVec3,
}

/// Whether a box has to be divided further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No: all of it is within the tolerance of a difference that counts.
    Contact,
    /// No: rounding forbids to tell more.
    Rounding,
    /// Yes.
    Open,
}

#[inline(always)]
fn all_at_most(a: DVec3, b: DVec3) -> bool {
    (a.x <= b.x) & (a.y <= b.y) & (a.z <= b.z)
}

impl Look {
    #[inline(always)]
    pub fn new(f: &Difference, domain: &Domain) -> Self {
        let middle = domain.map(Interval::middle);
        let taylor = f.about(middle[0], middle[1], middle[2]);
        let half = domain.map(Interval::half);
        let radius = Self::speed(&taylor, half) * half[0] + taylor.by_u.abs() * half[1] + taylor.by_v.abs() * half[2];
        Self { taylor, middle, half, radius }
    }

    /// The greatest |∂F/∂t| over the box, by axis, m.
    #[inline(always)]
    fn speed(taylor: &Taylor, half: [f64; 3]) -> DVec3 {
        taylor.by_t.abs() + taylor.by_tu.abs() * half[1] + taylor.by_tv.abs() * half[2]
    }

    /// Whether the differences stay closer than `tolerance` (m) to what they are at the start during a time so long.
    #[inline(always)]
    pub fn stays_within(&self, tolerance: f64, time: f64) -> bool {
        Self::speed(&self.taylor, self.half).max_element() * time <= tolerance
    }

    /// Whether the box of differences is out of reach of zero.
    #[inline(always)]
    pub fn is_out_of(&self, reach: &Reach) -> bool {
        !all_at_most(self.taylor.value.abs(), self.radius + reach.axes)
    }

    /// The width of the box of differences, m.
    pub fn width(&self) -> f64 {
        2.0 * self.radius.max_element()
    }

    /// What remains to be done with a box that is not out of reach.
    #[inline(always)]
    pub fn judge(&self, reach: &Reach, settings: &Settings) -> Verdict {
        let width = self.radius * 2.0;
        if settings.tolerance > 0.0 && all_at_most(width, DVec3::splat(settings.tolerance)) {
            return Verdict::Contact;
        }
        let farthest = self.taylor.value.abs() + self.radius;
        let inside = settings.separation == 0.0 && all_at_most(farthest, reach.axes);
        if inside || all_at_most(width, reach.rounding) { Verdict::Rounding } else { Verdict::Open }
    }
}
