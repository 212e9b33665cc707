//! Dominance: a region in the closure of a region of the same normal and of no lower dimension is no contact of its
//! own, unless it is deeper. The border of a polygon is not a row of edge contacts, its corners are not contacts of vertices.

use crate::segment::share;
use std::cmp::Reverse;

use glam::DVec3;

use super::candidate::{Across, Candidate, Candidates, View};
use super::neighbours::Neighbours;
use crate::shape::features::FeatureId;

/// Surfaces are off the planes of their facets by less than this share of their size.
const FLATNESS: f64 = 2e-5;

/// Keeps of all candidates that may stand those that no other dominates, in the order in which they may dominate each other: polygons
/// before segments before points, then the larger before the smaller, then by gap, then by how nearly their normals
/// point from A to B. It does not depend on which of the shapes is A.
pub fn undominated(
    view: &View<'_>,
    candidates: &Candidates,
    neighbours: &Neighbours,
    towards: DVec3,
    may_stand: impl Fn(&Candidate) -> bool,
    (ranked, is_open): (&mut Vec<u32>, &mut Vec<bool>),
) {
    let Candidates { list, points } = candidates;
    let at = |c: u32| &list[c as usize];
    let extent = |c: u32| view.limits.steps(at(c).bounds.0.distance(at(c).bounds.1));
    let key = |c: u32| (Reverse(at(c).dimension()), Reverse(extent(c)), Reverse(view.limits.steps(at(c).gap)));
    let direction = |c: u32| at(c).normal.dot(towards);
    ranked.clear();
    ranked.extend(0..list.len() as u32);
    ranked.sort_unstable_by(|&c, &d| {
        key(c).cmp(&key(d)).then_with(|| direction(d).total_cmp(&direction(c))).then(c.cmp(&d))
    });
    is_open.clear();
    is_open.resize(list.len(), false);
    ranked.retain(|&c| {
        let is_dominated = neighbours.of(c).any(|d| is_open[d as usize] && dominates(view, points, at(d), at(c)));
        is_open[c as usize] = !is_dominated && may_stand(at(c));
        is_open[c as usize]
    });
}

/// Whether the region of `new` lies in that of `old` or no farther beside it than the envelope, and its features are kept apart by that one's
/// planes: beyond a reflex edge, however flat, they are deeper in each other. The view is that of A.
fn dominates(view: &View<'_>, points: &[Across], old: &Candidate, new: &Candidate) -> bool {
    old.dimension() >= new.dimension()
        && old.normal.dot(new.normal) > 0.0
        && old.normal.cross(new.normal).length() <= view.angles.same
        && is_near(old, new, view.limits.envelope)
        && new.corners(points).iter().all(|corner| contains(view, points, old, corner))
}

/// Whether A's point lies no higher along the normal than the region's own A, and B's no lower, but for what facets may be off their planes.
fn keeps_apart(view: &View<'_>, region: &Candidate, own: &Across, corner: &Across) -> bool {
    let slack = slack(view);
    region.normal.dot(corner.a - own.a) <= slack && region.normal.dot(corner.b - own.b) >= -slack
}

/// Points of a facet are off its plane by no more, or heights are equal, m.
fn slack(view: &View<'_>) -> f64 {
    view.limits.same.max(FLATNESS * view.own.radius().max(view.other.radius()))
}

/// Whether the boxes of two regions come as near as a distance, m.
pub fn is_near(c: &Candidate, d: &Candidate, distance: f64) -> bool {
    (c.bounds.0 - d.bounds.1).max_element() <= distance && (d.bounds.0 - c.bounds.1).max_element() <= distance
}

fn contains(view: &View<'_>, points: &[Across], region: &Candidate, corner: &Across) -> bool {
    let reach = view.limits.envelope;
    match *region.corners(points) {
        [point] => {
            lateral(corner.middle() - point.middle(), region.normal).length() <= reach
                && keeps_apart(view, region, &point, corner)
        }
        [from, to] => {
            let (along, offset) = (to.middle() - from.middle(), corner.middle() - from.middle());
            let s = share(offset.dot(along), along.length_squared());
            let own = Across { a: from.a.lerp(to.a, s), b: from.b.lerp(to.b, s) };
            lateral(offset - along * s, region.normal).length() <= reach && keeps_apart(view, region, &own, corner)
        }
        _ => {
            let (FeatureId::Facet(f), FeatureId::Facet(g)) = (region.a, region.b) else { return false };
            let (f, g) = (&view.own.facets()[f as usize], &view.other.facets()[g as usize]);
            let (a, b) = (corner.a, view.placement.inverse_point(corner.b));
            let slack = slack(view);
            f.height(a) <= slack
                && g.height(b) <= slack
                && f.contains(f.place(a), reach)
                && g.contains(g.place(b), reach)
        }
    }
}

/// What of a vector lies across the normal.
fn lateral(v: DVec3, normal: DVec3) -> DVec3 {
    v - normal * v.dot(normal)
}
