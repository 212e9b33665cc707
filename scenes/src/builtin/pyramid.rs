//! A pyramid in a plane: rows of boxes with gaps, each row one box shorter than the one below, each box on two.

use drystone_engine::{BodyId, Pose};
use glam::{DQuat, DVec3};

use super::{BuiltIn, at_rest, ground};
use crate::cases::materials;
use crate::scene::{BodyProblem, Scene};
use crate::solids::cuboid;
use crate::truth::{PairTruth, Truth};
use drystone_contact::sorting::CompactSort;

/// How the pyramid is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pyramid {
    /// Boxes in the lowest row, and rows.
    pub base: u32,
    /// The edge of a box, m.
    pub edge: f64,
    /// The gap between neighbours in a row, m; below the edge, so that a box has two to stand on.
    pub gap: f64,
}

impl Default for Pyramid {
    /// 55 boxes of one metre in ten rows, a quarter of a metre apart.
    fn default() -> Self {
        Pyramid { base: 10, edge: 1.0, gap: 0.25 }
    }
}

impl Pyramid {
    /// The scene: ground, then the boxes row by row from below, each row from −x.
    ///
    /// # Errors
    /// An edge that is not positive.
    pub fn scene(&self) -> Result<Scene, BodyProblem> {
        let (materials, stone, ground_material) = materials()?;
        let half = DVec3::splat(self.edge / 2.0);
        let place = Pose::from_parts(DVec3::ZERO, DQuat::IDENTITY);
        let first = at_rest("box", cuboid(-half, half), place, false, stone)?;
        let pitch = self.edge + self.gap;
        let mut bodies = vec![ground(2.0 * pitch * f64::from(self.base.max(5)), ground_material)?];
        let mut pairs = Vec::new();
        let mut row_below: Option<u32> = None;
        for row in 0..self.base {
            let length = self.base - row;
            let begin = bodies.len() as u32;
            for k in 0..length {
                let x = pitch * (f64::from(k) - 0.5 * f64::from(length - 1));
                let centre = DVec3::new(x, (f64::from(row) + 0.5) * self.edge, 0.0);
                let name = format!("row {} box {}", row + 1, k + 1);
                bodies.push(first.copy(name, &Pose::from_parts(centre, DQuat::IDENTITY))?);
                let id = BodyId::new(begin + k);
                match row_below {
                    None => {
                        let area = self.edge * self.edge;
                        pairs.push(PairTruth::interface(BodyId::new(0), id, DVec3::Y, 4, area));
                    }
                    Some(below) => {
                        let area = self.edge * (self.edge - self.gap) / 2.0;
                        let on = |n: u32| PairTruth::interface(BodyId::new(below + n), id, DVec3::Y, 4, area);
                        pairs.extend([on(k), on(k + 1)]);
                    }
                }
            }
            row_below = Some(begin);
        }
        pairs.compact_sort_by_key(|pair| (pair.a, pair.b));
        Ok(BuiltIn::Pyramid.of_bodies(bodies, materials, Truth { pairs }))
    }
}
