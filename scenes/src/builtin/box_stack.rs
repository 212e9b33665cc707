//! Boxes exactly on each other: the plainest stack, in which every interface has the same four corners.

use drystone_engine::{BodyId, Pose};
use glam::{DQuat, DVec3};

use super::{BuiltIn, at_rest, ground};
use crate::cases::materials;
use crate::scene::{BodyProblem, Scene};
use crate::solids::cuboid;
use crate::truth::{PairTruth, Truth};

/// How the stack is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxStack {
    /// How many boxes.
    pub boxes: u32,
    /// Their edge, m.
    pub edge: f64,
}

impl Default for BoxStack {
    /// Ten boxes of one metre.
    fn default() -> Self {
        BoxStack { boxes: 10, edge: 1.0 }
    }
}

impl BoxStack {
    /// The scene: ground, then the boxes from below.
    ///
    /// # Errors
    /// An edge that is not positive.
    pub fn scene(&self) -> Result<Scene, BodyProblem> {
        let (materials, stone, ground_material) = materials()?;
        let half = DVec3::splat(self.edge / 2.0);
        let place = Pose::from_parts(DVec3::ZERO, DQuat::IDENTITY);
        let first = at_rest("box", cuboid(-half, half), place, false, stone)?;
        let mut bodies = vec![ground(10.0 * self.edge, ground_material)?];
        for k in 0..self.boxes {
            let centre = DVec3::Y * (f64::from(k) + 0.5) * self.edge;
            bodies.push(first.copy(format!("box {}", k + 1), &Pose::from_parts(centre, DQuat::IDENTITY))?);
        }
        let area = self.edge * self.edge;
        let interface = |k: u32| PairTruth::interface(BodyId::new(k), BodyId::new(k + 1), DVec3::Y, 4, area);
        let truth = Truth { pairs: (0..self.boxes).map(interface).collect() };
        Ok(BuiltIn::BoxStack.of_bodies(bodies, materials, truth))
    }
}
