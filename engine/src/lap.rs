//! The time that a part of a step takes, where the feature `timings` is on. Without it no clock is asked: not every machine has one.

use std::time::Duration;

/// Hands out the time since it was last asked: zero without the feature `timings`.
pub(crate) struct Lap {
    #[cfg(feature = "timings")]
    start: std::time::Instant,
    #[cfg(feature = "timings")]
    since: std::time::Instant,
}

#[cfg(feature = "timings")]
impl Lap {
    pub fn start() -> Self {
        let start = std::time::Instant::now();
        Self { start, since: start }
    }

    pub fn next(&mut self) -> Duration {
        let now = std::time::Instant::now();
        now - std::mem::replace(&mut self.since, now)
    }

    /// From the start until it was last asked.
    pub fn total(&self) -> Duration {
        self.since - self.start
    }
}

#[cfg(not(feature = "timings"))]
impl Lap {
    pub fn start() -> Self {
        Self {}
    }

    pub fn next(&mut self) -> Duration {
        Duration::ZERO
    }

    pub fn total(&self) -> Duration {
        Duration::ZERO
    }
}
