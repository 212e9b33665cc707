//! Noticing that a search goes round in a circle (Brent 1980): the pair is compared with that of the last step whose
//! number was a power of two.

use crate::shape::features::FeatureId;

/// Watches the pairs of a search.
pub(super) struct Cycle {
    saved: [FeatureId; 2],
    steps: u32,
    next: u32,
}

impl Cycle {
    #[inline(always)]
    pub fn new(start: [FeatureId; 2]) -> Self {
        Self { saved: start, steps: 0, next: 1 }
    }

    /// Whether a pair was there before.
    #[inline(always)]
    pub fn closes_at(&mut self, pair: [FeatureId; 2]) -> bool {
        if pair == self.saved {
            return true;
        }
        self.steps += 1;
        if self.steps == self.next {
            self.saved = pair;
            self.next *= 2;
        }
        false
    }
}
