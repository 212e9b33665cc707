//! Why a call failed, and the Python exception that says so. A panic becomes one as well.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use drystone_contact::generator::{GeneratorError, SettingsError, UnknownName};
use drystone_contact::shape::mesh_file::MeshFileError;
use drystone_contact::shape::{OpenSurfaceError, ShapeError, SurfaceError, TetrahedralMeshError};
use drystone_engine::WorldError;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::callback::PythonError;

/// Why a call failed.
#[derive(Debug)]
pub enum Failure {
    /// An argument has the wrong shape or value: `ValueError`.
    Value(String),
    /// An argument is of the wrong kind: `TypeError`.
    Kind(String),
    /// A number is out of range: `IndexError`.
    Index(String),
    /// `drystone.ShapeError`
    Shape(String),
    /// `drystone.MethodError`
    Method(String),
    /// `drystone.GeneratorError`
    Generator(String),
    /// `drystone.WorldError`
    World(String),
    /// `drystone.SceneError`
    Scene(String),
    /// `drystone.InternalError`: what a panic said.
    Panic(String),
    /// An exception from Python.
    Python(PyErr),
}

/// What calls return.
pub type Outcome<T> = Result<T, Failure>;

/// Runs what may panic.
///
/// # Errors
/// Those of `body`, and [`Failure::Panic`].
pub fn guarded<T>(body: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(Failure::Panic(message(&*panic))))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a message".into())
}

impl Failure {
    /// The same failure, with where it happened before what it says.
    pub fn at(self, place: &str) -> Self {
        let at = |message: String| format!("{place}: {message}");
        match self {
            Self::Value(message) => Self::Value(at(message)),
            Self::Kind(message) => Self::Kind(at(message)),
            Self::Index(message) => Self::Index(at(message)),
            Self::Shape(message) => Self::Shape(at(message)),
            Self::Method(message) => Self::Method(at(message)),
            Self::Generator(message) => Self::Generator(at(message)),
            Self::World(message) => Self::World(at(message)),
            Self::Scene(message) => Self::Scene(at(message)),
            Self::Panic(message) => Self::Panic(at(message)),
            Self::Python(error) => Self::Python(error),
        }
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<ShapeError> for Failure {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error.to_string())
    }
}

impl From<SurfaceError> for Failure {
    fn from(error: SurfaceError) -> Self {
        Self::Shape(error.to_string())
    }
}

impl From<TetrahedralMeshError> for Failure {
    fn from(error: TetrahedralMeshError) -> Self {
        Self::Shape(error.to_string())
    }
}

impl From<OpenSurfaceError> for Failure {
    fn from(error: OpenSurfaceError) -> Self {
        Self::Shape(error.to_string())
    }
}

impl From<MeshFileError> for Failure {
    fn from(error: MeshFileError) -> Self {
        Self::Shape(error.to_string())
    }
}

impl From<UnknownName> for Failure {
    fn from(error: UnknownName) -> Self {
        Self::Method(error.to_string())
    }
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        Self::Method(error.to_string())
    }
}

impl From<GeneratorError> for Failure {
    /// An exception of a generator in Python is the exception itself.
    fn from(error: GeneratorError) -> Self {
        if let GeneratorError::Failed { source, .. } = &error
            && let Some(python) = source.downcast_ref::<PythonError>()
        {
            return Self::Python(python.exception());
        }
        Self::Generator(error.to_string())
    }
}

impl From<WorldError> for Failure {
    fn from(error: WorldError) -> Self {
        match error {
            WorldError::Generator(error) => error.into(),
            other => Self::World(other.to_string()),
        }
    }
}

/// An exception of the package, imported once.
macro_rules! exception {
    ($py:expr, $name:literal, $message:expr) => {{
        static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        match TYPE.import($py, "drystone._errors", $name) {
            Ok(class) => PyErr::from_type(class.clone(), $message),
            Err(error) => error,
        }
    }};
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| match failure {
            Failure::Value(message) => PyValueError::new_err(message),
            Failure::Kind(message) => PyTypeError::new_err(message),
            Failure::Index(message) => PyIndexError::new_err(message),
            Failure::Shape(message) => exception!(py, "ShapeError", message),
            Failure::Method(message) => exception!(py, "MethodError", message),
            Failure::Generator(message) => exception!(py, "GeneratorError", message),
            Failure::Scene(message) => exception!(py, "SceneError", message),
            Failure::World(message) => exception!(py, "WorldError", message),
            Failure::Panic(message) => {
                exception!(py, "InternalError", format!("internal error, please report it: {message}"))
            }
            Failure::Python(error) => error,
        })
    }
}
