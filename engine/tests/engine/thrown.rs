//! Random solids that are not convex, thrown at each other, or put into each other by 30 % of their thickness: never
//! without a contact while they overlap, and never through. What overlaps is measured by surfaces.

use drystone_contact::overlap;
use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_engine::{Friction, Interaction, Pose, Solid, World, WorldReport, WorldSettings};
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use std::sync::Arc;

/// An overlap that is less than this share of the thickness needs no contact.
const SLOP: f64 = 0.02;

/// Solids that were thrown are no deeper in each other than this share of the thickness at any time.
const THROWN: f64 = 0.1;

/// A prism on a star: `radii` (m) to its corners, one after the other at equal angles, and its half height (m).
fn star(radii: &[f64], half_height: f64) -> Shape {
    let n = radii.len() as u32;
    let corner = |k: usize| {
        let (sine, cosine) = (std::f64::consts::TAU * k as f64 / radii.len() as f64).sin_cos();
        DVec3::new(radii[k] * cosine, 0.0, radii[k] * sine)
    };
    let ring = |y: f64| (0..radii.len()).map(move |k| corner(k) + DVec3::Y * y);
    let mut vertices: Vec<DVec3> = ring(half_height).chain(ring(-half_height)).collect();
    vertices.extend([DVec3::Y * half_height, DVec3::NEG_Y * half_height]);
    let triangles = (0..n).flat_map(|k| {
        let next = (k + 1) % n;
        [[2 * n, next, k], [2 * n + 1, n + k, n + next], [k, next, n + next], [k, n + next, n + k]]
    });
    let surface = Surface::new(vertices, triangles.collect()).unwrap();
    Shape::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap()
}

/// Numbers from 0 to 1.
type Numbers = [f64; 12];

fn solid(numbers: &Numbers) -> Solid {
    let corners = 2 * (3 + (3.0 * numbers[0]) as usize);
    let outer = 0.2 + 0.3 * numbers[1];
    let inner = outer * (0.35 + 0.3 * numbers[2]);
    let radii: Vec<f64> = (0..corners).map(|k| if k.is_multiple_of(2) { outer } else { inner }).collect();
    Solid::new(&star(&radii, 0.05 + 0.15 * numbers[3]), 1000.0).unwrap()
}

fn vector(numbers: &Numbers, first: usize) -> DVec3 {
    DVec3::new(numbers[first], numbers[first + 1], numbers[first + 2]) * 2.0 - DVec3::ONE
}

/// Two solids and what they are thrown with, without gravity and restitution.
struct Throw {
    world: World,
    shapes: [Arc<Shape>; 2],
    thickness: f64,
}

impl Throw {
    fn new(solids: [&Solid; 2], poses: [Pose; 2], twists: [[DVec3; 2]; 2]) -> Self {
        let mut world = World::default();
        world.settings_mut().step.forces.gravity = DVec3::ZERO;
        let stuff = world.materials_mut().add("stuff").unwrap();
        world.materials_mut().set(stuff, stuff, Interaction::dry(Friction::sliding(0.3))).unwrap();
        for ((solid, pose), [velocity, spin]) in solids.into_iter().zip(poses).zip(twists) {
            let handle = world.add(solid.dynamic(stuff, pose).unwrap()).unwrap();
            let body = world.body_mut(handle).unwrap();
            (body.velocity, body.angular_velocity) = (velocity, spin);
        }
        let shapes: Vec<Arc<Shape>> = world.shapes().cloned().collect();
        let thickness = shapes[0].thickness().min(shapes[1].thickness());
        Self { shapes: [shapes[0].clone(), shapes[1].clone()], world, thickness }
    }

    /// The depth of the overlap at these poses, by the thickness.
    fn depth(&self, poses: &[Pose]) -> f64 {
        let relative = poses[0].inverse() * poses[1];
        overlap::depth(&self.shapes[0], &self.shapes[1], &relative).unwrap() / self.thickness
    }

    fn poses(&self) -> Vec<Pose> {
        self.world.bodies().iter().map(|body| body.pose()).collect()
    }

    /// Makes a step; the largest depth on the way, looked at where a point moves by a tenth of the thickness.
    fn step(&mut self) -> (WorldReport, f64) {
        let before = self.poses();
        let report = self.world.step().unwrap();
        let after = self.poses();
        let mut largest: f64 = 0.0;
        for [from, to] in [[&before, &report.poses], [&report.poses, &after]] {
            let way = |k: usize| {
                let turn = from[k].rotation.angle_between(to[k].rotation) * self.shapes[k].radius();
                from[k].translation.distance(to[k].translation) + turn
            };
            let parts = ((way(0) + way(1)) / (0.1 * self.thickness)).ceil().max(1.0);
            for part in 1..=parts as usize {
                let s = part as f64 / parts;
                let at = |k: usize| {
                    let rotation = from[k].rotation.slerp(to[k].rotation, s);
                    Pose::from_parts(from[k].translation.lerp(to[k].translation, s), rotation)
                };
                largest = largest.max(self.depth(&[at(0), at(1)]));
            }
        }
        (report, largest)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn thrown_solids_do_not_pass_through_each_other(
        a in prop::array::uniform12(0.0..1.0f64),
        b in prop::array::uniform12(0.0..1.0f64),
        speed in 1.0..30.0f64,
    ) {
        let solids = [solid(&a), solid(&b)];
        let turned = |n: &Numbers, place: DVec3| Pose::from_parts(place, DQuat::from_scaled_axis(3.0 * vector(n, 4)));
        let side = DVec3::new(0.0, 0.3 * (a[10] - 0.5), 0.3 * (b[10] - 0.5));
        let poses = [turned(&a, DVec3::NEG_X), turned(&b, DVec3::X + side)];
        let twists = [[DVec3::X * speed, 10.0 * vector(&a, 7)], [DVec3::NEG_X * speed, 10.0 * vector(&b, 7)]];
        let mut throw = Throw::new([&solids[0], &solids[1]], poses, twists);
        for _ in 0..20 {
            let (report, largest) = throw.step();
            prop_assert!(largest < THROWN, "{largest} of the thickness in step {}", report.step);
            prop_assert!(!report.contacts.is_empty() || throw.depth(&report.poses) < SLOP);
        }
    }

    #[test]
    fn solids_that_start_deep_have_contacts_and_part(
        a in prop::array::uniform12(0.0..1.0f64),
        b in prop::array::uniform12(0.0..1.0f64),
    ) {
        let solids = [solid(&a), solid(&b)];
        let turn = DQuat::from_scaled_axis(3.0 * vector(&b, 4));
        let way = (vector(&a, 4) + DVec3::splat(1e-3)).normalize();
        let still = [[DVec3::ZERO; 2]; 2];
        let at = |distance: f64| [Pose::IDENTITY, Pose::from_parts(way * distance, turn)];
        let mut throw = Throw::new([&solids[0], &solids[1]], at(0.0), still);
        // From apart as near as 30 % of the thickness.
        let distance = (0..400).map(|k| 1.2 - 3e-3 * f64::from(k)).find(|&d| throw.depth(&at(d)) > 0.3).unwrap_or(0.0);
        throw = Throw::new([&solids[0], &solids[1]], at(distance), still);
        // Contacts that oppose each other hold some pairs of this kind together by the soft step.
        throw.world.settings_mut().step.contact_solver = WorldSettings::gauss_seidel().step.contact_solver;
        for _ in 0..100 {
            let (report, _) = throw.step();
            let depth = throw.depth(&report.poses);
            prop_assert!(!report.contacts.is_empty() || depth < SLOP, "{depth} of the thickness without contacts");
        }
        let depth = throw.depth(&throw.poses());
        prop_assert!(depth < SLOP, "{depth} of the thickness at the end");
    }
}

/// Twelve solids thrown at each other over a floor, at 20 m/s.
fn cloud() -> World {
    let mut world = World::default();
    let stuff = world.materials_mut().add("stuff").unwrap();
    world
        .materials_mut()
        .set(stuff, stuff, Interaction { friction: Friction::sliding(0.3), restitution: 0.2 })
        .unwrap();
    let floor = Solid::cuboid(DVec3::new(20.0, 1.0, 20.0), 1000.0).unwrap();
    world.add(floor.fixed(stuff, Pose::from_translation(DVec3::NEG_Y * 2.0)).unwrap()).unwrap();
    for k in 0..12 {
        let numbers: Numbers = std::array::from_fn(|i| (f64::from(k) * 0.618 + i as f64 * 0.737).fract());
        let place = DVec3::new(f64::from(k % 3) - 1.0, f64::from(k / 9), f64::from(k / 3 % 3) - 1.0) * 1.3;
        let pose = Pose::from_parts(place, DQuat::from_scaled_axis(vector(&numbers, 4)));
        let handle = world.add(solid(&numbers).dynamic(stuff, pose).unwrap()).unwrap();
        let body = world.body_mut(handle).unwrap();
        (body.velocity, body.angular_velocity) = (-place.normalize_or(DVec3::Y) * 20.0, 10.0 * vector(&numbers, 7));
    }
    world
}

/// The bodies after 20 steps on so many threads, resumed from a snapshot after each step if asked, and how many contacts were
/// found at times of impact.
fn run(threads: usize, is_resumed: bool) -> (Vec<drystone_engine::Body>, usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let (mut world, mut at_impact) = (cloud(), 0);
        for _ in 0..20 {
            at_impact += world.step().unwrap().counts.speculative_contacts;
            if is_resumed {
                world = World::from_snapshot(&world.snapshot(), &Default::default()).unwrap();
            }
        }
        (world.bodies().to_vec(), at_impact)
    })
}

#[test]
fn impacts_have_the_same_bits_on_any_number_of_threads_and_resumed() {
    let (bodies, at_impact) = run(1, false);
    assert!(at_impact > 20, "{at_impact}");
    for (threads, is_resumed) in [(2, false), (8, false), (1, true), (8, true)] {
        assert!(run(threads, is_resumed).0 == bodies, "{threads} threads, resumed: {is_resumed}");
    }
}
