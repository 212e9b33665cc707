//! Forces that are prescribed on vertices.

use std::collections::BTreeMap;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::clock::Ticks;
use super::error::AsynchronousError;
use super::simulation::AsynchronousSimulation;
use drystone_contact::sorting::CompactSort;

/// From a time on, a force acts on each of some vertices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForceKey {
    /// s.
    pub time: f64,
    /// Which. Forces of several keys on a vertex do not add up: the last holds.
    pub vertices: Vec<u32>,
    /// On each of them, N.
    pub force: DVec3,
}

impl AsynchronousSimulation {
    /// Lets forces act on vertices from times on, beside all others: at each tick of gravity that of the last key before it.
    ///
    /// # Errors
    /// [`AsynchronousError`]: a time before the present, or a vertex or force that is none.
    pub fn with_forces(mut self, keys: Vec<ForceKey>) -> Result<Self, AsynchronousError> {
        for ForceKey { time, vertices, force } in &keys {
            if time.is_nan() || Ticks::at(*time) < self.now || *time < 0.0 {
                return Err(AsynchronousError::Time { now: self.time(), time: *time });
            }
            if !force.is_finite() {
                let value = force.length();
                return Err(AsynchronousError::Parameter { what: "force on a vertex", value, must: "finite" });
            }
            vertices.iter().try_for_each(|&vertex| self.check_velocity(vertex, DVec3::ZERO))?;
        }
        self.forces.extend(keys);
        self.forces.compact_sort_by(|a, b| a.time.total_cmp(&b.time));
        if !self.forces.is_empty() {
            self.queue.schedule(0, self.gravity_clock.after(self.now));
        }
        Ok(self)
    }

    /// Prescribed forces act for a step of gravity.
    pub(super) fn push(&mut self, now: Ticks) {
        let passed = self.forces.partition_point(|key| Ticks::at(key.time) <= now);
        let mut acting = BTreeMap::new();
        for key in &self.forces[..passed] {
            acting.extend(key.vertices.iter().map(|&vertex| (vertex, key.force)));
        }
        for (vertex, force) in acting {
            self.vertices.kick(vertex, force * self.gravity_clock.step(), now);
        }
    }
}
