//! How far two bodies can move before they are as near as a given distance.

use super::ImpactLimit;
use super::motion::{Moving, ROUNDING};
use drystone_contact::continuous::mesh::{Between, Candidate, MovingMesh, between, distance_at_start, earliest, surfaces_meet};
use drystone_contact::continuous::{Answer, ContinuousError, Metric, Query, RootFinder, Settings};
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
    /// from those that do not.
    pub fn limit(&self, limit: &ImpactLimit, check: bool) -> Outcome {
        let (start_a, start_b) = (self.a.places(0.0), self.b.places(0.0));
        let (Some(a), Some(b)) = (mesh(&self.a, &start_a, &start_a), mesh(&self.b, &start_b, &start_b)) else {
            return Outcome::Free;
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
        if now < limit.floor(self.clearance) && !(outcome == Outcome::Free && self.parts(now)) {
            return Outcome::Impact(0.0);
        }
        outcome
    }

    /// Whether the bodies are no nearer at the end than `now` (m).
    fn parts(&self, now: f64) -> bool {
        let (end_a, end_b) = (self.a.places(1.0), self.b.places(1.0));
        match (mesh(&self.a, &end_a, &end_a), mesh(&self.b, &end_b, &end_b)) {
            (Some(a), Some(b)) => least_distance(&a, &b, now) >= now,
            _ => true,
        }
    }

    /// The largest part of the motion in which the bodies stay `kept` (m) apart.
    fn earliest(&self, kept: f64, limit: &ImpactLimit) -> Result<Outcome, ContinuousError> {
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
                return Ok(Outcome::Free);
            };
            let largest = a.largest_coordinate().max(b.largest_coordinate());
            let separation = kept + deviation + ROUNDING * largest;
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
        surfaces_meet(a, b) || self.is_inside(&self.a, &self.b, self.surfaces[1]) || self.is_inside(&self.b, &self.a, self.surfaces[0])
    }

    /// Whether a vertex of a body lies inside another whose surface it does not cross.
    fn is_inside(&self, inner: &Moving<'_>, outer: &Moving<'_>, surface: &Surface) -> bool {
        let Some(&vertex) = inner.vertices.first() else { return false };
        let place = outer.motion.pose.inverse().transform_point(inner.motion.pose.transform_point(vertex));
        let (low, high) = surface.bounds();
        place.cmpge(low).all() && place.cmple(high).all() && surface.winding_number(place) != 0
    }
}

fn solve(query: &Query, settings: &Settings) -> Result<Answer, ContinuousError> {
    RootFinder::new(*settings)?.solve(query)
}

fn mesh<'m>(body: &Moving<'m>, start: &'m [DVec3], end: &'m [DVec3]) -> Option<MovingMesh<'m>> {
    MovingMesh::new(body.topology, start, end).ok()
}

/// A bound of the distance from below, at most `horizon`, m.
fn least_distance(a: &MovingMesh<'_>, b: &MovingMesh<'_>, horizon: f64) -> f64 {
    let near = between(a, b, horizon, |_| true);
    near.iter().map(|c| distance_at_start(&c.query(a, b), Metric::Euclidean).lower).fold(horizon, f64::min)
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
