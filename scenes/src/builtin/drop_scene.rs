//! Cubes that fall on a ground one after the other: all apart at the start, as an event-driven simulator needs it.

use drystone_engine::Pose;
use glam::{DQuat, DVec3};

use super::{BuiltIn, at_rest, ground, turned};
use crate::cases::materials;
use crate::scene::{BodyProblem, Scene};
use crate::solids::cuboid;
use crate::truth::Truth;

/// How the drop is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DropScene {
    /// How many cubes.
    pub cubes: u32,
    /// Their edge, m.
    pub edge: f64,
}

impl Default for DropScene {
    /// Two cubes of half a metre.
    fn default() -> Self {
        DropScene { cubes: 2, edge: 0.5 }
    }
}

impl DropScene {
    /// The scene: ground, then the cubes from below, each turned a little and half an edge above the one before.
    ///
    /// # Errors
    /// An edge that is not positive.
    pub fn scene(&self) -> Result<Scene, BodyProblem> {
        let (materials, stone, ground_material) = materials()?;
        let half = DVec3::splat(self.edge / 2.0);
        let place = Pose::from_parts(DVec3::ZERO, DQuat::IDENTITY);
        let first = at_rest("cube", cuboid(-half, half), place, false, stone)?;
        let mut bodies = vec![ground(20.0 * self.edge, ground_material)?];
        for k in 0..self.cubes {
            let centre = DVec3::new(0.1 * f64::from(k % 2), 0.8 + 1.5 * f64::from(k), 0.0) * self.edge;
            let rotation = turned(DVec3::Z, 0.1) * turned(DVec3::X, 0.15 + 0.3 * f64::from(k % 3));
            bodies.push(first.copy(format!("cube {}", k + 1), &Pose::from_parts(centre, rotation))?);
        }
        Ok(BuiltIn::DropScene.of_bodies(bodies, materials, Truth::default()))
    }
}
