//! Which triangles make up a facet.

use std::collections::BTreeSet;

use glam::DVec3;

use super::FeatureTolerance;
use crate::shape::surface::Surface;
use crate::sorting::CompactSort;

/// A plane through a point, with a unit normal.
#[derive(Clone, Copy)]
struct Plane {
    point: DVec3,
    normal: DVec3,
}

/// Rounds of fitting a plane to a facet and growing the facet again. The plane of the first triangle is as exact as
/// that triangle is large; a facet of n rows of triangles has the best plane after about log n rounds.
const ROUNDS: usize = 12;

/// The facet of each triangle. The largest triangle that has no facet starts the next one (of equal ones the first),
/// which takes in neighbours that lie in its plane; then the plane is fitted to all of it.
pub(super) fn merge(surface: &Surface, tolerance: &FeatureTolerance) -> Vec<u32> {
    let areas = surface.areas();
    let mut seeds: Vec<u32> = (0..areas.len() as u32).collect();
    seeds.compact_sort_by(|&s, &t| areas[t as usize].total_cmp(&areas[s as usize]).then(s.cmp(&t)));
    let (low, high) = surface.bounds();
    let distance = tolerance.distance * low.distance(high);
    let mut facet = vec![u32::MAX; areas.len()];
    let mut count = 0;
    for seed in seeds {
        if facet[seed as usize] != u32::MAX {
            continue;
        }
        let mut plane = fit(surface, &[seed]);
        let mut members = Vec::new();
        for _ in 0..ROUNDS {
            let grown = grow(surface, seed, &plane, &facet, distance, tolerance.tilt);
            let is_done = grown.len() <= members.len();
            if grown.len() >= members.len() {
                members = grown;
            }
            if is_done {
                break;
            }
            plane = fit(surface, &members);
        }
        members.iter().for_each(|&t| facet[t as usize] = count);
        count += 1;
    }
    facet
}

/// The triangles that can be reached from the seed within the plane.
fn grow(surface: &Surface, seed: u32, plane: &Plane, facet: &[u32], distance: f64, tilt: f64) -> Vec<u32> {
    let fits = |t: u32| {
        let normal = surface.normals()[t as usize];
        facet[t as usize] == u32::MAX
            && normal.dot(plane.normal) > 0.0
            && normal.cross(plane.normal).length() <= tilt
            && surface.corners(t).iter().all(|p| (*p - plane.point).dot(plane.normal).abs() <= distance)
    };
    let mut members = vec![seed];
    let mut is_member = BTreeSet::new();
    is_member.insert(seed);
    let mut next = 0;
    while next < members.len() {
        let t = members[next];
        next += 1;
        for edge in surface.triangle_edges()[t as usize] {
            let [left, right] = surface.edges()[edge as usize].triangles;
            let other = if left == t { right } else { left };
            if !is_member.contains(&other) && fits(other) {
                is_member.insert(other);
                members.push(other);
            }
        }
    }
    members
}

/// The plane of triangles: the sum of their area vectors through their common centroid.
fn fit(surface: &Surface, members: &[u32]) -> Plane {
    let (mut normal, mut point, mut area) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for &t in members {
        let weight = surface.areas()[t as usize];
        normal += surface.normals()[t as usize] * weight;
        point += surface.corners(t).iter().sum::<DVec3>() * (weight / 3.0);
        area += weight;
    }
    Plane { point: point / area, normal: normal.normalize() }
}
