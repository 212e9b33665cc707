use std::f64::consts::FRAC_1_SQRT_2;

use glam::{DQuat, DVec3};

use super::*;
use crate::generator::{Generator, methods};
use crate::shape::surface::Surface;
use crate::shape::{Shape, TetrahedralizationSettings, sample};
use crate::{Feature, Pose, Twist};
use std::sync::Arc;

fn shape(surface: &Surface) -> Shape {
    Shape::from_surface(surface, &TetrahedralizationSettings::default()).unwrap()
}

fn at(shape: &Shape, x: f64, y: f64, z: f64) -> Placed<'_> {
    Placed { shape, pose: Pose::from_translation(DVec3::new(x, y, z)), twist: Twist::default() }
}

fn contact(position: [f64; 3], normal: [f64; 3], gap: f64) -> Contact {
    let feature = Feature::Tetrahedron(0);
    let (position, normal) = (DVec3::from_array(position), DVec3::from_array(normal));
    Contact { position, normal, gap, feature_a: feature, feature_b: feature }
}

const BY_A: Verdict = Verdict::Rejected { by: Sides::A };
const BY_B: Verdict = Verdict::Rejected { by: Sides::B };
const BY_BOTH: Verdict = Verdict::Rejected { by: Sides::Both };

/// What the filter says of contacts one by one, without an envelope.
fn verdicts(a: &Placed<'_>, b: &Placed<'_>, filter: &ConeFilter, contacts: &[([f64; 3], [f64; 3])]) -> Vec<Verdict> {
    let verdict = |&(p, n): &([f64; 3], [f64; 3])| filter.verdicts(a, b, 0.0, &[contact(p, n, 0.0)])[0];
    contacts.iter().map(verdict).collect()
}

/// A finely split cube on another: the edges inside their faces are no edges.
#[test]
fn internal_edges_support_nothing_but_the_face() {
    let (upper, lower) = (shape(&sample::split_box(3, 0.0)), shape(&sample::split_box(4, 0.0)));
    let (a, b) = (at(&upper, 0.5, 2.0, 0.5), at(&lower, 0.0, 0.0, 0.0));
    let inside = [0.0, 1.0, 0.0];
    let found = verdicts(
        &a,
        &b,
        &ConeFilter::default(),
        &[
            (inside, [0.0, -1.0, 0.0]),
            (inside, [0.0, 1.0, 0.0]),
            (inside, [1.0, 0.0, 0.0]),
            (inside, [FRAC_1_SQRT_2, -FRAC_1_SQRT_2, 0.0]),
            (inside, [0.01, -1.0, 0.0]),
        ],
    );
    assert_eq!(found, [Verdict::Kept, BY_BOTH, BY_BOTH, BY_BOTH, Verdict::Kept]);
}

/// Two cubes whose sides are flush: a normal across the sides is one of either cube, seen alone.
#[test]
fn cliff_edges_need_both_sides() {
    let cube = shape(&sample::split_box(1, 0.0));
    let (a, b) = (at(&cube, 0.0, 2.0, 0.0), at(&cube, 0.0, 0.0, 0.0));
    let (on_edge, on_corner) = ([1.0, 1.0, 0.2], [1.0, 1.0, 1.0]);
    let contacts = [
        (on_edge, [0.0, -1.0, 0.0]),
        (on_edge, [1.0, 0.0, 0.0]),
        (on_edge, [-1.0, 0.0, 0.0]),
        (on_corner, [0.0, -1.0, 0.0]),
        (on_corner, [0.0, 0.0, 1.0]),
        (on_corner, [0.0, 0.0, -1.0]),
    ];
    let with = |sides| verdicts(&a, &b, &ConeFilter { sides, ..ConeFilter::default() }, &contacts);
    let kept = Verdict::Kept;
    assert_eq!(with(Sides::Both), [kept, BY_B, BY_A, kept, BY_B, BY_A]);
    assert_eq!(with(Sides::A), [kept, kept, BY_A, kept, kept, BY_A]);
    assert_eq!(with(Sides::B), [kept, BY_B, kept, kept, BY_B, kept]);
}

/// A cube in the corner of an L touches both walls; both hold, and nothing between them does.
#[test]
fn both_walls_of_a_crack_hold() {
    let (cube, walls) = (shape(&sample::cuboid(DVec3::splat(0.5), DVec3::splat(0.5))), shape(&sample::l_prism()));
    let (a, b) = (at(&cube, 1.0, 1.0, 0.0), at(&walls, 0.0, 0.0, 0.0));
    for z in [0.0, 0.4, 1.0] {
        let on_edge = [1.0, 1.0, z];
        let found = verdicts(
            &a,
            &b,
            &ConeFilter::default(),
            &[
                (on_edge, [-1.0, 0.0, 0.0]),
                (on_edge, [0.0, -1.0, 0.0]),
                (on_edge, [-FRAC_1_SQRT_2, -FRAC_1_SQRT_2, 0.0]),
                ([1.0, 1.5, z], [0.0, -1.0, 0.0]),
            ],
        );
        assert_eq!(found, [Verdict::Kept, Verdict::Kept, BY_B, BY_BOTH], "z = {z}");
    }
}

/// Corner on corner: every plane between them would do, and the filter does not choose.
#[test]
fn tips_keep_all_planes_between_them() {
    let cube = shape(&sample::cuboid(DVec3::ZERO, DVec3::ONE));
    let (a, b) = (at(&cube, -1.0, -1.0, -1.0), at(&cube, 1.0, 1.0, 1.0));
    let tip = [0.0; 3];
    let third = 3f64.sqrt().recip();
    let contacts = [
        (tip, [1.0, 0.0, 0.0]),
        (tip, [0.0, 0.6, 0.8]),
        (tip, [third; 3]),
        (tip, [0.8, -0.6, 0.0]),
        (tip, [-third; 3]),
    ];
    let found = verdicts(&a, &b, &ConeFilter::default(), &contacts);
    assert_eq!(found, [Verdict::Kept, Verdict::Kept, Verdict::Kept, BY_BOTH, BY_BOTH]);
}

#[test]
fn normals_of_any_length_have_a_direction_or_are_rejected() {
    let cube = shape(&sample::cuboid(DVec3::ZERO, DVec3::ONE));
    let (a, b) = (at(&cube, 0.0, 2.0, 0.0), at(&cube, 0.0, 0.0, 0.0));
    let p = [0.1, 1.0, 0.0];
    let contacts = [
        (p, [0.0, -7.0, 0.0]),
        (p, [0.0, -1e-3, 0.0]),
        (p, [0.0; 3]),
        (p, [f64::NAN, 0.0, 0.0]),
        ([f64::NAN, 1.0, 0.0], [0.0, -1.0, 0.0]),
    ];
    let found = verdicts(&a, &b, &ConeFilter::default(), &contacts);
    assert_eq!(found, [Verdict::Kept, Verdict::Kept, BY_BOTH, BY_BOTH, BY_BOTH]);
}

/// The thickness of a cube of side 2 is 1: points count up to 0.02 from the surface, and farther by the gap up to 0.1.
#[test]
fn a_point_far_from_the_surface_lies_on_nothing() {
    let cube = shape(&sample::cuboid(DVec3::ZERO, DVec3::ONE));
    let (a, b) = (at(&cube, 0.0, 2.0, 0.0), at(&cube, 0.0, 0.0, 0.0));
    let judge = |height: f64, gap: f64, envelope: f64| {
        let contact = contact([0.1, 1.0 + height, 0.0], [0.0, -1.0, 0.0], gap);
        ConeFilter::default().verdicts(&a, &b, envelope, &[contact])[0]
    };
    assert_eq!([judge(0.019, 0.0, 0.0), judge(-0.019, 0.0, 0.0)], [Verdict::Kept; 2]);
    assert_eq!([judge(0.021, 0.0, 0.0), judge(0.3, -0.3, 0.0)], [BY_BOTH; 2]);
    assert_eq!([judge(0.021, 0.0, 0.01), judge(0.1, -0.1, 0.0), judge(-0.1, 0.1, 0.0)], [Verdict::Kept; 3]);
    let below = contact([0.1, 0.9, 0.0], [0.0, -1.0, 0.0], 0.0);
    let lifted = at(&cube, 0.0, 1.9, 0.0);
    assert_eq!(ConeFilter::default().verdicts(&lifted, &b, 0.0, &[below])[0], BY_B);
}

#[test]
fn repetitions_are_merged_into_the_deepest() {
    let cube = shape(&sample::cuboid(DVec3::ZERO, DVec3::ONE));
    let (a, b) = (at(&cube, 0.0, 2.0, 0.0), at(&cube, 0.0, 0.0, 0.0));
    let down = [0.0, -1.0, 0.0];
    let contacts = [
        contact([0.5, 1.0, 0.0], down, 0.0),
        contact([0.5, 1.0, 5e-4], down, -1e-5),
        contact([0.5, 1.0, 2e-3], down, 0.0),
        contact([0.5, 1.0, 5e-4], [1.0, 0.0, 0.0], -1e-2),
        contact([0.5, 1.0, 5e-4], [0.0, -3.0, 0.0], -1e-5),
    ];
    let found = ConeFilter::default().verdicts(&a, &b, 0.0, &contacts);
    let merged = Verdict::Merged { into: 1 };
    assert_eq!(found, [merged, Verdict::Kept, Verdict::Kept, BY_BOTH, merged]);
    assert!(ConeFilter::default().verdicts(&a, &b, 0.0, &[]).is_empty());
}

/// The wrapper leaves what the verdicts keep, and nothing of what was in the list before is touched.
#[test]
fn the_wrapper_leaves_what_is_kept() {
    let cube = shape(&sample::split_box(2, 0.0));
    let pose = Pose::from_parts(DVec3::new(0.3, 1.9999, 0.2), DQuat::from_rotation_y(0.3));
    let (a, b) = (Placed { shape: &cube, pose, twist: Twist::default() }, at(&cube, 0.0, 0.0, 0.0));
    let plain = methods::volume_sat().generator().contacts(&a, &b).unwrap();
    let filtered = Filtered { generator: Arc::clone(methods::volume_sat().generator()), filter: ConeFilter::default() };
    let envelope = filtered.margin(&cube);
    let verdicts = filtered.filter.verdicts(&a, &b, envelope, &plain);
    let kept: Vec<Contact> = plain.iter().zip(&verdicts).filter(|(_, v)| v.is_kept()).map(|(c, _)| *c).collect();
    assert!(!kept.is_empty() && kept.len() < plain.len());
    assert_eq!(filtered.contacts(&a, &b).unwrap(), kept);
    let strange = contact([9.0; 3], [1.0, 0.0, 0.0], 0.0);
    let mut list = vec![strange];
    filtered.contacts_into(&a, &b, &[], &mut crate::generator::Workspace::default(), &mut list).unwrap();
    assert_eq!((list[0], &list[1..]), (strange, &kept[..]));
}

#[test]
fn verdicts_speak() {
    let all = [Verdict::Kept, BY_A, BY_B, BY_BOTH, Verdict::Merged { into: 3 }];
    let texts = ["kept", "rejected by a", "rejected by b", "rejected by both", "merged into 3"];
    assert_eq!(all.map(|v| v.to_string()), texts);
}

/// A cylinder on a block, on its end, its side and its rim: all contacts are kept, and none with another normal is.
#[test]
fn rims_and_lines_of_primitives_have_their_normals() {
    use crate::generator::semi_local::SemiLocal;
    use crate::shape::Cylinder;
    let (block, drum) = (shape(&sample::cuboid(DVec3::ZERO, DVec3::ONE)), Cylinder::new(0.3, 0.2).unwrap().into());
    let a = at(&block, 0.0, 0.0, 0.0);
    for (angle, count) in [(0.0, 8), (std::f64::consts::FRAC_PI_2, 2), (0.7, 1)] {
        let (sine, cosine) = libm::sincos(angle);
        let mut b = at(&drum, 0.1, 1.0 + 0.3 * sine + 0.2 * cosine - 1e-3, 0.2);
        b.pose.rotation = DQuat::from_rotation_z(angle);
        let contacts = SemiLocal::default().contacts(&a, &b).unwrap();
        assert_eq!(contacts.len(), count, "{angle}");
        let verdicts = |contacts: &[Contact]| ConeFilter::default().verdicts(&a, &b, 0.0, contacts);
        assert!(verdicts(&contacts).iter().all(|verdict| verdict.is_kept()), "{angle} {contacts:?}");
        let oblique = |c: &Contact| Contact { normal: DVec3::new(0.6, 0.8, 0.0), ..*c };
        let turned: Vec<Contact> = contacts.iter().map(oblique).collect();
        assert!(verdicts(&turned).iter().all(|verdict| !verdict.is_kept()), "{angle}");
    }
}
