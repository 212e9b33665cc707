//! Which bodies are in each other where they are now, by their surfaces and not by contacts.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::PyWorld;
use crate::arrays::records;
use crate::failure::{Failure, Outcome};
use crate::overlap::push;

#[pymethods]
impl PyWorld {
    /// How far bodies are in each other where they are now, measured by their surfaces alone: what no method and no solver has a say in. Only
    /// bodies that may touch are asked.
    ///
    /// Returns:
    ///     An array of :data:`drystone.WORLD_OVERLAP`, one for each pair that overlaps, in the order of the bodies; none of a pair that only touches.
    ///
    /// Raises:
    ///     WorldError: The overlap of two shapes cannot be measured.
    fn overlaps<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        let words = self.busy(py, |held| {
            let found = held.world.overlaps().map_err(|error| Failure::World(error.to_string()))?;
            let handles = held.world.handles();
            let mut words = Vec::with_capacity(7 * found.len());
            for overlap in found {
                words.extend([overlap.a, overlap.b].map(|body| handles[body.index()].to_bits()));
                push(&mut words, overlap.depth, overlap.volume, overlap.position);
            }
            Ok(words)
        })?;
        static WORLD_OVERLAP: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let kind = WORLD_OVERLAP.import(py, "drystone._overlap", "WORLD_OVERLAP")?;
        Ok(records(words, kind)?)
    }
}
