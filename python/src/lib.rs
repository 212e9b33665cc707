//! The private extension module of the Python package `drystone`. What Python sees is documented as Python does it.

// Examples of Python look like quotations.
#![allow(clippy::doc_lazy_continuation)]

mod arrays;
mod batch;
mod callback;
mod ccd;
mod closest;
mod cone_filter;
mod contact_array;
mod contacts;
mod failure;
mod interrupt;
mod job;
mod method;
mod overlap;
mod scenes;
mod shape;
mod snapshot;
mod study;
mod threads;
mod world;

/// The extension module.
#[pyo3::pymodule(name = "_drystone", gil_used = true)]
mod extension {
    use crate::{failure, threads};
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::ccd::find_meetings;
    #[pymodule_export]
    use crate::closest::{closest, closest_many};
    #[pymodule_export]
    use crate::cone_filter::cone_filter;
    #[pymodule_export]
    use crate::contacts::{contacts, contacts_many};
    #[pymodule_export]
    use crate::job::{_program, _read_jobs, _run_job};
    #[pymodule_export]
    use crate::method::{PyMethod, methods};
    #[pymodule_export]
    use crate::overlap::{overlap, overlap_many};
    #[pymodule_export]
    use crate::scenes::{PyScene, PySceneBody, assess_json, scene_names, scenes};
    #[pymodule_export]
    use crate::shape::{PyShape, shape_of_bytes};
    #[pymodule_export]
    use crate::study::{study_json, study_names};
    #[pymodule_export]
    use crate::world::{
        PyContactPair, PyEvent, PyJoint, PyJointState, PyMotor, PyRayHit, PyRecording, PyStepReport, PyWorld,
    };

    /// Panics, for the test that no panic reaches Python.
    #[pyfunction]
    fn _panic(py: Python<'_>, threads: usize) -> failure::Outcome<()> {
        threads::released(py, threads, || panic!("this is a test"))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
