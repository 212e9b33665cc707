//! Edge against edge: two edges that cross.

use glam::DVec3;

use super::candidate::{Across, Candidates, Found, View};
use crate::shape::features::{Edge, FeatureId, Features};

/// Edges whose directions span a parallelogram of less than this share of a square have no cross product to speak of;
/// such edges touch along a segment, which a facet at one of them finds.
const PARALLEL: f64 = 1e-6;

/// Adds the point in which edges e (own) and f (other) cross, with the normal across both, if it lies in the normal
/// cone of the one and, negated, in that of the other.
pub fn add(view: &View<'_>, e: u32, f: u32, candidates: &mut Candidates) {
    let (own, other) = (&view.own.edges()[e as usize], &view.other.edges()[f as usize]);
    if !own.is_convex || !other.is_convex {
        return;
    }
    let direction = view.placement.direction(other.direction);
    let across = own.direction.cross(direction);
    let sine = across.length();
    if sine <= PARALLEL {
        return;
    }
    let across = across / sine;
    let supports = |n: DVec3| {
        own.supports(n, view.angles.cone) && other.supports(-view.placement.inverse_direction(n), view.angles.cone)
    };
    let Some(normal) = [across, -across].into_iter().find(|&n| supports(n)) else { return };
    let [p, q] = own.vertices.map(|v| view.own.vertices()[v as usize].position);
    let [r, s] = other.vertices.map(|v| view.placement.point(view.other.vertices()[v as usize].position));
    let between = r - p;
    let gap = normal.dot(between);
    if !view.in_range(gap) {
        return;
    }
    // The nearest points of two lines, by their distances from p and r.
    let (along, cosine) = (own.direction.dot(between), own.direction.dot(direction));
    let back = direction.dot(between);
    let at_own = (along - cosine * back) / (sine * sine);
    let at_other = (cosine * along - back) / (sine * sine);
    let same = view.limits.same;
    // Where the solid rises beyond the end of an edge, as at the foot of a wall, edges that are deep cross a little behind it.
    let farthest = f64::min(-gap, view.limits.envelope);
    let is_on = |at: f64, length: f64, rises: &dyn Fn(usize) -> bool| {
        let beyond = f64::max(-at, at - length);
        beyond <= same || (beyond <= farthest && rises(usize::from(at > 0.0)))
    };
    let inverse = -view.placement.inverse_direction(normal);
    let rises = |features: &Features, edge: &Edge, n: DVec3, end: usize| {
        !features.vertices()[edge.vertices[end] as usize].supports(n, view.angles.cone)
    };
    if is_on(at_own, p.distance(q), &|end| rises(view.own, own, normal, end))
        && is_on(at_other, r.distance(s), &|end| rises(view.other, other, inverse, end))
    {
        let corners = [Across { a: p + own.direction * at_own, b: r + direction * at_other }];
        let found = Found { normal, corners: &corners };
        candidates.add(view, false, (FeatureId::Edge(e), FeatureId::Edge(f)), found);
    }
}
