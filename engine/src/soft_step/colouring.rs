//! Graph colouring: manifolds that share no body that yields get one colour and can be solved side by side.
//!
//! Each manifold in its order gets the first colour that neither of its bodies has; the colours follow from the
//! manifolds alone, whatever the number of threads.

use super::constraint::MAX_POINTS;
use super::lanes::LANES;
use std::ops::Range;

/// No body, and no manifold.
pub const NONE: u32 = u32::MAX;

/// Colours of one manifold at most; what needs more is solved by itself, in order.
const MAX_COLOURS: u32 = 63;

/// Groups of manifolds of one colour with the same number of points; what is solved by itself is behind them.
const GROUPS: usize = MAX_COLOURS as usize * MAX_POINTS;

/// The order in which manifolds are solved.
#[derive(Clone, Debug, Default)]
pub struct Colouring {
    /// Manifolds, four side by side; [`NONE`] where there are fewer.
    pub order: Vec<[u32; LANES]>,
    /// The place of each manifold in the order: its four, and the lane there.
    pub slots: Vec<(u32, u32)>,
    /// Where the fours of each colour end.
    pub ends: Vec<usize>,
    masks: Vec<u64>,
    /// The group of each manifold: those of one colour with the same number of points.
    groups: Vec<u32>,
    /// The manifolds, group after group.
    sorted: Vec<u32>,
}

impl Colouring {
    /// The fours of the largest colour.
    pub fn widest(&self) -> usize {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        self.ends.iter().zip(begins).map(|(end, begin)| end - begin).max().unwrap_or(0)
    }

    /// Colours manifolds, each given by its bodies ([`NONE`] for one that does not yield) and its number of points, so that those
    /// with the same number come side by side.
    pub fn colour(&mut self, bodies: usize, manifolds: impl Iterator<Item = ([u32; 2], u32)>) {
        self.masks.clear();
        self.masks.resize(bodies, 0);
        self.groups.clear();
        let mut sizes = [0; GROUPS + 1];
        for (bodies, points) in manifolds {
            let mut mask = 0;
            for &body in bodies.iter().filter(|&&body| body != NONE) {
                mask |= self.masks[body as usize];
            }
            let colour = (!mask).trailing_zeros().min(MAX_COLOURS) as usize;
            for &body in bodies.iter().filter(|&&body| body != NONE) {
                self.masks[body as usize] |= 1 << colour;
            }
            let group = (colour * MAX_POINTS + MAX_POINTS - (points as usize).clamp(1, MAX_POINTS)).min(GROUPS);
            sizes[group] += 1;
            self.groups.push(group as u32);
        }
        // Group after group, each in the order of its manifolds.
        let mut count = 0;
        let mut places = sizes.map(|size| {
            count += size;
            count - size
        });
        self.sorted.resize(count, NONE);
        for (k, &group) in (0..).zip(&self.groups) {
            let place = &mut places[group as usize];
            self.sorted[*place] = k;
            *place += 1;
        }
        self.order.clear();
        self.ends.clear();
        self.slots.resize(count, (0, 0));
        // By now the places are where the groups end.
        let mut begin = 0;
        for &end in places[..GROUPS].iter().skip(MAX_POINTS - 1).step_by(MAX_POINTS) {
            self.add_colour(begin..end);
            begin = end;
        }
        // A manifold of the last group may share bodies with others of it: each has a colour of its own.
        (begin..count).for_each(|k| self.add_colour(k..k + 1));
    }

    /// Puts manifolds behind the others, as a colour of their own if there are any.
    fn add_colour(&mut self, sorted: Range<usize>) {
        for four in self.sorted[sorted.clone()].chunks(LANES) {
            for (lane, &k) in (0..).zip(four) {
                self.slots[k as usize] = (self.order.len() as u32, lane);
            }
            self.order.push(std::array::from_fn(|lane| four.get(lane).copied().unwrap_or(NONE)));
        }
        if !sorted.is_empty() {
            self.ends.push(self.order.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_two_of_a_colour_share_a_body_and_none_is_lost(
            ends in prop::collection::vec((0u32..40, 0u32..40, 1u32..5), 0..300),
        ) {
            let manifolds: Vec<([u32; 2], u32)> = ends
                .into_iter()
                .filter(|(a, b, _)| a != b)
                // Two of the bodies do not yield; one has so many contacts that the colours run out.
                .map(|(a, b, points)| ([a, b].map(|x| if x < 2 { NONE } else if x < 20 { 2 } else { x }), points))
                .filter(|([a, b], _)| a != b)
                .collect();
            let mut colouring = Colouring::default();
            colouring.colour(40, manifolds.iter().copied());
            let mut seen = vec![0; manifolds.len()];
            let mut begin = 0;
            for &end in &colouring.ends {
                let mut used = [false; 40];
                for &k in colouring.order[begin..end].iter().flatten().filter(|&&k| k != NONE) {
                    seen[k as usize] += 1;
                    for body in manifolds[k as usize].0.into_iter().filter(|&body| body != NONE) {
                        prop_assert!(!std::mem::replace(&mut used[body as usize], true));
                    }
                }
                begin = end;
            }
            prop_assert!(seen.iter().all(|&times| times == 1));
            prop_assert_eq!(colouring.slots.len(), manifolds.len());
            for (k, &(four, lane)) in (0..).zip(&colouring.slots) {
                prop_assert_eq!(colouring.order[four as usize][lane as usize], k);
            }
        }
    }
}
