//! Contacts with primitives: the local minima of the distance between the surfaces, one contact each.
//!
//! Of a polyhedron and a primitive, the signed distance from the primitive is a convex function. Its local minima over the
//! surface of the polyhedron lie
//! - inside a facet, below the point of the primitive that is farthest against the facet's normal,
//! - inside a convex edge, where the distance stops falling along the edge,
//! - at a vertex with the normal of the primitive, turned round, in its normal cone.
//!
//! Where a flat primitive lies on a facet or along an edge, the minima are the corners. If the centre of the primitive is
//! inside the polyhedron, there may be none; then the facet through which the way out is shortest has the contact.
//!
//! Primitives with straight lines or flat faces have contact sets with a convex shape ([`super::convex_core`]), and with any other
//! polyhedron the same minima, of which each may be a region ([`lines`]).
//!
//! Of two strictly convex primitives the contact has the normal along which they are farthest apart, or overlap least.

mod ball;
mod lines;

use std::f64::consts::SQRT_2;

use glam::DVec3;

use super::convex_core::{self, CoreLimits, PlacedCore};
use super::{Angles, SemiLocal, feature};
use crate::contact::{Contact, Feature};
use crate::generator::Placed;
use crate::pose::Pose;
use crate::shape::convex_core::RoundedCore;
use crate::shape::features::FeatureId;
use crate::shape::{Form, Polyhedron, Primitive, PrimitiveShape, Shape, SurfacePoint};

/// Points of an edge that are looked at, at most; some six are the rule.
const SLOPES: usize = 200;

/// Along an edge the distance is least where its slope is below this.
const LEVEL: f64 = 1e-15;

/// Steps of the search for the normal of two primitives.
const STEPS: usize = 64;

/// By how much a normal is turned to see how the farthest points change, rad.
const TURN: f64 = 1e-6;

/// The search ends when the points across from each other are off the normal by no more than this share of the sizes.
const ALONG: f64 = 1e-14;

/// The surface of a primitive, which is one smooth feature.
const SURFACE: Feature = Feature::Surface(0);

/// A contact in the frame of the first shape; the normal points to the second.
struct Found {
    own: DVec3,
    other: DVec3,
    normal: DVec3,
    gap: f64,
    features: [Feature; 2],
}

impl Found {
    /// The contact in world coordinates; `pose` is that of the first shape.
    fn placed(&self, pose: &Pose) -> Contact {
        let position = pose.transform_point(0.5 * (self.own + self.other));
        let [feature_a, feature_b] = self.features;
        Contact { position, normal: (pose.rotation * self.normal).normalize(), gap: self.gap, feature_a, feature_b }
    }
}

/// Appends the contacts of two shapes of which at least one is a primitive.
pub fn contacts(settings: &SemiLocal, a: &Placed<'_>, b: &Placed<'_>, contacts: &mut Vec<Contact>) {
    let thickness = a.shape.thickness().min(b.shape.thickness());
    if !thickness.is_finite() {
        return;
    }
    let is_bounded = a.shape.thickness().is_finite() && b.shape.thickness().is_finite();
    // A half-space has no margin of its own, so that half of the other's is the mean.
    let envelope = settings.envelope * thickness * if is_bounded { 1.0 } else { 0.5 };
    let same = settings.same * thickness;
    if a.shape.has_lines() || b.shape.has_lines() {
        let limits = CoreLimits { envelope, same, parallel: settings.angles.parallel };
        return between_cores(a, b, &limits, &settings.angles, contacts);
    }
    let relative = |own: &Placed<'_>, other: &Placed<'_>| own.pose.inverse() * other.pose;
    let mut add = |own: &Placed<'_>, found: Vec<Found>, is_exchanged: bool| {
        contacts.extend(found.into_iter().filter(|found| found.gap <= envelope).map(|found| {
            let mut contact = found.placed(&own.pose);
            if is_exchanged {
                contact.exchange();
            }
            contact
        }));
    };
    match (a.shape, b.shape) {
        (Shape::Polyhedron(polyhedron), Shape::Primitive(primitive)) => {
            let pair = Pair { polyhedron, primitive: &**primitive, pose: relative(a, b), envelope, same };
            add(a, pair.contacts(primitive.form(), settings), false);
        }
        (Shape::Primitive(primitive), Shape::Polyhedron(polyhedron)) => {
            let pair = Pair { polyhedron, primitive: &**primitive, pose: relative(b, a), envelope, same };
            add(b, pair.contacts(primitive.form(), settings), true);
        }
        (Shape::Primitive(own), Shape::Primitive(other)) => {
            let pose = relative(a, b);
            let found = between_balls(own, other, &pose).or_else(|| between_primitives(&**own, &**other, &pose));
            add(a, found.into_iter().collect(), false);
        }
        // Pairs of polyhedra are not for here; general solids are refused where shapes are prepared.
        _ => {}
    }
}

fn core<'s>(placed: &Placed<'s>) -> Option<PlacedCore<'s>> {
    Some(PlacedCore { rounded: placed.shape.core()?, pose: placed.pose })
}

/// Appends the contacts of two shapes of which one is a primitive with straight lines or flat faces.
fn between_cores(a: &Placed<'_>, b: &Placed<'_>, limits: &CoreLimits, angles: &Angles, contacts: &mut Vec<Contact>) {
    let is_half_space = |placed: &Placed<'_>| matches!(placed.shape, Shape::Primitive(p) if p.core().is_none());
    match (core(a), core(b)) {
        (Some(own), Some(other)) => convex_core::contacts(&own, &other, limits, contacts),
        (None, Some(other)) if is_half_space(a) => convex_core::half_space_contacts(&a.pose, &other, limits, contacts),
        (Some(own), None) if is_half_space(b) => {
            let first = contacts.len();
            convex_core::half_space_contacts(&b.pose, &own, limits, contacts);
            contacts[first..].iter_mut().for_each(Contact::exchange);
        }
        _ => match (a.shape, b.shape) {
            (Shape::Polyhedron(polyhedron), Shape::Primitive(primitive)) => {
                let pose = a.pose.inverse() * b.pose;
                let pair =
                    Pair { polyhedron, primitive: &**primitive, pose, envelope: limits.envelope, same: limits.same };
                contacts
                    .extend(pair.contacts_with_lines(limits, angles).into_iter().map(|found| found.placed(&a.pose)));
            }
            (Shape::Primitive(_), Shape::Polyhedron(_)) => {
                let first = contacts.len();
                between_cores(b, a, limits, angles, contacts);
                contacts[first..].iter_mut().for_each(Contact::exchange);
            }
            _ => {}
        },
    }
}

/// A polyhedron and a primitive.
struct Pair<'s> {
    polyhedron: &'s Polyhedron,
    primitive: &'s dyn Primitive,
    /// Frame of the primitive → frame of the polyhedron.
    pose: Pose,
    /// The largest gap, m.
    envelope: f64,
    /// Points this close are one, m.
    same: f64,
}

impl Pair<'_> {
    /// The point of the primitive that is closest to a point, in the polyhedron's frame.
    fn closest(&self, point: DVec3) -> SurfacePoint {
        let found = self.primitive.closest(self.pose.inverse_transform_point(point));
        SurfacePoint {
            position: self.pose.transform_point(found.position),
            normal: self.pose.rotation * found.normal,
            distance: found.distance,
        }
    }

    /// The point of the primitive that is farthest in a direction, in the polyhedron's frame.
    fn support(&self, direction: DVec3) -> Option<DVec3> {
        let turned = self.pose.rotation.inverse() * direction;
        let of_core = |core: RoundedCore<'_>| core.core.support(turned) + turned * core.radius;
        let found = self.primitive.support(turned).or_else(|| self.primitive.core().map(of_core))?;
        Some(self.pose.transform_point(found))
    }

    fn contacts(&self, form: Form, settings: &SemiLocal) -> Vec<Found> {
        if let Form::Ball { radius } = form {
            return self.contacts_with_ball(radius, settings.angles.cone);
        }
        let mut found = Vec::new();
        let is_curved = self.primitive.support(DVec3::Y).is_some();
        if is_curved {
            self.add_facets(&mut found);
            self.add_edges(settings.angles.cone, &mut found);
            self.add_vertices(settings.angles.cone, &mut found);
            if found.is_empty() {
                found.extend(self.shortest_way_out());
            }
        } else {
            self.add_vertices(settings.angles.parallel, &mut found);
        }
        found
    }

    /// Adds a contact at a point of the polyhedron unless there is one with the same normal there already.
    fn add(&self, own: DVec3, on: SurfacePoint, id: FeatureId, found: &mut Vec<Found>) {
        let normal = -on.normal;
        let is_there = |f: &Found| f.own.distance(own) <= self.same && f.normal.distance(normal) <= SQRT_2;
        if !found.iter().any(is_there) {
            let features = [feature(id), SURFACE];
            found.push(Found { own, other: on.position, normal, gap: on.distance, features });
        }
    }

    fn add_facets(&self, found: &mut Vec<Found>) {
        for (f, facet) in (0..).zip(self.polyhedron.features().facets()) {
            let Some(point) = self.support(-facet.normal) else { continue };
            let gap = facet.height(point);
            if gap > self.envelope || !facet.contains(facet.place(point), 0.0) {
                continue;
            }
            // On the far side of a thin solid the surface of the primitive faces the same way as the facet.
            let own = point - facet.normal * gap;
            if gap >= 0.0 || self.closest(own).normal.dot(facet.normal) < 0.0 {
                let on = SurfacePoint { position: point, normal: -facet.normal, distance: gap };
                self.add(own, on, FeatureId::Facet(f), found);
            }
        }
    }

    fn add_edges(&self, tolerance: f64, found: &mut Vec<Found>) {
        for e in 0..self.polyhedron.features().edges().len() as u32 {
            if let Some((own, on)) = self.closest_of_edge(e, tolerance) {
                self.add(own, on, FeatureId::Edge(e), found);
            }
        }
    }

    /// The point inside a convex edge that is closest to the primitive, and the point of the primitive, if they may be in contact.
    fn closest_of_edge(&self, e: u32, tolerance: f64) -> Option<(DVec3, SurfacePoint)> {
        let features = self.polyhedron.features();
        let edge = &features.edges()[e as usize];
        if !edge.is_convex {
            return None;
        }
        let [start, end] = edge.vertices.map(|v| features.vertices()[v as usize].position);
        let length = start.distance(end);
        // How fast the distance grows along the edge; where the edge and the primitive are.
        let at = |way: f64| {
            let own = start + edge.direction * way;
            let on = self.closest(own);
            (on.normal.dot(edge.direction), own, on)
        };
        let (mut low, mut high) = (0.0, length);
        let ((mut falls, _, at_low), (mut grows, _, at_high)) = (at(low), at(high));
        if falls >= 0.0 || grows <= 0.0 {
            return None;
        }
        let (mut of_low, mut of_high) = (at_low.distance, at_high.distance);
        // The Illinois method: an end that stays twice in a row pulls half as much.
        let mut pull = [falls, grows];
        let mut last = None;
        let mut found = None;
        for _ in 0..SLOPES {
            // The distance is convex: it is nowhere below the tangents at both ends.
            let crossing = (of_high - of_low + falls * low - grows * high) / (falls - grows);
            if of_low + falls * (crossing - low) > self.envelope {
                return None;
            }
            let way = low - pull[0] * (high - low) / (pull[1] - pull[0]);
            if !(low < way && way < high) {
                break;
            }
            let (slope, own, on) = at(way);
            found = Some((own, on));
            if slope.abs() <= LEVEL {
                break;
            }
            let is_low = slope < 0.0;
            let stays = usize::from(is_low);
            pull[1 - stays] = slope;
            if last.replace(is_low) == Some(is_low) {
                pull[stays] *= 0.5;
            }
            if is_low {
                (low, falls, of_low) = (way, slope, on.distance);
            } else {
                (high, grows, of_high) = (way, slope, on.distance);
            }
        }
        let (own, on) = found?;
        let is_supported = || features.supports(FeatureId::Edge(e), -on.normal, tolerance);
        (on.distance <= self.envelope && is_supported()).then_some((own, on))
    }

    fn add_vertices(&self, tolerance: f64, found: &mut Vec<Found>) {
        for (v, vertex) in (0..).zip(self.polyhedron.features().vertices()) {
            let on = self.closest(vertex.position);
            if on.distance <= self.envelope && vertex.supports(-on.normal, tolerance) {
                self.add(vertex.position, on, FeatureId::Vertex(v), found);
            }
        }
    }

    /// The facet through which a primitive whose centre is inside the polyhedron leaves it soonest.
    fn shortest_way_out(&self) -> Option<Found> {
        let centre = self.pose.translation;
        if self.polyhedron.surface().winding_number(centre) == 0 {
            return None;
        }
        let facets = (0..).zip(self.polyhedron.features().facets());
        let faces_centre = facets.clone().filter(|(_, facet)| facet.contains(facet.place(centre), self.same));
        let way = |(f, facet): (u32, &crate::shape::features::Facet)| {
            let point = self.support(-facet.normal)?;
            Some((facet.height(point), f, point, facet.normal))
        };
        let shortest =
            |p: &(f64, u32, DVec3, DVec3), q: &(f64, u32, DVec3, DVec3)| p.0.total_cmp(&q.0).then(q.1.cmp(&p.1));
        let (gap, f, point, normal) =
            faces_centre.filter_map(way).max_by(shortest).or_else(|| facets.filter_map(way).max_by(shortest))?;
        let features = [feature(FeatureId::Facet(f)), SURFACE];
        Some(Found { own: point - normal * gap, other: point, normal, gap, features })
    }
}

/// The contact of two balls, `None` of other primitives; `pose` takes the frame of the second to that of the first.
fn between_balls(own: &PrimitiveShape, other: &PrimitiveShape, pose: &Pose) -> Option<Found> {
    let (Form::Ball { radius }, Form::Ball { radius: other_radius }) = (own.form(), other.form()) else { return None };
    let way = pose.translation;
    let normal = way.try_normalize().unwrap_or(DVec3::X);
    let gap = way.length() - radius - other_radius;
    let features = [SURFACE, SURFACE];
    Some(Found { own: normal * radius, other: way - normal * other_radius, normal, gap, features })
}

/// The contact of two primitives; `pose` takes the frame of the second to that of the first. `None` of two flat ones.
fn between_primitives(own: &dyn Primitive, other: &dyn Primitive, pose: &Pose) -> Option<Found> {
    let features = [SURFACE, SURFACE];
    let support = |direction: DVec3| -> Option<DVec3> {
        Some(pose.transform_point(other.support(pose.rotation.inverse() * direction)?))
    };
    match (own.support(DVec3::Y), support(DVec3::Y)) {
        (None, None) => None,
        (None, Some(_)) => {
            let normal = own.closest(pose.translation).normal;
            let point = support(-normal)?;
            let on = own.closest(point);
            Some(Found { own: on.position, other: point, normal, gap: on.distance, features })
        }
        (Some(_), None) => {
            let found = between_primitives(other, own, &pose.inverse())?;
            let [first, second] = [found.other, found.own].map(|p| pose.transform_point(p));
            Some(Found { own: first, other: second, normal: -(pose.rotation * found.normal), ..found })
        }
        (Some(_), Some(_)) => {
            let across = |n: DVec3| Some([own.support(n)?, support(-n)?]);
            let centres = pose.translation.try_normalize();
            let mut best: Option<Found> = None;
            let axes = [DVec3::X, DVec3::Y, DVec3::Z];
            let starts = centres
                .into_iter()
                .chain(axes.into_iter().flat_map(|x| [x, -x, pose.rotation * x, -(pose.rotation * x)]));
            for start in starts {
                let normal = farthest_apart(start, &across)?;
                let [first, second] = across(normal)?;
                let gap = normal.dot(second - first);
                if best.as_ref().is_none_or(|found| gap > found.gap) {
                    best = Some(Found { own: first, other: second, normal, gap, features });
                }
                // Solids that are apart have one such normal, and it was found.
                if gap > 0.0 {
                    break;
                }
            }
            best
        }
    }
}

/// The unit normal along which the farthest points of two strictly convex solids, towards each other, are farthest apart,
/// by Newton's method on the sphere from a start. `across` gives the two points.
fn farthest_apart(start: DVec3, across: &impl Fn(DVec3) -> Option<[DVec3; 2]>) -> Option<DVec3> {
    let gap_and_offset = |n: DVec3| -> Option<(f64, DVec3)> {
        let [p, q] = across(n)?;
        let way = q - p;
        let gap = n.dot(way);
        Some((gap, way - n * gap))
    };
    let mut normal = start;
    let (mut gap, mut offset) = gap_and_offset(normal)?;
    let [p, q] = across(normal)?;
    let size = p.length() + q.length();
    for _ in 0..STEPS {
        if offset.length() <= ALONG * size {
            break;
        }
        let (s, t) = normal.any_orthonormal_pair();
        let turned = |axis: DVec3| -> Option<DVec3> {
            let (_, there) = gap_and_offset((normal + axis * TURN).normalize())?;
            Some((there - offset) / TURN)
        };
        let (along_s, along_t) = (turned(s)?, turned(t)?);
        let [a, b, c, d] = [along_s.dot(s), along_t.dot(s), along_s.dot(t), along_t.dot(t)];
        let determinant = a * d - b * c;
        let (x, y) = (offset.dot(s), offset.dot(t));
        // Uphill where the second derivatives are those of a maximum, else along the gradient.
        let is_maximum = a < 0.0 && determinant > 0.0;
        let mut step = if is_maximum {
            s * ((b * y - d * x) / determinant) + t * ((c * x - a * y) / determinant)
        } else {
            offset / size
        };
        let mut has_moved = false;
        for _ in 0..STEPS {
            let next = (normal + step).normalize();
            let (there, rest) = gap_and_offset(next)?;
            // Near the maximum the gap changes by less than rounding, and the offset tells which normal is better.
            let is_level = (there - gap).abs() <= ALONG * size;
            if (is_level && rest.length() < offset.length()) || (!is_level && there > gap) {
                (normal, gap, offset, has_moved) = (next, there, rest, true);
                break;
            }
            step *= 0.5;
        }
        if !has_moved {
            break;
        }
    }
    Some(normal)
}

#[cfg(test)]
mod tests;
