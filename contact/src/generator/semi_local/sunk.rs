//! Whether what lies behind a facet has sunk into the solid, or has only passed by it.
//!
//! A facet's plane goes on beyond the solid. What lies under it by more than a little may be outside, below a step or
//! in a hollow; only the solid itself can tell. For two convex solids the question does not arise: their planes are
//! alternatives.

use glam::DVec3;

use super::candidate::{Across, Candidate, Candidates, View};
use crate::shape::Polyhedron;
use crate::shape::features::{FeatureId, Features};

/// Up to this depth, in units of the length below which lengths are none, nothing is asked.
const SHALLOW: f64 = 2.0;

fn is_shallow(view: &View<'_>, c: &Candidate) -> bool {
    c.gap >= -SHALLOW * view.limits.same
}

/// Whether a candidate is shallow, or a place where its region is deep, half way between both features, lies in the solid whose
/// facet it is: for two facets or two edges in one of the two. Of a polygon that is bent or in pieces, the middle of any two corners on
/// both facets tells it as well. The view is that of A, the solids A and B.
pub fn is_open_or_sunk(view: &View<'_>, solids: [&Polyhedron; 2], candidates: &Candidates, c: &Candidate) -> bool {
    if is_shallow(view, c) {
        return true;
    }
    let lies_in = |place: &Across| is_inside(view, solids, candidates, c, [place.middle(); 2]);
    let corners = c.corners(&candidates.points);
    let is_sunk_at = |place: Across| -c.normal.dot(place.b - place.a) >= -0.5 * c.gap && lies_in(&place);
    lies_in(&where_deep(view, candidates, c))
        || (corners.len() > 3 && half_way(corners).any(|place| is_on_both(view, c, &place) && is_sunk_at(place)))
}

/// Whether some of a candidate lies over its facet or, where that ends at a reflex edge, in the solid; one that is not deep may also be as near
/// to it as features that touch.
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
    let is_near = |corner: &Across| {
        let (middle, solid) = (own(corner.middle()), solids[side].solid());
        let reach = 0.5 * corner.a.distance(corner.b) + view.limits.envelope;
        let touches = || solid.tree().closest(middle).is_some_and(|closest| closest.point.squared <= reach * reach);
        solid.is_inside(middle) || (is_shallow(view, c) && touches())
    };
    let is_over = |corner: &Across| {
        let on = own(if side == 0 { corner.a } else { corner.b });
        facet.contains(facet.place(on), view.limits.same)
    };
    c.corners(&candidates.points).iter().any(|corner| is_over(corner) || is_near(corner))
}

/// Whether the solids overlap at a candidate for certain: a point of one, where its feature's part of the region is deep, lies in
/// the other.
pub fn has_sunk_for_certain(view: &View<'_>, solids: [&Polyhedron; 2], candidates: &Candidates, c: &Candidate) -> bool {
    let Across { a, b } = where_deep(view, candidates, c);
    is_inside(view, solids, candidates, c, [b, a])
}

/// The middle of the region of a candidate, or where that is less than half as deep as its deepest corners, as of features that are tilted and
/// gape, the place on the way to these that is.
fn where_deep(view: &View<'_>, candidates: &Candidates, c: &Candidate) -> Across {
    let middle = within(view, candidates, c);
    let gap = |x: &Across| c.normal.dot(x.b - x.a);
    let rise = gap(&middle) - c.gap;
    if c.gap >= 0.0 || rise <= -0.5 * c.gap {
        return middle;
    }
    let deepest = || c.corners(&candidates.points).iter().filter(|x| gap(x) <= c.gap + view.limits.same);
    let deepest = mean(deepest);
    let share = -0.5 * c.gap / rise;
    let place = Across { a: deepest.a.lerp(middle.a, share), b: deepest.b.lerp(middle.b, share) };
    if is_on_both(view, c, &place) { place } else { middle }
}

/// The mean of points across from each other.
fn mean<'c, I: Iterator<Item = &'c Across>>(corners: impl Fn() -> I) -> Across {
    let count = corners().count() as f64;
    Across { a: corners().map(|x| x.a).sum::<DVec3>() / count, b: corners().map(|x| x.b).sum::<DVec3>() / count }
}

/// A point within the region of a candidate: the mean of its corners, or that of three neighbouring corners of a polygon
/// which is bent around its own, as between two L-shaped facets. The mean of all if none of these lies on both facets.
fn within(view: &View<'_>, candidates: &Candidates, c: &Candidate) -> Across {
    let corners = c.corners(&candidates.points);
    let all = mean(|| corners.iter());
    if corners.len() < 4 || is_on_both(view, c, &all) {
        return all;
    }
    let n = corners.len();
    let three = |k: usize| mean(|| [k, k + 1, k + 2].into_iter().map(|k| &corners[k % n]));
    (0..n).map(three).find(|x| is_on_both(view, c, x)).unwrap_or(all)
}

/// The places half way between any two corners.
fn half_way(corners: &[Across]) -> impl Iterator<Item = Across> + '_ {
    let half = |x: &Across, y: &Across| Across { a: x.a.midpoint(y.a), b: x.b.midpoint(y.b) };
    (0..corners.len()).flat_map(move |k| corners[..k].iter().map(move |x| half(x, &corners[k])))
}

/// Whether points across from each other lie on both facets of a candidate; of other features they are taken to.
fn is_on_both(view: &View<'_>, c: &Candidate, x: &Across) -> bool {
    let (FeatureId::Facet(f), FeatureId::Facet(g)) = (c.a, c.b) else { return true };
    let (facet, other) = (&view.own.facets()[f as usize], &view.other.facets()[g as usize]);
    facet.contains(facet.place(x.a), 0.0) && other.contains(other.place(view.placement.inverse_point(x.b)), 0.0)
}

/// Whether the first point lies in A, or the second in B (both in A's frame): in the solid whose facet the candidate has, for two
/// facets or two edges in either; for edges that cross behind the end of one in both, as there is solid behind it.
fn is_inside(
    view: &View<'_>,
    solids: [&Polyhedron; 2],
    candidates: &Candidates,
    c: &Candidate,
    points: [DVec3; 2],
) -> bool {
    let in_a = || solids[0].solid().is_inside(points[0]);
    let in_b = || solids[1].solid().is_inside(view.placement.inverse_point(points[1]));
    match (c.a, c.b) {
        (FeatureId::Facet(_), FeatureId::Edge(_) | FeatureId::Vertex(_)) => in_a(),
        (FeatureId::Edge(_) | FeatureId::Vertex(_), FeatureId::Facet(_)) => in_b(),
        (FeatureId::Edge(e), FeatureId::Edge(f)) if cross_beyond(view, [e, f], candidates, c) => in_a() && in_b(),
        _ => in_a() || in_b(),
    }
}

/// Whether edges of A and B cross where one of them has ended.
fn cross_beyond(view: &View<'_>, [e, f]: [u32; 2], candidates: &Candidates, c: &Candidate) -> bool {
    let is_beyond = |features: &Features, e: u32, at: DVec3| {
        let edge = &features.edges()[e as usize];
        let [from, to] = edge.vertices.map(|v| edge.direction.dot(at - features.vertices()[v as usize].position));
        f64::max(-from, to) > view.limits.same
    };
    c.corners(&candidates.points).iter().any(|corner| {
        is_beyond(view.own, e, corner.a) || is_beyond(view.other, f, view.placement.inverse_point(corner.b))
    })
}
