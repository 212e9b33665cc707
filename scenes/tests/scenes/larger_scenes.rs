//! The scenes whose size is a parameter: what is in them, and that nothing in them overlaps at the start.

use drystone_contact::generator::methods;
use std::sync::Arc;

use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::Model;
use drystone_scenes::detection::{Moment, detect};
use drystone_scenes::scene::{Scene, SceneBody};
use glam::DVec3;

fn scene(scene: BuiltIn, size: Option<f64>) -> Scene {
    scene.scene(Model::Procedural, size).unwrap()
}

/// All of them in a size whose pairs can be looked at one by one.
fn moderate() -> Vec<Scene> {
    [
        (BuiltIn::BoxStack, 10.0),
        (BuiltIn::Pyramid, 6.0),
        (BuiltIn::CardHouse, 4.0),
        (BuiltIn::Masonry, 2.0),
        (BuiltIn::Funnel, 130.0),
        (BuiltIn::Pile, 64.0),
        (BuiltIn::DropScene, 6.0),
    ]
    .map(|(name, size)| scene(name, Some(size)))
    .to_vec()
}

fn dynamic(scene: &Scene) -> Vec<&SceneBody> {
    scene.bodies.iter().filter(|b| b.body.is_dynamic()).collect()
}

#[test]
fn there_are_as_many_bodies_as_asked_for() {
    let cards = |n: usize| n * (n + 1) + n * (n - 1) / 2;
    let arches = |storeys: usize| storeys * 14 * 17 + (storeys - 1) * 14;
    let expected: [(BuiltIn, Option<f64>, usize); 10] = [
        (BuiltIn::BoxStack, None, 10),
        (BuiltIn::Pyramid, None, 55),
        (BuiltIn::Pyramid, Some(3.0), 6),
        (BuiltIn::CardHouse, None, cards(5)),
        (BuiltIn::CardHouse, Some(1.0), 2),
        (BuiltIn::Masonry, None, arches(3) + 1),
        (BuiltIn::Funnel, None, 2000),
        (BuiltIn::Funnel, Some(7.0), 7),
        (BuiltIn::Pile, None, 1000),
        (BuiltIn::Pile, Some(10_000.0), 10_000),
    ];
    for (name, size, bodies) in expected {
        let scene = scene(name, size);
        assert_eq!(dynamic(&scene).len(), bodies, "{name}");
        assert!(scene.bodies.iter().all(|b| b.body.is_dynamic() || b.body.is_fixed()));
        assert_eq!(scene.truth.pairs.is_empty(), !name.has_truth(), "{name}");
        let mut names: Vec<&str> = scene.bodies.iter().map(|b| b.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), scene.bodies.len(), "{name}: names are given once");
    }
}

#[test]
fn masses_are_volume_by_density() {
    let mass = |name: BuiltIn, body: &str| {
        let scene = scene(name, Some(2.0));
        scene.bodies.iter().find(|b| b.name == body).unwrap().body.mass()
    };
    let is = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} instead of {b}");
    is(mass(BuiltIn::BoxStack, "box 2"), 2000.0);
    is(mass(BuiltIn::CardHouse, "storey 1 flat 1"), 2000.0 * 2.0 * 1.4 * 0.1);
    is(mass(BuiltIn::Funnel, "jack 1"), 2000.0 * (3.0 * 0.9 * 0.18 * 0.18 - 2.0 * 0.18f64.powi(3)));
    is(mass(BuiltIn::Pile, "box 1"), 2000.0 * 0.125);
    let outer = 10.0 * (std::f64::consts::PI / 14.0).sin();
    is(mass(BuiltIn::Masonry, "storey 1 arch 3 left stone 5"), 2000.0 * 0.4 * outer * outer / 5.0 * 2.4);
    let ball = 7870.0 * 4.0 / 3.0 * std::f64::consts::PI * 2.5f64.powi(3);
    assert!((0.96..1.0).contains(&(mass(BuiltIn::Masonry, "ball") / ball)));
}

#[test]
fn equal_solids_are_one_shape_in_memory() {
    for scene in [scene(BuiltIn::Funnel, None), scene(BuiltIn::Pile, Some(10_000.0))] {
        let bodies = dynamic(&scene);
        assert!(bodies.iter().all(|b| Arc::ptr_eq(&b.shape, &bodies[0].shape)));
    }
}

#[test]
fn the_same_scene_comes_out_every_time() {
    for (one, other) in moderate().iter().zip(&moderate()) {
        let state = |b: &SceneBody| {
            let (p, q) = (b.body.position, b.body.orientation);
            [p.x, p.y, p.z, q.x, q.y, q.z, q.w].map(f64::to_bits)
        };
        assert!(one.bodies.iter().zip(&other.bodies).all(|(a, b)| state(a) == state(b)), "{}", one.name);
    }
    let turns = |scene: &Scene| scene.bodies.iter().map(|b| b.body.orientation.to_array()).collect::<Vec<_>>();
    assert_ne!(turns(&scene(BuiltIn::Pile, Some(64.0)))[1], turns(&scene(BuiltIn::Pile, Some(64.0)))[2]);
}

/// No contact is deeper than a micrometre before anything has moved.
#[test]
fn no_method_finds_depth_at_the_start() {
    for scene in moderate() {
        for method in [methods::most_opposing(), methods::volume_sat()] {
            let contacts = detect(&scene, &method, Moment::Start).unwrap().contacts;
            let deepest = contacts.iter().min_by(|a, b| a.contact.gap.total_cmp(&b.contact.gap));
            if let Some(c) = deepest {
                let names = [c.a, c.b].map(|id| scene.bodies[id.index()].name.as_str());
                assert!(c.contact.gap > -1e-6, "{}, {method}: {names:?} {:e} m", scene.name, c.contact.gap);
            }
            let stands = ["box-stack", "pyramid", "card-house", "masonry"].contains(&scene.name.as_str());
            assert_eq!(contacts.is_empty(), !stands, "{}, {method}", scene.name);
        }
    }
}

/// By an independent way: two convex bodies have an axis along which they do not overlap by more than rounding.
#[test]
fn convex_bodies_are_separated_at_the_start() {
    for scene in moderate() {
        let hulls: Vec<Option<Hull>> = scene.bodies.iter().map(Hull::of).collect();
        for (i, a) in hulls.iter().enumerate() {
            for (j, b) in hulls.iter().enumerate().skip(i + 1) {
                let (Some(a), Some(b)) = (a, b) else { continue };
                if a.centre.distance(b.centre) > a.radius + b.radius {
                    continue;
                }
                let overlap = a.axes(b).map(|axis| overlap(a, b, axis)).fold(f64::INFINITY, f64::min);
                let names = [i, j].map(|k| scene.bodies[k].name.as_str());
                assert!(overlap < 1e-9, "{}: {names:?} overlap by {overlap:e} m", scene.name);
            }
        }
    }
}

/// A convex body in the world.
struct Hull {
    vertices: Vec<DVec3>,
    normals: Vec<DVec3>,
    edges: Vec<DVec3>,
    centre: DVec3,
    radius: f64,
}

impl Hull {
    fn of(body: &SceneBody) -> Option<Hull> {
        let (surface, pose) = (body.shape.surface().unwrap(), body.body.pose());
        if !surface.is_convex() {
            return None;
        }
        let vertices: Vec<DVec3> = surface.vertices().iter().map(|&v| pose.transform_point(v)).collect();
        let direction = |[i, j]: [u32; 2]| (vertices[j as usize] - vertices[i as usize]).normalize();
        let edges = surface.edges().iter().map(|e| direction(e.vertices)).collect();
        let normals = surface.normals().iter().map(|n| pose.rotation * *n).collect();
        let radius = vertices.iter().map(|v| v.distance(body.body.position)).fold(0.0, f64::max);
        Some(Hull { normals, edges, centre: body.body.position, radius, vertices })
    }

    fn axes<'a>(&'a self, other: &'a Hull) -> impl Iterator<Item = DVec3> + 'a {
        let crosses = self.edges.iter().flat_map(|e| other.edges.iter().map(|f| e.cross(*f)));
        let crosses = crosses.filter(|axis| axis.length() > 1e-6).map(DVec3::normalize);
        self.normals.iter().chain(&other.normals).copied().chain(crosses)
    }

    fn extent(&self, axis: DVec3) -> (f64, f64) {
        let heights = self.vertices.iter().map(|v| v.dot(axis));
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)))
    }
}

fn overlap(a: &Hull, b: &Hull, axis: DVec3) -> f64 {
    let ((low_a, high_a), (low_b, high_b)) = (a.extent(axis), b.extent(axis));
    (high_a - low_b).min(high_b - low_a)
}

/// What is built to stand stands for a tenth of a second, with a method that finds its contacts.
#[test]
fn buildings_stand() {
    let buildings = [
        (BuiltIn::BoxStack, 10.0, methods::most_opposing()),
        (BuiltIn::Pyramid, 4.0, methods::most_opposing()),
        (BuiltIn::CardHouse, 2.0, methods::consistent_vertex()),
    ];
    for (name, size, method) in buildings {
        let scene = scene(name, Some(size));
        let poses = detect(&scene, &method, Moment::Step(10)).unwrap().poses;
        for (body, pose) in scene.bodies.iter().zip(poses) {
            let way = pose.translation.distance(body.body.position);
            assert!(way < 1e-3, "{name}, {method}: {} moved by {way:e} m", body.name);
        }
    }
}
