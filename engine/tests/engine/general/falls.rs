//! Solids fall on and into each other: nothing falls through, and all comes to rest or nearly.

use super::workbench::{Bench, at, both, general, part, primitive, turned};
use drystone_contact::shape::Shape;
use drystone_contact::solid::Description;
use drystone_contact::split_mix::SplitMix;
use drystone_engine::{Pose, WorldSettings};
use glam::DVec3;
use std::f64::consts::{FRAC_PI_2, TAU};

/// What is seen of a fall of three seconds.
#[derive(Debug)]
struct Fall {
    /// The deepest that a sampled point of one was in the other, m.
    depth: f64,
    /// The lowest place of the centre, m.
    lowest: f64,
    /// The fastest in the last half second, m/s and rad/s.
    speed: f64,
    spin: f64,
    /// By how much the energy rose at most above what it was before, J, and that of a fall of a metre, J.
    gain: f64,
    metre: f64,
}

/// How deep the points of one shape are in the other at most, m.
fn depth(of: &Shape, at: &Pose, within: &Shape, there: &Pose) -> f64 {
    let (of, within) = (of.general().unwrap(), within.general().unwrap());
    let between = there.inverse() * *at;
    let depths = of.points().points().iter().map(|&point| {
        let place = between.transform_point(point);
        let solid = within.solid();
        if solid.contains(place) { solid.nearest(place).map_or(0.0, |on| -on.distance) } else { 0.0 }
    });
    depths.fold(0.0, f64::max)
}

fn fall(bench: &mut Bench, fixed: &Shape, falling: &Shape, pose: Pose, velocities: [DVec3; 2]) -> Fall {
    bench.fixed(fixed.clone(), turned(DVec3::X, 0.0));
    let body = bench.moving(falling, pose, velocities);
    let own = bench.world.shape(body).unwrap().clone();
    let metre = bench.body(body).mass() * super::workbench::G;
    let mut fall = Fall { depth: 0.0, lowest: f64::INFINITY, speed: 0.0, spin: 0.0, gain: 0.0, metre };
    let mut least = bench.energy();
    for step in 0..300 {
        bench.world.step().unwrap();
        let state = bench.body(body).clone();
        let both =
            [depth(&own, &state.pose(), fixed, &Pose::IDENTITY), depth(fixed, &Pose::IDENTITY, &own, &state.pose())];
        fall.depth = fall.depth.max(both[0]).max(both[1]);
        fall.lowest = fall.lowest.min(state.position.y);
        fall.gain = fall.gain.max(bench.energy() - least);
        least = least.min(bench.energy());
        if step >= 250 {
            fall.speed = fall.speed.max(state.velocity.length());
            fall.spin = fall.spin.max(state.angular_velocity.length());
        }
    }
    fall
}

/// Both methods, by the soft step and by one solve a step.
fn all_ways(what: &str, fixed: &Description, falling: &Description, pose: Pose, velocities: [DVec3; 2]) -> Vec<Fall> {
    let (fixed, falling) = (general(fixed), general(falling));
    let mut falls = Vec::new();
    for method in both() {
        for (way, settings) in [("soft", WorldSettings::fast()), ("at once", WorldSettings::gauss_seidel())] {
            let mut bench = Bench::new(&method, settings, 0.5, 0.0);
            let found = fall(&mut bench, &fixed, &falling, pose, velocities);
            println!("{}, {way}: {what}: {found:?}", method.name());
            // Nothing is gained but what pushes depth away.
            assert!(found.gain <= 1e-3 * found.metre, "{found:?}");
            falls.push(found);
        }
    }
    falls
}

#[test]
fn a_torus_falls_over_a_peg() {
    let base = at(primitive("box", &[1.0, 0.1, 1.0]), [0.0, -0.1, 0.0]);
    let peg = at(primitive("capsule", &[0.15, 0.6]), [0.0, 0.5, 0.0]);
    let stand = Description::Union(vec![base, peg]);
    let start = Pose::from_parts(DVec3::new(0.02, 1.7, 0.0), turned(DVec3::Z, 0.3));
    let falls = all_ways("torus on a peg", &stand, &primitive("torus", &[0.4, 0.1]), start, [DVec3::ZERO; 2]);
    for fall in falls {
        assert!(fall.lowest > 0.09 && fall.depth < 0.01, "{fall:?}");
        assert!(fall.speed < 0.05 && fall.spin < 0.2, "{fall:?}");
    }
}

#[test]
fn a_star_falls_into_a_cup() {
    let outside = at(primitive("cylinder", &[1.0, 0.6]), [0.0, 0.5, 0.0]);
    let inside = at(primitive("cylinder", &[0.85, 0.6]), [0.0, 0.65, 0.0]);
    let cup = Description::Difference(vec![outside, inside]);
    let bar = || primitive("capsule", &[0.08, 0.3]);
    let star = Description::Union(vec![
        at(bar(), [0.0; 3]),
        part(bar(), [0.0; 3], DVec3::X, FRAC_PI_2),
        part(bar(), [0.0; 3], DVec3::Z, FRAC_PI_2),
    ]);
    let start = Pose::from_parts(DVec3::new(0.1, 1.8, 0.05), turned(DVec3::new(0.6, 0.0, 0.8), 0.7));
    let velocities = [DVec3::new(0.3, 0.0, 0.0), DVec3::new(3.0, 1.0, 4.0)];
    for fall in all_ways("star in a cup", &cup, &star, start, velocities) {
        // The floor of the cup is at 0.05 m.
        assert!(fall.lowest > 0.12 && fall.depth < 0.01, "{fall:?}");
        assert!(fall.speed < 0.1 && fall.spin < 0.3, "{fall:?}");
    }
}

#[test]
fn a_polyhedron_falls_into_a_soup() {
    let start = Pose::from_parts(DVec3::new(0.05, 1.2, 0.0), turned(DVec3::new(0.6, 0.0, 0.8), 0.5));
    let velocities = [DVec3::ZERO, DVec3::new(1.0, 2.0, 0.5)];
    for fall in all_ways("polyhedron in a soup", &soup(), &star(), start, velocities) {
        assert!(fall.lowest > 0.05 && fall.depth < 0.03, "{fall:?}");
        assert!(fall.speed < 0.1 && fall.spin < 0.5, "{fall:?}");
    }
}

/// Triangles in a bowl y = 0.4 r², each turned out of its surface by some angle.
fn soup() -> Description {
    let mut random = SplitMix::new(7);
    let (mut vertices, mut polygons) = (Vec::new(), Vec::new());
    for k in 0..300 {
        // Evenly over a disc by the golden angle.
        let radius = 1.2 * ((f64::from(k) + 0.5) / 300.0).sqrt();
        let (sine, cosine) = libm::sincos(f64::from(k) * 2.399_963_229_728_653);
        let centre = DVec3::new(radius * cosine, 0.4 * radius * radius, radius * sine);
        let slope = DVec3::new(-0.8 * centre.x, 1.0, -0.8 * centre.z).normalize();
        let normal = (slope + 0.35 * (random.next_rotation() * DVec3::X)).normalize();
        let (u, v) = normal.any_orthonormal_pair();
        let first = vertices.len() as u32;
        let phase = random.next_between(0.0, TAU);
        for corner in 0..3 {
            let (s, c) = libm::sincos(phase + f64::from(corner) * TAU / 3.0);
            vertices.push((centre + 0.16 * (u * c + v * s)).to_array());
        }
        polygons.push(vec![first, first + 1, first + 2]);
    }
    Description::Soup { vertices, polygons }
}

/// A cube with a pyramid on each face.
fn star() -> Description {
    let mut vertices: Vec<[f64; 3]> =
        (0..8).map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 1 { 0.15 } else { -0.15 })).collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let mut triangles = Vec::new();
    for (face, quad) in quads.iter().enumerate() {
        let tip = vertices.len() as u32;
        let mut place = [0.0; 3];
        place[face / 2] = if face % 2 == 1 { 0.4 } else { -0.4 };
        vertices.push(place);
        triangles.extend((0..4).map(|k| [quad[k], quad[(k + 1) % 4], tip]));
    }
    Description::Polyhedron { vertices, triangles }
}
