//! Straight edges against each other: what points alone would miss.
//!
//! Edges that come near each other within the step are asked for their time of impact by the inclusion root finder
//! ([`crate::ccd::rigid::time_of_impact`]). Their contact has the normal across both.

use glam::DVec3;

use super::meeting::{Limits, Meeting, Side};
use crate::Pose;
use crate::bounds::Bounds;
use crate::ccd::mesh::{Topology, distance};
use crate::ccd::rigid::{RigidMesh, ToiLimits, time_of_impact};
use crate::ccd::{CcdError, Kind, Metric};
use crate::contact::Feature;
use crate::shape::GeneralShape;
use crate::solid::StraightEdge;

/// Edges that have crossed are found up to this depth, in thicknesses.
const DEPTH: f64 = 0.25;

/// Edges touch when they are as near as so many precisions.
const TOUCHING: f64 = 4.0;

/// Edges that have crossed are no deeper along their common normal than so many times as the point of each is below the surface of
/// the other: else another way out is much shorter, such as for boxes that lie on each other.
const DEEPER: f64 = 4.0;

/// Limits of the search for a time of impact; what is undecided then counts as one.
const LIMITS: ToiLimits = ToiLimits { max_intervals: 256, max_iterations: 100_000 };

/// Two edges that may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgePair {
    /// Of A and of B.
    edges: [u32; 2],
    /// When they touch, s from now.
    pub time: f64,
    /// Whether they touch within the duration; else they are near now.
    pub approaches: bool,
}

/// Appends the pairs of edges of A and B that touch within the duration, and those that are near now. `thickness` (m) is that of
/// the thinner solid.
///
/// # Errors
/// [`CcdError`].
pub fn pairs(
    sides: [&Side<'_>; 2],
    thickness: f64,
    limits: &Limits,
    pairs: &mut Vec<EdgePair>,
) -> Result<(), CcdError> {
    let edges = sides.map(|side| side.general.edges());
    if edges.iter().any(|edges| edges.is_empty()) {
        return Ok(());
    }
    let way = sides[0].fastest_against(sides[1]) * limits.duration;
    let depth = DEPTH * thickness;
    let near = near_edges(sides, way + limits.envelope.max(depth));
    let topology = Topology::of_edge();
    for [a, b] in near {
        let own = [edges[0][a as usize].ends, edges[1][b as usize].ends];
        let placed = [0, 1].map(|k| own[k].map(|end| sides[k].motion.pose.transform_point(end)));
        let points = [placed[0][0], placed[0][1], placed[1][0], placed[1][1]];
        let apart = distance(Kind::EdgeEdge, &points, Metric::Euclidean);
        let now = EdgePair { edges: [a, b], time: 0.0, approaches: false };
        let is_near = apart.lower <= limits.envelope.max(depth);
        if is_near && meet(sides, &now, 0.0, limits).is_some() {
            pairs.push(now);
        } else if apart.lower > TOUCHING * limits.precision && apart.lower <= way + limits.envelope && way > 0.0 {
            let moving = |k: usize| -> RigidMesh<'_> { RigidMesh::new(&topology, &own[k], sides[k].motion) };
            let touching = TOUCHING * limits.precision;
            if let Some(share) = time_of_impact([&moving(0), &moving(1)], touching, &LIMITS)? {
                pairs.push(EdgePair { edges: [a, b], time: share * limits.duration, approaches: true });
            }
        }
    }
    Ok(())
}

/// The edges of A and B the boxes around which are nearer than a distance (m), in ascending order.
fn near_edges(sides: [&Side<'_>; 2], distance: f64) -> Vec<[u32; 2]> {
    let bounds = sides.map(|side| {
        let around = |edge: &StraightEdge| {
            let [from, to] = edge.ends.map(|end| side.motion.pose.transform_point(end));
            Bounds { low: from.min(to), high: from.max(to) }
        };
        side.general.edges().iter().map(around).collect::<Vec<_>>()
    });
    let whole = bounds.each_ref().map(|bounds| {
        let none = Bounds { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
        bounds.iter().fold(none, |sum, b| Bounds { low: sum.low.min(b.low), high: sum.high.max(b.high) })
    });
    let close = |k: usize| {
        let all = (0..).zip(&bounds[k]);
        all.filter(|(_, own)| own.grown(distance).overlaps(&whole[1 - k])).collect::<Vec<(u32, &Bounds)>>()
    };
    let (first, second) = (close(0), close(1));
    let with = |a: u32, own: &Bounds| {
        let grown = own.grown(distance);
        let others = second.iter().filter(move |(_, other)| grown.overlaps(other));
        others.map(move |&(b, _)| [a, b]).collect::<Vec<_>>()
    };
    first.iter().flat_map(|&(a, own)| with(a, own)).collect()
}

/// The meeting of two edges with the bodies where they are after a time (s), if they face each other there.
pub fn meet(sides: [&Side<'_>; 2], pair: &EdgePair, time: f64, limits: &Limits) -> Option<Meeting> {
    let poses = sides.map(|side| side.pose(time));
    let edges = [0, 1].map(|k| {
        let own = &sides[k].general.edges()[pair.edges[k] as usize];
        StraightEdge {
            ends: own.ends.map(|end| poses[k].transform_point(end)),
            faces: own.faces.map(|face| poses[k].rotation * face),
        }
    });
    let ways = edges.each_ref().map(|edge| edge.ends[1] - edge.ends[0]);
    let across = ways[0].cross(ways[1]);
    if across.length() <= limits.parallel * ways[0].length() * ways[1].length() {
        return None;
    }
    // The closest points of the lines, as shares of the edges.
    let between = edges[1].ends[0] - edges[0].ends[0];
    let share = |way: DVec3| between.cross(way).dot(across) / across.length_squared();
    let shares = [share(ways[1]), share(ways[0])];
    if !shares.iter().all(|share| (0.0..=1.0).contains(share)) {
        return None;
    }
    let points = [0, 1].map(|k| edges[k].ends[0] + shares[k] * ways[k]);
    let faces = |normal: &DVec3| {
        edges[0].is_outermost(*normal, limits.parallel) && edges[1].is_outermost(-*normal, limits.parallel)
    };
    let across = across.normalize();
    let gap_along = |normal: DVec3| normal.dot(points[1] - points[0]);
    let normal = [across, -across].into_iter().filter(faces).max_by(|a, b| gap_along(*a).total_cmp(&gap_along(*b)))?;
    let gap = gap_along(normal);
    if !pair.approaches && gap > limits.envelope {
        return None;
    }
    let own = [0, 1].map(|k| poses[k].inverse_transform_point(points[k]));
    // From which side edges have come is not known of surfaces without an inside: what is deep there is no contact.
    let is_closed = sides.iter().all(|side| side.general.solid().is_closed());
    let depth = if is_closed { depth(sides.map(|side| side.general), &poses, &points) } else { limits.envelope };
    if -gap > DEEPER * depth + limits.precision {
        return None;
    }
    let features = pair.edges.map(|edge| Feature::Surface(2 * edge + 2));
    Some(Meeting::new(sides, own, time, normal, gap, features))
}

/// How deep points of A and B are in the other solid, the less deep one, m; zero if one is outside.
fn depth(solids: [&GeneralShape; 2], poses: &[Pose; 2], points: &[DVec3; 2]) -> f64 {
    let depths = [0, 1].map(|k| {
        let solid = solids[1 - k].solid();
        solid.nearest(poses[1 - k].inverse_transform_point(points[k])).map_or(0.0, |on| (-on.distance).max(0.0))
    });
    depths[0].min(depths[1])
}
