//! The contacts of the last step, and those that there would be now.

use drystone_engine::{BodyHandle, ContactBetween};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::PyWorld;
use crate::arrays::records;
use crate::contact_array;
use crate::failure::Outcome;

fn array<'py>(py: Python<'py>, words: Vec<u64>) -> Outcome<Bound<'py, PyAny>> {
    static CONTACT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let kind = CONTACT.import(py, "drystone._world", "WORLD_CONTACT")?;
    Ok(records(words, kind)?)
}

/// Appends a contact as the fields of `drystone.WORLD_CONTACT`.
fn push(words: &mut Vec<u64>, between: &ContactBetween, impulse: [f64; 4], handles: &[BodyHandle]) {
    words.extend([between.a, between.b].map(|body| handles[body.index()].to_bits()));
    contact_array::push(words, &between.contact);
    words.extend(impulse.map(f64::to_bits));
}

/// Contacts of a scene, whose bodies are counted.
///
/// # Errors
/// None that are known.
pub fn array_of_scene<'py>(py: Python<'py>, contacts: &[ContactBetween]) -> Outcome<Bound<'py, PyAny>> {
    let mut words = Vec::new();
    for between in contacts {
        words.extend([between.a, between.b].map(|body| body.index() as u64));
        contact_array::push(&mut words, &between.contact);
        words.extend([0.0_f64.to_bits(); 4]);
    }
    array(py, words)
}

#[pymethods]
impl PyWorld {
    /// The contacts of the last step, as an array of :data:`drystone.WORLD_CONTACT`, pair by pair, where the bodies were when the step looked for
    /// them.
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        let words = self.with(py, |held| {
            let report = &held.report;
            let mut words = Vec::new();
            for (between, &impulse) in report.contacts.iter().zip(&report.impulses) {
                push(&mut words, between, impulse, &report.handles);
            }
            Ok(words)
        })?;
        array(py, words)
    }

    /// The contacts of the bodies where they are now, without a step, as an array of :data:`drystone.WORLD_CONTACT` with impulses of zero.
    ///
    /// Raises:
    ///     WorldError: A state is not finite.
    fn detect<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        let words = self.busy(py, |held| {
            let detected = held.world.detect_now()?;
            let mut words = Vec::new();
            detected.contacts.iter().for_each(|between| push(&mut words, between, [0.0; 4], held.world.handles()));
            Ok(words)
        })?;
        array(py, words)
    }
}
