//! How far a computed difference can be from the true one.

use crate::continuous::{Metric, Settings};
use glam::DVec3;

/// Every bound computed here from the coefficients of F errs by at most this times the largest magnitude of a
/// coordinate on its axis. docs/ccd.md derives it.
pub(super) const ROUNDING: f64 = 256.0 * (f64::EPSILON / 2.0);

/// What products smaller than the smallest normal number lose at most, with a wide margin.
pub(super) const UNDERFLOW: f64 = f64::MIN_POSITIVE;

/// How near to zero a difference must come to count: by rounding and by the minimum separation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// ε, m, by axis.
    pub rounding: DVec3,
    /// ε + d, m, by axis; rounded up.
    pub axes: DVec3,
    /// d where it is the straight distance, else 0, m.
    round: f64,
    /// Whether there is a separation.
    pub wide: bool,
}

impl Reach {
    #[inline(always)]
    pub fn new(largest: DVec3, settings: &Settings) -> Self {
        let rounding = largest * ROUNDING + UNDERFLOW;
        let outward = 1.0 + 4.0 * f64::EPSILON;
        let axes = (rounding + settings.separation) * outward;
        let round = match settings.metric {
            Metric::Chebyshev => 0.0,
            Metric::Euclidean => settings.separation * outward,
        };
        Self { rounding, axes, round, wide: settings.separation > 0.0 }
    }

    /// The largest |n·F| that counts, for any direction n, of any length.
    #[inline(always)]
    pub fn along(&self, n: DVec3) -> f64 {
        if self.round == 0.0 {
            n.abs().dot(self.axes) + UNDERFLOW
        } else {
            // Over the ball |n·x| ≤ |n| d.
            n.abs().dot(self.rounding) + n.length() * self.round + UNDERFLOW
        }
    }
}
