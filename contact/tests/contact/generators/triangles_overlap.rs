//! The overlap of triangles against an exact test of another kind: two triangles in different planes meet if and only
//! if an edge of one meets the other.

use std::cmp::Ordering;

use dashu_ratio::Relaxed;
use drystone_contact::generator::overlap::{Projected, triangles_overlap};
use glam::DVec3;
use proptest::prelude::*;

use super::exact::{Exact, exact, side};
use super::sample::{flatness, generic_triangle, lattice_triangle, pose};
use super::{CASES, config, exact as oracle};

/// Roundings of an inner product of coordinates near one, m, with some to spare.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Whether the closed segment meets the closed triangle; the segment is not in the triangle's plane.
fn segment_meets_triangle([p, q]: [&Exact; 2], [a, b, c]: &[Exact; 3]) -> bool {
    let zero = Relaxed::ZERO;
    let (at_p, at_q) = (side(a, b, c, p), side(a, b, c, q));
    if (at_p > zero && at_q > zero) || (at_p < zero && at_q < zero) || (at_p == zero && at_q == zero) {
        return false;
    }
    let turns = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    turns.iter().all(|t| *t >= zero) || turns.iter().all(|t| *t <= zero)
}

/// Whether triangles in different planes share a point.
fn meet(a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
    let (a, b) = (a.map(exact), b.map(exact));
    (0..3).any(|i| {
        let j = (i + 1) % 3;
        segment_meets_triangle([&a[i], &a[j]], &b) || segment_meets_triangle([&b[i], &b[j]], &a)
    })
}

/// Whether all six corners are in one plane.
fn are_coplanar(a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
    let ([p, q, r], b) = (a.map(exact), b.map(exact));
    b.iter().all(|s| side(&p, &q, &r, s) == Relaxed::ZERO)
}

proptest! {
    #![proptest_config(config(CASES))]

    /// As for tetrahedra, touching may be taken for a gap only where a corner touches the other's plane.
    #[test]
    fn integers_are_decided_exactly_but_for_touching(a in lattice_triangle(), b in lattice_triangle()) {
        prop_assume!(!are_coplanar(&a, &b));
        let (of_planes, of_all) = oracle::separation(&oracle::triangle(&a), &oracle::triangle(&b));
        let (expected, found) = (meet(&a, &b), triangles_overlap(&a, &b, 0.0, Projected::AllVertices));
        prop_assert_eq!(expected, of_all.sign != Ordering::Greater, "two oracles");
        if of_all.sign != Ordering::Equal || of_planes.sign != Ordering::Equal {
            prop_assert_eq!(found, expected);
        }
    }

    /// Beyond rounding the answer is that of exact arithmetic.
    #[test]
    fn generic_positions_are_decided_up_to_rounding(a in generic_triangle(), b in generic_triangle()) {
        let (_, of_all) = oracle::separation(&oracle::triangle(&a), &oracle::triangle(&b));
        let band = ROUNDING * flatness(&a).max(flatness(&b));
        if of_all.metres.abs() > band {
            prop_assert_eq!(triangles_overlap(&a, &b, 0.0, Projected::AllVertices), meet(&a, &b), "gap {}", of_all.metres);
        }
    }

    /// The integer triangles after a rigid motion: a proper crossing or a clear gap stays what it is.
    #[test]
    fn moved_integers_keep_their_answer(a in lattice_triangle(), b in lattice_triangle(), motion in pose(10.0)) {
        let (_, of_all) = oracle::separation(&oracle::triangle(&a), &oracle::triangle(&b));
        let expected = meet(&a, &b);
        let moved = |t: [DVec3; 3]| t.map(|p| motion.transform_point(p));
        if of_all.sign != Ordering::Equal && !are_coplanar(&a, &b) {
            prop_assert_eq!(triangles_overlap(&moved(a), &moved(b), 0.0, Projected::AllVertices), expected, "gap before the motion {}", of_all.metres);
        }
    }

    /// In one coordinate plane, where no unit normal is rounded, any two triangles count as overlapping, however far
    /// apart: the test has no axis in the plane. In a slanted plane rounding may tell them apart.
    #[test]
    fn triangles_in_one_plane_overlap(a in flat_triangle(), b in flat_triangle(), axis in 0..3usize) {
        let place = |t: [[i32; 2]; 3], shift: f64| t.map(|[u, v]| {
            let mut p = DVec3::ONE;
            p[(axis + 1) % 3] = f64::from(u) + shift;
            p[(axis + 2) % 3] = f64::from(v) + shift;
            p
        });
        prop_assert!(triangles_overlap(&place(a, 0.0), &place(b, 20.0), 0.0, Projected::AllVertices));
    }
}

/// Triangles in the plane with coordinates −3…3.
fn flat_triangle() -> impl Strategy<Value = [[i32; 2]; 3]> {
    prop::array::uniform6(-3..=3i32).prop_filter_map("flat", |c| {
        let area = (c[2] - c[0]) * (c[5] - c[1]) - (c[4] - c[0]) * (c[3] - c[1]);
        (area != 0).then_some([[c[0], c[1]], [c[2], c[3]], [c[4], c[5]]])
    })
}
