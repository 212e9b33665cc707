//! The overlap of tetrahedra against the separating-axis test in exact arithmetic, which decides the question: convex
//! polyhedra are disjoint if and only if a face normal or a product of two edges separates them.

use std::cmp::Ordering;

use drystone_contact::generator::overlap::{Projected, tetrahedra_overlap};
use glam::DVec3;
use proptest::prelude::*;

use super::sample::{element, flatness, generic_tetrahedron, lattice_tetrahedron, pose};
use super::{CASES, config, exact};

/// Roundings of an inner product of coordinates near one, m, with some to spare.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// How wide the band is in which f64 may answer either way, m.
fn band(a: &[DVec3; 4], b: &[DVec3; 4]) -> f64 {
    let size = a.iter().chain(b).map(|p| p.length()).fold(0.0, f64::max);
    ROUNDING * size * flatness(a).max(flatness(b))
}

proptest! {
    #![proptest_config(config(CASES))]

    /// Products of edges of small integers are exact; unit face normals are not. So a proper overlap or gap is always
    /// seen, and touching may be taken for a gap only where a face touches.
    #[test]
    fn integers_are_decided_exactly_but_for_touching_faces(a in lattice_tetrahedron(), b in lattice_tetrahedron()) {
        let (of_faces, of_all) = exact::separation(&exact::tetrahedron(&a), &exact::tetrahedron(&b));
        let overlap = tetrahedra_overlap(&element(&a), &element(&b), 0.0, Projected::AllVertices);
        match of_all.sign {
            Ordering::Less => prop_assert!(overlap, "they overlap by {}", of_all.metres),
            Ordering::Greater => prop_assert!(!overlap, "they are {} apart", of_all.metres),
            Ordering::Equal => prop_assert!(overlap || of_faces.sign == Ordering::Equal, "edges touch"),
        }
        // The generators allow for touching: no rounding is left then.
        let touching = tetrahedra_overlap(&element(&a), &element(&b), 1e-9, Projected::AllVertices);
        prop_assert_eq!(touching, of_all.sign != Ordering::Greater);
    }

    /// Beyond rounding the answer is that of exact arithmetic. Within it, neither answer is wrong.
    #[test]
    fn generic_positions_are_decided_up_to_rounding(a in generic_tetrahedron(), b in generic_tetrahedron()) {
        let (_, of_all) = exact::separation(&exact::tetrahedron(&a), &exact::tetrahedron(&b));
        let overlap = tetrahedra_overlap(&element(&a), &element(&b), 0.0, Projected::AllVertices);
        if of_all.metres.abs() > band(&a, &b) {
            prop_assert_eq!(overlap, of_all.sign == Ordering::Less, "gap {}", of_all.metres);
        }
        prop_assert_eq!(overlap, tetrahedra_overlap(&element(&b), &element(&a), 0.0, Projected::AllVertices), "the order of A and B");
    }

    /// The integer tetrahedra after a rigid motion: nearly parallel edges, nearly touching faces. The products of
    /// nearly parallel edges are noise, and noise must not separate what overlaps.
    #[test]
    fn moved_integers_keep_their_answer(a in lattice_tetrahedron(), b in lattice_tetrahedron(), motion in pose(10.0)) {
        let (_, of_all) = exact::separation(&exact::tetrahedron(&a), &exact::tetrahedron(&b));
        let (a, b) = (a.map(|p| motion.transform_point(p)), b.map(|p| motion.transform_point(p)));
        let touching = tetrahedra_overlap(&element(&a), &element(&b), 1e-9, Projected::AllVertices);
        prop_assert_eq!(touching, of_all.sign != Ordering::Greater, "gap before the motion {}", of_all.metres);
    }
}
