//! How long directions that turn with one of two moving shapes keep them apart: of each two facets that may come near each other, one stays
//! in front of the plane of the other, or beyond a plane along an edge of each. A shape that slides over another, or past it, or has left it,
//! is followed by this in few looks.

use glam::{DQuat, DVec3};

use super::super::semi_local::convex_core::{PlacedCore, separating_direction};
use super::Motion;
use crate::contact::Contact;
use crate::pose::Pose;
use crate::shape::convex_core::RoundedCore;
use crate::shape::features::{Features, NearFacets, Placement};
use crate::shape::open_surface::{OpenSurface, plane_of};
use crate::shape::{Ball, CompoundPart, HalfSpace, Shape};
use crate::solid::triangle::closest_of_triangle;

/// Where directions do not keep the shapes apart for all of a time, this share of it is tried.
const SHORTER: f64 = 0.25;

/// Normals of contacts, each once; no more than a few.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Normals {
    list: [DVec3; MOST_NORMALS],
    count: usize,
}

/// Contacts between bodies that rest on each other lie in few planes.
const MOST_NORMALS: usize = 4;

impl Normals {
    /// The first normals of contacts.
    pub fn of(contacts: &[Contact]) -> Self {
        let mut normals = Self::default();
        for contact in contacts {
            if normals.count < MOST_NORMALS && !normals.as_slice().contains(&contact.normal) {
                normals.list[normals.count] = contact.normal;
                normals.count += 1;
            }
        }
        normals
    }

    /// The same in another frame.
    pub fn turned(mut self, turn: DQuat) -> Self {
        self.list[..self.count].iter_mut().for_each(|normal| *normal = turn * *normal);
        self
    }

    fn as_slice(&self) -> &[DVec3] {
        &self.list[..self.count]
    }
}

/// What is known of two shapes before they move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'n> {
    /// Normals of contacts, in A's frame.
    pub normals: Normals,
    /// Facets that are near each other; none of compounds.
    pub near: Option<&'n NearFacets>,
}

impl Motion<'_> {
    /// How long directions keep the shapes apart from a time on for certain, but for the allowed depth, s; `None` if no longer
    /// than `least`. The normals that are known are among the directions.
    pub(super) fn kept_apart(&self, time: f64, least: f64, known: &Known<'_>) -> Option<f64> {
        let mut free = self.duration - time;
        while free > least {
            if self.is_kept_apart([time, time + free], known) {
                return Some(free);
            }
            free *= SHORTER;
        }
        None
    }

    fn is_kept_apart(&self, times: [f64; 2], known: &Known<'_>) -> bool {
        let [a, b] = self.placed.map(|placed| placed.shape);
        let poses = times.map(|time| self.poses(time));
        let distance = self.reach(times[1] - times[0]) + self.allowed;
        let sags = self.sag(times[1] - times[0]);
        let least = sags.map(|sag| sag - self.allowed);
        if a.as_compound().is_none() && b.as_compound().is_none() {
            return are_kept_apart([a, b], &poses, known, distance, [least[0], least[1], sags[0]]);
        }
        let at = |k: usize| [0, 1].map(|time: usize| poses[time][k]);
        let (own, others) = (parts_at(a, at(0)), parts_at(b, at(1)));
        let lengths = [least[0], least[1], sags[0].max(sags[1])];
        own.iter().all(|(own, own_at)| {
            let normals = known.normals.turned(own_at[0].rotation.inverse() * poses[0][0].rotation);
            others.iter().all(|(other, other_at)| {
                let poses = [0, 1].map(|time| [own_at[time], other_at[time]]);
                are_kept_apart([own, other], &poses, &Known { normals, near: None }, distance, lengths)
            })
        })
    }

    /// How far below the straight line between its heights at both ends of a time (s) a point of one shape can be over a plane
    /// of A, and of B, m: by the second derivative of the height.
    fn sag(&self, time: f64) -> [f64; 2] {
        let [a, b] = self.placed;
        // The surface of a ball does not move as it turns.
        let spins = [a, b].map(|placed| {
            let is_ball = placed.shape.kind() == Ball::KIND;
            if is_ball { 0.0 } else { placed.twist.angular.length() }
        });
        let times_radius = |k: usize, spin: f64| if spin > 0.0 { spin * self.placed[k].shape.radius() } else { 0.0 };
        let turning: f64 = (0..2).map(|k| spins[k] * times_radius(k, spins[k])).sum();
        spins.map(|spin| {
            let of_plane = if spin > 0.0 {
                let apart = (a.pose.translation - b.pose.translation).length() + self.reach(self.duration);
                let size = apart + a.shape.radius() + b.shape.radius();
                spin * spin * size + 2.0 * spin * self.speed()
            } else {
                0.0
            };
            0.125 * time * time * (of_plane + turning)
        })
    }
}

/// The parts of a compound at two poses; the shape itself, if it is none.
fn parts_at(shape: &Shape, poses: [Pose; 2]) -> Vec<(&Shape, [Pose; 2])> {
    match shape.as_compound() {
        Some(compound) => {
            let at = |part: &CompoundPart| poses.map(|pose| pose * part.pose);
            compound.parts().iter().map(|part| (&*part.shape, at(part))).collect()
        }
        None => vec![(shape, poses)],
    }
}

/// Whether directions keep two shapes, none of them a compound, apart at two pairs of poses, as far as they come nearer to each other than a
/// distance, m. `least` is the height that is needed over planes that turn with A, with B, and
/// over planes along edges, m.
fn are_kept_apart(
    [a, b]: [&Shape; 2],
    poses: &[[Pose; 2]; 2],
    known: &Known<'_>,
    distance: f64,
    least: [f64; 3],
) -> bool {
    let turned = poses.map(|[a, b]| [b, a]);
    if let Some(surface) = a.as_open_surface() {
        return is_before_triangles(surface, b, poses, distance, [least[0], least[1]]);
    }
    if let Some(surface) = b.as_open_surface() {
        return is_before_triangles(surface, a, &turned, distance, [least[1], least[0]]);
    }
    match (a.features(), b.features()) {
        (Some(own), Some(other)) => {
            let placements = poses.map(|[a, b]| Placement::of(&a, &b));
            own.are_kept_apart(other, &placements, known.normals.as_slice(), distance, least, known.near)
        }
        _ if is_plane(a) => is_above_plane(b, poses, least[0]),
        _ if is_plane(b) => is_above_plane(a, &turned, least[1]),
        _ if a.radius().is_infinite() || b.radius().is_infinite() => false,
        _ if are_kept_apart_by_separation([a, b], poses, [least[0], least[1]]) => true,
        (Some(own), None) => is_before_facets(own, b, poses, distance, least[0]),
        (None, Some(other)) => is_before_facets(other, a, &turned, distance, least[1]),
        (None, None) => {
            let normal = (poses[0][1].translation - poses[0][0].translation).normalize_or(DVec3::Y);
            poses.iter().all(|[p, q]| lowest(b, q, normal) + lowest(a, p, -normal) >= least[0].max(least[1]))
        }
    }
}

/// Whether two convex shapes are kept apart by the direction in which they are nearest at the first pair of poses, turned with either of
/// them, as facets would be: `least` are the heights over planes that turn with A and with B, m.
fn are_kept_apart_by_separation([a, b]: [&Shape; 2], poses: &[[Pose; 2]; 2], least: [f64; 2]) -> bool {
    let (Some(own), Some(other)) = (a.core(), b.core()) else { return false };
    let placed = |rounded, pose| PlacedCore { rounded, pose };
    let [now, then] = poses;
    let Some(normal) = separating_direction(&placed(own, now[0]), &placed(other, now[1])) else { return false };
    let height = |[p, q]: &[Pose; 2], n: DVec3| lowest(b, q, n) + lowest(a, p, -n);
    let gap = height(now, normal);
    (0..2).any(|k| gap >= least[k] && height(then, then[k].rotation * (now[k].rotation.inverse() * normal)) >= least[k])
}

/// How far a shape is from the triangles of a surface, and from the solid below, for certain, m: by the boxes of both and the planes of the
/// triangles. No more than `most`; `relative` takes the frame of the shape to that of the surface.
pub(super) fn apart_from_surface(surface: &dyn OpenSurface, shape: &Shape, relative: &Pose, most: f64) -> f64 {
    let (low, high) = shape.bounds_at(relative);
    let of_boxes = surface.apart(low, high, most);
    if of_boxes >= most {
        return most;
    }
    let mut near = Vec::new();
    surface.triangles_within(low - most, high + most, &mut near);
    let apart = near.into_iter().map(|t| {
        let (corners, normal) = plane_of(surface, t);
        let [p, q, r] = corners;
        let (bottom, top) = (p.min(q).min(r), p.max(q).max(r));
        let bottom = if surface.is_solid_below() { DVec3 { y: f64::NEG_INFINITY, ..bottom } } else { bottom };
        let of_boxes = (low - top).max(bottom - high).max_element();
        if of_boxes >= most {
            return most;
        }
        let in_front = lowest(shape, relative, normal) - normal.dot(corners[0]);
        let behind =
            if surface.is_solid_below() { in_front } else { normal.dot(corners[0]) + lowest(shape, relative, -normal) };
        of_boxes.max(in_front).max(behind)
    });
    apart.fold(most, f64::min)
}

/// Whether each triangle of a surface that a shape may come nearer to than a distance (m) is kept apart from it at both pairs of poses, those
/// of the surface first: by the triangle's plane, or by that of a facet of a convex polyhedron. `least` are the heights over these, m.
fn is_before_triangles(
    surface: &dyn OpenSurface,
    shape: &Shape,
    poses: &[[Pose; 2]; 2],
    distance: f64,
    least: [f64; 2],
) -> bool {
    let relative = poses.map(|[own, other]| own.inverse() * other);
    let (low, high) = shape.bounds_at(&relative[0]);
    let mut near = Vec::new();
    surface.triangles_within(low - distance, high + distance, &mut near);
    let features = shape.features().filter(|features| features.is_convex());
    near.into_iter().all(|t| {
        let (corners, normal) = plane_of(surface, t);
        let is_over = |n: DVec3| relative.iter().all(|at| lowest(shape, at, n) - n.dot(corners[0]) >= least[0]);
        let is_beyond_facet = || {
            features.is_some_and(|features| {
                features.facets().iter().any(|facet| {
                    let is_beyond =
                        |at: &Pose| corners.iter().all(|&c| facet.height(at.inverse_transform_point(c)) >= least[1]);
                    relative.iter().all(is_beyond)
                })
            })
        };
        // From the point of the triangle that is closest to the middle of the shape.
        let is_off = || {
            let closest = closest_of_triangle(relative[0].translation, corners).position;
            let away = (relative[0].translation - closest).normalize_or(normal);
            let most = corners.iter().map(|c| away.dot(*c)).fold(f64::NEG_INFINITY, f64::max);
            let is_outward = if surface.is_solid_below() { away.y >= 0.0 } else { away.dot(normal) >= 0.0 };
            is_outward && relative.iter().all(|at| lowest(shape, at, away) - most >= least[0])
        };
        is_over(normal) || (surface.is_two_sided() && is_over(-normal)) || is_off() || is_beyond_facet()
    })
}

/// The height of the lowest point of a shape at a pose along a direction, m.
pub(in crate::generator) fn lowest(shape: &Shape, pose: &Pose, direction: DVec3) -> f64 {
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
    if let Some(RoundedCore { core, radius }) = shape.core() {
        let down = pose.rotation.inverse() * -direction;
        return direction.dot(pose.translation) - down.dot(core.support(down)) - radius;
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
