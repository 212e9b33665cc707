//! A tree of boxes around the bodies of a world, for queries.
//!
//! Boxes are fitted to where bodies are until the tree is worn; then it is built anew.

use crate::body::{Body, Pose};
use crate::handle::BodyHandle;
use drystone_contact::Bounds;
use drystone_contact::bounds_tree::BoundsTree;
use drystone_contact::parallel::prelude::*;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Bodies that a thread takes at least.
const BODIES_PER_TASK: usize = 256;

const NOWHERE: Bounds = Bounds { low: glam::DVec3::INFINITY, high: glam::DVec3::NEG_INFINITY };

/// Where a body was when its box was made.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    pose: Pose,
    bounds: Bounds,
}

/// The tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyTree {
    /// The boxes with an end, by index of the body.
    tree: BoundsTree,
    /// By index of the body.
    leaves: Vec<Leaf>,
    handles: Vec<BodyHandle>,
    /// Bodies whose boxes have no end.
    unbounded: Vec<u32>,
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
            let all = tree.leaves.par_iter_mut().enumerate().in_tasks_of(BODIES_PER_TASK);
            let is_elsewhere = all.map(renew).reduce(|| false, |one, other| one | other);
            if !is_elsewhere {
                let leaves = &tree.leaves;
                if tree.tree.fit(|body| Some(leaves[body as usize].bounds)) {
                    return tree;
                }
            }
            return Self::built(tree.leaves, tree.handles);
        }
        let leaves = (0..bodies.len()).into_par_iter().in_tasks_of(BODIES_PER_TASK).map(leaf).collect();
        Self::built(leaves, handles.to_vec())
    }

    fn built(leaves: Vec<Leaf>, handles: Vec<BodyHandle>) -> Self {
        let places = (0_u32..).zip(&leaves);
        let bounded = places.clone().filter(|(_, leaf)| leaf.bounds.is_finite());
        let tree = BoundsTree::new(bounded.map(|(body, leaf)| (body, leaf.bounds)));
        let is_unbounded = |leaf: &Leaf| !leaf.bounds.is_finite() && leaf.bounds != NOWHERE;
        let unbounded = places.filter(|(_, leaf)| is_unbounded(leaf)).map(|(body, _)| body).collect();
        Self { tree, leaves, handles, unbounded }
    }

    /// Visits the bodies whose boxes measure no more than `least`, those that measure less first but for ties; `visit` says what the body
    /// itself measures, which becomes the new `least` if it is less. Bodies without an end come first.
    pub fn nearest(&self, mut least: f64, measure: impl Fn(&Bounds) -> f64, mut visit: impl FnMut(usize, f64) -> f64) {
        for &body in &self.unbounded {
            least = least.min(visit(body as usize, least));
        }
        self.tree.nearest(least, measure, |body, least| visit(body as usize, least));
    }
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
