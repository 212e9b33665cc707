//! Rays against convex solids: closed forms for ball and ellipsoid, and advancement by supporting planes for any other.
//!
//! At a point outside the solid, its closest point and the normal there give a plane beyond which all of the solid lies. The ray goes on
//! to that plane, which is never past the surface; where it does not get nearer to it, it misses (van den Bergen, "Ray casting against
//! general convex objects with application to continuous collision detection", 2004; there with planes of a simplex).

use glam::DVec3;

use super::support::Convex;
use crate::shape::{Primitive, SurfacePoint};

/// A point nearer than this share of the radius is on the surface.
const ON_SURFACE: f64 = 1e-13;

/// A ray that grazes the surface halves its distance with each step.
const STEPS: usize = 256;

/// Where a line enters a convex solid and where it leaves it: how far along the direction (m), and the outward normals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub near: (f64, DVec3),
    pub far: (f64, DVec3),
}

/// The part of the line through `origin` along a unit direction that is in a convex solid.
pub fn span(convex: &Convex<'_>, origin: DVec3, direction: DVec3) -> Option<Span> {
    match convex {
        Convex::Ball { radius } => ball(*radius, origin, direction),
        Convex::Ellipsoid { semi_axes } => ellipsoid(*semi_axes, origin, direction),
        Convex::Primitive { primitive, radius, .. } => advanced(*primitive, *radius, origin, direction),
        Convex::Polyhedron(_) => None,
    }
}

/// How far along a line it gets into a ball about the origin and out of it, m.
pub fn along_ball(radius: f64, origin: DVec3, direction: DVec3) -> Option<[f64; 2]> {
    // From the point of the line that is nearest to the centre: nothing cancels however far the origin is.
    let middle = -origin.dot(direction);
    let rest = radius * radius - (origin + middle * direction).length_squared();
    let half = (rest >= 0.0).then(|| rest.sqrt())?;
    Some([middle - half, middle + half])
}

fn ball(radius: f64, origin: DVec3, direction: DVec3) -> Option<Span> {
    let ends = along_ball(radius, origin, direction)?;
    let [near, far] = ends.map(|along| (along, (origin + along * direction) / radius));
    Some(Span { near, far })
}

/// As a ball of radius 1 in scaled coordinates.
fn ellipsoid(semi_axes: DVec3, origin: DVec3, direction: DVec3) -> Option<Span> {
    let scaled = direction / semi_axes;
    let length = scaled.length();
    let unit = scaled / length;
    let Span { near, far } = ball(1.0, origin / semi_axes, unit)?;
    let outward = |normal: DVec3| (normal / semi_axes).normalize();
    Some(Span { near: (near.0 / length, outward(near.1)), far: (far.0 / length, outward(far.1)) })
}

fn advanced(primitive: &dyn Primitive, radius: f64, origin: DVec3, direction: DVec3) -> Option<Span> {
    let middle = -origin.dot(direction);
    let nearest = origin + middle * direction;
    let reach = 1.0001 * radius;
    let rest = (reach - nearest.length()) * (reach + nearest.length());
    let half = (rest >= 0.0).then(|| rest.sqrt())?;
    // Both ends are outside, at the ball around the solid.
    let (near, normal) = entry(primitive, ON_SURFACE * radius, nearest - half * direction, direction, 2.0 * half)?;
    let back = entry(primitive, ON_SURFACE * radius, nearest + half * direction, -direction, 2.0 * half);
    let (far, far_normal) = back.map_or((2.0 * half - near, normal), |(far, normal)| (far, normal));
    let near = middle - half + near;
    Some(Span { near: (near, normal), far: ((middle + half - far).max(near), far_normal) })
}

/// How far a ray from outside goes until it is on the surface, m, and the normal there.
fn entry(
    primitive: &dyn Primitive,
    tolerance: f64,
    origin: DVec3,
    direction: DVec3,
    most: f64,
) -> Option<(f64, DVec3)> {
    let mut along = 0.0;
    let mut last = DVec3::ZERO;
    for _ in 0..STEPS {
        let SurfacePoint { normal, distance, .. } = primitive.closest(origin + along * direction);
        if distance <= tolerance {
            // At an edge or vertex the face that was approached has the better normal.
            let is_better = last != DVec3::ZERO && normal.dot(direction) >= 0.0;
            return Some((along, if is_better { last } else { normal }));
        }
        let approach = -normal.dot(direction);
        if approach <= 0.0 {
            return None;
        }
        last = normal;
        along += distance / approach;
        if along > most {
            return None;
        }
    }
    None
}
