//! Placings with a known distance: a feature of A opposite a feature of B along a direction in which both are
//! outermost.

use drystone_contact::shape::FeatureId;
use drystone_contact::vclip::{ConvexPolyhedron, RelativePose};
use glam::{DMat3, DVec3};

use super::random::Random;

/// A point of a feature, with axes.
struct Place {
    point: DVec3,
    /// In which the feature is outermost, unit.
    normal: DVec3,
    /// Across the normal; along the edge.
    side: DVec3,
}

fn place(solid: &ConvexPolyhedron, feature: FeatureId, random: &mut Random) -> Place {
    let at = |v: u32| solid.vertices()[v as usize];
    let mix = |random: &mut Random, normals: &[DVec3]| {
        normals.iter().map(|n| *n * random.between(0.05, 1.0)).sum::<DVec3>().normalize()
    };
    match feature {
        FeatureId::Vertex(v) => {
            let faces = solid.edges_at(v).flat_map(|(e, _)| solid.faces_beside(e));
            let normals: Vec<DVec3> = faces.map(|f| solid.plane(f).normal).collect();
            let normal = mix(random, &normals);
            Place { point: at(v), normal, side: normal.any_orthonormal_vector() }
        }
        FeatureId::Edge(e) => {
            let [tail, head] = solid.edge(e).map(at);
            let side = (head - tail).normalize();
            let normal = mix(random, &solid.faces_beside(e).map(|f| solid.plane(f).normal));
            let normal = (normal - side * side.dot(normal)).normalize();
            Place { point: tail.lerp(head, random.unit()), normal, side }
        }
        FeatureId::Facet(f) => {
            let normal = solid.plane(f).normal;
            let corners: Vec<DVec3> = solid.corners(f).map(|(v, _)| at(v)).collect();
            let weights: Vec<f64> = corners.iter().map(|_| random.between(1e-3, 1.0)).collect();
            let sum: DVec3 = corners.iter().zip(&weights).map(|(&c, &w)| c * w).sum();
            let along = corners[1] - corners[0];
            let side = (along - normal * normal.dot(along)).normalize();
            Place { point: sum / weights.iter().sum::<f64>(), normal, side }
        }
    }
}

/// B so that a point of its feature is at a `distance` (m) from one of A's along the normal of both; from the side of
/// A's feature to that of B's it is an `angle` (rad).
pub fn opposite(
    solids: [&ConvexPolyhedron; 2],
    features: [FeatureId; 2],
    distance: f64,
    angle: f64,
    random: &mut Random,
) -> RelativePose {
    let [on_a, on_b] = [0, 1].map(|k| place(solids[k], features[k], random));
    let side = libm::cos(angle) * on_a.side + libm::sin(angle) * on_a.normal.cross(on_a.side);
    let there = DMat3::from_cols(side, side.cross(on_a.normal), -on_a.normal);
    let here = DMat3::from_cols(on_b.side, on_b.normal.cross(on_b.side), on_b.normal);
    let rotation = there * here.transpose();
    RelativePose::from_parts(rotation, on_a.point + distance * on_a.normal - rotation * on_b.point)
}
