//! Whether shapes have a point in common.

use glam::DVec3;

use super::closest::{above_half_space, closest, surface_and_convex};
use super::gjk::{self, Distance};
use super::support::{AlignedBox, PlacedSupport};
use super::view::View;
use super::{QueryError, checked_pose};
use crate::bounds::Bounds;
use crate::pose::Pose;
use crate::shape::Shape;

/// Whether two shapes at poses have a point in common, or touch up to rounding.
///
/// # Errors
/// [`QueryError`] for a pose that is none, [`QueryError::Kind`] for general solids.
pub fn overlaps([a, b]: [&Shape; 2], [pose_a, pose_b]: [&Pose; 2]) -> Result<bool, QueryError> {
    checked_pose(pose_a, "first shape")?;
    checked_pose(pose_b, "second shape")?;
    let views = [View::convex_of(a).checked("overlap")?, View::convex_of(b).checked("overlap")?];
    Ok(closest(views, [a, b], &(pose_a.inverse() * *pose_b), 0.0) == Distance::Overlapping)
}

/// Whether a shape at a pose has a point in common with a box along the world's axes (m).
///
/// # Errors
/// [`QueryError::Pose`], [`QueryError::Box`], [`QueryError::Kind`] for general solids.
pub fn overlap_box(shape: &Shape, pose: &Pose, bounds: &Bounds) -> Result<bool, QueryError> {
    checked_pose(pose, "shape")?;
    let Bounds { low, high } = *bounds;
    if !(bounds.is_finite() && low.cmple(high).all()) {
        return Err(QueryError::Box { low, high });
    }
    let back = pose.inverse();
    let set = PlacedSupport::new(AlignedBox { low, high }, &back);
    let found = match View::convex_of(shape).checked("overlap")? {
        View::HalfSpace => above_half_space(&set, 0.0),
        View::Convex(convex) => gjk::distance(&convex, &set, back.transform_point(low.midpoint(high)), 0.0),
        View::Surface(surface) => {
            let corner = |k: usize| {
                let pick = |bit: usize, axis: usize| if k & bit == 0 { low[axis] } else { high[axis] };
                back.transform_point(DVec3::new(pick(1, 0), pick(2, 1), pick(4, 2)))
            };
            let around = Bounds::around((0..8).map(corner)).unwrap_or(*bounds);
            surface_and_convex(&surface, &set, around, 0.0)
        }
        View::Solid(_) | View::Unserved(_) => Distance::Beyond,
    };
    Ok(found == Distance::Overlapping)
}
