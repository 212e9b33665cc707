//! When two rigid surfaces in motion come as near each other as a given distance: the time of impact.

use super::{ROUNDING, RigidMesh};
use crate::ccd::mesh::{MovingMesh, between, distance_at_start, earliest, surfaces_meet};
use crate::ccd::{Answer, CcdError, Metric, Query, RootFinder, Settings};
use crate::shape::Surface;
use glam::DVec3;

/// Deviations from straight motion, and the tolerance of queries, as a share of the separation: each of them lets the time
/// of impact be so much too early.
const SHARE: f64 = 0.1;

/// Intervals in which a surface turns by more than this are halved before any query, rad.
const LARGE_ANGLE: f64 = 1.0;

/// Surfaces nearer than this share of the largest coordinate count as meeting: rounding cannot tell.
const TOUCHING: f64 = 8.0 * ROUNDING;

/// How often a motion is halved in search of a time at which surfaces are no nearer than before.
const HALVINGS: u32 = 12;

/// Two surfaces in rigid motion over the same time.
#[derive(Clone, Copy, Debug)]
pub struct RigidPair<'a> {
    /// The first.
    pub a: RigidMesh<'a>,
    /// The second.
    pub b: RigidMesh<'a>,
    /// The surfaces whose vertices, edges and faces the meshes are.
    pub surfaces: [&'a Surface; 2],
}

/// How near two surfaces are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Proximity {
    /// Positions are not finite or above [`Query::LARGEST`].
    OutOfRange,
    /// The surfaces meet, or one is inside the other.
    Overlapping,
    /// So far apart, m.
    Apart(f64),
}

/// How hard a time of impact is looked for; what is left undecided then counts as an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToiLimits {
    /// A motion is divided into so many intervals at most.
    pub max_intervals: usize,
    /// The iteration limit of a query about two features.
    pub max_iterations: u64,
}

impl RigidPair<'_> {
    /// How near the surfaces are at the start; from `horizon` (m) on distances are not told apart. Whether they overlap is
    /// looked at with `check_overlap` only. The distance is a bound from above: of edges as good as parallel no good one
    /// from below is known.
    pub fn proximity_at_start(&self, horizon: f64, check_overlap: bool) -> Proximity {
        let positions = [&self.a, &self.b].map(|mesh| mesh.positions(0.0));
        let [Some(a), Some(b)] = [(&self.a, &positions[0]), (&self.b, &positions[1])].map(|(m, p)| frozen(m, p)) else {
            return Proximity::OutOfRange;
        };
        if check_overlap && self.overlap(&a, &b) {
            return Proximity::Overlapping;
        }
        let distance = least_distance(&a, &b, horizon);
        if check_overlap && distance <= TOUCHING * a.largest_coordinate().max(b.largest_coordinate()) {
            return Proximity::Overlapping;
        }
        Proximity::Apart(distance)
    }

    /// `time`, a half of it, a quarter and so on: the first, as a fraction of the motion, at which the surfaces are at least
    /// `distance` (m) apart; 0 if none is found.
    pub fn apart_at(&self, distance: f64, time: f64) -> f64 {
        let mut end = time;
        for _ in 0..=HALVINGS {
            let positions = [&self.a, &self.b].map(|mesh| mesh.positions(end));
            let meshes = (frozen(&self.a, &positions[0]), frozen(&self.b, &positions[1]));
            let (Some(a), Some(b)) = meshes else { return 0.0 };
            if least_distance(&a, &b, distance) >= distance {
                return end;
            }
            end *= 0.5;
        }
        0.0
    }

    /// [`time_of_impact`] of the two surfaces.
    ///
    /// # Errors
    /// Settings of queries that are out of range.
    pub fn time_of_impact(&self, separation: f64, limits: &ToiLimits) -> Result<Option<f64>, CcdError> {
        time_of_impact([&self.a, &self.b], separation, limits)
    }

    /// Whether the surfaces meet at the start, or one is inside the other.
    fn overlap(&self, a: &MovingMesh<'_>, b: &MovingMesh<'_>) -> bool {
        surfaces_meet(a, b)
            || is_inside([&self.a, &self.b], self.surfaces)
            || is_inside([&self.b, &self.a], [self.surfaces[1], self.surfaces[0]])
    }
}

/// A time, as a fraction of the motion, up to which two meshes stay `separation` (m) apart; `None` if they surely do so
/// in all of it. They are at least that far apart at the start. The time is conservative: by no more than the
/// time in which they come nearer by some tenths of the separation, unless a limit was hit.
///
/// # Errors
/// Settings of queries that are out of range.
pub fn time_of_impact(
    meshes: [&RigidMesh<'_>; 2],
    separation: f64,
    limits: &ToiLimits,
) -> Result<Option<f64>, CcdError> {
    let [first, second] = meshes;
    let rounding = first.rounding().max(second.rounding());
    let mut intervals = 0;
    // Intervals that are left, the earliest on top.
    let mut left = vec![(0.0, 1.0)];
    while let Some((from, to)) = left.pop() {
        intervals += 1;
        let width: f64 = to - from;
        let deviation = first.deviation(width) + second.deviation(width);
        let positions = meshes.map(|mesh| [mesh.positions(from), mesh.positions(to)]);
        let [Some(a), Some(b)] = [(first, &positions[0]), (second, &positions[1])].map(|(m, [s, e])| straight(m, s, e))
        else {
            return Ok(Some(from));
        };
        let largest = a.largest_coordinate().max(b.largest_coordinate());
        let between_chords = separation + deviation + rounding * largest;
        // Where turning leaves surfaces farther off than a query may be, nothing is known of where they are.
        let is_known = between_chords <= Query::LARGEST || (between_chords.is_finite() && separation > Query::LARGEST);
        if !is_known {
            return Ok(Some(from));
        }
        let candidates = between(&a, &b, between_chords, |_| true);
        if candidates.is_empty() {
            continue;
        }
        let is_last = deviation <= SHARE * separation || intervals >= limits.max_intervals;
        let turns_far = width * first.motion().angle().max(second.motion().angle()) > LARGE_ANGLE;
        let mut free = 0.0;
        if is_last || !turns_far {
            // However near they are, the separation is above what rounding makes of zero.
            let tolerance = SHARE * separation.max(ROUNDING * largest);
            let settings = Settings {
                tolerance: tolerance.max(f64::MIN_POSITIVE),
                checks: limits.max_iterations,
                separation: between_chords,
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
            return Ok(Some(reached.next_down().clamp(from, to)));
        }
        let middle = reached + 0.5 * width;
        if middle < to {
            left.push((middle, to));
        }
        left.push((reached, middle.min(to)));
    }
    Ok(None)
}

/// Whether a vertex of a surface lies inside another that it does not cross: a vertex of one of its components.
fn is_inside([inner, outer]: [&RigidMesh<'_>; 2], [own, around]: [&Surface; 2]) -> bool {
    let (low, high) = around.bounds();
    let in_outer = |v: u32| {
        let position = inner.motion().pose.transform_point(inner.vertices()[v as usize]);
        outer.motion().pose.inverse().transform_point(position)
    };
    let is_within = |p: DVec3| p.cmpge(low).all() && p.cmple(high).all() && around.winding_number(p) != 0;
    (0..own.component_count()).any(|component| {
        let triangle = own.components().iter().position(|&c| c == component);
        triangle.is_some_and(|t| is_within(in_outer(own.triangles()[t][0])))
    })
}

fn solve(query: &Query, settings: &Settings) -> Result<Answer, CcdError> {
    RootFinder::new(*settings)?.solve(query)
}

/// The mesh with its vertices going straight from `start` to `end`; `None` where those are out of range.
fn straight<'m>(mesh: &RigidMesh<'m>, start: &'m [DVec3], end: &'m [DVec3]) -> Option<MovingMesh<'m>> {
    MovingMesh::new(mesh.topology(), start, end).ok()
}

/// The mesh at rest.
pub(super) fn frozen<'m>(mesh: &RigidMesh<'m>, positions: &'m [DVec3]) -> Option<MovingMesh<'m>> {
    straight(mesh, positions, positions)
}

/// The distance, at most `horizon`, m: a bound from above. Surfaces that are taken for farther apart than they are stop
/// early, while such as are taken for nearer would be let come nearer.
fn least_distance(a: &MovingMesh<'_>, b: &MovingMesh<'_>, horizon: f64) -> f64 {
    let near = between(a, b, horizon, |_| true);
    near.iter().map(|c| distance_at_start(&c.query(a, b), Metric::Euclidean).upper).fold(horizon, f64::min)
}

#[cfg(test)]
mod tests;
