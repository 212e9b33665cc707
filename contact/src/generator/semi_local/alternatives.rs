//! Alternatives: where both solids are convex, any one of several planes keeps them apart, and one is enough.
//!
//! A plane covers another candidate if the features of that candidate lie on its two sides, A's below and B's above: then
//! they cannot meet as long as the plane holds. In a crack the plane of one wall does not cover the other wall, which
//! rises above it, so both hold at once; at two points all planes cover each other, and the best of them is kept:
//! 1. the one with the largest gap, that is with the least penetration;
//! 2. among those the one that was kept in the step before;
//! 3. the one along which B moves away fastest from A, or approaches slowest;
//! 4. the one that points most nearly from the middle of A to the middle of B;
//! 5. the first by number.

use glam::DVec3;

use super::candidate::{Candidate, Candidates, View};
use super::dominance::is_near;

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
    // Of two kept planes the later may cover the earlier, which does not cover it.
    let mut i = 0;
    while i < keep.len() {
        let is_covered = keep[i + 1..].iter().any(|&later| covers(later, keep[i]));
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
    if view.own.is_convex() && view.other.is_convex() {
        return true;
    }
    let reach = view.limits.envelope + c.gap.abs() + d.gap.abs();
    if !is_near(c, d, reach) {
        return false;
    }
    let point = &candidates.points[c.points.0 as usize];
    let is_within = |height: f64, distance: f64| height <= view.limits.same + view.angles.same * distance;
    let below = |p: DVec3| is_within(c.normal.dot(p - point.a), p.distance(point.a));
    let above = |p: DVec3| is_within(c.normal.dot(point.b - p), p.distance(point.b));
    view.own.points(d.a).all(below) && view.other.points(d.b).map(|p| view.placement.point(p)).all(above)
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
        corners.iter().map(super::candidate::Across::middle).sum::<DVec3>() / corners.len() as f64
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
