//! Directions at the features of pieces against points of the solid around them: of all tetrahedra that have a point of the
//! feature, wherever they belong.

use super::*;
use crate::shape::surface::Surface;
use crate::shape::tetrahedral_mesh::FACE_CORNERS;
use crate::shape::{Polyhedron, TetrahedralizationSettings, sample};
use crate::split_mix::SplitMix;

fn polyhedron(surface: &Surface) -> Polyhedron {
    Polyhedron::from_surface(surface, &TetrahedralizationSettings::default()).unwrap()
}

/// A block of 4 × 2 with a notch of 1 × 1 in its top, whose bottom is the line x = 0, y = −1.
fn notched_block() -> Polyhedron {
    let polygon = [[-2.0, -2.0], [2.0, -2.0], [2.0, 0.0], [0.5, 0.0], [0.0, -1.0], [-0.5, 0.0], [-2.0, 0.0]];
    polyhedron(&sample::prism(&polygon, &[[0, 1, 4], [1, 2, 3], [1, 3, 4], [0, 4, 5], [0, 5, 6]]))
}

/// Whether a point is in a tetrahedron but for rounding.
fn has(mesh: &TetrahedralMesh, t: u32, point: DVec3) -> bool {
    let corners = mesh.corners(t);
    FACE_CORNERS.iter().all(|face| {
        let [a, b, c] = face.map(|k| corners[k]);
        (b - a).cross(c - a).dot(point - a) <= 1e-12
    })
}

/// The largest sine above the plane through a point, of points of the solid around it.
fn highest(mesh: &TetrahedralMesh, at: DVec3, direction: DVec3, numbers: &mut SplitMix) -> f64 {
    let mut highest: f64 = 0.0;
    for t in (0..mesh.tetrahedra().len() as u32).filter(|&t| has(mesh, t, at)) {
        for _ in 0..500 {
            // More of them near the corners.
            let weights = [(); 4].map(|()| numbers.next_fraction().powi(8) + 1e-9);
            let sum: f64 = weights.iter().sum();
            let point: DVec3 =
                mesh.corners(t).iter().zip(weights).map(|(corner, weight)| *corner * (weight / sum)).sum();
            highest = highest.max(direction.dot((point - at).normalize_or_zero()));
        }
    }
    highest
}

/// The edges and vertices of a piece with a point of each and the faces at it.
fn features(part: &ConvexPolyhedron) -> Vec<(FeatureId, DVec3, Vec<u32>)> {
    let at = |v: u32| part.vertices()[v as usize];
    let edges = (0..part.edge_count() as u32).map(|e| {
        let [tail, head] = part.edge(e);
        (FeatureId::Edge(e), 0.5 * (at(tail) + at(head)), part.faces_beside(e).to_vec())
    });
    let vertices = (0..part.vertices().len() as u32).map(|v| {
        let faces = part.edges_at(v).flat_map(|(e, _)| part.faces_beside(e)).collect();
        (FeatureId::Vertex(v), at(v), faces)
    });
    edges.chain(vertices).collect()
}

/// Of the directions in the piece's own normal cone, those are allowed above which the solid has no points nearby.
#[test]
fn allowed_directions_are_those_that_the_solid_is_below() {
    let mut numbers = SplitMix::new(7);
    let mut counts = [0; 2];
    for shape in [polyhedron(&sample::l_prism()), notched_block(), polyhedron(&sample::l_prism()).refined(1).unwrap()] {
        let (tree, mesh) = (shape.pieces().unwrap(), shape.mesh().unwrap());
        assert!(tree.pieces().pieces().len() > 1);
        for piece in 0..tree.pieces().pieces().len() as u32 {
            let part = tree.part(piece);
            assert!(part.is_piece() && !tree.polyhedron(piece).is_piece());
            for (feature, point, faces) in features(part) {
                for _ in 0..3 {
                    let weighted = faces.iter().map(|&f| part.plane(f).normal * numbers.next_fraction());
                    let direction = weighted.sum::<DVec3>().normalize();
                    let highest = highest(mesh, point, direction, &mut numbers);
                    let is_allowed = part.allows(feature, direction);
                    counts[usize::from(is_allowed)] += 1;
                    if is_allowed {
                        assert!(highest < 0.1, "piece {piece}, {feature:?}, {direction}: {highest}");
                    } else {
                        assert!(highest > 0.0, "piece {piece}, {feature:?}, {direction}");
                    }
                }
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

/// A face is a cut if a point beyond its middle is in the solid.
#[test]
fn faces_inside_of_the_solid_are_cuts() {
    for shape in [polyhedron(&sample::l_prism()), notched_block()] {
        let (tree, mesh) = (shape.pieces().unwrap(), shape.mesh().unwrap());
        for piece in 0..tree.pieces().pieces().len() as u32 {
            let part = tree.part(piece);
            for f in part.face_numbers() {
                let corners: Vec<DVec3> = part.corners(f).map(|(v, _)| part.vertices()[v as usize]).collect();
                // Where a face is both, any triangle on the surface counts.
                let weights = [[0.98, 0.01, 0.01], [0.34, 0.33, 0.33], [0.01, 0.98, 0.01], [0.01, 0.01, 0.98]];
                let mut outside = (1..corners.len() - 1).flat_map(|k| {
                    let triangle = [corners[0], corners[k], corners[k + 1]];
                    weights.map(|w| (0..3).map(|i| triangle[i] * w[i]).sum::<DVec3>() + part.plane(f).normal * 1e-6)
                });
                let is_inside = |p: DVec3| (0..mesh.tetrahedra().len() as u32).any(|t| has(mesh, t, p));
                let is_cut = outside.all(is_inside);
                assert_eq!(part.is_cut(f), is_cut, "piece {piece}, face {f}");
            }
        }
    }
}

/// The edge at the bottom of a notch is an edge of the pieces on both sides, and none of the block; the walls keep their
/// normals, and so does an edge of the block between a wall and the top.
#[test]
fn the_bottom_of_a_notch_allows_nothing() {
    let shape = notched_block();
    let tree = shape.pieces().unwrap();
    let mut bottoms = 0;
    for piece in 0..tree.pieces().pieces().len() as u32 {
        let part = tree.part(piece);
        for e in 0..part.edge_count() as u32 {
            let ends = part.edge(e).map(|v| part.vertices()[v as usize]);
            let faces = part.faces_beside(e);
            let walls = faces.iter().filter(|&&f| !part.is_cut(f) && part.plane(f).normal.y > 0.1);
            let normals = walls.map(|&f| part.plane(f).normal);
            if ends.iter().all(|p| (p.x, p.y) == (0.0, -1.0)) {
                bottoms += 1;
                assert!(normals.into_iter().all(|n| !part.allows(FeatureId::Edge(e), n)));
            } else if ends.iter().all(|p| p.y == 0.0 && p.x.abs() == 0.5) {
                assert!(normals.into_iter().all(|n| part.allows(FeatureId::Edge(e), n)));
            }
        }
    }
    assert!(bottoms >= 2, "{bottoms}");
}

#[test]
fn one_piece_has_nothing_around_it() {
    let shape = polyhedron(&sample::cuboid(DVec3::ZERO, DVec3::ONE));
    let part = shape.pieces().unwrap().part(0);
    assert!(!part.is_piece());
    assert!(part.face_numbers().all(|f| !part.is_cut(f)));
    assert!(part.allows(FeatureId::Vertex(0), DVec3::X) && part.allows(FeatureId::Edge(0), DVec3::Y));
}
