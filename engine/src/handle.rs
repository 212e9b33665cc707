//! Handles: names of bodies that outlive removals.

use serde::{Deserialize, Serialize};

/// A body of a simulator. A handle stays the same while the body lives; when the body is removed its handle becomes stale,
/// and no later body gets an equal one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BodyHandle {
    slot: u32,
    generation: u32,
}

impl BodyHandle {
    pub(crate) fn slot(self) -> u32 {
        self.slot
    }

    /// The handle as a number, for programs in other languages. A number of no body is as a stale handle.
    pub fn to_bits(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.slot)
    }

    /// The handle of [`BodyHandle::to_bits`].
    pub fn from_bits(bits: u64) -> Self {
        Self { slot: bits as u32, generation: (bits >> 32) as u32 }
    }
}

impl std::fmt::Display for BodyHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "body {}.{}", self.slot, self.generation)
    }
}

/// A slot: how many bodies it has had before, and the index of its body in the dense list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Slot {
    generation: u32,
    index: Option<u32>,
}

/// From handles to indices in the dense list, which is in the order of insertion.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Handles {
    slots: Vec<Slot>,
    /// Free slots; the last one is taken next.
    free: Vec<u32>,
    /// The handles by index.
    dense: Vec<BodyHandle>,
}

impl Handles {
    /// A handle for a body at the end of the dense list; `None` if there are as many as can be counted.
    pub fn insert(&mut self) -> Option<BodyHandle> {
        let index = u32::try_from(self.dense.len()).ok().filter(|&n| n < u32::MAX)?;
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = u32::try_from(self.slots.len()).ok()?;
                self.slots.push(Slot { generation: 0, index: None });
                slot
            }
        };
        let entry = &mut self.slots[slot as usize];
        entry.index = Some(index);
        let handle = BodyHandle { slot, generation: entry.generation };
        self.dense.push(handle);
        Some(handle)
    }

    /// Takes a body out and returns its index; the bodies behind it move up. `None` for a stale handle.
    pub fn remove(&mut self, handle: BodyHandle) -> Option<usize> {
        let index = self.index(handle)?;
        self.dense.remove(index);
        let slot = &mut self.slots[handle.slot as usize];
        slot.index = None;
        // A slot whose generations are used up is never taken again.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(handle.slot);
        }
        for (index, handle) in (0u32..).zip(&self.dense).skip(index) {
            self.slots[handle.slot as usize].index = Some(index);
        }
        Some(index)
    }

    /// The index of a body in the dense list; `None` for a stale handle.
    pub fn index(&self, handle: BodyHandle) -> Option<usize> {
        let slot = self.slots.get(handle.slot as usize).filter(|slot| slot.generation == handle.generation)?;
        slot.index.map(|index| index as usize)
    }

    /// The index of the body in a slot.
    pub fn index_of_slot(&self, slot: u32) -> Option<usize> {
        self.slots.get(slot as usize)?.index.map(|index| index as usize)
    }

    /// The handles in the order of the dense list.
    pub fn dense(&self) -> &[BodyHandle] {
        &self.dense
    }

    /// Whether slots, indices and free slots fit together, as they do unless they come from a damaged file.
    pub fn are_consistent(&self) -> bool {
        let named = self.dense.iter().enumerate().all(|(index, &handle)| self.index(handle) == Some(index));
        let occupied = self.slots.iter().filter(|slot| slot.index.is_some()).count();
        let mut free = self.free.clone();
        free.sort_unstable();
        free.dedup();
        let is_free = |slot: &u32| self.slots.get(*slot as usize).is_some_and(|slot| slot.index.is_none());
        named && occupied == self.dense.len() && free.len() == self.free.len() && free.iter().all(is_free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a plain list of names in the order of insertion.
        #[test]
        fn the_order_is_that_of_insertion(commands in prop::collection::vec((any::<bool>(), 0usize..40), 0..200)) {
            let mut handles = Handles::default();
            let mut alive: Vec<BodyHandle> = Vec::new();
            let mut dead: Vec<BodyHandle> = Vec::new();
            for (add, choice) in commands {
                if add || alive.is_empty() {
                    let handle = handles.insert().unwrap();
                    prop_assert!(!alive.contains(&handle) && !dead.contains(&handle));
                    alive.push(handle);
                } else {
                    let index = choice % alive.len();
                    let handle = alive.remove(index);
                    prop_assert_eq!(handles.remove(handle), Some(index));
                    dead.push(handle);
                }
                prop_assert_eq!(handles.dense(), &alive[..]);
                prop_assert!(alive.iter().enumerate().all(|(i, &h)| handles.index(h) == Some(i)));
                prop_assert!(dead.iter().all(|&h| handles.index(h).is_none() && handles.clone().remove(h).is_none()));
                prop_assert!(handles.are_consistent());
                prop_assert!(alive.iter().chain(&dead).all(|&h| BodyHandle::from_bits(h.to_bits()) == h));
            }
        }
    }
}
