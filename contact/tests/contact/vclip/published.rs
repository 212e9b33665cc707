//! Poses that break the published text or programs that follow it.

use drystone_contact::shape::FeatureId;
use drystone_contact::vclip::{self, ConvexPolyhedron, Found, Outcome, Pair, RelativePose, solids};
use glam::{DMat3, DVec3};

use super::queries::check::distance;
use super::queries::families::starts;
use super::queries::shapes::triangulated;

fn cube() -> ConvexPolyhedron {
    polyhedron(&solids::cube())
}

fn polyhedron((points, faces): &(Vec<DVec3>, Vec<Vec<u32>>)) -> ConvexPolyhedron {
    ConvexPolyhedron::new(points, faces).unwrap()
}

fn shifted(x: f64, y: f64, z: f64) -> RelativePose {
    RelativePose::from_parts(DMat3::IDENTITY, DVec3::new(x, y, z))
}

fn vertex_at(solid: &ConvexPolyhedron, x: f64, y: f64, z: f64) -> FeatureId {
    FeatureId::Vertex(solid.vertices().iter().position(|v| *v == DVec3::new(x, y, z)).unwrap() as u32)
}

fn face_along(solid: &ConvexPolyhedron, normal: DVec3) -> FeatureId {
    FeatureId::Facet((0..solid.face_count() as u32).find(|&f| solid.plane(f).normal == normal).unwrap())
}

fn certified(a: &ConvexPolyhedron, b: &ConvexPolyhedron, relative_pose: &RelativePose, start: Pair) -> Outcome {
    let mut pair = start;
    vclip::certified(a, b, relative_pose, &mut pair)
}

/// The distance of two boxes from −1 to 1, one of them moved.
fn of_boxes(x: f64, y: f64, z: f64) -> f64 {
    DVec3::new(x, y, z).abs().map(|d| (d - 2.0).max(0.0)).length()
}

/// Algorithm 6 looks for edges whose other end is nearer to the face's plane, whichever side that is on.
#[test]
fn an_edge_through_a_face_to_a_vertex_farther_below_is_seen() {
    let cube = cube();
    let spike = polyhedron(&(
        vec![
            DVec3::new(0.0, 0.0, 1.1),
            DVec3::new(0.1, 0.0, 0.5),
            DVec3::new(-0.1, 0.1, 0.5),
            DVec3::new(0.0, -0.1, 0.5),
        ],
        vec![vec![0, 1, 2], vec![0, 2, 3], vec![0, 3, 1], vec![1, 3, 2]],
    ));
    let start = Pair { a: vertex_at(&spike, 0.0, 0.0, 1.1), b: face_along(&cube, DVec3::Z) };
    let mut pair = start;
    assert!(matches!(vclip::closest(&spike, &cube, &shifted(0.0, 0.0, 0.0), &mut pair), Found::Intersecting(_)));
}

/// Algorithm 8 multiplies distances of the ends of an edge from a face, which are never negative.
#[test]
fn an_edge_through_a_face_meets_it() {
    let cube = cube();
    let upright = |e: &u32| cube.edge(*e).map(|v| cube.vertices()[v as usize].truncate()) == [glam::DVec2::ONE; 2];
    let edge = (0..cube.edge_count() as u32).find(upright).unwrap();
    let start = Pair { a: FeatureId::Edge(edge), b: face_along(&cube, -DVec3::Z) };
    let mut pair = start;
    let relative_pose = shifted(0.75, 0.75, 1.0);
    let Found::Intersecting(point) = vclip::closest(&cube, &cube, &relative_pose, &mut pair) else {
        panic!("they overlap")
    };
    assert_eq!((pair, point), (start, DVec3::new(1.0, 1.0, 0.0)));
}

/// An edge that starts exactly on a face and goes on inside: the released program goes round between two states.
#[test]
fn an_edge_from_a_face_inwards_is_no_circle() {
    let cube = cube();
    let start = Pair { a: vertex_at(&cube, -1.0, -1.0, 1.0), b: face_along(&cube, -DVec3::Z) };
    for (a, b) in [(-1.0, -1.0), (1.0, 1.0)] {
        for start in [start, start.exchanged()] {
            let mut pair = start;
            assert!(matches!(vclip::closest(&cube, &cube, &shifted(a, b, 0.0), &mut pair), Found::Intersecting(_)));
        }
    }
}

/// From every start, as bodies that touch and overlap on a lattice: the search alone.
#[test]
fn cubes_on_a_lattice_from_every_start() {
    let cube = cube();
    let starts = starts(&cube, &cube);
    assert_eq!(starts.len(), 26 * 26 - 36);
    for cell in 0..343 {
        let [x, y, z] = [cell % 7, cell / 7 % 7, cell / 49].map(|k| f64::from(k) - 3.0);
        for &start in &starts {
            let mut pair = start;
            match vclip::closest(&cube, &cube, &shifted(x, y, z), &mut pair) {
                Found::Apart(closest) => assert_eq!(closest.distance, of_boxes(x, y, z), "{x} {y} {z} {start:?}"),
                Found::Intersecting(point) => {
                    assert_eq!(of_boxes(x, y, z), 0.0, "{x} {y} {z} {start:?}");
                    let there = point - DVec3::new(x, y, z);
                    assert!(point.abs().max(there.abs()).max_element() <= 1.0, "{x} {y} {z} {start:?}");
                }
                Found::Circle => panic!("{x} {y} {z} {start:?}"),
            }
        }
    }
}

/// The released program reads a face as a vertex where vertices coincide.
#[test]
fn vertices_in_one_place_meet() {
    let cube = cube();
    for start in starts(&cube, &cube) {
        let Outcome::Overlapping { witness, outside, .. } = certified(&cube, &cube, &shifted(2.0, 2.0, 2.0), start)
        else {
            panic!("{start:?}")
        };
        assert_eq!((witness, outside), (DVec3::ONE, 0.0), "{start:?}");
    }
}

/// Parallel faces opposite each other: the search goes round in a circle, and the released program calls that
/// overlapping.
#[test]
fn parallel_icosahedra_are_as_far_apart_from_every_start() {
    let solid = polyhedron(&solids::icosahedron());
    let relative_pose = shifted(1.7763316916417693, 1.1247074520216904, -1.519442391025175);
    for start in starts(&solid, &solid) {
        let outcome = certified(&solid, &solid, &relative_pose, start);
        let Outcome::Apart { closest, certificate, .. } = outcome else { panic!("{start:?}: {outcome:?}") };
        assert!((closest.distance - 0.9628572594167).abs() < 1e-13, "{start:?}: {outcome:?}");
        assert!(certificate.is_tight(), "{start:?}: {outcome:?}");
    }
}

/// A cube of triangles has edges inside its faces, whose Voronoi regions are empty.
#[test]
fn a_cube_of_triangles_is_a_cube() {
    let (points, faces) = solids::cube();
    let (points, faces) = triangulated(&points, &faces);
    assert_eq!((points.len(), faces.len()), (8 + 12 + 6, 48));
    let (whole, solid) = (cube(), ConvexPolyhedron::new(&points, &faces).unwrap());
    assert_eq!([solid.vertices().len(), solid.edge_count(), solid.face_count()], [8, 12, 6]);
    for cell in 0..64 {
        let [x, y, z] = [cell % 4, cell / 4 % 4, cell / 16].map(|k| 0.5 + 0.75 * f64::from(k));
        for start in starts(&whole, &whole).into_iter().step_by(7) {
            assert_eq!(distance(certified(&solid, &solid, &shifted(x, y, z), start)), of_boxes(x, y, z));
        }
    }
}
