//! Facet against vertex: a vertex above or below a facet.

use super::above::is_above;
use super::candidate::{Across, Candidates, Found, View};
use crate::shape::features::FeatureId;

/// Adds the point in which vertex v (other) touches facet f (own), if the other solid lies above the plane at the
/// vertex. `exchanged` says that the view is that of B.
pub fn add(view: &View<'_>, exchanged: bool, f: u32, v: u32, candidates: &mut Candidates) {
    let (facet, vertex) = (&view.own.facets()[f as usize], &view.other.vertices()[v as usize]);
    let b = view.placement.point(vertex.position);
    let height = facet.height(b);
    if view.in_range(height)
        && vertex.supports(-view.placement.inverse_direction(facet.normal), view.angles.cone)
        && is_above(view.own, f, b, &view.limits)
    {
        let corners = [Across { a: b - facet.normal * height, b }];
        let found = Found { normal: facet.normal, corners: &corners };
        candidates.add(view, exchanged, (FeatureId::Facet(f), FeatureId::Vertex(v)), found);
    }
}
