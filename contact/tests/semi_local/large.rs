//! Solids of thousands of facets.

use drystone_contact::shape::{Shape, Surface};
use glam::DVec3;

use crate::random::Random;
use crate::solids;

/// A plate whose upper side goes up and down by `roughness` (m) over n × n squares of side 1/n.
fn rough_plate(n: u32, roughness: f64, random: &mut Random) -> Shape {
    let at = |i: u32| f64::from(i) / f64::from(n) - 0.5;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for level in [0.0, 1.0] {
        for (i, j) in (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j))) {
            let height = if level > 0.0 { 0.3 + roughness * random.share() } else { 0.0 };
            vertices.push(DVec3::new(at(i), at(j), height));
        }
    }
    let top = (n + 1) * (n + 1);
    let number = |i: u32, j: u32| i * (n + 1) + j;
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let quad = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        let [a, b, c, d] = quad.map(|v| v + top);
        triangles.extend([[a, b, c], [a, c, d]]);
        let [a, b, c, d] = quad;
        triangles.extend([[a, c, b], [a, d, c]]);
    }
    for k in 0..n {
        let sides = [
            (number(k, 0), number(k + 1, 0)),
            (number(n, k), number(n, k + 1)),
            (number(k + 1, n), number(k, n)),
            (number(0, k + 1), number(0, k)),
        ];
        for (a, b) in sides {
            triangles.extend([[a, b, b + top], [a, b + top, a + top]]);
        }
    }
    solids::filled(&Surface::new(vertices, triangles).unwrap()).unwrap()
}

#[test]
fn cost() {
    use drystone_contact::generator::{Generator, Placed, Workspace, semi_local::SemiLocal};
    use drystone_contact::{Pose, Twist};
    let mut random = Random::new(1);
    for (n, roughness) in [(10, 0.0), (10, 0.003), (20, 0.003), (40, 0.003), (40, 0.0005), (40, 0.02)] {
        let start = std::time::Instant::now();
        let shape = rough_plate(n, roughness, &mut random);
        let build = start.elapsed();
        for (name, flip, gap) in [("stacked", 0.0, 0.6 + roughness * 1.8), ("turned", 0.3, 0.6 + roughness * 1.8), ("deep", 0.3, 0.6 + roughness * 0.5)] {
            let q = glam::DQuat::from_rotation_z(flip) * glam::DQuat::from_rotation_x(std::f64::consts::PI);
            let a = Placed { shape: &shape, pose: Pose::IDENTITY, twist: Twist::default() };
            let b = Placed { shape: &shape, pose: Pose::from_parts(DVec3::new(0.0, 0.0, gap), q), twist: Twist::default() };
            let mut workspace = Workspace::default();
            let mut contacts = Vec::new();
            let start = std::time::Instant::now();
            SemiLocal::default().contacts_into(&a, &b, &[], &mut workspace, &mut contacts);
            println!("n {n} rough {roughness} {name} facets {} build {build:?} contacts {} in {:?}", shape.features().facets().len(), contacts.len(), start.elapsed());
        }
    }
    // Two balls.
    for points in [100, 1000] {
        let _ = points;
    }
}
