//! Leaves of two trees whose directions are opposite: facets of convex solids that face each other.
//!
//! The search goes down where nodes are nearest to each other first, so that one that may end with the first pair that
//! will do looks at little more than what is above that pair.

use std::ops::ControlFlow;

use glam::DVec3;

use super::{BoxTree, Frames, LEAF, Placement, WIDER, children};
use crate::shape::features::cone::{Angle, Cone, angle};

/// The largest angle between two leaves that is told from others, rad.
const WIDEST_TURN: f64 = 0.2;

/// A direction for each leaf of a tree, and what they make of its nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Directions {
    /// For each node a cone around the directions of its leaves.
    cones: Vec<Cone>,
    /// For each leaf the least angle to the direction of another, rad, no more than [`WIDEST_TURN`].
    turns: Vec<f64>,
}

impl Directions {
    /// The least angle between the direction of a leaf and that of any other, rad; all from 0.2 on are one.
    pub fn turn(&self, leaf: u32) -> f64 {
        self.turns[leaf as usize]
    }
}

impl BoxTree {
    /// What directions of the leaves (unit) make of the tree.
    pub fn directions(&self, of_leaf: impl Fn(u32) -> DVec3) -> Directions {
        let mut cones = vec![Cone::every_direction(); self.nodes.len()];
        // Children come behind their parents.
        for (i, node) in self.nodes.iter().enumerate().rev() {
            cones[i] = match node.left {
                LEAF => Cone::new(of_leaf(node.right), 0.0),
                left => cones[left as usize].around(cones[node.right as usize]).widened(WIDER[1]),
            };
        }
        let leaves = 0..self.leaves.len() as u32;
        let turns = leaves.map(|leaf| self.least_turn(leaf, of_leaf(leaf), &cones)).collect();
        Directions { cones, turns }
    }

    /// The least angle between the direction of a leaf and that of any other, rad.
    fn least_turn(&self, leaf: u32, direction: DVec3, cones: &[Cone]) -> f64 {
        let opposite = Cone::new(-direction, 0.0);
        let mut least = Angle::new(WIDEST_TURN);
        let mut stack = vec![0];
        while let Some(i) = stack.pop() {
            let (node, cone) = (&self.nodes[i as usize], &cones[i as usize]);
            if !opposite.is_facing(cone, cone.axis, &least) {
                continue;
            }
            match node.left {
                LEAF if node.right == leaf => {}
                LEAF => least = Angle::new(angle(direction, cone.axis).min(least.size())),
                left => stack.extend([left, node.right]),
            }
        }
        least.size()
    }

    /// Calls `visit` with all pairs (leaf of A, leaf of B) whose boxes are no farther apart than the margin (m), and whose directions are
    /// opposite up to the tolerance (rad), until it breaks off. The stack is scratch space.
    pub fn opposite_pairs<B>(
        &self,
        other: &BoxTree,
        [own, others]: [&Directions; 2],
        placement: &Placement,
        (margin, tolerance): (f64, f64),
        stack: &mut Vec<(u32, u32)>,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (frames, tolerance) = (Frames::of(placement), Angle::new(tolerance));
        // The square of the distance between the centres of two boxes with such leaves.
        let apart = |(i, j): (u32, u32)| {
            let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
            let is_near = frames.are_facing((&own.cones[i as usize], &others.cones[j as usize]), &tolerance)
                && frames.are_near(a, b, margin);
            is_near.then(|| frames.between(a, b).length_squared())
        };
        stack.clear();
        if !self.nodes.is_empty() && !other.nodes.is_empty() && apart((0, 0)).is_some() {
            stack.push((0, 0));
        }
        while let Some((i, j)) = stack.pop() {
            let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
            let Some([last, first]) = children(a, b, i, j) else {
                visit(a.right, b.right)?;
                continue;
            };
            match (apart(last), apart(first)) {
                (Some(of_last), Some(of_first)) if of_last < of_first => stack.extend([first, last]),
                (Some(_), Some(_)) => stack.extend([last, first]),
                (of_last, of_first) => stack.extend(of_last.map(|_| last).or(of_first.map(|_| first))),
            }
        }
        ControlFlow::Continue(())
    }
}
