//! The box that slides over floors.

use drystone_contact::shape::{Shape, TetrahedralizationSettings};
use glam::{DVec2, DVec3};

use super::moving;
use crate::scene::{BodyProblem, SceneBody};
use crate::solids::cuboid;

/// Lower and upper corner of its footprint in x and z at the start, m: on no border of a tile.
pub const FOOTPRINT: [DVec2; 2] = [DVec2::new(-2.37, -1.81), DVec2::new(-0.77, -0.61)];

/// Its height, m.
const HEIGHT: f64 = 0.5;

/// Its velocity, m/s: along no border of a tile.
const VELOCITY: DVec3 = DVec3::new(1.0, 0.0, 0.37);

/// The box, its bottom in y = 0.
pub fn sliding_box() -> Result<SceneBody, BodyProblem> {
    let [low, high] = FOOTPRINT;
    let cuboid = cuboid(DVec3::new(low.x, 0.0, low.y), DVec3::new(high.x, HEIGHT, high.y))?;
    moving("box", &Shape::from_surface(&cuboid, &TetrahedralizationSettings::default())?, VELOCITY)
}

/// The area that the box has in common at the start with a rectangle between two corners in x and z, m².
pub fn common_area(low: DVec2, high: DVec2) -> f64 {
    let common = (high.min(FOOTPRINT[1]) - low.max(FOOTPRINT[0])).max(DVec2::ZERO);
    common.x * common.y
}
