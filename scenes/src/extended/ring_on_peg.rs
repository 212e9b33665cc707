//! A hexagonal ring around a hexagonal peg that fills its hole, falling along it.
//!
//! Each of the six inner faces of the ring lies on a side of the peg, which is longer than the ring at both ends: six planes
//! that hold at once, each over a rectangle with four corners. Opposite sides have opposite normals; as the sense of an
//! expected normal is free there are three expected ones, and 24 contacts. The six edges of the peg lie in the concave edges
//! of the hole, on the border of the rectangles, and are no contacts of their own. The ring is no ball with dents: its
//! surface has a handle.

use drystone_contact::shape::{Shape, TetrahedralizationSettings};
use glam::DVec3;

use super::hexahedra::{Cell, solid};
use super::{Extended, fixed, moving, only_pair};
use crate::scene::{BodyProblem, Scene};
use crate::solids::hexagonal_frustum;

/// Circumradii of the hole and of the ring, m.
const RADII: [f64; 2] = [0.4, 0.7];

/// Lower and upper end of the ring, m; the peg goes from 0 to 3 m.
const ENDS: [f64; 2] = [2.0, 2.5];

/// The corners of a hexagon of circumradius 1 in x and z, counter-clockwise seen from above.
fn corners() -> [(f64, f64); 6] {
    let sin = 3f64.sqrt() / 2.0;
    [(1.0, 0.0), (0.5, -sin), (-0.5, -sin), (-1.0, 0.0), (-0.5, sin), (0.5, sin)]
}

/// One cell for each side.
fn ring() -> Vec<Cell> {
    let [inner, outer] = RADII;
    let sector = |k: usize| {
        let at = |radius: f64, k: usize, y: f64| {
            let (x, z) = corners()[k % 6];
            DVec3::new(radius * x, y, radius * z)
        };
        let around = |y: f64| [at(inner, k, y), at(outer, k, y), at(outer, k + 1, y), at(inner, k + 1, y)];
        let ([a, b, c, d], [e, f, g, h]) = (around(ENDS[0]), around(ENDS[1]));
        [a, b, c, d, e, f, g, h]
    };
    (0..6).map(sector).collect()
}

/// The scene.
///
/// # Errors
/// See [`Extended::scene`].
pub fn scene() -> Result<Scene, BodyProblem> {
    let peg = hexagonal_frustum(RADII[0], 0.0, RADII[0], 3.0)?;
    let peg = Shape::from_surface(&peg, &TetrahedralizationSettings::default())?;
    let bodies = vec![fixed("peg", &peg)?, moving("ring", &solid(&ring())?, DVec3::ZERO)?];
    let corners = corners().map(|(x, z)| DVec3::new(x, 0.0, z));
    let normals = (0..3).map(|k| (corners[k] + corners[k + 1]).normalize()).collect();
    Extended::RingOnPeg.of_bodies(bodies, only_pair(normals, 24))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_has_a_hole() {
        let ring = solid(&ring()).unwrap();
        let surface = ring.surface().unwrap();
        let euler = surface.vertices().len() as i64 - surface.edges().len() as i64 + surface.triangles().len() as i64;
        assert_eq!((euler, surface.component_count()), (0, 1));
        let area = 1.5 * 3f64.sqrt() * (0.7 * 0.7 - 0.4 * 0.4);
        assert!((surface.volume() - 0.5 * area).abs() < 1e-15);
    }
}
