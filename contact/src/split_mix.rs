//! SplitMix64, a small generator of random numbers: the same numbers everywhere, from the seed alone.
//!
//! Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.

use glam::DQuat;

/// The state.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        SplitMix(seed)
    }

    /// The next 64 bits.
    pub fn next_bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next number, in [0, 1).
    pub fn next_fraction(&mut self) -> f64 {
        (self.next_bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The next number, spread evenly from `low` to `high`, which it does not reach.
    pub fn next_between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next_fraction()
    }

    /// The next whole number below `count`, which must be above zero.
    pub fn next_below(&mut self, count: usize) -> usize {
        (self.next_bits() % count as u64) as usize
    }

    /// A rotation, all equally likely (Shoemake 1992).
    pub fn next_rotation(&mut self) -> DQuat {
        let share = self.next_fraction();
        let [first, second] = [0, 1].map(|_| std::f64::consts::TAU * self.next_fraction());
        let (r, s) = ((1.0 - share).sqrt(), share.sqrt());
        let q = [r * libm::sin(first), r * libm::cos(first), s * libm::sin(second), s * libm::cos(second)];
        DQuat::from_array(q).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_reference() {
        // The first output for the seed 0 is e220a8397b1dcdaf.
        assert_eq!(SplitMix::new(0).next_bits(), 0xe220_a839_7b1d_cdaf);
        let first = SplitMix::new(0).next_fraction();
        assert_eq!(first, (0xe220_a839_7b1d_cdaf_u64 >> 11) as f64 / (1u64 << 53) as f64);
        assert_eq!(SplitMix::new(0).next_between(-1.0, 1.0), 2.0 * first - 1.0);
        assert_eq!(SplitMix::new(0).next_below(10), 0xe220_a839_7b1d_cdaf_usize % 10);
    }

    #[test]
    fn rotations_favour_no_direction() {
        let mut sequence = SplitMix::new(1);
        let mut sum = glam::DVec3::ZERO;
        for _ in 0..4000 {
            let rotation = sequence.next_rotation();
            assert!(rotation.is_normalized());
            sum += rotation * glam::DVec3::X;
        }
        assert!(sum.length() / 4000.0 < 0.05);
    }
}
