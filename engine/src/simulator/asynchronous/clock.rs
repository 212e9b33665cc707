//! Time in whole ticks, and clocks with steps that are powers of two of them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A time since the start, in ticks of [`Ticks::DURATION`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ticks(pub u64);

impl Ticks {
    /// Of a tick, s: a power of two, so that up to half an hour of ticks are exact in seconds.
    pub const DURATION: f64 = 1.0 / (1u64 << 42) as f64;

    /// Simulations end before this, s: twelve days. So far beyond any time in use all clocks have ticks left.
    pub const END: f64 = (1u64 << 20) as f64;

    /// The last tick that is no later than a time, s; the start for times before it, and the largest number beyond that.
    pub fn at(seconds: f64) -> Self {
        Self((seconds / Self::DURATION) as u64)
    }

    /// s.
    pub fn seconds(self) -> f64 {
        self.0 as f64 * Self::DURATION
    }

    /// The last tick that is no later than so many seconds after this one.
    pub fn plus(self, seconds: f64) -> Self {
        Self(self.0.saturating_add(Self::at(seconds).0))
    }

    /// From an earlier time to this one, s.
    pub fn since(self, earlier: Self) -> f64 {
        (self.0 - earlier.0) as f64 * Self::DURATION
    }
}

impl fmt::Display for Ticks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.seconds())
    }
}

/// A clock that ticks at all multiples of its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Clock {
    /// The step is 2 to the power of this, in ticks.
    exponent: u32,
}

impl Clock {
    /// The longest step, 2⁴⁰ ticks: a quarter of a second.
    const LONGEST: u32 = 40;

    /// The clock with the longest step that is no longer than a time, s; `None` if that is shorter than a tick, or not a number.
    pub fn with_step(longest: f64) -> Option<Self> {
        let ticks = Ticks::at(longest).0;
        (ticks > 0).then(|| Self { exponent: ticks.ilog2().min(Self::LONGEST) })
    }

    /// The step is 2 to the power of this, in ticks.
    pub(super) fn exponent(self) -> u32 {
        self.exponent
    }

    /// The step, s.
    pub fn step(self) -> f64 {
        Ticks(1 << self.exponent).seconds()
    }

    /// Whether it ticks at a time.
    pub fn ticks_at(self, now: Ticks) -> bool {
        now.0 & ((1 << self.exponent) - 1) == 0
    }

    /// Its first tick after a time.
    pub fn after(self, now: Ticks) -> Ticks {
        Ticks(((now.0 >> self.exponent) + 1) << self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_tick_at_multiples_of_powers_of_two() {
        let clock = Clock::with_step(1e-3).unwrap();
        assert_eq!(clock.step(), 1.0 / 1024.0);
        let mut now = Ticks::default();
        for k in 1..2000 {
            now = clock.after(now);
            assert_eq!(now.seconds(), f64::from(k) / 1024.0);
            assert!(clock.ticks_at(now) && !clock.ticks_at(Ticks(now.0 - 1)));
        }
        // Between its ticks as well.
        assert_eq!(clock.after(Ticks(now.0 - 1)), now);
        assert_eq!(Clock::with_step(1e9).unwrap().step(), 0.25);
        for none in [0.0, -1.0, f64::NAN, 0.5 * Ticks::DURATION] {
            assert_eq!(Clock::with_step(none), None);
        }
    }
}
