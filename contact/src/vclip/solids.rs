//! Convex solids of the experiments with V-Clip, centred on the origin, as points and faces: those of Mirtich, "V-Clip:
//! fast and robust polyhedral collision detection" (MERL TR97-05), section 5, and some beside them.
//!
//! Lengths are in metres, faces counter-clockwise seen from outside. The same bits on every machine.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use glam::DVec3;

use crate::split_mix::SplitMix;

use super::hull::{HullError, PointsAndFaces, convex_hull};

/// Corners of the disk's two faces.
const DISK_CORNERS: u32 = 60;

/// Radius of the disk over its thickness.
const DISK_RATIO: f64 = 10.0;

/// The cube from −1 to 1 along each axis.
pub fn cube() -> PointsAndFaces {
    let sign = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
    let points = (0..8).map(|v| DVec3::new(sign(v & 1), sign(v & 2), sign(v & 4))).collect();
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    (points, faces.map(Vec::from).to_vec())
}

/// The regular icosahedron with its corners on the unit sphere.
pub fn icosahedron() -> PointsAndFaces {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let signs = [(-1.0, -golden), (1.0, -golden), (-1.0, golden), (1.0, golden)];
    let points: Vec<DVec3> = signs
        .into_iter()
        .flat_map(|(s, t)| [DVec3::new(0.0, s, t), DVec3::new(s, t, 0.0), DVec3::new(t, 0.0, s)])
        .map(DVec3::normalize)
        .collect();
    // Edges have length 1.05, the next distance between corners is 1.70.
    let are_neighbours = |v: usize, w: usize| points[v].dot(points[w]) > 0.0;
    let mut faces = Vec::with_capacity(20);
    for (a, b, c) in (0..12).flat_map(|a| (a + 1..12).flat_map(move |b| (b + 1..12).map(move |c| (a, b, c)))) {
        if are_neighbours(a, b) && are_neighbours(b, c) && are_neighbours(c, a) {
            let is_outward = points[a].dot(points[b].cross(points[c])) > 0.0;
            faces.push(if is_outward { [a, b, c] } else { [a, c, b] }.map(|v| v as u32).to_vec());
        }
    }
    (points, faces)
}

/// The icosahedron with each edge divided into `frequency` equal parts, each face into the triangles of that lattice,
/// and all corners moved out onto the unit sphere: 10 f² + 2 corners, 20 f² triangles. A frequency of zero is one.
pub fn geodesic_sphere(frequency: u32) -> PointsAndFaces {
    let f = frequency.max(1);
    let (corners, triangles) = icosahedron();
    // A point of the lattice is known by its weights at the corners of the icosahedron, in ascending order of these.
    let mut numbers: BTreeMap<Vec<(u32, u32)>, u32> = BTreeMap::new();
    let mut points = Vec::new();
    let mut faces = Vec::new();
    for triangle in &triangles {
        let mut number = |i: u32, j: u32| {
            let mut weights: Vec<(u32, u32)> =
                triangle.iter().copied().zip([f - i - j, i, j]).filter(|&(_, weight)| weight > 0).collect();
            weights.sort_unstable();
            let sum: DVec3 = weights.iter().map(|&(v, weight)| f64::from(weight) * corners[v as usize]).sum();
            *numbers.entry(weights).or_insert_with(|| {
                points.push(sum.normalize());
                points.len() as u32 - 1
            })
        };
        for i in 0..f {
            for j in 0..f - i {
                faces.push(vec![number(i, j), number(i + 1, j), number(i, j + 1)]);
                if i + j + 1 < f {
                    faces.push(vec![number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)]);
                }
            }
        }
    }
    (points, faces)
}

/// The prism along z over a regular polygon, its first corner on +x: `corners` (three at least) at `radius` (m) from the
/// axis, `height` (m) from face to face.
pub fn prism(corners: u32, radius: f64, height: f64) -> PointsAndFaces {
    let n = corners.max(3);
    let ring = |z: f64| {
        (0..n).map(move |k| {
            let angle = TAU * f64::from(k) / f64::from(n);
            DVec3::new(radius * libm::cos(angle), radius * libm::sin(angle), z)
        })
    };
    let points = ring(0.5 * height).chain(ring(-0.5 * height)).collect();
    let caps = [(0..n).collect(), (n..2 * n).rev().collect()];
    let sides = (0..n).map(|k| vec![(k + 1) % n, k, n + k, n + (k + 1) % n]);
    (points, caps.into_iter().chain(sides).collect())
}

/// The disk of the report: two 60-gons of radius 1 m, 0.1 m apart.
pub fn disk() -> PointsAndFaces {
    prism(DISK_CORNERS, 1.0, 1.0 / DISK_RATIO)
}

/// The hull of `count` points spread evenly in the unit ball; the seed alone decides which.
///
/// # Errors
/// Fewer than four points.
pub fn random_hull(count: usize, seed: u64) -> Result<PointsAndFaces, HullError> {
    let mut random = SplitMix::new(seed);
    let mut next = || random.next_between(-1.0, 1.0);
    let mut points = Vec::with_capacity(count);
    while points.len() < count {
        let point = DVec3::new(next(), next(), next());
        if point.length_squared() <= 1.0 {
            points.push(point);
        }
    }
    convex_hull(&points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vclip::sample::check_convex;

    #[test]
    fn all_solids_are_closed_and_convex() {
        // Faces with more than three corners may be warped by rounding, triangles are exactly convex.
        for (solid, counts) in [
            (cube(), [8, 12, 6]),
            (icosahedron(), [12, 30, 20]),
            (disk(), [120, 180, 62]),
            (prism(3, 0.5, 2.0), [6, 9, 5]),
            (prism(7, 2.0, 0.1), [14, 21, 9]),
            (geodesic_sphere(1), [12, 30, 20]),
            (geodesic_sphere(4), [162, 480, 320]),
            (geodesic_sphere(8), [642, 1920, 1280]),
            (geodesic_sphere(10), [1002, 3000, 2000]),
            (geodesic_sphere(16), [2562, 7680, 5120]),
            (geodesic_sphere(32), [10242, 30720, 20480]),
        ] {
            assert_eq!(check_convex(&solid), counts);
        }
        for seed in 0..20 {
            let hull = random_hull(4 + 10 * seed as usize, seed).unwrap();
            let [_, edges, triangles] = check_convex(&hull);
            assert_eq!(2 * edges, 3 * triangles);
        }
    }

    #[test]
    fn sizes_are_those_of_the_report() {
        assert!(cube().0.iter().all(|p| p.abs() == DVec3::ONE));
        for (points, _) in [icosahedron(), geodesic_sphere(8), geodesic_sphere(10)] {
            assert!(points.iter().all(|p| (p.length() - 1.0).abs() < 4.0 * f64::EPSILON));
        }
        let (points, _) = disk();
        assert!(points.iter().all(|p| (p.truncate().length() - 1.0).abs() < 4.0 * f64::EPSILON && p.z.abs() == 0.05));
    }

    #[test]
    fn seeds_give_the_same_hulls_and_others_give_others() {
        assert_eq!(random_hull(50, 7), random_hull(50, 7));
        assert_ne!(random_hull(50, 7), random_hull(50, 8));
        assert_eq!(random_hull(3, 0), Err(HullError::Flat));
        assert_eq!(random_hull(0, 0), Err(HullError::Empty));
    }
}
