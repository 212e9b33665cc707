//! How far a computed difference can be from the true one.

use crate::ccd::{Metric, Settings};
use glam::DVec3;

/// Every bound computed here from the coefficients of F errs by at most this times the largest magnitude of a
/// coordinate on its axis. docs/ccd.md derives it.
pub(super) const ROUNDING: f64 = 256.0 * (f64::EPSILON / 2.0);

/// What products smaller than the smallest normal number lose at most, with a wide margin.
pub(super) const UNDERFLOW: f64 = f64::MIN_POSITIVE;

/// The part of the minimum separation, and of the tolerance at most, by which a difference may exceed it and count all the same.
const SHARE: f64 = 1.0 / 16.0;

/// |n|, not less than it is although the squares of small numbers vanish.
#[inline(always)]
fn length(n: DVec3) -> f64 {
    // The root of the smallest normal number.
    const VANISHING: f64 = 1.5e-154;
    n.length() * OUTWARD + VANISHING
}

/// How near to zero a difference must come to count: by rounding and by the minimum separation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// ε, m, by axis.
    pub rounding: DVec3,
    /// ε + d, m, by axis; rounded up.
    pub axes: DVec3,
    /// d where it is the straight distance, else 0, m; rounded up.
    round: f64,
    /// Whether there is a minimum separation.
    pub is_wide: bool,
    /// A difference that is surely no longer, in the metric, counts as one of d, m.
    near: f64,
    metric: Metric,
}

/// More than what the roundings take away that d goes through until it is compared (eight at most).
const OUTWARD: f64 = 1.0 + 8.0 * f64::EPSILON;

/// ε + d on one axis, m; rounded up.
#[inline(always)]
pub(super) fn on_axis(largest: f64, separation: f64) -> f64 {
    (largest * ROUNDING + UNDERFLOW + separation) * OUTWARD
}

impl Reach {
    #[inline(always)]
    pub fn new(largest: DVec3, settings: &Settings) -> Self {
        let &Settings { separation, metric, .. } = settings;
        let rounding = largest * ROUNDING + UNDERFLOW;
        Self {
            rounding,
            axes: (rounding + separation) * OUTWARD,
            round: if metric == Metric::Euclidean { separation * OUTWARD } else { 0.0 },
            is_wide: separation > 0.0,
            near: separation + settings.tolerance.min(separation * SHARE),
            metric,
        }
    }

    /// Whether the minimum separation is a straight distance.
    #[inline(always)]
    pub fn is_round(&self) -> bool {
        self.round > 0.0
    }

    /// The largest |n·F| that counts, for any direction n, of any length.
    #[inline(always)]
    pub fn along(&self, n: DVec3) -> f64 {
        if !self.is_round() {
            return n.abs().dot(self.axes) + UNDERFLOW;
        }
        // |n·x| ≤ |n| d in the ball.
        n.abs().dot(self.rounding) + length(n) * self.round + UNDERFLOW
    }

    /// Whether a computed difference is surely near enough to count.
    #[inline(always)]
    pub fn surely_includes(&self, difference: DVec3) -> bool {
        let farthest = difference.abs() + self.rounding;
        let length = match self.metric {
            Metric::Chebyshev => farthest.max_element(),
            Metric::Euclidean => length(farthest) * OUTWARD,
        };
        length <= self.near
    }
}
