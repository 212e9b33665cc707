//! The methods by name, and their variants.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::closest_points::{ClosestPoints, EPSILON};
use super::consistent_vertex::ConsistentVertex;
use super::growth_distance::GrowthDistance;
use super::intersection::Intersection;
use super::local::{ElementMethod, Local};
use super::most_opposing::MostOpposing;
use super::parry::{Form, Parry};
use super::post_filter::{Compare, PostFilter};
use super::semi_local::SemiLocal;
use super::vclip::VClip;
use super::vertex_only::VertexOnly;
use super::volume_sat::Sat;
use super::{Generator, SAME, TOUCHING};
use crate::precision::Precision;

/// A contact method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// [`super::closest_points`]
    ClosestPoints,
    /// [`super::intersection`]
    Intersection,
    /// [`super::vertex_only`]
    VertexOnly,
    /// [`super::consistent_vertex`]
    ConsistentVertex,
    /// [`super::volume_sat`]
    VolumeSat,
    /// [`super::surface_sat`]
    SurfaceSat,
    /// [`super::growth_distance`]
    GrowthDistance,
    /// [`super::most_opposing`]
    MostOpposing,
    /// [`super::parry`] on convex hulls.
    ParryConvex,
    /// [`super::parry`] on triangle meshes.
    ParryTrimesh,
    /// [`super::parry`] on compounds of tetrahedra.
    ParryCompound,
    /// [`super::vclip`]
    #[serde(rename = "vclip")]
    VClip,
    /// [`super::semi_local`]
    SemiLocal,
}

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

impl Method {
    /// The local methods of the assessment paper, in the order of its table. Published figures are of these alone.
    pub const LOCAL: [Method; 8] = [
        Method::ClosestPoints,
        Method::Intersection,
        Method::VertexOnly,
        Method::ConsistentVertex,
        Method::VolumeSat,
        Method::SurfaceSat,
        Method::GrowthDistance,
        Method::MostOpposing,
    ];

    /// The contact generators of other engines.
    pub const PEERS: [Method; 3] = [Method::ParryConvex, Method::ParryTrimesh, Method::ParryCompound];

    /// All methods: the local ones, then the peers, then closest features with contact sets, then our own.
    pub const ALL: [Method; 13] = [
        Method::ClosestPoints,
        Method::Intersection,
        Method::VertexOnly,
        Method::ConsistentVertex,
        Method::VolumeSat,
        Method::SurfaceSat,
        Method::GrowthDistance,
        Method::MostOpposing,
        Method::ParryConvex,
        Method::ParryTrimesh,
        Method::ParryCompound,
        Method::VClip,
        Method::SemiLocal,
    ];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Method::ClosestPoints => "closest-points",
            Method::Intersection => "intersection",
            Method::VertexOnly => "vertex-only",
            Method::ConsistentVertex => "consistent-vertex",
            Method::VolumeSat => "volume-sat",
            Method::SurfaceSat => "surface-sat",
            Method::GrowthDistance => "growth-distance",
            Method::MostOpposing => "most-opposing",
            Method::ParryConvex => "parry-convex",
            Method::ParryTrimesh => "parry-trimesh",
            Method::ParryCompound => "parry-compound",
            Method::VClip => "vclip",
            Method::SemiLocal => "semi-local",
        }
    }

    /// One line on how the method finds a normal.
    pub fn summary(self) -> &'static str {
        match self {
            Method::ClosestPoints => "separation of closest features of eroded shapes, within an envelope",
            Method::Intersection => "vertex-face and edge-edge contacts of intersecting surface triangles",
            Method::VertexOnly => "vertices inside, with the normal of the closest surface face",
            Method::ConsistentVertex => "vertices inside, with the normal of the face that their edges leave by",
            Method::VolumeSat => "axis of least overlap of two tetrahedra",
            Method::SurfaceSat => "axis of least overlap among those of surface features",
            Method::GrowthDistance => "best feature normal for the separation of shrunk tetrahedra",
            Method::MostOpposing => "the two surface faces that oppose each other most",
            Method::ParryConvex => "peer: parry's manifold of the convex hulls, which fill what is not convex",
            Method::ParryTrimesh => "peer: parry's manifolds of the surfaces, triangle by triangle",
            Method::ParryCompound => "peer: parry's manifolds of the tetrahedra, pair by pair",
            Method::VClip => "closest features of convex pieces, now and in the steps before",
            Method::SemiLocal => {
                "normal cones of whole facets, edges and vertices on both sides, decided region by region"
            }
        }
    }

    /// By how much shapes are to be eroded before this method sees them, m; `None`: not at all. The caller does it
    /// ([`crate::shape::Shape::eroded`]), once a shape: a generator takes shapes as they are.
    pub fn erosion(self) -> Option<f64> {
        (self == Method::ClosestPoints).then_some(EPSILON)
    }

    /// The method in a variant, with that variant's settings. The variants are readings of the assessment paper:
    /// methods that it does not have are the same in all of them.
    pub fn generator(self, variant: Variant) -> Box<dyn Generator> {
        fn local<M: ElementMethod + 'static>(method: M, variant: Variant, reach: f64) -> Box<dyn Generator> {
            Box::new(match variant {
                Variant::Corrected => Local {
                    method,
                    precision: Precision::Double,
                    post_filter: PostFilter { compare: Compare::All, tolerance: Some(SAME) },
                    reach,
                },
                Variant::Published | Variant::Earlier => Local {
                    method,
                    precision: Precision::Single,
                    post_filter: PostFilter { compare: Compare::Neighbours, tolerance: None },
                    reach: 0.0,
                },
            })
        }
        match self {
            Method::ClosestPoints => local(ClosestPoints::new(variant), variant, 2.0 * EPSILON),
            Method::Intersection => local(Intersection::new(variant), variant, TOUCHING),
            Method::VertexOnly => local(VertexOnly::new(variant), variant, TOUCHING),
            Method::ConsistentVertex => local(ConsistentVertex::new(variant), variant, TOUCHING),
            Method::VolumeSat => local(Sat::volume(variant), variant, TOUCHING),
            Method::SurfaceSat => local(Sat::surface(variant), variant, TOUCHING),
            Method::GrowthDistance => local(GrowthDistance::new(variant), variant, TOUCHING),
            Method::MostOpposing => local(MostOpposing::new(variant), variant, TOUCHING),
            Method::ParryConvex => Box::new(Parry::new(Form::Convex)),
            Method::ParryTrimesh => Box::new(Parry::new(Form::TriangleMesh)),
            Method::ParryCompound => Box::new(Parry::new(Form::Compound)),
            Method::VClip => Box::new(VClip::default()),
            Method::SemiLocal => Box::new(SemiLocal::default()),
        }
    }
}

/// A name that no method or variant has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no {kind} is called \"{name}\"; known are: {known}")]
pub struct UnknownName {
    /// What was looked for: "method", "variant".
    pub kind: &'static str,
    /// The name given.
    pub name: String,
    /// The names that exist, separated by commas.
    pub known: String,
}

impl FromStr for Method {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let known = || Method::ALL.map(Method::name).join(", ");
        let found = Method::ALL.into_iter().find(|m| m.name() == name);
        found.ok_or_else(|| UnknownName { kind: "method", name: name.into(), known: known() })
    }
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
}

impl FromStr for Variant {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let known = || Variant::ALL.map(Variant::name).join(", ");
        let found = Variant::ALL.into_iter().find(|v| v.name() == name);
        found.ok_or_else(|| UnknownName { kind: "variant", name: name.into(), known: known() })
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
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
    fn names_are_read_back() {
        for method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
        }
        assert!(Method::ALL.starts_with(&[&Method::LOCAL[..], &Method::PEERS].concat()));
        for variant in Variant::ALL {
            assert_eq!(variant.name().parse(), Ok(variant));
        }
        let error = "gjk".parse::<Method>().unwrap_err().to_string();
        assert!(error.contains("\"gjk\"") && error.contains("volume-sat"), "{error}");
    }
}
