//! The contacts of two outlines that face each other: the corners of the region in which both project along the normal.
//!
//! They are the corners of each outline that lie within the other, and the places where the borders cross. A rim has eight
//! corners, at fixed angles in the frame of its shape. Places are compared in the plane of the outline that is asked, so that faces which
//! are a little oblique to each other need no care.

use glam::{DVec2, DVec3};
use std::borrow::Cow;

use super::CoreLimits;
use crate::contact::{Contact, Feature};
use crate::pose::Pose;
use crate::shape::convex_core::{Outline, RIM_POINTS};
use crate::shape::features;

/// Points of the cores of A and B that are across from each other.
type Across = [DVec3; 2];

/// Contacts in the making, in the frame of A.
pub struct Manifold<'l> {
    /// From A to B, unit.
    normal: DVec3,
    radii: [f64; 2],
    limits: &'l CoreLimits,
    points: Vec<Across>,
}

impl<'l> Manifold<'l> {
    pub fn new(normal: DVec3, radii: [f64; 2], limits: &'l CoreLimits) -> Self {
        Self { normal, radii, limits, points: Vec::new() }
    }

    /// Adds the corners of the region in which two outlines face each other: none if one is a point.
    pub fn lay_over(&mut self, a: &Outline, b: &Outline) {
        if let (Outline::Segment([p, q]), Outline::Segment([r, s])) = (a, b) {
            let [u, v] = [q - p, s - r].map(|way| way.reject_from_normalized(self.normal).normalize_or_zero());
            if u.cross(v).length() > libm::sin(self.limits.parallel) {
                return self.cross_sides([*p, *q], [*r, *s]);
            }
        }
        let is_line = |outline: &Outline| matches!(outline, Outline::Segment(_));
        let has_sides = |outline: &Outline| matches!(outline, Outline::Segment(_) | Outline::Polygon { .. });
        let mut do_borders_cross = true;
        for (own, other) in [(a, b), (b, a)] {
            // Only what lies along a line is within it.
            if is_line(other) && !is_line(own) {
                continue;
            }
            let mut is_inside = has_sides(own);
            for &point in corners(own).iter() {
                let place = place_of(other, self.lifted(other, point), self.limits.same);
                if place != Place::Outside {
                    self.add([self.lifted(a, point), self.lifted(b, point)]);
                }
                is_inside &= place == Place::Inside;
            }
            do_borders_cross &= !is_inside;
        }
        if do_borders_cross {
            self.cross_borders(a, b);
        }
    }

    /// Whether a contact is as deep as a gap, m.
    pub fn reaches(&self, gap: f64) -> bool {
        self.points.iter().any(|point| self.gap(point) <= gap + self.limits.same)
    }

    /// Adds the points where the least gap is, unless a contact is as deep.
    pub fn include_deepest(&mut self, deepest: Across) {
        if !self.reaches(self.gap(&deepest)) {
            self.points.push(deepest);
        }
    }

    /// Adds a point of the core of B, if it is within an outline of A, unless a contact is as deep.
    pub fn include_deepest_within(&mut self, a: &Outline, on_b: DVec3) {
        let on_a = self.lifted(a, on_b);
        if place_of(a, on_a, self.limits.same) != Place::Outside {
            self.include_deepest([on_a, on_b]);
        }
    }

    /// The points of the two surfaces across from each other whose gap is within the envelope, with their gaps, frame of A, m.
    pub fn near(&self) -> impl Iterator<Item = (Across, f64)> {
        let within = self.points.iter().filter(|point| self.gap(point) <= self.limits.envelope);
        within.map(|point| {
            let [on_a, on_b] = *point;
            ([on_a + self.normal * self.radii[0], on_b - self.normal * self.radii[1]], self.gap(point))
        })
    }

    /// Appends the contacts whose gap is within the envelope, in world coordinates; `pose` is that of A.
    pub fn append(&self, pose: &Pose, [feature_a, feature_b]: [Feature; 2], contacts: &mut Vec<Contact>) {
        let normal = (pose.rotation * self.normal).normalize();
        contacts.extend(self.near().map(|([on_a, on_b], gap)| {
            let position = pose.transform_point(on_a.midpoint(on_b));
            Contact { position, normal, gap, feature_a, feature_b }
        }));
    }

    fn gap(&self, [on_a, on_b]: &Across) -> f64 {
        self.normal.dot(*on_b - *on_a) - self.radii[0] - self.radii[1]
    }

    /// Adds a pair of points unless there is one.
    fn add(&mut self, point: Across) {
        let flat = |p: DVec3| p.reject_from_normalized(self.normal);
        let same = self.limits.same;
        if self.points.iter().all(|other| flat(other[0] - point[0]).length() > same) {
            self.points.push(point);
        }
    }

    /// The point of the plane or line of an outline that is across from a point along the normal.
    fn lifted(&self, outline: &Outline, point: DVec3) -> DVec3 {
        match outline {
            Outline::Point(own) => *own,
            Outline::Segment([p, q]) => *p + (*q - *p) * self.share([*p, *q], point),
            Outline::Polygon { corners, normal } => self.onto(corners[0], *normal, point),
            Outline::Region { loops, normal } => self.onto(loops[0][0], *normal, point),
            Outline::Disc { centre, normal, .. } => self.onto(*centre, *normal, point),
            Outline::Plane { point: origin, normal } => self.onto(*origin, *normal, point),
        }
    }

    fn onto(&self, origin: DVec3, of_plane: DVec3, point: DVec3) -> DVec3 {
        point + self.normal * ((origin - point).dot(of_plane) / self.normal.dot(of_plane))
    }

    /// How far along a segment a point is, as seen along the normal.
    fn share(&self, [p, q]: [DVec3; 2], point: DVec3) -> f64 {
        let way = (q - p).reject_from_normalized(self.normal);
        (point - p).dot(way) / way.length_squared()
    }

    fn cross_borders(&mut self, a: &Outline, b: &Outline) {
        for own in sides(a) {
            for other in sides(b) {
                self.cross_sides(own, other);
            }
        }
        match (a, b) {
            (Outline::Disc { .. }, Outline::Disc { .. }) => self.cross_rims(a, b),
            (Outline::Disc { .. }, _) => sides(b).for_each(|side| self.cross_rim(a, side, [a, b])),
            (_, Outline::Disc { .. }) => sides(a).for_each(|side| self.cross_rim(b, side, [a, b])),
            _ => {}
        }
    }

    /// Adds the place where a side of A crosses one of B.
    fn cross_sides(&mut self, [p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) {
        let (u, v) = (q - p, s - r);
        let turn = self.normal.dot(u.cross(v));
        if turn.abs() <= 1e-12 * u.length() * v.length() {
            return;
        }
        let way = r - p;
        let shares = [self.normal.dot(way.cross(v)) / turn, self.normal.dot(way.cross(u)) / turn];
        if shares.iter().all(|share| (0.0..=1.0).contains(share)) {
            self.add([p + u * shares[0], r + v * shares[1]]);
        }
    }

    /// Adds the places where a side crosses the rim of a disc.
    fn cross_rim(&mut self, disc: &Outline, side: [DVec3; 2], [a, b]: [&Outline; 2]) {
        let Outline::Disc { centre, radius, .. } = disc else { return };
        let [p, q] = side.map(|end| self.lifted(disc, end) - *centre);
        let way = q - p;
        let (square, half, rest) = (way.length_squared(), p.dot(way), p.length_squared() - radius * radius);
        let discriminant = half * half - square * rest;
        if discriminant <= 0.0 || square == 0.0 {
            return;
        }
        for root in [-discriminant.sqrt(), discriminant.sqrt()] {
            let share = (root - half) / square;
            if (0.0..=1.0).contains(&share) {
                let point = side[0].lerp(side[1], share);
                self.add([self.lifted(a, point), self.lifted(b, point)]);
            }
        }
    }

    /// Adds the places where two rims cross, which are about parallel.
    fn cross_rims(&mut self, a: &Outline, b: &Outline) {
        let (Outline::Disc { centre: p, radius: r, .. }, Outline::Disc { centre: q, radius: s, .. }) = (a, b) else {
            return;
        };
        let way = (*q - *p).reject_from_normalized(self.normal);
        let distance = way.length();
        // From the first centre to the line through both places, and from there to each of them.
        let along = 0.5 * (distance + (r - s) * (r + s) / distance);
        let square = r * r - along * along;
        if distance == 0.0 || square <= 0.0 {
            return;
        }
        let (unit, across) = (way / distance, self.normal.cross(way / distance) * square.sqrt());
        for point in [-across, across].map(|side| *p + unit * along + side) {
            self.add([self.lifted(a, point), self.lifted(b, point)]);
        }
    }
}

/// The corners of an outline, or the points that stand for a rim.
pub fn corners(outline: &Outline) -> Cow<'_, [DVec3]> {
    match outline {
        Outline::Point(_) | Outline::Plane { .. } => Cow::Borrowed(&[]),
        Outline::Segment(ends) => Cow::Borrowed(ends),
        Outline::Polygon { corners, .. } => Cow::Borrowed(corners),
        Outline::Region { loops, .. } => Cow::Owned(loops.concat()),
        Outline::Disc { centre, normal, radius, axis } => {
            let (s, t) = (*axis * *radius, normal.cross(*axis) * *radius);
            let point = |k: u32| {
                let (sine, cosine) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(RIM_POINTS));
                *centre + s * cosine + t * sine
            };
            (0..RIM_POINTS).map(point).collect()
        }
    }
}

/// The straight sides of an outline.
fn sides(outline: &Outline) -> impl Iterator<Item = [DVec3; 2]> {
    let (loops, segment): (&[Vec<DVec3>], _) = match outline {
        Outline::Point(_) | Outline::Disc { .. } | Outline::Plane { .. } => (&[], None),
        Outline::Segment(ends) => (&[], Some(*ends)),
        Outline::Polygon { corners, .. } => (std::slice::from_ref(corners), None),
        Outline::Region { loops, .. } => (loops, None),
    };
    loops.iter().flat_map(|corners| sides_of_loop(corners)).chain(segment)
}

fn sides_of_loop(corners: &[DVec3]) -> impl Iterator<Item = [DVec3; 2]> {
    corners.iter().zip(corners.iter().cycle().skip(1)).map(|(&p, &q)| [p, q])
}

/// Where a point of the line or plane of an outline is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Within a convex polygon, or on its border.
    Inside,
    /// Within any other outline, or no farther outside than a tolerance.
    Near,
    Outside,
}

/// Where a point of the line or plane of an outline is, up to a tolerance, m.
fn place_of(outline: &Outline, point: DVec3, tolerance: f64) -> Place {
    let is_near = match outline {
        Outline::Point(_) => false,
        Outline::Segment([p, q]) => {
            let (way, length) = (*q - *p, p.distance(*q));
            let along = (point - *p).dot(way) / length;
            along >= -tolerance && along <= length + tolerance
        }
        Outline::Polygon { normal, corners } => {
            let mut is_inside = true;
            let is_near = sides_of_loop(corners).all(|[p, q]| {
                let (way, area) = (q - p, normal.dot((q - p).cross(point - p)));
                is_inside &= area >= 0.0;
                area >= 0.0 || area >= -tolerance * way.length()
            });
            if is_near && is_inside {
                return Place::Inside;
            }
            is_near
        }
        Outline::Region { loops, normal } => {
            let (s, t) = normal.any_orthonormal_pair();
            let flat = |p: &DVec3| DVec2::new(s.dot(*p), t.dot(*p));
            let flat_loops: Vec<Vec<DVec2>> = loops.iter().map(|corners| corners.iter().map(flat).collect()).collect();
            features::contains(flat_loops.iter().map(Vec::as_slice), flat(&point), tolerance)
        }
        Outline::Disc { centre, radius, .. } => centre.distance(point) <= radius + tolerance,
        Outline::Plane { .. } => true,
    };
    if is_near { Place::Near } else { Place::Outside }
}
