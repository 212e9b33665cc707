//! How often which times occur, in bins of equal ratio.

use serde::{Deserialize, Serialize};

/// Counts of times in bins whose edges are powers of ten, and what lies evenly in between.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogHistogram {
    /// Bin k is from 10^(k/5 − 9) s up to the next; the outer ones also hold what lies beyond.
    pub counts: Vec<u64>,
}

impl LogHistogram {
    /// Bins in a factor of ten.
    pub const A_DECADE: usize = 5;

    /// The exponent of ten at the lower edge of the first bin: 1 ns.
    pub const LOWEST: i32 = -9;

    /// The exponent of ten at the upper edge of the last bin: 1000 s.
    pub const HIGHEST: i32 = 3;

    const BINS: usize = (Self::HIGHEST - Self::LOWEST) as usize * Self::A_DECADE;

    /// One more. What is not a number lies below the first bin.
    pub fn add(&mut self, seconds: f64) {
        let place = (libm::log10(seconds) - f64::from(Self::LOWEST)) * Self::A_DECADE as f64;
        // A cast of a negative number or of none gives 0.
        self.counts[(place as usize).min(Self::BINS - 1)] += 1;
    }

    /// The lower edge of bin k, s.
    pub fn edge(k: usize) -> f64 {
        libm::pow(10.0, f64::from(Self::LOWEST) + k as f64 / Self::A_DECADE as f64)
    }
}

impl Default for LogHistogram {
    fn default() -> Self {
        Self { counts: vec![0; Self::BINS] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_is_in_the_bin_with_its_edges() {
        for seconds in [1.1e-9, 3e-8, 2.2e-6, 0.7, 900.0] {
            let mut histogram = LogHistogram::default();
            histogram.add(seconds);
            let bin = histogram.counts.iter().position(|&n| n == 1).unwrap();
            assert!(LogHistogram::edge(bin) <= seconds && seconds < LogHistogram::edge(bin + 1), "{seconds}");
        }
        let mut outside = LogHistogram::default();
        [0.0, 1e-12, f64::NAN, 1e5].into_iter().for_each(|seconds| outside.add(seconds));
        assert_eq!((outside.counts[0], *outside.counts.last().unwrap()), (3, 1));
    }
}
