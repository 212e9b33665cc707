//! Contacts with closed answers.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::*;
use crate::shape::{Ball, HalfSpace};
use crate::solid::{Csg, Cylinder, Operation, Placed as PlacedSolid, Solid, Torus};
use crate::{Pose, Twist};

mod edges;

fn at(shape: &Shape, pose: Pose, velocity: DVec3) -> Placed<'_> {
    Placed { shape, pose, twist: Twist { linear: velocity, angular: DVec3::ZERO } }
}

fn place(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

fn general(solid: impl Solid + 'static) -> Shape {
    let solid: Arc<dyn Solid> = Arc::new(solid);
    solid.into()
}

fn contacts(a: &Placed<'_>, b: &Placed<'_>) -> Vec<Contact> {
    TimeOfContact::default().contacts(a, b).unwrap()
}

#[test]
fn an_upright_torus_touches_a_plane_below_its_centre() {
    let (torus, plane) = (general(Torus::new(1.0, 0.25).unwrap()), Shape::from(HalfSpace));
    for turn in [0.0, 0.3, 1.0, 2.0] {
        let rotation = DQuat::from_rotation_z(turn) * DQuat::from_rotation_x(FRAC_PI_2);
        for gap in [-1e-3, 0.0, 1e-3] {
            let pose = Pose::from_parts(DVec3::new(0.3, 1.25 + gap, -0.2), rotation);
            let found = contacts(&at(&torus, pose, DVec3::ZERO), &at(&plane, Pose::IDENTITY, DVec3::ZERO));
            let [contact] = found[..] else { panic!("{turn} {gap}: {found:?}") };
            assert!((contact.gap - gap).abs() < 1e-9 && contact.normal.distance(DVec3::NEG_Y) < 1e-9, "{contact:?}");
            let middle = DVec3::new(0.3, 0.5 * gap, -0.2);
            assert!(contact.position.distance(middle) < 1e-12, "{turn} {gap}: {contact:?}");
        }
    }
}

#[test]
fn a_flat_torus_rests_on_several_points_all_around() {
    let (torus, plane) = (general(Torus::new(1.0, 0.25).unwrap()), Shape::from(HalfSpace));
    let found = contacts(&at(&torus, place(0.0, 0.25, 0.0), DVec3::ZERO), &at(&plane, Pose::IDENTITY, DVec3::ZERO));
    assert!((3..=8).contains(&found.len()), "{found:?}");
    for contact in &found {
        assert!(contact.gap.abs() < 1e-3 && contact.normal.distance(DVec3::NEG_Y) < 0.03, "{contact:?}");
        assert!((contact.position.with_y(0.0).length() - 1.0).abs() < 0.03, "{contact:?}");
    }
    let sum: DVec3 = found.iter().map(|c| c.position.with_y(0.0)).sum();
    assert!(sum.length() < 0.5 * found.len() as f64, "{sum}");
}

#[test]
fn a_ball_in_a_hollow_cylinder_is_met_where_it_will_touch() {
    let wall = || Arc::new(Cylinder::new(3.0, 1.0).unwrap()) as Arc<dyn Solid>;
    let hollow = Arc::new(Cylinder::new(2.0, 2.0).unwrap()) as Arc<dyn Solid>;
    let placed = |solid| PlacedSolid::new(solid, Pose::IDENTITY).unwrap();
    let ring = general(Csg::new(Operation::Difference, vec![placed(wall()), placed(hollow)]).unwrap());
    let ball = Shape::from(Ball::new(0.5).unwrap());
    for angle in [0.0, 0.4, 1.1, 2.5] {
        let direction = DVec3::new(f64::cos(angle), 0.0, f64::sin(angle));
        let from = direction * 1.49 + direction.cross(DVec3::Y) * 0.1;
        let moving = at(&ball, Pose::from_translation(from), direction * 6.0);
        let found = contacts(&moving, &at(&ring, Pose::IDENTITY, DVec3::ZERO));
        assert!(!found.is_empty(), "{angle}");
        // The centre gets to a circle of radius 1.5 on its way.
        let (b, c) = (from.dot(direction), from.length_squared() - 1.5 * 1.5);
        let way = -b + (b * b - c).sqrt();
        let normal = (from + direction * way) / 1.5;
        assert!(found.iter().any(|c| c.normal.distance(normal) < 1e-5), "{angle}: {found:?} {normal}");
    }
    let away = at(&ball, Pose::IDENTITY, DVec3::X);
    assert!(contacts(&away, &at(&ring, Pose::IDENTITY, DVec3::ZERO)).is_empty());
}

#[test]
fn exchanged_shapes_have_the_same_contacts_with_turned_normals() {
    let (torus, plane) = (general(Torus::new(1.0, 0.25).unwrap()), Shape::from(HalfSpace));
    let pose = Pose::from_parts(DVec3::new(0.0, 1.2, 0.0), DQuat::from_rotation_x(1.4));
    let (a, b) = (at(&torus, pose, DVec3::NEG_Y), at(&plane, Pose::IDENTITY, DVec3::ZERO));
    let (there, back) = (contacts(&a, &b), contacts(&b, &a));
    assert!(!there.is_empty() && there.len() == back.len());
    for (p, q) in there.iter().zip(&back) {
        assert_eq!((p.normal, p.gap, p.feature_a), (-q.normal, q.gap, q.feature_b));
    }
}

#[test]
fn a_fast_point_is_met_before_it_gets_there() {
    let (torus, plane) = (general(Torus::new(1.0, 0.25).unwrap()), Shape::from(HalfSpace));
    let pose = Pose::from_parts(DVec3::Y * 1.75, DQuat::from_rotation_x(FRAC_PI_2));
    let plane = at(&plane, Pose::IDENTITY, DVec3::ZERO);
    let fast = contacts(&at(&torus, pose, DVec3::NEG_Y * 40.0), &plane);
    assert!(fast.iter().any(|c| (c.gap - 0.5).abs() < 1e-3 && c.normal.distance(DVec3::NEG_Y) < 1e-6), "{fast:?}");
    assert!(contacts(&at(&torus, pose, DVec3::NEG_Y * 20.0), &plane).is_empty());
    assert!(contacts(&at(&torus, pose, DVec3::Y * 40.0), &plane).is_empty());
}

#[test]
fn a_disc_on_its_rim_touches_below_its_axis() {
    let (disc, plane) = (general(Cylinder::new(0.1, 0.03).unwrap()), Shape::from(HalfSpace));
    for k in 0..40 {
        let spin = DQuat::from_rotation_z(0.37 * f64::from(k)) * DQuat::from_rotation_x(FRAC_PI_2);
        // Hardly tilted as well.
        let tilt = [0.0, 1e-10, -1e-7][k as usize % 3];
        let pose = Pose::from_parts(DVec3::Y * 0.1, DQuat::from_rotation_x(tilt) * spin);
        let rolling =
            Placed { shape: &disc, pose, twist: Twist { linear: DVec3::X * 3.0, angular: DVec3::NEG_Z * 30.0 } };
        let method = TimeOfContact { duration: 0.0, ..TimeOfContact::default() };
        let found = method.contacts(&rolling, &at(&plane, Pose::IDENTITY, DVec3::ZERO)).unwrap();
        assert!((2..=8).contains(&found.len()), "{k}: {found:#?}");
        for contact in &found {
            assert!(contact.position.x.abs() < 1e-12 && contact.gap.abs() < 1e-8, "{k}: {found:#?}");
        }
    }
}

#[test]
fn a_disc_that_too_many_points_would_stand_for_is_refused() {
    let disc = |thickness: f64| general(Cylinder::new(1.0, 0.5 * thickness).unwrap());
    let method = TimeOfContact::default();
    let ground = Shape::from(HalfSpace);
    for (thickness, is_served) in [(0.1, true), (0.05, true), (1e-4, false), (1e-9, false)] {
        let disc = disc(thickness);
        assert_eq!(method.prepare(&disc).is_ok(), is_served, "{thickness} m");
        let pose = Pose::from_translation(DVec3::Y * thickness);
        let found = method.contacts(&at(&disc, pose, DVec3::ZERO), &at(&ground, Pose::IDENTITY, DVec3::ZERO));
        let refused = "points would have to stand for its surface, of 1000000 at most; make it thicker or smaller";
        assert!(is_served || found.unwrap_err().to_string().ends_with(refused), "{thickness} m");
    }
}

/// Most points of a thin disc that is deep in something lie on a slope that leads to its rim.
#[test]
fn of_a_thin_disc_deep_in_the_ground_few_points_are_followed() {
    let (radius, half_height, tilt) = (0.6, 0.01, 0.3);
    let (disc, ground) = (general(Cylinder::new(radius, half_height).unwrap()), Shape::from(HalfSpace));
    let pose = Pose::from_parts(DVec3::new(0.1, -0.5, 0.2), DQuat::from_rotation_x(tilt));
    let still = |shape, pose| at(shape, pose, DVec3::ZERO);
    let method = TimeOfContact { duration: 0.0, ..TimeOfContact::default() };
    let sides = [still(&disc, pose), still(&ground, Pose::IDENTITY)].map(|placed| method.side(&placed).unwrap());
    let limits = meeting::Limits { duration: 0.0, envelope: 1e-3, precision: 1e-8, parallel: 0.02 };
    let count = sides[0].general.points().points().len() as u32;
    let all: Vec<Start> = (0..count).map(|point| Start { point, time: 0.0, approaches: false }).collect();
    let low = crowd::lowest(&sides[0], &sides[1], 0.0, &all, &limits).unwrap();
    assert!((1..count as usize / 100).contains(&low.len()), "{} of {count}", low.len());
    assert!(low.is_sorted_by_key(|start| start.point));
    let found = method.contacts(&still(&disc, pose), &still(&ground, Pose::IDENTITY)).unwrap();
    let lowest = -0.5 - radius * tilt.sin() - half_height * tilt.cos();
    let deepest = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
    assert!((deepest - lowest).abs() < 1e-6, "{deepest} {lowest}");
    assert!(found.iter().all(|contact| contact.normal.distance(DVec3::NEG_Y) < 1e-9), "{found:?}");
}

#[test]
fn a_motion_is_looked_at_less_often_where_that_takes_longer() {
    let method = TimeOfContact::default();
    let disc = |thickness: f64| general(Cylinder::new(1.0, 0.5 * thickness).unwrap());
    let ground = Shape::from(HalfSpace);
    let looks = [1.0, 0.1, 0.03].map(|thickness| method.most_looks_on_the_way(&disc(thickness), &ground));
    assert!(looks[0] > 512 && looks[1] < 512 && looks[2] < looks[1] && looks[2] >= 8, "{looks:?}");
}
