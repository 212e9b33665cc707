//! A tree of boxes around the bodies of a world, for queries.
//!
//! Each node holds the boxes of both children (as in Embree's and box3d's trees), so that a visit decides which of them to enter without
//! loading them. It is built by splitting at the median of the longest side; afterwards boxes are fitted to where bodies are, until
//! that has doubled their area.

use crate::body::{Body, Pose};
use crate::handle::BodyHandle;
use drystone_contact::Bounds;
use rayon::prelude::*;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Bodies that a thread takes at least.
const BODIES_PER_TASK: usize = 256;

/// The tree is built anew once its boxes have this many times the area that they had.
const WORN: f64 = 2.0;

/// Nodes that wait: one for each level of a tree that halves a number of 32 bits.
const STACK: usize = 64;

const NOWHERE: Bounds = Bounds { low: glam::DVec3::INFINITY, high: glam::DVec3::NEG_INFINITY };

/// A child: a node, or a body.
#[derive(Clone, Copy, Debug)]
enum Child {
    Node(u32),
    Body(u32),
    None,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: [Bounds; 2],
    children: [Child; 2],
}

/// Where a body was when its box was made.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    pose: Pose,
    bounds: Bounds,
}

/// The tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyTree {
    /// Parents before their children, the root first.
    nodes: Vec<Node>,
    /// By index of the body.
    leaves: Vec<Leaf>,
    handles: Vec<BodyHandle>,
    /// Bodies whose boxes have no end.
    unbounded: Vec<u32>,
    /// The area of all boxes when it was built, m².
    area: f64,
}

impl BodyTree {
    /// The tree of bodies where they are, by one of before as far as that goes. Bodies that are nowhere are left out.
    pub fn renewed(
        old: Option<Self>,
        bodies: &[Body],
        handles: &[BodyHandle],
        bounds: impl Fn(usize) -> Bounds + Sync,
    ) -> Self {
        let leaf = |i: usize| {
            let body = &bodies[i];
            Leaf { pose: body.pose(), bounds: if body.state_is_finite() { bounds(i) } else { NOWHERE } }
        };
        if let Some(mut tree) = old.filter(|tree| tree.handles == handles) {
            // Returns whether the body belongs elsewhere now: among those with boxes, without an end, or nowhere.
            let renew = |(i, own): (usize, &mut Leaf)| {
                if own.pose == bodies[i].pose() {
                    return false;
                }
                let before = std::mem::replace(own, leaf(i)).bounds;
                before.is_finite() != own.bounds.is_finite() || (before == NOWHERE) != (own.bounds == NOWHERE)
            };
            let all = tree.leaves.par_iter_mut().enumerate().with_min_len(BODIES_PER_TASK);
            if !all.map(renew).reduce(|| false, |one, other| one | other) && tree.fit() {
                return tree;
            }
            return Self::built(tree.leaves, tree.handles);
        }
        let leaves = (0..bodies.len()).into_par_iter().with_min_len(BODIES_PER_TASK).map(leaf).collect();
        Self::built(leaves, handles.to_vec())
    }

    fn built(leaves: Vec<Leaf>, handles: Vec<BodyHandle>) -> Self {
        let is_bounded = |i: &u32| leaves[*i as usize].bounds.is_finite();
        let is_nowhere = |i: &u32| leaves[*i as usize].bounds == NOWHERE;
        let (mut bounded, mut unbounded): (Vec<u32>, Vec<u32>) = (0..leaves.len() as u32).partition(is_bounded);
        unbounded.retain(|i| !is_nowhere(i));
        let mut tree = Self { nodes: Vec::with_capacity(bounded.len()), leaves, handles, unbounded, area: 0.0 };
        match bounded[..] {
            [] => {}
            [only] => tree.nodes.push(Node {
                bounds: [tree.leaves[only as usize].bounds, NOWHERE],
                children: [Child::Body(only), Child::None],
            }),
            _ => {
                tree.build(&mut bounded);
            }
        }
        tree.area = tree.nodes.iter().flat_map(|node| node.bounds).map(|bounds| area(&bounds)).sum();
        tree
    }

    /// Appends the subtree over two or more bodies.
    fn build(&mut self, bodies: &mut [u32]) -> Child {
        if let [only] = *bodies {
            return Child::Body(only);
        }
        let at = self.nodes.len();
        self.nodes.push(Node { bounds: [NOWHERE; 2], children: [Child::None; 2] });
        let centre = |i: u32| {
            let Bounds { low, high } = self.leaves[i as usize].bounds;
            low + high
        };
        let centres = Bounds::around(bodies.iter().map(|&i| centre(i))).unwrap_or(NOWHERE);
        let axis = (centres.high - centres.low).max_position();
        let middle = bodies.len() / 2;
        let order = |i: &u32, j: &u32| centre(*i)[axis].total_cmp(&centre(*j)[axis]).then(i.cmp(j));
        bodies.select_nth_unstable_by(middle, order);
        let around = |bodies: &[u32]| bodies.iter().map(|&i| self.leaves[i as usize].bounds).fold(NOWHERE, union);
        let (left, right) = bodies.split_at_mut(middle);
        let bounds = [around(left), around(right)];
        let children = [self.build(left), self.build(right)];
        self.nodes[at] = Node { bounds, children };
        Child::Node(at as u32)
    }

    /// Fits the boxes of the nodes to those of the bodies. Returns whether the tree is still a good one.
    fn fit(&mut self) -> bool {
        let mut total = 0.0;
        for at in (0..self.nodes.len()).rev() {
            for side in 0..2 {
                let bounds = match self.nodes[at].children[side] {
                    Child::Node(below) => {
                        let [one, other] = self.nodes[below as usize].bounds;
                        union(one, other)
                    }
                    Child::Body(body) => self.leaves[body as usize].bounds,
                    Child::None => NOWHERE,
                };
                self.nodes[at].bounds[side] = bounds;
                total += area(&bounds);
            }
        }
        total <= WORN * self.area
    }

    /// Visits the bodies whose boxes measure no more than `least`, those that measure less first but for ties; `visit` says what the body
    /// itself measures, which becomes the new `least` if it is less. Bodies without an end come first.
    pub fn nearest(&self, mut least: f64, measure: impl Fn(&Bounds) -> f64, mut visit: impl FnMut(usize, f64) -> f64) {
        for &body in &self.unbounded {
            least = least.min(visit(body as usize, least));
        }
        if self.nodes.is_empty() {
            return;
        }
        let mut stack = [(Child::None, 0.0_f64); STACK];
        (stack[0], stack[1]) = ((Child::None, 0.0), (Child::Node(0), f64::NEG_INFINITY));
        let mut waiting = 2;
        while waiting > 0 {
            waiting -= 1;
            let (child, bound) = stack[waiting];
            if bound > least {
                continue;
            }
            match child {
                Child::None => {}
                Child::Body(body) => least = least.min(visit(body as usize, least)),
                Child::Node(at) => {
                    let Node { bounds, children } = &self.nodes[at as usize];
                    let measures = [measure(&bounds[0]), measure(&bounds[1])];
                    let order = if measures[1] < measures[0] { [0, 1] } else { [1, 0] };
                    for side in order {
                        if measures[side] <= least && measures[side] < f64::INFINITY {
                            stack[waiting] = (children[side], measures[side]);
                            waiting += 1;
                        }
                    }
                }
            }
        }
    }
}

fn union(one: Bounds, other: Bounds) -> Bounds {
    Bounds { low: one.low.min(other.low), high: one.high.max(other.high) }
}

/// Half the area of the surface of a box, m²; zero of none.
fn area(bounds: &Bounds) -> f64 {
    let side = (bounds.high - bounds.low).max(glam::DVec3::ZERO);
    side.x * side.y + side.y * side.z + side.z * side.x
}

/// A tree that is made when it is asked for, and kept until something changes.
#[derive(Debug, Default)]
pub(crate) struct LazyTree {
    current: OnceLock<BodyTree>,
    /// That of before the last change.
    old: Mutex<Option<BodyTree>>,
}

impl LazyTree {
    /// Bodies have moved, or there are others.
    pub fn invalidate(&mut self) {
        if let Some(tree) = self.current.take() {
            *self.old.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(tree);
        }
    }

    /// The tree, by the one of before if there is none.
    pub fn get(&self, renew: impl FnOnce(Option<BodyTree>) -> BodyTree) -> &BodyTree {
        self.current.get_or_init(|| renew(self.old.lock().unwrap_or_else(PoisonError::into_inner).take()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::Handles;
    use crate::material::MaterialId;
    use drystone_contact::split_mix::SplitMix;
    use glam::DVec3;

    /// Against a loop over all boxes, while bodies move a little, a lot, and to where nobody is.
    #[test]
    fn visits_are_those_of_a_loop() {
        let mut random = SplitMix::new(7);
        for count in [0, 1, 2, 3, 40, 200] {
            let mut handles = Handles::default();
            let mut bodies: Vec<Body> = (0..count).map(|_| Body::fixed(MaterialId::new(0))).collect();
            (0..count).for_each(|_| assert!(handles.insert().is_some()));
            let mut old = None;
            for round in 0..12 {
                for (i, body) in bodies.iter_mut().enumerate() {
                    let size = if round % 4 == 0 { 10.0 } else { 0.3 };
                    let way = DVec3::from_array([0; 3].map(|_| random.next_between(-size, size)));
                    body.position += if i % 3 == round % 3 { way } else { DVec3::ZERO };
                }
                if count > 2 {
                    bodies[1].position.x = if round % 2 == 0 { f64::NAN } else { 1.0 };
                }
                let bounds = |i: usize| {
                    let p = bodies[i].position;
                    let half = if i % 17 == 5 { DVec3::INFINITY } else { DVec3::splat(0.2) };
                    Bounds { low: p - half, high: p + half }
                };
                let tree = BodyTree::renewed(old.take(), &bodies, handles.dense(), bounds);
                let p = DVec3::from_array([0; 3].map(|_| random.next_between(-10.0, 10.0)));
                let gap = |bounds: &Bounds| (bounds.low - p).max(p - bounds.high).max(DVec3::ZERO).length();
                let is_there = |i: &usize| bodies[*i].state_is_finite();
                let nearest = (0..count).filter(is_there).map(|i| gap(&bounds(i))).fold(f64::INFINITY, f64::min);
                let mut found = f64::INFINITY;
                tree.nearest(f64::INFINITY, gap, |i, least| {
                    assert!(gap(&bounds(i)) <= least || !bounds(i).is_finite());
                    found = found.min(gap(&bounds(i)));
                    gap(&bounds(i))
                });
                assert_eq!(found, nearest, "{count} {round}");
                let mut within = Vec::new();
                let is_near = |bounds: &Bounds| if gap(bounds) <= 3.0 { 0.0 } else { f64::INFINITY };
                tree.nearest(0.0, is_near, |i, _| {
                    within.push(i);
                    f64::INFINITY
                });
                within.sort_unstable();
                let expected: Vec<usize> = (0..count).filter(is_there).filter(|&i| gap(&bounds(i)) <= 3.0).collect();
                assert_eq!(within, expected, "{count} {round}");
                old = Some(tree);
            }
        }
    }
}
