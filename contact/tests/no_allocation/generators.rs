//! The semi-local generator allocates nothing once its scratch space has grown: a first run through a cycle of poses may, a
//! second run through the same cycle may not.

use std::hint::black_box;

use allocation_counter::measure;
use drystone_contact::generator::semi_local::SemiLocal;
use drystone_contact::generator::{Generator, Placed, Workspace};
use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_contact::{Contact, Feature, Pose, Twist};
use glam::{DQuat, DVec3};

/// Poses of a cycle.
const POSES: i32 = 64;

fn shape(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Shape {
    let surface = Surface::new(vertices, triangles).expect("a closed surface");
    Shape::from_surface(&surface, &TetrahedralizationSettings::default()).expect("one point sees all of it")
}

/// A prism along z over a counter-clockwise polygon around its first corner, which sees all others; −h ≤ z ≤ h.
fn prism(polygon: &[[f64; 2]], h: f64) -> Shape {
    let n = polygon.len() as u32;
    let at = |z: f64| polygon.iter().map(move |&[x, y]| DVec3::new(x, y, z));
    let caps = (1..n - 1).flat_map(|i| [[0, i + 1, i], [n, n + i, n + i + 1]]);
    let sides = (0..n).flat_map(|i| {
        let j = (i + 1) % n;
        [[i, j, j + n], [i, j + n, i + n]]
    });
    shape(at(-h).chain(at(h)).collect(), caps.chain(sides).collect())
}

fn cuboid(half: DVec3) -> Shape {
    let DVec3 { x, y, z } = half;
    prism(&[[-x, -y], [x, -y], [x, y], [-x, y]], z)
}

/// A block of 4 × 1 × 4 with its upper side split into 70 × 70 squares whose corners are lowered by up to `depth`, m: 9,800
/// triangles there, 10,082 in all. The upper side is at y = 0.
fn floor(depth: f64) -> Shape {
    const N: u32 = 70;
    let at =
        |i: u32, j: u32, y: f64| DVec3::new(4.0 * f64::from(i) / f64::from(N), y, 4.0 * f64::from(j) / f64::from(N));
    let bump = |i: u32, j: u32| -0.5 * depth * (1.0 + (12.9 * f64::from(i) + 78.2 * f64::from(j)).sin());
    let top = |i: u32, j: u32| i + (N + 1) * j;
    let mut vertices: Vec<DVec3> = (0..=N).flat_map(|j| (0..=N).map(move |i| at(i, j, bump(i, j)))).collect();
    let mut triangles: Vec<[u32; 3]> = (0..N)
        .flat_map(|j| (0..N).map(move |i| [top(i, j), top(i, j + 1), top(i + 1, j + 1), top(i + 1, j)]))
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    // Once round the border, clockwise seen from above, and the middle of the lower side.
    let border: Vec<[u32; 2]> = (0..N)
        .map(|i| [i, 0])
        .chain((0..N).map(|j| [N, j]))
        .chain((1..=N).rev().map(|i| [i, N]))
        .chain((1..=N).rev().map(|j| [0, j]))
        .collect();
    let first = vertices.len() as u32;
    vertices.extend(border.iter().map(|&[i, j]| at(i, j, -1.0)));
    let middle = vertices.len() as u32;
    vertices.push(DVec3::new(2.0, -1.0, 2.0));
    for k in 0..border.len() {
        let next = (k + 1) % border.len();
        let [upper, upper_next] = [k, next].map(|k| top(border[k][0], border[k][1]));
        let [lower, lower_next] = [k, next].map(|k| first + k as u32);
        triangles.extend([[lower, upper, upper_next], [lower, upper_next, lower_next], [lower, lower_next, middle]]);
    }
    shape(vertices, triangles)
}

/// Runs twice through the cycle of sways of B from a pose, by steps of some length (m), A at the origin, and counts the
/// allocations of the second run. With `is_remembered` each call is told the features of the call before.
fn allocations([a, b]: [&Shape; 2], pose: Pose, step: f64, is_remembered: bool) -> u64 {
    let generator = SemiLocal::default();
    let (mut workspace, mut contacts) = (Workspace::default(), Vec::<Contact>::new());
    let mut previous: Vec<(Feature, Feature)> = Vec::new();
    let placed = |shape, pose| Placed { shape, pose, twist: Twist::default() };
    let mut run = || {
        for i in 0..POSES {
            let way = step * f64::from(POSES / 2 - (i - POSES / 2).abs());
            let sway = 0.5 * step * (0.7 * f64::from(i)).sin();
            let turn = DQuat::from_rotation_y(0.1 * way) * DQuat::from_rotation_z(sway);
            let pose = Pose::from_translation(DVec3::new(way, sway, 0.3 * way)) * pose * Pose::from_rotation(turn);
            contacts.clear();
            generator
                .contacts_into(&placed(a, Pose::IDENTITY), &placed(b, pose), &previous, &mut workspace, &mut contacts)
                .unwrap();
            assert!(!contacts.is_empty(), "pose {i}");
            previous.clear();
            if is_remembered {
                previous.extend(contacts.iter().map(|c| (c.feature_a, c.feature_b)));
            }
        }
    };
    run();
    measure(run).count_total
}

/// The allocations at rest, creeping and sliding (m a call), with and without memory of the call before.
fn all_allocations(shapes: [&Shape; 2], pose: Pose) -> [[u64; 2]; 3] {
    [1e-9, 1e-6, 2e-4].map(|step| [true, false].map(|is_remembered| allocations(shapes, pose, step, is_remembered)))
}

const NONE: [[u64; 2]; 3] = [[0; 2]; 3];

#[test]
fn the_counter_counts() {
    assert_eq!(measure(|| drop(black_box(Vec::<u8>::with_capacity(10)))).count_total, 1);
}

#[test]
fn one_box_on_another() {
    let (lower, upper) = (cuboid(DVec3::new(1.0, 0.5, 1.0)), cuboid(DVec3::splat(0.5)));
    assert_eq!(all_allocations([&lower, &upper], Pose::from_translation(DVec3::new(0.1, 1.0, 0.05))), NONE);
}

#[test]
fn a_box_on_a_flat_floor_of_ten_thousand_triangles() {
    let (floor, cube) = (floor(0.0), cuboid(DVec3::splat(0.5)));
    assert_eq!(floor.surface().unwrap().triangles().len(), 10_640);
    assert_eq!(all_allocations([&floor, &cube], Pose::from_translation(DVec3::new(2.0, 0.5, 2.0))), NONE);
}

#[test]
fn a_box_on_a_rough_floor_of_ten_thousand_triangles() {
    let (floor, cube) = (floor(0.02), cuboid(DVec3::splat(0.5)));
    assert!(floor.features().unwrap().facets().len() > 5_000);
    assert_eq!(all_allocations([&floor, &cube], Pose::from_translation(DVec3::new(2.0, 0.5, 2.0))), NONE);
}

#[test]
fn an_l_prism_in_a_corner() {
    let arms = |size: f64| {
        [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]].map(|p| p.map(|x| size * x))
    };
    let (corner, small) = (prism(&arms(2.0), 2.0), prism(&arms(0.5), 0.5));
    assert_eq!(all_allocations([&corner, &small], Pose::from_translation(DVec3::new(2.0, 2.0, 0.3))), NONE);
}

#[test]
fn a_spike_in_a_crack() {
    let block = prism(&[[0.0, 0.0], [-0.5, 0.5], [-1.0, 0.5], [-1.0, -0.5], [1.0, -0.5], [1.0, 0.5], [0.5, 0.5]], 1.0);
    for half in [0.15, 0.5] {
        let base = [[-half, half], [half, half], [half, -half], [-half, -half]].map(|[x, z]| DVec3::new(x, 0.5, z));
        let triangles = vec![[0, 1, 2], [0, 2, 3], [1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]];
        let spike = shape(base.into_iter().chain([DVec3::ZERO]).collect(), triangles);
        assert_eq!(all_allocations([&block, &spike], Pose::IDENTITY), NONE, "half width {half} m");
    }
}

#[test]
fn an_l_prism_lying_on_a_box() {
    let l = prism(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.5, 0.5], [0.5, 1.0], [0.0, 1.0]], 0.2);
    let lying = Pose::from_parts(DVec3::new(-0.5, 0.7, 0.5), DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2));
    assert_eq!(all_allocations([&cuboid(DVec3::new(0.6, 0.5, 0.6)), &l], lying), NONE);
}

#[test]
fn a_ridge_across_a_round_column() {
    let round = (0..400).map(|i| f64::from(i) * std::f64::consts::TAU / 400.0).map(|t| [t.cos(), t.sin()]);
    let column = prism(&round.collect::<Vec<_>>(), 1.0);
    let ridge = prism(&[[0.0, 0.0], [0.5, 0.5], [-0.5, 0.5]], 2.0);
    let lying = Pose::from_parts(DVec3::new(0.0, 0.0, 1.0), DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2));
    assert_eq!(all_allocations([&column, &ridge], lying), NONE);
}
