//! How the local methods of the assessment paper are read: its text, the program behind its tables, an older state of it.
//!
//! "Paper" is K. Erleben, *Methodology for Assessing Mesh-Based Contact Point Methods*, ACM TOG 37(3), 2018. What its
//! tables were made with differs from its text in single decisions, which are settings of the methods, and in arithmetic
//! of 32 bits with inside tests against an exact zero.

mod settings;
mod single;

use std::fmt;
use std::str::FromStr;

use drystone_contact::generator::local::ElementMethod;
use drystone_contact::generator::{Method, Registry, UnknownName, methods};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use settings::{
    closest_points, consistent_vertex, growth_distance, intersection, most_opposing, surface_sat, vertex_only,
    volume_sat,
};
pub use single::Single;

/// How a method is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// The text of the paper, read well, in 64 bits.
    Corrected,
    /// What the published table of the ten cases was made with, in 32 bits.
    Published,
    /// As published, but with the earlier form of the three methods that changed before that table was made: closest
    /// points, intersection and most opposing. The published tables of the Pillar fit it better.
    Earlier,
}

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 3] = [Variant::Corrected, Variant::Published, Variant::Earlier];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Corrected => "corrected",
            Variant::Published => "published",
            Variant::Earlier => "earlier",
        }
    }

    /// A method read in this way. The variants are readings of the assessment paper: methods that it does not have are the
    /// same in all of them, but for what they are called.
    pub fn of(self, method: &Method) -> Method {
        fn read<M>(method: &Method, reading: M) -> Method
        where
            M: ElementMethod + Serialize + DeserializeOwned + 'static,
        {
            Method::new(method.name(), method.summary(), Single::new(reading))
        }
        let is_earlier = match self {
            Variant::Corrected => return method.clone(),
            Variant::Published => false,
            Variant::Earlier => true,
        };
        let reading = match method.name() {
            "closest-points" => read(method, closest_points(is_earlier)),
            "intersection" => read(method, intersection(is_earlier)),
            "vertex-only" => read(method, vertex_only()),
            "consistent-vertex" => read(method, consistent_vertex()),
            "volume-sat" => read(method, volume_sat()),
            "surface-sat" => read(method, surface_sat()),
            "growth-distance" => read(method, growth_distance()),
            "most-opposing" => read(method, most_opposing(is_earlier)),
            _ => method.clone(),
        };
        reading.with_variant(self.name())
    }

    /// How a method is read.
    ///
    /// # Errors
    /// A variant that is none of these.
    pub fn read(method: &Method) -> Result<Self, UnknownName> {
        method.variant().parse()
    }
}

/// All methods of [`Registry::default`], in all variants.
pub fn registry() -> Registry {
    let mut registry = Registry::default();
    for method in methods::all() {
        for variant in [Variant::Published, Variant::Earlier] {
            // No two of them have the same name.
            let _ = registry.add(variant.of(&method));
        }
    }
    registry
}

impl FromStr for Variant {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let known = || Variant::ALL.map(Variant::name).join(", ");
        let found = Variant::ALL.into_iter().find(|v| v.name() == name);
        found.ok_or_else(|| UnknownName { kind: "variant", name: name.into(), known: known() })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_read_back() {
        for variant in Variant::ALL {
            assert_eq!(variant.name().parse(), Ok(variant));
            for method in methods::all() {
                let reading = variant.of(&method);
                assert_eq!((reading.name(), Variant::read(&reading)), (method.name(), Ok(variant)));
            }
        }
        assert_ne!(Variant::Published.of(&methods::volume_sat()).settings(), methods::volume_sat().settings());
    }

    #[test]
    fn settings_of_a_reading_can_be_changed_as_data() {
        let published = Variant::Published.of(&methods::intersection());
        let unit = published.with_settings(serde_json::json!({ "method": { "reported": "unit" } })).unwrap();
        assert_eq!((unit.variant(), &unit.settings()["method"]["reported"]), ("published", &"unit".into()));
        assert_eq!(unit.settings()["method"]["sense"], published.settings()["method"]["sense"]);
    }
}
