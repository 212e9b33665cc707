//! What can be told at once about the whole domain, from the corners of F's image alone.

use super::filter::Reach;
use crate::ccd::{Kind, Query};
use glam::DVec3;

/// F at the corners of the domain at one end of the time interval, m: three for a face (the first twice), four for two edges.
#[inline(always)]
fn corners(p: &[DVec3; 4], kind: Kind) -> [DVec3; 4] {
    match kind {
        Kind::VertexFace => [p[0] - p[1], p[0] - p[2], p[0] - p[3], p[0] - p[1]],
        Kind::EdgeEdge => [p[0] - p[2], p[1] - p[2], p[0] - p[3], p[1] - p[3]],
    }
}

/// Whether the image of the whole domain is out of reach, by a plane across an axis or across the normal of the features at
/// the start or at the end.
#[inline(always)]
pub(super) fn excludes(query: &Query, reach: &Reach) -> bool {
    let [first, last] = [&query.start, &query.end].map(|points| corners(points, query.kind));
    let (mut lo, mut hi) = (first[0], first[0]);
    for corner in first.iter().chain(&last) {
        lo = lo.min(*corner);
        hi = hi.max(*corner);
    }
    if lo.cmpgt(reach.axes).any() || hi.cmplt(-reach.axes).any() {
        return true;
    }
    [&first, &last].into_iter().any(|corners| {
        let n = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for corner in first.iter().chain(&last) {
            let along = n.dot(*corner);
            lo = lo.min(along);
            hi = hi.max(along);
        }
        let reach = reach.along(n);
        lo > reach || hi < -reach
    })
}
