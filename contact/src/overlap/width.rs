//! How thick a solid is: its least extent across any of its faces.

use crate::sorting::CompactSort;
use glam::DVec3;

/// Faces with less than this share of the area of the largest one are left out: rounding turns their normals.
const SMALL_FACE: f64 = 1e-3;

/// At most so many faces are looked at, the largest ones.
const FACES: usize = 1000;

/// The least extent of points (m) along any of the faces' normals, and that normal; faces are areas (m²) and outward unit
/// normals. `None` without a face or a point.
///
/// For a convex polyhedron this is its width unless that lies between two edges, where the extent is less by some per cent.
pub fn width(points: &[DVec3], mut faces: Vec<(f64, DVec3)>) -> Option<(f64, DVec3)> {
    let largest = faces.iter().map(|face| face.0).fold(0.0, f64::max);
    faces.retain(|&(area, normal)| area > SMALL_FACE * largest && normal != DVec3::ZERO);
    faces.compact_sort_by(|x, y| y.0.total_cmp(&x.0));
    faces.truncate(FACES);
    let extent = |normal: DVec3| {
        let heights = points.iter().map(|p| p.dot(normal));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        high - low
    };
    let extents = faces.into_iter().map(|(_, normal)| (extent(normal), normal));
    extents.min_by(|x, y| x.0.total_cmp(&y.0)).filter(|(width, _)| width.is_finite())
}
