//! A box on the floor of an L-shaped block is pushed against its wall.
//!
//! Floor and wall hold at once: the free space in the corner is convex and bounded by both. The bottom of the box touches
//! the floor and its side the wall, each with four corners; two places belong to both. So there are 8 contacts. The edge of
//! the box in the corner of the L is on the border of both rectangles and no contact of its own.

use drystone_contact::shape::{Shape, TetrahedralizationSettings};
use glam::DVec3;

use super::hexahedra::{slab, solid};
use super::{Extended, fixed, moving, only_pair};
use crate::scene::{BodyProblem, Scene};
use crate::solids::cuboid;

/// Towards the wall, m/s.
const VELOCITY: DVec3 = DVec3::new(0.3, 0.0, 0.0);

/// The scene.
///
/// # Errors
/// See [`Extended::scene`].
pub fn scene() -> Result<Scene, BodyProblem> {
    let (floor, wall) = ([-2.0, 0.0], [0.0, 0.5]);
    let l = solid(&[slab(floor, [-0.5, 0.0], 1.5), slab(wall, [-0.5, 0.0], 1.5), slab(wall, [0.0, 2.0], 1.5)])?;
    let cuboid = cuboid(DVec3::new(-1.0, 0.0, -0.6), DVec3::new(0.0, 0.8, 0.6))?;
    let cuboid = Shape::from_surface(&cuboid, &TetrahedralizationSettings::default())?;
    let bodies = vec![fixed("L", &l)?, moving("box", &cuboid, VELOCITY)?];
    Extended::LCorner.of_bodies(bodies, only_pair(vec![DVec3::X, DVec3::Y], 8))
}
