//! Snapshots: all of a simulator of surfaces that its future depends on, as plain data.
//!
//! Velocity balls, cubes, certificates and the queue are part of it. No motion depends on them, but what is reported does, and so
//! does how long a step takes.

use serde::{Deserialize, Serialize};

use super::simulation::AsynchronousSimulation;
use super::simulator::AsynchronousSimulator;
use crate::world::SnapshotError;

/// A simulator of surfaces as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AsynchronousSnapshot {
    /// Of a frame, s.
    pub time_step: f64,
    /// How many frames there were.
    pub steps: u64,
    simulation: AsynchronousSimulation,
}

impl AsynchronousSimulator {
    /// All of the simulator that its future depends on.
    pub fn snapshot(&self) -> AsynchronousSnapshot {
        let mut simulation = self.simulation().clone();
        simulation.clear();
        AsynchronousSnapshot { time_step: self.time_step(), steps: self.steps(), simulation }
    }

    /// The simulator of a snapshot: it goes on as the first one does, bit for bit.
    ///
    /// # Errors
    /// [`SnapshotError`].
    pub fn from_snapshot(snapshot: &AsynchronousSnapshot) -> Result<Self, SnapshotError> {
        let mut simulation = snapshot.simulation.clone();
        if !simulation.rebuild()? {
            return Err(SnapshotError::Damaged("surfaces, pairs and events do not fit together"));
        }
        Ok(Self::new(simulation, snapshot.time_step)?.after(snapshot.steps))
    }
}
