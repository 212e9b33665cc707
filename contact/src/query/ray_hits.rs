//! Where a ray meets a shape, in the frame of the shape, by kinds of shapes.

use std::cmp::Ordering;

use glam::DVec3;

use super::convex_ray::{Span, span};
use super::ray::{Fill, Ray, RayHit};
use super::triangle_ray::crossing;
use super::view::{Surfaced, View, on_half_space};
use super::{compound_ray, terrain};
use crate::bounds::Bounds;
use crate::contact::Feature;
use crate::shape::{OpenSurface, TriangleMesh};
use crate::solid::{Crossing, Solid};

/// The first hit.
pub fn first(view: &View<'_>, ray: &Ray, most: f64, fill: Fill) -> Option<RayHit> {
    match view {
        View::Convex(convex) => first_of_span(&span(convex, ray.origin(), ray.direction())?, ray, most, fill),
        View::Surface(surface) => match surface.polyhedron.faces() {
            Some(faces) => faces.first(ray, most, fill),
            None => first_on_surface(surface, ray, most, fill),
        },
        View::Mesh(mesh) => first_on_mesh(mesh, ray, most),
        View::Compound(compound) => compound_ray::first(compound, ray, most, fill),
        view => {
            let mut first: Option<RayHit> = None;
            visit_all(view, ray, most, fill, true, &mut |hit: RayHit| {
                if first.as_ref().is_none_or(|first| hit.order(first) == Ordering::Less) {
                    first = Some(hit);
                }
            });
            first
        }
    }
}

/// All hits, in any order.
pub fn all(view: &View<'_>, ray: &Ray, most: f64, fill: Fill, visit: &mut impl FnMut(RayHit)) {
    visit_all(view, ray, most, fill, false, visit);
}

/// All hits in any order. With `is_first`, those behind the first one may be left out.
fn visit_all(view: &View<'_>, ray: &Ray, most: f64, fill: Fill, is_first: bool, visit: &mut impl FnMut(RayHit)) {
    let (origin, direction) = (ray.origin(), ray.direction());
    match view {
        View::HalfSpace => {
            let height = on_half_space(origin).1;
            if height < 0.0 && fill == Fill::Solid {
                visit(RayHit::inside(ray));
            }
            let distance = -height / direction.y;
            if distance >= 0.0 && distance <= most && direction.y != 0.0 {
                visit(RayHit::of_primitive(ray, distance, DVec3::Y, direction.y < 0.0));
            }
        }
        View::Convex(convex) => {
            let Some(Span { near, far }) = span(convex, origin, direction) else { return };
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
            if let Some(faces) = surface.polyhedron.faces() {
                return faces.all(ray, most, fill, visit);
            }
            let solid = surface.solid();
            if fill == Fill::Solid && solid.is_inside(origin) {
                visit(RayHit::inside(ray));
            }
            let Some(Segment { to, length }) = Segment::within(&solid.bounds(), ray, most) else { return };
            solid.tree().along_segment(origin, to, |triangle, corners| {
                if let Some(found) = crossing([origin, to], corners)
                    && found.fraction * length <= most
                {
                    visit(on_triangle(surface, ray, triangle, found.fraction * length, found.enters));
                }
            });
        }
        View::Mesh(mesh) => {
            let (low, high) = mesh.bounds();
            let Some(Segment { to, length }) = Segment::within(&Bounds { low, high }, ray, most) else { return };
            mesh.triangle_tree().along_segment(origin, to, |triangle, corners| {
                if let Some(found) = crossing([origin, to], corners)
                    && (found.enters || mesh.is_two_sided())
                    && found.fraction * length <= most
                {
                    visit(on_sheet(ray, triangle, corners, found.fraction * length, found.enters));
                }
            });
        }
        View::Terrain(field) => {
            if fill == Fill::Solid && field.is_inside(origin) {
                visit(RayHit::inside(ray));
            }
            terrain::hits(field, ray, most, is_first, visit);
        }
        View::Compound(compound) => compound_ray::all(compound, ray, most, fill, visit),
        View::Solid(solid) => {
            if fill == Fill::Solid && solid.contains(origin) {
                visit(RayHit::inside(ray));
            }
            let Some(Segment { to, length }) = Segment::within(&solid.bounds(), ray, most) else { return };
            let mut crossings: Vec<Crossing> = Vec::new();
            solid.crossings(origin, to, &mut crossings);
            for Crossing { share, normal, is_entry } in crossings {
                let distance = share * length;
                if distance <= most {
                    // Where the surface has none, one against the ray.
                    let normal = normal.unwrap_or(if is_entry { -direction } else { direction });
                    visit(RayHit::of_primitive(ray, distance, normal, is_entry));
                }
            }
        }
    }
}

/// The part of a ray that may meet a shape, from its origin on.
struct Segment {
    to: DVec3,
    /// m.
    length: f64,
}

impl Segment {
    fn within(bounds: &Bounds, ray: &Ray, most: f64) -> Option<Self> {
        // As far as the farthest corner, and a little beyond.
        let reach = (ray.origin() - bounds.low).abs().max((ray.origin() - bounds.high).abs()).length() * 1.001;
        let length = reach.min(most.max(f64::MIN_POSITIVE));
        (length.is_finite() && length > 0.0).then(|| Self { to: ray.at(length), length })
    }
}

fn on_triangle(surface: &Surfaced<'_>, ray: &Ray, triangle: u32, distance: f64, is_entry: bool) -> RayHit {
    let normal = surface.solid().surface().normals()[triangle as usize];
    let feature = surface.feature(triangle).unwrap_or(Feature::Face(triangle));
    RayHit::of_feature(ray, distance, normal, feature, Some(triangle), is_entry)
}

/// On a triangle of a mesh, the normal is that of the side on which the ray comes.
fn on_sheet(ray: &Ray, triangle: u32, [a, b, c]: [DVec3; 3], distance: f64, is_entry: bool) -> RayHit {
    let front = (b - a).cross(c - a).normalize();
    let normal = if is_entry { front } else { -front };
    RayHit::of_feature(ray, distance, normal, Feature::Facet(triangle), Some(triangle), is_entry)
}

/// The first hit of a ray on a convex solid.
fn first_of_span(Span { near, far }: &Span, ray: &Ray, most: f64, fill: Fill) -> Option<RayHit> {
    if near.0 >= 0.0 {
        return (near.0 <= most).then(|| RayHit::of_primitive(ray, near.0, near.1, true));
    }
    if far.0 > 0.0 && fill == Fill::Solid {
        return Some(RayHit::inside(ray));
    }
    (far.0 >= 0.0 && far.0 <= most).then(|| RayHit::of_primitive(ray, far.0, far.1, false))
}

fn first_on_surface(surface: &Surfaced<'_>, ray: &Ray, most: f64, fill: Fill) -> Option<RayHit> {
    let solid = surface.solid();
    if fill == Fill::Solid && solid.is_inside(ray.origin()) {
        return Some(RayHit::inside(ray));
    }
    let Segment { to, length } = Segment::within(&solid.bounds(), ray, most)?;
    let mut first: Option<(f64, bool, u32)> = None;
    solid.tree().cast(ray.origin(), to, |triangle, corners| {
        let found = crossing([ray.origin(), to], corners)?;
        let is_first = first
            .is_none_or(|(share, enters, number)| (found.fraction, enters, triangle) < (share, found.enters, number));
        if is_first {
            first = Some((found.fraction, found.enters, triangle));
        }
        Some(found.fraction)
    });
    let (share, enters, triangle) = first.filter(|(share, ..)| share * length <= most)?;
    Some(on_triangle(surface, ray, triangle, share * length, enters))
}

fn first_on_mesh(mesh: &TriangleMesh, ray: &Ray, most: f64) -> Option<RayHit> {
    let (low, high) = mesh.bounds();
    let Segment { to, length } = Segment::within(&Bounds { low, high }, ray, most)?;
    let mut first: Option<RayHit> = None;
    mesh.triangle_tree().cast(ray.origin(), to, |triangle, corners| {
        let found = crossing([ray.origin(), to], corners).filter(|found| found.enters || mesh.is_two_sided())?;
        let hit = on_sheet(ray, triangle, corners, found.fraction * length, found.enters);
        if first.as_ref().is_none_or(|first| hit.order(first) == Ordering::Less) {
            first = Some(hit);
        }
        Some(found.fraction)
    });
    first.filter(|hit| hit.distance <= most)
}
