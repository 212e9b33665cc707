//! The methods that come with the crate, one line of registration each.

use super::closest_points::ClosestPoints;
use super::consistent_vertex::ConsistentVertex;
use super::growth_distance::GrowthDistance;
use super::intersection::Intersection;
use super::local::Local;
use super::most_opposing::MostOpposing;
#[cfg(feature = "peers")]
use super::parry::{Form, Parry};
use super::semi_local::SemiLocal;
use super::time_of_contact::TimeOfContact;
use super::vclip::VClip;
use super::vertex_only::VertexOnly;
use super::volume_sat::Sat;
use super::{Method, TOUCHING};

/// [`super::closest_points`]
pub fn closest_points() -> Method {
    let method = ClosestPoints::default();
    let margin = 2.0 * method.epsilon;
    Method::new(
        "closest-points",
        "separation of closest features of eroded shapes, within an envelope",
        Local::new(method, margin),
    )
}

/// [`super::intersection`]
pub fn intersection() -> Method {
    Method::new(
        "intersection",
        "vertex-face and edge-edge contacts of intersecting surface triangles",
        Local::new(Intersection::default(), TOUCHING),
    )
}

/// [`super::vertex_only`]
pub fn vertex_only() -> Method {
    Method::new(
        "vertex-only",
        "vertices inside, with the normal of the closest surface face",
        Local::new(VertexOnly::default(), TOUCHING),
    )
}

/// [`super::consistent_vertex`]
pub fn consistent_vertex() -> Method {
    Method::new(
        "consistent-vertex",
        "vertices inside, with the normal of the face that their edges leave by",
        Local::new(ConsistentVertex::default(), TOUCHING),
    )
}

/// [`super::volume_sat`]
pub fn volume_sat() -> Method {
    Method::new("volume-sat", "axis of least overlap of two tetrahedra", Local::new(Sat::volume(), TOUCHING))
}

/// [`super::surface_sat`]
pub fn surface_sat() -> Method {
    Method::new(
        "surface-sat",
        "axis of least overlap among those of surface features",
        Local::new(Sat::surface(), TOUCHING),
    )
}

/// [`super::growth_distance`]
pub fn growth_distance() -> Method {
    Method::new(
        "growth-distance",
        "best feature normal for the separation of shrunk tetrahedra",
        Local::new(GrowthDistance::default(), TOUCHING),
    )
}

/// [`super::most_opposing`]
pub fn most_opposing() -> Method {
    Method::new(
        "most-opposing",
        "the two surface faces that oppose each other most",
        Local::new(MostOpposing::default(), TOUCHING),
    )
}

/// [`super::parry`] on convex hulls.
#[cfg(feature = "peers")]
pub fn parry_convex() -> Method {
    let summary = "peer: parry's manifold of the convex hulls, which fill what is not convex";
    Method::new("parry-convex", summary, Parry::new(Form::Convex))
}

/// [`super::parry`] on triangle meshes.
#[cfg(feature = "peers")]
pub fn parry_trimesh() -> Method {
    let summary = "peer: parry's manifolds of the surfaces, triangle by triangle";
    Method::new("parry-trimesh", summary, Parry::new(Form::TriangleMesh))
}

/// [`super::parry`] on compounds of tetrahedra.
#[cfg(feature = "peers")]
pub fn parry_compound() -> Method {
    let summary = "peer: parry's manifolds of the tetrahedra, pair by pair";
    Method::new("parry-compound", summary, Parry::new(Form::Compound))
}

/// [`super::vclip`]
pub fn vclip() -> Method {
    Method::new("vclip", "closest features of convex pieces, now and in the steps before", VClip::default())
}

/// [`super::semi_local`]
pub fn semi_local() -> Method {
    let summary = "normal cones of whole facets, edges and vertices on both sides, decided region by region";
    Method::new("semi-local", summary, SemiLocal::default())
}

/// [`super::time_of_contact`]
pub fn time_of_contact() -> Method {
    let summary = "points of each surface on their way: what touches, or comes into contact within a step";
    Method::new("time-of-contact", summary, TimeOfContact::default())
}

/// The local methods of the assessment paper, in the order of its table.
pub fn local() -> [Method; 8] {
    [
        closest_points(),
        intersection(),
        vertex_only(),
        consistent_vertex(),
        volume_sat(),
        surface_sat(),
        growth_distance(),
        most_opposing(),
    ]
}

/// The contact generators of other engines; none without the feature `peers`.
pub fn peers() -> Vec<Method> {
    #[cfg(feature = "peers")]
    return vec![parry_convex(), parry_trimesh(), parry_compound()];
    #[cfg(not(feature = "peers"))]
    Vec::new()
}

/// All of them: the local ones, then the peers, then closest features with contact sets, times of contact, and our own.
pub fn all() -> Vec<Method> {
    let own = [vclip(), time_of_contact(), semi_local()];
    local().into_iter().chain(peers()).chain(own).collect()
}
