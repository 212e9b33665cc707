//! Surfaces of revolution about y: points of them, and triangles to draw.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DVec2, DVec3};

use crate::shape::Triangles;

/// Triangles around a ring, by two.
const SECTORS: u32 = 48;

/// Rings of triangles for a quarter of an arc.
const RINGS: f64 = 12.0;

/// A piece of the curve that is turned about y; its points are (distance from the axis, y), m. The curve leads from the upper
/// end of the axis round to the lower one, or back to where it starts, with the solid on its right.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// Straight.
    Line(DVec2, DVec2),
    /// An arc about a centre, with its radius (m) and the angles (rad) where it starts and ends; the angle π/2 is up.
    Arc(DVec2, f64, [f64; 2]),
}

impl Piece {
    /// Its length, m.
    fn length(&self) -> f64 {
        match *self {
            Self::Line(from, to) => from.distance(to),
            Self::Arc(_, radius, [from, to]) => radius * (to - from).abs(),
        }
    }

    /// The point at a share of its length, m.
    fn at(&self, share: f64) -> DVec2 {
        let point = match *self {
            Self::Line(from, to) => from.lerp(to, share),
            Self::Arc(centre, radius, [from, to]) => {
                let (sine, cosine) = libm::sincos(from + share * (to - from));
                centre + radius * DVec2::new(cosine, sine)
            }
        };
        DVec2::new(point.x.max(0.0), point.y)
    }

    /// How many rings of triangles it is drawn with.
    fn rings(&self) -> u32 {
        match *self {
            Self::Line(..) => 1,
            Self::Arc(_, _, [from, to]) => (RINGS * (to - from).abs() / FRAC_PI_2).ceil() as u32,
        }
    }
}

/// Appends points so that none of the surface is farther from all of them than `spacing`, m: along the curve to the next
/// ring, and along the ring to the next point, is at most half of that each. None for a spacing that is not above zero.
pub fn append_samples(pieces: &[Piece], spacing: f64, samples: &mut Vec<DVec3>) {
    if spacing <= 0.0 || spacing.is_nan() {
        return;
    }
    let steps = |length: f64| (length / spacing).ceil().max(1.0);
    for (i, piece) in pieces.iter().enumerate() {
        let count = steps(piece.length()) as u64;
        // The end of a piece is the start of the next.
        for k in u64::from(i > 0)..=count {
            let DVec2 { x: radius, y } = piece.at(k as f64 / count as f64);
            let around = steps(TAU * radius) as u64;
            samples.extend((0..around).map(|j| {
                let (sine, cosine) = libm::sincos(TAU * j as f64 / around as f64);
                DVec3::new(radius * sine, y, radius * cosine)
            }));
        }
    }
}

/// Triangles of the surface; `is_closed` if the curve leads back to where it starts.
pub fn triangles(pieces: &[Piece], is_closed: bool) -> Triangles {
    let mut curve = vec![];
    for (i, piece) in pieces.iter().enumerate() {
        let rings = piece.rings();
        curve.extend((u32::from(i > 0)..=rings).map(|k| piece.at(f64::from(k) / f64::from(rings))));
    }
    if is_closed {
        curve.pop();
    }
    let count = curve.len() as u32;
    let is_pole = |i: u32| !is_closed && (i == 0 || i + 1 == count);
    let mut vertices = Vec::new();
    let mut starts = Vec::new();
    for (i, point) in curve.iter().enumerate() {
        starts.push(vertices.len() as u32);
        let around = if is_pole(i as u32) { 1 } else { SECTORS };
        vertices.extend((0..around).map(|j| {
            let (sine, cosine) = libm::sincos(TAU * f64::from(j) / f64::from(SECTORS));
            if around == 1 { DVec3::Y * point.y } else { DVec3::new(point.x * sine, point.y, point.x * cosine) }
        }));
    }
    let at = |i: u32, j: u32| starts[(i % count) as usize] + if is_pole(i % count) { 0 } else { j % SECTORS };
    let mut triangles = Vec::new();
    let last = if is_closed { count } else { count - 1 };
    for (i, j) in (0..last).flat_map(|i| (0..SECTORS).map(move |j| (i, j))) {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        if b != c {
            triangles.push([a, b, c]);
        }
        if a != d {
            triangles.push([a, c, d]);
        }
    }
    Triangles { vertices, triangles }
}
