//! What can be told at once about the whole domain, from the corners of F's image alone.

use super::difference::Difference;
use super::filter::Reach;
use crate::continuous::Kind;
use glam::DVec3;

/// F at the corners of the domain at one end of the time interval: three for a face, four for two edges (the fourth of a face
/// repeats the first), m.
#[inline(always)]
fn corners(coefficients: &[DVec3; 3], kind: Kind) -> [DVec3; 4] {
    let [a, b, c] = *coefficients;
    let fourth = if kind == Kind::EdgeEdge { a + b + c } else { a };
    [a, a + b, a + c, fourth]
}

/// Whether the image of the whole domain is out of reach, by a plane across an axis or across the normal of the features.
#[inline(always)]
pub(super) fn excludes(f: &Difference, reach: &Reach) -> bool {
    let end = [0, 1, 2].map(|i| f.start[i] + f.change[i]);
    let (first, last) = (corners(&f.start, f.kind), corners(&end, f.kind));
    let (mut lo, mut hi) = (first[0], first[0]);
    for corner in first.iter().chain(&last) {
        lo = lo.min(*corner);
        hi = hi.max(*corner);
    }
    if lo.cmpgt(reach.axes).any() || hi.cmplt(-reach.axes).any() {
        return true;
    }
    let normals = [f.start[1].cross(f.start[2]), end[1].cross(end[2])];
    normals.into_iter().any(|n| {
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
