//! Answers against exact arithmetic.

use drystone_contact::shape::FeatureId;
use drystone_contact::vclip::{self, ConvexPolyhedron, Outcome, Pair};
use glam::DVec3;

use super::exact::{Placed, distance_of_point};
use super::queries::check::{Query, Start};
use super::queries::families::Family;
use super::queries::shapes::{Shape, shapes};

/// Shapes with no more vertices than this are compared with the exact distance.
const FEW: usize = 40;

/// Queries of each family with the exact distance.
const QUERIES: usize = 1000;

/// Queries of each family with large shapes, of which only the certificate is exactly checked.
const LARGE_QUERIES: usize = 20;

/// Each family's queries, spread over some shapes, with their answers.
fn ask(shapes: &[&Shape], count: usize, mut check: impl FnMut(Family, &Query, &Outcome)) {
    for family in Family::ALL {
        let taken: Vec<&Shape> = shapes.iter().copied().filter(|shape| family.takes(shape)).collect();
        for (k, shape) in taken.iter().enumerate() {
            let mut pair = Pair::FIRST;
            let others: Vec<&Shape> = taken.iter().copied().filter(|other| !other.variants.is_empty()).collect();
            let partner = others.get(k / 2).unwrap_or(shape);
            let seed = [family as u64, k as u64, 1 << 40];
            family.queries([shape, partner], seed, count.div_ceil(taken.len()), &mut |query| {
                let [a, b] = query.solids;
                match query.start {
                    Start::Tracked => {}
                    Start::Cold => pair = Pair::cold(a, b, &query.relative_pose),
                    Start::At(start) => pair = start,
                }
                check(family, &query, &vclip::certified(a, b, &query.relative_pose, &mut pair));
            });
        }
    }
}

fn corners(solid: &ConvexPolyhedron, feature: FeatureId) -> Vec<DVec3> {
    let numbers: Vec<u32> = match feature {
        FeatureId::Vertex(v) => vec![v],
        FeatureId::Edge(e) => solid.edge(e).to_vec(),
        FeatureId::Facet(f) => solid.corners(f).map(|(v, _)| v).collect(),
    };
    numbers.into_iter().map(|v| solid.vertices()[v as usize]).collect()
}

/// The certificate without any rounding but that of its own numbers.
fn check_certificate(family: Family, query: &Query, outcome: &Outcome) {
    let Outcome::Apart { closest, certificate, .. } = outcome else { return };
    let [a, b] = query.solids;
    let placed = Placed::new(a.vertices(), b.vertices(), query.relative_pose.parts());
    let lower = placed.separation(certificate.direction);
    assert!(certificate.upper - lower <= 1.5 * certificate.rounding, "{family:?}: {query:?}: {outcome:?}, {lower:e}");
    for (k, feature) in [closest.pair.a, closest.pair.b].into_iter().enumerate() {
        let off = distance_of_point(closest.points[k], &corners(query.solids[k], feature));
        assert!(off <= certificate.rounding, "{family:?}: {:?}: {outcome:?}, {off:e}", query.relative_pose);
    }
    let points = Placed::new(&closest.points[..1], &closest.points[1..], query.relative_pose.parts());
    assert!((points.distance() - closest.distance).abs() <= certificate.rounding);
}

#[test]
fn distances_are_exact_but_for_rounding() {
    let all = shapes(FEW);
    let (mut queries, mut overlapping) = (0, 0);
    ask(&all.iter().collect::<Vec<_>>(), QUERIES, |family, query, outcome| {
        queries += 1;
        let [a, b] = query.solids;
        let exact = Placed::new(a.vertices(), b.vertices(), query.relative_pose.parts()).distance();
        // What the two certificates' rounding may be.
        let rounding = 16.0 * f64::EPSILON * query.magnitude();
        match *outcome {
            Outcome::Apart { closest, .. } => {
                check_certificate(family, query, outcome);
                let error = (closest.distance - exact).abs();
                assert!(error <= rounding, "{family:?}: {:?}: {outcome:?}, {exact:e}", query.relative_pose);
            }
            Outcome::Overlapping { witness, .. } => {
                overlapping += 1;
                let there = query.relative_pose.point_of_a(witness);
                let off = distance_of_point(witness, a.vertices()).max(distance_of_point(there, b.vertices()));
                assert!(off.max(exact) <= rounding, "{family:?}: {query:?}: {outcome:?}, {off:e}, {exact:e}");
            }
        }
    });
    assert!(queries > 12_000 && overlapping > 4000, "{queries} {overlapping}");
}

#[test]
fn certificates_of_large_shapes_hold_exactly() {
    let all = shapes(1002);
    let large: Vec<&Shape> = all.iter().filter(|shape| shape.solid.vertices().len() > FEW).collect();
    ask(&large, LARGE_QUERIES, check_certificate);
}
