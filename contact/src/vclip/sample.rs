//! Oracles for the tests.

use std::collections::BTreeSet;

use glam::DVec3;

use super::hull::PointsAndFaces;
use crate::shape::predicate::orientation_3d;

/// A face with more than three corners may be warped by this share of the size.
const WARP: f64 = 1e-15;

/// Numbers of points, edges and faces of a solid that is closed, of Euler characteristic 2 and convex: no point is above
/// the plane of a triangle at all, or above that of a larger face by more than rounding.
pub(crate) fn check_convex((points, faces): &PointsAndFaces) -> [usize; 3] {
    let sides = |face: &Vec<u32>| (0..face.len()).map(|k| [face[k], face[(k + 1) % face.len()]]).collect::<Vec<_>>();
    let all: Vec<[u32; 2]> = faces.iter().flat_map(sides).collect();
    let directed: BTreeSet<[u32; 2]> = all.iter().copied().collect();
    assert_eq!(directed.len(), all.len(), "a side runs twice in one direction");
    assert!(directed.iter().all(|&[v, w]| directed.contains(&[w, v])), "not closed");
    let used: BTreeSet<u32> = all.iter().map(|side| side[0]).collect();
    assert_eq!(used.len(), points.len(), "unused points");
    let [vertices, edges] = [points.len(), all.len() / 2];
    assert_eq!(vertices + faces.len(), edges + 2, "Euler");
    for face in faces {
        let corners: Vec<DVec3> = face.iter().map(|&v| points[v as usize]).collect();
        if let [a, b, c] = corners[..] {
            // A quick look at rounded heights first; those that are far below need no exact test.
            let normal = (b - a).cross(c - a);
            let doubtful = -1e-9 * normal.length();
            for &p in points.iter().filter(|&&p| normal.dot(p - a) > doubtful) {
                assert!(orientation_3d(a, b, c, p) <= 0.0, "{p} is above {face:?}");
            }
        } else {
            let normal: DVec3 = (1..corners.len() - 1)
                .map(|k| (corners[k] - corners[0]).cross(corners[k + 1] - corners[0]))
                .sum::<DVec3>()
                .normalize();
            assert!(points.iter().all(|p| normal.dot(*p - corners[0]) < WARP), "{face:?}");
        }
    }
    [vertices, edges, faces.len()]
}
