//! Facet against facet: two planes that face each other, and the polygon that both facets cover.

use glam::{DVec2, DVec3};

use super::candidate::{Across, Candidates, Found, View};
use super::polygon::{self, Polygons};
use crate::shape::features::{Facet, FeatureId};

/// Adds the region in which facets f (own) and g (other) face each other. A region must have a width, and the gap must
/// be in range all over it: facets that gape are left to their edges and vertices.
pub fn add(view: &View<'_>, f: u32, g: u32, polygons: &mut Polygons, candidates: &mut Candidates) {
    let (facet, other) = (&view.own.facets()[f as usize], &view.other.facets()[g as usize]);
    let Some(pair) = Facing::new(view, facet, other) else { return };
    let is_convex = facet.is_convex() && other.is_convex();
    pair.place(view, polygons);
    if is_convex {
        polygon::intersect_convex(polygons, view.limits.same, view.angles.turn);
    } else {
        polygon::intersect(polygons, view.limits.same, view.angles.turn);
    }
    if polygons.corners.len() < 3 {
        return;
    }
    polygons.across.clear();
    polygons.across.extend(polygons.corners.iter().map(|&c| pair.across(c)));
    if polygons.across.iter().all(|c| view.in_range(pair.normal.dot(c.b - c.a))) {
        let found = Found { normal: pair.normal, corners: &polygons.across };
        candidates.add(view, false, (FeatureId::Facet(f), FeatureId::Facet(g)), found);
    }
}

/// Two facets that face each other, in the frame of the first.
pub struct Facing<'f> {
    facet: &'f Facet,
    other: &'f Facet,
    /// Half-way between the normal of the one and the opposite of the other's.
    pub normal: DVec3,
    axes: [DVec3; 2],
    /// The other's normal and centre.
    other_normal: DVec3,
    other_centre: DVec3,
}

impl<'f> Facing<'f> {
    /// `None` if the planes are not parallel, or too far apart wherever the facets are.
    pub fn new(view: &View<'_>, facet: &'f Facet, other: &'f Facet) -> Option<Self> {
        let other_normal = view.placement.direction(other.normal);
        if facet.normal.dot(other_normal) > 0.0 || facet.normal.cross(other_normal).length() > view.angles.parallel {
            return None;
        }
        let other_centre = view.placement.point(other.centre);
        let normal = (facet.normal - other_normal).normalize();
        // Right-handed with the normal, so that the outline of the first facet runs counter-clockwise.
        let (s, t) = normal.any_orthonormal_pair();
        Some(Self { facet, other, normal, axes: [s, t], other_normal, other_centre })
    }

    fn project(&self, p: DVec3) -> DVec2 {
        let offset = p - self.facet.centre;
        DVec2::new(self.axes[0].dot(offset), self.axes[1].dot(offset))
    }

    /// Both outlines in the plane across the normal, counter-clockwise around their areas.
    pub fn place(&self, view: &View<'_>, polygons: &mut Polygons) {
        let Polygons { p, q, .. } = polygons;
        p.clear();
        q.clear();
        p.points.extend(self.facet.corners.iter().map(|&c| self.project(c)));
        p.ends.extend_from_slice(&self.facet.loop_ends);
        // Seen from the first facet the other's loops run the wrong way round.
        for range in self.other.loops() {
            let corners = self.other.corners[range].iter().rev();
            q.points.extend(corners.map(|&c| self.project(view.placement.point(c))));
            q.ends.push(q.points.len() as u32);
        }
    }

    /// The points of both planes above a point of the plane between them.
    pub fn across(&self, c: DVec2) -> Across {
        let base = self.facet.centre + self.axes[0] * c.x + self.axes[1] * c.y;
        let a =
            base + self.normal * (self.facet.normal.dot(self.facet.centre - base) / self.facet.normal.dot(self.normal));
        let b =
            base + self.normal * (self.other_normal.dot(self.other_centre - base) / self.other_normal.dot(self.normal));
        Across { a, b }
    }
}
