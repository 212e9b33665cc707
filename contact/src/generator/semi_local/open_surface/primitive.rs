//! Contacts of a surface and a primitive: where the distance from the primitive is least over a triangle, along an edge, or at a vertex.
//!
//! Of a primitive with straight lines or flat faces, what faces a triangle or lies along an edge has its corners for contacts
//! ([`crate::generator::semi_local::convex_core`]); edges inside a flat part of the surface cut nothing off.

use glam::{DQuat, DVec3};

use super::{Corner, EdgeKind, Found, Near, Other, Place};
use crate::contact::Contact;
use crate::generator::semi_local::convex_core::manifold::corners;
use crate::generator::semi_local::convex_core::{self, CoreLimits, PlacedCore};
use crate::generator::semi_local::{Angles, SemiLocal};
use crate::pose::Pose;
use crate::shape::convex_core::{RoundedCore, Segment};
use crate::shape::open_surface::SurfaceTriangle;
use crate::shape::{Primitive, SurfacePoint};

/// Steps of the search along an edge, which takes some eight.
const STEPS: usize = 80;

/// A slope below this is none.
const LEVEL: f64 = 1e-14;

/// Normals of one point that differ by less (sine) are one.
const SAME_NORMAL: f64 = 2e-2;

/// A primitive over a surface.
pub(super) struct Over<'s> {
    near: &'s Near<'s>,
    primitive: &'s dyn Primitive,
    core: RoundedCore<'s>,
}

impl<'s> Over<'s> {
    /// None of a primitive without an end.
    pub fn new(near: &'s Near<'s>, primitive: &'s dyn Primitive) -> Option<Self> {
        Some(Self { near, primitive, core: primitive.core()? })
    }

    /// The point of the primitive that is closest to a point, in the surface's frame.
    pub fn closest(&self, point: DVec3) -> SurfacePoint {
        let pose = &self.near.pose;
        let found = self.primitive.closest(pose.inverse_transform_point(point));
        SurfacePoint {
            position: pose.transform_point(found.position),
            normal: pose.rotation * found.normal,
            distance: found.distance,
        }
    }

    /// The point of the primitive that is farthest in a direction, in the surface's frame.
    pub fn support(&self, direction: DVec3) -> DVec3 {
        let (pose, core) = (&self.near.pose, &self.core);
        pose.transform_point(core.core.support(pose.rotation.inverse() * direction)) + direction * core.radius
    }

    /// Whether there is one such point in every direction.
    fn is_strictly_convex(&self) -> bool {
        self.primitive.support(DVec3::Y).is_some()
    }

    /// Whether the primitive is so near to the plane of a triangle that it may touch the triangle's border.
    fn is_near_plane(&self, triangle: &SurfaceTriangle) -> bool {
        triangle.height(self.support(-triangle.normal)) <= self.near.lengths.envelope
    }

    fn add(&self, own: DVec3, on: SurfacePoint, place: Place, found: &mut Vec<Found>) {
        let normal = -on.normal;
        let is_there = |f: &Found| {
            f.own.distance(own) <= 2.0 * self.near.lengths.same
                && f.normal.dot(normal) > 0.0
                && f.normal.cross(normal).length() <= SAME_NORMAL
        };
        if !found.iter().any(is_there) {
            found.push(Found { own, other: on.position, normal, gap: on.distance, place, feature: Other::Smooth });
        }
    }

    fn add_triangles(&self, parallel: f64, found: &mut Vec<Found>) {
        let lengths = self.near.lengths;
        for (t, triangle) in (0_u32..).zip(self.near.triangles) {
            let down = -triangle.normal;
            let lowest = self.support(down);
            if triangle.height(lowest) > lengths.envelope {
                continue;
            }
            // What is farther behind than its middle faces the same way as the triangle.
            let faces = |point: DVec3, gap: f64| {
                gap >= 0.0 || self.closest(point - triangle.normal * gap).normal.dot(triangle.normal) < 0.0
            };
            let mut add = |point: DVec3, is_lowest: bool| {
                let gap = triangle.height(point);
                let is_near = gap <= lengths.envelope && triangle.is_over(point, lengths.same);
                if is_near && (!is_lowest || faces(point, gap)) {
                    let on = SurfacePoint { position: point, normal: down, distance: gap };
                    self.add(point - triangle.normal * gap, on, Place::Triangle(t), found);
                }
            };
            if self.is_strictly_convex() {
                add(lowest, true);
            } else if triangle.height(lowest) + triangle.height(self.support(triangle.normal)) >= 0.0 {
                let pose = &self.near.pose;
                let (outline, _) = self.core.core.outline(pose.rotation.inverse() * down, parallel);
                let placed = outline.placed(pose);
                let corners = corners(&placed);
                corners.iter().for_each(|&corner| add(corner + down * self.core.radius, false));
                if corners.is_empty() {
                    add(lowest, false);
                }
            }
        }
    }

    /// The places where the primitive is nearest to an edge, with the way out.
    fn over_edge(&self, ends: [DVec3; 2], parallel: f64) -> Vec<(DVec3, SurfacePoint)> {
        let envelope = self.near.lengths.envelope;
        if self.is_strictly_convex() {
            return self.lowest_of_edge(ends, envelope).into_iter().collect();
        }
        let way = ends[1] - ends[0];
        let edge = Segment { half_length: 0.5 * way.length() };
        let turn = DQuat::from_rotation_arc(DVec3::Y, way.normalize());
        let edge = PlacedCore {
            rounded: RoundedCore { core: &edge, radius: 0.0 },
            pose: Pose::from_parts(ends[0].midpoint(ends[1]), turn),
        };
        let limits = CoreLimits { envelope, same: self.near.lengths.same, parallel };
        let mut contacts = Vec::new();
        convex_core::contacts(&edge, &PlacedCore { rounded: self.core, pose: self.near.pose }, &limits, &mut contacts);
        let place = |contact: Contact| {
            let half = contact.normal * (0.5 * contact.gap);
            let position = contact.position + half;
            (contact.position - half, SurfacePoint { position, normal: -contact.normal, distance: contact.gap })
        };
        contacts.into_iter().map(place).collect()
    }

    fn add_edges(&self, angles: &Angles, found: &mut Vec<Found>) {
        let near = self.near;
        for (t, triangle) in (0_u32..).zip(near.triangles).filter(|(_, triangle)| self.is_near_plane(triangle)) {
            for (side, edge) in triangle.edges.iter().enumerate() {
                if !edge.is_owned || !matches!(edge.kind, EdgeKind::Convex | EdgeKind::Border) {
                    continue;
                }
                let [start, end] = [triangle.corners[side], triangle.corners[(side + 1) % 3]];
                let length = start.distance(end);
                if self.closest(start.midpoint(end)).distance > near.lengths.envelope + 0.5 * length {
                    continue;
                }
                for (own, on) in self.over_edge([start, end], angles.parallel) {
                    if on.distance <= near.lengths.envelope
                        && near.edge_supports(triangle, side, -on.normal, angles.cone)
                    {
                        self.add(own, on, Place::Edge(t, side as u32), found);
                    }
                }
            }
        }
    }

    /// The point of an edge at which the distance is least, if it is not an end and the distance may be no larger than `most`, m: where the
    /// slope of the distance, which grows along the edge, is zero (false position, Illinois variant).
    fn lowest_of_edge(&self, [start, end]: [DVec3; 2], most: f64) -> Option<(DVec3, SurfacePoint)> {
        let length = start.distance(end);
        let direction = (end - start) / length;
        let at = |s: f64| {
            let on = self.closest(start.lerp(end, s));
            (on, on.normal.dot(direction))
        };
        let ((from, mut slope_low), (to, mut slope_high)) = (at(0.0), at(1.0));
        if slope_low >= 0.0 || slope_high <= 0.0 {
            return None;
        }
        // The distance is convex: it lies above its tangents at both ends.
        let meet = (to.distance - from.distance - slope_high * length) / (slope_low - slope_high);
        if from.distance + slope_low * meet > most {
            return None;
        }
        let (mut low, mut high, mut last) = (0.0, 1.0, 0);
        let mut place = 0.5;
        for _ in 0..STEPS {
            place = (low * slope_high - high * slope_low) / (slope_high - slope_low);
            let slope = at(place).1;
            if slope.abs() <= LEVEL || high - low <= f64::EPSILON {
                break;
            }
            if slope < 0.0 {
                (low, slope_low) = (place, slope);
                slope_high *= if last == -1 { 0.5 } else { 1.0 };
                last = -1;
            } else {
                (high, slope_high) = (place, slope);
                slope_low *= if last == 1 { 0.5 } else { 1.0 };
                last = 1;
            }
        }
        let own = start.lerp(end, place);
        Some((own, self.closest(own)))
    }

    fn add_vertices(&self, tolerance: f64, ring: &mut Vec<u32>, found: &mut Vec<Found>) {
        let is_near =
            |corner: &Corner| corner.is_feature && self.is_near_plane(&self.near.triangles[corner.triangle as usize]);
        for corner in self.near.corners.iter().filter(|corner| is_near(corner)) {
            let own = self.near.surface.vertex(corner.vertex);
            let on = self.closest(own);
            if on.distance <= self.near.lengths.envelope
                && self.near.vertex_supports(corner, -on.normal, tolerance, ring)
            {
                self.add(own, on, self.near.place_of(corner), found);
            }
        }
    }
}

/// Appends the contacts. `ring` is scratch space.
pub fn add(
    near: &Near<'_>,
    primitive: &dyn Primitive,
    settings: &SemiLocal,
    ring: &mut Vec<u32>,
    found: &mut Vec<Found>,
) {
    let Some(over) = Over::new(near, primitive) else { return };
    over.add_triangles(settings.angles.parallel, found);
    over.add_edges(&settings.angles, found);
    over.add_vertices(settings.angles.cone, ring, found);
}
