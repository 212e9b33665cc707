//! What bodies are made of.

use drystone_engine::material::Material;
use drystone_engine::{Friction, Interaction, MaterialError, World};
use pyo3::prelude::*;

use super::PyWorld;
use crate::arrays::vector;
use crate::failure::{Failure, Outcome};

/// The material of bodies that are given none.
pub const DEFAULT: &str = "default";

/// Friction as a number, for sliding, or as three: along both tangents, and drilling (m).
///
/// # Errors
/// [`Failure::Value`] of anything else.
pub fn friction_of(argument: &Bound<'_, PyAny>) -> Outcome<Friction> {
    match argument.extract::<f64>() {
        Ok(coefficient) => Ok(Friction::sliding(coefficient)),
        Err(_) => vector(argument, "friction").map(|all| Friction { s: all.x, t: all.y, torsion: all.z }),
    }
}

impl From<MaterialError> for Failure {
    fn from(error: MaterialError) -> Self {
        Self::World(error.to_string())
    }
}

#[pymethods]
impl PyWorld {
    /// Adds a material. Between two materials friction is the geometric mean and restitution the larger one, unless
    /// :meth:`set_interaction` says otherwise. Bodies are of the material ``"default"`` (friction 0.5, no bounce) if they are given none.
    ///
    /// Args:
    ///     name: Its name.
    ///     friction: The coefficient of sliding, or three: along both tangents of a contact, and of drilling about its normal (m).
    ///     restitution: The share of the normal approach velocity that comes back, 0 to 1.
    ///
    /// Raises:
    ///     WorldError: The name is taken, or a coefficient is out of range.
    #[pyo3(signature = (name, /, *, friction = None, restitution = 0.0))]
    fn add_material(
        &self,
        py: Python<'_>,
        name: String,
        friction: Option<&Bound<'_, PyAny>>,
        restitution: f64,
    ) -> Outcome<()> {
        let friction = friction.map_or(Ok(Material::default().friction), friction_of)?;
        self.with(py, |held| {
            let mut materials = World::materials(&held.world).clone();
            materials.add_with(name, Material { friction, restitution })?;
            *held.world.materials_mut() = materials;
            Ok(())
        })
    }

    /// Says what happens between two materials, whatever they say of themselves.
    ///
    /// Args:
    ///     a: A material.
    ///     b: Another one, or the same.
    ///     friction: As of :meth:`add_material`.
    ///     restitution: As of :meth:`add_material`.
    ///
    /// Raises:
    ///     WorldError: There is no such material, or a coefficient is out of range.
    #[pyo3(signature = (a, b, /, *, friction, restitution = 0.0))]
    fn set_interaction(
        &self,
        py: Python<'_>,
        a: &str,
        b: &str,
        friction: &Bound<'_, PyAny>,
        restitution: f64,
    ) -> Outcome<()> {
        let friction = friction_of(friction)?;
        self.with(py, |held| {
            let mut materials = World::materials(&held.world).clone();
            let (a, b) = (materials.id(a)?, materials.id(b)?);
            materials.set(a, b, Interaction { friction, restitution })?;
            *held.world.materials_mut() = materials;
            Ok(())
        })
    }

    /// The names of the materials.
    #[getter]
    fn materials(&self, py: Python<'_>) -> Outcome<Vec<String>> {
        self.with(py, |held| Ok(World::materials(&held.world).names().to_vec()))
    }
}
