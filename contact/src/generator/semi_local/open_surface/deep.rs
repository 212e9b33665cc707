//! Shapes that reach so far through a surface that features do not tell where they came from: pushed out along the normal of the triangle that is
//! nearest to their middle, to the front, or of a sheet with two sides to the side of their middle.

use glam::DVec3;

use super::primitive::Over;
use super::{Found, Near, Other, Place};
use crate::shape::features::FeatureId;
use crate::shape::open_surface::SurfaceTriangle;
use crate::shape::{Polyhedron, Primitive};

/// The sine of an angle by which a vertex need not be the lowest one.
const CONE: f64 = 1e-3;

/// Appends contacts at the vertices of a polyhedron that lie behind.
pub fn add_polyhedron(near: &Near<'_>, shape: &Polyhedron, found: &mut Vec<Found>) {
    let features = shape.features();
    let middle = near.pose.transform_point(features.centre());
    let points = || features.vertices().iter().map(|vertex| near.pose.transform_point(vertex.position));
    let is_below = || near.surface.is_solid_below() && points().any(|p| near.is_below(p));
    if !is_below() && !crosses(near, shape) {
        return;
    }
    let Some((t, _)) = near.nearest(middle) else { return };
    let triangle = &near.triangles[t as usize];
    let normal = side_of(near, triangle, middle);
    let plane = triangle.corners[0];
    for (v, (vertex, other)) in (0_u32..).zip(features.vertices().iter().zip(points())) {
        let gap = normal.dot(other - plane);
        if gap < 0.0 && vertex.supports(-(near.pose.rotation.inverse() * normal), CONE) {
            let feature = Other::OfPolyhedron(FeatureId::Vertex(v));
            found.push(Found { own: other - normal * gap, other, normal, gap, place: Place::Triangle(t), feature });
        }
    }
}

/// Appends the contact of a primitive whose middle is behind.
pub fn add_primitive(near: &Near<'_>, primitive: &dyn Primitive, found: &mut Vec<Found>) {
    let Some(over) = Over::new(near, primitive) else { return };
    let middle = near.pose.translation;
    let Some((t, distance)) = near.nearest(middle) else { return };
    let triangle = &near.triangles[t as usize];
    let own = triangle.closest(middle);
    let reaches_through = over.closest(own).distance < 0.0 && distance > 0.0;
    if !(reaches_through || near.surface.is_solid_below() && near.is_below(middle)) {
        return;
    }
    let normal = side_of(near, triangle, middle);
    let other = over.support(-normal);
    let gap = normal.dot(other - triangle.corners[0]);
    if gap < 0.0 {
        let place = Place::Triangle(t);
        found.push(Found { own: other - normal * gap, other, normal, gap, place, feature: Other::Smooth });
    }
}

/// The normal of a triangle on the side to which a shape is pushed.
fn side_of(near: &Near<'_>, triangle: &SurfaceTriangle, middle: DVec3) -> DVec3 {
    let is_back = near.surface.is_two_sided() && triangle.height(middle) < 0.0;
    if is_back { -triangle.normal } else { triangle.normal }
}

/// Whether the surface goes through a polyhedron: an edge of one through a triangle or facet of the other.
fn crosses(near: &Near<'_>, shape: &Polyhedron) -> bool {
    let features = shape.features();
    let at = |v: u32| near.pose.transform_point(features.vertices()[v as usize].position);
    near.triangles.iter().any(|triangle| {
        let through_triangle = features.edges().iter().any(|edge| {
            let [p, q] = edge.vertices.map(at);
            crossing(triangle.height(p), triangle.height(q), p, q).is_some_and(|x| triangle.is_over(x, 0.0))
        });
        through_triangle
            || (0..3).any(|k| {
                let [p, q] = [k, (k + 1) % 3].map(|k| near.pose.inverse_transform_point(triangle.corners[k]));
                features.facets().iter().any(|facet| {
                    crossing(facet.height(p), facet.height(q), p, q)
                        .is_some_and(|x| facet.contains(facet.place(x), 0.0))
                })
            })
    })
}

/// Where a segment crosses a plane, given the heights of its ends over it.
fn crossing(from: f64, to: f64, p: DVec3, q: DVec3) -> Option<DVec3> {
    ((from < 0.0) != (to < 0.0)).then(|| p.lerp(q, from / (from - to)))
}
