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

/// A method that is there already, by name and variant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is a method \"{name}\" ({variant}) already; give this one another name")]
pub struct NameTaken {
    /// Its name.
    pub name: String,
    /// Its variant.
    pub variant: String,
}

/// The methods that a program knows, each by its name and variant.
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
        let key = |method: &Method| (method.name().to_owned(), method.variant().to_owned());
        if self.0.iter().any(|known| key(known) == key(&method)) {
            let (name, variant) = key(&method);
            return Err(NameTaken { name, variant });
        }
        self.0.push(method);
        Ok(())
    }

    /// The first method of a name: the usual variant of it.
    ///
    /// # Errors
    /// [`UnknownName`].
    pub fn find(&self, name: &str) -> Result<&Method, UnknownName> {
        let found = self.0.iter().find(|method| method.name() == name);
        found.ok_or_else(|| unknown("method", name, self.0.iter().map(Method::name)))
    }

    /// A variant of a method.
    ///
    /// # Errors
    /// [`UnknownName`] of the method or of the variant.
    pub fn find_variant(&self, name: &str, variant: &str) -> Result<&Method, UnknownName> {
        self.find(name)?;
        let variants = || self.0.iter().filter(|method| method.name() == name);
        let found = variants().find(|method| method.variant() == variant);
        found.ok_or_else(|| unknown("variant of the method", variant, variants().map(Method::variant)))
    }

    /// All methods, in the order in which they were added.
    pub fn methods(&self) -> &[Method] {
        &self.0
    }
}

fn unknown<'n>(kind: &'static str, name: &str, known: impl Iterator<Item = &'n str>) -> UnknownName {
    let mut names: Vec<&str> = Vec::new();
    known.for_each(|name| {
        if !names.contains(&name) {
            names.push(name);
        }
    });
    UnknownName { kind, name: name.into(), known: names.join(", ") }
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
            assert!(registry.add(method.clone()).unwrap_err().to_string().contains(method.name()));
            registry.add(method.with_variant("other")).unwrap();
            assert_eq!(registry.find(method.name()), Ok(&method));
            assert_eq!(registry.find_variant(method.name(), "other").unwrap().variant(), "other");
        }
        let error = registry.find_variant("vclip", "third").unwrap_err().to_string();
        assert_eq!(error, "no variant of the method is called \"third\"; known are: corrected, other");
        let error = registry.find("gjk").unwrap_err().to_string();
        assert!(error.contains("\"gjk\"") && error.contains("volume-sat"), "{error}");
    }
}
