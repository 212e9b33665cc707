//! A tree of boxes whose leaves move: items are put into it once by where they are, and its boxes are fitted from a leaf to the root.

use drystone_contact::Bounds;
use drystone_contact::sorting::CompactSort;
use glam::DVec3;

/// Marks a node with children.
const INNER: u32 = u32::MAX;

/// Holds nothing.
const NOTHING: Bounds = Bounds { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

/// Boxes by item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxTree {
    /// Of each node, from 1; the children of node k are 2k and 2k + 1.
    boxes: Vec<Bounds>,
    /// The item of each leaf.
    items: Vec<u32>,
    /// Of each item.
    leaves: Vec<u32>,
}

impl BoxTree {
    /// The tree of items with these boxes.
    pub fn new(boxes: &[Bounds]) -> Self {
        let size = 2 * boxes.len().next_power_of_two();
        let mut tree = Self { boxes: vec![NOTHING; size], items: vec![INNER; size], leaves: vec![0; boxes.len()] };
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        if !order.is_empty() {
            tree.put(1, &mut order, boxes);
        }
        tree
    }

    /// Divides items along the axis along which their centres reach farthest.
    fn put(&mut self, node: usize, items: &mut [u32], boxes: &[Bounds]) {
        if let [item] = *items {
            self.items[node] = item;
            self.leaves[item as usize] = node as u32;
            self.boxes[node] = boxes[item as usize];
            return;
        }
        let centre = |item: u32| boxes[item as usize].low.midpoint(boxes[item as usize].high);
        let around = Bounds::around(items.iter().map(|&item| centre(item))).unwrap_or(NOTHING);
        let size = around.high - around.low;
        let axis = (0..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best });
        items.compact_sort_by(|&a, &b| centre(a)[axis].total_cmp(&centre(b)[axis]).then(a.cmp(&b)));
        let (low, high) = items.split_at_mut(items.len() / 2);
        self.put(2 * node, low, boxes);
        self.put(2 * node + 1, high, boxes);
        self.fit(node);
    }

    fn fit(&mut self, node: usize) {
        let [a, b] = [self.boxes[2 * node], self.boxes[2 * node + 1]];
        self.boxes[node] = Bounds { low: a.low.min(b.low), high: a.high.max(b.high) };
    }

    /// The box of an item.
    pub fn get(&self, item: u32) -> Bounds {
        self.boxes[self.leaves[item as usize] as usize]
    }

    /// Nodes are numbered below this, from 1; the children of node k are 2 k and 2 k + 1.
    pub fn nodes(&self) -> usize {
        self.boxes.len()
    }

    /// The node of an item.
    pub fn leaf(&self, item: u32) -> u32 {
        self.leaves[item as usize]
    }

    /// The item of a node; `None` of one with children.
    pub fn item(&self, node: u32) -> Option<u32> {
        Some(self.items[node as usize]).filter(|&item| item != INNER)
    }

    /// Around all boxes.
    pub fn bounds(&self) -> Bounds {
        self.boxes.get(1).copied().unwrap_or(NOTHING)
    }

    /// Moves the box of an item.
    pub fn set(&mut self, item: u32, bounds: Bounds) {
        let mut node = self.leaves[item as usize] as usize;
        self.boxes[node] = bounds;
        while node > 1 {
            node /= 2;
            let before = self.boxes[node];
            self.fit(node);
            if self.boxes[node] == before {
                break;
            }
        }
    }

    /// Moves the boxes of all items.
    pub fn refit(&mut self, boxes: &[Bounds]) {
        for (leaf, bounds) in self.leaves.iter().zip(boxes) {
            self.boxes[*leaf as usize] = *bounds;
        }
        for node in (1..self.boxes.len() / 2).rev() {
            if self.items[node] == INNER {
                self.fit(node);
            }
        }
    }

    /// Calls `take` with every item whose box meets another box.
    pub fn meeting(&self, bounds: &Bounds, mut take: impl FnMut(u32)) {
        // A node waits for each level at most, and one beside it.
        let mut waiting = arrayvec::ArrayVec::<u32, 64>::new();
        if self.boxes.len() > 1 {
            waiting.push(1);
        }
        while let Some(node) = waiting.pop() {
            let node = node as usize;
            if !self.boxes[node].overlaps(bounds) {
                continue;
            }
            if self.items[node] == INNER {
                waiting.extend([2 * node as u32 + 1, 2 * node as u32]);
            } else {
                take(self.items[node]);
            }
        }
    }

    /// Pairs of nodes, a node with itself included, among whose items are all those with boxes that are no farther from each other than a gap: no more than
    /// `most`, or a few more, so that each can be looked at by [`BoxTree::near`] by itself.
    pub fn divided(&self, gap: f64, most: usize) -> Vec<[u32; 2]> {
        let mut pairs: Vec<[u32; 2]> = if self.leaves.is_empty() { Vec::new() } else { vec![[1, 1]] };
        loop {
            let mut next = Vec::new();
            pairs.iter().for_each(|&pair| self.descend(pair, gap, |below| next.push(below)));
            if next.len() >= most || next == pairs {
                return pairs;
            }
            pairs = next;
        }
    }

    /// Calls `take` once with each two different items below a pair of nodes whose boxes are no farther from each other than a gap, m.
    pub fn near(&self, pair: [u32; 2], gap: f64, mut take: impl FnMut(u32, u32)) {
        // Three pairs wait for each level at most, and one beside them.
        let mut waiting = arrayvec::ArrayVec::<[u32; 2], 128>::new();
        waiting.push(pair);
        while let Some([a, b]) = waiting.pop() {
            let [first, second] = [a, b].map(|node| self.items[node as usize]);
            if first == INNER || second == INNER {
                self.descend([a, b], gap, |below| waiting.push(below));
            } else if a != b {
                take(first, second);
            }
        }
    }

    /// Calls `each` with the pairs of children of two nodes that are near each other; with the pair itself if both are leaves.
    fn descend(&self, [a, b]: [u32; 2], gap: f64, mut each: impl FnMut([u32; 2])) {
        let is_inner = [a, b].map(|node| self.items[node as usize] == INNER);
        if a == b && is_inner[0] {
            each([2 * a, 2 * a]);
            each([2 * a + 1, 2 * a + 1]);
            return self.if_near([2 * a, 2 * a + 1], gap, each);
        }
        match is_inner {
            [true, true] => {
                for pair in [[2 * a, 2 * b], [2 * a, 2 * b + 1], [2 * a + 1, 2 * b], [2 * a + 1, 2 * b + 1]] {
                    self.if_near(pair, gap, &mut each);
                }
            }
            [true, false] => [2 * a, 2 * a + 1].into_iter().for_each(|child| self.if_near([child, b], gap, &mut each)),
            [false, true] => [2 * b, 2 * b + 1].into_iter().for_each(|child| self.if_near([a, child], gap, &mut each)),
            [false, false] => each([a, b]),
        }
    }

    fn if_near(&self, pair: [u32; 2], gap: f64, mut each: impl FnMut([u32; 2])) {
        let [a, b] = pair.map(|node| &self.boxes[node as usize]);
        if a.gap(b) <= gap {
            each(pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use drystone_contact::split_mix::SplitMix;

    use super::*;

    #[test]
    fn it_finds_what_brute_force_finds_while_boxes_move() {
        let mut random = SplitMix::new(3);
        for count in [0, 1, 2, 3, 7, 50, 200] {
            let mut made = || {
                let low = DVec3::from_array(std::array::from_fn(|_| random.next_between(-3.0, 3.0).round()));
                Bounds { low, high: low + DVec3::splat(random.next_between(0.0, 2.0).round()) }
            };
            let mut boxes: Vec<Bounds> = (0..count).map(|_| made()).collect();
            let mut tree = BoxTree::new(&boxes);
            for step in 0..300 {
                if count > 0 {
                    let (item, bounds) = (step % count, made());
                    boxes[item] = bounds;
                    if step % 7 == 0 {
                        tree.refit(&boxes);
                    } else {
                        tree.set(item as u32, bounds);
                    }
                    assert_eq!(tree.get(item as u32), bounds);
                }
                let wanted = made();
                let mut found = Vec::new();
                tree.meeting(&wanted, |item| found.push(item));
                found.sort_unstable();
                let expected = (0..count as u32).filter(|&item| boxes[item as usize].overlaps(&wanted));
                assert_eq!(found, expected.collect::<Vec<u32>>());
                let (gap, mut found) = (0.5 * f64::from(step as u32 % 3), Vec::new());
                for pair in tree.divided(gap, step) {
                    tree.near(pair, gap, |a, b| found.push([a.min(b), a.max(b)]));
                }
                found.sort_unstable();
                let is_near = |&[a, b]: &[u32; 2]| boxes[a as usize].gap(&boxes[b as usize]) <= gap;
                let pairs = (0..count as u32).flat_map(|a| (a + 1..count as u32).map(move |b| [a, b]));
                assert_eq!(found, pairs.filter(is_near).collect::<Vec<[u32; 2]>>());
            }
        }
    }
}
