//! Recordings of runs: written while a world steps, read, verified and gone on with.

use std::path::PathBuf;
use std::sync::Mutex;

use drystone_engine::recording::{Recorder, Recording, RecordingError, RecordingSettings, ReplayError};
use pyo3::prelude::*;

use super::step::BETWEEN_LOOKS;
use super::{Held, OpenRecording, PyWorld};
use crate::callback;
use crate::failure::{Failure, Outcome, guarded};
use crate::snapshot::Frames;
use crate::threads::{self, Crew};

impl From<RecordingError> for Failure {
    fn from(error: RecordingError) -> Self {
        Self::World(error.to_string())
    }
}

impl From<ReplayError> for Failure {
    fn from(error: ReplayError) -> Self {
        Self::World(error.to_string())
    }
}

#[pymethods]
impl PyWorld {
    /// Writes all steps from now on into a file, until :meth:`stop_recording`; ``drystone replay`` and the viewer read it. It grows as
    /// ``PATH.part`` and takes its place at the end.
    ///
    /// Args:
    ///     path: Where it goes.
    ///     scene: A name for the run.
    ///     note: Anything else.
    ///     keyframes: A whole snapshot follows every so many steps; 0 for the one at the start alone.
    ///
    /// Raises:
    ///     WorldError: There is a recording already, or the file cannot be written.
    #[pyo3(signature = (path, /, *, scene = "", note = "", keyframes = 100))]
    fn record(&self, py: Python<'_>, path: PathBuf, scene: &str, note: &str, keyframes: u64) -> Outcome<()> {
        let settings =
            RecordingSettings { scene: scene.into(), note: note.into(), keyframes, ..RecordingSettings::default() };
        self.with(py, |held| {
            if held.recorder.is_some() {
                return Err(Failure::World("the world is being recorded already; stop that first".into()));
            }
            let recorder = Recorder::create(path, &held.world, &settings);
            held.recorder = Some(recorder.map_err(|error| Failure::World(error.to_string()))?);
            Ok(())
        })
    }

    /// Ends the recording and puts the file in its place.
    ///
    /// Raises:
    ///     WorldError: There is no recording, or the file cannot be written.
    fn stop_recording(&self, py: Python<'_>) -> Outcome<()> {
        self.with(py, |held| {
            let recorder = held.recorder.take();
            let recorder = recorder.ok_or_else(|| Failure::World("the world is not being recorded".into()))?;
            recorder.finish().map_err(|error| Failure::World(error.to_string()))
        })
    }
}

/// A recording in a file, of a world of any program.
///
/// Args:
///     path: The file.
///     generator: The generator that found the contacts, if that is written in Python.
///
/// Raises:
///     WorldError: The file cannot be read, is cut off or was altered.
#[pyclass(name = "Recording", module = "drystone", frozen)]
pub struct PyRecording {
    recording: Mutex<OpenRecording>,
    path: String,
    generator: Option<Py<PyAny>>,
}

impl PyRecording {
    fn with<T: Send>(&self, py: Python<'_>, body: impl FnOnce(&mut OpenRecording) -> Outcome<T> + Send) -> Outcome<T> {
        // The calling thread works alone, whatever the recorded program did: results are the same.
        let crew = Crew::of(py, 1)?;
        py.detach(|| {
            let mut recording =
                self.recording.lock().map_err(|_| Failure::Panic("a recording was left half-way".into()))?;
            let recording = &mut *recording;
            crew.run(|| body(recording))
        })
    }
}

#[pymethods]
impl PyRecording {
    #[new]
    #[pyo3(signature = (path, /, *, generator = None))]
    fn new(path: PathBuf, generator: Option<&Bound<'_, PyAny>>) -> Outcome<Self> {
        let registry = callback::registry_with(generator)?;
        let recording = guarded(|| Ok(Recording::open(&path)?.with_registry(registry)))?;
        let generator = generator.map(|own| own.clone().unbind());
        Ok(Self { recording: Mutex::new(recording), path: path.display().to_string(), generator })
    }

    /// The number of the first recorded step, from 1.
    #[getter]
    fn first_step(&self, py: Python<'_>) -> Outcome<u64> {
        self.with(py, |recording| Ok(recording.first_step()))
    }

    /// The number of the last recorded step.
    #[getter]
    fn last_step(&self, py: Python<'_>) -> Outcome<u64> {
        self.with(py, |recording| Ok(recording.next_step() - 1))
    }

    /// The name of the run.
    #[getter]
    fn scene(&self, py: Python<'_>) -> Outcome<String> {
        self.with(py, |recording| Ok(recording.header().scene.clone()))
    }

    /// What else was noted.
    #[getter]
    fn note(&self, py: Python<'_>) -> Outcome<String> {
        self.with(py, |recording| Ok(recording.header().note.clone()))
    }

    /// The world as it was after a step, to go on with it; 0 or one less than the first step is the start. Its :attr:`World.poses` are those of body
    /// frames: origin in the centre of mass, axes along the principal axes of inertia.
    ///
    /// Raises:
    ///     WorldError: There is no such step, the steps to it come out otherwise than recorded, or the recording is not one of a
    ///         ``World``.
    #[pyo3(signature = (step, /, *, threads = 1))]
    fn world(&self, py: Python<'_>, step: u64, threads: usize) -> Outcome<PyWorld> {
        let threads = threads::count(Some(threads))?;
        let world = self.with(py, |recording| Ok(recording.replay_from(step.saturating_add(1))?.into_world()))?;
        let world = world.ok_or_else(|| Failure::World("another simulator than World made this recording".into()))?;
        let generator = self.generator.as_ref().map(|own| own.clone_ref(py));
        Ok(PyWorld::of(Held::new(world, Frames::new()), threads, generator))
    }

    /// Makes all steps again and compares them with the recorded ones, bit by bit. Ctrl-C ends it.
    ///
    /// Raises:
    ///     WorldError: A step comes out otherwise, with the first difference.
    fn verify(&self, py: Python<'_>) -> Outcome<()> {
        let mut next = self.with(py, |recording| Ok(recording.first_step()))?;
        loop {
            let at = self.with(py, |recording| {
                let mut replay = recording.replay_from(next)?;
                let start = std::time::Instant::now();
                while replay.step()?.is_some() {
                    if start.elapsed() > 10 * BETWEEN_LOOKS {
                        return Ok(Some(replay.next_step()));
                    }
                }
                Ok(None)
            })?;
            py.check_signals()?;
            match at {
                Some(at) => next = at,
                None => return Ok(()),
            }
        }
    }

    fn __repr__(&self) -> String {
        format!("<drystone.Recording {}>", self.path)
    }
}
