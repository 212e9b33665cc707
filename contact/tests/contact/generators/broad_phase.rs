//! The pairs that the trees of bounding volumes report, against all pairs of surface tetrahedra.

use drystone_contact::generator::overlap::{Projected, tetrahedra_overlap};
use drystone_contact::shape::{PlacedTree, Shape, overlapping_elements};
use drystone_contact::{Pose, generator::tetrahedron::Tetrahedron};
use glam::DVec3;
use proptest::prelude::*;

use super::sample::{pose, star};
use super::{CASES, config};

/// Rounding of positions of some metres, m.
const ROUNDING: f64 = 1e-13;

/// World positions of the tetrahedra that have a face without a neighbour, with their numbers.
fn surface_tetrahedra(shape: &Shape, pose: &Pose) -> Vec<(u32, [DVec3; 4])> {
    let mesh = shape.as_polyhedron().unwrap().mesh().unwrap();
    (0..mesh.tetrahedra().len() as u32)
        .filter(|&t| mesh.neighbours()[t as usize].iter().any(Option::is_none))
        .map(|t| (t, mesh.corners(t).map(|p| pose.transform_point(p))))
        .collect()
}

/// The largest gap along the diagonals of the cube, m.
fn diagonal_gap(a: &[DVec3; 4], b: &[DVec3; 4]) -> f64 {
    let mut largest = f64::NEG_INFINITY;
    for (sy, sz) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        let along = |p: &DVec3| (p.x + sy * p.y + sz * p.z) / 3f64.sqrt();
        let low = |t: &[DVec3; 4]| t.iter().map(along).fold(f64::INFINITY, f64::min);
        let high = |t: &[DVec3; 4]| t.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
        largest = largest.max(low(a) - high(b)).max(low(b) - high(a));
    }
    largest
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn the_trees_report_what_all_pairs_give(
        (a, b) in (star(), star()),
        (pose_a, pose_b) in (pose(0.9), pose(0.9)),
        margin in prop_oneof![Just(0.0), 0.0..0.3f64],
    ) {
        let [tetrahedra_a, tetrahedra_b] = [&a, &b].map(|shape| shape.as_polyhedron().unwrap().tetrahedra().unwrap());
        let tree_a = PlacedTree::<DVec3>::new(tetrahedra_a.tree(), tetrahedra_a.mesh(), &pose_a);
        let tree_b = PlacedTree::<DVec3>::new(tetrahedra_b.tree(), tetrahedra_b.mesh(), &pose_b);
        let pairs = overlapping_elements(&tree_a, &tree_b, margin);
        prop_assert!(pairs.is_sorted() && pairs.windows(2).all(|w| w[0] != w[1]), "in ascending order, each once");
        for (t, corners_a) in surface_tetrahedra(&a, &pose_a) {
            for (u, corners_b) in surface_tetrahedra(&b, &pose_b) {
                let gap = diagonal_gap(&corners_a, &corners_b);
                let is_reported = pairs.binary_search(&(t, u)).is_ok();
                if (gap - margin).abs() > ROUNDING {
                    prop_assert_eq!(is_reported, gap < margin, "{} and {} with gap {}", t, u, gap);
                }
                let (tetrahedron_a, tetrahedron_b) = (Tetrahedron::alone(corners_a), Tetrahedron::alone(corners_b));
                if tetrahedra_overlap(&tetrahedron_a, &tetrahedron_b, 0.0, Projected::AllVertices) {
                    prop_assert!(is_reported, "{t} and {u} overlap");
                }
            }
        }
        let others = pairs.iter().filter(|p| !surface_tetrahedra(&a, &pose_a).iter().any(|(t, _)| *t == p.0)).count();
        prop_assert_eq!(others, 0, "only surface tetrahedra");
    }
}
