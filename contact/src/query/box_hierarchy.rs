//! Boxes within boxes, and the search for what is nearest by any measure that boxes bound from below: in one hierarchy, and in pairs of two.

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::bounds::Bounds;

/// Nodes that wait. A hierarchy of things that are numbered by 32 bits needs one for each of 32 levels if it halves them, and three for each
/// of 16 if it quarters them.
const STACK: usize = 64;

/// A hierarchy of boxes along the axes of a frame.
pub trait BoxHierarchy {
    /// A node.
    type Node: Copy;
    /// What leaves hold.
    type Item: Copy;

    /// The node around all; `None` if there is nothing.
    fn root(&self) -> Option<Self::Node>;

    /// The box around all that is below a node, m.
    fn bounds(&self, node: Self::Node) -> Bounds;

    /// The nodes below a node, no more than four; none below a leaf.
    fn below(&self, node: Self::Node) -> impl Iterator<Item = Self::Node>;

    /// What a leaf holds.
    fn items(&self, node: Self::Node) -> impl Iterator<Item = Self::Item>;

    /// Visits what is in leaves whose boxes `measure` says to be below `least`, nearer ones first; `visit` says how near an item is, and that
    /// becomes the new `least` if it is less. Returns the last one.
    fn nearest(
        &self,
        mut least: f64,
        measure: impl Fn(&Bounds) -> f64,
        mut visit: impl FnMut(Self::Item, f64) -> f64,
    ) -> f64 {
        let of = |node: Self::Node| (node, measure(&self.bounds(node)));
        let mut stack = ArrayVec::<(Self::Node, f64), STACK>::new();
        stack.extend(self.root().map(of));
        while let Some((node, bound)) = stack.pop() {
            if bound >= least {
                continue;
            }
            for item in self.items(node) {
                least = least.min(visit(item, least));
            }
            let children = sorted(self.below(node).map(of));
            stack.extend(children.into_iter().rev().filter(|child| child.1 < least));
        }
        least
    }

    /// The same for pairs of an item of this hierarchy and one of another.
    fn nearest_pair<H: BoxHierarchy>(
        &self,
        other: &H,
        mut least: f64,
        measure: impl Fn(&Bounds, &Bounds) -> f64,
        mut visit: impl FnMut(Self::Item, H::Item, f64) -> f64,
    ) -> f64
    where
        Self: Sized,
    {
        if let (Some(i), Some(j)) = (self.root(), other.root()) {
            let bound = measure(&self.bounds(i), &other.bounds(j));
            Pairs { one: self, other, measure: &measure }.visit((i, j), bound, &mut least, &mut visit);
        }
        least
    }
}

/// Two hierarchies and a measure of pairs of boxes.
struct Pairs<'s, G, H, M> {
    one: &'s G,
    other: &'s H,
    measure: &'s M,
}

impl<G: BoxHierarchy, H: BoxHierarchy, M: Fn(&Bounds, &Bounds) -> f64> Pairs<'_, G, H, M> {
    /// Visits the pairs of items below a pair of nodes: those of the larger box are entered first.
    fn visit(
        &self,
        (i, j): (G::Node, H::Node),
        bound: f64,
        least: &mut f64,
        visit: &mut impl FnMut(G::Item, H::Item, f64) -> f64,
    ) {
        if bound >= *least {
            return;
        }
        let (own, others) = (self.one.bounds(i), self.other.bounds(j));
        let of_one = || sorted(self.one.below(i).map(|k| ((k, j), (self.measure)(&self.one.bounds(k), &others))));
        let of_other = || sorted(self.other.below(j).map(|k| ((i, k), (self.measure)(&own, &self.other.bounds(k)))));
        let is_own_larger = size(&own) >= size(&others);
        let mut pairs = if is_own_larger { of_one() } else { of_other() };
        if pairs.is_empty() {
            pairs = if is_own_larger { of_other() } else { of_one() };
        }
        for &(pair, bound) in &pairs {
            self.visit(pair, bound, least, visit);
        }
        if pairs.is_empty() {
            for one in self.one.items(i) {
                for another in self.other.items(j) {
                    *least = least.min(visit(one, another, *least));
                }
            }
        }
    }
}

/// The square of the diagonal, m².
fn size(bounds: &Bounds) -> f64 {
    (bounds.high - bounds.low).length_squared()
}

/// Nodes with their measures, the least one first; of equal ones, in their order.
fn sorted<N: Copy>(nodes: impl Iterator<Item = (N, f64)>) -> ArrayVec<(N, f64), 4> {
    let mut all = ArrayVec::<(N, f64), 4>::new();
    for node in nodes {
        let at = all.iter().rposition(|other| other.1 <= node.1).map_or(0, |before| before + 1);
        all.insert(at, node);
    }
    all
}

/// How far two boxes along the same axes are apart, m; they may be infinite.
pub fn gap(one: &Bounds, other: &Bounds) -> f64 {
    (other.low - one.high).max(one.low - other.high).max(DVec3::ZERO).length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::support::Triangle;
    use crate::solid::triangle_tree::TriangleTree;
    use crate::split_mix::SplitMix;

    /// Against a loop over all triangles and all pairs, by the distances of first corners.
    #[test]
    fn the_nearest_ones_are_those_of_a_loop() {
        let mut random = SplitMix::new(91);
        let mut vector = |size: f64| DVec3::from_array([0; 3].map(|_| random.next_between(-size, size)));
        for count in [0_u32, 1, 2, 3, 50, 300] {
            let mut soup = || -> Vec<[DVec3; 3]> {
                let at: Vec<DVec3> = (0..count).map(|_| vector(5.0)).collect();
                at.into_iter().map(|p| [p, p + vector(0.3), p + vector(0.3)]).collect()
            };
            let (one, other) = (soup(), soup());
            let trees = [&one, &other].map(|soup| TriangleTree::new(soup.iter().copied()));
            let point = vector(6.0);
            let around = Bounds { low: point, high: point };
            let expected = one.iter().map(|t| t[0].distance(point)).fold(f64::INFINITY, f64::min);
            let visit = |(_, Triangle(corners)): (u32, Triangle), _| corners[0].distance(point);
            assert_eq!(trees[0].nearest(f64::INFINITY, |own| gap(own, &around), visit), expected, "{count}");
            let pairs = one.iter().flat_map(|s| other.iter().map(|t| s[0].distance(t[0])));
            let expected = pairs.fold(f64::INFINITY, f64::min);
            let found = trees[0].nearest_pair(&trees[1], f64::INFINITY, gap, |s, t, _| s.1.0[0].distance(t.1.0[0]));
            assert_eq!(found, expected, "{count}");
            // Nothing is nearer than a limit below all boxes.
            assert_eq!(trees[0].nearest_pair(&trees[1], 0.0, gap, |_, _, _| 0.0), 0.0, "{count}");
        }
    }
}
