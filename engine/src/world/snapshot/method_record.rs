//! The contact method of a snapshot as plain data: by name, to be found in a registry.

use super::SnapshotError;
use drystone_contact::generator::{Method, Registry};
use serde::{Deserialize, Serialize};

/// A method by its name, and the settings by which it differs from the one that a registry has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MethodRecord {
    /// Its name.
    pub name: String,
    /// Its variant.
    pub variant: String,
    /// Its settings as JSON.
    pub settings: String,
}

impl MethodRecord {
    /// The record of a method.
    pub fn new(method: &Method) -> Self {
        let (name, variant) = (method.name().into(), method.variant().into());
        Self { name, variant, settings: method.settings().to_string() }
    }

    /// The method of a registry, with the settings of the record.
    ///
    /// # Errors
    /// [`SnapshotError::Method`] if the registry does not have it, [`SnapshotError::Settings`] if it has no such settings.
    pub fn find(&self, registry: &Registry) -> Result<Method, SnapshotError> {
        let method = registry.find_variant(&self.name, &self.variant)?;
        if method.settings().to_string() == self.settings {
            return Ok(method.clone());
        }
        let settings = serde_json::from_str(&self.settings)
            .map_err(|_| SnapshotError::Damaged("the settings of its contact method are not JSON"))?;
        Ok(method.with_settings(settings)?)
    }
}

/// The methods in the order in which snapshots of before there was an open registry count them.
const COUNTED: [&str; 13] = [
    "closest-points",
    "intersection",
    "vertex-only",
    "consistent-vertex",
    "volume-sat",
    "surface-sat",
    "growth-distance",
    "most-opposing",
    "parry-convex",
    "parry-trimesh",
    "parry-compound",
    "vclip",
    "semi-local",
];

/// The variants in that order.
const VARIANTS: [&str; 3] = ["corrected", "published", "earlier"];

/// A method by the numbers of method and variant. As JSON both are names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedMethod(pub u32, pub u32);

impl CountedMethod {
    /// The method of a registry.
    ///
    /// # Errors
    /// [`SnapshotError::Method`] if the registry does not have it.
    pub fn find(self, registry: &Registry) -> Result<Method, SnapshotError> {
        let name = COUNTED.get(self.0 as usize).zip(VARIANTS.get(self.1 as usize));
        let (name, variant) = name.ok_or(SnapshotError::Damaged("its contact method has a number that none has"))?;
        Ok(registry.find_variant(name, variant)?.clone())
    }
}
