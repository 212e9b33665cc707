//! How long directions that turn with one of two moving shapes keep them apart: of each two facets that may come near each other, one stays
//! in front of the plane of the other, or beyond a plane along an edge of each. A shape that slides over another, or past it, or has left it,
//! is followed by this in few looks.

use glam::{DQuat, DVec3};

use super::Motion;
use crate::pose::Pose;
use crate::shape::features::{Features, Placement};
use crate::shape::{Ball, HalfSpace, Shape};

/// Where directions do not keep the shapes apart for all of a time, this share of it is tried.
const SHORTER: f64 = 0.25;

impl Motion<'_> {
    /// How long directions keep the shapes apart from a time on for certain, but for the allowed depth, s; `None` if no longer
    /// than `least`.
    pub(super) fn kept_apart(&self, time: f64, least: f64) -> Option<f64> {
        let mut free = self.duration - time;
        while free > least {
            if self.is_kept_apart([time, time + free]) {
                return Some(free);
            }
            free *= SHORTER;
        }
        None
    }

    fn is_kept_apart(&self, times: [f64; 2]) -> bool {
        let [a, b] = self.placed.map(|placed| placed.shape);
        let poses = times.map(|time| self.poses(time));
        let distance = self.reach(times[1] - times[0]) + self.allowed;
        let sags = self.sag(times[1] - times[0]);
        let least = sags.map(|sag| sag - self.allowed);
        let turned = poses.map(|[a, b]| [b, a]);
        match (a.features(), b.features()) {
            (Some(own), Some(other)) => {
                let placements = poses.map(|[a, b]| Placement::of(&a, &b));
                own.are_kept_apart(other, &placements, distance, [least[0], least[1], sags[0]])
            }
            _ if is_plane(a) => is_above_plane(b, &poses, least[0]),
            _ if is_plane(b) => is_above_plane(a, &turned, least[1]),
            _ if a.radius().is_infinite() || b.radius().is_infinite() => false,
            (Some(own), None) => is_before_facets(own, b, &poses, distance, least[0]),
            (None, Some(other)) => is_before_facets(other, a, &turned, distance, least[1]),
            (None, None) => {
                let normal = (poses[0][1].translation - poses[0][0].translation).normalize_or(DVec3::Y);
                poses.iter().all(|[p, q]| lowest(b, q, normal) + lowest(a, p, -normal) >= least[0].max(least[1]))
            }
        }
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

/// The height of the lowest point of a shape at a pose along a direction, m.
pub(super) fn lowest(shape: &Shape, pose: &Pose, direction: DVec3) -> f64 {
    if let Some(features) = shape.features() {
        let own = pose.rotation.inverse() * direction;
        let heights = features.vertices().iter().map(|vertex| own.dot(vertex.position));
        return direction.dot(pose.translation) + heights.fold(f64::INFINITY, f64::min);
    }
    if let Shape::Solid(general) = shape {
        return direction.dot(pose.translation) - general.solid().extent(pose.rotation.inverse() * -direction);
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
