//! The world of Python: a world behind a lock, so that any thread may use it at any time.

mod bodies;
mod contact_hook;
mod contacts;
mod events;
mod joints;
mod materials;
mod overlaps;
mod point_queries;
mod queries;
mod recording;
mod shape_queries;
mod states;
mod step;

use std::fs::File;
use std::io::BufReader;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Instant;

use drystone_contact::Pose;
use drystone_contact::shape::Shape;
use drystone_engine::ccd::CcdSettings;
use drystone_engine::recording::{PartFile, Recorder};
use drystone_engine::world::WorldReport;
use drystone_engine::{Body, BodyHandle, Solid, World, WorldError, WorldSettings};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

pub use contact_hook::PyContactPair;
pub use contacts::array_of_scene as contacts_of_scene;
pub use events::PyEvent;
pub use joints::{PyJoint, PyJointState, PyMotor};
pub use queries::PyRayHit;
pub use recording::PyRecording;
pub use step::PyStepReport;

use contact_hook::Functions;

use crate::arrays::vector;
use crate::callback;
use crate::failure::{Failure, Outcome, guarded};
use crate::interrupt::Watch;
use crate::method::{PyMethod, method_or_default};
use crate::snapshot::{self, Frames};
use crate::threads::{self, Crew};

/// Bodies that move, touch and push each other.
///
/// Bodies are named by the numbers that :meth:`add` returns; no number is used twice. Arrays of states are in the order of
/// :attr:`bodies`, in which bodies were added, and are snapshots: they are read-only and later steps do not change them. Any thread
/// may use a world at any time; those that read while another one steps get the state between two steps. Results do not depend on
/// the number of threads.
///
/// Args:
///     method: How contacts are found; semi-local by default.
///     solver: ``"soft"`` (fast), ``"soft-accurate"`` (for stiff stacks), ``"prox-gauss-seidel"``, ``"svd"`` or ``"global"``.
///     time_step: s.
///     gravity: Acceleration of free fall, world frame, m/s².
///     ccd: Whether steps are divided at times of impact, so that nothing passes through anything at any speed (polyhedra alone, no
///         joints): ``True``, or a dict with some of the settings ``clearance``, ``kept_share``, ``parting_speed``,
///         ``max_substeps``, ``max_intervals``, ``max_iterations``.
///     threads: How many threads work in a step. The calling thread works alone by default, which is best for small worlds.
///
/// Raises:
///     MethodError: There is no such method.
///     WorldError: There is no such solver or setting.
///
/// >>> import drystone as ds
/// >>> world = ds.World()
/// >>> ground = world.add(ds.Shape.box((10, 1, 10)), ds.pose((0, -0.5, 0)), fixed=True)
/// >>> cube = world.add(ds.Shape.box((1, 1, 1)), ds.pose((0, 0.6, 0)), density=2400)
/// >>> report = world.step(100)
/// >>> round(float(world.positions[1, 1]), 2), report.contacts
/// (0.5, 4)
#[pyclass(name = "World", module = "drystone", frozen)]
pub struct PyWorld {
    held: Mutex<Held>,
    /// That of what the lock protects.
    watch: Arc<Watch>,
    /// How many threads wait for the lock.
    waiting: AtomicUsize,
    threads: usize,
    /// What finds the contacts, if it is a Python object.
    generator: Option<Py<PyAny>>,
}

/// What the lock protects.
pub struct Held {
    world: World,
    /// Of the last step.
    report: WorldReport,
    /// The events of the last call of `step`.
    events: Vec<PyEvent>,
    frames: Frames,
    /// Shapes in body frames by density (kg/m³), so that bodies of one shape share it.
    solids: Vec<(Arc<Shape>, f64, Solid)>,
    recorder: Option<Recorder<PartFile>>,
    /// What has a say in contacts.
    functions: Option<Arc<Functions>>,
    /// Ends long steps.
    watch: Arc<Watch>,
    /// How many bodies there were in the last step, and whether one with so many was long.
    last_steps: (usize, bool),
    /// Whether anybody had the world since the last step.
    was_used: bool,
    /// Whether something panicked half-way.
    is_broken: bool,
}

impl Held {
    fn new(world: World, frames: Frames) -> Self {
        Self {
            world,
            report: WorldReport::default(),
            events: Vec::new(),
            frames,
            solids: Vec::new(),
            recorder: None,
            functions: None,
            watch: Arc::default(),
            last_steps: (usize::MAX, false),
            was_used: true,
            is_broken: false,
        }
    }

    /// Runs what may panic. Where it does, the world cannot be used any more.
    fn guarded<T>(&mut self, body: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.is_broken {
            return Err(Failure::Panic("this world cannot be used after an internal error".into()));
        }
        let outcome = guarded(|| body(self));
        self.is_broken = matches!(outcome, Err(Failure::Panic(_)));
        outcome
    }

    /// Where the frame is in which the shape of a body was given.
    fn shape_pose(&self, handle: BodyHandle, body: &Body) -> Pose {
        self.frames.get(&handle).map_or(body.pose(), |frame| body.pose() * frame.inverse())
    }

    /// The handles and states of all bodies.
    fn all(&self) -> impl ExactSizeIterator<Item = (BodyHandle, &Body)> {
        self.world.handles().iter().copied().zip(self.world.bodies())
    }
}

impl PyWorld {
    fn of(held: Held, threads: usize, generator: Option<Py<PyAny>>) -> Self {
        Self {
            watch: Arc::clone(&held.watch),
            held: Mutex::new(held),
            waiting: AtomicUsize::new(0),
            threads,
            generator,
        }
    }

    /// A world of a scene, with the generator that finds its contacts if that is a Python object.
    pub fn of_scene(world: World, threads: usize, generator: Option<Py<PyAny>>) -> Self {
        Self::of(Held::new(world, Frames::new()), threads, generator)
    }

    /// Waits for the world. The caller does not hold the GIL, which a generator may need for the step to end.
    fn lock(&self) -> Outcome<MutexGuard<'_, Held>> {
        let guard = match self.held.try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::Poisoned(_)) => None,
            Err(TryLockError::WouldBlock) => {
                self.waiting.fetch_add(1, Ordering::Relaxed);
                let guard = self.held.lock();
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                guard.ok()
            }
        };
        guard.ok_or_else(|| Failure::Panic("this world cannot be used after an internal error".into()))
    }

    /// Something short: at once if the world is free, else as soon as it is.
    fn with<T: Send>(&self, py: Python<'_>, body: impl FnOnce(&mut Held) -> Outcome<T> + Send) -> Outcome<T> {
        threads::alone()?;
        let body = |held: &mut Held| {
            held.was_used = true;
            body(held)
        };
        match self.held.try_lock() {
            Ok(mut held) => held.guarded(body),
            Err(TryLockError::WouldBlock) if callback::is_running() => Err(Failure::World(
                "this world is in a step and waits for this call to end; use it between steps".into(),
            )),
            Err(_) => py.detach(|| self.lock()?.guarded(body)),
        }
    }

    /// Something long, with the GIL released, on the threads of the world. The lock is held by the calling thread: a thread of a pool
    /// that waits for others may take other work, which must not find the lock with itself.
    fn busy<T: Send>(&self, py: Python<'_>, body: impl FnOnce(&mut Held) -> Outcome<T> + Send) -> Outcome<T> {
        if callback::is_running() {
            return self.with(py, body);
        }
        let crew = Crew::of(py, self.threads)?;
        py.detach(|| {
            let mut held = self.lock()?;
            let held = &mut *held;
            held.was_used = true;
            self.watch.begin(Instant::now());
            self.watch.concluded(crew.run_watched(&self.watch, || held.guarded(body)))
        })
    }
}

/// The argument, if it is a generator in Python.
fn generator_of(method: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Py<PyAny>>> {
    let Some(method) = method else { return Ok(None) };
    Ok(callback::is_generator(method)?.then(|| method.clone().unbind()))
}

fn settings(
    solver: &str,
    time_step: f64,
    gravity: Option<&Bound<'_, PyAny>>,
    ccd: Option<&Bound<'_, PyAny>>,
) -> Outcome<WorldSettings> {
    let mut settings = WorldSettings::fast();
    settings.step.contact_solver = solver.parse().map_err(|error| Failure::World(format!("{error}")))?;
    settings.step.time_step = time_step;
    if !(time_step.is_finite() && time_step > 0.0) {
        return Err(Failure::World(WorldError::TimeStep(time_step).to_string()));
    }
    if let Some(gravity) = gravity {
        settings.step.forces.gravity = vector(gravity, "gravity")?;
    }
    settings.ccd = ccd.map(ccd_settings).transpose()?.flatten();
    Ok(settings)
}

fn ccd_settings(argument: &Bound<'_, PyAny>) -> Outcome<Option<CcdSettings>> {
    if let Ok(is_on) = argument.extract::<bool>() {
        return Ok(is_on.then(CcdSettings::default));
    }
    let text: String = argument.py().import("json")?.call_method1("dumps", (argument,))?.extract()?;
    serde_json::from_str(&text).map(Some).map_err(|error| Failure::World(format!("settings of ccd: {error}")))
}

#[pymethods]
impl PyWorld {
    #[new]
    #[pyo3(signature = (method = None, *, solver = "soft", time_step = 0.01, gravity = None, ccd = None, threads = 1))]
    fn new(
        method: Option<&Bound<'_, PyAny>>,
        solver: &str,
        time_step: f64,
        gravity: Option<&Bound<'_, PyAny>>,
        ccd: Option<&Bound<'_, PyAny>>,
        threads: usize,
    ) -> Outcome<Self> {
        let settings = settings(solver, time_step, gravity, ccd)?;
        let mut world = World::new(settings, method_or_default(method)?);
        world.materials_mut().add(materials::DEFAULT)?;
        let generator = generator_of(method)?;
        Ok(Self::of(Held::new(world, Frames::new()), threads::count(Some(threads))?, generator))
    }

    /// The time, s.
    #[getter]
    fn time(&self, py: Python<'_>) -> Outcome<f64> {
        self.with(py, |held| Ok(held.world.time()))
    }

    /// How many steps were made.
    #[getter]
    fn steps(&self, py: Python<'_>) -> Outcome<u64> {
        self.with(py, |held| Ok(held.world.steps()))
    }

    /// The time step, s. It can be set.
    #[getter]
    fn time_step(&self, py: Python<'_>) -> Outcome<f64> {
        self.with(py, |held| Ok(held.world.settings().step.time_step))
    }

    #[setter]
    fn set_time_step(&self, py: Python<'_>, time_step: f64) -> Outcome<()> {
        if !(time_step.is_finite() && time_step > 0.0) {
            return Err(Failure::World(WorldError::TimeStep(time_step).to_string()));
        }
        self.with(py, |held| {
            held.world.settings_mut().step.time_step = time_step;
            Ok(())
        })
    }

    /// Acceleration of free fall, world frame, m/s², shape (3,). It can be set.
    #[getter]
    fn gravity<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        let gravity = self.with(py, |held| Ok(held.world.settings().step.forces.gravity))?;
        Ok(crate::arrays::shaped(py, gravity.to_array().to_vec(), &[3])?)
    }

    #[setter]
    fn set_gravity(&self, py: Python<'_>, gravity: &Bound<'_, PyAny>) -> Outcome<()> {
        let gravity = vector(gravity, "gravity")?;
        self.with(py, |held| {
            held.world.settings_mut().step.forces.gravity = gravity;
            Ok(())
        })
    }

    /// The name of the solver.
    #[getter]
    fn solver(&self, py: Python<'_>) -> Outcome<&'static str> {
        self.with(py, |held| Ok(held.world.settings().step.contact_solver.name()))
    }

    /// How contacts are found.
    #[getter]
    fn method(&self, py: Python<'_>) -> Outcome<Py<PyAny>> {
        if let Some(generator) = &self.generator {
            return Ok(generator.clone_ref(py));
        }
        let method = self.with(py, |held| Ok(PyMethod(held.world.method().clone())))?;
        Ok(Py::new(py, method)?.into_any())
    }

    /// How many threads work in a step.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// All of the world that its future depends on, as bytes: a world that is made of them by :meth:`from_snapshot` goes on as this one
    /// does, bit for bit. They are for this version of the package.
    fn snapshot<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyBytes>> {
        let bytes = self.with(py, |held| snapshot::to_bytes(&held.world, &held.frames))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The world of a snapshot.
    ///
    /// Args:
    ///     snapshot: The bytes.
    ///     threads: How many threads work in a step.
    ///     generator: The generator that finds its contacts, if that is written in Python.
    ///
    /// Raises:
    ///     WorldError: The bytes are no snapshot of this version.
    #[staticmethod]
    #[pyo3(signature = (snapshot, /, *, threads = 1, generator = None))]
    fn from_snapshot(snapshot: &[u8], threads: usize, generator: Option<&Bound<'_, PyAny>>) -> Outcome<Self> {
        let (threads, registry) = (threads::count(Some(threads))?, callback::registry_with(generator)?);
        let (world, frames) = guarded(|| snapshot::from_bytes(snapshot, &registry))?;
        Ok(Self::of(Held::new(world, frames), threads, generator.map(|own| own.clone().unbind())))
    }

    /// A world that goes on as this one does, bit for bit. Shapes are shared; a recording stays with the first one.
    fn copy(&self, py: Python<'_>) -> Outcome<Self> {
        let held = self.with(py, |held| {
            let mut copy = Held::new(held.world.clone(), held.frames.clone());
            copy.report = held.report.clone();
            copy.events = held.events.clone();
            copy.solids = held.solids.clone();
            copy.copy_hooks(held.functions.clone());
            Ok(copy)
        })?;
        Ok(Self::of(held, self.threads, self.generator.as_ref().map(|own| own.clone_ref(py))))
    }

    fn __copy__(&self, py: Python<'_>) -> Outcome<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Outcome<Self> {
        self.copy(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Outcome<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("drystone._world")?.getattr("_world_of")?;
        let threads = self.threads.into_pyobject(py).map_err(PyErr::from)?.into_any();
        let generator = self.generator.as_ref().map_or_else(|| py.None(), |own| own.clone_ref(py)).into_bound(py);
        let parts = [self.snapshot(py)?.into_any(), threads, generator];
        Ok((make, PyTuple::new(py, parts)?))
    }

    fn __repr__(&self, py: Python<'_>) -> Outcome<String> {
        self.with(py, |held| {
            let world = &held.world;
            let (bodies, steps, time) = (world.bodies().len(), world.steps(), world.time());
            Ok(format!("<drystone.World {bodies} bodies, {steps} steps, {time} s, {}>", world.method().name()))
        })
    }
}

/// A recording in a file.
type OpenRecording = drystone_engine::recording::Recording<BufReader<File>>;
