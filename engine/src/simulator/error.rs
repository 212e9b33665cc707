//! What keeps a simulator from doing what was asked.

use super::asynchronous::AsynchronousError;
use super::backtracking::BacktrackingError;
use crate::overlap::BodyOverlapError;
use crate::world::WorldError;

/// What keeps a simulator from doing what was asked. It is then unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimulatorError {
    /// The time-stepping simulator.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The backtracking simulator.
    #[error(transparent)]
    Backtracking(#[from] BacktrackingError),
    /// The asynchronous simulator.
    #[error(transparent)]
    Asynchronous(#[from] AsynchronousError),
    /// The measure of overlaps.
    #[error(transparent)]
    Overlap(#[from] BodyOverlapError),
}
