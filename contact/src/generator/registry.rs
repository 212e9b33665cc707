//! Methods by name. A registry is a plain list: programs put methods of their own into it.

use thiserror::Error;

use super::{Method, methods};

/// A name that nothing has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no {kind} is called \"{name}\"; known are: {known}")]
pub struct UnknownName {
    /// What was looked for: "method", "variant".
    pub kind: &'static str,
    /// The name given.
    pub name: String,
    /// The names that exist, separated by commas.
    pub known: String,
}

/// A method that is there already.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is a method \"{0}\" already; give this one another name")]
pub struct NameTaken(pub String);

/// The methods that a program knows, each under a name of its own.
///
/// ```
/// use drystone_contact::generator::{Method, Registry, semi_local::SemiLocal};
///
/// let mut registry = Registry::default();
/// registry.add(Method::new("mine", "like semi-local", SemiLocal::default()))?;
/// assert_eq!(registry.find("mine")?.name(), "mine");
/// assert!(registry.find("yours").unwrap_err().to_string().contains("volume-sat"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Registry(Vec<Method>);

impl Default for Registry {
    /// The methods that come with the crate, in the order of [`methods::all`].
    fn default() -> Self {
        Self(methods::all())
    }
}

impl Registry {
    /// Adds a method behind the others.
    ///
    /// # Errors
    /// [`NameTaken`].
    pub fn add(&mut self, method: Method) -> Result<(), NameTaken> {
        if self.0.iter().any(|known| known.name() == method.name()) {
            return Err(NameTaken(method.name().into()));
        }
        self.0.push(method);
        Ok(())
    }

    /// The method of a name.
    ///
    /// # Errors
    /// [`UnknownName`].
    pub fn find(&self, name: &str) -> Result<&Method, UnknownName> {
        let known = || self.0.iter().map(Method::name).collect::<Vec<_>>().join(", ");
        let found = self.0.iter().find(|method| method.name() == name);
        found.ok_or_else(|| UnknownName { kind: "method", name: name.into(), known: known() })
    }

    /// All methods, in the order in which they were added.
    pub fn methods(&self) -> &[Method] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_once() {
        let mut registry = Registry::default();
        for method in methods::all() {
            assert_eq!(registry.find(method.name()), Ok(&method));
            assert_eq!(method.generator().name(), method.name());
            assert_eq!(registry.add(method.clone()), Err(NameTaken(method.name().into())));
        }
        let error = registry.find("gjk").unwrap_err().to_string();
        assert!(error.contains("\"gjk\"") && error.contains("volume-sat"), "{error}");
    }
}
