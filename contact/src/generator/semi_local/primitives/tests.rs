//! Contacts with primitives against analytic answers and against tessellated stand-ins.

use super::*;
use crate::generator::{Generator, methods};
use crate::pose::Twist;
use crate::shape::{Ball, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, RoundedBox, Surface, sample};
use glam::DQuat;

fn ball(radius: f64) -> Shape {
    Ball::new(radius).unwrap().into()
}

fn cuboid(sides: DVec3) -> Shape {
    let corner =
        |i: usize| DVec3::from_array(std::array::from_fn(|axis| if i >> axis & 1 == 1 { 0.5 } else { -0.5 })) * sides;
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let surface = Surface::new((0..8).map(corner).collect(), triangles).unwrap();
    Shape::from_surface(&surface, &Default::default()).unwrap()
}

/// The contacts of two shapes, and a check that exchanging the shapes negates normals and changes nothing else.
fn found(a: (&Shape, Pose), b: (&Shape, Pose)) -> Vec<Contact> {
    let placed = |(shape, pose)| Placed { shape, pose, twist: Twist::default() };
    let generator = SemiLocal::default();
    let contacts = generator.contacts(&placed(a), &placed(b)).unwrap();
    let exchanged = generator.contacts(&placed(b), &placed(a)).unwrap();
    assert_eq!(contacts.len(), exchanged.len());
    for (one, other) in contacts.iter().zip(&exchanged) {
        assert!(one.normal.distance(-other.normal) < 1e-9 && (one.gap - other.gap).abs() < 1e-9);
        assert!(one.position.distance(other.position) < 1e-9 && one.feature_a == other.feature_b);
    }
    contacts
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

#[test]
fn a_ball_has_one_contact_with_a_facet_an_edge_or_a_corner() {
    let (ball, cube) = (ball(0.5), cuboid(DVec3::splat(2.0)));
    let flat = found((&cube, Pose::IDENTITY), (&ball, at(0.3, 1.49, -0.2)));
    assert_eq!(flat.len(), 1);
    assert!(flat[0].normal.distance(DVec3::Y) < 1e-15 && (flat[0].gap + 0.01).abs() < 1e-12);
    assert!(flat[0].position.distance(DVec3::new(0.3, 0.995, -0.2)) < 1e-12);
    // Beyond an edge by (3, 4)/10, and beyond a corner by (1, 1, 1)·s: apart by 0 and by 0.005.
    let edge = found((&cube, Pose::IDENTITY), (&ball, at(1.3, 1.4, 0.1)));
    assert_eq!(edge.len(), 1);
    assert!(edge[0].normal.distance(DVec3::new(0.6, 0.8, 0.0)) < 1e-12 && edge[0].gap.abs() < 1e-12);
    let s = 1.0 + 0.505 / 3.0_f64.sqrt();
    let corner = found((&cube, Pose::IDENTITY), (&ball, at(s, s, s)));
    assert_eq!(corner.len(), 1);
    assert!(corner[0].normal.distance(DVec3::ONE.normalize()) < 1e-12 && (corner[0].gap - 0.005).abs() < 1e-12);
    assert!(found((&cube, Pose::IDENTITY), (&ball, at(1.5, 1.5, 1.5))).is_empty());
}

#[test]
fn a_ball_in_a_corner_has_a_contact_with_each_side() {
    // An L-shaped prism: the ball lies in its reflex edge.
    let prism: Shape = Shape::from_surface(&sample::l_prism(), &Default::default()).unwrap();
    let features = prism.features().unwrap();
    let reflex = features.edges().iter().find(|edge| !edge.is_convex).unwrap();
    let [p, q] = reflex.vertices.map(|v| features.vertices()[v as usize].position);
    let normals = reflex.facets.map(|f| features.facets()[f as usize].normal);
    let radius = 0.1;
    let centre = p.midpoint(q) + (normals[0] + normals[1]) * (radius - 1e-3);
    let contacts = found((&prism, Pose::IDENTITY), (&ball(radius), Pose::from_translation(centre)));
    assert_eq!(contacts.len(), 2);
    for normal in normals {
        let own = contacts.iter().find(|c| c.normal.distance(normal) < 1e-9).unwrap();
        assert!((own.gap + 1e-3).abs() < 1e-12);
    }
}

/// The far side of a thin plate does not take part, and a ball whose centre is inside leaves by the shortest way.
#[test]
fn deep_balls_are_pushed_out_the_shortest_way() {
    let (ball, plate) = (ball(1.0), cuboid(DVec3::new(8.0, 0.4, 8.0)));
    for (height, normal) in [(1.15, DVec3::Y), (0.3, DVec3::Y), (0.1, DVec3::Y), (-0.1, DVec3::NEG_Y)] {
        let contacts = found((&plate, Pose::IDENTITY), (&ball, at(0.5, height, 0.5)));
        assert_eq!(contacts.len(), 1, "{height}");
        assert!(contacts[0].normal.distance(normal) < 1e-12, "{height}");
        let depth = 1.0 + 0.2 - height.abs();
        assert!((contacts[0].gap + depth).abs() < 1e-12, "{height}: {}", contacts[0].gap);
    }
}

#[test]
fn a_half_space_holds_the_corners_of_what_lies_on_it() {
    let ground: Shape = HalfSpace.into();
    let cube = cuboid(DVec3::new(1.0, 2.0, 3.0));
    let contacts = found((&ground, Pose::IDENTITY), (&cube, at(4.0, 0.999, 5.0)));
    assert_eq!(contacts.len(), 4);
    assert!(contacts.iter().all(|c| c.normal == DVec3::Y && (c.gap + 1e-3).abs() < 1e-12));
    let on_edge = Pose::from_parts(DVec3::Y * 2.0_f64.sqrt(), DQuat::from_rotation_z(0.25 * std::f64::consts::PI));
    let contacts = found((&ground, Pose::IDENTITY), (&cuboid(DVec3::splat(2.0)), on_edge));
    assert_eq!(contacts.len(), 2);
    // However deep, it is the lowest corners that are in contact.
    let contacts = found((&ground, Pose::IDENTITY), (&cube, at(0.0, -50.0, 0.0)));
    assert!(contacts.len() == 4 && contacts.iter().all(|c| (c.gap + 51.0).abs() < 1e-9));
    let turned = Pose::from_parts(DVec3::X, DQuat::from_rotation_z(-0.5 * std::f64::consts::PI));
    let contacts = found((&ground, turned), (&ball(0.5), at(1.49, 7.0, 8.0)));
    assert_eq!(contacts.len(), 1);
    assert!(contacts[0].normal.distance(DVec3::X) < 1e-12 && (contacts[0].gap + 0.01).abs() < 1e-12);
    assert!(found((&ground, Pose::IDENTITY), (&ground, turned)).is_empty());
}

#[test]
fn balls_touch_on_the_line_between_their_centres() {
    for offset in [DVec3::new(0.9, 0.5, -0.3), DVec3::new(0.05, 0.0, 0.0)] {
        let contacts = found((&ball(0.6), Pose::IDENTITY), (&ball(0.5), Pose::from_translation(offset)));
        assert_eq!(contacts.len(), 1);
        let gap = offset.length() - 1.1;
        assert!((contacts[0].gap - gap).abs() < 1e-12 && contacts[0].normal.distance(offset.normalize()) < 1e-9);
    }
    let apart = found((&ball(0.6), Pose::IDENTITY), (&ball(0.5), at(1.2, 0.0, 0.0)));
    assert!(apart.is_empty(), "farther apart than the margin");
}

/// Against the brute force over directions: no other direction separates two ellipsoids by more.
#[test]
fn ellipsoids_touch_where_no_direction_keeps_them_farther_apart() {
    let mut touching = 0;
    let mut state = 7_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    for _ in 0..200 {
        let mut axes = || DVec3::new(0.3 + random(), 0.3 + random(), 0.3 + random());
        let [a, b] = [Ellipsoid::new(axes()).unwrap(), Ellipsoid::new(axes()).unwrap()];
        let turn = DQuat::from_scaled_axis(DVec3::new(random(), random(), random()) * 3.0);
        let towards = DVec3::new(random() - 0.5, random() - 0.5, random() - 0.5).normalize();
        let pose = Pose::from_parts(towards * (1.0 + 0.8 * random()), turn);
        let support = |n: DVec3| pose.transform_point(b.support(pose.rotation.inverse() * n).unwrap());
        let gap_along = |n: DVec3| n.dot(support(-n) - a.support(n).unwrap());
        let best = (0..4000).map(|k| {
            let y = 1.0 - 2.0 * (f64::from(k) + 0.5) / 4000.0;
            let (s, c) = libm::sincos(2.399_963_229_728_653 * f64::from(k));
            gap_along(DVec3::new((1.0 - y * y).sqrt() * c, y, (1.0 - y * y).sqrt() * s))
        });
        let best = best.fold(f64::NEG_INFINITY, f64::max);
        let (a, b): (Shape, Shape) = (a.into(), b.into());
        let contacts = found((&a, Pose::IDENTITY), (&b, pose));
        if let [contact] = contacts[..] {
            touching += 1;
            assert!(contact.gap >= best - 1e-9, "{} against {best}", contact.gap);
            assert!((contact.gap - best).abs() < 2e-2);
        } else {
            assert!(best > 0.0, "an overlap of {best} without a contact");
        }
    }
    assert!(touching > 50);
}

/// An ellipsoid on a facet beside the plane of that facet, and against the analytic depth below it.
#[test]
fn ellipsoids_rest_on_facets_where_their_normals_oppose() {
    let table = cuboid(DVec3::new(4.0, 1.0, 4.0));
    let ellipsoid: Shape = Ellipsoid::new(DVec3::new(0.5, 0.2, 0.3)).unwrap().into();
    for angle in [0.0, 0.3, 1.0, 1.5] {
        let turn = DQuat::from_rotation_z(angle);
        // The support height of an ellipse turned by an angle.
        let (s, c) = libm::sincos(angle);
        let height = (0.25 * s * s + 0.04 * c * c).sqrt();
        let pose = Pose::from_parts(DVec3::new(0.1, 0.5 + height - 1e-3, 0.2), turn);
        let contacts = found((&table, Pose::IDENTITY), (&ellipsoid, pose));
        assert_eq!(contacts.len(), 1, "{angle}");
        assert!((contacts[0].gap + 1e-3).abs() < 1e-12 && contacts[0].normal.distance(DVec3::Y) < 1e-12);
    }
}

#[test]
fn other_methods_refuse_primitives_by_name() {
    let ball = ball(1.0);
    for method in methods::all() {
        let answer = method.generator().prepare(&ball);
        match method.name() {
            "semi-local" | "time-of-contact" => assert_eq!(answer, Ok(())),
            name => {
                let error = answer.unwrap_err().to_string();
                assert!(error.starts_with(&format!("{name} takes no ball: it needs ")), "{error}");
                let placed = Placed { shape: &ball, pose: Pose::IDENTITY, twist: Twist::default() };
                assert!(method.generator().contacts(&placed, &placed).is_err());
            }
        }
    }
}

/// One of each kind with straight lines or flat faces, about half a metre large.
fn with_lines() -> [Shape; 4] {
    [
        Capsule::new(0.1, 0.15).unwrap().into(),
        Cylinder::new(0.15, 0.1).unwrap().into(),
        Cone::new(0.2, 0.25).unwrap().into(),
        RoundedBox::new(DVec3::new(0.1, 0.15, 0.05), 0.04).unwrap().into(),
    ]
}

/// On a facet of a solid that is not convex, away from its border, there are the contacts of a half-space.
#[test]
fn a_facet_of_a_solid_that_is_not_convex_is_as_a_half_space() {
    let prism: Shape = Shape::from_surface(&sample::l_prism(), &Default::default()).unwrap();
    assert!(prism.core().is_none());
    let features = prism.features().unwrap();
    let facet = features.facets().iter().max_by(|f, g| f.area.total_cmp(&g.area)).unwrap();
    let ground: Shape = HalfSpace.into();
    let up = DQuat::from_rotation_arc(DVec3::Y, facet.normal);
    // The largest facet is the L itself: a place in the middle of the square in its corner.
    let place = DVec3::new(0.5, 0.5, facet.corners[0].z);
    assert!(facet.contains(facet.place(place), 0.0));
    let mut random = crate::split_mix::SplitMix::new(11);
    let mut counts = std::collections::BTreeSet::new();
    for shape in with_lines() {
        for k in 0..40 {
            let quarter = |n: usize| std::f64::consts::FRAC_PI_2 * n as f64;
            let right = DQuat::from_rotation_x(quarter(random.next_below(4)))
                * DQuat::from_rotation_z(quarter(random.next_below(4)));
            let turn = if k % 2 == 0 { DQuat::from_rotation_y(0.3) * right } else { random.next_rotation() };
            let core = shape.core().unwrap();
            let down = turn.inverse() * DVec3::NEG_Y;
            let lowest = core.core.support(down).dot(down) + core.radius;
            for gap in [1e-4, -1e-4, -1e-2] {
                let on_ground = Pose::from_parts(DVec3::Y * (lowest + gap), turn);
                let on_facet = Pose::from_parts(place, up) * on_ground;
                let expected = found((&ground, Pose::IDENTITY), (&shape, on_ground));
                let contacts = found((&prism, Pose::IDENTITY), (&shape, on_facet));
                assert_eq!(contacts.len(), expected.len(), "{} {k} {gap}: {contacts:?} {expected:?}", shape.kind());
                for contact in &expected {
                    let at = place + up * contact.position;
                    let is_it = |c: &&Contact| c.position.distance(at) < 1e-9 && (c.gap - contact.gap).abs() < 1e-9;
                    assert!(contacts.iter().any(|c| is_it(&c) && c.normal.distance(facet.normal) < 1e-9), "{k} {gap}");
                }
                counts.insert(expected.len());
            }
        }
    }
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), [1, 2, 4, 8]);
}

/// A capsule that lies in the reflex edge of an L has two contacts with each wall, and a rounded box four with each.
#[test]
fn what_lies_in_a_corner_has_contacts_with_both_walls() {
    let prism: Shape = Shape::from_surface(&sample::l_prism(), &Default::default()).unwrap();
    let features = prism.features().unwrap();
    let reflex = features.edges().iter().find(|edge| !edge.is_convex).unwrap();
    let [p, q] = reflex.vertices.map(|v| features.vertices()[v as usize].position);
    let [m, n] = reflex.facets.map(|f| features.facets()[f as usize].normal);
    let (depth, turn) = (1e-3, DQuat::from_rotation_arc(DVec3::Y, reflex.direction));
    let rounded: Shape = RoundedBox::new(DVec3::new(0.1, 0.2, 0.1), 0.05).unwrap().into();
    for (shape, off, count) in [(Capsule::new(0.1, 0.2).unwrap().into(), 0.1, 2), (rounded, 0.15, 4)] {
        let centre = p.midpoint(q) + (m + n) * (off - depth);
        let contacts = found((&prism, Pose::IDENTITY), (&shape, Pose::from_parts(centre, turn)));
        for wall in [m, n] {
            let own: Vec<_> = contacts.iter().filter(|c| c.normal.distance(wall) < 1e-9).collect();
            assert_eq!(own.len(), count, "{} {contacts:?}", shape.kind());
            assert!(own.iter().all(|c| (c.gap + depth).abs() < 1e-12));
        }
        assert_eq!(contacts.len(), 2 * count);
    }
}

/// Deep in a solid that is not convex there is a contact that leads out.
#[test]
fn primitives_with_lines_never_lose_their_contacts_in_a_solid() {
    let prism: Shape = Shape::from_surface(&sample::l_prism(), &Default::default()).unwrap();
    let (low, high) = prism.bounds_at(&Pose::IDENTITY);
    let mut random = crate::split_mix::SplitMix::new(12);
    let mut inside = 0;
    for shape in with_lines() {
        for _ in 0..100 {
            let at = DVec3::from_array(std::array::from_fn(|i| random.next_between(low[i], high[i])));
            if prism.surface().unwrap().winding_number(at) == 0 {
                continue;
            }
            inside += 1;
            let contacts = found((&prism, Pose::IDENTITY), (&shape, Pose::from_parts(at, random.next_rotation())));
            assert!(contacts.iter().any(|c| c.gap < 0.0), "{} at {at}", shape.kind());
        }
    }
    assert!(inside > 100);
}
