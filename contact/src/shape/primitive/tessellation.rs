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

/// Triangles around a quarter of a rounded edge, by two.
const ROUNDING: u32 = 12;

/// The surface of all points within a radius of the box with these half sides, m: a sphere by rings about y, taken apart into eight at the
/// corners of the box.
pub fn rounded_box(half: DVec3, radius: f64) -> Triangles {
    let quarter = |k: u32| libm::sincos(0.5 * PI * f64::from(k) / f64::from(ROUNDING));
    let sectors = 4 * (ROUNDING + 1);
    let ring = |lift: f64, i: u32| {
        let (sine, cosine) = quarter(i);
        (0..sectors).map(move |j| {
            let (corner, k) = (j / (ROUNDING + 1), j % (ROUNDING + 1));
            let (s, c) = quarter(k);
            // About y from +z to +x, to −z, to −x.
            let (x, z) = [(s, c), (c, -s), (-s, -c), (-c, s)][corner as usize];
            let (side_x, side_z) = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)][corner as usize];
            let centre = DVec3::new(side_x, lift, side_z) * half;
            centre + radius * DVec3::new(sine * x, lift * cosine, sine * z)
        })
    };
    let mut vertices: Vec<DVec3> = Vec::new();
    vertices.extend((1..=ROUNDING).flat_map(|i| ring(1.0, i)));
    vertices.extend((1..=ROUNDING).rev().flat_map(|i| ring(-1.0, i)));
    let corners = |lift: f64| {
        [[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]]
            .map(|[x, z]| DVec3::new(x, lift, z) * half + DVec3::Y * (lift * radius))
    };
    let top = vertices.len() as u32;
    vertices.extend(corners(1.0));
    vertices.extend(corners(-1.0));
    let at = |i: u32, j: u32| i * sectors + j % sectors;
    let mut triangles = vec![[top, top + 1, top + 2], [top, top + 2, top + 3]];
    triangles.extend([[top + 4, top + 6, top + 5], [top + 4, top + 7, top + 6]]);
    for (i, j) in (0..2 * ROUNDING - 1).flat_map(|i| (0..sectors).map(move |j| (i, j))) {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    for j in 0..sectors {
        let (corner, k) = (j / (ROUNDING + 1), j % (ROUNDING + 1));
        let next = (corner + 1) % 4;
        let last = 2 * ROUNDING - 1;
        let [upper, lower] = [[at(0, j), at(0, j + 1)], [at(last, j), at(last, j + 1)]];
        triangles.push([top + corner, upper[0], upper[1]]);
        triangles.push([top + 4 + corner, lower[1], lower[0]]);
        if k == ROUNDING {
            triangles.push([top + corner, upper[1], top + next]);
            triangles.push([top + 4 + corner, top + 4 + next, lower[1]]);
        }
    }
    Triangles { vertices, triangles }
}
