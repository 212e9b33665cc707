//! A house of cards. Two cards lean on each other in a tent, edge against edge; tents stand side by side in storeys, each
//! storey one tent shorter than the one below; flat cards between the tops of two tents carry the next storey.

use std::f64::consts::PI;

use drystone_engine::Pose;
use glam::{DQuat, DVec3};

use super::{BuiltIn, at_rest, ground, turned};
use crate::cases::materials;
use crate::scene::{BodyProblem, Scene};
use crate::solids::cuboid;
use crate::truth::Truth;

/// How the house is made. Tents of one storey keep clear of each other while
/// sin(lean) + thickness / length · cos(lean) ≤ ½.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardHouse {
    /// Tents in the lowest storey, and storeys.
    pub storeys: u32,
    /// Length of a card, m.
    pub length: f64,
    /// Width of a card, along z, m.
    pub width: f64,
    /// Thickness of a card, m.
    pub thickness: f64,
    /// How far a leaning card is from upright, rad.
    pub lean: f64,
    /// Between the ends of neighbouring flat cards, m.
    pub gap: f64,
}

impl Default for CardHouse {
    /// Five storeys of cards of 2 m × 1.4 m × 0.1 m that lean by 25°.
    fn default() -> Self {
        CardHouse { storeys: 5, length: 2.0, width: 1.4, thickness: 0.1, lean: 25.0 * PI / 180.0, gap: 0.02 }
    }
}

impl CardHouse {
    /// The scene: ground, then storey by storey from below the tents from −x, left card first, and the flat cards.
    ///
    /// # Errors
    /// Measures that are not positive.
    pub fn scene(&self) -> Result<Scene, BodyProblem> {
        let (materials, stone, ground_material) = materials()?;
        let (sin, cos) = (libm::sin(self.lean), libm::cos(self.lean));
        let half = DVec3::new(self.thickness, self.length, self.width) / 2.0;
        let place = Pose::from_parts(DVec3::ZERO, DQuat::IDENTITY);
        let upright = at_rest("card", cuboid(-half, half), place, false, stone)?;
        let pitch = self.length + self.gap;
        // From the lowest edge of a leaning card to its highest.
        let height = self.length * cos + self.thickness * sin;
        let mut bodies = vec![ground(2.0 * pitch * f64::from(self.storeys.max(3)), ground_material)?];
        for storey in 0..self.storeys {
            let tents = self.storeys - storey;
            let floor = f64::from(storey) * (height + self.thickness);
            let top_of = |tent: u32| pitch * (f64::from(tent) - 0.5 * f64::from(tents - 1));
            for tent in 0..tents {
                for (side, name) in [(-1.0, "left"), (1.0, "right")] {
                    // The inner upper edge lies in the tent's plane of symmetry.
                    let aside = 0.5 * (self.thickness * cos + self.length * sin);
                    let centre = DVec3::new(top_of(tent) + side * aside, floor + 0.5 * height, 0.0);
                    let name = format!("storey {} tent {} {name}", storey + 1, tent + 1);
                    bodies.push(upright.copy(name, &Pose::from_parts(centre, turned(DVec3::Z, side * self.lean)))?);
                }
            }
            for flat in 1..tents {
                let x = 0.5 * (top_of(flat - 1) + top_of(flat));
                let centre = DVec3::new(x, floor + height + 0.5 * self.thickness, 0.0);
                let name = format!("storey {} flat {flat}", storey + 1);
                bodies.push(upright.copy(name, &Pose::from_parts(centre, turned(DVec3::Z, 0.5 * PI)))?);
            }
        }
        Ok(BuiltIn::CardHouse.of_bodies(bodies, materials, Truth::default()))
    }
}
