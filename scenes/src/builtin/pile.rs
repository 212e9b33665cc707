//! Boxes that fall into a container: from a lattice in which each has room to turn, each turned at random.

use drystone_engine::Pose;
use glam::{DQuat, DVec3};

use super::{BuiltIn, at_rest, fixed};
use crate::cases::materials;
use crate::cells::container;
use crate::scene::{BodyProblem, Scene};
use crate::solids::cuboid;
use crate::truth::Truth;
use drystone_contact::split_mix::SplitMix;

/// How the pile is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pile {
    /// How many boxes.
    pub boxes: u32,
    /// Their edge, m.
    pub edge: f64,
    /// What their orientations follow from.
    pub seed: u64,
}

impl Default for Pile {
    /// A thousand boxes of half a metre.
    fn default() -> Self {
        Pile { boxes: 1000, edge: 0.5, seed: 1 }
    }
}

impl Pile {
    /// Boxes along each side of the lattice: the least number whose cube holds all.
    fn side(&self) -> u32 {
        (1..).find(|&n: &u32| u64::from(n).pow(3) >= u64::from(self.boxes)).unwrap_or(1)
    }

    /// The scene: the container, then the boxes layer by layer from below.
    ///
    /// # Errors
    /// An edge that is not positive.
    pub fn scene(&self) -> Result<Scene, BodyProblem> {
        let (materials, stone, ground) = materials()?;
        let side = self.side();
        // A box turns within its circumscribed ball.
        let pitch = 1.01 * 3f64.sqrt() * self.edge;
        let half = 0.5 * pitch * f64::from(side);
        let walls = container(half, half.max(2.0 * self.edge), self.edge)?;
        let mut bodies = vec![fixed("container", &walls, Pose::from_parts(DVec3::ZERO, DQuat::IDENTITY), ground)?];
        let corner = DVec3::splat(self.edge / 2.0);
        let place = Pose::from_parts(DVec3::ZERO, DQuat::IDENTITY);
        let first = at_rest("box", cuboid(-corner, corner), place, false, stone)?;
        let mut sequence = SplitMix::new(self.seed);
        for k in 0..self.boxes {
            let cell = DVec3::new(f64::from(k % side), f64::from(k / (side * side)), f64::from(k / side % side));
            let centre = (cell + 0.5) * pitch - DVec3::new(half, 0.0, half);
            let pose = Pose::from_parts(centre, sequence.next_rotation());
            bodies.push(first.copy(format!("box {}", k + 1), &pose)?);
        }
        Ok(BuiltIn::Pile.of_bodies(bodies, materials, Truth::default()))
    }
}
