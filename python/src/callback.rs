//! Calls from the engine into Python: a contact generator that is a Python object.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use drystone_contact::Contact;
use drystone_contact::generator::{Generator, GeneratorError, Method, Placed, Registry};
use drystone_contact::shape::Shape;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::arrays::pose_array;
use crate::contact_array;
use crate::failure::{Failure, Outcome};
use crate::method::REGISTRY;
use crate::shape::PyShape;

thread_local! {
    static RUNNING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread runs Python code that the engine has called.
pub fn is_running() -> bool {
    RUNNING.get()
}

/// Runs Python code on behalf of the engine.
pub fn marked<T>(body: impl FnOnce() -> T) -> T {
    let _mark = Mark::new();
    body()
}

/// Marks the thread until it is dropped.
struct Mark(bool);

impl Mark {
    fn new() -> Self {
        Self(RUNNING.replace(true))
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        RUNNING.set(self.0);
    }
}

/// An exception on its way through the engine.
#[derive(Debug)]
pub struct PythonError(PyErr);

impl PythonError {
    /// The exception.
    pub fn exception(&self) -> PyErr {
        Python::attach(|py| self.0.clone_ref(py))
    }
}

impl fmt::Display for PythonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl std::error::Error for PythonError {}

/// Shapes that Python objects stand for at most; all are forgotten then.
const SHAPES: usize = 4096;

/// A Python object with the methods of `drystone.Generator`.
struct PythonGenerator {
    object: Py<PyAny>,
    name: String,
    /// m.
    reach: f64,
    /// Whether it wants to look at shapes before they are used.
    prepares: bool,
    /// The Python objects of shapes, by where the shapes are.
    shapes: Mutex<HashMap<usize, Py<PyShape>>>,
}

impl PythonGenerator {
    /// The Python object of a shape: the same one as long as the shape lives, in general.
    fn shape<'py>(&self, py: Python<'py>, shape: &Shape) -> PyResult<Bound<'py, PyShape>> {
        let place = std::ptr::from_ref(shape).addr();
        let known =
            self.shapes.lock().unwrap_or_else(PoisonError::into_inner).get(&place).map(|known| known.clone_ref(py));
        if let Some(known) = known
            && is_same(&known.get().0, shape)
        {
            return Ok(known.into_bound(py));
        }
        let made = Py::new(py, PyShape(Arc::new(shape.clone())))?;
        let mut shapes = self.shapes.lock().unwrap_or_else(PoisonError::into_inner);
        let old = if shapes.len() >= SHAPES { std::mem::take(&mut *shapes) } else { HashMap::new() };
        let replaced = shapes.insert(place, made.clone_ref(py));
        // What is dropped may run code of Python: without the lock.
        drop(shapes);
        drop((old, replaced));
        Ok(made.into_bound(py))
    }

    fn failed(&self, error: PyErr) -> GeneratorError {
        GeneratorError::Failed { generator: self.name.clone(), source: Arc::new(PythonError(error)) }
    }

    fn ask(&self, py: Python<'_>, a: &Placed<'_>, b: &Placed<'_>) -> Outcome<Vec<Contact>> {
        let (shape_a, shape_b) = (self.shape(py, a.shape)?, self.shape(py, b.shape)?);
        let (pose_a, pose_b) = (pose_array(py, &a.pose)?, pose_array(py, &b.pose)?);
        let found = self.object.bind(py).call_method1("contacts", (shape_a, pose_a, shape_b, pose_b))?;
        contact_array::read(&found).map_err(|error| error.at(&format!("what {}.contacts returns", self.name)))
    }
}

/// Whether two shapes are one: they share what was derived from it.
fn is_same(known: &Shape, shape: &Shape) -> bool {
    match (known, shape) {
        (Shape::Polyhedron(known), Shape::Polyhedron(shape)) => Arc::ptr_eq(known.solid(), shape.solid()),
        _ => known == shape,
    }
}

impl Generator for PythonGenerator {
    fn name(&self) -> &str {
        &self.name
    }

    fn prepare(&self, shape: &Shape) -> Result<(), GeneratorError> {
        // So that copies of the shape share it.
        shape.as_polyhedron().map(drystone_contact::shape::Polyhedron::solid);
        if !self.prepares {
            return Ok(());
        }
        Python::attach(|py| {
            let _mark = Mark::new();
            let shape = self.shape(py, shape)?;
            self.object.bind(py).call_method1("prepare", (shape,)).map(drop)
        })
        .map_err(|error| self.failed(error))
    }

    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        Python::attach(|py| {
            let _mark = Mark::new();
            self.ask(py, a, b).map_err(|error| self.failed(error.into()))
        })
    }

    fn margin(&self, _: &Shape) -> f64 {
        self.reach
    }
}

fn base(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static BASE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    BASE.import(py, "drystone._generator", "Generator")
}

/// Whether an object is a `drystone.Generator`.
///
/// # Errors
/// None that are known.
pub fn is_generator(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    object.is_instance(base(object.py())?)
}

/// The methods of the project and that of a generator.
///
/// # Errors
/// [`Failure::Kind`] of an object that is none, [`Failure::Method`] if its name is taken.
pub fn registry_with(generator: Option<&Bound<'_, PyAny>>) -> Outcome<Registry> {
    let mut registry = REGISTRY.clone();
    if let Some(generator) = generator {
        let method = method(generator)?.ok_or_else(|| Failure::Kind("generator is no drystone.Generator".into()))?;
        registry.add(method).map_err(|error| Failure::Method(error.to_string()))?;
    }
    Ok(registry)
}

/// The methods of the project and those of generators, each under its name as the variant that is said beside it.
///
/// # Errors
/// As [`registry_with`].
pub fn registry_of(generators: &[(Bound<'_, PyAny>, String)]) -> Outcome<Registry> {
    let mut registry = REGISTRY.clone();
    for (generator, variant) in generators {
        let method = method(generator)?.ok_or_else(|| Failure::Kind("generator is no drystone.Generator".into()))?;
        if REGISTRY.find(method.name()).is_ok() {
            let name = method.name();
            return Err(Failure::Method(format!(
                "there is a method {name} already; give the generator another name, by an attribute name of its class"
            )));
        }
        registry.add(method.with_variant(variant)).map_err(|error| Failure::Method(error.to_string()))?;
    }
    Ok(registry)
}

/// The method of a Python object, if it is a `drystone.Generator`.
///
/// # Errors
/// [`Failure::Value`] of a reach that is none, and what reading its attributes raises.
pub fn method(object: &Bound<'_, PyAny>) -> Outcome<Option<Method>> {
    if !is_generator(object)? {
        return Ok(None);
    }
    let name: String = object.getattr("name")?.extract()?;
    let reach: f64 = object.getattr("reach")?.extract()?;
    if !(reach.is_finite() && reach >= 0.0) {
        return Err(Failure::Value(format!("the reach of {name} is {reach}; it must be finite and not negative")));
    }
    let own = object.get_type().getattr("prepare")?;
    let prepares = !own.is(base(object.py())?.getattr("prepare")?);
    let summary = format!("the Python class {}", object.get_type().qualname()?);
    let object = object.clone().unbind();
    let generator = PythonGenerator { object, name: name.clone(), reach, prepares, shapes: Mutex::default() };
    Ok(Some(Method::fixed(name, summary, Arc::new(generator))))
}
