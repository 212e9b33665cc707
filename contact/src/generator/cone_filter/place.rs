//! The features that a point lies on, and whether a plane through it keeps the solid on one side.

use glam::DVec3;

use crate::segment::closest_on_segment;
use crate::shape::features::{Facet, FeatureId, Features};

/// Whether the direction n (unit or zero) is in the normal cone of a feature that comes as near to the point as the
/// distance, m, up to the tolerance (a sine). Point and direction in the shape's frame.
pub fn supports(features: &Features, point: DVec3, n: DVec3, distance: f64, tolerance: f64) -> bool {
    let is_in_cone = |feature: FeatureId| n != DVec3::ZERO && features.supports(feature, n, tolerance);
    (0..).zip(features.facets()).filter(|(_, facet)| is_near_box(facet, point, distance)).any(|(f, facet)| {
        let is_vertex = |v: &u32| {
            features.vertices()[*v as usize].position.distance(point) <= distance && is_in_cone(FeatureId::Vertex(*v))
        };
        let is_edge = |e: &u32| {
            let ends = features.edges()[*e as usize].vertices.map(|v| features.vertices()[v as usize].position);
            point.distance(closest_on_segment(point, ends)) <= distance && is_in_cone(FeatureId::Edge(*e))
        };
        is_in_cone(FeatureId::Facet(f)) && is_near(facet, point, distance)
            || features.owned_edges(f).iter().any(is_edge)
            || features.owned_vertices(f).iter().any(is_vertex)
    })
}

fn is_near_box(facet: &Facet, point: DVec3, distance: f64) -> bool {
    let (low, high) = facet.bounds;
    point.distance(point.clamp(low, high)) <= distance
}

fn is_near(facet: &Facet, point: DVec3, distance: f64) -> bool {
    let height = facet.height(point).abs();
    height <= distance && facet.contains(facet.place(point), (distance * distance - height * height).sqrt())
}
