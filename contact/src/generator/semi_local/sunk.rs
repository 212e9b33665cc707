//! Whether what lies behind a facet has sunk into the solid, or has only passed by it.
//!
//! A facet's plane goes on beyond the solid. What lies under it by more than a little may be outside, below a step or
//! in a hollow; only the solid itself can tell. For two convex solids the question does not arise: their planes are
//! alternatives.

use glam::DVec3;

use super::candidate::{Across, Candidate, Candidates, View};
use crate::shape::Polyhedron;
use crate::shape::features::FeatureId;

/// Up to this depth, in units of the length below which lengths are none, nothing is asked.
const SHALLOW: f64 = 2.0;

/// Whether a candidate is shallow, or a place where its region is deep, half way between both features, lies in the solid whose
/// facet it is: for two facets or two edges in one of the two. The view is that of A, the solids A and B.
pub fn is_open_or_sunk(view: &View<'_>, solids: [&Polyhedron; 2], candidates: &Candidates, c: &Candidate) -> bool {
    if c.gap >= -SHALLOW * view.limits.same {
        return true;
    }
    let middle = where_deep(view, candidates, c).middle();
    is_inside(view, solids, c, [middle; 2])
}

/// Whether a candidate lies over its facet or, where that ends at a reflex edge, in the solid or as near to it as features that touch.
pub fn is_at_solid(view: &View<'_>, solids: [&Polyhedron; 2], candidates: &Candidates, c: &Candidate) -> bool {
    let (features, f, side) = match (c.a, c.b) {
        (FeatureId::Facet(f), FeatureId::Edge(_) | FeatureId::Vertex(_)) => (view.own, f, 0),
        (FeatureId::Edge(_) | FeatureId::Vertex(_), FeatureId::Facet(g)) => (view.other, g, 1),
        _ => return true,
    };
    if features.around(f).is_empty() {
        return true;
    }
    let facet = &features.facets()[f as usize];
    let own = |p: DVec3| if side == 0 { p } else { view.placement.inverse_point(p) };
    let is_at = |corner: &Across| {
        let (on, middle) = (own(if side == 0 { corner.a } else { corner.b }), own(corner.middle()));
        let solid = solids[side].solid();
        let reach = 0.5 * corner.a.distance(corner.b) + view.limits.envelope;
        let is_near = || solid.tree().closest(middle).is_some_and(|closest| closest.point.squared <= reach * reach);
        facet.contains(facet.place(on), view.limits.same) || solid.is_inside(middle) || is_near()
    };
    c.corners(&candidates.points).iter().all(is_at)
}

/// Whether the solids overlap at a candidate for certain: a point of one, where its feature's part of the region is deep, lies in
/// the other.
pub fn has_sunk_for_certain(view: &View<'_>, solids: [&Polyhedron; 2], candidates: &Candidates, c: &Candidate) -> bool {
    let Across { a, b } = where_deep(view, candidates, c);
    is_inside(view, solids, c, [b, a])
}

/// The middle of the region of a candidate, or where features are tilted and gape there a place nearer to the deepest corner, where they are
/// half as deep as at that one.
fn where_deep(view: &View<'_>, candidates: &Candidates, c: &Candidate) -> Across {
    let middle = within(view, candidates, c);
    let gap = |x: &Across| c.normal.dot(x.b - x.a);
    let corners = c.corners(&candidates.points);
    let Some(deepest) = corners.iter().min_by(|x, y| gap(x).total_cmp(&gap(y))) else { return middle };
    let rise = gap(&middle) - c.gap;
    if c.gap >= 0.0 || rise <= -0.5 * c.gap {
        return middle;
    }
    let share = -0.5 * c.gap / rise;
    Across { a: deepest.a.lerp(middle.a, share), b: deepest.b.lerp(middle.b, share) }
}

/// A point within the region of a candidate: the mean of its corners, or that of three neighbouring corners of a polygon
/// which is bent around its own, as between two L-shaped facets. The mean of all if none of these lies on both facets.
fn within(view: &View<'_>, candidates: &Candidates, c: &Candidate) -> Across {
    let mean = |[x, y, z]: [Across; 3]| Across { a: (x.a + y.a + z.a) / 3.0, b: (x.b + y.b + z.b) / 3.0 };
    let all = Across { a: c.mean(&candidates.points, |x| x.a), b: c.mean(&candidates.points, |x| x.b) };
    let (FeatureId::Facet(f), FeatureId::Facet(g)) = (c.a, c.b) else { return all };
    let (facet, other) = (&view.own.facets()[f as usize], &view.other.facets()[g as usize]);
    let is_on_both = |x: &Across| {
        facet.contains(facet.place(x.a), 0.0) && other.contains(other.place(view.placement.inverse_point(x.b)), 0.0)
    };
    let corners = c.corners(&candidates.points);
    if is_on_both(&all) || corners.len() < 4 {
        return all;
    }
    let n = corners.len();
    (0..n).map(|k| mean([corners[k], corners[(k + 1) % n], corners[(k + 2) % n]])).find(is_on_both).unwrap_or(all)
}

/// Whether the first point lies in A, or the second in B (both in A's frame): in the solid whose facet the candidate has, for two
/// facets or two edges in either.
fn is_inside(view: &View<'_>, solids: [&Polyhedron; 2], c: &Candidate, points: [DVec3; 2]) -> bool {
    let in_a = || solids[0].solid().is_inside(points[0]);
    let in_b = || solids[1].solid().is_inside(view.placement.inverse_point(points[1]));
    match (c.a, c.b) {
        (FeatureId::Facet(_), FeatureId::Edge(_) | FeatureId::Vertex(_)) => in_a(),
        (FeatureId::Edge(_) | FeatureId::Vertex(_), FeatureId::Facet(_)) => in_b(),
        _ => in_a() || in_b(),
    }
}
