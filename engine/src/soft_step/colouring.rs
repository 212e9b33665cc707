//! Graph colouring: manifolds that share no body that yields get one colour and can be solved side by side.
//!
//! Each manifold in its order gets the first colour that neither of its bodies has; the colours follow from the
//! manifolds alone, whatever the number of threads. Each [batch](super::batches) has its own order.

use super::lanes::LANES;
use std::ops::Range;

/// No body, and no manifold.
pub const NONE: u32 = u32::MAX;

/// Colours of one manifold at most; what needs more is solved by itself, in order.
const MAX_COLOURS: u32 = 63;

/// Groups of manifolds of one colour with about the same number of points.
const CLASSES: usize = 7;

/// Groups of all colours; what is solved by itself is behind them.
const GROUPS: usize = MAX_COLOURS as usize * CLASSES;

/// The group of its colour for a manifold of so many points, those with the most first: one, two, three, four, up to 8, up to 16, and more.
fn class(points: u32) -> usize {
    let place = match points {
        0..=4 => points.max(1),
        5..=8 => 5,
        9..=16 => 6,
        _ => 7,
    };
    CLASSES - place as usize
}

/// The order in which manifolds are solved.
#[derive(Clone, Debug, Default)]
pub struct Colouring {
    /// Manifolds, eight side by side; [`NONE`] where there are fewer.
    pub order: Vec<[u32; LANES]>,
    /// The place of each manifold in the order: its eight, and the lane there.
    pub slots: Vec<(u32, u32)>,
    /// Where the eights of each colour end, batch after batch.
    pub ends: Vec<usize>,
    /// Where the colours of each batch end.
    pub batch_ends: Vec<usize>,
    masks: Vec<u64>,
    /// The group of each manifold: those of one colour with about the same number of points.
    groups: Vec<u32>,
    /// The manifolds, batch after batch, group after group.
    pub sorted: Vec<u32>,
    /// Where each group of each batch begins among them, then where it ends.
    places: Vec<u32>,
}

impl Colouring {
    /// The colours of a batch.
    pub fn colours_of(&self, batch: usize) -> Range<usize> {
        let begin = if batch == 0 { 0 } else { self.batch_ends[batch - 1] };
        begin..self.batch_ends[batch]
    }

    /// Where a colour begins.
    fn begin_of(&self, colour: usize) -> usize {
        if colour == 0 { 0 } else { self.ends[colour - 1] }
    }

    /// The eights of a batch.
    pub fn eights_of(&self, batch: usize) -> Range<usize> {
        let colours = self.colours_of(batch);
        self.begin_of(colours.start)..self.begin_of(colours.end)
    }

    /// Colours manifolds, each given by its bodies ([`NONE`] for one that does not yield), its number of points, so that those
    /// with about the same number come side by side, and its batch; batches share no body that yields.
    pub fn colour(
        &mut self,
        (bodies, batches): (usize, usize),
        manifolds: impl Iterator<Item = ([u32; 2], u32, u32)> + Clone,
    ) {
        self.masks.clear();
        self.masks.resize(bodies, 0);
        self.groups.clear();
        let mut groups = CLASSES as u32;
        for (bodies, points, _) in manifolds.clone() {
            let mut mask = 0;
            for &body in bodies.iter().filter(|&&body| body != NONE) {
                mask |= self.masks[body as usize];
            }
            let colour = (!mask).trailing_zeros().min(MAX_COLOURS) as usize;
            for &body in bodies.iter().filter(|&&body| body != NONE) {
                self.masks[body as usize] |= 1 << colour;
            }
            let group = (colour * CLASSES + class(points)).min(GROUPS) as u32;
            groups = groups.max((group / CLASSES as u32 + 1) * CLASSES as u32);
            self.groups.push(group);
        }
        // Batch after batch, group after group, each in the order of its manifolds.
        let groups = groups as usize;
        self.places.clear();
        self.places.resize(groups * batches, 0);
        for (group, (_, _, batch)) in self.groups.iter_mut().zip(manifolds) {
            *group += groups as u32 * batch;
            self.places[*group as usize] += 1;
        }
        let mut count = 0;
        for place in &mut self.places {
            count += std::mem::replace(place, count);
        }
        let count = count as usize;
        self.sorted.resize(count, NONE);
        for (k, &group) in (0..).zip(&self.groups) {
            let place = &mut self.places[group as usize];
            self.sorted[*place as usize] = k;
            *place += 1;
        }
        self.order.clear();
        self.ends.clear();
        self.batch_ends.clear();
        self.slots.resize(count, (0, 0));
        // By now the places are where the groups end.
        let mut begin = 0;
        for batch in 0..batches {
            for group in (CLASSES - 1..groups).step_by(CLASSES) {
                let end = self.places[batch * groups + group] as usize;
                if group < GROUPS {
                    self.add_colour(begin..end);
                } else {
                    // A manifold of the last group may share bodies with others of it: each has a colour of its own.
                    (begin..end).for_each(|k| self.add_colour(k..k + 1));
                }
                begin = end;
            }
            self.batch_ends.push(self.ends.len());
        }
    }

    /// Puts manifolds behind the others, as a colour of their own if there are any.
    fn add_colour(&mut self, sorted: Range<usize>) {
        for eight in self.sorted[sorted.clone()].chunks(LANES) {
            for (lane, &k) in (0..).zip(eight) {
                self.slots[k as usize] = (self.order.len() as u32, lane);
            }
            self.order.push(std::array::from_fn(|lane| eight.get(lane).copied().unwrap_or(NONE)));
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
            ends in prop::collection::vec((0u32..40, 0u32..40, 1u32..40), 0..300),
        ) {
            let manifolds: Vec<([u32; 2], u32)> = ends
                .into_iter()
                .filter(|(a, b, _)| a != b)
                // Two of the bodies do not yield; one has so many contacts that the colours run out.
                .map(|(a, b, points)| ([a, b].map(|x| if x < 2 { NONE } else if x < 20 { 2 } else { x }), points))
                .filter(|([a, b], _)| a != b && (*a == NONE || *b == NONE || (*a < 20) == (*b < 20)))
                .collect();
            let mut colouring = Colouring::default();
            // The bodies from 20 on are in a batch of their own, with those that do not yield.
            let batch = |bodies: [u32; 2]| u32::from(bodies.iter().any(|&body| body != NONE && body >= 20));
            let manifolds: Vec<_> = manifolds.into_iter().map(|(bodies, points)| (bodies, points, batch(bodies))).collect();
            colouring.colour((40, 2), manifolds.iter().copied());
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
            for batch in 0..2 {
                for &k in colouring.order[colouring.eights_of(batch)].iter().flatten().filter(|&&k| k != NONE) {
                    prop_assert_eq!(manifolds[k as usize].2, batch as u32);
                }
            }
            prop_assert_eq!(colouring.eights_of(1).end, colouring.order.len());
            prop_assert!(seen.iter().all(|&times| times == 1));
            prop_assert_eq!(colouring.slots.len(), manifolds.len());
            for (k, &(eight, lane)) in (0..).zip(&colouring.slots) {
                prop_assert_eq!(colouring.order[eight as usize][lane as usize], k);
            }
        }
    }
}
