//! How far two bodies can move before they are as near as a given distance.

use super::ImpactLimit;
use super::motion::{Moving, ROUNDING};
use drystone_contact::ccd::mesh::{
    Between, Candidate, MovingMesh, between, distance_at_start, earliest, surfaces_meet,
};
use drystone_contact::ccd::{Answer, CcdError, Metric, Query, RootFinder, Settings};
use drystone_contact::shape::Surface;
use drystone_contact::{Contact, Feature};
use glam::DVec3;

/// Deviations from straight motion, and the tolerance of queries, as a share of the distance that is kept: each of them
/// lets the bodies stop so much too early. With a share of 0.7 kept the pair is 1.2 × 0.7 of its distance apart when it
/// stops at once, so that it never has to.
const SHARE: f64 = 0.1;

/// Pieces that turn by more than this are halved before any query, rad.
const LARGE_ANGLE: f64 = 1.0;

/// Bodies nearer than this share of the largest coordinate count as meeting: rounding cannot tell.
const TOUCHING: f64 = 8.0 * ROUNDING;

/// How often a motion is halved in search of a part after which bodies are no nearer than before.
const HALVINGS: u32 = 12;

/// Two bodies in motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach<'a> {
    pub a: Moving<'a>,
    pub b: Moving<'a>,
    pub surfaces: [&'a Surface; 2],
    /// The clearance of the pair, m.
    pub clearance: f64,
}

/// How far a pair can move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// They meet where they are.
    Overlapping,
    /// All the way.
    Free,
    /// As far as this fraction.
    Impact(f64),
}

impl Approach<'_> {
    /// The part of the motion in which the bodies keep their distance. With `check`, bodies that meet at the start are told
    /// from those that do not. Bodies with places that are no numbers, or out of range, do not move.
    pub fn limit(&self, limit: &ImpactLimit, check: bool) -> Outcome {
        let (start_a, start_b) = (self.a.places(0.0), self.b.places(0.0));
        let (Some(a), Some(b)) = (mesh(&self.a, &start_a, &start_a), mesh(&self.b, &start_b, &start_b)) else {
            return Outcome::Impact(0.0);
        };
        if check && self.overlap(&a, &b) {
            return Outcome::Overlapping;
        }
        let now = least_distance(&a, &b, limit.horizon(self.clearance));
        if check && now <= TOUCHING * a.largest_coordinate().max(b.largest_coordinate()) {
            return Outcome::Overlapping;
        }
        let kept = limit.kept(self.clearance, now);
        let outcome = self.earliest(kept, limit).unwrap_or(Outcome::Impact(0.0));
        if now < limit.floor(self.clearance) { self.parting(now, outcome) } else { outcome }
    }

    /// How far places are off, as a share of the largest coordinate.
    fn rounding(&self) -> f64 {
        self.a.rounding().max(self.b.rounding())
    }

    /// As much of the motion up to `outcome` as ends with the bodies no nearer than `now` (m): all of it, a half, a
    /// quarter and so on, or nothing.
    fn parting(&self, now: f64, outcome: Outcome) -> Outcome {
        let mut end = match outcome {
            Outcome::Impact(fraction) => fraction,
            _ => 1.0,
        };
        for _ in 0..=HALVINGS {
            let places = [&self.a, &self.b].map(|body| body.places(end));
            let meshes = (mesh(&self.a, &places[0], &places[0]), mesh(&self.b, &places[1], &places[1]));
            let (Some(a), Some(b)) = meshes else { return Outcome::Impact(0.0) };
            if least_distance(&a, &b, now) >= now {
                return if end == 1.0 { outcome } else { Outcome::Impact(end) };
            }
            end *= 0.5;
        }
        Outcome::Impact(0.0)
    }

    /// The largest part of the motion in which the bodies stay `kept` (m) apart.
    fn earliest(&self, kept: f64, limit: &ImpactLimit) -> Result<Outcome, CcdError> {
        let mut pieces = 0;
        // Pieces that are left, the earliest on top.
        let mut left = vec![(0.0, 1.0)];
        while let Some((from, to)) = left.pop() {
            pieces += 1;
            let width: f64 = to - from;
            let deviation = self.a.deviation(width) + self.b.deviation(width);
            let places = [&self.a, &self.b].map(|body| [body.places(from), body.places(to)]);
            let [Some(a), Some(b)] = [(&self.a, &places[0]), (&self.b, &places[1])].map(|(m, [s, e])| mesh(m, s, e))
            else {
                return Ok(Outcome::Impact(from));
            };
            let largest = a.largest_coordinate().max(b.largest_coordinate());
            let separation = kept + deviation + self.rounding() * largest;
            if !separation.is_finite() {
                return Ok(Outcome::Impact(from));
            }
            let candidates = between(&a, &b, separation, |_| true);
            if candidates.is_empty() {
                continue;
            }
            let is_last = deviation <= SHARE * kept || pieces >= limit.pieces;
            let turns_far = width * self.a.motion.angle().max(self.b.motion.angle()) > LARGE_ANGLE;
            let mut free = 0.0;
            if is_last || !turns_far {
                // However near they are, the distance that is kept is above what rounding makes of zero.
                let tolerance = SHARE * kept.max(ROUNDING * largest);
                let settings = Settings {
                    tolerance: tolerance.max(f64::MIN_POSITIVE),
                    checks: limit.checks,
                    separation,
                    metric: Metric::Euclidean,
                    ..Settings::default()
                };
                let found = earliest(&a, &b, &candidates, &settings, &solve)?;
                if found.first.is_none() {
                    continue;
                }
                free = found.time;
            }
            let reached = (from + free * width).next_down().max(from);
            if is_last {
                return Ok(Outcome::Impact(reached.next_down().clamp(from, to)));
            }
            let middle = reached + 0.5 * width;
            if middle < to {
                left.push((middle, to));
            }
            left.push((reached, middle.min(to)));
        }
        Ok(Outcome::Free)
    }

    /// Whether the bodies meet at the start: their surfaces do, or one is inside the other.
    fn overlap(&self, a: &MovingMesh<'_>, b: &MovingMesh<'_>) -> bool {
        surfaces_meet(a, b)
            || self.is_inside([&self.a, &self.b], self.surfaces)
            || self.is_inside([&self.b, &self.a], [self.surfaces[1], self.surfaces[0]])
    }

    /// Whether a vertex of a body lies inside another whose surface it does not cross: a vertex of one of its components.
    fn is_inside(&self, [inner, outer]: [&Moving<'_>; 2], [own, around]: [&Surface; 2]) -> bool {
        let (low, high) = around.bounds();
        let place = |v: u32| {
            let place = inner.motion.pose.transform_point(inner.vertices[v as usize]);
            outer.motion.pose.inverse().transform_point(place)
        };
        let is_within = |p: DVec3| p.cmpge(low).all() && p.cmple(high).all() && around.winding_number(p) != 0;
        (0..own.component_count()).any(|component| {
            let triangle = own.components().iter().position(|&c| c == component);
            triangle.is_some_and(|t| is_within(place(own.triangles()[t][0])))
        })
    }
}

fn solve(query: &Query, settings: &Settings) -> Result<Answer, CcdError> {
    RootFinder::new(*settings)?.solve(query)
}

fn mesh<'m>(body: &Moving<'m>, start: &'m [DVec3], end: &'m [DVec3]) -> Option<MovingMesh<'m>> {
    MovingMesh::new(body.topology, start, end).ok()
}

/// The distance, at most `horizon`, m. It is a bound from above: of edges as good as parallel no good one from below is
/// known, and bodies that are taken for farther apart than they are stop early, while such as are taken for nearer would
/// be let come nearer.
fn least_distance(a: &MovingMesh<'_>, b: &MovingMesh<'_>, horizon: f64) -> f64 {
    let near = between(a, b, horizon, |_| true);
    near.iter().map(|c| distance_at_start(&c.query(a, b), Metric::Euclidean).upper).fold(horizon, f64::min)
}

/// Contacts of the bodies where they are at the start, between features no farther apart than the clearance: for pairs
/// that a generator says nothing of. Numbers of features are those of the surfaces.
pub(crate) fn near_contacts(approach: &Approach<'_>) -> Vec<Contact> {
    let places = [&approach.a, &approach.b].map(|body| body.places(0.0));
    let [Some(a), Some(b)] = [(&approach.a, &places[0]), (&approach.b, &places[1])].map(|(m, p)| mesh(m, p, p)) else {
        return Vec::new();
    };
    let mut contacts: Vec<Contact> = Vec::new();
    for candidate in between(&a, &b, approach.clearance, |_| true) {
        let [mut from, mut to] = distance_at_start(&candidate.query(&a, &b), Metric::Euclidean).points;
        if candidate.between == Between::FaceVertex {
            (from, to) = (to, from);
        }
        let (position, gap) = ((from + to) * 0.5, from.distance(to));
        let Some(normal) = (to - from).try_normalize() else { continue };
        let is_known = |c: &Contact| c.position.distance(position) <= approach.clearance && c.normal.dot(normal) > 0.99;
        if gap <= approach.clearance && !contacts.iter().any(is_known) {
            let (feature_a, feature_b) = features(&candidate);
            contacts.push(Contact { position, normal, gap, feature_a, feature_b });
        }
    }
    contacts
}

fn features(candidate: &Candidate) -> (Feature, Feature) {
    let Candidate { between, a, b } = *candidate;
    match between {
        Between::VertexFace => (Feature::Vertex(a), Feature::Face(b)),
        Between::FaceVertex => (Feature::Face(a), Feature::Vertex(b)),
        Between::EdgeEdge => (Feature::Edge(a), Feature::Edge(b)),
    }
}

#[cfg(test)]
mod tests;
