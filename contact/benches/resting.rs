//! One box resting on another: the semi-local generator beside parry's manifold of convex polyhedra, both warm.
//!
//! ```text
//! cargo bench -p drystone-contact --bench resting
//! ```
//!
//! Both boxes are general polyhedra. Both sides keep between calls what they keep between steps: Drystone the features of
//! the last contacts, its scratch space and its list, parry its manifold. The poses run through a cycle of 64:
//!
//! | group | poses |
//! |---|---|
//! | `at-rest` | the upper box sways by a nanometre, exactly on the lower one |
//! | `at-rest-above`, `at-rest-below` | the same 0.1 mm higher and lower, where no gap changes its sign |
//! | `creeping` | by a micrometre |
//! | `sliding` | it slides by 2 mm a call, there and back |
//! | `tilting` | it rocks by half a millimetre on a metre |
//!
//! Before a group is timed the number of contacts of every call is checked: four on both sides.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use drystone_contact::generator::semi_local::SemiLocal;
use drystone_contact::generator::{Generator, Placed, Workspace};
use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_contact::{Contact, Feature, Pose, Twist};
use glam::{DQuat, DVec3};
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d_f64::shape::{ConvexPolyhedron, SharedShape};

/// Up to which distance both look for contacts, m.
const PREDICTION: f64 = 0.01;

fn cuboid(half: DVec3) -> Shape {
    let corner = |s: [f64; 3]| half * DVec3::from_array(s);
    let ring = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let vertices = [1.0, -1.0].iter().flat_map(|&z| ring.map(|[x, y]| corner([x, y, z]))).collect();
    let quads = [[0, 1, 2, 3], [4, 7, 6, 5], [4, 0, 3, 7], [1, 5, 6, 2], [7, 3, 2, 6], [5, 1, 0, 4]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let surface = Surface::new(vertices, triangles).expect("a box is closed");
    Shape::from_surface(&surface, &TetrahedralizationSettings::default()).expect("a box is convex")
}

fn polyhedron(shape: &Shape) -> SharedShape {
    let surface = shape.surface().unwrap();
    let polyhedron = ConvexPolyhedron::from_convex_mesh(surface.vertices().to_vec(), surface.triangles());
    SharedShape::new(polyhedron.expect("a box is convex"))
}

/// Offsets and turns of the upper box.
fn motions() -> [(&'static str, Vec<Pose>); 6] {
    let cycle = |pose: &dyn Fn(f64, f64) -> Pose| {
        (0..64).map(|i| pose((f64::from(i) * 0.7).sin(), f64::from(32 - (i - 32_i32).abs()))).collect()
    };
    [
        ("at-rest", cycle(&|sway, _| Pose::from_translation(1e-9 * DVec3::new(sway, sway, -sway)))),
        (
            "at-rest-above",
            cycle(&|sway, _| Pose::from_translation(1e-9 * DVec3::new(sway, sway, -sway) + 1e-4 * DVec3::Y)),
        ),
        (
            "at-rest-below",
            cycle(&|sway, _| Pose::from_translation(1e-9 * DVec3::new(sway, sway, -sway) - 1e-4 * DVec3::Y)),
        ),
        ("creeping", cycle(&|sway, _| Pose::from_translation(1e-6 * DVec3::new(sway, sway, -sway)))),
        ("sliding", cycle(&|_, way| Pose::from_translation(2e-3 * way * DVec3::X))),
        ("tilting", cycle(&|sway, _| Pose::from_parts(DVec3::ZERO, DQuat::from_rotation_z(5e-4 * sway)))),
    ]
}

fn resting(criterion: &mut Criterion) {
    let shapes = [cuboid(DVec3::new(1.0, 0.5, 1.0)), cuboid(DVec3::splat(0.5))];
    let lower = Pose::from_parts(DVec3::new(0.3, -0.2, 0.5), DQuat::from_rotation_y(0.3));
    let placed = |i: usize, pose: Pose| Placed { shape: &shapes[i], pose, twist: Twist::default() };
    for (name, motion) in motions() {
        let upper: Vec<Pose> =
            motion.iter().map(|m| lower * Pose::from_translation(DVec3::new(0.1, 1.0, 0.05)) * *m).collect();
        let mut group = criterion.benchmark_group(name);
        let generator = SemiLocal::default();
        let (mut workspace, mut contacts) = (Workspace::default(), Vec::<Contact>::new());
        let mut previous: Vec<(Feature, Feature)> = Vec::new();
        let mut ours = |pose: Pose| {
            contacts.clear();
            generator
                .contacts_into(&placed(0, lower), &placed(1, pose), &previous, &mut workspace, &mut contacts)
                .unwrap();
            previous.clear();
            previous.extend(contacts.iter().map(|c| (c.feature_a, c.feature_b)));
            contacts.len()
        };
        assert!(upper.iter().all(|&pose| ours(pose) == 4), "{name}: ours");
        let mut i = 0;
        group.bench_function("semi-local", |bencher| {
            bencher.iter(|| {
                i = (i + 1) % upper.len();
                black_box(ours(black_box(upper[i])))
            });
        });
        let [a, b] = shapes.each_ref().map(polyhedron);
        let mut manifolds: Vec<ContactManifold<(), ()>> = Vec::new();
        let mut workspace = None;
        let mut theirs = |pose: Pose| {
            let relative = lower.inv_mul(&pose);
            DefaultQueryDispatcher
                .contact_manifolds(&relative, a.as_ref(), b.as_ref(), PREDICTION, &mut manifolds, &mut workspace)
                .expect("parry supports these shapes");
            manifolds[0].points.len()
        };
        assert!(upper.iter().all(|&pose| theirs(pose) >= 4), "{name}: theirs");
        let mut i = 0;
        group.bench_function("parry-convex", |bencher| {
            bencher.iter(|| {
                i = (i + 1) % upper.len();
                black_box(theirs(black_box(upper[i])))
            });
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = resting
}
criterion_main!(benches);
