//! Contact methods by name, with settings as plain data.

use std::sync::LazyLock;

use drystone_contact::generator::{Method, Registry};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::callback;
use crate::failure::{Failure, Outcome};

/// The methods of the project in all variants. Nothing in it asks for the GIL.
pub static REGISTRY: LazyLock<Registry> = LazyLock::new(drystone_replica::readings::registry);

/// A contact method: a rule that finds the contacts of two shapes, with its settings. It never changes.
///
/// Args:
///     name: One of the names of :func:`methods`.
///     variant: ``"corrected"``, the text of the paper read well; for the local methods also ``"published"``, the behaviour
///         behind most of its tables, or ``"earlier"``.
///     settings: Settings to change, by name; nested ones as dicts.
///
/// Raises:
///     MethodError: There is no such method, variant or setting.
///
/// >>> import drystone as ds
/// >>> ds.Method("semi-local", envelope=0.01).settings["envelope"]
/// 0.01
#[pyclass(name = "Method", module = "drystone", frozen, from_py_object)]
#[derive(Clone)]
pub struct PyMethod(pub Method);

#[pymethods]
impl PyMethod {
    #[new]
    #[pyo3(signature = (name, /, *, variant = "corrected", **settings))]
    fn new(name: &str, variant: &str, settings: Option<&Bound<'_, PyDict>>) -> Outcome<Self> {
        let method = REGISTRY.find_variant(name, variant)?;
        with_settings(method, settings).map(Self)
    }

    /// The same method with some settings changed.
    ///
    /// Raises:
    ///     MethodError: There is no such setting, or a value does not fit.
    #[pyo3(signature = (**settings))]
    fn with_settings(&self, settings: Option<&Bound<'_, PyDict>>) -> Outcome<Self> {
        with_settings(&self.0, settings).map(Self)
    }

    /// Its name, as on the command line.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// Which reading of the method it is.
    #[getter]
    fn variant(&self) -> &str {
        self.0.variant()
    }

    /// One line on how it finds a normal.
    #[getter]
    fn summary(&self) -> &str {
        self.0.summary()
    }

    /// All settings, as a copy.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0.settings().is_null() {
            true => Ok(PyDict::new(py).into_any()),
            false => py.import("json")?.call_method1("loads", (self.0.settings().to_string(),)),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let variant = match self.variant() {
            "corrected" => String::new(),
            variant => format!(", variant='{variant}'"),
        };
        let settings = self.settings(py)?;
        let mut text = format!("Method('{}'{variant}", self.name());
        for item in settings.cast::<PyDict>()?.iter() {
            text += &format!(", {}={}", item.0, item.1.repr()?);
        }
        Ok(text + ")")
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.0 == other.get().0)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("drystone._method")?.getattr("_method_of")?;
        Ok((
            make,
            PyTuple::new(
                py,
                [
                    self.name().into_pyobject(py)?.into_any(),
                    self.variant().into_pyobject(py)?.into_any(),
                    self.settings(py)?,
                ],
            )?,
        ))
    }
}

fn with_settings(method: &Method, settings: Option<&Bound<'_, PyDict>>) -> Outcome<Method> {
    let Some(settings) = settings.filter(|settings| !settings.is_empty()) else { return Ok(method.clone()) };
    let text: String = settings.py().import("json")?.call_method1("dumps", (settings,))?.extract()?;
    let settings = serde_json::from_str(&text)
        .map_err(|error| Failure::Method(format!("settings of {}: {error}", method.name())))?;
    Ok(method.with_settings(settings)?)
}

/// The method of an argument: a name, a [`PyMethod`], or a generator in Python.
///
/// # Errors
/// [`Failure::Method`] of an unknown name, [`Failure::Kind`] of anything else.
pub fn method(argument: &Bound<'_, PyAny>) -> Outcome<Method> {
    if let Ok(method) = argument.cast::<PyMethod>() {
        return Ok(method.get().0.clone());
    }
    if let Ok(name) = argument.cast::<PyString>() {
        return Ok(REGISTRY.find(name.to_cow()?.as_ref())?.clone());
    }
    if let Some(method) = callback::method(argument)? {
        return Ok(method);
    }
    let kind = argument.get_type();
    Err(Failure::Kind(format!(
        "method is a {}; it must be a name, a drystone.Method or a drystone.Generator",
        kind.name()?
    )))
}

/// The method of an argument that may be left out: semi-local.
///
/// # Errors
/// As [`method`].
pub fn method_or_default(argument: Option<&Bound<'_, PyAny>>) -> Outcome<Method> {
    argument.map_or_else(|| Ok(REGISTRY.find("semi-local")?.clone()), method)
}

/// All contact methods, in their usual variants and with their usual settings.
///
/// >>> import drystone as ds
/// >>> "semi-local" in [method.name for method in ds.methods()]
/// True
#[pyfunction]
pub fn methods() -> Vec<PyMethod> {
    let usual = REGISTRY.methods().iter().filter(|method| REGISTRY.find(method.name()) == Ok(method));
    usual.cloned().map(PyMethod).collect()
}
