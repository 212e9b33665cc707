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
    /// Its settings as JSON; nothing where they are those of [`Registry::default`].
    pub settings: String,
}

impl MethodRecord {
    /// The record of a method.
    pub fn new(method: &Method) -> Self {
        let (name, variant) = (method.name().into(), method.variant().into());
        let registry = Registry::default();
        let usual = registry.find_variant(method.name(), method.variant());
        let is_usual = usual.is_ok_and(|usual| usual == method);
        Self { name, variant, settings: if is_usual { String::new() } else { method.settings().to_string() } }
    }

    /// The method of a registry, with the settings of the record.
    ///
    /// # Errors
    /// [`SnapshotError::Method`] if the registry does not have it, [`SnapshotError::Settings`] if it has no such settings.
    pub fn find(&self, registry: &Registry) -> Result<Method, SnapshotError> {
        let method = registry.find_variant(&self.name, &self.variant)?;
        if self.settings.is_empty() {
            return Ok(method.clone());
        }
        let settings: serde_json::Value = serde_json::from_str(&self.settings)
            .map_err(|_| SnapshotError::Damaged("the settings of its contact method are not JSON"))?;
        Ok(if *method.settings() == settings { method.clone() } else { method.with_settings(settings)? })
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

/// A method by the numbers of method and variant, as old recordings hold it. Old JSON has names in their place, which are
/// not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedMethod(pub u32, pub u32);

impl CountedMethod {
    /// The record by names; `None` for numbers that no method and variant have.
    pub fn named(self) -> Option<MethodRecord> {
        let (name, variant) = (COUNTED.get(self.0 as usize)?, VARIANTS.get(self.1 as usize)?);
        Some(MethodRecord { name: (*name).into(), variant: (*variant).into(), settings: String::new() })
    }
}
