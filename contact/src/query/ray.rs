//! Ray casts: the first point of a surface on a ray, or all of them.

use std::cmp::Ordering;

use glam::{DMat3, DVec3};

use super::convex_ray::along_ball;
use super::view::View;
use super::{QueryError, checked_length, checked_pose, checked_vector, ray_hits};
use crate::contact::Feature;
use crate::pose::Pose;
use crate::shape::{Form, Shape};
use crate::sorting::CompactSort;

/// A ray: from an origin along a unit direction, both finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: DVec3,
    direction: DVec3,
}

impl Ray {
    /// A ray from a point (m, world frame) along a direction of any length but zero.
    ///
    /// # Errors
    /// [`QueryError::NotFinite`], [`QueryError::Direction`].
    pub fn new(origin: DVec3, direction: DVec3) -> Result<Self, QueryError> {
        checked_vector(origin, "origin of the ray")?;
        checked_vector(direction, "direction of the ray")?;
        // Scaled first: squares of large or small components would overflow or vanish.
        let largest = direction.abs().max_element();
        if largest == 0.0 || !largest.recip().is_finite() {
            return Err(QueryError::Direction(direction));
        }
        Ok(Self { origin, direction: (direction / largest).normalize() })
    }

    /// m.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Unit.
    pub fn direction(&self) -> DVec3 {
        self.direction
    }

    /// The point at a distance (m) along the ray.
    pub fn at(&self, distance: f64) -> DVec3 {
        self.origin + distance * self.direction
    }

    /// The ray as a frame at this pose sees it.
    pub(super) fn seen_from(&self, pose: &Pose) -> Self {
        let back = DMat3::from_quat(pose.rotation).transpose();
        Self { origin: back * (self.origin - pose.translation), direction: back * self.direction }
    }
}

/// What a ray that begins inside a solid hits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// The solid itself, at distance zero, with the normal against the ray and no feature.
    #[default]
    Solid,
    /// Its surface, where the ray leaves it.
    Hollow,
}

/// Where a ray meets a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// From the origin of the ray, m.
    pub distance: f64,
    /// World frame, m.
    pub position: DVec3,
    /// The outward normal of the surface, world frame, unit; against the ray if it begins inside a solid. On an edge or vertex, that of
    /// one of the faces there. Of a mesh with two sides, that of the side on which the ray comes.
    pub normal: DVec3,
    /// The facet of a polyhedron ([`Feature::Facet`]), the triangle of a height field or mesh, numbered likewise, the smooth surface of
    /// a primitive; [`Feature::Surface`] 0 to 3 for the upright walls of a height field where x is least, greatest, z least, greatest. Those of
    /// the parts of a compound have the numbers of [`Compound::feature`](crate::shape::Compound::feature). `None` inside a solid.
    pub feature: Option<Feature>,
    /// The triangle of the surface of a polyhedron, a height field or a mesh; `None` of the parts of compounds.
    pub triangle: Option<u32>,
    /// Whether the ray gets in here; at the other hits it gets out. Of a mesh, whether it comes from the front.
    pub is_entry: bool,
}

impl RayHit {
    /// Moves a hit from the frame of a shape to that of the ray.
    pub(super) fn placed(self, pose: &Pose, ray: &Ray) -> Self {
        let is_inside = self.feature.is_none();
        let normal = if is_inside { -ray.direction } else { pose.rotation * self.normal };
        Self { position: ray.at(self.distance), normal, ..self }
    }

    pub(super) fn inside(ray: &Ray) -> Self {
        Self {
            distance: 0.0,
            position: ray.origin,
            normal: -ray.direction,
            feature: None,
            triangle: None,
            is_entry: true,
        }
    }

    pub(super) fn of_primitive(ray: &Ray, distance: f64, normal: DVec3, is_entry: bool) -> Self {
        Self::of_feature(ray, distance, normal, Feature::Surface(0), None, is_entry)
    }

    pub(super) fn of_feature(
        ray: &Ray,
        distance: f64,
        normal: DVec3,
        feature: Feature,
        triangle: Option<u32>,
        is_entry: bool,
    ) -> Self {
        Self { distance, position: ray.at(distance), normal, feature: Some(feature), triangle, is_entry }
    }

    /// By distance, entries first, then by triangle.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let rest = other.is_entry.cmp(&self.is_entry).then(self.triangle.cmp(&other.triangle));
        self.distance.total_cmp(&other.distance).then(rest)
    }
}

/// The first point of a shape at a pose on a ray, no farther than `max_distance` (m, may be infinite).
///
/// A height field is solid below, with upright walls where it ends. A ray goes through a one-sided triangle mesh from behind. Of a compound,
/// what is inside of another part is not on the surface, nor is where parts touch.
///
/// # Errors
/// [`QueryError`] for a pose or distance that is none.
pub fn cast_ray(
    shape: &Shape,
    pose: &Pose,
    ray: &Ray,
    max_distance: f64,
    fill: Fill,
) -> Result<Option<RayHit>, QueryError> {
    let pose = &checked_pose(pose, "shape")?;
    checked_length(max_distance, "greatest distance")?;
    if let Some(radius) = radius_of_ball(shape) {
        return Ok(first_on_ball(radius, pose.translation, ray, max_distance, fill));
    }
    let hit = ray_hits::first(&View::of(shape), &ray.seen_from(pose), max_distance, fill);
    Ok(hit.map(|hit| hit.placed(pose, ray)))
}

/// The radius of a ball, m: one is the same from all sides, so that rays against it need not be turned.
pub(super) fn radius_of_ball(shape: &Shape) -> Option<f64> {
    match shape {
        Shape::Primitive(primitive) => match primitive.form() {
            Form::Ball { radius } => Some(radius),
            _ => None,
        },
        _ => None,
    }
}

fn on_ball(radius: f64, centre: DVec3, ray: &Ray, distance: f64, is_entry: bool) -> RayHit {
    RayHit::of_primitive(ray, distance, (ray.at(distance) - centre) / radius, is_entry)
}

fn first_on_ball(radius: f64, centre: DVec3, ray: &Ray, most: f64, fill: Fill) -> Option<RayHit> {
    let [near, far] = along_ball(radius, ray.origin - centre, ray.direction)?;
    if near < 0.0 && far > 0.0 && fill == Fill::Solid {
        return Some(RayHit::inside(ray));
    }
    let is_entry = near >= 0.0;
    let distance = if is_entry { near } else { far };
    (distance >= 0.0 && distance <= most).then(|| on_ball(radius, centre, ray, distance, is_entry))
}

/// All hits in their order.
fn all_on_ball(radius: f64, centre: DVec3, ray: &Ray, most: f64, fill: Fill, hits: &mut Vec<RayHit>) {
    let Some([near, far]) = along_ball(radius, ray.origin - centre, ray.direction) else { return };
    if near < 0.0 && far > 0.0 && fill == Fill::Solid {
        hits.push(RayHit::inside(ray));
    }
    for (distance, is_entry) in [(near, true), (far, false)] {
        if distance >= 0.0 && distance <= most {
            hits.push(on_ball(radius, centre, ray, distance, is_entry));
        }
    }
}

/// Appends all points of the surface of a shape on a ray, no farther than `max_distance` (m), in the order of their distances: entries
/// and exits. With [`Fill::Solid`], a ray that begins inside has a first hit at distance zero.
///
/// # Errors
/// As [`cast_ray`].
pub fn cast_ray_all(
    shape: &Shape,
    pose: &Pose,
    ray: &Ray,
    max_distance: f64,
    fill: Fill,
    hits: &mut Vec<RayHit>,
) -> Result<(), QueryError> {
    let pose = &checked_pose(pose, "shape")?;
    checked_length(max_distance, "greatest distance")?;
    if let Some(radius) = radius_of_ball(shape) {
        all_on_ball(radius, pose.translation, ray, max_distance, fill, hits);
        return Ok(());
    }
    let seen = ray.seen_from(pose);
    let first = hits.len();
    ray_hits::all(&View::of(shape), &seen, max_distance, fill, &mut |hit: RayHit| hits.push(hit.placed(pose, ray)));
    hits[first..].compact_sort_by(RayHit::order);
    Ok(())
}
