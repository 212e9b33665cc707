//! Contacts with height fields and triangle meshes.
//!
//! The triangles in the box of the other shape are looked at with what is around them ([`crate::shape::open_surface`]). A contact comes from a
//! pair of features: a vertex of the other shape over a triangle, two edges that cross, a vertex of the surface under a facet; of a primitive,
//! from the points where the distance to it is least. The normal must lie in the normal cones of both features, so that edges and vertices
//! inside a flat or concave part of the surface touch nothing. Of a sheet with two sides, both are looked at.
//!
//! Where nothing is found though the shape reaches through the surface, it is pushed out along the normal of the nearest triangle ([`deep`]).

mod deep;
mod polyhedron;
mod primitive;
mod selection;

use glam::DVec3;

use super::SemiLocal;
use crate::contact::{Contact, Feature};
use crate::generator::Placed;
use crate::pose::Pose;
use crate::shape::Shape;
use crate::shape::features::FeatureId;
use crate::shape::open_surface::{EdgeKind, OpenSurface, SurfaceTriangle};

/// Scratch space.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    numbers: Vec<u32>,
    triangles: Vec<SurfaceTriangle>,
    /// The vertices of these, each with the place of the first triangle that has it, if it is a feature.
    corners: Vec<Corner>,
    ring: Vec<u32>,
    /// Pairs of a triangle's place and a facet of the polyhedron.
    pairs: Vec<(u32, u32)>,
    found: Vec<Found>,
    kept: Vec<Found>,
}

/// A vertex of the surface.
#[derive(Clone, Copy, Debug)]
struct Corner {
    vertex: u32,
    /// The place of the first triangle that has it.
    triangle: u32,
    /// Whether the surface is not flat around it, or ends.
    is_feature: bool,
    is_border: bool,
}

/// A feature of the surface, by the place of its triangle in the list.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Triangle(u32),
    /// Triangle and side.
    Edge(u32, u32),
    /// Triangle and corner.
    Vertex(u32, u32),
}

/// What the other shape has at a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Other {
    OfPolyhedron(FeatureId),
    /// A smooth surface.
    Smooth,
}

/// A contact in the frame of the surface; the normal points away from it.
#[derive(Clone, Copy, Debug)]
struct Found {
    own: DVec3,
    other: DVec3,
    normal: DVec3,
    gap: f64,
    place: Place,
    feature: Other,
}

/// A surface with the triangles near another shape, seen from one side.
struct Near<'s> {
    surface: &'s dyn OpenSurface,
    triangles: &'s [SurfaceTriangle],
    corners: &'s [Corner],
    /// Takes the frame of the other shape to that of the surface.
    pose: Pose,
    lengths: Lengths,
}

/// m.
#[derive(Clone, Copy, Debug)]
struct Lengths {
    envelope: f64,
    depth: f64,
    same: f64,
}

/// Appends the contacts of two shapes of which one is an open surface and the other a polyhedron or a primitive with an end.
pub fn contacts(
    settings: &SemiLocal,
    [a, b]: [&Placed<'_>; 2],
    previous: &[(Feature, Feature)],
    buffers: &mut Buffers,
    contacts: &mut Vec<Contact>,
) {
    let is_exchanged = a.shape.as_open_surface().is_none();
    let (own, other) = if is_exchanged { (b, a) } else { (a, b) };
    let Some(surface) = own.shape.as_open_surface() else { return };
    let thickness = other.shape.thickness();
    if !thickness.is_finite() {
        return;
    }
    // The surface has no margin of its own, so that half of the other's is the mean.
    let lengths = Lengths {
        envelope: 0.5 * settings.envelope * thickness,
        depth: settings.depth * thickness,
        same: settings.same * thickness,
    };
    let pose = own.pose.inverse() * other.pose;
    let (low, high) = other.shape.bounds_at(&pose);
    let margin =
        lengths.envelope + ROUNDING * (low.abs().max(high.abs()).max_element() + own.pose.translation.length());
    let Buffers { numbers, triangles, corners, ring, pairs, found, kept } = buffers;
    numbers.clear();
    surface.triangles_within(low - margin, high + margin, numbers);
    if numbers.is_empty() {
        return;
    }
    triangles.clear();
    triangles.extend(numbers.iter().map(|&number| SurfaceTriangle::of(surface, number)));
    kept.clear();
    let sides = if surface.is_two_sided() { 2 } else { 1 };
    let mut is_deep = false;
    for side in 0..sides {
        if side == 1 {
            triangles.iter_mut().for_each(|triangle| *triangle = triangle.turned_round());
        }
        list_corners(triangles, corners);
        let near = Near { surface, triangles, corners, pose, lengths };
        found.clear();
        match other.shape {
            Shape::Polyhedron(shape) => {
                is_deep |= polyhedron::add(&near, shape, settings, (pairs, ring), found);
                let motion = Motion { own, other, previous, is_exchanged };
                selection::select(&near, shape, settings, &motion, found);
            }
            Shape::Primitive(shape) => primitive::add(&near, &**shape, settings, ring, found),
            _ => return,
        }
        kept.append(found);
    }
    if sides == 2 {
        triangles.iter_mut().for_each(|triangle| *triangle = triangle.turned_round());
    }
    if !kept.iter().any(|found| found.gap < 0.0) {
        list_corners(triangles, corners);
        let near = Near { surface, triangles, corners, pose, lengths };
        found.clear();
        match other.shape {
            Shape::Polyhedron(shape) if is_deep || kept.is_empty() => deep::add_polyhedron(&near, shape, found),
            Shape::Primitive(shape) if kept.is_empty() => deep::add_primitive(&near, &**shape, found),
            _ => {}
        }
        if !found.is_empty() {
            kept.clear();
            kept.append(found);
        }
    }
    let turn = |direction: DVec3| (own.pose.rotation * direction).normalize();
    contacts.extend(kept.iter().map(|found| {
        let (feature, other_feature) = (surface_feature(triangles, found.place), other_feature(found.feature));
        let normal = turn(found.normal);
        let (normal, feature_a, feature_b) =
            if is_exchanged { (-normal, other_feature, feature) } else { (normal, feature, other_feature) };
        let position = own.pose.transform_point(0.5 * (found.own + found.other));
        Contact { position, normal, gap: found.gap, feature_a, feature_b }
    }));
}

/// Boxes are grown by this share of the coordinates.
const ROUNDING: f64 = 1e-12;

/// How the two shapes move, and what touched in the step before.
struct Motion<'m> {
    own: &'m Placed<'m>,
    other: &'m Placed<'m>,
    previous: &'m [(Feature, Feature)],
    is_exchanged: bool,
}

impl Motion<'_> {
    /// How fast the other shape leaves the surface at a contact, m/s.
    fn leaving(&self, found: &Found) -> f64 {
        let world = self.own.pose.transform_point(0.5 * (found.own + found.other));
        let velocity = |p: &Placed<'_>| p.twist.linear + p.twist.angular.cross(world - p.pose.translation);
        (self.own.pose.rotation * found.normal).dot(velocity(self.other) - velocity(self.own))
    }

    /// Whether the features touched in the step before.
    fn was_kept(&self, triangles: &[SurfaceTriangle], found: &Found) -> bool {
        let (own, other) = (surface_feature(triangles, found.place), other_feature(found.feature));
        self.previous.contains(&if self.is_exchanged { (other, own) } else { (own, other) })
    }
}

fn surface_feature(triangles: &[SurfaceTriangle], place: Place) -> Feature {
    let triangle = |t: u32| &triangles[t as usize];
    match place {
        Place::Triangle(t) => Feature::Facet(triangle(t).number),
        Place::Edge(t, side) => Feature::FacetEdge(triangle(t).edges[side as usize].number),
        Place::Vertex(t, corner) => Feature::FacetVertex(triangle(t).vertices[corner as usize]),
    }
}

fn other_feature(feature: Other) -> Feature {
    match feature {
        Other::OfPolyhedron(id) => super::feature(id),
        Other::Smooth => Feature::Surface(0),
    }
}

/// Lists the vertices of triangles, ascending.
fn list_corners(triangles: &[SurfaceTriangle], corners: &mut Vec<Corner>) {
    corners.clear();
    for (t, triangle) in (0_u32..).zip(triangles) {
        for k in 0..3 {
            let around = [triangle.edges[k].kind, triangle.edges[(k + 2) % 3].kind];
            corners.push(Corner {
                vertex: triangle.vertices[k],
                triangle: t,
                is_feature: around.iter().any(|kind| *kind != EdgeKind::Flat),
                is_border: around.contains(&EdgeKind::Border),
            });
        }
    }
    corners.sort_unstable_by_key(|corner| (corner.vertex, corner.triangle));
    corners.dedup_by(|next, first| {
        let is_same = next.vertex == first.vertex;
        if is_same {
            first.is_feature |= next.is_feature;
            first.is_border |= next.is_border;
        }
        is_same
    });
}

impl Near<'_> {
    /// Whether the surface at an edge of a triangle lies below the plane across a unit vector.
    fn edge_supports(&self, triangle: &SurfaceTriangle, side: usize, n: DVec3, tolerance: f64) -> bool {
        let edge = &triangle.edges[side];
        let lies_below = n.dot(edge.inward) <= tolerance;
        match edge.kind {
            EdgeKind::Convex => lies_below && n.dot(edge.beyond) <= tolerance && n.dot(triangle.normal) >= -tolerance,
            // Behind a border is what is behind the surface.
            EdgeKind::Border => lies_below && n.dot(triangle.normal) >= -tolerance,
            EdgeKind::Flat | EdgeKind::Reflex => false,
        }
    }

    /// Whether the surface at a vertex lies below the plane across a unit vector. `ring` is scratch space.
    fn vertex_supports(&self, corner: &Corner, n: DVec3, tolerance: f64, ring: &mut Vec<u32>) -> bool {
        let triangle = &self.triangles[corner.triangle as usize];
        if !corner.is_feature || n.dot(triangle.normal) < -tolerance {
            return false;
        }
        ring.clear();
        self.surface.ring(corner.vertex, ring);
        let from = self.surface.vertex(corner.vertex);
        ring.iter().all(|&v| {
            let way = self.surface.vertex(v) - from;
            n.dot(way) <= tolerance * way.length()
        })
    }

    /// A corner as a place.
    fn place_of(&self, corner: &Corner) -> Place {
        let vertices = self.triangles[corner.triangle as usize].vertices;
        let k = vertices.iter().position(|&v| v == corner.vertex).unwrap_or(0);
        Place::Vertex(corner.triangle, k as u32)
    }

    /// The nearest triangle to a point: of equally near ones that whose plane the point is farthest from.
    fn nearest(&self, point: DVec3) -> Option<(u32, f64)> {
        let mut best: Option<(u32, f64, f64)> = None;
        for (t, triangle) in (0_u32..).zip(self.triangles) {
            let height = triangle.height(point);
            // No point of the triangle is nearer than its plane.
            if best.is_some_and(|(_, distance, _)| height.abs() > distance + self.lengths.same) {
                continue;
            }
            let distance = triangle.closest(point).distance(point);
            let is_better = best.is_none_or(|(_, least, of_plane)| {
                distance < least - self.lengths.same
                    || (distance <= least + self.lengths.same && height.abs() > of_plane)
            });
            if is_better {
                best = Some((t, distance, height.abs()));
            }
        }
        best.map(|(t, distance, _)| (t, distance))
    }

    /// Whether a point is behind the surface as far as the triangles around tell.
    fn is_behind(&self, point: DVec3) -> bool {
        self.nearest(point).is_some_and(|(t, _)| self.triangles[t as usize].height(point) < 0.0)
    }

    /// Whether a point is straight below one of the triangles.
    fn is_below(&self, point: DVec3) -> bool {
        self.triangles.iter().any(|triangle| {
            let normal = triangle.normal;
            let rise = triangle.height(point) / normal.y;
            let on = DVec3 { y: point.y - rise, ..point };
            rise < 0.0 && triangle.is_over(on, self.lengths.same)
        })
    }
}
