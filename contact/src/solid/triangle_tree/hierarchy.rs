//! The tree as a hierarchy of boxes.

use super::{Member, TriangleTree};
use crate::bounds::Bounds;
use crate::query::box_hierarchy::BoxHierarchy;
use crate::query::support::Triangle;

impl BoxHierarchy for TriangleTree {
    type Node = u32;
    type Item = (u32, Triangle);

    fn root(&self) -> Option<u32> {
        (!self.nodes.is_empty()).then_some(0)
    }

    fn bounds(&self, node: u32) -> Bounds {
        let node = &self.nodes[node as usize];
        Bounds { low: node.centre - node.half, high: node.centre + node.half }
    }

    fn below(&self, node: u32) -> impl Iterator<Item = u32> {
        let is_inner = self.nodes[node as usize].count == 0;
        let children = is_inner.then(|| [node + 1, self.nodes[node as usize + 1].next]);
        children.into_iter().flatten()
    }

    fn items(&self, node: u32) -> impl Iterator<Item = (u32, Triangle)> {
        self.leaf(&self.nodes[node as usize]).iter().map(|&Member { corners, number }| (number, Triangle(corners)))
    }
}
