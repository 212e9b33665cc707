//! Facet against vertex: a vertex above or below a facet.

use super::candidate::{Across, Candidates, Found, View};
use crate::shape::features::FeatureId;

/// Adds the point in which vertex v (other) touches facet f (own), if the other solid lies above the plane at the vertex.
/// `exchanged` says that the view is that of B.
pub fn add(view: &View<'_>, exchanged: bool, f: u32, v: u32, candidates: &mut Candidates) {
    let (facet, vertex) = (&view.own.facets()[f as usize], &view.other.vertices()[v as usize]);
    let b = view.placement.point(vertex.position);
    let height = facet.height(b);
    if view.in_range(height)
        && facet.contains_or_adjoins(facet.place(b), view.limits.same, view.limits.depth)
        && vertex.supports(-view.placement.inverse_direction(facet.normal), view.angles.cone)
    {
        let corners = [Across { a: b - facet.normal * height, b }];
        let found = Found { normal: facet.normal, corners: &corners };
        candidates.add(view, exchanged, (FeatureId::Facet(f), FeatureId::Vertex(v)), found);
    }
}
