//! Whether shapes have a point in common.

use glam::DMat3;

use super::box_hierarchy::BoxHierarchy;
use super::closest::{above_half_space, closest, surface_and_convex};
use super::gjk::{self, Distance};
use super::ground::Columns;
use super::pieces;
use super::support::{AlignedBox, PlacedSupport};
use super::view::View;
use super::{QueryError, checked_pose};
use crate::bounds::Bounds;
use crate::pose::Pose;
use crate::shape::{CompoundPart, Shape};

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
    Ok(is_in_box(&View::convex_of(shape).checked("overlap")?, pose, bounds))
}

/// The same of a view.
fn is_in_box(view: &View<'_>, pose: &Pose, bounds: &Bounds) -> bool {
    let back = pose.inverse();
    let set = PlacedSupport::new(AlignedBox { low: bounds.low, high: bounds.high }, &back);
    // The box around the box, in the frame of the shape.
    let around = || {
        let (centre, half) = (bounds.low.midpoint(bounds.high), 0.5 * (bounds.high - bounds.low));
        let axes = DMat3::from_quat(back.rotation);
        let reach = axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z;
        let middle = back.transform_point(centre);
        Bounds { low: middle - reach, high: middle + reach }
    };
    let found = match view {
        View::HalfSpace => above_half_space(&set, 0.0),
        View::Convex(convex) => {
            gjk::distance(convex, &set, back.transform_point(bounds.low.midpoint(bounds.high)), 0.0)
        }
        View::Surface(_) | View::Mesh(_) => match view.triangles() {
            Some((tree, solid)) => surface_and_convex(tree, solid, &set, &around(), 0.0),
            None => Distance::Beyond,
        },
        View::Terrain(field) => {
            let around = around();
            pieces::and_convex(&Columns::beside(field, &around), &set, &around, 0.0)
        }
        View::Compound(compound) => {
            let around = around();
            let mut is_in = false;
            let visit = |part: u32, _| {
                let CompoundPart { shape, pose: own } = &compound.parts()[part as usize];
                is_in = is_in_box(&View::convex_of(shape), &(*pose * *own), bounds);
                // Nothing has to be looked at any more.
                if is_in { f64::NEG_INFINITY } else { f64::INFINITY }
            };
            let measure = |own: &Bounds| if own.overlaps(&around) { 0.0 } else { f64::INFINITY };
            compound.tree().nearest(f64::INFINITY, measure, visit);
            return is_in;
        }
        View::Solid(_) => Distance::Beyond,
    };
    found == Distance::Overlapping
}
