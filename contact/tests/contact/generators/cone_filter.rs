//! The normal-cone filter: against an oracle for convex shapes, and what it owes its user behind any method.

use drystone_contact::contact::{Contact, Feature};
use drystone_contact::generator::cone_filter::{ConeFilter, Filtered, Sides, Verdict};
use drystone_contact::generator::{Generator, Method, Placed, methods};
use drystone_contact::{Pose, Twist};
use glam::DVec3;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::{Segment, Triangle};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::sample::{fat_tetrahedron, pose, single};
use super::symmetry::{Pair, stars, tetrahedra};
use super::{CASES, config};

/// How far a point is from the part of a convex solid that is farthest along n, m: the hull of those of its corners that
/// are. `None` if rounding decides which are.
fn distance_to_farthest(corners: &[DVec3; 4], n: DVec3, point: DVec3) -> Option<f64> {
    let height = |p: &DVec3| n.dot(*p);
    let top = corners.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
    let farthest: Vec<DVec3> = corners.iter().copied().filter(|p| top - height(p) < 1e-9).collect();
    if corners.iter().any(|p| (1e-9..0.02).contains(&(top - height(p)))) {
        return None;
    }
    match farthest[..] {
        [p] => Some(p.distance(point)),
        [p, q] => Some(Segment::new(p, q).distance_to_local_point(point, true)),
        [p, q, r] => Some(Triangle::new(p, q, r).distance_to_local_point(point, true)),
        _ => None,
    }
}

/// Normals of faces, products of edges, directions between them and any others.
fn direction(corners: &[DVec3; 4], kind: usize, any: DVec3) -> Option<DVec3> {
    let [p, q, r, s] = *corners;
    let n = match kind {
        0 => (q - p).cross(r - p),
        1 => (q - p).cross(any),
        2 => (q - p).cross(s - r),
        _ => any,
    };
    n.try_normalize()
}

proptest! {
    #![proptest_config(config(CASES))]

    /// A plane through a convex solid's surface keeps it on one side where the solid is farthest along the plane's normal.
    #[test]
    fn convex_solids_are_supported_where_they_are_farthest(
        corners in fat_tetrahedron(),
        kind in 0..4usize,
        any in prop::array::uniform3(-1.0..1.0f64),
        on in prop::array::uniform4(0.0..1.0f64),
        off in prop::array::uniform3(-0.05..0.05f64),
        near in 0.01..1.0f64,
        place in pose(2.0),
    ) {
        // Points close to corners and edges, too: weights to the fourth power are mostly small.
        let weights = on.map(|x| x.powi(4));
        let sum: f64 = weights.iter().sum();
        prop_assume!(sum > 1e-3);
        let point = corners.iter().zip(weights).map(|(p, w)| *p * (w / sum)).sum::<DVec3>() + DVec3::from_array(off);
        let Some(n) = direction(&corners, kind, DVec3::from_array(any)) else { return Ok(()) };
        let Some(expected) = distance_to_farthest(&corners, n, point) else { return Ok(()) };
        let shape = single(&corners);
        let placed = Placed { shape: &shape, pose: place, twist: Twist::default() };
        let feature = Feature::Tetrahedron(0);
        let (position, normal) = (place.transform_point(point), place.rotation * n);
        let contact = Contact { position, normal, gap: 0.0, feature_a: feature, feature_b: feature };
        let filter = ConeFilter { near, cone: 1e-7, sides: Sides::A, ..ConeFilter::default() };
        let within = near * shape.features().unwrap().thickness();
        prop_assume!((within - expected).abs() > 1e-9);
        let verdict = filter.verdicts(&placed, &placed, 0.0, &[contact])[0];
        let right = if expected <= within { Verdict::Kept } else { Verdict::Rejected { by: Sides::A } };
        prop_assert_eq!(verdict, right);
    }
}

fn other_way(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Rejected { by: Sides::A } => Verdict::Rejected { by: Sides::B },
        Verdict::Rejected { by: Sides::B } => Verdict::Rejected { by: Sides::A },
        same => same,
    }
}

/// What is kept is part of what was found, in its order; bodies may be exchanged and moved together.
fn check(pair: &Pair, method: &Method, motion: &Pose) -> Result<(), TestCaseError> {
    let generator = method.generator();
    let [a, b] = pair.placed(Pose::IDENTITY);
    let envelope = generator.margin(a.shape).max(generator.margin(b.shape));
    let filter = ConeFilter::default();
    let found = generator.contacts(&a, &b).unwrap();
    let verdicts = filter.verdicts(&a, &b, envelope, &found);
    prop_assert_eq!(verdicts.len(), found.len());
    for verdict in &verdicts {
        if let Verdict::Merged { into } = verdict {
            prop_assert_eq!(verdicts[*into], Verdict::Kept);
        }
    }
    let kept: Vec<Contact> = found.iter().zip(&verdicts).filter(|(_, v)| v.is_kept()).map(|(c, _)| *c).collect();
    prop_assert_eq!(&Filtered { generator: std::sync::Arc::clone(generator), filter }.contacts(&a, &b).unwrap(), &kept);
    let again = filter.verdicts(&a, &b, envelope, &kept);
    prop_assert!(again.iter().all(|v| v.is_kept()), "what was kept is kept again: {again:?}");

    let turned: Vec<Contact> = found.iter().map(|c| Contact { normal: -c.normal, ..*c }).collect();
    let exchanged = filter.verdicts(&b, &a, envelope, &turned);
    prop_assert_eq!(exchanged.iter().map(|v| other_way(*v)).collect::<Vec<_>>(), verdicts.clone());

    let [a, b] = pair.placed(*motion);
    let moved: Vec<Contact> = found
        .iter()
        .map(|c| Contact { position: motion.transform_point(c.position), normal: motion.rotation * c.normal, ..*c })
        .collect();
    prop_assert_eq!(filter.verdicts(&a, &b, envelope, &moved), verdicts);
    Ok(())
}

proptest! {
    #![proptest_config(config(CASES / 10))]

    #[test]
    fn behind_any_method_of_two_tetrahedra(
        pair in tetrahedra(), method in prop::sample::select(methods::all().to_vec()), motion in pose(3.0),
    ) {
        check(&pair, &method, &motion)?;
    }

    #[test]
    fn behind_any_method_of_two_stars(
        pair in stars(), method in prop::sample::select(methods::all().to_vec()), motion in pose(3.0),
    ) {
        check(&pair, &method, &motion)?;
    }
}
