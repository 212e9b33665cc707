//! A number that any other bit of what it is fed changes.

use drystone_engine::World;
use drystone_engine::glam::DVec3;

/// FNV-1a, 64 bits, over the bytes of numbers.
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// The digest of what was fed so far.
    pub fn value(&self) -> u64 {
        self.0
    }

    /// One number.
    pub fn feed(&mut self, number: f64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The three numbers of a vector.
    pub fn vector(&mut self, vector: DVec3) {
        vector.to_array().into_iter().for_each(|x| self.feed(x));
    }

    /// Positions, rotations and velocities of all bodies.
    pub fn bodies(&mut self, world: &World) {
        for body in world.bodies() {
            self.vector(body.position);
            body.orientation.to_array().into_iter().for_each(|x| self.feed(x));
            self.vector(body.velocity);
            self.vector(body.angular_velocity);
        }
    }
}
