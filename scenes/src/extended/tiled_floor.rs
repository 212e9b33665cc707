//! A box slides over a floor of 10 × 10 tiles, each a fixed body of its own; their tops lie in one plane and continue each
//! other exactly.
//!
//! The bottom of the box lies on the tops of the tiles under it: between the box and each of these the normal is that of
//! both faces, over a rectangle with four corners. A tile's upper edges are on the border of its rectangle and no contacts
//! of their own, wherever the box goes. The truth is that of the start. Without friction ([`Scene::remove_friction`]) the
//! box keeps its velocity: no edge between two tiles throws it up or turns it.

use drystone_contact::shape::{Shape, TetrahedralizationSettings};
use drystone_engine::{BodyId, Pose};
use glam::{DQuat, DVec2, DVec3};

use super::sliding_box::{common_area, sliding_box};
use super::{Extended, fixed};
use crate::scene::{BodyProblem, Scene};
use crate::solids::cuboid;
use crate::truth::PairTruth;

/// Tiles along x and along z, of one metre.
const TILES: u32 = 10;

/// The scene: the tiles row by row, then the box.
///
/// # Errors
/// See [`Extended::scene`].
pub fn scene() -> Result<Scene, BodyProblem> {
    let cube = cuboid(DVec3::new(0.0, -1.0, 0.0), DVec3::new(1.0, 0.0, 1.0))?;
    let first = fixed("tile", &Shape::from_surface(&cube, &TetrahedralizationSettings::default())?)?;
    let (mut bodies, mut pairs) = (Vec::new(), Vec::new());
    let the_box = BodyId::new(TILES * TILES);
    for row in 0..TILES {
        for column in 0..TILES {
            let low = DVec2::new(f64::from(column), f64::from(row)) - 0.5 * f64::from(TILES);
            let area = common_area(low, low + 1.0);
            if area > 0.0 {
                pairs.push(PairTruth::interface(BodyId::new(bodies.len() as u32), the_box, DVec3::Y, 4, area));
            }
            let place = Pose::from_parts(DVec3::new(low.x, 0.0, low.y), DQuat::IDENTITY);
            bodies.push(first.copy(format!("row {} tile {}", row + 1, column + 1), &place)?);
        }
    }
    bodies.push(sliding_box()?);
    Extended::TiledFloor.of_bodies(bodies, pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_box_lies_on_six_tiles() {
        let truth = scene().unwrap().truth;
        assert_eq!(truth.pairs.len(), 6);
        assert!((truth.pairs.iter().filter_map(|p| p.area).sum::<f64>() - 1.6 * 1.2).abs() < 1e-12);
    }
}
