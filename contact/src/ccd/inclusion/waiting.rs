//! The boxes that wait to be looked at.

use super::domain::Domain;
use super::look::Look;
use crate::ccd::Kind;
use arrayvec::ArrayVec;

/// So many boxes wait before only the last one is taken.
const IN_TURN: usize = 96;

/// The most that then come to it: a box is halved about 60 times in each of three variables before rounding forbids more, and
/// each time leaves one waiting. Where axes of very different scale allow more, the last box is taken as it is.
const DEPTH: usize = 192;

/// Boxes in the order in which they were divided, on the stack.
pub(super) struct Waiting {
    boxes: ArrayVec<Domain, { IN_TURN + DEPTH }>,
    turn: bool,
}

impl Waiting {
    #[inline(always)]
    pub fn new(first: Domain) -> Self {
        let mut boxes = ArrayVec::new();
        boxes.push(first);
        Self { boxes, turn: false }
    }

    /// In turn the last box, which leads to some contact soonest, and the earliest one, which leads to the first contact.
    /// The last alone can creep along a curve of contacts, a tolerance at a time; the earliest alone divides all boxes of a
    /// curve of contacts at one time before it finishes any.
    #[inline(always)]
    pub fn take(&mut self) -> Option<Domain> {
        self.turn = !self.turn;
        if self.turn || self.boxes.len() < 2 || self.boxes.len() > IN_TURN {
            return self.boxes.pop();
        }
        let mut earliest = self.boxes.len() - 1;
        for i in (0..earliest).rev() {
            if self.boxes[i][0].lo < self.boxes[earliest][0].lo {
                earliest = i;
            }
        }
        Some(self.boxes.remove(earliest))
    }

    /// The box that was just taken and narrowed is next again.
    #[inline(always)]
    pub fn again(&mut self, domain: Domain) {
        self.turn = false;
        self.boxes.push(domain);
    }

    /// The halves of a box across the variable along which F varies most, the lower one last. False, and nothing is put,
    /// if there is nothing between the ends of any, or no room.
    #[inline(always)]
    pub fn halve(&mut self, seen: &Look, kind: Kind, domain: Domain) -> bool {
        let taylor = &seen.taylor;
        let derivatives = [taylor.by_t, taylor.by_u, taylor.by_v];
        let mut widest = None;
        let mut most = -1.0;
        for i in 0..3 {
            let extent = derivatives[i].abs().max_element() * seen.half[i];
            let middle = domain[i].middle();
            if extent > most && domain[i].lo < middle && middle < domain[i].hi {
                (widest, most) = (Some((i, middle)), extent);
            }
        }
        let Some((which, middle)) = widest.filter(|_| self.boxes.remaining_capacity() >= 2) else { return false };
        let (mut lower, mut upper) = (domain, domain);
        lower[which].hi = middle;
        upper[which].lo = middle;
        // A sum that rounds to more than 1 is more than 1.
        if kind == Kind::EdgeEdge || upper[1].lo + upper[2].lo <= 1.0 {
            self.boxes.push(upper);
        }
        self.boxes.push(lower);
        true
    }

    /// The earliest time in any of them, or this one.
    pub fn earliest(&self, time: f64) -> f64 {
        self.boxes.iter().fold(time, |time, other| time.min(other[0].lo))
    }
}
