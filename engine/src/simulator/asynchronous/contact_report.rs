//! What has been seen of contacts.

use serde::{Deserialize, Serialize};

/// Counts and extremes since the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactReport {
    /// Ticks of penalty layers.
    pub penalties: u64,
    /// Slabs that failed.
    pub slabs: u64,
    /// Slabs whose failure was computed again as a velocity had left its ball.
    pub rescheduled: u64,
    /// Vertices that left their cubes.
    pub cubes: u64,
    /// Velocities that left their balls.
    pub balls: u64,
    /// The largest number of layers that were active between two features.
    pub deepest_layer: u32,
    /// The least distance at which layers acted or certificates were made, m; infinite if there was none.
    pub closest: f64,
    /// The highest speed with which two features that touch came nearer, m/s.
    pub fastest: f64,
}

impl ContactReport {
    /// Of nothing.
    pub(super) fn none() -> Self {
        Self {
            penalties: 0,
            slabs: 0,
            rescheduled: 0,
            cubes: 0,
            balls: 0,
            deepest_layer: 0,
            closest: f64::INFINITY,
            fastest: 0.0,
        }
    }
}
