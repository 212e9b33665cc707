//! Solids of thousands of facets.

use drystone_contact::Pose;
use drystone_contact::shape::{Shape, Surface};
use glam::{DQuat, DVec3};

use super::invariants::Sample;
use super::pair::Pair;
use super::random::Random;
use super::solids;

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

/// Two rough plates top on top touch in hundreds of places; the second is turned, so that no place is like another.
#[test]
fn rough_plates_touch_in_many_places() {
    let mut random = Random::new(1);
    let roughness = 0.003;
    let shape = rough_plate(12, roughness, &mut random);
    for depth in [0.2, 0.5, 1.0] {
        let mut pair = Pair::new([&shape, &shape], &mut random);
        let turn = DQuat::from_rotation_z(0.3) * DQuat::from_rotation_x(std::f64::consts::PI);
        pair.poses[1] = Pose::from_parts(DVec3::Z * (0.6 + roughness * (2.0 - depth)), turn);
        let sample = Sample::new(&pair);
        assert!(sample.contacts.len() > 100, "{} contacts", sample.contacts.len());
        let mut broken = Vec::new();
        sample.check(&mut broken);
        // Contacts of neighbouring places share their corners, to within what is merged.
        const MERGED: f64 = 2e-3;
        broken.retain(|(_, by)| by.abs() > MERGED);
        assert!(broken.is_empty(), "{broken:?}");
    }
}

/// Two balls of 8,192 triangles each.
#[test]
fn balls_touch_in_one_place() {
    let mut random = Random::new(2);
    let shape = solids::ball(5);
    for _ in 0..20 {
        let mut pair = Pair::new([&shape, &shape], &mut random);
        pair.poses = [0; 2].map(|_| Pose::from_parts(DVec3::ZERO, random.rotation()));
        let direction = random.direction();
        pair.poses[1].translation = direction * 1.99;
        let contacts = pair.contacts();
        assert!((1..20).contains(&contacts.len()), "{} contacts", contacts.len());
        for c in contacts {
            // Facets of this ball are within 0.05 rad of the radius.
            assert!(c.normal.dot(direction) > 0.99 && c.position.distance(direction * 0.995) < 0.2, "{c:?}");
        }
    }
}
