//! The time that a part of a step takes, where the feature `timings` is on. Without it no clock is asked: not every machine has one.

use std::time::Duration;

/// Hands out the time since it was last asked: zero without the feature `timings`.
pub(crate) struct Lap {
    #[cfg(feature = "timings")]
    since: std::time::Instant,
}

#[cfg(feature = "timings")]
impl Lap {
    pub fn start() -> Self {
        Self { since: std::time::Instant::now() }
    }

    pub fn next(&mut self) -> Duration {
        let now = std::time::Instant::now();
        now - std::mem::replace(&mut self.since, now)
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
}
