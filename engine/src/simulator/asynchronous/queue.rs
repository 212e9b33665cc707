//! The queue of events: an indexed heap with four children a node, over events that are numbered densely.
//!
//! Every event is queued once at most, so that it can be moved. The order is total: by time, then by rank, then by number.

use serde::{Deserialize, Serialize};

use super::clock::Ticks;

/// Children of a node.
const CHILDREN: usize = 4;

/// Marks an event that is not queued.
const ABSENT: u32 = u32::MAX;

/// Events by time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EventQueue {
    heap: Vec<(Ticks, u32)>,
    /// Where in the heap each event is.
    places: Vec<u32>,
    /// Of each event.
    ranks: Vec<u64>,
}

impl EventQueue {
    /// How many events are queued.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Says which of several events at one time comes first: that with the lowest rank. It is zero unless it is set.
    ///
    /// # Panics
    /// If the event is queued.
    pub fn set_rank(&mut self, event: u32, rank: u64) {
        self.make_room(event);
        assert_eq!(self.places[event as usize], ABSENT, "a queued event keeps its rank");
        self.ranks[event as usize] = rank;
    }

    fn make_room(&mut self, event: u32) {
        let index = event as usize;
        if index >= self.places.len() {
            self.places.resize(index + 1, ABSENT);
            self.ranks.resize(index + 1, 0);
        }
    }

    /// Whether heap and places fit together: not so of one that was not written by this program.
    pub(super) fn is_consistent(&self) -> bool {
        let is_at =
            |(place, (_, event)): (usize, &(Ticks, u32))| self.places.get(*event as usize) == Some(&(place as u32));
        let queued = self.places.iter().filter(|place| **place != ABSENT).count();
        self.ranks.len() == self.places.len() && queued == self.heap.len() && self.heap.iter().enumerate().all(is_at)
    }

    /// Queues an event, or moves it to another time.
    pub fn schedule(&mut self, event: u32, time: Ticks) {
        self.make_room(event);
        let index = event as usize;
        let place = self.places[index];
        if place == ABSENT {
            self.heap.push((time, event));
            self.rise(self.heap.len() - 1);
        } else {
            self.heap[place as usize].0 = time;
            self.settle(place as usize);
        }
    }

    /// Takes an event out, if it is queued.
    pub fn cancel(&mut self, event: u32) {
        let Some(&place) = self.places.get(event as usize).filter(|place| **place != ABSENT) else { return };
        self.remove(place as usize);
    }

    /// All events that are queued, earliest first.
    pub fn in_order(&self) -> Vec<(Ticks, u32)> {
        let mut events = self.heap.clone();
        events.sort_unstable_by_key(|&(time, event)| (time, self.ranks[event as usize], event));
        events
    }

    /// All that are queued, in no order.
    pub(super) fn events(&self) -> impl Iterator<Item = (Ticks, u32)> {
        self.heap.iter().copied()
    }

    /// The earliest event.
    pub fn first(&self) -> Option<(Ticks, u32)> {
        self.heap.first().copied()
    }

    /// Takes the earliest event out.
    pub fn pop(&mut self) -> Option<(Ticks, u32)> {
        let first = self.first()?;
        self.remove(0);
        Some(first)
    }

    fn remove(&mut self, place: usize) {
        let (_, event) = self.heap.swap_remove(place);
        self.places[event as usize] = ABSENT;
        if place < self.heap.len() {
            self.settle(place);
        }
    }

    /// Brings an entry up or down to where it belongs.
    fn settle(&mut self, place: usize) {
        let risen = self.rise(place);
        if risen == place {
            self.sink(place);
        }
    }

    fn rise(&mut self, mut place: usize) -> usize {
        let entry = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / CHILDREN;
            if !self.is_before(entry, self.heap[parent]) {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, entry);
        place
    }

    fn sink(&mut self, mut place: usize) {
        let entry = self.heap[place];
        loop {
            let first = CHILDREN * place + 1;
            let children = first..(first + CHILDREN).min(self.heap.len());
            let earlier = |a: usize, b: usize| if self.is_before(self.heap[b], self.heap[a]) { b } else { a };
            let Some(least) = children.reduce(earlier) else { break };
            if !self.is_before(self.heap[least], entry) {
                break;
            }
            self.put(place, self.heap[least]);
            place = least;
        }
        self.put(place, entry);
    }

    fn is_before(&self, first: (Ticks, u32), second: (Ticks, u32)) -> bool {
        let rank = |event: u32| self.ranks[event as usize];
        first.0 < second.0 || first.0 == second.0 && (rank(first.1), first.1) < (rank(second.1), second.1)
    }

    fn put(&mut self, place: usize, entry: (Ticks, u32)) {
        self.heap[place] = entry;
        self.places[entry.1 as usize] = place as u32;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use drystone_contact::split_mix::SplitMix;

    use super::*;

    #[test]
    fn it_is_a_sorted_set_by_time_rank_and_number() {
        let mut random = SplitMix::new(1);
        let (mut queue, mut set, mut times) = (EventQueue::default(), BTreeSet::new(), BTreeMap::new());
        // Even events have a rank that falls with their number.
        let rank = |event: u32| if event.is_multiple_of(2) { u64::from(1000 - event / 8) } else { 0 };
        (0..300).for_each(|event| queue.set_rank(event, rank(event)));
        for step in 0..20_000 {
            let event = random.next_between(0.0, 300.0) as u32;
            match random.next_between(0.0, 8.0) as u32 {
                0 => {
                    queue.cancel(event);
                    if let Some(time) = times.remove(&event) {
                        set.remove(&(time, rank(event), event));
                    }
                }
                1 | 2 => {
                    let first = set.pop_first().map(|(time, _, event)| (time, event));
                    assert_eq!(queue.pop(), first, "step {step}");
                    if let Some((_, event)) = first {
                        times.remove(&event);
                    }
                }
                _ => {
                    let time = Ticks(random.next_between(0.0, 50.0) as u64);
                    queue.schedule(event, time);
                    if let Some(before) = times.insert(event, time) {
                        set.remove(&(before, rank(event), event));
                    }
                    set.insert((time, rank(event), event));
                }
            }
            assert_eq!(
                (queue.len(), queue.first()),
                (set.len(), set.first().map(|(time, _, event)| (*time, *event))),
                "step {step}"
            );
            assert_eq!(queue.is_empty(), set.is_empty());
            if step % 500 == 0 {
                let events: Vec<(Ticks, u32)> = set.iter().map(|&(time, _, event)| (time, event)).collect();
                assert_eq!(queue.in_order(), events);
            }
        }
    }
}
