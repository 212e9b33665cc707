//! A box rests on the upper step of a stair and juts out over the lower one.
//!
//! Its centre of mass is above the upper step. The bottom of the box and the top of the step touch over a rectangle, two of
//! whose corners are corners of the box and two are crossings of its edges with the edge of the step. The normal is that of
//! both faces; the edge of the step is on the border of the rectangle and no contact of its own.

use drystone_contact::shape::{Shape, TetrahedralizationSettings};
use drystone_engine::BodyId;
use glam::DVec3;

use super::hexahedra::{slab, solid};
use super::{Extended, fixed, moving};
use crate::scene::{BodyProblem, Scene};
use crate::solids::cuboid;
use crate::truth::PairTruth;

/// The scene.
///
/// # Errors
/// See [`Extended::scene`].
pub fn scene() -> Result<Scene, BodyProblem> {
    let (upper, lower) = ([-2.0, 0.0], [0.0, 2.0]);
    let stair = solid(&[slab(upper, [-1.0, 0.0], 1.0), slab(lower, [-1.0, 0.0], 1.0), slab(upper, [0.0, 0.5], 1.0)])?;
    let cuboid = cuboid(DVec3::new(-0.9, 0.5, -0.4), DVec3::new(0.3, 1.1, 0.4))?;
    let cuboid = Shape::from_surface(&cuboid, &TetrahedralizationSettings::default())?;
    let bodies = vec![fixed("stair", &stair)?, moving("box", &cuboid, DVec3::ZERO)?];
    let pair = PairTruth::interface(BodyId::new(0), BodyId::new(1), DVec3::Y, 4, 0.9 * 0.8);
    Extended::BoxOnStep.of_bodies(bodies, vec![pair])
}
