//! The broad phase: which boxes overlap, without looking at all pairs.
//!
//! A [`BoundsTree`] finds the candidates; the boxes themselves decide. What comes out is therefore the set of overlapping pairs in
//! ascending order, whatever the shape of the tree and whoever came first.

use drystone_contact::BoundsTree;
use drystone_contact::parallel::prelude::*;
use std::collections::BTreeSet;

pub use drystone_contact::Bounds;

/// Pairs that a thread takes at least.
const PAIRS_PER_TASK: usize = 4096;

/// Boxes by key, and the tree over them.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    tree: BoundsTree,
    boxes: Vec<Option<Bounds>>,
    /// Whether the tree holds a key, which may be one that has been removed since it was fitted.
    is_in_tree: Vec<bool>,
    /// Keys that the tree does not hold yet.
    added: Vec<u32>,
    /// Keys that it may have to let go.
    removed: Vec<u32>,
    /// The keys of boxes with infinite sides, which no tree can hold.
    unbounded: BTreeSet<u32>,
    count: usize,
    is_stale: bool,
}

impl BroadPhase {
    /// A broad phase without boxes.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many boxes there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no box.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The box of a key.
    pub fn get(&self, key: u32) -> Option<Bounds> {
        self.boxes.get(key as usize).copied().flatten()
    }

    /// Adds the box of a key, or moves it. Sides may be infinite: such a box is compared with all others.
    pub fn set(&mut self, key: u32, bounds: Bounds) {
        let index = key as usize;
        if index >= self.boxes.len() {
            self.boxes.resize(index + 1, None);
            self.is_in_tree.resize(index + 1, false);
        }
        let old = self.boxes[index].replace(bounds);
        if old == Some(bounds) {
            return;
        }
        self.count += usize::from(old.is_none());
        self.is_stale = true;
        if !bounds.is_finite() {
            self.unbounded.insert(key);
            self.removed.push(key);
            return;
        }
        self.unbounded.remove(&key);
        if !std::mem::replace(&mut self.is_in_tree[index], true) {
            self.added.push(key);
        }
    }

    /// Removes the box of a key, if there is one.
    pub fn remove(&mut self, key: u32) {
        if self.boxes.get_mut(key as usize).and_then(Option::take).is_some() {
            self.count -= 1;
            self.unbounded.remove(&key);
            self.removed.push(key);
            self.is_stale = true;
        }
    }

    /// The pairs of keys whose boxes overlap and that `wants` takes: lower key first, in ascending order. `wants`
    /// gets the keys in that order too.
    pub fn pairs(&mut self, wants: impl Fn(u32, u32) -> bool + Sync) -> Vec<(u32, u32)> {
        self.tidy();
        let ordered = |a: u32, b: u32| if a < b { (a, b) } else { (b, a) };
        let mut pairs = self.tree.wanted_pairs(&|a, b| {
            let (a, b) = ordered(a, b);
            wants(a, b)
        });
        pairs.par_iter_mut().in_tasks_of(PAIRS_PER_TASK).for_each(|(a, b)| (*a, *b) = ordered(*a, *b));
        let boxes = &self.boxes;
        let overlap = |a: u32, b: u32| match (&boxes[a as usize], &boxes[b as usize]) {
            (Some(a), Some(b)) => a.overlaps(b),
            _ => false,
        };
        for &i in &self.unbounded {
            // Two unbounded boxes make one pair.
            let others = (0..boxes.len() as u32).filter(|j| *j != i && !(*j < i && self.unbounded.contains(j)));
            for (a, b) in others.map(|j| if i < j { (i, j) } else { (j, i) }) {
                if overlap(a, b) && wants(a, b) {
                    pairs.push((a, b));
                }
            }
        }
        pairs.par_sort_unstable();
        pairs
    }

    /// Fits the tree to the boxes as they are now.
    fn tidy(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        let Self { tree, boxes, is_in_tree, added, removed, count, .. } = self;
        let bounded = |key: u32| boxes[key as usize].filter(Bounds::is_finite);
        let is_good = 2 * added.len() <= *count && {
            for key in added.iter().copied() {
                match bounded(key) {
                    Some(bounds) => tree.insert(key, bounds),
                    None => is_in_tree[key as usize] = false,
                }
            }
            tree.fit(bounded)
        };
        for key in removed.drain(..).filter(|&key| bounded(key).is_none()) {
            is_in_tree[key as usize] = false;
        }
        added.clear();
        if !is_good {
            let all = (0..boxes.len() as u32).filter_map(|key| Some((key, bounded(key)?)));
            *tree = BoundsTree::new(all);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use proptest::prelude::*;

    /// What happens to one box.
    #[derive(Clone, Debug)]
    enum Change {
        Set(u32, [f64; 3], [f64; 3]),
        Remove(u32),
    }

    fn change() -> impl Strategy<Value = Change> {
        // Coordinates on a lattice, so that boxes touch exactly.
        let coordinate = (-12i32..12).prop_map(f64::from);
        let side = (0i32..4).prop_map(f64::from);
        let set = (0u32..200, prop::array::uniform3(coordinate), prop::array::uniform3(side));
        prop_oneof![
            4 => set.prop_map(|(key, low, sides)| Change::Set(key, low, sides)),
            1 => (0u32..200).prop_map(Change::Remove),
        ]
    }

    fn brute_force(boxes: &[Option<Bounds>]) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for (i, a) in boxes.iter().enumerate() {
            for (j, b) in boxes.iter().enumerate().skip(i + 1) {
                if let (Some(a), Some(b)) = (a, b)
                    && (0..3).all(|k| a.low[k] <= b.high[k] && b.low[k] <= a.high[k])
                {
                    pairs.push((i as u32, j as u32));
                }
            }
        }
        pairs
    }

    proptest! {
        #[test]
        fn pairs_are_those_of_brute_force(rounds in prop::collection::vec(prop::collection::vec(change(), 0..250), 1..6)) {
            let mut broad_phase = BroadPhase::new();
            let mut boxes = vec![None; 200];
            for round in rounds {
                for change in round {
                    match change {
                        Change::Set(key, low, sides) => {
                            let low = DVec3::from(low);
                            let bounds = Bounds { low, high: low + DVec3::from(sides) };
                            broad_phase.set(key, bounds);
                            boxes[key as usize] = Some(bounds);
                        }
                        Change::Remove(key) => {
                            broad_phase.remove(key);
                            boxes[key as usize] = None;
                        }
                    }
                }
                let expected = brute_force(&boxes);
                prop_assert_eq!(broad_phase.len(), boxes.iter().flatten().count());
                prop_assert_eq!(&broad_phase.pairs(|_, _| true), &expected);
                let odd: Vec<_> = expected.iter().copied().filter(|(a, b)| (a + b) % 2 == 1).collect();
                prop_assert_eq!(broad_phase.pairs(|a, b| (a + b) % 2 == 1), odd);
            }
        }
    }

    #[test]
    fn a_box_by_itself_has_no_pair() {
        let mut broad_phase = BroadPhase::new();
        assert!(broad_phase.pairs(|_, _| true).is_empty());
        let bounds = Bounds::around([DVec3::ONE, DVec3::NEG_ONE]).unwrap().grown(0.5);
        broad_phase.set(7, bounds);
        assert!(broad_phase.pairs(|_, _| true).is_empty() && broad_phase.get(7) == Some(bounds));
        broad_phase.remove(7);
        broad_phase.remove(7);
        assert!(broad_phase.is_empty() && broad_phase.get(7).is_none());
    }
}
