//! How far bodies are in each other, measured by their surfaces and not by contacts.
//!
//! [`drystone_contact::overlap`] intersects the shapes of all pairs that are near each other. A run that this finds clean is
//! clean, whatever generator and solver made it.

use crate::body::{Body, BodyId};
use crate::broad_phase::Bounds;
use crate::handle::BodyHandle;
use crate::world::near::{bounds_at, near_pairs};
use drystone_contact::overlap::{self, OverlapError};
use drystone_contact::shape::Shape;
use glam::DVec3;
use rayon::prelude::*;

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

/// The overlaps of all pairs of bodies that `may_touch` takes, at their present poses, in ascending order of the pairs. A
/// body whose state is not finite overlaps nothing. Work is shared among the threads of the rayon pool that the caller runs
/// in; the result is the same for any number of them.
pub(crate) fn overlaps(
    bodies: &[Body],
    shapes: &[&Shape],
    handles: &[BodyHandle],
    may_touch: impl Fn(usize, usize) -> bool,
) -> Result<Vec<BodyOverlap>, BodyOverlapError> {
    let bounds = |(body, shape): (&Body, &&Shape)| -> Option<Bounds> {
        let pose = body.pose();
        let is_finite = pose.translation.is_finite() && pose.rotation.is_finite();
        is_finite.then(|| bounds_at(shape, &pose, 0.0))
    };
    let bounds: Vec<Option<Bounds>> = bodies.iter().zip(shapes).map(bounds).collect();
    let measure = |&(a, b): &(usize, usize)| {
        let (pose, other) = (bodies[a].pose(), bodies[b].pose());
        let parts = overlap::components(shapes[a], shapes[b], &(pose.inverse() * other))
            .map_err(|source| BodyOverlapError { a: handles[a], b: handles[b], source })?;
        let deepest = parts.iter().max_by(|x, y| x.depth.total_cmp(&y.depth));
        Ok(deepest.map(|deepest| BodyOverlap {
            a: BodyId::new(a as u32),
            b: BodyId::new(b as u32),
            depth: deepest.depth,
            volume: parts.iter().map(|part| part.volume).sum(),
            position: pose.transform_point(deepest.middle()),
        }))
    };
    let pairs = near_pairs(&bounds, may_touch);
    let found: Result<Vec<Option<BodyOverlap>>, _> =
        pairs.par_iter().with_min_len(PAIRS_PER_TASK).map(measure).collect();
    Ok(found?.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Friction, Interaction, Pose, Solid, World};

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
