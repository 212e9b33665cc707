//! Random numbers from a seed, the same everywhere.

use drystone_contact::split_mix::SplitMix;
use glam::{DQuat, DVec3};

/// The state.
#[derive(Clone)]
pub struct Random(SplitMix);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Self(SplitMix::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)));
        random.bits();
        random
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_bits()
    }

    /// A number in [0, 1).
    pub fn share(&mut self) -> f64 {
        self.0.next_fraction()
    }

    /// A number between two.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    /// A number between two positive ones, every order of magnitude equally likely.
    pub fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.share())
    }

    /// A whole number below n.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.next_below(n)
    }

    /// Yes, with a probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.share() < probability
    }

    /// A point in the cube from −1 to 1.
    pub fn point(&mut self) -> DVec3 {
        DVec3::from_array([0; 3].map(|_| self.between(-1.0, 1.0)))
    }

    /// A unit vector.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let p = self.point();
            if p.length() > 0.1 && p.length() <= 1.0 {
                return p.normalize();
            }
        }
    }

    /// A rotation.
    pub fn rotation(&mut self) -> DQuat {
        loop {
            let q = DQuat::from_array([0; 4].map(|_| self.between(-1.0, 1.0)));
            if q.length() > 0.1 && q.length() <= 1.0 {
                return q.normalize();
            }
        }
    }

    /// One of the 24 rotations of the cube, exactly.
    pub fn cube_rotation(&mut self) -> DQuat {
        let quarter = std::f64::consts::FRAC_1_SQRT_2;
        let turn = |random: &mut Self, axis: DVec3| match random.below(4) {
            0 => DQuat::IDENTITY,
            1 => DQuat::from_vec4((axis * quarter).extend(quarter)),
            2 => DQuat::from_vec4(axis.extend(0.0)),
            _ => DQuat::from_vec4((-axis * quarter).extend(quarter)),
        };
        turn(self, DVec3::X) * turn(self, DVec3::Y) * turn(self, DVec3::Z)
    }
}
