//! How the motion within a step is limited.

use serde::{Deserialize, Serialize};

/// Limits the motion within a step to the earliest impact. A step is then made in parts: motion up to the first impact,
/// contacts, new velocities, motion for the time that is left, up to the next impact, and so on.
///
/// Bodies are kept apart: contacts count as closed at a small gap, the clearance of the pair, and no motion takes a pair
/// nearer than half of it, or than [`ImpactLimit::share`] of where it was if that is less. Below a thirty-second of it
/// the pair moves only for as long as it comes no nearer, unless another pair ends the motion before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImpactLimit {
    /// The gap at which contacts count as closed, m. It is less for a pair of which the contact generator reports
    /// no contacts at such a gap: half of its reach.
    pub clearance: f64,
    /// A pair that is nearer than the clearance keeps at least this share of its distance in each motion; between 0
    /// and 1.
    pub share: f64,
    /// Bodies that hinder each other again and again within a step are asked to part, faster each time, up to this
    /// speed, m/s.
    pub parting: f64,
    /// A step is made in so many parts at most; time that is left then is not stepped.
    pub parts: usize,
    /// The turning motion of a pair is divided into so many pieces at most; what is left then counts as an impact.
    pub pieces: usize,
    /// The limit of checks of a query.
    pub checks: u64,
}

impl Default for ImpactLimit {
    /// A clearance of 0.1 mm, parting at up to 0.1 m/s, 64 parts of a step, 4096 pieces of a motion, 20,000 checks of a query.
    fn default() -> Self {
        Self { clearance: 1e-4, share: 0.7, parting: 0.1, parts: 64, pieces: 4096, checks: 20_000 }
    }
}

/// Pairs nearer than this share of their clearance move only for as long as they come no nearer.
const FLOOR: f64 = 1.0 / 32.0;

/// The nearest that a pair is let come, as a share of its clearance.
const STOP: f64 = 0.5;

impl ImpactLimit {
    /// The clearance of a pair, given how far the generator reaches for its two shapes, m.
    pub(crate) fn clearance(&self, reaches: [f64; 2]) -> f64 {
        let reach = reaches[0].min(reaches[1]);
        if reach > 0.0 { self.clearance.min(0.5 * reach) } else { self.clearance }
    }

    /// The distance that a pair with this clearance keeps, being as far apart as `now`, m.
    pub(crate) fn kept(&self, clearance: f64, now: f64) -> f64 {
        (STOP * clearance).min(self.share * now)
    }

    /// A pair with this clearance that is nearer than this moves only as far as it parts, m.
    pub(crate) fn floor(&self, clearance: f64) -> f64 {
        FLOOR * clearance
    }

    /// How fast a pair is to part that has hindered the motion so often in a step, m/s: not for the first impact; then
    /// with the clearance in a time step, and twice as fast each time.
    pub(crate) fn parting_speed(&self, clearance: f64, impacts: u32, time_step: f64) -> f64 {
        match impacts {
            0 | 1 => 0.0,
            _ => (clearance / time_step * libm::exp2(f64::from(impacts - 2))).min(self.parting),
        }
    }

    /// As far as this it makes no difference how far apart a pair is, m.
    pub(crate) fn horizon(&self, clearance: f64) -> f64 {
        STOP * clearance / self.share
    }
}
