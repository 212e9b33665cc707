//! A contact method as the command line names it, to be found in the program's registry.

use std::str::FromStr;

use anyhow::{Context, Error, Result};
use serde_json::Value;

use crate::contact::generator::{Method, Registry, UnknownName};
use crate::replica::Variant;

/// The name of a method, or its name followed by settings as JSON: `semi-local{"envelope":0.01}`.
#[derive(Clone, Debug)]
pub struct MethodName {
    name: String,
    settings: Option<Value>,
}

impl FromStr for MethodName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, settings) = text.find('{').map_or((text, None), |at| (&text[..at], Some(&text[at..])));
        let name = name.trim().to_owned();
        let read =
            |settings| serde_json::from_str(settings).with_context(|| format!("the settings of {name} are not JSON"));
        let settings = settings.map(read).transpose()?;
        Ok(Self { name, settings })
    }
}

impl MethodName {
    /// The method in a variant, with the settings given changed in it.
    pub fn find(&self, registry: &Registry, variant: Variant) -> Result<Method> {
        let method = reading(registry, &self.name, variant)?;
        Ok(match &self.settings {
            Some(settings) => method.with_settings(settings.clone())?,
            None => method,
        })
    }
}

/// The methods of these names in a variant, each once, in the order of the names.
pub fn find_all(names: &[MethodName], registry: &Registry, variant: Variant) -> Result<Vec<Method>> {
    let mut methods = Vec::new();
    for name in names {
        let method = name.find(registry, variant)?;
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    Ok(methods)
}

/// All methods of the registry in a variant, in the order in which their names were added.
pub fn all(registry: &Registry, variant: Variant) -> Result<Vec<Method>> {
    let names = usual(registry).into_iter();
    Ok(names.map(|method| reading(registry, method.name(), variant)).collect::<Result<_, _>>()?)
}

/// The methods of the registry, each in its usual variant, which is the first of its name.
pub fn usual(registry: &Registry) -> Vec<&Method> {
    let mut usual: Vec<&Method> = Vec::new();
    for method in registry.methods() {
        if usual.iter().all(|known| known.name() != method.name()) {
            usual.push(method);
        }
    }
    usual
}

/// The variant that the registry has; else the reading of the usual one, which is the same under another name for methods
/// that the paper does not have.
fn reading(registry: &Registry, name: &str, variant: Variant) -> Result<Method, UnknownName> {
    match registry.find_variant(name, variant.name()) {
        Ok(method) => Ok(method.clone()),
        Err(_) => Ok(variant.of(registry.find(name)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::generator::methods;

    fn find(text: &str, registry: &Registry, variant: Variant) -> Result<Method> {
        text.parse::<MethodName>()?.find(registry, variant)
    }

    #[test]
    fn a_name_is_found_in_any_variant_with_settings_of_that_variant() {
        for registry in [Registry::default(), crate::replica::readings::registry()] {
            for variant in Variant::ALL {
                let all = all(&registry, variant).unwrap();
                assert_eq!(all.len(), methods::all().len());
                for (found, usual) in all.iter().zip(methods::all()) {
                    assert_eq!(found, &variant.of(&usual));
                    assert_eq!(&find(usual.name(), &registry, variant).unwrap(), found);
                }
            }
            let unit = r#"intersection{"method":{"reported":"unit"}}"#;
            let unit = find(unit, &registry, Variant::Published).unwrap();
            assert_eq!((unit.variant(), &unit.settings()["method"]["reported"]), ("published", &"unit".into()));
        }
    }

    #[test]
    fn methods_are_taken_once() {
        let name = |text: &str| text.parse::<MethodName>().unwrap();
        let names = [name("vclip"), name(r#"vclip{"depth":0.2}"#), name(" vclip "), name("volume-sat")];
        let found = find_all(&names, &Registry::default(), Variant::Corrected).unwrap();
        assert_eq!(found.iter().map(Method::name).collect::<Vec<_>>(), ["vclip", "vclip", "volume-sat"]);
        assert_eq!(found[1].settings()["depth"], 0.2);
    }

    #[test]
    fn what_there_is_not_is_said() {
        let registry = Registry::default();
        let error = |text: &str| find(text, &registry, Variant::Corrected).unwrap_err().to_string();
        assert!(error("gjk").contains("volume-sat"));
        assert!(error("vclip{depth").contains("the settings of vclip are not JSON"));
        assert!(error(r#"vclip{"depht":1}"#).contains("\"depht\""));
    }
}
