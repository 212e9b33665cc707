//! Random numbers that are the same on every machine.

use drystone_contact::split_mix::SplitMix;
use glam::DVec3;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(SplitMix);

impl Random {
    /// The seed alone decides what comes.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed))
    }

    /// The numbers of one of many runs with one seed.
    pub fn of_run(seed: u64, run: u64) -> Self {
        Self::new(Self::new(seed).bits() ^ Self::new(!run).bits())
    }

    fn bits(&mut self) -> u64 {
        self.0.next_bits()
    }

    /// A number spread evenly from `low` to `high`, which it does not reach.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.next_between(low, high)
    }

    /// A unit vector spread evenly over all directions.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let square = v.length_squared();
            // The unit ball without its middle, where few digits are left.
            if square <= 1.0 && square > 1e-6 {
                return v / square.sqrt();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fill_their_range_and_directions_the_sphere() {
        let mut random = Random::new(3);
        let numbers: Vec<f64> = (0..10_000).map(|_| random.between(-2.0, 4.0)).collect();
        assert!(numbers.iter().all(|x| (-2.0..4.0).contains(x)));
        assert!((numbers.iter().sum::<f64>() / 1e4 - 1.0).abs() < 0.1);
        let directions: Vec<DVec3> = (0..10_000).map(|_| random.direction()).collect();
        assert!(directions.iter().all(|d| d.is_normalized()));
        assert!((directions.iter().sum::<DVec3>() / 1e4).abs().max_element() < 0.03);
        assert!((directions.iter().map(|d| d * d).sum::<DVec3>() / 1e4 - 1.0 / 3.0).abs().max_element() < 0.02);
    }

    #[test]
    fn every_run_has_its_own_numbers() {
        let first = |seed, run| Random::of_run(seed, run).bits();
        assert_eq!(first(1, 2), first(1, 2));
        let mut all: Vec<u64> = (0..10).flat_map(|seed| (0..10).map(move |run| first(seed, run))).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 100);
    }
}
