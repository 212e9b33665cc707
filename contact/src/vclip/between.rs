//! Distances between shapes that are not convex: V-Clip on the nodes of two trees of hulls (V-Clip report, section 6).
//!
//! A node's hull holds all pieces below it, so that the distance of two nodes is a lower bound for their pieces: a
//! pair of nodes that is farther apart than what is looked for is left out with everything below it. The pair of
//! features where a search between two nodes ended is kept, so that the next search between them starts there.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::hierarchy::{Content, PieceHierarchy};
use super::{Outcome, Pair, RelativePose, certified};
use crate::sorting::CompactSort;

/// Where the searches between the nodes of two shapes ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tracking {
    pairs: BTreeMap<(u32, u32), Pair>,
}

/// Two pieces that are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPieces {
    /// The piece of A and the piece of B.
    pub pieces: [u32; 2],
    /// What is known of them.
    pub outcome: Outcome,
}

impl NearPieces {
    /// Whether they have a point in common.
    pub fn overlaps(&self) -> bool {
        matches!(self.outcome, Outcome::Overlapping { .. })
    }
}

impl Tracking {
    /// All pairs of pieces of A and B that overlap or are no farther apart than a distance (m), in ascending order.
    pub fn within(
        &mut self,
        a: &PieceHierarchy,
        b: &PieceHierarchy,
        relative_pose: &RelativePose,
        reach: f64,
    ) -> Vec<NearPieces> {
        let mut near = Vec::new();
        let mut stack = vec![(a.root(), b.root())];
        while let Some(nodes) = stack.pop() {
            let (m, n) = (&a.nodes()[nodes.0 as usize], &b.nodes()[nodes.1 as usize]);
            let cold = || Pair::cold(&m.polyhedron, &n.polyhedron, relative_pose);
            let pair = self.pairs.entry(nodes).or_insert_with(cold);
            let outcome = certified(&m.polyhedron, &n.polyhedron, relative_pose, pair);
            // What stands out of the hulls stands between them.
            let least = |certificate: &super::Certificate| certificate.lower - m.margin - n.margin;
            if matches!(&outcome, Outcome::Apart { certificate, .. } if least(certificate) > reach) {
                continue;
            }
            match (m.content, n.content) {
                (Content::Piece(p), Content::Piece(q)) => near.push(NearPieces { pieces: [p, q], outcome }),
                (Content::Nodes(children), _) => stack.extend(children.map(|child| (child, nodes.1))),
                (Content::Piece(_), Content::Nodes(children)) => {
                    stack.extend(children.map(|child| (nodes.0, child)));
                }
            }
        }
        near.compact_sort_by_key(|near| near.pieces);
        near
    }

    /// Whether all nodes and features are those of two shapes, as they are unless they come from a damaged file.
    pub fn is_of(&self, a: &PieceHierarchy, b: &PieceHierarchy) -> bool {
        let has = |shape: &PieceHierarchy, node: u32, feature| {
            shape.nodes().get(node as usize).is_some_and(|node| node.polyhedron.has(feature))
        };
        self.pairs.iter().all(|(&(m, n), pair)| has(a, m, pair.a) && has(b, n, pair.b))
    }

    /// How many pairs of nodes are kept.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}
