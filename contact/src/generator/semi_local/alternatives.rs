//! Alternatives: where both solids are convex, any one of several planes keeps them apart, and one is enough.
//!
//! A plane covers another candidate near it if the features of that candidate lie on its two sides there, A's below and B's
//! above: then they cannot meet as long as the plane holds. In a crack the plane of one wall does not cover the other wall, which
//! rises above it, so both hold at once; at two points all planes cover each other, and the best of them is kept:
//! 1. the one with the largest gap, that is with the least penetration;
//! 2. among those the one that was kept in the step before;
//! 3. the one along which B moves away fastest from A, or approaches slowest;
//! 4. the one that points most nearly from the middle of A to the middle of B;
//! 5. the first by number.

use glam::DVec3;

use super::candidate::{Across, Candidate, Candidates, View};
use super::dominance::is_near;
use crate::shape::features::{FeatureId, Features};

/// What decides between alternatives beyond the gap.
pub struct Motion<'m> {
    /// The velocity of B relative to A at a point, A's frame, m/s.
    pub velocity: &'m dyn Fn(DVec3) -> DVec3,
    /// From the middle of A to the middle of B, A's frame.
    pub towards: DVec3,
    /// Whether a candidate was kept in the step before.
    pub was_kept: &'m dyn Fn(&Candidate) -> bool,
}

/// Speeds (m/s) and lengths (m) that differ by less than this share are equal: what rounding leaves of them.
const EQUAL: f64 = 1e-9;

/// Marks the candidates to keep. The view is that of A.
pub fn choose(view: &View<'_>, candidates: &Candidates, motion: &Motion<'_>, keep: &mut Vec<u32>, open: &mut Vec<u32>) {
    keep.clear();
    open.clear();
    open.extend(0..candidates.list.len() as u32);
    let at = |i: u32| &candidates.list[i as usize];
    let covers = |c: u32, d: u32| covers(view, candidates, at(c), at(d));
    // The best of all that are left is kept, what it covers is not.
    while let Some(best) = best(view, candidates, motion, open) {
        keep.push(best);
        open.retain(|&c| c != best && !covers(best, c));
    }
    // Of two kept planes the later may cover the earlier, which does not cover it, if it keeps them apart as well.
    let mut i = 0;
    while i < keep.len() {
        let keeps_as_well = |later: u32| at(later).gap >= at(keep[i]).gap - view.limits.same;
        let is_covered = keep[i + 1..].iter().any(|&later| keeps_as_well(later) && covers(later, keep[i]));
        if is_covered {
            keep.remove(i);
        } else {
            i += 1;
        }
    }
}

/// Whether the plane of `c` keeps the features of `d` apart.
fn covers(view: &View<'_>, candidates: &Candidates, c: &Candidate, d: &Candidate) -> bool {
    if c.normal.dot(d.normal) > 0.0 && c.normal.cross(d.normal).length() <= view.angles.same {
        return false;
    }
    // Where the features of d touch the plane must keep them as far apart as it says.
    let is_apart = |at: &Across| c.normal.dot(at.b - at.a) >= c.gap - view.limits.same;
    if !d.corners(&candidates.points).iter().all(is_apart) {
        return false;
    }
    if view.own.is_convex() && view.other.is_convex() {
        return true;
    }
    let reach = view.limits.envelope + c.gap.abs() + d.gap.abs();
    is_near(c, d, reach)
        && d.corners(&candidates.points).iter().all(|at| lies_between(view, candidates, c, d, at, reach))
}

/// Whether, as far as the features of `d` are seen from a corner of its region, A's lies below the plane of `c` and B's above.
fn lies_between(
    view: &View<'_>,
    candidates: &Candidates,
    c: &Candidate,
    d: &Candidate,
    at: &Across,
    reach: f64,
) -> bool {
    let corners = c.corners(&candidates.points);
    let nearest = |p: DVec3| corners.iter().min_by(|x, y| x.a.distance_squared(p).total_cmp(&y.a.distance_squared(p)));
    let Some(point) = nearest(at.middle()) else { return false };
    let slack = view.limits.same + view.angles.same * (reach + point.middle().distance(at.middle()));
    let highest = c.normal.dot(at.a - point.a) + highest(view.own, d.a, at.a, c.normal, reach);
    let (centre, downward) = (view.placement.inverse_point(at.b), -view.placement.inverse_direction(c.normal));
    let lowest = c.normal.dot(at.b - point.b) - self::highest(view.other, d.b, centre, downward, reach);
    highest <= slack && lowest >= -slack
}

/// How high a feature reaches along a direction over a point of it, as far as it is no farther from that point than `reach` (m).
fn highest(features: &Features, feature: FeatureId, from: DVec3, up: DVec3, reach: f64) -> f64 {
    let at = |v: u32| features.vertices()[v as usize].position - from;
    match feature {
        FeatureId::Vertex(_) => 0.0,
        FeatureId::Edge(e) => {
            let [p, q] = features.edges()[e as usize].vertices.map(at);
            highest_of_segment(p, q, up, reach)
        }
        FeatureId::Facet(f) => {
            let facet = &features.facets()[f as usize];
            let steepest = (up - facet.normal * up.dot(facet.normal)).normalize_or_zero() * reach;
            let inner = if facet.contains(facet.place(from + steepest), 0.0) { up.dot(steepest) } else { 0.0 };
            let sides = facet.loops().flat_map(|range| {
                let n = range.len();
                let corner = move |k: usize| facet.corners[range.start + k % n] - from;
                (0..n).map(move |k| highest_of_segment(corner(k), corner(k + 1), up, reach))
            });
            sides.fold(inner, f64::max)
        }
    }
}

/// The same for the segment p–q, seen from the origin; 0 if it is farther away.
fn highest_of_segment(p: DVec3, q: DVec3, up: DVec3, reach: f64) -> f64 {
    let side = q - p;
    let (a, b, c) = (side.length_squared(), p.dot(side), p.length_squared() - reach * reach);
    let root = b * b - a * c;
    if root <= 0.0 {
        return 0.0;
    }
    // Where the line enters and leaves the ball.
    let ends = [(-b - root.sqrt()) / a, (-b + root.sqrt()) / a];
    if ends[1] <= 0.0 || ends[0] >= 1.0 {
        return 0.0;
    }
    ends.map(|s| up.dot(p + side * s.clamp(0.0, 1.0))).into_iter().fold(0.0, f64::max)
}

/// The best of the open candidates by the rules above.
fn best(view: &View<'_>, candidates: &Candidates, motion: &Motion<'_>, open: &[u32]) -> Option<u32> {
    let at = |c: u32| &candidates.list[c as usize];
    if open.len() < 2 {
        return open.first().copied();
    }
    let largest = |open: &mut dyn Iterator<Item = u32>, value: &dyn Fn(u32) -> f64| {
        open.map(value).fold(f64::NEG_INFINITY, f64::max)
    };
    let gap = |c: u32| at(c).gap;
    let least_gap = largest(&mut open.iter().copied(), &gap) - view.limits.same;
    let is_apart = |c: &u32| gap(*c) >= least_gap;
    if let Some(c) = open.iter().copied().filter(is_apart).find(|&c| (motion.was_kept)(at(c))) {
        return Some(c);
    }
    let middle = |c: u32| {
        let corners = at(c).corners(&candidates.points);
        corners.iter().map(Across::middle).sum::<DVec3>() / corners.len() as f64
    };
    let speed = |c: u32| at(c).normal.dot((motion.velocity)(middle(c)));
    let scale = open.iter().map(|&c| (motion.velocity)(middle(c)).length()).fold(0.0, f64::max);
    let least_speed = largest(&mut open.iter().copied().filter(is_apart), &speed) - EQUAL * scale;
    let is_fast = |c: &u32| is_apart(c) && speed(*c) >= least_speed;
    let direction = |c: u32| at(c).normal.dot(motion.towards);
    let least_direction =
        largest(&mut open.iter().copied().filter(is_fast), &direction) - EQUAL * motion.towards.length();
    open.iter()
        .copied()
        .filter(is_fast)
        .filter(|&c| direction(c) >= least_direction)
        .min_by_key(|&c| (at(c).a, at(c).b))
}
