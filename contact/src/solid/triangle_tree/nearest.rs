//! What is nearest by any measure that boxes bound from below: a tree against something else, and two trees against each other.

use glam::DVec3;

use super::{Node, STACK, TriangleTree};

/// A box: its centre and half its sides, m.
pub type HalfBox = (DVec3, DVec3);

impl TriangleTree {
    /// Visits the triangles whose boxes `measure` says to be below `least`, nearer ones first; `visit` says how near a triangle is, and
    /// that becomes the new `least` if it is less. Returns the last one.
    pub fn nearest(
        &self,
        mut least: f64,
        measure: impl Fn(HalfBox) -> f64,
        mut visit: impl FnMut(u32, [DVec3; 3], f64) -> f64,
    ) -> f64 {
        let of = |at: u32| measure(self.nodes[at as usize].half_box());
        let mut stack = [(0_u32, 0.0_f64); STACK];
        let mut waiting = 0;
        if !self.nodes.is_empty() {
            stack[0] = (0, of(0));
            waiting = 1;
        }
        while waiting > 0 {
            waiting -= 1;
            let (at, bound) = stack[waiting];
            if bound >= least {
                continue;
            }
            let node = &self.nodes[at as usize];
            for member in self.leaf(node) {
                least = least.min(visit(member.number, member.corners, least));
            }
            if node.count == 0 {
                let left = at + 1;
                let right = self.nodes[left as usize].next;
                let [one, other] = [left, right].map(|child| (child, of(child)));
                let [first, last] = if other.1 < one.1 { [other, one] } else { [one, other] };
                for child in [last, first] {
                    if child.1 < least {
                        stack[waiting] = child;
                        waiting += 1;
                    }
                }
            }
        }
        least
    }

    /// The same for pairs of triangles of this tree and of another one.
    pub fn nearest_pair(
        &self,
        other: &Self,
        mut least: f64,
        measure: impl Fn(HalfBox, HalfBox) -> f64,
        mut visit: impl FnMut([u32; 2], [[DVec3; 3]; 2], f64) -> f64,
    ) -> f64 {
        if self.nodes.is_empty() || other.nodes.is_empty() {
            return least;
        }
        let bound = measure(self.nodes[0].half_box(), other.nodes[0].half_box());
        self.nearest_pair_below([0, 0], bound, other, &mut least, &measure, &mut visit);
        least
    }

    fn nearest_pair_below(
        &self,
        [i, j]: [u32; 2],
        bound: f64,
        other: &Self,
        least: &mut f64,
        measure: &impl Fn(HalfBox, HalfBox) -> f64,
        visit: &mut impl FnMut([u32; 2], [[DVec3; 3]; 2], f64) -> f64,
    ) {
        if bound >= *least {
            return;
        }
        let (own, others) = (&self.nodes[i as usize], &other.nodes[j as usize]);
        let is_own_larger = own.half.length_squared() >= others.half.length_squared();
        let children = |nodes: &[Node], at: u32| [at + 1, nodes[at as usize + 1].next];
        let pairs = if own.count == 0 && (others.count > 0 || is_own_larger) {
            children(&self.nodes, i).map(|child| [child, j])
        } else if others.count == 0 {
            children(&other.nodes, j).map(|child| [i, child])
        } else {
            for one in self.leaf(own) {
                for another in other.leaf(others) {
                    let numbers = [one.number, another.number];
                    *least = least.min(visit(numbers, [one.corners, another.corners], *least));
                }
            }
            return;
        };
        let of = |[i, j]: [u32; 2]| {
            let bound = measure(self.nodes[i as usize].half_box(), other.nodes[j as usize].half_box());
            ([i, j], bound)
        };
        let [one, another] = pairs.map(of);
        let ordered = if another.1 < one.1 { [another, one] } else { [one, another] };
        for (pair, bound) in ordered {
            self.nearest_pair_below(pair, bound, other, least, measure, visit);
        }
    }
}

impl Node {
    fn half_box(&self) -> HalfBox {
        (self.centre, self.half)
    }
}
