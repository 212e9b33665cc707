//! Contacts of convex shapes against analytic answers and, in `oracle`, against brute force.

mod oracle;

use super::*;
use crate::generator::semi_local::SemiLocal;
use crate::generator::{Generator, Placed};
use crate::pose::Twist;
use crate::shape::{
    Ball, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, RoundedBox, Shape, Surface, TetrahedralizationSettings, sample,
};
use glam::DQuat;

fn capsule(radius: f64, half_length: f64) -> Shape {
    Capsule::new(radius, half_length).unwrap().into()
}

fn cylinder(radius: f64, half_height: f64) -> Shape {
    Cylinder::new(radius, half_height).unwrap().into()
}

fn cone(radius: f64, height: f64) -> Shape {
    Cone::new(radius, height).unwrap().into()
}

fn rounded_box(half: DVec3, radius: f64) -> Shape {
    RoundedBox::new(half, radius).unwrap().into()
}

fn polyhedron(surface: &Surface) -> Shape {
    Shape::from_surface(surface, &TetrahedralizationSettings::default()).unwrap()
}

fn cuboid(half: DVec3) -> Shape {
    polyhedron(&sample::cuboid(DVec3::ZERO, half))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

fn turned(x: f64, y: f64, z: f64, axis: DVec3, degrees: f64) -> Pose {
    Pose::from_parts(DVec3::new(x, y, z), DQuat::from_axis_angle(axis, degrees.to_radians()))
}

/// The contacts of two shapes, and a check that exchanging them negates normals and changes nothing else.
fn found(a: (&Shape, Pose), b: (&Shape, Pose)) -> Vec<Contact> {
    let placed = |(shape, pose)| Placed { shape, pose, twist: Twist::default() };
    let generator = SemiLocal::default();
    let contacts = generator.contacts(&placed(a), &placed(b)).unwrap();
    let mut exchanged = generator.contacts(&placed(b), &placed(a)).unwrap();
    exchanged.iter_mut().for_each(Contact::exchange);
    assert_eq!(contacts, exchanged);
    contacts
}

/// The border of a half-space and the top of a wide box, both at y = 0.
fn grounds() -> [(Shape, Pose); 2] {
    [(HalfSpace.into(), Pose::IDENTITY), (cuboid(DVec3::new(6.0, 2.0, 6.0)), at(0.3, -2.0, 0.2))]
}

/// The contacts with the ground of a body whose lowest points are this deep: all point up, are half-way and as deep.
fn on_ground(shape: &Shape, pose: Pose, depth: f64) -> Vec<Vec<DVec3>> {
    let check = |(ground, at): (Shape, Pose)| {
        let contacts = found((&ground, at), (shape, pose));
        for contact in &contacts {
            assert!(contact.normal.distance(DVec3::Y) < 1e-12, "{contact:?}");
            assert!((contact.gap + depth).abs() < 1e-12, "{contact:?}");
            assert!((contact.position.y + 0.5 * depth).abs() < 1e-12, "{contact:?}");
        }
        contacts.iter().map(|c| c.position).collect::<Vec<DVec3>>()
    };
    grounds().into_iter().map(check).collect()
}

fn has_all(points: &[DVec3], expected: &[[f64; 2]]) -> bool {
    let is_there = |[x, z]: &[f64; 2]| points.iter().any(|p| (p.x - x).abs() < 1e-9 && (p.z - z).abs() < 1e-9);
    points.len() == expected.len() && expected.iter().all(is_there)
}

/// Depths from speculative to deeper than half of the shape.
const DEPTHS: [f64; 4] = [-1e-3, 0.0, 1e-3, 0.4];

#[test]
fn a_capsule_has_two_contacts_lying_and_one_standing() {
    let shape = capsule(0.25, 0.5);
    for depth in DEPTHS {
        for points in on_ground(&shape, turned(0.0, 0.25 - depth, 0.0, DVec3::Z, 90.0), depth) {
            assert!(has_all(&points, &[[-0.5, 0.0], [0.5, 0.0]]), "{depth} {points:?}");
        }
        for points in on_ground(&shape, at(0.1, 0.75 - depth, 0.2), depth) {
            assert!(has_all(&points, &[[0.1, 0.2]]), "{depth} {points:?}");
        }
    }
}

#[test]
fn a_cylinder_has_two_contacts_on_its_side_and_eight_on_its_end() {
    let shape = cylinder(0.5, 0.75);
    for depth in DEPTHS {
        for points in on_ground(&shape, turned(0.0, 0.5 - depth, 0.0, DVec3::X, 90.0), depth) {
            assert!(has_all(&points, &[[0.0, -0.75], [0.0, 0.75]]), "{depth} {points:?}");
        }
        for points in on_ground(&shape, at(0.1, 0.75 - depth, 0.2), depth) {
            assert_eq!(points.len(), 8);
            assert!(points.iter().all(|p| (libm::hypot(p.x - 0.1, p.z - 0.2) - 0.5).abs() < 1e-12));
        }
        // On its rim, at 45°.
        let height = 1.25 * 0.5_f64.sqrt();
        for points in on_ground(&shape, turned(0.0, height - depth, 0.0, DVec3::Z, 45.0), depth) {
            assert_eq!(points.len(), 1, "{depth} {points:?}");
        }
    }
}

#[test]
fn a_cone_has_two_contacts_on_its_side_eight_on_its_base_and_one_on_its_tip() {
    let shape = cone(0.6, 0.8);
    for depth in DEPTHS {
        for points in on_ground(&shape, at(0.1, 0.2 - depth, 0.2), depth) {
            assert_eq!(points.len(), 8);
        }
        for points in on_ground(&shape, turned(0.1, 0.6 - depth, 0.2, DVec3::X, 180.0), depth) {
            assert!(has_all(&points, &[[0.1, 0.2]]), "{depth} {points:?}");
        }
        // The side's normal is (0.8, 0.6): a turn by −(90° + asin 0.6) about z brings it down. The tip is 0.6 · 0.6 away.
        let angle = -90.0 - libm::asin(0.6).to_degrees();
        for points in on_ground(&shape, turned(0.0, 0.36 - depth, 0.0, DVec3::Z, angle), depth) {
            assert_eq!(points.len(), 2, "{depth} {points:?}");
            assert!((points[0].distance(points[1]) - 1.0).abs() < 1e-9, "{depth} {points:?}");
        }
    }
}

#[test]
fn a_rounded_box_has_four_two_or_one_contacts() {
    let shape = rounded_box(DVec3::new(0.5, 0.3, 0.4), 0.1);
    for depth in DEPTHS {
        for points in on_ground(&shape, at(0.0, 0.4 - depth, 0.0), depth) {
            assert!(has_all(&points, &[[0.5, 0.4], [-0.5, 0.4], [0.5, -0.4], [-0.5, -0.4]]), "{depth} {points:?}");
        }
        let height = 0.1 + 0.8 * 0.5_f64.sqrt();
        for points in on_ground(&shape, turned(0.0, height - depth, 0.0, DVec3::Z, 45.0), depth) {
            assert_eq!(points.len(), 2, "{depth} {points:?}");
        }
        let turn = DQuat::from_rotation_arc(DVec3::new(0.5, 0.3, 0.4).normalize(), DVec3::NEG_Y);
        let height = 0.1 + 0.5_f64.sqrt();
        for points in on_ground(&shape, Pose::from_parts(DVec3::new(0.0, height - depth, 0.0), turn), depth) {
            assert_eq!(points.len(), 1, "{depth} {points:?}");
        }
    }
}

/// A ball that touches each kind at a smooth place has one contact; where its centre is inside, the shortest way out.
#[test]
fn a_ball_has_one_contact_with_anything() {
    let ball: Shape = Ball::new(0.2).unwrap().into();
    for (shape, place, normal, gap) in [
        (capsule(0.3, 0.5), DVec3::new(0.49, 0.2, 0.0), DVec3::X, -0.01),
        (cylinder(0.5, 0.7), DVec3::new(0.0, 0.3, 0.695), DVec3::Z, -0.005),
        (cylinder(0.5, 0.7), DVec3::new(0.1, 0.6, 0.2), DVec3::Y, -0.3),
        (cylinder(0.5, 0.7), DVec3::new(0.45, 0.0, 0.0), DVec3::X, -0.25),
        (cone(0.6, 0.8), DVec3::new(0.2, -0.3, 0.1), DVec3::NEG_Y, -0.1),
        (cone(0.6, 0.8), DVec3::Y * 0.795, DVec3::Y, -0.005),
        (rounded_box(DVec3::splat(0.4), 0.1), DVec3::new(0.1, 0.2, 0.69), DVec3::Z, -0.01),
        (rounded_box(DVec3::splat(0.4), 0.1), DVec3::new(0.3, 0.2, 0.1), DVec3::X, -0.4),
        (cuboid(DVec3::splat(0.5)), DVec3::new(0.3, 0.2, 0.1), DVec3::X, -0.4),
    ] {
        let contacts = found((&shape, Pose::IDENTITY), (&ball, Pose::from_translation(place)));
        let [contact] = contacts[..] else { panic!("{} {contacts:?}", shape.kind()) };
        assert!(
            contact.normal.distance(normal) < 1e-9 && (contact.gap - gap).abs() < 1e-12,
            "{} {contact:?}",
            shape.kind()
        );
        let middle = place - normal * (0.2 + 0.5 * gap);
        assert!(contact.position.distance(middle) < 1e-9, "{} {contact:?}", shape.kind());
    }
}

#[test]
fn ends_that_face_each_other_meet_in_the_corners_of_their_overlap() {
    let (coin, slab) = (cylinder(0.5, 0.1), rounded_box(DVec3::new(1.0, 0.2, 1.0), 0.1));
    // Half of the end on the slab: five points of the rim or four, and the crossings of the rim and the slab's border.
    let contacts = found((&slab, Pose::IDENTITY), (&coin, at(1.0, 0.399, 0.0)));
    assert!(contacts.iter().all(|c| c.normal == DVec3::Y && (c.gap + 1e-3).abs() < 1e-12));
    let points: Vec<DVec3> = contacts.iter().map(|c| c.position).collect();
    assert!(points.iter().all(|p| p.x <= 1.0 + 1e-4 && libm::hypot(p.x - 1.0, p.z) < 0.5 + 1e-9), "{points:?}");
    for z in [-0.5, 0.5] {
        assert!(points.iter().any(|p| p.distance(DVec3::new(1.0, p.y, z)) < 1e-9), "{points:?}");
    }
    assert_eq!(points.len(), 5);
    // Two ends whose rims cross, and a small end on a large one.
    let crossed = found((&coin, Pose::IDENTITY), (&coin, at(0.6, 0.199, 0.0)));
    for z in [-0.4, 0.4] {
        assert!(crossed.iter().any(|c| (c.position - DVec3::new(0.3, c.position.y, z)).length() < 1e-9), "{crossed:?}");
    }
    assert_eq!(found((&coin, Pose::IDENTITY), (&cylinder(0.2, 0.3), at(0.1, 0.399, 0.0))).len(), 8);
    assert_eq!(found((&coin, Pose::IDENTITY), (&coin, at(0.0, 0.199, 0.0))).len(), 8);
    // A corner of a box within an end, and a whole face within it.
    let cube = cuboid(DVec3::splat(0.2));
    assert_eq!(found((&coin, Pose::IDENTITY), (&cube, at(0.1, 0.299, 0.0))).len(), 4);
    assert_eq!(found((&coin, Pose::IDENTITY), (&cube, at(0.4, 0.299, 0.4))).len(), 4);
}

#[test]
fn lines_that_are_parallel_meet_in_two_points_and_others_in_one() {
    let (log, bar) = (cylinder(0.3, 1.0), capsule(0.2, 0.5));
    let lying = |x, y, z| turned(x, y, z, DVec3::Z, 90.0);
    let contacts = found((&log, lying(0.0, 0.0, 0.0)), (&bar, lying(0.8, 0.499, 0.0)));
    let mut x: Vec<f64> = contacts.iter().map(|c| c.position.x).collect();
    x.sort_by(f64::total_cmp);
    assert!(x.len() == 2 && (x[0] - 0.3).abs() < 1e-9 && (x[1] - 1.0).abs() < 1e-9, "{contacts:?}");
    let across = turned(0.2, 0.499, 0.0, DVec3::X, 90.0);
    let contacts = found((&log, lying(0.0, 0.0, 0.0)), (&bar, across));
    assert!(contacts.len() == 1 && contacts[0].position.distance(DVec3::new(0.2, 0.2995, 0.0)) < 1e-9, "{contacts:?}");
    // Two capsules whose segments cross.
    let contacts = found((&bar, lying(0.0, 0.0, 0.0)), (&bar, turned(0.2, 0.0, 0.0, DVec3::X, 90.0)));
    assert!(contacts.len() == 1 && (contacts[0].gap + 0.4).abs() < 1e-9, "{contacts:?}");
    assert!(contacts[0].normal.y.abs() > 1.0 - 1e-9);
    // A cylinder on the edge of a box.
    let edge = turned(0.0, -(2.0_f64.sqrt()), 0.0, DVec3::X, 45.0);
    let contacts = found((&cuboid(DVec3::ONE), edge), (&log, lying(0.5, 0.299, 0.0)));
    assert!(contacts.len() == 2 && contacts.iter().all(|c| c.normal.distance(DVec3::Y) < 1e-9), "{contacts:?}");
}

/// A coin that is a little oblique has its deepest point among the contacts.
#[test]
fn an_oblique_end_touches_with_its_lowest_point() {
    let shape = cylinder(0.5, 0.1);
    for tilt in [1e-6, 1e-3, 1e-2, 0.1] {
        let axis = DVec3::new(libm::cos(0.3), 0.0, libm::sin(0.3));
        let turn = DQuat::from_axis_angle(axis, tilt);
        let lowest = 0.1 * libm::cos(tilt) + 0.5 * libm::sin(tilt);
        for (ground, place) in grounds() {
            let pose = Pose::from_parts(DVec3::Y * (lowest - 1e-4), turn);
            let contacts = found((&ground, place), (&shape, pose));
            let deepest = contacts.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
            // Up to the length below which contacts are one.
            assert!((-1e-4 - 1e-12..=-1e-4 + 2.2e-5).contains(&deepest), "{tilt} {contacts:?}");
        }
    }
}

/// The entry for triangles: a sheet has a contact on the side from which the other comes.
#[test]
fn a_triangle_is_a_core() {
    use crate::shape::convex_core::Polytope;
    let corners = [DVec3::new(-3.0, 0.0, -3.0), DVec3::new(-3.0, 0.0, 5.0), DVec3::new(5.0, 0.0, -3.0)];
    let triangle = Polytope::triangle(corners).unwrap();
    let a = PlacedCore { rounded: RoundedCore { core: &triangle, radius: 0.0 }, pose: Pose::IDENTITY };
    let limits = CoreLimits { envelope: 0.01, same: 1e-5, parallel: 2e-2 };
    for (height, up) in [(0.499, 1.0), (-0.499, -1.0), (0.1, 1.0)] {
        let shape = cylinder(0.3, 0.5);
        let b = PlacedCore { rounded: shape.core().unwrap(), pose: at(0.0, height, 0.0) };
        let mut found = Vec::new();
        contacts(&a, &b, &limits, &mut found);
        assert_eq!(found.len(), 8);
        assert!(found.iter().all(|c| c.normal.distance(DVec3::Y * up) < 1e-12), "{found:?}");
        assert!(found.iter().all(|c| (c.gap - (height.abs() - 0.5)).abs() < 1e-12), "{found:?}");
        let alone = separation(&a, &b, f64::INFINITY).unwrap();
        assert!((alone.gap - (height.abs() - 0.5)).abs() < 1e-12 && alone.normal.distance(DVec3::Y * up) < 1e-12);
    }
    assert_eq!(Polytope::triangle([DVec3::ZERO, DVec3::X, DVec3::X * 2.0]), None);
}

#[test]
fn an_ellipsoid_meets_what_has_flat_faces() {
    let egg: Shape = Ellipsoid::new(DVec3::new(0.3, 0.5, 0.4)).unwrap().into();
    let contacts = found((&cylinder(1.0, 0.2), Pose::IDENTITY), (&egg, at(0.2, 0.699, 0.1)));
    assert!(contacts.len() == 1 && (contacts[0].gap + 1e-3).abs() < 1e-12, "{contacts:?}");
    assert!(contacts[0].normal.distance(DVec3::Y) < 1e-12);
}
