//! A spike stands on its apex, exactly on an edge of a block.
//!
//! Apex and edge are convex, so that one plane parts the bodies, any of those between the top of the block, (0, 1, 0), and
//! the side of the spike, (γ, β, 0). At rest no motion tells them apart; the one nearest to the direction from the centre of
//! the block to that of the spike is the top. It is also the one that carries the spike, whose centre of mass is above its
//! apex: across any other it would start to slide off. One contact.

use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
use drystone_engine::Pose;
use glam::{DQuat, DVec3};

use super::{Extended, STONE, fixed, only_pair};
use crate::builtin;
use crate::cases::DENSITY;
use crate::scene::{BodyProblem, Scene};
use crate::solids::{Proportions, cuboid, spike};

/// The spike, of slope 3.
const SPIKE: Proportions = Proportions { height: 1.5, half_base: 0.5 };

/// The scene.
///
/// # Errors
/// See [`Extended::scene`].
pub fn scene() -> Result<Scene, BodyProblem> {
    let solid = |surface: &Surface| Shape::from_surface(surface, &TetrahedralizationSettings::default());
    let block = solid(&cuboid(DVec3::new(-1.0, -1.0, -1.0), DVec3::new(0.0, 0.0, 1.0))?)?;
    let apex_down = Pose::from_parts(DVec3::Y * SPIKE.height, DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0));
    let spike = builtin::moving("spike", &solid(&spike(SPIKE)?)?, DENSITY, apex_down, DVec3::ZERO, STONE)?;
    Extended::TipOnCliff.of_bodies(vec![fixed("block", &block)?, spike], only_pair(vec![DVec3::Y], 1))
}
