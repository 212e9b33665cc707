//! Dominance: a region in the closure of a region of the same normal and of no lower dimension is no contact of its own.
//! The border of a polygon is not a row of edge contacts, its corners are not contacts of vertices.

use glam::DVec3;

use super::candidate::{Across, Candidate, View};
use crate::shape::features::FeatureId;

/// Whether the region of `new` lies in that of `old` or no farther beside it than the envelope. The view is that of A.
pub fn dominates(view: &View<'_>, points: &[Across], old: &Candidate, new: &Candidate) -> bool {
    old.dimension() >= new.dimension()
        && old.normal.dot(new.normal) > 0.0
        && old.normal.cross(new.normal).length() <= view.angles.same
        && is_near(old, new, view.limits.envelope)
        && new.corners(points).iter().all(|corner| contains(view, points, old, corner))
}

/// Whether the boxes of two regions come as near as a distance, m.
pub fn is_near(c: &Candidate, d: &Candidate, distance: f64) -> bool {
    (c.bounds.0 - d.bounds.1).max_element() <= distance && (d.bounds.0 - c.bounds.1).max_element() <= distance
}

fn contains(view: &View<'_>, points: &[Across], region: &Candidate, corner: &Across) -> bool {
    let reach = view.limits.envelope;
    match *region.corners(points) {
        [point] => lateral(corner.middle() - point.middle(), region.normal).length() <= reach,
        [from, to] => {
            let (along, offset) = (to.middle() - from.middle(), corner.middle() - from.middle());
            let s = (offset.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            lateral(offset - along * s, region.normal).length() <= reach
        }
        _ => {
            let (FeatureId::Facet(f), FeatureId::Facet(g)) = (region.a, region.b) else { return false };
            let (f, g) = (&view.own.facets()[f as usize], &view.other.facets()[g as usize]);
            f.contains(f.place(corner.a), reach) && g.contains(g.place(view.placement.inverse_point(corner.b)), reach)
        }
    }
}

/// What of a vector lies across the normal.
fn lateral(v: DVec3, normal: DVec3) -> DVec3 {
    v - normal * v.dot(normal)
}
