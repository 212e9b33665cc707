//! The intersection points of two tetrahedra against their definition in exact arithmetic: vertices of one in the
//! other, and edges of one that cross the plane of a face of the other properly, in that face.

use std::cmp::Ordering;

use dashu_ratio::Relaxed;
use drystone_contact::generator::intersection_points::{Touching, intersection_points};
use glam::DVec3;
use proptest::prelude::*;

use super::exact::{self, Exact, difference, exact, rounded, side};
use super::sample::{element, flatness, generic_tetrahedron, lattice_tetrahedron, pose};
use super::{CASES, config};

/// Corners of the faces counter-clockwise from outside, for positive orientation.
const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// What counts as touching here, m: more than rounding, less than any distance between small integers.
const TOLERANCE: f64 = 1e-9;

fn touching() -> Touching {
    Touching { tolerance: TOLERANCE, ..Touching::default() }
}

/// How far a computed point may be from where it is, m, for coordinates near one.
const NEAR: f64 = 1e-12;

/// In front of which faces the point is, behind none by less than nothing: the signed distances, m, rounded.
fn distances(points: &[DVec3; 4], q: &Exact) -> [f64; 4] {
    let corners = points.map(exact);
    FACES.map(|[i, j, k]| {
        let normal = exact::cross(&difference(&corners[j], &corners[i]), &difference(&corners[k], &corners[i]));
        side(&corners[i], &corners[j], &corners[k], q).to_f64().value() / rounded(&normal).length()
    })
}

/// Whether the closed tetrahedron contains the point, exactly.
fn contains(points: &[Exact; 4], q: &Exact) -> bool {
    FACES.iter().all(|&[i, j, k]| side(&points[i], &points[j], &points[k], q) <= Relaxed::ZERO)
}

/// An exact intersection point, and how far all decisions that make it are from being others, m.
struct Corner {
    position: DVec3,
    margin: f64,
}

/// The exact intersection points that are features of `from` in `of`: vertices and crossings.
fn corners_in(of: &[DVec3; 4], from: &[DVec3; 4], corners: &mut Vec<Corner>) {
    let (planes, points) = (of.map(exact), from.map(exact));
    let least = |q: &Exact, except: Option<usize>| {
        let distances = distances(of, q);
        (0..4).filter(|&k| Some(k) != except).map(|k| distances[k].abs()).fold(f64::INFINITY, f64::min)
    };
    for v in 0..4 {
        if contains(&planes, &points[v]) {
            corners.push(Corner { position: from[v], margin: least(&points[v], None) });
        }
    }
    for [i, j] in EDGES {
        for (k, [a, b, c]) in FACES.iter().map(|f| f.map(|i| &planes[i])).enumerate() {
            let (di, dj) = (side(a, b, c, &points[i]), side(a, b, c, &points[j]));
            if !((di > Relaxed::ZERO && dj < Relaxed::ZERO) || (di < Relaxed::ZERO && dj > Relaxed::ZERO)) {
                continue;
            }
            let t = &di / (&di - &dj);
            let along = difference(&points[j], &points[i]);
            let crossing = [0, 1, 2].map(|x| &points[i][x] + &t * &along[x]);
            if contains(&planes, &crossing) {
                let ends = distances(of, &points[i])[k].abs().min(distances(of, &points[j])[k].abs());
                let margin = ends.min(least(&crossing, Some(k)));
                corners.push(Corner { position: rounded(&crossing), margin });
            }
        }
    }
}

fn corners(a: &[DVec3; 4], b: &[DVec3; 4]) -> Vec<Corner> {
    let mut corners = Vec::new();
    corners_in(a, b, &mut corners);
    corners_in(b, a, &mut corners);
    corners
}

fn found(a: &[DVec3; 4], b: &[DVec3; 4], touching: &Touching) -> Vec<DVec3> {
    intersection_points(&element(a), &element(b), touching).iter().map(|p| p.position).collect()
}

fn has(points: &[DVec3], position: DVec3, distance: f64) -> bool {
    points.iter().any(|p| (*p - position).length() <= distance)
}

proptest! {
    #![proptest_config(config(CASES))]

    /// Between small integers no decision is close without being exact, so that the tolerance decides all
    /// of them right: the same set of positions, touching or not.
    #[test]
    fn integers_have_exactly_their_corners(a in lattice_tetrahedron(), b in lattice_tetrahedron()) {
        let points = found(&a, &b, &touching());
        let corners = corners(&a, &b);
        for corner in &corners {
            prop_assert!(has(&points, corner.position, NEAR), "{} is missing", corner.position);
        }
        for p in &points {
            prop_assert!(corners.iter().any(|c| (c.position - *p).length() <= NEAR), "{p} is too many");
        }
        let (_, separation) = exact::separation(&exact::tetrahedron(&a), &exact::tetrahedron(&b));
        if separation.sign == Ordering::Less {
            prop_assert!(points.len() >= 4, "a volume has four corners or more");
        }
        if separation.sign == Ordering::Greater {
            prop_assert!(points.is_empty());
        }
    }

    /// The same after a rigid motion, which rounds all coordinates.
    #[test]
    fn moved_integers_have_exactly_their_corners(
        a in lattice_tetrahedron(),
        b in lattice_tetrahedron(),
        motion in pose(10.0),
    ) {
        let moved = |t: &[DVec3; 4]| t.map(|p| motion.transform_point(p));
        let points = found(&moved(&a), &moved(&b), &touching());
        let corners = corners(&a, &b);
        // A vertex within the tolerance of a plane is that vertex; a crossing is computed from rounded positions.
        let near = 100.0 * NEAR;
        for corner in &corners {
            let position = motion.transform_point(corner.position);
            prop_assert!(has(&points, position, near), "{} is missing", corner.position);
        }
        for p in &points {
            let back = motion.inverse().transform_point(*p);
            prop_assert!(corners.iter().any(|c| (c.position - back).length() <= near), "{back} is too many");
        }
    }

    /// All corners that neither rounding nor the tolerance decides are found, and whatever is found is in both
    /// tetrahedra, or in front of a face by no more than the tolerance. Nothing is found if and only if they are
    /// disjoint.
    #[test]
    fn generic_positions_have_their_corners(a in generic_tetrahedron(), b in generic_tetrahedron()) {
        let flat = flatness(&a).max(flatness(&b));
        let points = found(&a, &b, &touching());
        for corner in corners(&a, &b).iter().filter(|c| c.margin > 2.0 * TOLERANCE) {
            // An edge that crosses at a small angle carries the rounding of the plane along: by less than two metres
            // over the distance of its nearer end.
            let distance = NEAR * flat * (1.0 + 1e-3 / corner.margin);
            prop_assert!(has(&points, corner.position, distance), "{} is missing", corner.position);
        }
        for p in &points {
            let outside = [&a, &b].map(|t| distances(t, &exact(*p)).into_iter().fold(f64::NEG_INFINITY, f64::max));
            prop_assert!(outside.iter().all(|d| *d <= TOLERANCE + NEAR * flat), "{p} is outside by {outside:?}");
        }
        let (_, separation) = exact::separation(&exact::tetrahedron(&a), &exact::tetrahedron(&b));
        // Within the tolerance of all four planes of a thin tetrahedron is farther outside of it.
        if separation.metres.abs() > TOLERANCE * thinness(&a).max(thinness(&b)) {
            prop_assert_eq!(points.is_empty(), separation.sign == Ordering::Greater, "gap {}", separation.metres);
        }
    }
}

/// The cube of the largest extent over the volume.
fn thinness(points: &[DVec3; 4]) -> f64 {
    let [p, q, r, s] = *points;
    let size = [q - p, r - p, s - p, r - q, s - q, s - r].iter().map(|e| e.length()).fold(0.0, f64::max);
    size.powi(3) / (q - p).dot((r - p).cross(s - p)).abs()
}
