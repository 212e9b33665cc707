//! The triangles that a segment meets first: boxes in the order in which the segment enters them (slab test, Kay and Kajiya,
//! "Ray tracing complex scenes", 1986), each widened by the rounding of coordinates.

use glam::DVec3;

use super::{STACK, TriangleTree};

/// Components of a direction are taken to be no smaller, so that quotients stay finite.
const LEAST_COMPONENT: f64 = 1e-150;

impl TriangleTree {
    /// Visits the triangles that a segment may meet. Whatever `meet` returns, a share of the segment (0…1), ends it there: boxes that
    /// begin behind are left out, those that begin at it are not.
    pub fn cast(&self, from: DVec3, to: DVec3, mut meet: impl FnMut(u32, [DVec3; 3]) -> Option<f64>) {
        let component = |x: f64| if x.abs() < LEAST_COMPONENT { LEAST_COMPONENT.copysign(x) } else { x };
        let inverse = (to - from).map(component).recip();
        let spread = inverse.abs();
        let margin = self.margin(from).max(self.margin(to));
        let mut end = 1.0_f64;
        let begin = |at: u32| {
            let node = &self.nodes[at as usize];
            let (middle, half) = ((node.centre - from) * inverse, (node.half + margin) * spread);
            let near = (middle - half).max_element().max(0.0);
            (near, (middle + half).min_element())
        };
        let mut stack = [(0_u32, 0.0_f64); STACK];
        let mut waiting = 0;
        if !self.nodes.is_empty() {
            let (near, far) = begin(0);
            if near <= far.min(end) {
                stack[0] = (0, near);
                waiting = 1;
            }
        }
        while waiting > 0 {
            waiting -= 1;
            let (at, near) = stack[waiting];
            if near > end {
                continue;
            }
            let node = &self.nodes[at as usize];
            for member in self.leaf(node) {
                if let Some(share) = meet(member.number, member.corners) {
                    end = end.min(share);
                }
            }
            if node.count == 0 {
                let left = at + 1;
                let right = self.nodes[left as usize].next;
                let [one, other] = [left, right].map(|child| (child, begin(child)));
                let [first, last] = if other.1.0 < one.1.0 { [other, one] } else { [one, other] };
                for (child, (near, far)) in [last, first] {
                    if near <= far.min(end) {
                        stack[waiting] = (child, near);
                        waiting += 1;
                    }
                }
            }
        }
    }
}
