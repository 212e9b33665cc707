//! Triangles that stand in for curved surfaces in pictures.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use crate::shape::shape::Triangles;

/// Rings of triangles from pole to pole.
const RINGS: u32 = 24;

/// Triangles around a ring, by two.
const SECTORS: u32 = 48;

/// A sphere about the origin, stretched by these factors (m) along the axes; its poles lie along y.
pub fn sphere(stretch: DVec3) -> Triangles {
    let ring = |i: u32| {
        let (sine, cosine) = libm::sincos(PI * f64::from(i) / f64::from(RINGS));
        (0..SECTORS).map(move |j| {
            let (s, c) = libm::sincos(TAU * f64::from(j) / f64::from(SECTORS));
            DVec3::new(sine * s, cosine, sine * c) * stretch
        })
    };
    let mut vertices = vec![DVec3::Y * stretch];
    vertices.extend((1..RINGS).flat_map(ring));
    vertices.push(DVec3::NEG_Y * stretch);
    let last = vertices.len() as u32 - 1;
    let at = |i: u32, j: u32| match i {
        0 => 0,
        RINGS => last,
        _ => 1 + (i - 1) * SECTORS + j % SECTORS,
    };
    let mut triangles = Vec::new();
    for (i, j) in (0..RINGS).flat_map(|i| (0..SECTORS).map(move |j| (i, j))) {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        if i + 1 < RINGS {
            triangles.push([a, b, c]);
        }
        if i > 0 {
            triangles.push([a, c, d]);
        }
    }
    Triangles { vertices, triangles }
}
