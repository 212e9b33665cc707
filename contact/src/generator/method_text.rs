//! A method as text, for command lines and settings files: its name, or its name and settings as JSON.

use thiserror::Error;

use super::Method;
use super::method::SettingsError;
use super::registry::{Registry, UnknownName};

/// Why a text names no method.
#[derive(Debug, Error)]
pub enum MethodTextError {
    /// There is no method of that name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// What follows the name is not JSON.
    #[error("the settings of {method} are not JSON: {source}; write them as {method}{{\"NAME\":VALUE}}")]
    Json {
        /// The method's name.
        method: String,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The method has no such settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

impl Registry {
    /// The method of a text: the first one of a name, `semi-local`, or that one with some settings changed,
    /// `semi-local{"envelope":0.01}`.
    ///
    /// # Errors
    /// [`MethodTextError`].
    pub fn read(&self, text: &str) -> Result<Method, MethodTextError> {
        let (name, settings) = text.find('{').map_or((text, None), |at| (&text[..at], Some(&text[at..])));
        let method = self.find(name.trim())?;
        let Some(settings) = settings else { return Ok(method.clone()) };
        let json = |source| MethodTextError::Json { method: method.name().into(), source };
        Ok(method.with_settings(serde_json::from_str(settings).map_err(json)?)?)
    }

    /// The text by which [`Registry::read`] finds a method, but for its variant: settings are written if they are other
    /// than those of the registered method of its name and variant.
    pub fn text(&self, method: &Method) -> String {
        let is_usual = self.find_variant(method.name(), method.variant()) == Ok(method);
        match method.settings() {
            settings if settings.is_object() && !is_usual => format!("{}{settings}", method.name()),
            _ => method.name().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::methods;

    #[test]
    fn texts_are_read_back() {
        let registry = Registry::default();
        for method in methods::all() {
            assert_eq!(registry.text(&method), method.name());
            assert_eq!(registry.read(method.name()).unwrap(), method);
        }
        let wide = registry.read(" semi-local {\"envelope\":0.04}").unwrap();
        assert_eq!(wide.settings()["envelope"], 0.04);
        assert_eq!(registry.read(&registry.text(&wide)).unwrap(), wide);
        assert_ne!(wide, methods::semi_local());
    }

    #[test]
    fn texts_of_no_method_are_refused() {
        for (text, says) in [
            ("guess", "growth-distance"),
            ("semi-local{", "the settings of semi-local are not JSON"),
            ("semi-local{\"hat\":1}", "\"hat\""),
        ] {
            let error = Registry::default().read(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
