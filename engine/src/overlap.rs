//! How far bodies are in each other, measured by their surfaces and not by contacts.
//!
//! [`drystone_contact::overlap`] intersects the shapes of all pairs that are near each other. A run that this finds clean is
//! clean, whatever generator and solver made it.

use crate::body::{Body, BodyId, Pose};
use crate::broad_phase::Bounds;
use crate::handle::BodyHandle;
use crate::new_body::Groups;
use crate::pair_filter::{ExcludedPairs, PairFilter};
use crate::world::near::{bounds_at, near_pairs};
use drystone_contact::overlap::{self, OverlapError};
use drystone_contact::parallel::prelude::*;
use drystone_contact::shape::Shape;
use glam::DVec3;
use std::sync::Arc;

/// Pairs that a thread takes at least.
const PAIRS_PER_TASK: usize = 4;

/// Two bodies that are in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyOverlap {
    /// The body with the lower number.
    pub a: BodyId,
    /// The other one.
    pub b: BodyId,
    /// The depth of the deepest component of the intersection, m, above zero.
    pub depth: f64,
    /// The volume of the intersection, m³.
    pub volume: f64,
    /// The middle of the deepest component, world frame, m.
    pub position: DVec3,
}

/// The overlap of two bodies cannot be measured.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the overlap of {a} and {b} cannot be measured: {source}")]
pub struct BodyOverlapError {
    /// The first body.
    pub a: BodyHandle,
    /// The second body.
    pub b: BodyHandle,
    /// Why.
    pub source: OverlapError,
}

/// The bodies of a simulator, as far as their overlaps at any poses are a matter of them: what they are and which of them
/// may touch.
#[derive(Clone, Debug, Default)]
pub struct OverlapAudit {
    pub(crate) bodies: Vec<Body>,
    pub(crate) handles: Vec<BodyHandle>,
    pub(crate) shapes: Vec<Arc<Shape>>,
    pub(crate) groups: Vec<Groups>,
    pub(crate) excluded: ExcludedPairs,
}

impl OverlapAudit {
    /// The overlaps of bodies that may touch, at these poses, one for each body, in ascending order of the pairs; none that
    /// only touches. A body whose pose is not finite, or missing, overlaps nothing. Work is shared among the threads of the
    /// rayon pool that the caller runs in; the result is the same for any number of them.
    ///
    /// # Errors
    /// The overlap of two bodies cannot be measured.
    pub fn at(&self, poses: &[Pose]) -> Result<Vec<BodyOverlap>, BodyOverlapError> {
        let bounds = |(pose, shape): (&Pose, &Arc<Shape>)| -> Option<Bounds> {
            let is_finite = pose.translation.is_finite() && pose.rotation.is_finite();
            is_finite.then(|| bounds_at(shape, pose, 0.0))
        };
        let bounds: Vec<Option<Bounds>> = poses.iter().zip(&self.shapes).map(bounds).collect();
        let groups = |index: usize| self.groups[index];
        let filter = PairFilter {
            bodies: &self.bodies,
            handles: &self.handles,
            groups,
            excluded: &self.excluded,
            jointed: &ExcludedPairs::new(),
        };
        let pairs = near_pairs(&bounds, |a, b| filter.may_touch(a, b));
        let found: Result<Vec<Option<BodyOverlap>>, _> =
            pairs.par_iter().in_tasks_of(PAIRS_PER_TASK).map(|&pair| self.measured(pair, poses)).collect();
        Ok(found?.into_iter().flatten().collect())
    }

    /// The overlaps where the bodies are.
    pub(crate) fn here(&self) -> Result<Vec<BodyOverlap>, BodyOverlapError> {
        self.at(&self.bodies.iter().map(Body::pose).collect::<Vec<_>>())
    }

    fn measured(&self, (a, b): (usize, usize), poses: &[Pose]) -> Result<Option<BodyOverlap>, BodyOverlapError> {
        let parts = overlap::components(&self.shapes[a], &self.shapes[b], &(poses[a].inverse() * poses[b]))
            .map_err(|source| BodyOverlapError { a: self.handles[a], b: self.handles[b], source })?;
        let deepest = parts.iter().max_by(|x, y| x.depth.total_cmp(&y.depth));
        Ok(deepest.map(|deepest| BodyOverlap {
            a: BodyId::new(a as u32),
            b: BodyId::new(b as u32),
            depth: deepest.depth,
            volume: parts.iter().map(|part| part.volume).sum(),
            position: poses[a].transform_point(deepest.middle()),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Friction, Interaction, Solid, World};

    /// A row of cubes of side 1 at these places along x, the first one fixed.
    fn row(places: &[f64]) -> World {
        let mut world = World::default();
        let stone = world.materials_mut().add("stone").unwrap();
        world.materials_mut().set(stone, stone, Interaction::dry(Friction::sliding(0.5))).unwrap();
        let cube = Solid::cuboid(DVec3::ONE, 1000.0).unwrap();
        for (k, &x) in places.iter().enumerate() {
            let pose = Pose::from_translation(DVec3::X * x);
            let new = if k == 0 { cube.fixed(stone, pose) } else { cube.dynamic(stone, pose) };
            world.add(new.unwrap()).unwrap();
        }
        world
    }

    #[test]
    fn pairs_that_overlap_are_told_and_those_that_touch_are_not() {
        let mut world = row(&[0.0, 0.75, 1.75, 2.625, 9.0]);
        let found = world.overlaps().unwrap();
        let pairs: Vec<(usize, usize)> = found.iter().map(|o| (o.a.index(), o.b.index())).collect();
        assert_eq!(pairs, [(0, 1), (2, 3)]);
        for (overlap, width, x) in [(found[0], 0.25, 0.375), (found[1], 0.125, 2.1875)] {
            assert!((overlap.depth - width).abs() < 1e-14 && (overlap.volume - width).abs() < 1e-14, "{overlap:?}");
            assert!((overlap.position - DVec3::X * x).length() < 1e-14, "{overlap:?}");
        }
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(one.install(|| world.overlaps().unwrap()), found);
        let handles = world.handles().to_vec();
        world.set_excluded(handles[0], handles[1], true).unwrap();
        assert_eq!(world.overlaps().unwrap(), found[1..]);
    }
}
