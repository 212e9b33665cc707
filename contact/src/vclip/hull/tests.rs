use super::*;
use crate::vclip::sample::check_convex;
use crate::vclip::solids;
use proptest::prelude::*;

/// Checks the hull of some points: closed and exactly convex, and no point is above any of its triangles.
fn check(points: &[DVec3]) -> PointsAndFaces {
    let hull = convex_hull(points).unwrap();
    check_convex(&hull);
    for face in &hull.1 {
        let [a, b, c] = [0, 1, 2].map(|k| hull.0[face[k] as usize]);
        let normal = (b - a).cross(c - a);
        let near = -1e-9 * normal.length();
        for &p in points.iter().filter(|&&p| normal.dot(p - a) > near) {
            assert!(orientation_3d(a, b, c, p) <= 0.0, "{p} is outside");
        }
    }
    hull
}

/// The corners of the hull of points with whole coordinates by definition, in exact integers: those that are not in the
/// closed hull of the others, which for a point p means that a plane through p and two others has all points on one
/// side, and in that plane p is a corner of the points' polygon.
fn corners_by_definition(points: &[[i64; 3]]) -> Vec<[i64; 3]> {
    let sub = |p: [i64; 3], q: [i64; 3]| [0, 1, 2].map(|k| p[k] - q[k]);
    let cross = |p: [i64; 3], q: [i64; 3]| {
        [0, 1, 2].map(|k: usize| p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3])
    };
    let dot = |p: [i64; 3], q: [i64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    // Directions into the supporting planes at p: p is a corner if their normals span space.
    let is_corner = |p: [i64; 3]| {
        let mut normals: Vec<[i64; 3]> = Vec::new();
        for &q in points {
            for &r in points {
                let n = cross(sub(q, p), sub(r, p));
                if n != [0; 3] && points.iter().all(|&x| dot(n, sub(x, p)) <= 0) {
                    normals.push(n);
                }
            }
        }
        normals.iter().any(|&m| normals.iter().any(|&n| normals.iter().any(|&o| dot(m, cross(n, o)) != 0)))
    };
    points.iter().copied().filter(|&p| is_corner(p)).collect()
}

proptest! {
    #[test]
    fn corners_on_a_lattice_are_those_of_the_definition(points in prop::collection::btree_set([0_i64..4, 0_i64..4, 0_i64..3], 4..14)) {
        let points: Vec<[i64; 3]> = points.into_iter().collect();
        let as_points: Vec<DVec3> = points.iter().map(|p| DVec3::from_array(p.map(|x| x as f64))).collect();
        let expected = corners_by_definition(&points);
        match convex_hull(&as_points) {
            Ok(hull) => {
                check(&as_points);
                let corners: Vec<[i64; 3]> = hull.0.iter().map(|p| p.to_array().map(|x| x as i64)).collect();
                prop_assert_eq!(corners, expected);
            }
            Err(error) => {
                prop_assert_eq!(error, HullError::Flat);
                prop_assert!(expected.is_empty());
            }
        }
    }

    #[test]
    fn any_points_are_inside(points in prop::collection::vec([-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64], 4..60), flat in 0_u32..3) {
        // Also nearly flat, where only exact tests tell.
        let height = [1.0, 1e-9, 1e-17][flat as usize];
        let points: Vec<DVec3> = points.into_iter().map(|[x, y, z]| DVec3::new(x, y, x - y + height * z)).collect();
        if let Ok((corners, _)) = convex_hull(&points) {
            check(&points);
            prop_assert_eq!(check(&corners).0, corners);
        }
    }
}

#[test]
fn points_on_faces_edges_and_inside_of_a_cube_are_no_corners() {
    let n = 6;
    let lattice = |scale: f64| -> Vec<DVec3> {
        (0..=n)
            .flat_map(|x| {
                (0..=n).flat_map(move |y| (0..=n).map(move |z| DVec3::new(x.into(), y.into(), z.into()) * scale))
            })
            .collect()
    };
    for scale in [1.0, 0.1, 1e-30, 1e30] {
        let (corners, faces) = check(&lattice(scale));
        assert_eq!((corners.len(), faces.len()), (8, 12));
    }
    // Turned, the corners of the lattice leave their planes by roundings: more corners, but still exactly convex.
    let turn = glam::DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
    let turned: Vec<DVec3> = lattice(0.1).into_iter().map(|p| turn * p).collect();
    assert!(check(&turned).0.len() >= 8);
    let again: Vec<DVec3> = turned.iter().rev().copied().chain(turned.iter().copied()).collect();
    let (mut some, mut others) = (check(&turned).0, check(&again).0);
    let key = |p: &DVec3| p.to_array().map(f64::to_bits);
    some.sort_by_key(key);
    others.sort_by_key(key);
    assert_eq!(some, others);
}

#[test]
fn all_corners_of_convex_solids_are_kept() {
    for (solid, triangles) in [
        (solids::cube(), 12),
        (solids::icosahedron(), 20),
        (solids::geodesic_sphere(4), 320),
        (solids::geodesic_sphere(32), 20480),
        (solids::prism(3, 1.0, 1.0), 8),
        (solids::disk(), 236),
        (solids::prism(1000, 1.0, 1e-3), 3996),
    ] {
        let hull = check(&solid.0);
        assert_eq!((hull.0, hull.1.len()), (solid.0, triangles));
    }
}

#[test]
fn the_hull_of_a_geodesic_sphere_is_the_sphere() {
    let (points, faces) = solids::geodesic_sphere(8);
    let from_lowest = |mut face: Vec<u32>| {
        let lowest = (0..3).min_by_key(|&k| face[k]).unwrap();
        face.rotate_left(lowest);
        face
    };
    let mut faces: Vec<Vec<u32>> = faces.into_iter().map(from_lowest).collect();
    faces.sort();
    assert_eq!(convex_hull(&points), Ok((points, faces)));
}

#[test]
fn points_without_a_volume_have_no_hull() {
    let line = |n: i32| (0..n).map(|k| DVec3::new(0.1, 0.2, 0.3) * f64::from(k)).collect::<Vec<_>>();
    assert_eq!(convex_hull(&[]), Err(HullError::Empty));
    assert_eq!(convex_hull(&[DVec3::ONE; 9]), Err(HullError::Flat));
    assert_eq!(convex_hull(&line(2)), Err(HullError::Flat));
    let square = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y, DVec3::X * 0.5];
    assert_eq!(convex_hull(&square), Err(HullError::Flat));
    // A coordinate −0 is 0.
    let mut box_twice = solids::cube().0.iter().map(|p| p.max(DVec3::ZERO)).collect::<Vec<_>>();
    box_twice.extend(
        box_twice.clone().iter().map(|p| DVec3::from_array(p.to_array().map(|x| if x == 0.0 { -0.0 } else { x }))),
    );
    assert_eq!(convex_hull(&box_twice).unwrap().0.len(), 8);
    for value in [f64::NAN, f64::INFINITY, -1e61] {
        let mut points = solids::cube().0;
        points[5].y = value;
        assert!(matches!(convex_hull(&points), Err(HullError::UnusableCoordinate { point: 5, .. })));
    }
}
