//! A tree of boxes: which of them overlap each other, or another one, and which come first by a measure.
//!
//! Each node holds the boxes of both children, so that a visit decides which of them to enter without loading them. It is built from the
//! top by the surface area heuristic over bins of centres (Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007);
//! boxes that come later go down to where the tree grows least (Goldsmith and Salmon, 1987). What is found does not depend on the tree.

use glam::DVec3;

use crate::bounds::Bounds;

/// Centres are sorted into so many bins.
const BINS: usize = 12;

/// A side of a split has at least this share of the boxes, so that the depth is bounded.
const LEAST_SHARE: f64 = 1.0 / 16.0;

/// A tree whose boxes have more than this many times the area that they were added with is worn.
const WORN: f64 = 1.6;

/// So is one in which a box that came later went so deep.
const DEEP: usize = 96;

/// Pairs are looked for by tasks down to such a level.
const LEVELS: usize = 6;

/// In a tree with fewer nodes one thread looks for all of them.
const NODES_OF_ONE_TASK: usize = 512;

/// No box.
const NOWHERE: Bounds = Bounds { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

/// A child of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Child {
    Node(u32),
    /// A box by its key.
    Leaf(u32),
    None,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: [Bounds; 2],
    children: [Child; 2],
}

/// Boxes with finite corners by keys, as a tree.
#[derive(Clone, Debug, Default)]
pub struct BoundsTree {
    /// The root first.
    nodes: Vec<Node>,
    /// The area of the boxes of all nodes as they were added, m².
    area: f64,
    is_deep: bool,
}

/// A box to build from.
#[derive(Clone, Copy)]
struct Item {
    key: u32,
    bounds: Bounds,
}

impl Item {
    /// Twice the centre along an axis, m.
    fn centre(&self, axis: usize) -> f64 {
        self.bounds.low[axis] + self.bounds.high[axis]
    }
}

impl BoundsTree {
    /// The tree of boxes (m, finite) with keys of which each comes once.
    pub fn new(boxes: impl IntoIterator<Item = (u32, Bounds)>) -> Self {
        let mut items: Vec<Item> = boxes.into_iter().map(|(key, bounds)| Item { key, bounds }).collect();
        let mut tree = Self { nodes: Vec::with_capacity(items.len()), ..Self::default() };
        match items[..] {
            [] => {}
            [Item { key, bounds }] => tree.nodes.push(only(key, bounds)),
            _ => {
                tree.build(&mut items);
            }
        }
        tree.area = tree.nodes.iter().flat_map(|node| node.bounds).map(|bounds| area(&bounds)).sum();
        tree
    }

    /// Appends the subtree over the items, at least one.
    fn build(&mut self, items: &mut [Item]) -> Child {
        if let [only] = items {
            return Child::Leaf(only.key);
        }
        let at = self.nodes.len();
        self.nodes.push(Node { bounds: [NOWHERE; 2], children: [Child::None; 2] });
        let middle = split(items);
        let (left, right) = items.split_at_mut(middle);
        let around = |items: &[Item]| items.iter().map(|item| item.bounds).fold(NOWHERE, union);
        let bounds = [around(left), around(right)];
        let children = [self.build(left), self.build(right)];
        self.nodes[at] = Node { bounds, children };
        Child::Node(at as u32)
    }

    /// Adds a box with a key that is not there yet.
    pub fn insert(&mut self, key: u32, bounds: Bounds) {
        if self.nodes.is_empty() {
            self.nodes.push(only(key, bounds));
            self.area += area(&bounds);
            return;
        }
        let (mut at, mut depth) = (0, 0);
        loop {
            let node = &self.nodes[at];
            let growth = |side: usize| area(&union(node.bounds[side], bounds)) - area(&node.bounds[side]);
            let side = match node.children {
                [_, Child::None] => 1,
                [Child::None, _] => 0,
                _ if growth(1) < growth(0) => 1,
                _ => 0,
            };
            let (child, old) = (node.children[side], node.bounds[side]);
            let grown = union(old, bounds);
            self.area += area(&grown) - area(&old);
            self.nodes[at].bounds[side] = grown;
            match child {
                Child::Node(below) => at = below as usize,
                Child::None => {
                    self.nodes[at].children[side] = Child::Leaf(key);
                    return;
                }
                Child::Leaf(_) => {
                    self.nodes[at].children[side] = Child::Node(self.nodes.len() as u32);
                    self.nodes.push(Node { bounds: [old, bounds], children: [child, Child::Leaf(key)] });
                    self.area += area(&old) + area(&bounds);
                    return;
                }
            }
            depth += 1;
            self.is_deep |= depth > DEEP;
        }
    }

    /// Fits the tree to boxes that have moved; those that are `None` now leave it. Returns whether it is still a good one: if not, another
    /// one finds the same faster.
    pub fn fit(&mut self, bounds_of: impl Fn(u32) -> Option<Bounds>) -> bool {
        let mut total = 0.0;
        if !self.nodes.is_empty() {
            self.fit_below(0, &bounds_of, &mut total);
        }
        total <= WORN * self.area && !self.is_deep
    }

    /// Returns the box of a node.
    fn fit_below(&mut self, at: usize, bounds_of: &impl Fn(u32) -> Option<Bounds>, total: &mut f64) -> Bounds {
        for side in 0..2 {
            let bounds = match self.nodes[at].children[side] {
                Child::Node(below) => self.fit_below(below as usize, bounds_of, total),
                Child::Leaf(key) => bounds_of(key).unwrap_or_else(|| {
                    self.nodes[at].children[side] = Child::None;
                    NOWHERE
                }),
                Child::None => NOWHERE,
            };
            self.nodes[at].bounds[side] = bounds;
            *total += area(&bounds);
        }
        let [one, other] = self.nodes[at].bounds;
        union(one, other)
    }

    /// Visits the keys of the boxes that overlap another box.
    pub fn overlapping(&self, bounds: &Bounds, mut visit: impl FnMut(u32)) {
        if !self.nodes.is_empty() {
            self.overlapping_below(0, bounds, &mut visit);
        }
    }

    fn overlapping_below(&self, at: usize, bounds: &Bounds, visit: &mut impl FnMut(u32)) {
        let node = &self.nodes[at];
        for side in 0..2 {
            if node.bounds[side].overlaps(bounds) {
                match node.children[side] {
                    Child::Node(below) => self.overlapping_below(below as usize, bounds, visit),
                    Child::Leaf(key) => visit(key),
                    Child::None => {}
                }
            }
        }
    }

    /// Visits the keys of the boxes that measure no more than `least`, in each node that which measures less first; `visit` says what is in the box itself
    /// measures, which becomes the new `least` if it is less. Boxes that measure infinity are never visited. Returns the last `least`.
    pub fn nearest(
        &self,
        mut least: f64,
        measure: impl Fn(&Bounds) -> f64,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) -> f64 {
        if !self.nodes.is_empty() {
            self.nearest_below(0, &mut least, &measure, &mut visit);
        }
        least
    }

    fn nearest_below(
        &self,
        at: usize,
        least: &mut f64,
        measure: &impl Fn(&Bounds) -> f64,
        visit: &mut impl FnMut(u32, f64) -> f64,
    ) {
        let Node { bounds, children } = &self.nodes[at];
        let measures = [measure(&bounds[0]), measure(&bounds[1])];
        for side in if measures[1] < measures[0] { [1, 0] } else { [0, 1] } {
            if measures[side] <= *least && measures[side] < f64::INFINITY {
                match children[side] {
                    Child::Node(below) => self.nearest_below(below as usize, least, measure, visit),
                    Child::Leaf(key) => *least = least.min(visit(key, *least)),
                    Child::None => {}
                }
            }
        }
    }

    /// Visits the pairs of keys whose boxes overlap, each once, in any order.
    pub fn pairs(&self, mut visit: impl FnMut(u32, u32)) {
        if !self.nodes.is_empty() {
            self.within(0, &mut visit);
        }
    }

    /// The pairs of keys whose boxes overlap and that `wants` takes, each once, in any order; several threads look for them.
    pub fn wanted_pairs(&self, wants: &(impl Fn(u32, u32) -> bool + Sync)) -> Vec<(u32, u32)> {
        if self.nodes.is_empty() { Vec::new() } else { self.wanted_within(0, LEVELS, wants) }
    }

    /// Those below a node, with so many levels of tasks.
    fn wanted_within(&self, at: usize, levels: usize, wants: &(impl Fn(u32, u32) -> bool + Sync)) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        let mut take = |a: u32, b: u32| {
            if wants(a, b) {
                found.push((a, b));
            }
        };
        if levels == 0 || self.nodes.len() < NODES_OF_ONE_TASK {
            self.within(at, &mut take);
            return found;
        }
        let Node { bounds: [p, q], children } = &self.nodes[at];
        let below = |child: Child| match child {
            Child::Node(below) => self.wanted_within(below as usize, levels - 1, wants),
            _ => Vec::new(),
        };
        let across = || {
            if p.overlaps(q) {
                self.across((children[0], p), (children[1], q), &mut take);
            }
        };
        let ((), (one, other)) =
            crate::parallel::join(across, || crate::parallel::join(|| below(children[0]), || below(children[1])));
        found.extend(one);
        found.extend(other);
        found
    }

    /// The pairs below a node.
    fn within(&self, at: usize, visit: &mut impl FnMut(u32, u32)) {
        let Node { bounds: [p, q], children } = &self.nodes[at];
        for child in children {
            if let Child::Node(below) = child {
                self.within(*below as usize, visit);
            }
        }
        if p.overlaps(q) {
            self.across((children[0], p), (children[1], q), visit);
        }
    }

    /// The pairs of two subtrees whose boxes overlap.
    fn across(&self, one: (Child, &Bounds), other: (Child, &Bounds), visit: &mut impl FnMut(u32, u32)) {
        match (one.0, other.0) {
            (Child::Leaf(a), Child::Leaf(b)) => visit(a, b),
            (Child::Node(a), Child::Node(b)) => {
                let (a, b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
                for (child, bounds) in a.children.into_iter().zip(&a.bounds) {
                    for (with, around) in b.children.into_iter().zip(&b.bounds) {
                        if bounds.overlaps(around) {
                            self.across((child, bounds), (with, around), visit);
                        }
                    }
                }
            }
            (Child::Node(a), _) => {
                let node = &self.nodes[a as usize];
                for (child, bounds) in node.children.into_iter().zip(&node.bounds) {
                    if bounds.overlaps(other.1) {
                        self.across((child, bounds), other, visit);
                    }
                }
            }
            (_, Child::Node(_)) => self.across(other, one, visit),
            (Child::None, _) | (_, Child::None) => {}
        }
    }
}

fn only(key: u32, bounds: Bounds) -> Node {
    Node { bounds: [bounds, NOWHERE], children: [Child::Leaf(key), Child::None] }
}

/// Sorts two or more items into two groups, and returns how many there are in the first: neither is empty.
fn split(items: &mut [Item]) -> usize {
    let around = |(low, high): (DVec3, DVec3), item: &Item| {
        let centre = item.bounds.low + item.bounds.high;
        (low.min(centre), high.max(centre))
    };
    let (low, high) = items.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), around);
    let axis = (high - low).max_position();
    let scale = BINS as f64 / (high[axis] - low[axis]);
    let by_median = |items: &mut [Item]| {
        let middle = items.len() / 2;
        items.select_nth_unstable_by(middle, |p, q| p.centre(axis).total_cmp(&q.centre(axis)).then(p.key.cmp(&q.key)));
        middle
    };
    if items.len() <= 4 || !scale.is_finite() {
        return by_median(items);
    }
    let bin = |item: &Item| (((item.centre(axis) - low[axis]) * scale) as usize).min(BINS - 1);
    let mut bins = [(NOWHERE, 0_usize); BINS];
    for item in items.iter() {
        let (bounds, count) = &mut bins[bin(item)];
        (*bounds, *count) = (union(*bounds, item.bounds), *count + 1);
    }
    let merge = |(p, m): (Bounds, usize), (q, n): (Bounds, usize)| (union(p, q), m + n);
    let mut above = [(NOWHERE, 0); BINS + 1];
    for k in (0..BINS).rev() {
        above[k] = merge(above[k + 1], bins[k]);
    }
    let least = (LEAST_SHARE * items.len() as f64).ceil() as usize;
    let (mut best, mut below) = ((f64::INFINITY, 0), (NOWHERE, 0));
    for k in 1..BINS {
        below = merge(below, bins[k - 1]);
        let cost = area(&below.0) * below.1 as f64 + area(&above[k].0) * above[k].1 as f64;
        if below.1.min(above[k].1) >= least && cost < best.0 {
            best = (cost, k);
        }
    }
    if best.1 == 0 {
        return by_median(items);
    }
    let mut middle = 0;
    for i in 0..items.len() {
        if bin(&items[i]) < best.1 {
            items.swap(i, middle);
            middle += 1;
        }
    }
    middle
}

fn union(one: Bounds, other: Bounds) -> Bounds {
    Bounds { low: one.low.min(other.low), high: one.high.max(other.high) }
}

/// Half the area of the surface of a box, m²; zero of none.
fn area(bounds: &Bounds) -> f64 {
    let side = (bounds.high - bounds.low).max(DVec3::ZERO);
    side.x * side.y + side.y * side.z + side.z * side.x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_mix::SplitMix;
    use std::collections::BTreeMap;

    fn random_box(random: &mut SplitMix, kind: usize) -> Bounds {
        let mut vector = |low: f64, high: f64| DVec3::from_array([0; 3].map(|_| random.next_between(low, high)));
        // All over the place, in one place, in a row of growing distances, on a lattice.
        let low = match kind {
            0 => vector(-10.0, 10.0),
            1 => DVec3::ONE,
            2 => DVec3::X * libm::exp2(vector(-60.0, 60.0).x),
            _ => vector(-3.0, 3.0).round(),
        };
        let side = if kind == 3 { DVec3::ONE } else { vector(0.0, 2.0) };
        Bounds { low, high: low + side }
    }

    /// The pairs of a tree against those of a loop over all boxes.
    fn check(tree: &BoundsTree, boxes: &BTreeMap<u32, Bounds>) {
        let mut found = Vec::new();
        tree.pairs(|a, b| found.push((a.min(b), a.max(b))));
        found.sort_unstable();
        let mut expected = Vec::new();
        for (&a, one) in boxes {
            expected.extend(boxes.range(a + 1..).filter(|(_, other)| one.overlaps(other)).map(|(&b, _)| (a, b)));
        }
        assert_eq!(found, expected);
        let wants = |a: u32, b: u32| !(a + b).is_multiple_of(3);
        let mut wanted: Vec<(u32, u32)> =
            tree.wanted_pairs(&wants).into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
        wanted.sort_unstable();
        expected.retain(|&(a, b)| wants(a, b));
        assert_eq!(wanted, expected);
    }

    /// Boxes come, move and go; pairs and overlaps are those of comparing all of them.
    #[test]
    fn what_is_found_is_what_comparison_finds() {
        let mut random = SplitMix::new(23);
        for kind in 0..4 {
            let mut boxes: BTreeMap<u32, Bounds> =
                (0..300).map(|key| (key, random_box(&mut random, kind))).filter(|_| kind != 1).collect();
            let mut tree = BoundsTree::new(boxes.clone());
            for round in 0..20_u32 {
                for key in 0..40 {
                    let key = 300 + 40 * round + key;
                    let bounds = random_box(&mut random, kind);
                    boxes.insert(key, bounds);
                    tree.insert(key, bounds);
                }
                check(&tree, &boxes);
                boxes.retain(|key, _| (key + round) % 11 != 0);
                let moves = boxes.iter_mut().filter(|(key, _)| (*key + round) % 3 == 0);
                moves.for_each(|(_, bounds)| *bounds = random_box(&mut random, kind));
                if !tree.fit(|key| boxes.get(&key).copied()) && round % 2 == 0 {
                    tree = BoundsTree::new(boxes.clone());
                }
                check(&tree, &boxes);
                let around = random_box(&mut random, kind);
                let mut found = Vec::new();
                tree.overlapping(&around, |key| found.push(key));
                found.sort_unstable();
                let expected: Vec<u32> =
                    boxes.iter().filter(|(_, own)| own.overlaps(&around)).map(|(&key, _)| key).collect();
                assert_eq!(found, expected, "kind {kind}, round {round}");
            }
        }
    }

    #[test]
    fn a_tree_of_nothing_and_of_one_box() {
        let mut tree = BoundsTree::default();
        let bounds = Bounds { low: DVec3::ZERO, high: DVec3::ONE };
        assert!(tree.fit(|_| None));
        tree.insert(7, bounds);
        let keys = |tree: &BoundsTree| {
            let mut keys = Vec::new();
            tree.overlapping(&bounds, |key| keys.push(key));
            keys
        };
        assert_eq!((keys(&tree), keys(&BoundsTree::new([(3, bounds)]))), (vec![7], vec![3]));
        tree.fit(|_| None);
        assert!(keys(&tree).is_empty());
        tree.insert(8, bounds);
        tree.insert(9, bounds);
        let mut both = keys(&tree);
        both.sort_unstable();
        assert_eq!(both, [8, 9]);
        tree.pairs(|a, b| assert_eq!((a.min(b), a.max(b)), (8, 9)));
    }
}
