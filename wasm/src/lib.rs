//! Drystone in a browser: a cube falls on the ground, bounces a little and comes to rest.
//!
//! The functions of [`exports`] are what a page calls; `cargo run -p drystone-wasm --bin wasm-page` writes one. The world is the same on
//! every machine, to the last bit.

use drystone_engine::glam::{DQuat, DVec3};
use drystone_engine::{BodyHandle, Friction, Interaction, Pose, Solid, World};

/// The world of ten lines, with a cube that is turned a little.
pub struct Falling {
    world: World,
    cube: BodyHandle,
}

impl Falling {
    /// The cube above the ground.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn new() -> Result<Self, Box<dyn std::error::Error>> {
        let mut world = World::default();
        let stone = world.materials_mut().add("stone")?;
        world.materials_mut().set(stone, stone, Interaction { friction: Friction::sliding(0.6), restitution: 0.3 })?;
        let ground = Solid::cuboid(DVec3::new(10.0, 1.0, 10.0), 2000.0)?;
        world.add(ground.fixed(stone, Pose::from_translation(DVec3::NEG_Y * 0.5))?)?;
        let pose = Pose::from_parts(DVec3::Y * 1.5, DQuat::from_xyzw(0.1, 0.2, 0.1, 0.97).normalize());
        let cube = world.add(Solid::cuboid(DVec3::ONE, 2000.0)?.dynamic(stone, pose)?)?;
        Ok(Self { world, cube })
    }

    /// One step.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn step(&mut self) -> Result<(), Box<dyn std::error::Error>> {
        self.world.step()?;
        Ok(())
    }

    /// The height of the cube's centre, m.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn height(&self) -> Result<f64, Box<dyn std::error::Error>> {
        Ok(self.world.body(self.cube)?.position.y)
    }

    /// A number that any other bit of the state of a body changes (FNV-1a over positions, rotations and velocities).
    pub fn checksum(&self) -> u64 {
        let numbers = self.world.bodies().iter().flat_map(|body| {
            let (p, q, v, w) = (body.position, body.orientation, body.velocity, body.angular_velocity);
            [p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]
        });
        let bytes = numbers.flat_map(|number| number.to_bits().to_le_bytes());
        bytes.fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
    }
}

/// What a page calls: numbers go in and out. The world is one of the module's own, which `start` makes. Their names are not mangled, which is
/// an unsafe attribute: nothing else in the program has them.
pub mod exports {
    use super::Falling;
    use std::sync::{Mutex, PoisonError};

    static WORLD: Mutex<Option<Falling>> = Mutex::new(None);

    fn with_world<T>(does: impl FnOnce(&mut Falling) -> Option<T>) -> Option<T> {
        WORLD.lock().unwrap_or_else(PoisonError::into_inner).as_mut().and_then(does)
    }

    /// Makes the world anew. Returns 1, or 0 if that failed.
    #[unsafe(no_mangle)]
    pub extern "C" fn start() -> u32 {
        let mut world = WORLD.lock().unwrap_or_else(PoisonError::into_inner);
        *world = Falling::new().ok();
        u32::from(world.is_some())
    }

    /// Makes a step. Returns 1, or 0 if that failed or there is no world.
    #[unsafe(no_mangle)]
    pub extern "C" fn step() -> u32 {
        u32::from(with_world(|world| world.step().ok()).is_some())
    }

    /// The height of the cube, m; not a number if there is no world.
    #[unsafe(no_mangle)]
    pub extern "C" fn height() -> f64 {
        with_world(|world| world.height().ok()).unwrap_or(f64::NAN)
    }

    /// The checksum of the world; 0 if there is none.
    #[unsafe(no_mangle)]
    pub extern "C" fn checksum() -> u64 {
        with_world(|world| Some(world.checksum())).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_are_the_world() {
        assert!(exports::height().is_nan());
        assert_eq!((exports::step(), exports::checksum()), (0, 0));
        assert_eq!(exports::start(), 1);
        let mut world = Falling::new().unwrap();
        for _ in 0..10 {
            world.step().unwrap();
            assert_eq!(exports::step(), 1);
        }
        assert_eq!((exports::height(), exports::checksum()), (world.height().unwrap(), world.checksum()));
        world.step().unwrap();
        assert_ne!(exports::checksum(), world.checksum());
    }
}
