//! Points: the closest point of a surface, and whether a point is inside.

use glam::DVec3;

use super::support::Convex;
use super::view::{Surfaced, View, on_half_space};
use super::{QueryError, checked_pose, checked_vector};
use crate::contact::Feature;
use crate::pose::Pose;
use crate::shape::{Ball, Ellipsoid, Primitive, Shape, SurfacePoint};
use crate::solid::Solid;
use crate::solid::triangle_tree::Closest;

/// The point of a surface that is closest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointProjection {
    /// World frame, m.
    pub position: DVec3,
    /// The outward normal of the surface there, world frame, unit; at edges and vertices, the sum of those around weighted by their
    /// angles.
    pub normal: DVec3,
    /// From the surface to the other point, m: positive outside, negative inside.
    pub distance: f64,
    /// The facet of a polyhedron, the smooth surface of a primitive.
    pub feature: Feature,
    /// The triangle of a polyhedron's surface; of several that are equally close, the one with the lowest number.
    pub triangle: Option<u32>,
}

/// Along the normal, a point at a distance is on the side that the normal says if it is no nearer to the plane than this share.
const CLEAR_SIDE: f64 = 1e-6;

/// The point of the surface of a shape at a pose that is closest to a point (m, world frame).
///
/// # Errors
/// [`QueryError`] for a point or pose that is none, [`QueryError::Kind`] of a general solid without a normal there.
pub fn project_point(shape: &Shape, pose: &Pose, point: DVec3) -> Result<PointProjection, QueryError> {
    checked_pose(pose, "shape")?;
    checked_vector(point, "point")?;
    let seen = pose.inverse_transform_point(point);
    let of_primitive = |on: SurfacePoint| (on, Feature::Surface(0), None);
    let (SurfacePoint { position, normal, distance }, feature, triangle) = match View::of(shape) {
        View::HalfSpace => {
            let (position, distance) = on_half_space(seen);
            of_primitive(SurfacePoint { position, normal: DVec3::Y, distance })
        }
        View::Convex(convex) => of_primitive(closest_of_convex(&convex, seen)),
        View::Surface(surface) => {
            let (on, triangle) =
                closest_of_surface(&surface, seen).ok_or(QueryError::NotFinite { quantity: "point", value: point })?;
            (on, surface.feature(triangle).unwrap_or(Feature::Face(triangle)), Some(triangle))
        }
        View::Solid(solid) => {
            let what = "point projection where its surface has no normal";
            of_primitive(solid.nearest(seen).map_err(|_| QueryError::Kind { kind: solid.kind(), what })?)
        }
        View::Unserved(kind) => return Err(QueryError::Kind { kind, what: "point projection" }),
    };
    Ok(PointProjection {
        position: pose.transform_point(position),
        normal: pose.rotation * normal,
        distance,
        feature,
        triangle,
    })
}

/// Whether a point (m, world frame) is in a shape at a pose or, up to rounding, on its surface.
///
/// # Errors
/// [`QueryError`] for a point or pose that is none.
pub fn contains_point(shape: &Shape, pose: &Pose, point: DVec3) -> Result<bool, QueryError> {
    checked_pose(pose, "shape")?;
    checked_vector(point, "point")?;
    let seen = pose.inverse_transform_point(point);
    Ok(match View::of(shape).served("points")? {
        View::HalfSpace => on_half_space(seen).1 <= 0.0,
        View::Convex(Convex::Ellipsoid { semi_axes }) => (seen / semi_axes).length_squared() <= 1.0,
        View::Convex(convex) => closest_of_convex(&convex, seen).distance <= 0.0,
        View::Surface(surface) => surface.solid.contains(seen),
        View::Solid(solid) => solid.contains(seen),
        View::Unserved(_) => false,
    })
}

/// The point of the surface of a primitive that is closest to a point, in its frame.
pub fn closest_of_convex(convex: &Convex<'_>, point: DVec3) -> SurfacePoint {
    let at_centre = SurfacePoint { position: DVec3::ZERO, normal: DVec3::X, distance: 0.0 };
    match convex {
        Convex::Ball { radius } => Ball::new(*radius).map_or(at_centre, |ball| ball.closest(point)),
        Convex::Ellipsoid { semi_axes } => Ellipsoid::new(*semi_axes).map_or(at_centre, |it| it.closest(point)),
        Convex::Primitive { primitive, .. } => primitive.closest(point),
        Convex::Polyhedron(_) => at_centre,
    }
}

/// The point of a triangle surface that is closest to a point, and its triangle; `None` of a point that is too far away for the square
/// of its distance. The side follows from the normal (Bærentzen and Aanæs, 2005), and where that is not clear from a ray.
pub fn closest_of_surface(surface: &Surfaced<'_>, point: DVec3) -> Option<(SurfacePoint, u32)> {
    let solid = surface.solid;
    let Closest { triangle, point: closest } = solid.tree().closest(point)?;
    let (away, length) = (point - closest.position, closest.squared.sqrt());
    let normal = solid.normal(triangle, closest.part);
    let height = normal.map_or(0.0, |normal| normal.dot(away));
    let is_inside = if height.abs() > CLEAR_SIDE * length { height < 0.0 } else { solid.is_inside(point) };
    let distance = if is_inside && length > 0.0 { -length } else { length };
    // Where the normals around cancel, the way to the point has to do.
    let way = || (away / distance).try_normalize().unwrap_or(solid.surface().normals()[triangle as usize]);
    Some((SurfacePoint { position: closest.position, normal: normal.unwrap_or_else(way), distance }, triangle))
}
