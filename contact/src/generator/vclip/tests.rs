//! Boxes, and pairs of which everything is known but the names of features.

use glam::{DQuat, DVec3};

use super::*;
use crate::pose::Twist;
use crate::shape::{Surface, TetrahedralizationSettings};
use crate::vclip::solids;

fn shape((points, faces): (Vec<DVec3>, Vec<Vec<u32>>), scale: DVec3) -> Shape {
    let fan = |face: &Vec<u32>| (1..face.len() - 1).map(|k| [face[0], face[k], face[k + 1]]).collect::<Vec<_>>();
    let triangles = faces.iter().flat_map(fan).collect();
    let surface = Surface::new(points.iter().map(|&p| p * scale).collect(), triangles).unwrap();
    Shape::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap()
}

fn at(shape: &Shape, place: DVec3, turn: DQuat) -> Placed<'_> {
    Placed { shape, pose: Pose { rotation: turn, translation: place }, twist: Twist::default() }
}

fn names(contacts: &[Contact]) -> Vec<(Feature, Feature)> {
    contacts.iter().map(|c| (c.feature_a, c.feature_b)).collect()
}

/// A cube two wide over a plate whose top is at height zero.
fn plate_and_cube() -> (Shape, Shape) {
    (shape(solids::cube(), DVec3::new(5.0, 0.5, 5.0)), shape(solids::cube(), DVec3::ONE))
}

const PLATE: DVec3 = DVec3::new(0.1, -0.5, 0.2);

#[test]
fn a_resting_box_has_contacts_on_all_sides_of_its_centre() {
    let (plate, cube) = plate_and_cube();
    for promotion in [None, Some(Promotion::default())] {
        for height in [1e-4, 0.0, -1e-4] {
            let (a, b) =
                (at(&plate, PLATE, DQuat::IDENTITY), at(&cube, DVec3::Y * (1.0 + height), DQuat::from_rotation_y(0.3)));
            let contacts = VClip { promotion, ..VClip::default() }.contacts(&a, &b).unwrap();
            assert!(contacts.len() >= if promotion.is_some() { 4 } else { 2 }, "{contacts:?}");
            for contact in &contacts {
                assert!(contact.normal.distance(DVec3::Y) < 1e-9 && (contact.gap - height).abs() < 1e-9, "{contact:?}");
            }
        }
    }
}

/// A box that is tilted has its lowest corner, and keeps it up to the larger distance; the step that lets its other corners
/// in is seen beforehand.
#[test]
fn corners_come_one_after_the_other_and_stay() {
    let (plate, cube) = plate_and_cube();
    let generator = VClip::default();
    let thickness = plate.features().unwrap().thickness().min(cube.features().unwrap().thickness());
    let tilted = |lift: f64, angle: f64| {
        let turn = DQuat::from_rotation_z(angle) * DQuat::from_rotation_x(0.5 * angle);
        let lowest = cube.surface().unwrap().vertices().iter().map(|&v| (turn * v).y).fold(f64::INFINITY, f64::min);
        at(&cube, DVec3::Y * (lift - lowest), turn)
    };
    let a = at(&plate, PLATE, DQuat::IDENTITY);
    let found = |b: &Placed<'_>, previous: &[(Feature, Feature)]| {
        let mut contacts = Vec::new();
        generator.contacts_into(&a, b, previous, &mut Workspace::default(), &mut contacts).unwrap();
        contacts
    };
    let first = found(&tilted(0.5 * generator.enter * thickness, 0.1), &[]);
    assert_eq!(first.len(), 1, "{first:?}");
    let between = 0.5 * (generator.enter + generator.leave) * thickness;
    assert_eq!(found(&tilted(between, 0.1), &[]).len(), 0);
    let kept = found(&tilted(between, 0.1), &names(&first));
    assert_eq!(names(&kept), names(&first));
    assert_eq!(found(&tilted(1.1 * generator.leave * thickness, 0.1), &names(&first)).len(), 0);

    // It falls flat about that corner: the far corners would come in.
    let b = tilted(0.0, 0.02);
    let held = names(&found(&b, &[]));
    let end = Pose { rotation: DQuat::IDENTITY, translation: DVec3::Y * 0.995 };
    let mut missed = Vec::new();
    generator.speculative_contacts(&a, &b, [&a.pose, &end], &held, &mut missed).unwrap();
    assert!(!missed.is_empty() && names(&missed).iter().all(|name| !held.contains(name)), "{missed:?}");
    assert!(missed.iter().all(|c| c.normal.distance(DVec3::Y) < 1e-9), "{missed:?}");
    let mut nothing = Vec::new();
    generator.speculative_contacts(&a, &b, [&a.pose, &b.pose], &held, &mut nothing).unwrap();
    assert!(nothing.is_empty(), "{nothing:?}");
}

/// What came in fast is found where it came in, not where it is nearest to the surface.
#[test]
fn a_body_that_came_in_sideways_is_held_by_the_side() {
    let (plate, cube) = plate_and_cube();
    let a = at(&plate, DVec3::ZERO, DQuat::IDENTITY);
    let mut b = at(&cube, DVec3::new(5.96, -0.8, 0.3), DQuat::from_rotation_z(0.2));
    let reach =
        cube.surface().unwrap().vertices().iter().map(|&v| (b.pose.rotation * v).x).fold(f64::INFINITY, f64::min);
    b.pose.translation.x = 5.0 - reach - 0.02;
    b.twist.linear = DVec3::NEG_X * 3.0;
    let contacts = VClip::default().contacts(&a, &b).unwrap();
    assert!(!contacts.is_empty());
    assert!(contacts.iter().all(|c| c.normal.dot(DVec3::X) > 0.9 && c.gap < 0.0), "{contacts:?}");
}

#[test]
fn names_of_other_methods_and_of_no_features_are_nothing() {
    let (plate, cube) = plate_and_cube();
    let (a, b) = (at(&plate, PLATE, DQuat::IDENTITY), at(&cube, DVec3::Y * 1.5, DQuat::IDENTITY));
    let strange = [
        (Feature::Facet(0), Feature::FacetVertex(1)),
        (Feature::PieceFace(99), Feature::PieceVertex(0)),
        (Feature::PieceEdge(u32::MAX), Feature::PieceEdge(0)),
    ];
    let mut contacts = Vec::new();
    VClip::default().contacts_into(&a, &b, &strange, &mut Workspace::default(), &mut contacts).unwrap();
    assert!(contacts.is_empty());
}

/// A step that is not convex touches a plate with both of its pieces.
#[test]
fn every_piece_has_its_own_set() {
    let (plate, _) = plate_and_cube();
    let corner = crate::shape::sample::l_prism();
    let corner = Shape::from_surface(&corner, &TetrahedralizationSettings::default()).unwrap();
    assert_eq!(corner.as_polyhedron().unwrap().pieces().unwrap().pieces().pieces().len(), 2);
    let turn = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
    let lowest = corner.surface().unwrap().vertices().iter().map(|&v| (turn * v).y).fold(f64::INFINITY, f64::min);
    let a = at(&plate, PLATE, DQuat::IDENTITY);
    let contacts = VClip::default().contacts(&a, &at(&corner, DVec3::Y * -lowest, turn)).unwrap();
    let pieces = corner.as_polyhedron().unwrap().pieces().unwrap();
    let mut touching: Vec<u32> =
        contacts.iter().filter_map(|c| Some(pieces.feature(number(c.feature_b)?)?.0)).collect();
    touching.dedup();
    assert_eq!(touching, [0, 1], "{contacts:?}");
}

/// A tip at the bottom of a notch of two pieces, moved into one wall: both walls hold it, and nothing else does.
#[test]
fn a_tip_in_a_notch_is_held_by_both_walls() {
    let polygon = [[-2.0, -2.0], [2.0, -2.0], [2.0, 0.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0], [-2.0, 0.0]];
    let notched = crate::shape::sample::prism(&polygon, &[[0, 1, 4], [1, 2, 3], [1, 3, 4], [0, 4, 5], [0, 5, 6]]);
    let notched = Shape::from_surface(&notched, &TetrahedralizationSettings::default()).unwrap();
    // A pyramid that stands on its tip, sides steeper than the walls.
    let tip = [[0.0, 0.0, 0.0], [0.2, 1.0, 0.2], [0.2, 1.0, -0.2], [-0.2, 1.0, -0.2], [-0.2, 1.0, 0.2]];
    let faces = [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4], [1, 3, 4], [1, 2, 3]];
    let spike = shape((tip.map(DVec3::from_array).to_vec(), faces.map(Vec::from).to_vec()), DVec3::ONE);
    let generator = VClip::default();
    let enter = generator.enter * thickness(&notched, &spike);
    let block = at(&notched, DVec3::ZERO, DQuat::IDENTITY);
    for (x, y) in [(0.0, 0.0), (0.9, 0.0), (-0.9, 0.0), (0.3, 0.5), (0.0, -0.9), (-0.5, -0.5)] {
        let place = DVec3::new(x * enter, y * enter - 1.0, 0.5);
        let contacts = generator.contacts(&block, &at(&spike, place, DQuat::IDENTITY)).unwrap();
        let walls = [DVec3::new(1.0, 1.0, 0.0).normalize(), DVec3::new(-1.0, 1.0, 0.0).normalize()];
        for wall in walls {
            let height = wall.dot(place + DVec3::Y);
            let is_it = |c: &&Contact| c.normal.distance(wall) < 1e-9 && (c.gap - height).abs() < 1e-9;
            assert!(contacts.iter().any(|c| is_it(&c)), "{x} {y}: {contacts:?}");
        }
        let is_wall = |c: &Contact| walls.iter().any(|wall| c.normal.distance(*wall) < 1e-9);
        assert!(contacts.iter().all(is_wall), "{x} {y}: {contacts:?}");
    }
}

/// However solids of pieces overlap, something parts them: pieces are solids of their own if need be.
#[test]
fn overlaps_of_pieces_have_contacts() {
    let corner = crate::shape::sample::l_prism();
    let corner = Shape::from_surface(&corner, &TetrahedralizationSettings::default()).unwrap();
    let pieces = corner.as_polyhedron().unwrap().pieces().unwrap();
    let mut numbers = crate::split_mix::SplitMix::new(3);
    let mut overlaps = 0;
    for _ in 0..300 {
        let place = DVec3::from_array([(); 3].map(|()| numbers.next_between(-2.0, 2.0)));
        let (a, b) = (at(&corner, DVec3::ZERO, DQuat::IDENTITY), at(&corner, place, numbers.next_rotation()));
        let near = Tracking::default().within(pieces, pieces, &RelativePose::new(&a.pose, &b.pose), 0.0);
        let generator = VClip { last_depth: 10.0, ..VClip::default() };
        if near.iter().any(NearPieces::overlaps) {
            overlaps += 1;
            let contacts = generator.contacts(&a, &b).unwrap();
            assert!(contacts.iter().any(|contact| contact.gap <= 0.0), "{place} {contacts:?}");
        }
    }
    assert!(overlaps > 50, "{overlaps}");
}
