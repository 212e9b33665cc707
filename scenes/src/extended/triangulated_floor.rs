//! A box slides over a floor whose top is one plane of 10,000 irregular triangles.
//!
//! The top is a grid of 100 × 50 quadrilaterals whose inner vertices are moved within the plane and whose diagonals run one
//! way or the other by chance. They all lie in one plane, so that the floor has one face there and its edges and vertices
//! are none of the solid's: between it and the bottom of the box the normal is that of both faces, over the rectangle of
//! the box with its four corners, wherever the box goes. Without friction ([`Scene::remove_friction`]) it keeps its velocity.

use drystone_contact::shape::cone::cone_from;
use drystone_contact::shape::{Shape, ShapeError, Surface, SurfaceError};
use drystone_engine::BodyId;
use glam::{DVec2, DVec3};

use super::sliding_box::{FOOTPRINT, common_area, sliding_box};
use super::{Extended, fixed};
use crate::scene::{BodyProblem, Scene};
use crate::truth::PairTruth;
use drystone_contact::split_mix::SplitMix;

/// Quadrilaterals along x and along z.
const QUADS: [u32; 2] = [100, 50];

/// Their edge before they are moved, m.
const EDGE: f64 = 0.1;

/// By how much an inner vertex is moved along x and along z at most, as a share of the edge.
const JITTER: f64 = 0.3;

/// How thick the floor is, m.
const THICKNESS: f64 = 1.0;

/// The seed of all that is irregular.
const SEED: u64 = 1;

/// The slab under the triangles, its top in y = 0.
fn floor() -> Result<Surface, SurfaceError> {
    let [columns, rows] = QUADS;
    let mut sequence = SplitMix::new(SEED);
    let mut vertices = Vec::new();
    for row in 0..=rows {
        for column in 0..=columns {
            let mut jitter = || JITTER * (2.0 * sequence.next_fraction() - 1.0);
            let offset = DVec2::new(jitter(), jitter());
            let is_inside = (1..rows).contains(&row) && (1..columns).contains(&column);
            let grid = DVec2::new(f64::from(column) - 0.5 * f64::from(columns), f64::from(row) - 0.5 * f64::from(rows));
            let place = EDGE * if is_inside { grid + offset } else { grid };
            vertices.push(DVec3::new(place.x, 0.0, place.y));
        }
    }
    let at = |column: u32, row: u32| row * (columns + 1) + column;
    let mut triangles = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            // Counter-clockwise seen from above.
            let quad = [at(column, row), at(column, row + 1), at(column + 1, row + 1), at(column + 1, row)];
            let [a, b, c, d] = if sequence.next_fraction() < 0.5 { quad } else { [quad[1], quad[2], quad[3], quad[0]] };
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    // Once around the border, counter-clockwise seen from above, and down to a bottom that is a fan.
    let border: Vec<u32> = (0..rows)
        .map(|row| at(0, row))
        .chain((0..columns).map(|column| at(column, rows)))
        .chain((1..=rows).rev().map(|row| at(columns, row)))
        .chain((1..=columns).rev().map(|column| at(column, 0)))
        .collect();
    let first = vertices.len() as u32;
    let below = border.iter().map(|&v| vertices[v as usize] - DVec3::Y * THICKNESS).collect::<Vec<_>>();
    vertices.extend(below);
    let centre = vertices.len() as u32;
    vertices.push(DVec3::NEG_Y * THICKNESS);
    let length = border.len() as u32;
    for k in 0..length {
        let next = (k + 1) % length;
        let [high, next_high] = [k, next].map(|k| border[k as usize]);
        let [low, next_low] = [first + k, first + next];
        triangles.extend([[low, next_low, next_high], [low, next_high, high], [centre, next_low, low]]);
    }
    Surface::new(vertices, triangles)
}

/// The scene.
///
/// # Errors
/// See [`Extended::scene`].
pub fn scene() -> Result<Scene, BodyProblem> {
    let mesh = cone_from(&floor()?, DVec3::NEG_Y * (0.5 * THICKNESS)).map_err(ShapeError::from)?;
    let bodies = vec![fixed("floor", &Shape::from_mesh(mesh))?, sliding_box()?];
    let [low, high] = FOOTPRINT;
    let pair = PairTruth::interface(BodyId::new(0), BodyId::new(1), DVec3::Y, 4, common_area(low, high));
    Extended::TriangulatedFloor.of_bodies(bodies, vec![pair])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousand_triangles_lie_in_the_top() {
        let floor = floor().unwrap();
        let in_top = (0..floor.triangles().len() as u32).filter(|&t| floor.corners(t).iter().all(|p| p.y == 0.0));
        assert_eq!(in_top.count(), 10_000);
        assert!((floor.volume() - 50.0).abs() < 1e-9);
        let areas: Vec<f64> = floor.areas()[..10_000].to_vec();
        let (least, most) = areas.iter().fold((f64::INFINITY, 0.0), |(l, m), &a| (a.min(l), a.max(m)));
        assert!(least > 0.0 && most / least > 4.0);
    }
}
