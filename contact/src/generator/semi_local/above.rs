//! Which points are above a facet, or have sunk into the solid beside it.

use glam::DVec3;

use super::candidate::Limits;
use crate::shape::features::{Facet, Features};

/// Whether a point lies over the polygon of a facet (or under it, sunk in).
///
/// What has sunk into one wall of a crack has passed by the border of the other wall and still touches it: moved apart
/// along the first wall's normal it would be over the second. So beyond a reflex edge the point counts as well if the
/// solid is there, that is if the lower of the point and its projection lies under a facet around.
pub fn is_above(features: &Features, f: u32, point: DVec3, limits: &Limits) -> bool {
    let facet = &features.facets()[f as usize];
    let place = facet.place(point);
    if facet.contains(place, limits.same) {
        return true;
    }
    if features.around(f).is_empty() || !facet.is_beside_reflex(place, limits.depth) {
        return false;
    }
    let lower = point - facet.normal * facet.height(point).max(0.0);
    let is_under = |other: &Facet| {
        let height = other.height(lower);
        height <= limits.same && height >= -2.0 * limits.depth
    };
    let around = || features.around(f).iter().map(|&g| &features.facets()[g as usize]);
    if around().any(|other| is_under(other) && other.contains(other.place(lower), limits.same)) {
        return true;
    }
    // Straight below a reflex edge it has passed by both facets.
    facet.edges.iter().zip(&facet.is_reflex).filter(|(_, is_reflex)| **is_reflex).any(|(&e, _)| {
        let edge = &features.edges()[e as usize];
        let [from, to] = edge.vertices.map(|v| features.vertices()[v as usize].position);
        let (along, length) = ((lower - from).dot(edge.direction), from.distance(to));
        let down = lower - (from + edge.direction * along);
        // Beside neither facet's side of the edge, or hardly: there it is below one of them or beside it.
        let is_between = || edge.inward.iter().all(|inward| down.dot(*inward) <= limits.same);
        (0.0..=length).contains(&along)
            && down.length() <= limits.depth
            && edge.facets.iter().all(|&g| is_under(&features.facets()[g as usize]))
            && is_between()
    })
}
