//! The time of one call of each contact generator, with parry3d-f64 beside it on the same solids at the same poses.
//!
//! ```text
//! cargo bench -p drystone-contact --bench generators                      # all, about two minutes
//! cargo bench -p drystone-contact --bench generators -- --quick           # rough figures, some seconds
//! cargo bench -p drystone-contact --bench generators -- thousand/         # one group
//! cargo bench -p drystone-contact --bench generators -- volume-sat        # one method in all groups
//! ```
//!
//! A name is group/method; within a group all times are of the same two solids, so that they divide.
//!
//! | group | A and B |
//! |---|---|
//! | `tetrahedron-pair` | two tetrahedra, a face of one sunk a little into a face of the other |
//! | `thousand` | two spheres of 968 tetrahedra each: a small patch of contact |
//! | `thousand-flat` | two cubes of 972 tetrahedra each, one on the other: contact over a whole side |
//!
//! The methods of Drystone run in the variant `corrected`; `closest-points` sees the eroded shapes, as it must. The
//! peers are parry's contact manifolds of the same solids:
//!
//! - `parry-convex`: each solid one `ConvexPolyhedron`. It knows that the solids are convex, Drystone does not.
//! - `parry-compound`: each solid a `Compound` with a `ConvexPolyhedron` for every tetrahedron, which is as much as
//!   Drystone knows.
//!
//! Every call starts afresh: Drystone's generators have no memory, and parry gets neither the manifolds nor the
//! workspace of the call before. Drystone's time includes placing the vertices and fitting the bounding volumes in
//! the world; the boxes of a `Compound` are fitted in its own frame and made beforehand. Before a group is timed, its
//! numbers of contacts are printed: methods that report more do more. No call may come back without contacts.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use drystone_contact::generator::{Placed, TOUCHING, methods};
use drystone_contact::shape::{Shape, Surface, TetrahedralMesh, TetrahedralizationSettings};
use drystone_contact::{Pose, Twist};
use glam::{DQuat, DVec3};
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d_f64::shape::SharedShape;

/// A point on the surface of a lattice solid, in steps from its centre.
type Step = [i32; 3];

/// Makes parry's shape of a solid.
type Conversion = fn(&Shape) -> SharedShape;

/// Two solids in contact.
struct Scene {
    name: &'static str,
    shapes: [Shape; 2],
    poses: [Pose; 2],
}

/// A regular tetrahedron with edges of √8 m and its face 3 in the plane y = 0, below the rest of it.
fn tetrahedron() -> Shape {
    let (base, height) = (8f64.sqrt() / 3f64.sqrt(), 4.0 / 3f64.sqrt());
    let corner = |turn: f64| DQuat::from_rotation_y(turn.to_radians()) * DVec3::X * base;
    let vertices = vec![corner(0.0), corner(120.0), corner(240.0), DVec3::Y * height];
    Shape::from_mesh(TetrahedralMesh::new(vertices, vec![[0, 1, 2, 3]]).expect("a tetrahedron is a mesh"))
}

/// The solid around the origin whose triangles have lattice points as corners, each brought to its place by `place`.
fn solid(triangles: &[[Step; 3]], place: impl Fn(DVec3) -> DVec3) -> Shape {
    let point = |[x, y, z]: Step| DVec3::new(x.into(), y.into(), z.into());
    let mut numbers = BTreeMap::new();
    let mut vertices = Vec::new();
    let mut number = |step: Step| {
        *numbers.entry(step).or_insert_with(|| {
            vertices.push(place(point(step)));
            vertices.len() as u32 - 1
        })
    };
    let outward = |&[a, b, c]: &[Step; 3]| {
        if point(a).cross(point(b)).dot(point(c)) > 0.0 { [a, b, c] } else { [a, c, b] }
    };
    let triangles = triangles.iter().map(outward).map(|corners| corners.map(&mut number)).collect();
    let surface = Surface::new(vertices, triangles).expect("the surface is closed");
    Shape::from_surface(&surface, &TetrahedralizationSettings::default()).expect("the solid is star-shaped")
}

/// A sphere of radius 1 m from an octahedron with sides in n parts: 8 n² tetrahedra.
fn sphere(n: i32) -> Shape {
    let mut triangles = Vec::new();
    for octant in 0..8 {
        let sign = |bit: i32| if octant & bit == 0 { 1 } else { -1 };
        let step = |i: i32, j: i32| [sign(1) * i, sign(2) * j, sign(4) * (n - i - j)];
        for i in 0..n {
            for j in 0..n - i {
                triangles.push([step(i, j), step(i + 1, j), step(i, j + 1)]);
                if i + j + 1 < n {
                    triangles.push([step(i + 1, j), step(i + 1, j + 1), step(i, j + 1)]);
                }
            }
        }
    }
    solid(&triangles, DVec3::normalize)
}

/// A cube of side 1 m with edges in n parts: 12 n² tetrahedra.
fn cube(n: i32) -> Shape {
    let mut triangles = Vec::new();
    for axis in 0..3 {
        for side in [-n, n] {
            let step = |i: i32, j: i32| {
                let mut step = [side; 3];
                (step[(axis + 1) % 3], step[(axis + 2) % 3]) = (2 * i - n, 2 * j - n);
                step
            };
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                triangles.push([step(i, j), step(i + 1, j), step(i + 1, j + 1)]);
                triangles.push([step(i, j), step(i + 1, j + 1), step(i, j + 1)]);
            }
        }
    }
    solid(&triangles, |step| step / f64::from(2 * n))
}

fn scenes() -> [Scene; 3] {
    let turned = |x: f64, y: f64, z: f64| DQuat::from_scaled_axis(DVec3::new(x, y, z));
    let stance = Pose::from_parts(DVec3::new(0.3, -0.2, 0.5), turned(0.4, -0.7, 1.1));
    let on_its_head = Pose::from_parts(DVec3::new(0.3, 0.02, 0.2), turned(std::f64::consts::PI, 0.0, 0.0));
    let upright = Pose::from_parts(DVec3::ZERO, turned(0.0, 0.5, 0.0));
    [
        Scene {
            name: "tetrahedron-pair",
            shapes: [tetrahedron(), tetrahedron()],
            poses: [stance, stance * on_its_head],
        },
        Scene {
            name: "thousand",
            shapes: [sphere(11), sphere(11)],
            poses: [stance, stance * Pose::from_parts(DVec3::new(0.6, 1.5, 1.14), turned(0.2, 0.9, -0.3))],
        },
        Scene {
            name: "thousand-flat",
            shapes: [cube(9), cube(9)],
            poses: [upright, Pose::from_parts(DVec3::new(0.07, 0.999, 0.11), turned(0.0, 0.9, 0.0))],
        },
    ]
}

/// The solid as one convex polyhedron.
fn parry_convex(shape: &Shape) -> SharedShape {
    let surface = shape.surface().unwrap();
    SharedShape::convex_mesh(surface.vertices().to_vec(), surface.triangles()).expect("the solid is convex")
}

/// The solid as a compound of its tetrahedra.
fn parry_compound(shape: &Shape) -> SharedShape {
    const FACES: [[u32; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
    let mesh = shape.as_polyhedron().unwrap().mesh().unwrap();
    let part = |corners: &[u32; 4]| {
        let points = corners.map(|v| mesh.vertices()[v as usize]).to_vec();
        (Pose::IDENTITY, SharedShape::convex_mesh(points, &FACES).expect("a tetrahedron is convex"))
    };
    SharedShape::compound(mesh.tetrahedra().iter().map(part).collect())
}

/// The manifolds of two shapes, without anything remembered.
fn manifolds([a, b]: &[SharedShape; 2], [pose_a, pose_b]: &[Pose; 2]) -> Vec<ContactManifold<(), ()>> {
    let mut manifolds = Vec::new();
    let b_in_a = pose_a.inv_mul(pose_b);
    DefaultQueryDispatcher
        .contact_manifolds(&b_in_a, a.as_ref(), b.as_ref(), TOUCHING, &mut manifolds, &mut None)
        .expect("parry supports these shapes");
    manifolds
}

fn generators(criterion: &mut Criterion) {
    for Scene { name, shapes, poses } in scenes() {
        let mut group = criterion.benchmark_group(name);
        let report = |method: &str, contacts: usize| {
            assert!(contacts > 0, "{name}/{method} finds no contacts: its time would mean nothing");
            println!("{name}/{method} finds {contacts} contacts");
        };
        // Of the peers, what parry itself does is timed below.
        for method in methods::all().into_iter().filter(|method| !methods::peers().contains(method)) {
            let [a, b] = [0, 1].map(|i| Placed { shape: &shapes[i], pose: poses[i], twist: Twist::default() });
            let generator = method.generator();
            shapes.iter().for_each(|shape| generator.prepare(shape).expect("the method takes the shape"));
            report(method.name(), generator.contacts(&a, &b).unwrap().len());
            group.bench_function(method.name(), |bencher| {
                bencher.iter(|| generator.contacts(black_box(&a), black_box(&b)));
            });
        }
        let peers: [(&str, Conversion); 2] = [("parry-convex", parry_convex), ("parry-compound", parry_compound)];
        for (peer, convert) in peers {
            let shapes = shapes.each_ref().map(convert);
            report(peer, manifolds(&shapes, &poses).iter().map(|manifold| manifold.points.len()).sum());
            group.bench_function(peer, |bencher| bencher.iter(|| manifolds(black_box(&shapes), black_box(&poses))));
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = generators
}
criterion_main!(benches);
