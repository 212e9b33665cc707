//! The contour in which two closed surfaces cross: where edges go through triangles, and the segments between.
//!
//! Two triangles that cross have exactly two such points on them, and the segment between runs with the interior of B on
//! the left on A's triangle, seen from outside of A: along the cross product of the normals of A and B. Which of the two
//! points comes first follows from which edge goes in and which out, without any length: where an edge of A's triangle
//! enters B, counter-clockwise around the triangle, the contour arrives; where it leaves, the contour begins. For an edge
//! of B's triangle it is the other way round.

use glam::DVec3;

use super::error::OverlapError;
use super::predicate::{Side, crossing};
use super::solid::Placed;
use crate::sorting::CompactSort;

/// A point where an edge of one solid goes through a triangle of the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContourPoint {
    /// Whose edge it is.
    pub side: Side,
    /// The edge.
    pub edge: u32,
    /// The share of the edge before the point.
    pub fraction: f64,
    /// Whether the edge, from its first to its second vertex, enters the other solid.
    pub enters: bool,
    /// Frame of A, m.
    pub position: DVec3,
}

/// A piece of the contour on a pair of triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The triangles of A and B.
    pub triangles: [u32; 2],
    /// The contour points that it leads from and to.
    pub ends: [u32; 2],
}

/// Where the surfaces cross.
#[derive(Clone, Debug, Default)]
pub struct Contour {
    /// In the order of (side, edge, fraction).
    pub points: Vec<ContourPoint>,
    /// In the order of the pairs of triangles.
    pub segments: Vec<Segment>,
}

impl Contour {
    /// The contour of two solids, A in its own frame.
    ///
    /// # Errors
    /// [`OverlapError::OpenContour`].
    pub fn new(a: &Placed<'_>, b: &Placed<'_>) -> Result<Self, OverlapError> {
        let (points, triangles): (Vec<ContourPoint>, Vec<u32>) = points(a, b).into_iter().unzip();
        let mut visits: Vec<Visit> = Vec::with_capacity(2 * points.len());
        for (k, (point, &through)) in (0..).zip(points.iter().zip(&triangles)) {
            let own = if point.side == Side::A { a } else { b };
            let around = own.topology.edges()[point.edge as usize].triangles;
            for (triangle, runs_along) in [(around[0], true), (around[1], false)] {
                let enters = point.enters == runs_along;
                let visit = match point.side {
                    Side::A => Visit { triangles: [triangle, through], is_end: enters, point: k },
                    Side::B => Visit { triangles: [through, triangle], is_end: !enters, point: k },
                };
                visits.push(visit);
            }
        }
        visits.compact_sort();
        let segment = |pair: &[Visit]| match pair {
            [from, to] if from.triangles == to.triangles && !from.is_end && to.is_end => {
                Ok(Segment { triangles: from.triangles, ends: [from.point, to.point] })
            }
            _ => Err(OverlapError::OpenContour),
        };
        let segments = visits.chunks(2).map(segment).collect::<Result<_, _>>()?;
        Ok(Self { points, segments })
    }
}

/// A contour point on a pair of triangles, where the segment on them begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Visit {
    triangles: [u32; 2],
    is_end: bool,
    point: u32,
}

/// The contour points, each with the triangle that the edge goes through.
fn points(a: &Placed<'_>, b: &Placed<'_>) -> Vec<(ContourPoint, u32)> {
    let mut found = Vec::new();
    let mut through = |side: Side, (own, triangle): (&Placed<'_>, u32), (other, crossed): (&Placed<'_>, u32)| {
        let corners = other.corners(crossed);
        let (low, high) = (corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2]));
        for edge in own.topology.triangle_edges()[triangle as usize] {
            // Each edge is asked with the first of its triangles.
            if own.topology.edges()[edge as usize].triangles[0] != triangle {
                continue;
            }
            let [p, q] = own.ends(edge);
            if !(p.min(q).cmple(high).all() && low.cmple(p.max(q)).all()) {
                continue;
            }
            if let Some(at) = crossing(side, [p, q], corners) {
                let position = p + (q - p) * at.fraction;
                let point = ContourPoint { side, edge, fraction: at.fraction, enters: at.enters, position };
                found.push((point, crossed));
            }
        }
    };
    for (t, u) in a.near_triangles(b) {
        through(Side::A, (a, t), (b, u));
        through(Side::B, (b, u), (a, t));
    }
    let key = |(point, through): &(ContourPoint, u32)| (point.side, point.edge, point.fraction.to_bits(), *through);
    found.compact_sort_by_key(key);
    found
}
