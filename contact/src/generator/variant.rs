//! Readings of the local methods of the assessment paper.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::closest_points::ClosestPoints;
use super::consistent_vertex::ConsistentVertex;
use super::growth_distance::GrowthDistance;
use super::intersection::Intersection;
use super::local::{ElementMethod, Local};
use super::most_opposing::MostOpposing;
use super::vertex_only::VertexOnly;
use super::volume_sat::Sat;
use super::{Method, Registry, UnknownName, methods};

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
            M: ElementMethod + Serialize + serde::de::DeserializeOwned + 'static,
        {
            Method::new(method.name(), method.summary(), Local::single(reading))
        }
        if self == Variant::Corrected {
            return method.clone();
        }
        let reading = match method.name() {
            "closest-points" => read(method, ClosestPoints::new(self)),
            "intersection" => read(method, Intersection::new(self)),
            "vertex-only" => read(method, VertexOnly::new(self)),
            "consistent-vertex" => read(method, ConsistentVertex::new(self)),
            "volume-sat" => read(method, Sat::volume(self)),
            "surface-sat" => read(method, Sat::surface(self)),
            "growth-distance" => read(method, GrowthDistance::new(self)),
            "most-opposing" => read(method, MostOpposing::new(self)),
            _ => method.clone(),
        };
        reading.with_variant(self.name())
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

    /// How a method is read.
    ///
    /// # Errors
    /// A variant that is none of these.
    pub fn read(method: &Method) -> Result<Self, UnknownName> {
        method.variant().parse()
    }
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
}
