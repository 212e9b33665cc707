//! A spiked polyhedron falls into a soup: triangles that are open, cross and touch each other, a hollow in their midst.
//!
//! The demonstration of the paper on times of contact, with solids of our own.

use std::f64::consts::TAU;

use drystone_contact::Pose;
use drystone_contact::solid::Description;
use drystone_contact::split_mix::SplitMix;
use glam::DVec3;

use super::{fixed, moving, turned};
use crate::scene::{BodyProblem, SceneBody};

/// Triangles of the soup.
const TRIANGLES: u32 = 400;

/// The bodies.
pub fn bodies() -> Result<Vec<SceneBody>, BodyProblem> {
    let start = Pose::from_parts(DVec3::new(0.05, 1.6, 0.0), turned(DVec3::new(0.6, 0.0, 0.8), 0.5));
    let velocities = [DVec3::ZERO, DVec3::new(1.0, 2.0, 0.5)];
    Ok(vec![fixed("soup", &soup())?, moving("star", &star(), start, velocities)?])
}

/// Triangles in a bowl y = 0.4 r², each turned out of its surface by some angle.
fn soup() -> Description {
    let mut random = SplitMix::new(7);
    let (mut vertices, mut polygons) = (Vec::new(), Vec::new());
    for k in 0..TRIANGLES {
        // Evenly over a disc of radius 1.5, by the golden angle.
        let radius = 1.5 * ((f64::from(k) + 0.5) / f64::from(TRIANGLES)).sqrt();
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
