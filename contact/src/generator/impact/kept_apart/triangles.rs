//! Shapes and the triangles of open surfaces that keep apart.

use glam::DVec3;

use super::{Samples, lowest};
use crate::pose::Pose;
use crate::shape::Shape;
use crate::shape::features::stays_above;
use crate::shape::open_surface::{OpenSurface, plane_of};
use crate::solid::triangle::closest_of_triangle;

/// How far a shape is from the triangles of a surface, and from the solid below, for certain, m: by the boxes of both and the planes of the
/// triangles. No more than `most`; `relative` takes the frame of the shape to that of the surface.
pub fn apart_from_surface(surface: &dyn OpenSurface, shape: &Shape, relative: &Pose, most: f64) -> f64 {
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

/// Whether each triangle of a surface that a shape may come nearer to than a distance (m) is kept apart from it all the way, the poses of the
/// surface first: by the triangle's plane, or by that of a facet of a convex polyhedron. `least` are the heights over these, m, that over a
/// facet for a parabola through the heights of a corner.
pub fn is_before_triangles(
    surface: &dyn OpenSurface,
    shape: &Shape,
    poses: &Samples,
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
                    let height = |corner| move |at: &Pose| facet.height(at.inverse_transform_point(corner));
                    corners.iter().all(|&corner| stays_above(least[1], &relative, height(corner)))
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
