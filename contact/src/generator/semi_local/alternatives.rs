//! Alternatives: where both solids are convex, any one of several planes keeps them apart, and one is enough.
//!
//! A plane covers another candidate near it if the features of that candidate lie on its two sides there, A's below and
//! B's above: then they cannot meet as long as the plane holds. In a crack the plane of one wall does not cover the
//! other wall, which rises above it, so both hold at once; at two points all planes cover each other, and the best of
//! them is kept:
//! 1. the one with the largest gap, that is with the least penetration;
//! 2. among those the one that was kept in the step before;
//! 3. the one along which B moves away fastest from A, or approaches slowest;
//! 4. the one that points most nearly from the middle of A to the middle of B;
//! 5. the first by number.

use std::cmp::Reverse;

use glam::DVec3;

use super::candidate::{Across, Candidate, Candidates, View};
use super::dominance::is_near;
use super::neighbours::Neighbours;
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

/// What is known of the candidates of a pair.
pub struct Field<'f> {
    /// The view of A.
    pub view: &'f View<'f>,
    pub candidates: &'f Candidates,
    pub neighbours: &'f Neighbours,
    pub motion: &'f Motion<'f>,
}

/// Scratch space.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The ranks of the candidates to choose from, by their gaps.
    by_gap: Vec<u32>,
    /// Those that are as good as another.
    tied: Vec<u32>,
}

/// Chooses of the open candidates (listed in `ranked`) those to keep, in the order of their ranks.
pub fn choose(field: &Field<'_>, ranked: &[u32], is_open: &mut [bool], keep: &mut Vec<u32>, choice: &mut Choice) {
    let Choice { by_gap, tied } = choice;
    by_gap.clear();
    by_gap.extend(0..ranked.len() as u32);
    let gap = |i: u32| field.view.limits.steps(field.at(ranked[i as usize]).gap);
    by_gap.sort_unstable_by_key(|&i| (Reverse(gap(i)), i));
    keep.clear();
    for first in by_gap.iter().map(|&i| ranked[i as usize]) {
        while is_open[first as usize] {
            tied.clear();
            tied.push(first);
            let least_gap = field.at(first).gap - field.view.limits.same;
            let is_tied = |c: u32| field.at(c).gap >= least_gap && field.covers(first, c) && field.covers(c, first);
            tied.extend(field.near(ranked, first).filter(|&c| is_open[c as usize] && c != first && is_tied(c)));
            let best = field.best(tied);
            keep.push(best);
            is_open[best as usize] = false;
            for c in field.near(ranked, best) {
                if is_open[c as usize] && field.covers(best, c) {
                    is_open[c as usize] = false;
                }
            }
        }
    }
    // Of two kept planes the later may cover the earlier, which does not cover it, if it keeps them apart as well.
    keep.iter().for_each(|&c| is_open[c as usize] = true);
    for i in 0..keep.len() {
        let least_gap = field.at(keep[i]).gap - field.view.limits.same;
        let replaces =
            |c: u32| c != keep[i] && is_open[c as usize] && field.at(c).gap >= least_gap && field.covers(c, keep[i]);
        is_open[keep[i] as usize] = !field.near(ranked, keep[i]).any(replaces);
    }
    keep.clear();
    keep.extend(ranked.iter().filter(|&&c| is_open[c as usize]));
}

impl Field<'_> {
    fn at(&self, c: u32) -> &Candidate {
        &self.candidates.list[c as usize]
    }

    fn are_convex(&self) -> bool {
        self.view.own.is_convex() && self.view.other.is_convex()
    }

    /// The candidates that c may cover: of two convex solids all.
    fn near<'n>(&'n self, ranked: &'n [u32], c: u32) -> impl Iterator<Item = u32> + 'n {
        let all = self.are_convex().then(|| ranked.iter().copied());
        let near = (!self.are_convex()).then(|| self.neighbours.of(c));
        all.into_iter().flatten().chain(near.into_iter().flatten())
    }

    /// Whether the plane of `c` keeps the features of `d` apart.
    fn covers(&self, c: u32, d: u32) -> bool {
        covers(self.view, self.candidates, self.at(c), self.at(d))
    }

    /// The best of candidates with about the same gap, by the rules above.
    fn best(&self, tied: &[u32]) -> u32 {
        let motion = self.motion;
        if tied.len() == 1 {
            return tied[0];
        }
        if let Some(&c) = tied.iter().filter(|&&c| (motion.was_kept)(self.at(c))).min_by_key(|&&c| self.number(c)) {
            return c;
        }
        let middle = |c: u32| self.at(c).mean(&self.candidates.points, Across::middle);
        let speed = |c: u32| self.at(c).normal.dot((motion.velocity)(middle(c)));
        let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
        let scale = largest(&mut tied.iter().map(|&c| (motion.velocity)(middle(c)).length()));
        let least_speed = largest(&mut tied.iter().map(|&c| speed(c))) - EQUAL * scale;
        let fast = || tied.iter().copied().filter(|&c| speed(c) >= least_speed);
        let direction = |c: u32| self.at(c).normal.dot(motion.towards);
        let least_direction = largest(&mut fast().map(direction)) - EQUAL * motion.towards.length();
        fast().filter(|&c| direction(c) >= least_direction).min_by_key(|&c| self.number(c)).unwrap_or(tied[0])
    }

    fn number(&self, c: u32) -> (FeatureId, FeatureId) {
        (self.at(c).a, self.at(c).b)
    }
}

/// Whether the plane of `c` keeps the features of `d` apart.
pub fn covers(view: &View<'_>, candidates: &Candidates, c: &Candidate, d: &Candidate) -> bool {
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

/// Whether, as far as the features of `d` are seen from a corner of its region, A's lies below the plane of `c` and B's
/// above.
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

/// How high a feature reaches along a direction over a point of it, as far as it is no farther from that point than
/// `reach` (m).
pub fn highest(features: &Features, feature: FeatureId, from: DVec3, up: DVec3, reach: f64) -> f64 {
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
pub fn highest_of_segment(p: DVec3, q: DVec3, up: DVec3, reach: f64) -> f64 {
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
