//! How long directions that turn with one of two moving shapes keep them apart: of each two facets that may come near each other, one stays
//! in front of the plane of the other, or beyond a plane along an edge of each. A shape that slides over another, or past it, or has left it,
//! is followed by this in few looks.

mod triangles;

use glam::{DQuat, DVec3};

pub(super) use self::triangles::apart_from_surface;
use self::triangles::is_before_triangles;

use super::super::semi_local::convex_core::{PlacedCore, separating_direction, separating_face};
use super::Motion;
use super::heights::Heights;
use super::known::{Known, KnownAxes, Turned};
use super::pieces::PieceCouple;
use crate::pose::Pose;
use crate::shape::convex_core::RoundedCore;
use crate::shape::features::{Features, Placement};
use crate::shape::{Ball, Form, HalfSpace, Shape};

/// Where directions do not keep the shapes apart for all of a time, this share of it is tried.
const SHORTER: f64 = 0.25;

/// The poses of A and B at the beginning, in the middle and at the end of a time.
pub(super) type Samples = [[Pose; 2]; 3];

impl Motion<'_> {
    /// How long directions keep the shapes apart from a time on for certain, but for the allowed depth, s; `None` if not for the longest
    /// time that is asked for, nor for a shorter one above the least. The normals that are known are among the directions. `now` are the poses
    /// at that time, `near` all pieces there that may meet in the rest of the motion.
    pub(super) fn kept_apart(
        &self,
        (time, now): (f64, &[Pose; 2]),
        [least, longest]: [f64; 2],
        known: &Known,
        near: &mut [PieceCouple<'_>],
    ) -> Option<f64> {
        let longest = longest.min(self.duration - time);
        if self.placed.iter().all(|placed| placed.shape.kind() == Ball::KIND) {
            let free = self.balls_kept_apart(now, longest);
            return (free >= longest || free > least).then_some(free);
        }
        self.all_kept_apart((time, now), [least, longest], near, known)
    }

    /// How long two balls stay apart, but for the allowed depth, s: no longer than `longest`. Their centres move along straight lines.
    fn balls_kept_apart(&self, now: &[Pose; 2], longest: f64) -> f64 {
        let [a, b] = self.placed;
        let (centre, velocity) = (now[1].translation - now[0].translation, b.twist.linear - a.twist.linear);
        let distance = a.shape.radius() + b.shape.radius() - self.allowed;
        // |centre + t velocity| = distance, by the form without cancellation.
        let (half, rest) = (centre.dot(velocity), centre.length_squared() - distance * distance);
        let discriminant = half * half - velocity.length_squared() * rest;
        if rest < 0.0 {
            0.0
        } else if half >= 0.0 || discriminant < 0.0 {
            longest
        } else {
            (rest / (discriminant.sqrt() - half)).min(longest)
        }
    }

    /// The same of all of some pieces.
    fn all_kept_apart(
        &self,
        (time, now): (f64, &[Pose; 2]),
        [least, longest]: [f64; 2],
        pieces: &mut [PieceCouple<'_>],
        known: &Known,
    ) -> Option<f64> {
        let is_compound = self.placed.iter().any(|placed| placed.shape.as_compound().is_some());
        let mut free = longest;
        loop {
            let poses = [*now, self.poses(time + 0.5 * free), self.poses(time + free)];
            let distance = self.reach(free) + self.allowed;
            let heights = self.heights(free, is_compound);
            let axes = known.turned(&poses, &heights);
            let mut near = pieces.iter_mut().filter(|pair| pair.of_boxes <= distance);
            if near.all(|pair| pair.are_kept_apart(&poses, distance, &heights, &axes)) {
                return Some(free);
            }
            free *= SHORTER;
            if free <= least {
                return None;
            }
        }
    }
}

/// Whether directions keep two shapes, none of them a compound, apart all the way, as far as they come nearer to each other than a
/// distance, m: those of their facets in `pairs`, if these are given. `directions` keep how they are apart at the first pair of poses, once it
/// is found.
pub(super) fn are_kept_apart(
    [a, b]: [&Shape; 2],
    poses: &Samples,
    distance: f64,
    least: &Heights,
    known: &KnownAxes,
    pairs: Option<&[(u32, u32)]>,
    directions: &mut Directions,
) -> bool {
    let turned = poses.map(|[a, b]| [b, a]);
    let Heights { of_shapes: [of_a, of_b, _], of_points, .. } = *least;
    if let Some(surface) = a.as_open_surface() {
        return is_before_triangles(surface, b, poses, distance, [of_a, of_points.other]);
    }
    if let Some(surface) = b.as_open_surface() {
        return is_before_triangles(surface, a, &turned, distance, [of_b, of_points.own]);
    }
    match (a.features(), b.features()) {
        (Some(own), Some(other)) => {
            let placements = poses.map(|[a, b]| Placement::of(&a, &b));
            let axes = known.in_frame(poses, least);
            if own.is_convex() && other.is_convex() {
                let vertices = || [own, other].map(|features| features.vertices().iter().map(|v| v.position));
                let is_across = known
                    .normals()
                    .iter()
                    .zip(axes.list.chunks_exact(2))
                    .any(|(normal, axes)| normal.across.is_some() && axes[0].keeps_apart(vertices(), &placements));
                if is_across || is_one_direction_enough([a, b], poses, least, known, directions) {
                    return true;
                }
            }
            own.are_kept_apart(other, &placements, distance, &axes, &of_points, pairs)
        }
        _ if is_plane(a) => is_above_plane(b, poses, of_a),
        _ if is_plane(b) => is_above_plane(a, &turned, of_b),
        _ if a.radius().is_infinite() || b.radius().is_infinite() => false,
        _ if is_one_direction_enough([a, b], poses, least, known, directions) => true,
        (Some(own), None) => is_before_facets(own, b, poses, distance, of_a),
        (None, Some(other)) => is_before_facets(other, a, &turned, distance, of_b),
        (None, None) => {
            let normal = (poses[0][1].translation - poses[0][0].translation).normalize_or(DVec3::Y);
            poses.iter().all(|[p, q]| lowest(b, q, normal) + lowest(a, p, -normal) >= of_a.max(of_b))
        }
    }
}

/// Directions in which two convex shapes are apart at a pair of poses, each once it is found; see [`separating_face`] and
/// [`separating_direction`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Directions {
    of_face: Option<Option<(DVec3, bool)>>,
    of_nearest: Option<Option<DVec3>>,
}

/// Whether two shapes are kept apart by one of the known normals, or two convex ones by the direction of a face, or in which they are nearest, at
/// the first pair of poses; see [`is_axis`].
fn is_one_direction_enough(
    shapes: [&Shape; 2],
    poses: &Samples,
    least: &Heights,
    known: &KnownAxes,
    directions: &mut Directions,
) -> bool {
    let turned = |k: usize, normal: DVec3| {
        let own = poses[0][k].rotation.inverse() * normal;
        poses.map(|at| at[k].rotation * own)
    };
    let is_apart_along =
        |n: &Turned| is_axis(shapes, poses, least.of_shapes.map(|least| least - n.depth), n.still, |k| n.with[k]);
    if known.normals().iter().any(is_apart_along) {
        return true;
    }
    let (Some(own), Some(other)) = (shapes[0].core(), shapes[1].core()) else { return false };
    let [own, other] = [(own, poses[0][0]), (other, poses[0][1])].map(|(rounded, pose)| PlacedCore { rounded, pose });
    let is_kept_by = |normal| is_axis(shapes, poses, least.of_shapes, normal, |k| turned(k, normal));
    match directions.of_face.get_or_insert_with(|| separating_face(&own, &other)) {
        Some((normal, _)) if is_kept_by(*normal) => return true,
        // They are nearest in this direction.
        Some((_, true)) => return false,
        _ => {}
    }
    directions.of_nearest.get_or_insert_with(|| separating_direction(&own, &other)).is_some_and(is_kept_by)
}

/// Whether a direction keeps two shapes apart that stays as it is, or one that turns with either of them, as the normal of a facet does. `least`
/// are the heights along those that turn with A, with B, and along the one that stays.
fn is_axis(
    shapes: [&Shape; 2],
    poses: &Samples,
    [own, other, of_still]: [f64; 3],
    still: DVec3,
    turned: impl Fn(usize) -> [DVec3; 3],
) -> bool {
    let [a, b] = shapes;
    let height = |[p, q]: &[Pose; 2], n: DVec3| lowest(b, q, n) + lowest(a, p, -n);
    let gap = height(&poses[0], still);
    let is_apart_along = |k: usize, least: f64| {
        // What is known of planes that turn with a ball is as if it did not turn; that of what does not turn is the direction that stays.
        if shapes[k].kind() == Ball::KIND || poses[2][k].rotation == poses[0][k].rotation {
            return false;
        }
        let normals = turned(k);
        let start = if normals[0] == still { gap } else { height(&poses[0], normals[0]) };
        if start < least {
            return false;
        }
        // Outwards from the shape that it turns with, which reaches as far along it all the way.
        let outwards = normals.map(|normal| if k == 0 { normal } else { -normal });
        let reach = outwards[0].dot(poses[0][k].translation) + lowest(shapes[k], &poses[0][k], -outwards[0]);
        let over = |sample: usize| {
            let (at, normal) = (&poses[sample], outwards[sample]);
            lowest(shapes[1 - k], &at[1 - k], normal) - normal.dot(at[k].translation) + reach
        };
        [2, 1].iter().all(|&sample| over(sample) >= least)
    };
    (gap >= of_still && [2, 1].iter().all(|&sample| height(&poses[sample], still) >= of_still))
        || is_apart_along(0, own)
        || is_apart_along(1, other)
}

/// The height of the lowest point of a shape at a pose along a direction, m.
pub(in crate::generator) fn lowest(shape: &Shape, pose: &Pose, direction: DVec3) -> f64 {
    if let Shape::Primitive(primitive) = shape
        && let Form::Ball { radius } = primitive.form()
    {
        return direction.dot(pose.translation) - radius;
    }
    if let Some(RoundedCore { core, radius }) = shape.core() {
        let down = pose.rotation.inverse() * -direction;
        return direction.dot(pose.translation) - down.dot(core.support(down)) - radius;
    }
    if let Some(features) = shape.features() {
        let own = pose.rotation.inverse() * direction;
        let heights = features.vertices().iter().map(|vertex| own.dot(vertex.position));
        return direction.dot(pose.translation) + heights.fold(f64::INFINITY, f64::min);
    }
    if let Shape::Solid(general) = shape {
        return direction.dot(pose.translation) - general.solid().extent(pose.rotation.inverse() * -direction);
    }
    if let Some(compound) = shape.as_compound() {
        let heights = compound.parts().iter().map(|part| lowest(&part.shape, &(*pose * part.pose), direction));
        return heights.fold(f64::INFINITY, f64::min);
    }
    if let Some(surface) = shape.as_open_surface() {
        let own = pose.rotation.inverse() * direction;
        if surface.is_solid_below() && own.y > 0.0 {
            return f64::NEG_INFINITY;
        }
        let (low, high) = surface.bounds();
        let lowest = (own * low).min(own * high);
        return direction.dot(pose.translation) + lowest.x + lowest.y + lowest.z;
    }
    let turn = DQuat::from_rotation_arc(direction, DVec3::Y);
    let turned = Pose { rotation: turn * pose.rotation, translation: turn * pose.translation };
    shape.bounds_at(&turned).0.y
}

/// Whether a shape is a half-space.
fn is_plane(shape: &Shape) -> bool {
    shape.kind() == HalfSpace::KIND
}

/// Whether a shape is above the plane of a half-space by at least a height (m) at all poses, those of the half-space first.
fn is_above_plane(shape: &Shape, poses: &Samples, least: f64) -> bool {
    poses.iter().all(|[space, pose]| {
        let normal = space.rotation * DVec3::Y;
        lowest(shape, pose, normal) - normal.dot(space.translation) >= least
    })
}

/// Whether a shape is in front of the planes of all facets that it may come nearer to than a distance (m), by at least a height
/// (m) at all poses, those of the facets first.
fn is_before_facets(features: &Features, shape: &Shape, poses: &Samples, distance: f64, least: f64) -> bool {
    let relative = poses.map(|[own, other]| own.inverse() * other);
    let (low, high) = shape.bounds_at(&relative[0]);
    (0..).zip(features.facets()).all(|(f, facet)| {
        let corners = features.facet_bounds(f);
        let is_far = (low - corners.1).max(corners.0 - high).max_element() > distance;
        is_far || relative.iter().all(|at| lowest(shape, at, facet.normal) - facet.normal.dot(facet.centre) >= least)
    })
}

#[cfg(test)]
mod tests;
