//! How long directions that turn with one of two moving shapes keep them apart: of each two facets that may come near each other, one stays
//! in front of the plane of the other, or beyond a plane along an edge of each. A shape that slides over another, or past it, or has left it,
//! is followed by this in few looks.

mod triangles;

use glam::{DQuat, DVec3};

pub(super) use self::triangles::apart_from_surface;
use self::triangles::is_before_triangles;

use super::super::semi_local::convex_core::{PlacedCore, separating_direction, separating_face};
use super::pieces::PieceCouple;
use super::{Motion, are_apart, turning};
use crate::contact::Contact;
use crate::pose::Pose;
use crate::shape::convex_core::RoundedCore;
use crate::shape::features::{Axes, Features, Heights, NearFacets, Placement};
use crate::shape::{Ball, Form, HalfSpace, Shape};

/// Where directions do not keep the shapes apart for all of a time, this share of it is tried.
const SHORTER: f64 = 0.25;

/// What is known of two shapes before they move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known<'n> {
    /// Normals of contacts where the motion begins, each once; no more than a few. World frame.
    normals: [DVec3; MOST_NORMALS],
    count: usize,
    /// Up to this depth along one of these normals the shapes may stay as deep as they are, m.
    most: f64,
    /// Facets that are near each other; none of compounds.
    near: Option<&'n NearFacets>,
}

/// Contacts between bodies that rest on each other lie in few planes.
const MOST_NORMALS: usize = 4;

impl<'n> Known<'n> {
    /// The first normals of contacts, and the depth up to which what begins deep along them may stay so, m.
    pub fn of(contacts: &[Contact], most: f64) -> Self {
        let mut known = Self { most, ..Self::default() };
        for contact in contacts {
            if known.count < MOST_NORMALS && !known.normals[..known.count].contains(&contact.normal) {
                known.normals[known.count] = contact.normal;
                known.count += 1;
            }
        }
        known
    }

    /// The same with a list of near facets.
    pub fn with(self, near: Option<&'n NearFacets>) -> Self {
        Self { near, ..self }
    }

    /// The same as A's frame sees it at two pairs of poses.
    fn in_frames(&self, poses: &[[Pose; 2]; 2]) -> Axes<'n, MOST_NORMALS> {
        let turns = poses.map(|[a, _]| a.rotation.inverse());
        Axes { list: self.normals.map(|normal| turns.map(|turn| turn * normal)), count: self.count, near: self.near }
    }
}

impl Motion<'_> {
    /// How long directions keep the shapes apart from a time on for certain, but for the allowed depth, s; `None` if not for the longest
    /// time that is asked for, nor for a shorter one above the least. The normals that are known are among the directions. `now` are the poses
    /// at that time, `near` all pieces there that may meet in the rest of the motion.
    pub(super) fn kept_apart(
        &self,
        (time, now): (f64, &[Pose; 2]),
        [least, longest]: [f64; 2],
        known: &Known<'_>,
        near: &mut [PieceCouple<'_>],
    ) -> Option<f64> {
        let longest = longest.min(self.duration - time);
        if self.placed.iter().all(|placed| placed.shape.kind() == Ball::KIND) {
            let free = self.balls_kept_apart(now, longest);
            return (free >= longest || free > least).then_some(free);
        }
        self.all_kept_apart(time, [least, longest], near, known)
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
        time: f64,
        [least, longest]: [f64; 2],
        pieces: &mut [PieceCouple<'_>],
        known: &Known<'_>,
    ) -> Option<f64> {
        let is_compound = self.placed.iter().any(|placed| placed.shape.as_compound().is_some());
        let mut free = longest;
        loop {
            let then = self.poses(time + free);
            let distance = self.reach(free) + self.allowed;
            let sags = self.sag(free);
            let [own, other, still] = sags.map(|sag| sag - self.allowed);
            let edges = if is_compound { sags[0].max(sags[1]) } else { sags[0] };
            let heights = Heights { own, other, edges, still };
            let mut near = pieces.iter_mut().filter(|pair| pair.of_boxes <= distance);
            if near.all(|pair| pair.are_kept_apart(&then, distance, heights, known)) {
                return Some(free);
            }
            free *= SHORTER;
            if free <= least {
                return None;
            }
        }
    }

    /// How far below the straight line between its heights at both ends of a time (s) a point of one shape can be over a plane
    /// of A, of B, and over one that does not turn, m: by the second derivative of the height.
    fn sag(&self, time: f64) -> [f64; 3] {
        let [a, b] = self.placed;
        let spins = [a, b].map(|placed| turning(&placed));
        // Zero for an infinite shape that does not turn.
        let times_radius = |k: usize, spin: f64| if spin > 0.0 { spin * self.placed[k].shape.radius() } else { 0.0 };
        let apart = (a.pose.translation - b.pose.translation).length() + self.reach(self.duration);
        let speed = (b.twist.linear - a.twist.linear).length();
        let share = 0.125 * time * time;
        // A point of the other shape, seen from a frame that turns with the one that has the plane.
        let over_plane = |own: usize, other: usize| {
            let (spin, around) = (spins[own], times_radius(other, spins[other]));
            let size = apart + self.placed[other].shape.radius();
            let of_frame = if spin > 0.0 { spin * spin * size + 2.0 * spin * (speed + around) } else { 0.0 };
            share * (of_frame + spins[other] * around)
        };
        let turning: f64 = (0..2).map(|k| spins[k] * times_radius(k, spins[k])).sum();
        [over_plane(0, 1), over_plane(1, 0), share * turning]
    }
}

/// Whether directions keep two shapes, none of them a compound, apart at two pairs of poses, as far as they come nearer to each other than a
/// distance, m. `directions` keep how they are apart at the first pair of poses, once it is found.
pub(super) fn are_kept_apart(
    [a, b]: [&Shape; 2],
    poses: &[[Pose; 2]; 2],
    distance: f64,
    least: Heights,
    known: &Known<'_>,
    directions: &mut Directions,
) -> bool {
    let turned = poses.map(|[a, b]| [b, a]);
    let Heights { own: of_a, other: of_b, .. } = least;
    if let Some(surface) = a.as_open_surface() {
        return is_before_triangles(surface, b, poses, distance, [of_a, of_b]);
    }
    if let Some(surface) = b.as_open_surface() {
        return is_before_triangles(surface, a, &turned, distance, [of_b, of_a]);
    }
    match (a.features(), b.features()) {
        (Some(own), Some(other)) => {
            if own.is_convex() && other.is_convex() && is_one_direction_enough([a, b], poses, least, known, directions)
            {
                return true;
            }
            let placements = poses.map(|[a, b]| Placement::of(&a, &b));
            own.are_kept_apart(other, &placements, distance, &known.in_frames(poses), least)
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
    [a, b]: [&Shape; 2],
    poses: &[[Pose; 2]; 2],
    least: Heights,
    known: &Known<'_>,
    directions: &mut Directions,
) -> bool {
    if known.normals[..known.count].iter().any(|&n| is_axis([a, b], poses, least, n, known.most)) {
        return true;
    }
    let (Some(own), Some(other)) = (a.core(), b.core()) else { return false };
    let [own, other] = [(own, poses[0][0]), (other, poses[0][1])].map(|(rounded, pose)| PlacedCore { rounded, pose });
    let is_kept_by = |normal| is_axis([a, b], poses, least, normal, 0.0);
    match directions.of_face.get_or_insert_with(|| separating_face(&own, &other)) {
        Some((normal, _)) if is_kept_by(*normal) => return true,
        // They are nearest in this direction.
        Some((_, true)) => return false,
        _ => {}
    }
    directions.of_nearest.get_or_insert_with(|| separating_direction(&own, &other)).is_some_and(is_kept_by)
}

/// Whether a direction at the first pair of poses keeps two shapes apart, which stays as it is or turns with either of them, as the normal
/// of a facet does.
fn is_axis([a, b]: [&Shape; 2], poses: &[[Pose; 2]; 2], least: Heights, normal: DVec3, most: f64) -> bool {
    let [now, then] = poses;
    let height = |[p, q]: &[Pose; 2], n: DVec3| lowest(b, q, n) + lowest(a, p, -n);
    let gap = height(now, normal);
    let is_apart = |normal: DVec3, least: f64| {
        (gap >= least || gap >= -most) && are_apart([gap, height(then, normal)], least, most)
    };
    let turned = |k: usize| then[k].rotation * (now[k].rotation.inverse() * normal);
    // What is known of planes that turn with a ball is as if it did not turn; that of what does not turn is the direction that stays.
    let turns = |shape: &Shape, k: usize| shape.kind() != Ball::KIND && then[k].rotation != now[k].rotation;
    is_apart(normal, least.still)
        || (turns(a, 0) && is_apart(turned(0), least.own))
        || (turns(b, 1) && is_apart(turned(1), least.other))
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

/// Whether a shape is above the plane of a half-space by at least a height (m) at both pairs of poses, those of the half-space
/// first.
fn is_above_plane(shape: &Shape, poses: &[[Pose; 2]; 2], least: f64) -> bool {
    poses.iter().all(|[space, pose]| {
        let normal = space.rotation * DVec3::Y;
        lowest(shape, pose, normal) - normal.dot(space.translation) >= least
    })
}

/// Whether a shape is in front of the planes of all facets that it may come nearer to than a distance (m), by at least a height
/// (m) at both pairs of poses, those of the facets first.
fn is_before_facets(features: &Features, shape: &Shape, poses: &[[Pose; 2]; 2], distance: f64, least: f64) -> bool {
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
