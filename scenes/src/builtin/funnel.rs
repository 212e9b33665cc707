//! Jacks that fall through a funnel (assessment paper, figure 1): 10 × 20 × 10 of them, 0.9 m large and 0.1 m apart, above
//! a funnel of 20 m on a ground of 30 m.
//!
//! Funnel and jacks are our own solids, not the program's files: the jack has bars a fifth as wide as long, the funnel an
//! open cone over a spout of 4 m. The jacks are turned at random, as far as 0.1 m leave them room.

use drystone_engine::Pose;
use glam::{DQuat, DVec3};

use super::{BuiltIn, fixed, ground, moving};
use crate::cases::{DENSITY, materials};
use crate::cells::{jack, pipe};
use crate::scene::{BodyProblem, Scene};
use crate::truth::Truth;
use drystone_contact::split_mix::SplitMix;

/// Sides of the funnel.
const SIDES: u32 = 24;

/// Jacks along x and along z.
const ROW: u32 = 10;

/// How the funnel is filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Funnel {
    /// How many jacks.
    pub jacks: u32,
    /// The length of their bars, m; they are a fifth as wide.
    pub length: f64,
    /// Between the jacks before they are turned, m: from 0.04 of the length on they have room to turn.
    pub spacing: f64,
    /// What their orientations follow from.
    pub seed: u64,
}

impl Default for Funnel {
    /// The figures of the paper.
    fn default() -> Self {
        Funnel { jacks: 2000, length: 0.9, spacing: 0.1, seed: 1 }
    }
}

impl Funnel {
    /// The scene: ground, funnel, then the jacks layer by layer from below.
    ///
    /// # Errors
    /// Measures that are not positive.
    pub fn scene(&self) -> Result<Scene, BodyProblem> {
        let (materials, stone, ground_material) = materials()?;
        let here = Pose::from_parts(DVec3::ZERO, DQuat::IDENTITY);
        // Radius and height: the spout's foot, its upper end, the rim.
        let (inner, outer) = ([[2.0, 10.0], [2.0, 12.0], [9.5, 20.0]], [[2.5, 10.0], [2.5, 11.75], [10.0, 20.0]]);
        let mut bodies =
            vec![ground(30.0, ground_material)?, fixed("funnel", &pipe(&inner, &outer, SIDES)?, here, stone)?];
        let first = moving("jack", &jack(self.length, self.length / 5.0)?, DENSITY, here, DVec3::ZERO, stone)?;
        let pitch = self.length + self.spacing;
        let mut sequence = SplitMix::new(self.seed);
        let lowest = 20.0 + pitch;
        for k in 0..self.jacks {
            let cell = DVec3::new(f64::from(k % ROW), f64::from(k / (ROW * ROW)), f64::from(k / ROW % ROW));
            let middle = 0.5 * f64::from(ROW - 1);
            let centre = (cell - DVec3::new(middle, 0.0, middle)) * pitch + DVec3::Y * lowest;
            let pose = Pose::from_parts(centre, sequence.next_rotation());
            bodies.push(first.copy(format!("jack {}", k + 1), &pose)?);
        }
        Ok(BuiltIn::Funnel.of_bodies(bodies, materials, Truth::default()))
    }
}
