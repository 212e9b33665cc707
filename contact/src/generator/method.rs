//! A contact method: a generator under a name, with settings that can be read and changed as data.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use super::Generator;

/// Makes a generator from its settings.
type Build = Arc<dyn Fn(Value) -> Result<Arc<dyn Generator>, serde_json::Error> + Send + Sync>;

/// A contact method, ready to be used by assessment, studies, filters, worlds, reports and the viewer; cheap to clone.
///
/// ```
/// use drystone_contact::generator::{Method, semi_local::SemiLocal};
///
/// let method = Method::new("wary", "semi-local with a wider margin", SemiLocal { envelope: 0.05, ..SemiLocal::default() });
/// assert_eq!(method.settings()["envelope"], 0.05);
/// let narrow = method.with_settings(serde_json::json!({ "envelope": 0.01 }))?;
/// assert_eq!(narrow.settings()["depth"], method.settings()["depth"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Method(Arc<Entry>);

struct Entry {
    name: String,
    variant: String,
    summary: String,
    generator: Arc<dyn Generator>,
    settings: Value,
    build: Build,
}

/// Why settings do not fit a method.
#[derive(Debug, Error)]
#[error("settings of {method}: {source}; they are {known}")]
pub struct SettingsError {
    /// The method's name.
    pub method: String,
    /// The settings that it has.
    pub known: String,
    /// What is wrong with those given.
    pub source: serde_json::Error,
}

/// The variant of a method that comes in one only.
const USUAL: &str = "corrected";

impl Method {
    /// A method of this name. The settings of the generator are its serialized fields. `summary` is one line on how the
    /// method finds a normal.
    ///
    /// # Panics
    /// If the generator cannot be serialized as JSON, which is a mistake in its `Serialize`.
    pub fn new<G>(name: impl Into<String>, summary: impl Into<String>, generator: G) -> Self
    where
        G: Generator + Serialize + DeserializeOwned + 'static,
    {
        let settings = serde_json::to_value(&generator).expect("settings are plain data");
        let build: Build = Arc::new(|settings| Ok(Arc::new(serde_json::from_value::<G>(settings)?)));
        Self::of(name.into(), summary.into(), Arc::new(generator), settings, build)
    }

    /// A method whose generator has no settings that can be changed as data.
    pub fn fixed(name: impl Into<String>, summary: impl Into<String>, generator: Arc<dyn Generator>) -> Self {
        let own = Arc::clone(&generator);
        let build: Build = Arc::new(move |settings| {
            serde_json::from_value::<()>(settings)?;
            Ok(Arc::clone(&own))
        });
        Self::of(name.into(), summary.into(), generator, Value::Null, build)
    }

    fn of(name: String, summary: String, generator: Arc<dyn Generator>, settings: Value, build: Build) -> Self {
        Self(Arc::new(Entry { name, variant: USUAL.into(), summary, generator, settings, build }))
    }

    /// The same method as another variant of it.
    pub fn with_variant(&self, variant: impl Into<String>) -> Self {
        let Entry { name, summary, generator, settings, build, .. } = &*self.0;
        Self(Arc::new(Entry {
            name: name.clone(),
            variant: variant.into(),
            summary: summary.clone(),
            generator: Arc::clone(generator),
            settings: settings.clone(),
            build: Arc::clone(build),
        }))
    }

    /// The method with some settings changed: an object with the fields to change, nested as [`Method::settings`] is.
    ///
    /// # Errors
    /// [`SettingsError`] for fields that there are not and values that do not fit.
    pub fn with_settings(&self, changes: Value) -> Result<Self, SettingsError> {
        let Entry { name, variant, summary, settings, build, .. } = &*self.0;
        let error = |source| SettingsError { method: name.clone(), known: settings.to_string(), source };
        let mut settings = settings.clone();
        merge(&mut settings, changes).map_err(error)?;
        let generator = build(settings.clone()).map_err(error)?;
        let method = Self::of(name.clone(), summary.clone(), generator, settings.clone(), Arc::clone(build));
        Ok(method.with_variant(variant.clone()))
    }

    /// The name on the command line and in files.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Which reading of the method it is: "corrected" unless it says otherwise.
    pub fn variant(&self) -> &str {
        &self.0.variant
    }

    /// One line on how the method finds a normal.
    pub fn summary(&self) -> &str {
        &self.0.summary
    }

    /// What finds the contacts.
    pub fn generator(&self) -> &Arc<dyn Generator> {
        &self.0.generator
    }

    /// The settings of the generator; null if it has none.
    pub fn settings(&self) -> &Value {
        &self.0.settings
    }
}

/// Puts `changes` into `settings`, which must have all their fields.
fn merge(settings: &mut Value, changes: Value) -> Result<(), serde_json::Error> {
    match (settings, changes) {
        (Value::Object(settings), Value::Object(changes)) => {
            for (name, change) in changes {
                let unknown = || serde::de::Error::custom(format!("there is no \"{name}\""));
                merge(settings.get_mut(&name).ok_or_else(unknown)?, change)?;
            }
        }
        (settings, change) => *settings = change,
    }
    Ok(())
}

impl Method {
    /// What methods are compared by.
    fn key(&self) -> (&str, &str, String) {
        (self.name(), self.variant(), self.settings().to_string())
    }
}

/// Methods are the same if name, variant and settings are.
impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Method {}

impl PartialOrd for Method {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Method {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for Method {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Method")
            .field("name", &self.0.name)
            .field("variant", &self.0.variant)
            .field("settings", &self.0.settings)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::methods;
    use serde_json::json;

    #[test]
    fn settings_are_changed_by_name() {
        let method = methods::semi_local();
        let changed = method.with_settings(json!({ "envelope": 0.5, "angles": { "cone": 0.25 } })).unwrap();
        assert_eq!(
            (&changed.settings()["envelope"], &changed.settings()["angles"]["cone"]),
            (&json!(0.5), &json!(0.25))
        );
        assert_eq!(changed.settings()["depth"], method.settings()["depth"]);
        assert_ne!(changed, method);
        let back = changed.with_settings(method.settings().clone()).unwrap();
        assert_eq!(back, method);
        for wrong in [json!({ "enve": 1.0 }), json!({ "envelope": "wide" }), json!(3)] {
            let error = method.with_settings(wrong).unwrap_err().to_string();
            assert!(error.starts_with("settings of semi-local: ") && error.contains("\"last_depth\""), "{error}");
        }
    }

    #[test]
    fn changed_settings_reach_the_generator() {
        let solid = crate::shape::Shape::from_surface(&crate::shape::sample::l_prism(), &Default::default()).unwrap();
        let method = methods::semi_local();
        let wide = method.with_settings(json!({ "envelope": 0.04 })).unwrap();
        assert_eq!(wide.generator().margin(&solid), 2.0 * method.generator().margin(&solid));
    }
}
