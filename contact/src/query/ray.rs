//! Ray casts: the first point of a surface on a ray, or all of them.

use std::cmp::Ordering;

use glam::DVec3;

use super::convex_ray::{Span, span};
use super::triangle_ray::crossing;
use super::view::{Surfaced, View, on_half_space};
use super::{QueryError, checked_length, checked_pose, checked_vector};
use crate::contact::Feature;
use crate::pose::Pose;
use crate::shape::Shape;
use crate::solid::{Crossing, Solid};

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
    fn seen_from(&self, pose: &Pose) -> Self {
        let back = pose.rotation.inverse();
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
    /// one of the faces there.
    pub normal: DVec3,
    /// The facet of a polyhedron ([`Feature::Facet`]), the smooth surface of a primitive; `None` inside a solid.
    pub feature: Option<Feature>,
    /// The triangle of a polyhedron's surface.
    pub triangle: Option<u32>,
    /// Whether the ray gets in here; at the other hits it gets out.
    pub is_entry: bool,
}

impl RayHit {
    /// Moves a hit from the frame of a shape to the world.
    fn in_world(self, pose: &Pose, ray: &Ray) -> Self {
        let is_inside = self.feature.is_none();
        let normal = if is_inside { -ray.direction } else { pose.rotation * self.normal };
        Self { position: ray.at(self.distance), normal, ..self }
    }

    fn inside(ray: &Ray) -> Self {
        Self {
            distance: 0.0,
            position: ray.origin,
            normal: -ray.direction,
            feature: None,
            triangle: None,
            is_entry: true,
        }
    }

    fn of_primitive(ray: &Ray, distance: f64, normal: DVec3, is_entry: bool) -> Self {
        let feature = Some(Feature::Surface(0));
        Self { distance, position: ray.at(distance), normal, feature, triangle: None, is_entry }
    }

    /// By distance, entries first, then by triangle.
    fn order(&self, other: &Self) -> Ordering {
        let rest = other.is_entry.cmp(&self.is_entry).then(self.triangle.cmp(&other.triangle));
        self.distance.total_cmp(&other.distance).then(rest)
    }
}

/// The first point of a shape at a pose on a ray, no farther than `max_distance` (m, may be infinite).
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
    checked_pose(pose, "shape")?;
    checked_length(max_distance, "greatest distance")?;
    let seen = ray.seen_from(pose);
    let hit = match View::of(shape).served("ray casts")? {
        View::Surface(surface) => first_on_surface(&surface, &seen, max_distance, fill),
        view => {
            let mut first: Option<RayHit> = None;
            visit_all(&view, &seen, max_distance, fill, &mut |hit: RayHit| {
                if first.as_ref().is_none_or(|first| hit.order(first) == Ordering::Less) {
                    first = Some(hit);
                }
            });
            first
        }
    };
    Ok(hit.map(|hit| hit.in_world(pose, ray)))
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
    checked_pose(pose, "shape")?;
    checked_length(max_distance, "greatest distance")?;
    let seen = ray.seen_from(pose);
    let first = hits.len();
    visit_all(&View::of(shape).served("ray casts")?, &seen, max_distance, fill, &mut |hit: RayHit| {
        hits.push(hit.in_world(pose, ray))
    });
    hits[first..].sort_by(RayHit::order);
    Ok(())
}

/// All hits in the frame of the shape, in any order.
fn visit_all(view: &View<'_>, ray: &Ray, most: f64, fill: Fill, visit: &mut impl FnMut(RayHit)) {
    match view {
        View::HalfSpace => {
            let height = on_half_space(ray.origin).1;
            if height < 0.0 && fill == Fill::Solid {
                visit(RayHit::inside(ray));
            }
            let distance = -height / ray.direction.y;
            if distance >= 0.0 && distance <= most && ray.direction.y != 0.0 {
                visit(RayHit::of_primitive(ray, distance, DVec3::Y, ray.direction.y < 0.0));
            }
        }
        View::Convex(convex) => {
            let Some(Span { near, far }) = span(convex, ray.origin, ray.direction) else { return };
            if near.0 < 0.0 && far.0 > 0.0 && fill == Fill::Solid {
                visit(RayHit::inside(ray));
            }
            for ((distance, normal), is_entry) in [(near, true), (far, false)] {
                if distance >= 0.0 && distance <= most {
                    visit(RayHit::of_primitive(ray, distance, normal, is_entry));
                }
            }
        }
        View::Surface(surface) => {
            if fill == Fill::Solid && surface.solid.is_inside(ray.origin) {
                visit(RayHit::inside(ray));
            }
            let Some([from, to, length]) = segment(surface.solid, ray, most) else { return };
            surface.solid.tree().along_segment(from, to, |triangle, corners| {
                if let Some(found) = crossing([from, to], corners)
                    && found.fraction * length.x <= most
                {
                    visit(on_triangle(surface, ray, triangle, found.fraction * length.x, found.enters));
                }
            });
        }
        View::Solid(solid) => {
            if fill == Fill::Solid && solid.contains(ray.origin) {
                visit(RayHit::inside(ray));
            }
            let Some([from, to, length]) = segment(*solid, ray, most) else { return };
            let mut crossings: Vec<Crossing> = Vec::new();
            solid.crossings(from, to, &mut crossings);
            for Crossing { share, normal, is_entry } in crossings {
                let distance = share * length.x;
                if distance <= most {
                    // Where the surface has none, one against the ray.
                    let normal = normal.unwrap_or(if is_entry { -ray.direction } else { ray.direction });
                    visit(RayHit::of_primitive(ray, distance, normal, is_entry));
                }
            }
        }
        View::Unserved(_) => {}
    }
}

/// The part of a ray that may be in a solid: its ends, and its length in the first component of the third vector, m.
fn segment(solid: &dyn Solid, ray: &Ray, most: f64) -> Option<[DVec3; 3]> {
    let bounds = solid.bounds();
    // As far as the farthest corner, and a little beyond.
    let reach = (ray.origin - bounds.low).abs().max((ray.origin - bounds.high).abs()).length() * 1.001;
    let length = reach.min(most.max(f64::MIN_POSITIVE));
    (length.is_finite() && length > 0.0).then(|| [ray.origin, ray.at(length), DVec3::splat(length)])
}

fn on_triangle(surface: &Surfaced<'_>, ray: &Ray, triangle: u32, distance: f64, is_entry: bool) -> RayHit {
    RayHit {
        distance,
        position: ray.at(distance),
        normal: surface.solid.surface().normals()[triangle as usize],
        feature: surface.feature(triangle),
        triangle: Some(triangle),
        is_entry,
    }
}

fn first_on_surface(surface: &Surfaced<'_>, ray: &Ray, most: f64, fill: Fill) -> Option<RayHit> {
    if fill == Fill::Solid && surface.solid.is_inside(ray.origin) {
        return Some(RayHit::inside(ray));
    }
    let [from, to, length] = segment(surface.solid, ray, most)?;
    let mut first: Option<(f64, bool, u32)> = None;
    surface.solid.tree().cast(from, to, |triangle, corners| {
        let found = crossing([from, to], corners)?;
        let is_first = first
            .is_none_or(|(share, enters, number)| (found.fraction, enters, triangle) < (share, found.enters, number));
        if is_first {
            first = Some((found.fraction, found.enters, triangle));
        }
        Some(found.fraction)
    });
    let (share, enters, triangle) = first.filter(|(share, ..)| share * length.x <= most)?;
    Some(on_triangle(surface, ray, triangle, share * length.x, enters))
}
