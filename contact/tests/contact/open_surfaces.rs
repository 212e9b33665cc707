//! Height fields and triangle meshes against brute force, and under exchange and rigid motion.

use drystone_contact::generator::semi_local::SemiLocal;
use drystone_contact::generator::{Generator, Placed};
use drystone_contact::shape::{
    Ball, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, HeightField, MeshSides, RoundedBox, Shape, Surface,
    TetrahedralizationSettings, TriangleMesh,
};
use drystone_contact::{Contact, Pose, Twist};
use glam::{DQuat, DVec3};

use super::semi_local::random::Random;

fn cuboid(sides: DVec3) -> Shape {
    let corner =
        |i: u32| (DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) - DVec3::splat(0.5)) * sides;
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let surface = Surface::new((0..8).map(corner).collect(), triangles).unwrap();
    Shape::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap()
}

fn contacts(a: (&Shape, Pose), b: (&Shape, Pose)) -> Vec<Contact> {
    let placed = |(shape, pose)| Placed { shape, pose, twist: Twist::default() };
    SemiLocal::default().contacts(&placed(a), &placed(b)).unwrap()
}

/// A hilly field, as it is and as a mesh with one side and with two.
fn surfaces(random: &mut Random) -> [Shape; 3] {
    let waves: Vec<[f64; 4]> = (0..3).map(|_| [0; 4].map(|_| random.share())).collect();
    let height = |x: f64, z: f64| {
        waves.iter().map(|[p, q, r, s]| 0.15 * s * libm::sin(4.0 * p * x + 4.0 * q * z + 6.0 * r)).sum()
    };
    let field = HeightField::from_fn(12, 14, [0.31, 0.27], height).unwrap();
    let drawn = Shape::from(field.clone()).triangles();
    let mesh = |sides| Shape::from(TriangleMesh::new(&drawn.vertices, &drawn.triangles, sides).unwrap());
    [field.into(), mesh(MeshSides::Front), mesh(MeshSides::Both)]
}

fn shapes() -> [Shape; 3] {
    [
        Ball::new(0.3).unwrap().into(),
        Ellipsoid::new(DVec3::new(0.2, 0.3, 0.4)).unwrap().into(),
        cuboid(DVec3::new(0.5, 0.3, 0.4)),
    ]
}

/// The least distance of a shape from triangles that it does not meet, by alternating projections from many starts: a search of its own.
fn distance(drawn: &[[DVec3; 3]], shape: &Shape, pose: &Pose) -> f64 {
    let points: Vec<DVec3> = match shape {
        // Against a ball only its middle counts.
        Shape::Primitive(primitive) if primitive.kind() == Ball::KIND => vec![DVec3::ZERO],
        _ => shape.triangles().vertices,
    };
    let radius = if points.len() == 1 { shape.thickness() } else { 0.0 };
    let mut least = f64::INFINITY;
    let body: Vec<[DVec3; 3]> = match points.len() {
        1 => vec![[pose.translation; 3]],
        _ => {
            let triangles = shape.triangles();
            let at = |v: u32| pose.transform_point(triangles.vertices[v as usize]);
            triangles.triangles.iter().map(|t| t.map(at)).collect()
        }
    };
    for own in drawn {
        for other in &body {
            least = least.min(between(own, other));
        }
    }
    least - radius
}

/// The distance of two triangles that do not cross: of corners from triangles and of sides from sides.
fn between(own: &[DVec3; 3], other: &[DVec3; 3]) -> f64 {
    let mut least = f64::INFINITY;
    for k in 0..3 {
        least = least.min(to_triangle(own[k], other)).min(to_triangle(other[k], own));
        for j in 0..3 {
            least = least.min(segments([own[k], own[(k + 1) % 3]], [other[j], other[(j + 1) % 3]]));
        }
    }
    least
}

fn to_triangle(p: DVec3, t: &[DVec3; 3]) -> f64 {
    let normal = (t[1] - t[0]).cross(t[2] - t[0]);
    let is_over = (0..3).all(|k| normal.cross(t[(k + 1) % 3] - t[k]).dot(p - t[k]) >= 0.0);
    if normal.length() > 0.0 && is_over {
        return (normal.normalize().dot(p - t[0])).abs();
    }
    (0..3).map(|k| segments([p, p], [t[k], t[(k + 1) % 3]])).fold(f64::INFINITY, f64::min)
}

/// By projecting from one to the other until nothing changes.
fn segments([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> f64 {
    let project = |x: DVec3, a: DVec3, b: DVec3| {
        let along = b - a;
        let t = (x - a).dot(along) / along.length_squared();
        a + along * if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 }
    };
    let mut x = p.midpoint(q);
    let mut y = project(x, r, s);
    for _ in 0..200 {
        let next = project(y, p, q);
        if next == x {
            break;
        }
        x = next;
        y = project(x, r, s);
    }
    x.distance(y)
}

/// The shape over a place, turned, lowered until it is as near to the surface as a gap, by brute force.
fn lowered(drawn: &[[DVec3; 3]], shape: &Shape, random: &mut Random, gap: f64) -> Pose {
    let place = DVec3::new(1.0 + 2.0 * random.share(), 1.5, 0.8 + 1.5 * random.share());
    let mut pose = Pose::from_parts(place, random.rotation());
    let near: Vec<[DVec3; 3]> = drawn.iter().copied().filter(|t| (t[0] - place).with_y(0.0).length() < 1.2).collect();
    for _ in 0..200 {
        let way = distance(&near, shape, &pose) - gap;
        pose.translation.y -= way;
        if way.abs() < 1e-12 {
            break;
        }
    }
    pose
}

#[test]
fn the_least_gap_is_that_of_brute_force() {
    let mut random = Random::new(7);
    for _ in 0..super::cases(40) {
        for surface in surfaces(&mut random) {
            let triangles = surface.triangles();
            let drawn: Vec<_> = triangles.triangles.iter().map(|t| t.map(|v| triangles.vertices[v as usize])).collect();
            for shape in [&shapes()[0], &shapes()[2]] {
                let wanted = 0.004 * shape.thickness();
                let pose = lowered(&drawn, shape, &mut random, wanted);
                let exact = distance(&drawn, shape, &pose);
                let found = contacts((&surface, Pose::IDENTITY), (shape, pose));
                let least = found.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
                let what = (surface.kind(), shape.kind());
                assert!((least - exact).abs() < 1e-5 * shape.thickness(), "{what:?}: {least} is not {exact}");
                assert!(found.iter().all(|c| (c.normal.length() - 1.0).abs() < 1e-12), "{what:?}");
            }
        }
    }
}

fn same(found: &[Contact], other: &[Contact], map: impl Fn(&Contact) -> (DVec3, DVec3), what: &str) {
    assert_eq!(found.len(), other.len(), "{what}");
    for contact in found {
        let (position, normal) = map(contact);
        let is_it = |c: &&Contact| {
            c.position.distance(position) < 1e-9
                && c.normal.distance(normal) < 1e-9
                && (c.gap - contact.gap).abs() < 1e-9
        };
        assert!(other.iter().any(|c| is_it(&c)), "{what}: {contact:?} is not among {other:?}");
    }
}

#[test]
fn exchange_and_rigid_motion_change_nothing_else() {
    let mut random = Random::new(11);
    let mut count = 0;
    for _ in 0..super::cases(40) {
        for surface in surfaces(&mut random) {
            for shape in shapes() {
                let place = DVec3::new(3.5 * random.share(), 1.0, 3.0 * random.share());
                let mut pose = Pose::from_parts(place, random.rotation());
                // Down until it touches.
                while pose.translation.y > -0.6 && contacts((&surface, Pose::IDENTITY), (&shape, pose)).is_empty() {
                    pose.translation.y -= 0.008 * shape.thickness();
                }
                let found = contacts((&surface, Pose::IDENTITY), (&shape, pose));
                // What is deeper than features tell is pushed out, by a plane that rounding may choose.
                if found.iter().any(|c| c.gap < -0.1 * shape.thickness()) {
                    continue;
                }
                count += found.len();
                let swapped = contacts((&shape, pose), (&surface, Pose::IDENTITY));
                let what = format!("{} and {} at {pose:?}", surface.kind(), shape.kind());
                same(&found, &swapped, |c| (c.position, -c.normal), &what);
                let by = Pose::from_parts(DVec3::new(3.0, -7.0, 2.0), random.rotation());
                let moved = contacts((&surface, by), (&shape, by * pose));
                same(&found, &moved, |c| (by.transform_point(c.position), by.rotation * c.normal), &what);
            }
        }
    }
    println!("{count} contacts");
    assert!(count > 50);
}

#[test]
fn a_body_behind_is_pushed_out_in_front() {
    let flat = HeightField::from_fn(20, 20, [0.2, 0.2], |_, _| 0.0).unwrap();
    let drawn = Shape::from(flat.clone()).triangles();
    let mesh = |sides| Shape::from(TriangleMesh::new(&drawn.vertices, &drawn.triangles, sides).unwrap());
    let at = |y: f64| Pose::from_parts(DVec3::new(2.0, y, 1.9), DQuat::from_rotation_y(0.3));
    for shape in shapes() {
        // Under a height field all is solid.
        for depth in [0.05, 0.3, 0.7] {
            let found = contacts((&flat.clone().into(), Pose::IDENTITY), (&shape, at(-depth)));
            assert!(!found.is_empty() && found.iter().all(|c| c.normal.distance(DVec3::Y) < 1e-9 && c.gap < -depth));
        }
        // A mesh pushes to its front what reaches through, and lets go what has left it behind.
        let found = contacts((&mesh(MeshSides::Front), Pose::IDENTITY), (&shape, at(-0.05)));
        assert!(!found.is_empty() && found.iter().all(|c| c.normal.distance(DVec3::Y) < 1e-9), "{found:?}");
        assert!(contacts((&mesh(MeshSides::Front), Pose::IDENTITY), (&shape, at(-0.7))).is_empty());
        // A sheet pushes to the side of the middle.
        let found = contacts((&mesh(MeshSides::Both), Pose::IDENTITY), (&shape, at(-0.05)));
        assert!(!found.is_empty() && found.iter().all(|c| c.normal.distance(DVec3::NEG_Y) < 1e-9), "{found:?}");
    }
}

#[test]
fn the_border_and_a_ridge_hold_what_lies_across_them() {
    // A step down in the middle would be a cliff: here a roof.
    let roof: Shape = HeightField::from_fn(3, 3, [1.0, 1.0], |x, _| -(x - 1.0).abs()).unwrap().into();
    let plank = cuboid(DVec3::new(1.0, 0.1, 0.4));
    let found = contacts((&roof, Pose::IDENTITY), (&plank, Pose::from_translation(DVec3::new(1.0, 0.05, 1.1))));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|c| c.normal.distance(DVec3::Y) < 1e-12 && c.gap.abs() < 1e-12), "{found:?}");
    // Over the border of a table.
    let table: Shape = HeightField::from_fn(3, 3, [1.0, 1.0], |_, _| 0.0).unwrap().into();
    let found = contacts((&table, Pose::IDENTITY), (&plank, Pose::from_translation(DVec3::new(1.9, 0.05, 1.1))));
    let mut x: Vec<f64> = found.iter().map(|c| c.position.x).collect();
    x.sort_by(f64::total_cmp);
    assert_eq!(x.len(), 4, "{found:?}");
    assert!([1.4, 1.4, 2.0, 2.0].iter().zip(&x).all(|(p, q)| (p - q).abs() < 1e-12), "{x:?}");
}

#[test]
fn level_ground_is_a_half_space_to_every_primitive() {
    let primitives: [Shape; 6] = [
        Ball::new(0.3).unwrap().into(),
        Ellipsoid::new(DVec3::new(0.2, 0.3, 0.4)).unwrap().into(),
        Capsule::new(0.1, 0.3).unwrap().into(),
        Cylinder::new(0.2, 0.3).unwrap().into(),
        Cone::new(0.25, 0.6).unwrap().into(),
        RoundedBox::new(DVec3::new(0.2, 0.1, 0.3), 0.05).unwrap().into(),
    ];
    let field = HeightField::from_fn(20, 20, [0.113, 0.097], |_, _| 0.0).unwrap();
    let drawn = Shape::from(field.clone()).triangles();
    let mesh = TriangleMesh::new(&drawn.vertices, &drawn.triangles, MeshSides::Both).unwrap();
    let (level, surfaces): (Shape, [Shape; 2]) = (HalfSpace.into(), [field.into(), mesh.into()]);
    let mut random = Random::new(41);
    let half_turn = std::f64::consts::FRAC_PI_2;
    for primitive in &primitives {
        for k in 0..40 {
            // Upright, on its side, upside down, and anyhow.
            let turn = match k {
                0..3 => DQuat::from_rotation_y(0.3) * DQuat::from_rotation_x(half_turn * f64::from(k)),
                _ => DQuat::from_xyzw(random.share(), random.share(), random.share(), random.share()).normalize(),
            };
            let place = DVec3::new(1.0 + 0.3 * random.share(), 0.0, 1.0 + 0.3 * random.share());
            let lowest = primitive.bounds_at(&Pose::from_parts(DVec3::ZERO, turn)).0.y;
            let gap = if k % 2 == 0 { 1e-5 } else { -1e-3 };
            let pose = Pose::from_parts(place + DVec3::Y * (gap - lowest), turn);
            let expected = contacts((&level, Pose::IDENTITY), (primitive, pose));
            assert!(!expected.is_empty());
            for surface in &surfaces {
                let found = contacts((surface, Pose::IDENTITY), (primitive, pose));
                let is_among = |contact: &Contact, others: &[Contact]| {
                    let is_same = |other: &Contact| {
                        (contact.position - other.position).length() < 2e-6
                            && (contact.gap - other.gap).abs() < 1e-9
                            && contact.normal.distance(other.normal) < 1e-9
                    };
                    others.iter().any(is_same)
                };
                assert!(
                    found.iter().all(|contact| is_among(contact, &expected)),
                    "{} {k} {found:#?}",
                    primitive.kind()
                );
                assert!(
                    expected.iter().all(|contact| is_among(contact, &found)),
                    "{} {k} {expected:#?} {found:#?}",
                    primitive.kind()
                );
            }
        }
    }
}
