//! What the tests share: worlds with one material, and what must hold of every world.

use drystone_engine::{Friction, Interaction, MaterialId, Pose, Solid, World};
use glam::DVec3;

/// Adds a material with friction and bounce.
pub fn stone(world: &mut World) -> MaterialId {
    let stone = world.materials_mut().add("stone").unwrap();
    let interaction = Interaction { friction: Friction::isotropic(0.6), restitution: 0.3 };
    world.materials_mut().set(stone, stone, interaction).unwrap();
    stone
}

pub fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

/// A cube with sides of a metre and the mass of water.
pub fn cube() -> Solid {
    Solid::cuboid(DVec3::ONE, 1000.0).unwrap()
}

/// A slab with its top at y = 0.
pub fn slab() -> Solid {
    Solid::cuboid(DVec3::new(20.0, 1.0, 20.0), 1000.0).unwrap()
}

/// All numbers of all states are finite, and orientations are rotations.
pub fn is_sound(world: &World) -> bool {
    world.bodies().iter().all(|b| b.state_is_finite() && (b.orientation.length() - 1.0).abs() < 1e-9)
}
