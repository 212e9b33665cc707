//! Drystone in a browser: a cube falls on the ground, bounces a little and comes to rest; and [`motions`] by every solver.
//!
//! The functions of [`exports`] are what a page calls; `cargo run -p drystone-wasm --bin wasm-page` writes one. All motions are the same on
//! every machine, to the last bit.

mod digest;
pub mod motions;

use drystone_engine::glam::{DQuat, DVec3};
use drystone_engine::{BodyHandle, Friction, Interaction, Pose, Solid, World};

use digest::Digest;

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

    /// The digest of positions, rotations and velocities of all bodies.
    pub fn checksum(&self) -> u64 {
        let mut digest = Digest::default();
        digest.bodies(&self.world);
        digest.value()
    }
}

/// What a page calls: numbers go in and out. The world is one of the module's own, which `start` makes. Their names are not mangled, which is
/// an unsafe attribute: nothing else in the program has them.
pub mod exports {
    use super::Falling;
    use super::motions::MOTIONS;
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

    /// How many motions there are.
    #[unsafe(no_mangle)]
    pub extern "C" fn motions() -> usize {
        MOTIONS.len()
    }

    /// Where the name of a motion lies in the memory of the module, `motion_name_length` bytes of UTF-8; null if there is no such motion.
    #[unsafe(no_mangle)]
    pub extern "C" fn motion_name(motion: usize) -> *const u8 {
        MOTIONS.get(motion).map_or(std::ptr::null(), |(name, _)| name.as_ptr())
    }

    /// The length of the name of a motion, bytes; 0 if there is no such motion.
    #[unsafe(no_mangle)]
    pub extern "C" fn motion_name_length(motion: usize) -> usize {
        MOTIONS.get(motion).map_or(0, |(name, _)| name.len())
    }

    /// Makes a motion. Returns the digest of its bits; 0 if that failed or there is no such motion.
    #[unsafe(no_mangle)]
    pub extern "C" fn motion_digest(motion: usize) -> u64 {
        MOTIONS.get(motion).and_then(|(_, digest)| digest().ok()).unwrap_or(0)
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

    #[test]
    fn there_are_no_motions_but_those() {
        let past = exports::motions();
        assert!(exports::motion_name(past).is_null());
        assert_eq!((exports::motion_name_length(past), exports::motion_digest(past)), (0, 0));
    }
}
