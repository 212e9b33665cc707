//! Points: the closest point of a surface, and whether a point is inside.

use glam::DVec3;

use super::box_hierarchy::{BoxHierarchy, gap};
use super::faces::Faces;
use super::support::Convex;
use super::terrain::closest_of_terrain;
use super::view::{Surfaced, View, on_half_space};
use super::{QueryError, checked_pose, checked_vector};
use crate::bounds::Bounds;
use crate::contact::Feature;
use crate::pose::Pose;
use crate::shape::open_surface::{plane_of, pseudonormal};
use crate::shape::{Ball, CompoundPart, Ellipsoid, OpenSurface, Primitive, Shape, SurfacePoint, TriangleMesh};
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
/// A height field is solid below, with upright walls where it ends. A triangle mesh has no inside: behind a one-sided one distances are
/// negative, beside a two-sided one they are not, and normals point to the side of the point. Of a compound it is the part with the least
/// distance: the closest one, or of those that the point is in the one whose surface is farthest.
///
/// # Errors
/// [`QueryError`] for a point or pose that is none, [`QueryError::Kind`] of a general solid without a normal there.
pub fn project_point(shape: &Shape, pose: &Pose, point: DVec3) -> Result<PointProjection, QueryError> {
    let pose = &checked_pose(pose, "shape")?;
    checked_vector(point, "point")?;
    let seen = pose.inverse_transform_point(point);
    let (SurfacePoint { position, normal, distance }, feature, triangle) = match View::of(shape) {
        View::Solid(solid) => {
            let what = "point projection where its surface has no normal";
            let on = solid.nearest(seen).map_err(|_| QueryError::Kind { kind: solid.kind(), what })?;
            (on, Feature::Surface(0), None)
        }
        view => closest(&view, seen).ok_or(QueryError::NotFinite { quantity: "point", value: point })?,
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
    let pose = &checked_pose(pose, "shape")?;
    checked_vector(point, "point")?;
    Ok(contains(&View::of(shape), pose.inverse_transform_point(point)))
}

/// The same in the frame of the shape.
pub fn contains(view: &View<'_>, point: DVec3) -> bool {
    match view {
        View::HalfSpace => on_half_space(point).1 <= 0.0,
        View::Convex(Convex::Ellipsoid { semi_axes }) => (point / *semi_axes).length_squared() <= 1.0,
        View::Convex(convex) => closest_of_convex(convex, point).distance <= 0.0,
        View::Surface(surface) => match surface.polyhedron.faces().and_then(Faces::cuboid) {
            Some(cuboid) => cuboid.contains(point),
            None => surface.solid().contains(point),
        },
        View::Mesh(mesh) => mesh.triangle_tree().closest(point).is_some_and(|closest| closest.point.squared == 0.0),
        View::Terrain(field) => field.side_of(point).is_some_and(|side| side <= 0.0),
        View::Compound(compound) => {
            let mut is_in = false;
            let visit = |part: u32, _| {
                let CompoundPart { shape, pose } = &compound.parts()[part as usize];
                is_in = contains(&View::of(shape), pose.inverse_transform_point(point));
                // Nothing has to be looked at any more.
                if is_in { f64::NEG_INFINITY } else { f64::INFINITY }
            };
            let around = Bounds { low: point, high: point };
            let measure = |own: &Bounds| if own.overlaps(&around) { 0.0 } else { f64::INFINITY };
            compound.tree().nearest(f64::INFINITY, measure, visit);
            is_in
        }
        View::Solid(solid) => solid.contains(point),
    }
}

/// A point of a surface with its feature and triangle.
pub type OnSurface = (SurfacePoint, Feature, Option<u32>);

/// The point of a surface that is closest to a point, in the frame of the shape; `None` of a point that is too far away for the square of
/// its distance, and of general solids.
fn closest(view: &View<'_>, point: DVec3) -> Option<OnSurface> {
    let of_primitive = |on: SurfacePoint| Some((on, Feature::Surface(0), None));
    match view {
        View::HalfSpace => {
            let (position, distance) = on_half_space(point);
            of_primitive(SurfacePoint { position, normal: DVec3::Y, distance })
        }
        View::Convex(convex) => of_primitive(closest_of_convex(convex, point)),
        View::Surface(surface) => {
            if let Some(faces) = surface.polyhedron.faces()
                && let Some(cuboid) = faces.cuboid()
            {
                let (on, feature, triangle) = cuboid.closest(point, |number| faces.face(number));
                return Some((on, feature, Some(triangle)));
            }
            let (on, triangle) = closest_of_surface(surface, point)?;
            Some((on, surface.feature(triangle).unwrap_or(Feature::Face(triangle)), Some(triangle)))
        }
        View::Mesh(mesh) => {
            let (on, triangle) = closest_of_mesh(mesh, point)?;
            Some((on, Feature::Facet(triangle), Some(triangle)))
        }
        View::Terrain(field) => closest_of_terrain(field, point),
        View::Compound(compound) => {
            let around = Bounds { low: point, high: point };
            let mut best: Option<(u32, OnSurface)> = None;
            // A point in the box of a part may be anywhere in it.
            let measure = |own: &Bounds| if own.overlaps(&around) { f64::NEG_INFINITY } else { gap(own, &around) };
            compound.tree().nearest(f64::INFINITY, measure, |part, _| {
                let CompoundPart { shape, pose } = &compound.parts()[part as usize];
                let Some((on, feature, _)) = closest(&View::of(shape), pose.inverse_transform_point(point)) else {
                    return f64::INFINITY;
                };
                let distance = on.distance;
                if best.as_ref().is_none_or(|(other, (least, ..))| (distance, part) < (least.distance, *other)) {
                    let (position, normal) = (pose.transform_point(on.position), pose.rotation * on.normal);
                    let on = SurfacePoint { position, normal, distance };
                    best = Some((part, (on, compound.feature(part, feature), None)));
                }
                distance
            });
            best.map(|(_, on)| on)
        }
        View::Solid(_) => None,
    }
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
    let solid = surface.solid();
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

/// The same of a mesh: behind a one-sided one the distance is negative; of a two-sided one the normal points to the side of the point.
pub fn closest_of_mesh(mesh: &TriangleMesh, point: DVec3) -> Option<(SurfacePoint, u32)> {
    let Closest { triangle, point: closest } = mesh.triangle_tree().closest(point)?;
    let (away, length) = (point - closest.position, closest.squared.sqrt());
    let front = pseudonormal(mesh, triangle, closest.part).unwrap_or_else(|| plane_of(mesh, triangle).1);
    let is_behind = front.dot(away) < 0.0;
    let (normal, distance) = match (is_behind, mesh.is_two_sided()) {
        (true, true) => (-front, length),
        (true, false) => (front, -length),
        (false, _) => (front, length),
    };
    Some((SurfacePoint { position: closest.position, normal, distance }, triangle))
}
