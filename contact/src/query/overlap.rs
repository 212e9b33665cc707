//! Whether shapes have a point in common.

use glam::{DMat3, DVec3};

use super::box_hierarchy::BoxHierarchy;
use super::closest::{above_half_space, closest, surface_and_convex};
use super::cuboid::Cuboid;
use super::faces::Faces;
use super::gjk::{self, Distance};
use super::ground::Columns;
use super::pieces;
use super::support::{AlignedBox, Convex, PlacedSupport};
use super::view::{Surfaced, View};
use super::{QueryError, checked_pose};
use crate::bounds::Bounds;
use crate::pose::Pose;
use crate::shape::{CompoundPart, Shape};

/// Whether two shapes at poses have a point in common, or touch up to rounding.
///
/// # Errors
/// [`QueryError`] for a pose that is none, [`QueryError::Kind`] for general solids.
pub fn overlaps([a, b]: [&Shape; 2], [pose_a, pose_b]: [&Pose; 2]) -> Result<bool, QueryError> {
    let pose_a = &checked_pose(pose_a, "first shape")?;
    let pose_b = &checked_pose(pose_b, "second shape")?;
    let views = [View::convex_of(a).checked("overlap")?, View::convex_of(b).checked("overlap")?];
    Ok(closest(views, [a, b], &(pose_a.inverse() * *pose_b), 0.0) == Distance::Overlapping)
}

/// Whether a shape at a pose has a point in common with a box along the world's axes (m).
///
/// # Errors
/// [`QueryError::Pose`], [`QueryError::Box`], [`QueryError::Kind`] for general solids.
pub fn overlap_box(shape: &Shape, pose: &Pose, bounds: &Bounds) -> Result<bool, QueryError> {
    let pose = &checked_pose(pose, "shape")?;
    let Bounds { low, high } = *bounds;
    if !(bounds.is_finite() && low.cmple(high).all()) {
        return Err(QueryError::Box { low, high });
    }
    Ok(is_in_box(&View::of(shape).checked("overlap")?, pose, bounds))
}

/// The same of a view.
fn is_in_box(view: &View<'_>, pose: &Pose, bounds: &Bounds) -> bool {
    if let View::Convex(Convex::Ball { radius }) = view {
        return pose.translation.clamp(bounds.low, bounds.high).distance_squared(pose.translation) <= radius * radius;
    }
    if let View::Surface(Surfaced { polyhedron }) = view
        && let Some(cuboid) = polyhedron.faces().and_then(Faces::cuboid)
    {
        return boxes_overlap(cuboid, pose, bounds);
    }
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
    let found = match view.convex() {
        View::HalfSpace => above_half_space(&set, 0.0),
        View::Convex(convex) => {
            gjk::distance(&convex, &set, back.transform_point(bounds.low.midpoint(bounds.high)), 0.0)
        }
        surface @ (View::Surface(_) | View::Mesh(_)) => match surface.triangles() {
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
                is_in = is_in_box(&View::of(shape), &(*pose * *own), bounds);
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

/// The entries of rotations may be off by this, so that edges that are parallel have no direction across both.
const PARALLEL: f64 = 1e-15;

/// Whether a box at a pose overlaps another one along the axes of the world: no axis of either and no direction across two edges parts them
/// (Gottschalk, Lin and Manocha, "OBBTree", 1996).
fn boxes_overlap(cuboid: &Cuboid, pose: &Pose, bounds: &Bounds) -> bool {
    let half = 0.5 * (cuboid.high - cuboid.low);
    let other = 0.5 * (bounds.high - bounds.low);
    let axes = DMat3::from_quat(pose.rotation);
    let between = axes * cuboid.low.midpoint(cuboid.high) + pose.translation - bounds.low.midpoint(bounds.high);
    let magnitudes = [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| axis.abs() + PARALLEL);
    let [x, y, z] = magnitudes;
    if between.abs().cmpgt(other + x * half.x + y * half.y + z * half.z).any() {
        return false;
    }
    let seen = axes.transpose() * between;
    let reach = DVec3::new(x.dot(other), y.dot(other), z.dot(other));
    if seen.abs().cmpgt(half + reach).any() {
        return false;
    }
    let own = [axes.x_axis, axes.y_axis, axes.z_axis];
    !(0..3).any(|k| {
        // Across the axis k of the box and x, y, z.
        let (axis, magnitude) = (own[k], magnitudes[k]);
        let distance = DVec3::new(
            between.z * axis.y - between.y * axis.z,
            between.x * axis.z - between.z * axis.x,
            between.y * axis.x - between.x * axis.y,
        );
        let of_other = DVec3::new(
            other.y * magnitude.z + other.z * magnitude.y,
            other.z * magnitude.x + other.x * magnitude.z,
            other.x * magnitude.y + other.y * magnitude.x,
        );
        // Along the other two axes of the box, each across the third.
        let (p, q) = ((k + 1) % 3, (k + 2) % 3);
        let of_own = half[p] * magnitudes[q] + half[q] * magnitudes[p];
        distance.abs().cmpgt(of_other + of_own).any()
    })
}
