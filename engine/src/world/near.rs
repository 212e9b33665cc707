//! What counts as near: by how much the boxes of bodies are grown.
//!
//! Contacts of two bodies are looked for where they may touch at all ([`PairFilter`](crate::pair_filter::PairFilter)) and their boxes overlap, each grown by
//! half of the distance that matters and by what rounding may do: boxes of bodies at rest in place ([`bounds_at`]) for
//! contact generation, boxes around a motion ([`swept_bounds`]) for continuous collision detection.

use crate::body::Pose;
use crate::broad_phase::{Bounds, BroadPhase};
use drystone_contact::ccd::rigid::{self, RigidMesh};
use drystone_contact::shape::Shape;

/// Boxes for contact generation are grown by this share of their coordinates: a generator in single precision rounds
/// positions, by several units of 1.2e-7.
const ROUNDING: f64 = 2e-6;

/// The distance up to which two shapes with these contact margins have contacts: the mean, m.
pub(crate) fn pair_margin(a: f64, b: f64) -> f64 {
    0.5 * (a + b)
}

/// The box of a shape at a pose whose contact margin is `margin` (m): wherever two shapes may have contacts their boxes
/// overlap. Its sides are infinite where the shape is.
pub(crate) fn bounds_at(shape: &Shape, pose: &Pose, margin: f64) -> Bounds {
    let (low, high) = shape.bounds_at(pose);
    let bounds = Bounds { low, high };
    let size = bounds.largest_finite_coordinate().max(pose.translation.abs().max_element());
    bounds.grown(0.5 * margin + ROUNDING * size)
}

/// The box of a mesh in motion: wherever two meshes come as near as `distance` (m) their boxes overlap. `None` without
/// vertices, and for positions that are not finite.
pub(crate) fn swept_bounds(mesh: &RigidMesh<'_>, distance: f64) -> Option<Bounds> {
    let bounds = mesh.swept_bounds().filter(Bounds::is_finite)?;
    Some(bounds.grown(0.5 * distance + rigid::ROUNDING * bounds.largest_coordinate()))
}

/// The pairs of indices whose boxes overlap and that `wants` takes: lower index first, in ascending order.
pub(crate) fn near_pairs(
    bounds: &[Option<Bounds>],
    wants: impl Fn(usize, usize) -> bool + Sync,
) -> Vec<(usize, usize)> {
    let mut broad_phase = BroadPhase::new();
    for (index, bounds) in (0..).zip(bounds) {
        if let Some(bounds) = bounds {
            broad_phase.set(index, *bounds);
        }
    }
    let pairs = broad_phase.pairs(|a, b| wants(a as usize, b as usize));
    pairs.into_iter().map(|(a, b)| (a as usize, b as usize)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::MaterialId;
    use drystone_contact::ccd::mesh::Topology;
    use drystone_contact::ccd::rigid::NonlinearRigidMotion;
    use glam::DVec3;

    #[test]
    fn boxes_overlap_up_to_the_distance_that_matters() {
        let corners = [DVec3::ZERO, DVec3::ONE];
        let cube = crate::Solid::cuboid(DVec3::ONE, 1.0).unwrap();
        let cube = cube.fixed(MaterialId::new(0), Pose::IDENTITY).unwrap().shape;
        let apart = |x: f64| [0.0, 1.0 + x].map(|x| Pose::from_translation(DVec3::X * x));
        let pairs = |margins: [f64; 2], x: f64| {
            let poses = apart(x);
            near_pairs(&[0, 1].map(|k| Some(bounds_at(&cube, &poses[k], margins[k]))), |_, _| true)
        };
        assert_eq!(pair_margin(0.1, 0.3), 0.2);
        assert_eq!((pairs([0.1, 0.3], 0.2), pairs([0.1, 0.3], 0.201)), (vec![(0, 1)], vec![]));
        let topology = Topology::new(2, &[], vec![]).unwrap();
        let swept = |x: f64, speed: f64| {
            let motion = |pose| NonlinearRigidMotion {
                velocity: DVec3::X * speed,
                duration: 1.0,
                ..NonlinearRigidMotion::still(pose)
            };
            let boxes = apart(x).map(|pose| swept_bounds(&RigidMesh::new(&topology, &corners, motion(pose)), 0.2));
            near_pairs(&boxes, |_, _| true)
        };
        assert_eq!((swept(0.2, 0.0), swept(0.201, 0.0)), (vec![(0, 1)], vec![]));
        assert_eq!(swept(0.201, 1.0), [(0, 1)]);
        assert_eq!(swept(0.2, f64::INFINITY), [], "nothing is said of what is not finite");
    }
}
