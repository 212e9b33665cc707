use super::*;
use crate::vclip::hull::PointsAndFaces;
use crate::vclip::solids;

fn cube() -> PointsAndFaces {
    solids::cube()
}

fn made((points, faces): &PointsAndFaces) -> Result<ConvexPolyhedron, PolyhedronError> {
    ConvexPolyhedron::new(points, faces)
}

fn counts(solid: &ConvexPolyhedron) -> [usize; 3] {
    [solid.vertices().len(), solid.edge_count(), solid.face_count()]
}

#[test]
fn too_little_is_no_polyhedron() {
    assert_eq!(ConvexPolyhedron::new(&[], &[]), Err(PolyhedronError::TooFew { points: 0, faces: 0 }));
    let (points, faces) = cube();
    assert_eq!(ConvexPolyhedron::new(&points[..3], &faces), Err(PolyhedronError::TooFew { points: 3, faces: 6 }));
    assert_eq!(ConvexPolyhedron::new(&points, &faces[..3]), Err(PolyhedronError::TooFew { points: 8, faces: 3 }));
}

#[test]
fn coordinates_are_finite() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut solid = cube();
        solid.0[6].y = value;
        assert_eq!(made(&solid), Err(PolyhedronError::NotFinite { point: 6 }));
    }
}

#[test]
fn faces_are_polygons() {
    for face in [vec![], vec![0, 1], vec![0, 4, 6, 4], vec![0, 4, 6, 8]] {
        let mut solid = cube();
        solid.1[2] = face;
        assert_eq!(made(&solid), Err(PolyhedronError::Polygon { face: 2 }));
    }
}

#[test]
fn faces_close_the_surface() {
    let mut without_one = cube();
    without_one.1.remove(4);
    let error = made(&without_one);
    // Any side of the hole.
    let Err(PolyhedronError::Open { from, to, .. }) = error else { panic!("{error:?}") };
    assert!(cube().1[4].contains(&from) && cube().1[4].contains(&to));
    let mut one_turned = cube();
    one_turned.1[4].reverse();
    assert!(matches!(made(&one_turned), Err(PolyhedronError::Open { .. })));
    let mut one_twice = cube();
    one_twice.1.push(cube().1[4].clone());
    assert!(matches!(made(&one_twice), Err(PolyhedronError::Open { face: 6, .. })));
}

#[test]
fn inside_out_is_not_convex() {
    let mut solid = cube();
    solid.1.iter_mut().for_each(|face| face.reverse());
    let error = made(&solid);
    let Err(PolyhedronError::NotConvex { height, .. }) = error else { panic!("{error:?}") };
    assert_eq!(height, 2.0);
}

#[test]
fn a_dent_is_not_convex() {
    // The corner of a tetrahedral spike on a cube's face, moved in.
    let (mut points, mut faces) = cube();
    points.push(DVec3::new(0.0, 0.0, 0.9));
    let top = faces.pop().unwrap();
    faces.extend((0..4).map(|k| vec![top[k], top[(k + 1) % 4], 8]));
    let error = ConvexPolyhedron::new(&points, &faces);
    assert!(matches!(error, Err(PolyhedronError::NotConvex { .. })), "{error:?}");
    points[8].z = 1.1;
    assert_eq!(counts(&ConvexPolyhedron::new(&points, &faces).unwrap()), [9, 16, 9]);
}

#[test]
fn nothing_flat_is_a_polyhedron() {
    let tetrahedron = vec![vec![0, 1, 2], vec![0, 2, 3], vec![0, 3, 1], vec![1, 3, 2]];
    let is_refused = |points: [DVec3; 4]| {
        matches!(
            ConvexPolyhedron::new(&points, &tetrahedron),
            Err(PolyhedronError::Flat { .. } | PolyhedronError::NotConvex { .. } | PolyhedronError::Thin { .. })
        )
    };
    assert!(is_refused([DVec3::ZERO; 4]));
    assert!(is_refused([DVec3::ZERO, DVec3::X, 2.0 * DVec3::X, 3.0 * DVec3::X]));
    assert!(is_refused([DVec3::ZERO, DVec3::X, DVec3::X + DVec3::Y, DVec3::Y]));
    assert!(is_refused([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::splat(0.25).with_z(0.0)]));
}

/// A flake is refused if rounding decides which of its points are corners, and a small solid if it is that far from the origin.
#[test]
fn what_is_thinner_than_rounding_is_no_polyhedron() {
    let (points, faces) = cube();
    let moved = |scale: DVec3, offset: f64| {
        let points: Vec<DVec3> = points.iter().map(|&p| p * scale + DVec3::splat(offset)).collect();
        ConvexPolyhedron::new(&points, &faces)
    };
    for thickness in [1e-14, 3e-12] {
        let error = moved(DVec3::new(1.0, 0.5 * thickness, 1.0), 0.0).unwrap_err();
        assert!(matches!(error, PolyhedronError::Thin { .. } | PolyhedronError::Flat { .. }), "{error}");
    }
    assert!(moved(DVec3::new(1.0, 1e-10, 1.0), 0.0).is_ok());
    assert!(moved(DVec3::splat(1e-6), 1e3).is_ok());
    let error = moved(DVec3::splat(1e-6), 1e6).unwrap_err().to_string();
    assert!(error.contains("distance from the origin"), "{error}");
}

#[test]
fn sizes_whose_products_lose_digits_are_refused() {
    let (points, faces) = cube();
    let scaled = |scale: f64| {
        let points: Vec<DVec3> = points.iter().map(|&p| p * scale).collect();
        ConvexPolyhedron::new(&points, &faces)
    };
    for scale in [1e-45, 1e45] {
        assert!(scaled(scale).is_ok());
    }
    for scale in [1e-78, 1e78, 1e160] {
        let error = scaled(scale).unwrap_err();
        assert!(matches!(error, PolyhedronError::Size { .. }), "{error}");
    }
}

#[test]
fn errors_say_where() {
    let mut solid = cube();
    solid.1[2] = vec![0, 1];
    assert!(made(&solid).unwrap_err().to_string().contains("face 2"));
}

#[test]
fn superfluous_points_are_left_out() {
    let (mut points, faces) = cube();
    points.insert(3, DVec3::ZERO);
    points.push(DVec3::new(0.5, 0.5, 1.0));
    let moved = |face: &Vec<u32>| face.iter().map(|&v| if v >= 3 { v + 1 } else { v }).collect();
    let faces: Vec<Vec<u32>> = faces.iter().map(moved).collect();
    let solid = ConvexPolyhedron::new(&points, &faces).unwrap();
    assert_eq!(counts(&solid), [8, 12, 6]);
    assert_eq!(solid.origins(), [0, 1, 2, 4, 5, 6, 7, 8]);
    assert_eq!(solid.vertices(), solids::cube().0);
}

/// What the search takes for granted of the planes, for every feature.
#[test]
fn voronoi_planes_hold_their_features() {
    for parts in [solids::cube(), solids::disk(), solids::geodesic_sphere(4), solids::random_hull(60, 5).unwrap()] {
        let solid = made(&parts).unwrap();
        let [vertices, edges, faces] = counts(&solid);
        assert_eq!(vertices + faces, edges + 2);
        let at = |v: u32| solid.vertices()[v as usize];
        let is_in = |plane: &Plane, x: DVec3| plane.height(x).abs() < 1e-15;
        for (e, edge) in (0_u32..).zip(&solid.edges) {
            let [tail, head] = edge.ends.map(at);
            assert!(edge.direction.distance((head - tail).normalize()) < 1e-15);
            assert!(is_in(&edge.planes[0], tail) && is_in(&edge.planes[1], head));
            assert!(edge.planes[0].height(head) > 0.0 && edge.planes[1].height(tail) > 0.0);
            for (k, &f) in edge.faces.iter().enumerate() {
                let plane = &edge.planes[2 + k];
                assert!(is_in(plane, tail) && is_in(plane, head));
                assert!(plane.normal.dot(solid.face_at(f).plane.normal).abs() < 1e-15);
                // The face is on the other side, and has the same plane flipped.
                let side = solid.sides_of(f).iter().find(|side| side.edge == e).unwrap();
                assert_eq!(side.plane, plane.flipped());
                assert!(solid.corners(f).all(|(v, _)| plane.height(at(v)) < 1e-15));
                // Left and right.
                let (from, to) = if k == 0 { (tail, head) } else { (head, tail) };
                assert_eq!(at(side.corner), from);
                assert!(solid.corners(f).any(|(v, _)| at(v) == to));
            }
            assert!(edge.ends.iter().all(|&v| solid.spokes_of(v).iter().any(|spoke| spoke.edge == e)));
        }
        for v in 0..vertices as u32 {
            for spoke in solid.spokes_of(v) {
                assert!(is_in(&spoke.plane, at(v)) && spoke.plane.height(at(spoke.far)) < 0.0);
            }
        }
        assert!(solid.faces.iter().all(|face| solid.vertices().iter().all(|&v| face.plane.height(v) < 1e-15)));
    }
}

#[test]
fn the_farthest_vertex_is_found_from_every_other() {
    for parts in [solids::disk(), solids::geodesic_sphere(4), solids::random_hull(60, 5).unwrap()] {
        let solid = made(&parts).unwrap();
        for &direction in solid.vertices() {
            let height = |v: u32| direction.dot(solid.vertices()[v as usize]);
            let highest = (0..solid.vertices().len() as u32).map(height).fold(f64::NEG_INFINITY, f64::max);
            for start in 0..solid.vertices().len() as u32 {
                assert!(height(solid.support(direction, start)) >= highest - 1e-15);
            }
        }
    }
}
