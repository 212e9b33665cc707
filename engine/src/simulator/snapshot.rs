//! The snapshot of any simulator, and the way back from it.

use super::asynchronous::{AsynchronousSimulator, AsynchronousSnapshot};
use super::backtracking::{BacktrackingSimulator, BacktrackingSnapshot};
use super::{Simulator, SimulatorKind};
use crate::world::snapshot::BodyRecord;
use crate::world::{Snapshot, SnapshotError, World};
use drystone_contact::generator::Registry;

/// All that the future of a simulator depends on, as plain data.
#[derive(Clone, Debug, PartialEq)]
pub enum SimulatorSnapshot {
    /// Of a [`World`].
    TimeStepping(Box<Snapshot>),
    /// Of a [`BacktrackingSimulator`].
    Backtracking(Box<BacktrackingSnapshot>),
    /// Of an [`AsynchronousSimulator`].
    Asynchronous(Box<AsynchronousSnapshot>),
}

impl SimulatorSnapshot {
    /// Of which simulator.
    pub fn kind(&self) -> SimulatorKind {
        match self {
            Self::TimeStepping(_) => SimulatorKind::TimeStepping,
            Self::Backtracking(_) => SimulatorKind::Backtracking,
            Self::Asynchronous(_) => SimulatorKind::Asynchronous,
        }
    }

    /// How many steps were made.
    pub fn steps(&self) -> u64 {
        match self {
            Self::TimeStepping(snapshot) => snapshot.steps,
            Self::Backtracking(snapshot) => snapshot.steps,
            Self::Asynchronous(snapshot) => snapshot.steps,
        }
    }

    /// The bodies in the order of insertion.
    pub fn bodies(&self) -> &[BodyRecord] {
        match self {
            Self::TimeStepping(snapshot) => &snapshot.bodies,
            Self::Backtracking(snapshot) => &snapshot.bodies,
            Self::Asynchronous(_) => &[],
        }
    }

    /// The bodies, to change them.
    pub(crate) fn bodies_mut(&mut self) -> &mut [BodyRecord] {
        match self {
            Self::TimeStepping(snapshot) => &mut snapshot.bodies,
            Self::Backtracking(snapshot) => &mut snapshot.bodies,
            Self::Asynchronous(_) => &mut [],
        }
    }

    /// The simulator of the snapshot, with its method from a registry.
    ///
    /// # Errors
    /// [`SnapshotError`].
    pub fn restored(&self, registry: &Registry) -> Result<Box<dyn Simulator>, SnapshotError> {
        Ok(match self {
            Self::TimeStepping(snapshot) => Box::new(World::from_snapshot(snapshot, registry)?),
            Self::Backtracking(snapshot) => Box::new(BacktrackingSimulator::from_snapshot(snapshot)?),
            Self::Asynchronous(snapshot) => Box::new(AsynchronousSimulator::from_snapshot(snapshot)?),
        })
    }
}
