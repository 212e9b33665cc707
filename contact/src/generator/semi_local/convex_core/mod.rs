//! Contacts of two convex shapes, each a core and a radius around it ([`RoundedCore`]): balls, capsules, cylinders, cones, boxes
//! with rounded edges, ellipsoids, convex polyhedra, triangles.
//!
//! 1. The direction n of least separation maximises n·(s_B(−n) − s_A(n)), where s are the points of the cores that are farthest along a
//!    direction. Where the cores are apart and one lies with its nearest point over a face of the other, it is the normal of that face ([`faces`]).
//!    Of boxes that overlap it is one of fifteen axes ([`two_boxes`]). Of other cores that are apart it is found by GJK ([`gjk`]), of cores that
//!    overlap by an expanding polytope ([`expanding_polytope`]), both only roughly.
//! 2. Across corners and edges of polytopes it follows by a formula. Else [`ascent`] makes it exact: on each pair of features the support
//!    functions have a closed form, whose maximum is a formula or the limit of Newton's method.
//! 3. What of each core faces n within an angle is laid over the other ([`manifold`]): the corners of the region in which both
//!    project are the contacts, each with its own gap, which the radii lessen. A rim stands as eight points of it and the
//!    ends of its arcs.
//!
//! However deep two shapes are in each other there is a contact, and none is deeper than the least separation.

mod ascent;
mod expanding_polytope;
mod faces;
mod gjk;
pub(super) mod manifold;
mod two_boxes;

use glam::{DMat3, DVec3};

use crate::contact::Contact;
use crate::pose::Pose;
use crate::shape::convex_core::{Outline, RoundedCore};
use faces::WidestFace;
use manifold::Manifold;

/// A rounded core at a pose.
#[derive(Clone, Copy, Debug)]
pub struct PlacedCore<'s> {
    /// The core with its radius.
    pub rounded: RoundedCore<'s>,
    /// Frame of the core → world.
    pub pose: Pose,
}

/// What counts as a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoreLimits {
    /// Up to this gap there are contacts, m.
    pub envelope: f64,
    /// Contacts of a pair that are closer to each other are one, m.
    pub same: f64,
    /// Faces and straight lines that are turned by no more than this against the contact plane lie in it, rad.
    pub parallel: f64,
}

/// How two shapes are apart, or in each other, along the direction of least separation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// From A to B, world axes, unit.
    pub normal: DVec3,
    /// The distance of two shapes that are apart; the depth of two that overlap, negative, m. Moving B by the depth along the
    /// normal parts them, and no shorter way does, as far as the expanding polytope tells near ties.
    pub gap: f64,
}

/// The direction of least separation of two rounded cores; `None` if they are certainly farther apart than `farthest` (m, may be
/// infinite).
pub fn separation(a: &PlacedCore<'_>, b: &PlacedCore<'_>, farthest: f64) -> Option<Separation> {
    let pair = Pair::new(a, b);
    let (normal, gap) = pair.least_separation(farthest)?;
    Some(Separation { normal: (a.pose.rotation * normal).normalize(), gap })
}

/// The direction from A to B, unit, world axes, of the face along which two rounded cores that are apart, but for their radii, are farthest
/// apart, or that from a box to a point, and whether that is how far they are apart at all. `None` if no face parts the cores.
pub fn separating_face(a: &PlacedCore<'_>, b: &PlacedCore<'_>) -> Option<(DVec3, bool)> {
    let pair = Pair::new(a, b);
    let (normal, is_distance) = match faces::box_and_point(&pair) {
        Some((normal, _)) => (normal, true),
        None => {
            let face = faces::widest(&pair, f64::INFINITY).filter(|face| face.gap > 0.0)?;
            (face.normal, face.is_distance)
        }
    };
    Some(((a.pose.rotation * normal).normalize(), is_distance))
}

/// A direction from A to B, unit, world axes, along which two rounded cores that are apart, but for their radii, are about as far apart as
/// along any. `None` if the cores overlap.
pub fn separating_direction(a: &PlacedCore<'_>, b: &PlacedCore<'_>) -> Option<DVec3> {
    let pair = Pair::new(a, b);
    let face = faces::widest(&pair, f64::INFINITY);
    let normal = match face.filter(|face| face.is_distance) {
        Some(face) => face.normal,
        None => match gjk::search(&pair, pair.towards(face.as_ref()), f64::INFINITY) {
            gjk::Found::Apart(nearest) => nearest.normal,
            gjk::Found::Far | gjk::Found::Overlapping => return None,
        },
    };
    Some((a.pose.rotation * normal).normalize())
}

/// No less than this are two rounded cores apart by the planes of their faces, m: negative if none parts them. Faces are looked through
/// until they are more than `enough` apart, m.
pub fn apart_by_faces(a: &PlacedCore<'_>, b: &PlacedCore<'_>, enough: f64) -> f64 {
    let (pair, radii) = (Pair::new(a, b), a.rounded.radius + b.rounded.radius);
    let gap = faces::box_and_point(&pair).map(|(_, distance)| distance);
    let gap = gap.or_else(|| faces::widest(&pair, enough + radii).map(|face| face.gap));
    gap.map_or(f64::NEG_INFINITY, |gap| gap - radii)
}

/// Appends the contacts of two rounded cores: all corners of the region in which they face each other, with normals from A to B.
/// Exchanging A and B negates normals and changes nothing else, not even the order.
pub fn contacts(a: &PlacedCore<'_>, b: &PlacedCore<'_>, limits: &CoreLimits, contacts: &mut Vec<Contact>) {
    if is_second(&a.pose, &b.pose) {
        let first = contacts.len();
        in_order(b, a, limits, contacts);
        contacts[first..].iter_mut().for_each(Contact::exchange);
    } else {
        in_order(a, b, limits, contacts);
    }
}

/// Appends the contacts of a half-space, whose border faces up its y, and a rounded core, with normals to the core.
pub fn half_space_contacts(pose: &Pose, b: &PlacedCore<'_>, limits: &CoreLimits, contacts: &mut Vec<Contact>) {
    let relative = pose.inverse() * b.pose;
    let down = relative.rotation.inverse() * DVec3::NEG_Y;
    let placed = |angle: f64| {
        let (outline, feature) = b.rounded.core.outline(down, angle);
        (outline.placed(&relative), feature)
    };
    let (outline, feature) = placed(limits.parallel);
    let plane = Outline::Plane { point: DVec3::ZERO, normal: DVec3::Y };
    let deepest = relative.transform_point(b.rounded.core.support(down));
    let radii = [0.0, b.rounded.radius];
    let mut manifold = Manifold::new(DVec3::Y, radii, limits);
    manifold.lay_over(&plane, &outline);
    manifold.include_deepest([DVec3::new(deepest.x, 0.0, deepest.z), deepest]);
    manifold.append(pose, [crate::contact::Feature::Surface(0), feature], contacts);
}

/// An order of two poses that does not depend on which comes first.
fn is_second(a: &Pose, b: &Pose) -> bool {
    let key = |pose: &Pose| pose.translation.to_array().into_iter().chain(pose.rotation.to_array());
    key(a).zip(key(b)).map(|(x, y)| x.total_cmp(&y)).find(|o| o.is_ne()).is_some_and(std::cmp::Ordering::is_gt)
}

fn in_order(a: &PlacedCore<'_>, b: &PlacedCore<'_>, limits: &CoreLimits, contacts: &mut Vec<Contact>) {
    let pair = Pair::new(a, b);
    let Some((normal, gap)) = pair.least_separation(limits.envelope) else { return };
    if gap > limits.envelope {
        return;
    }
    let outlines = |angle: f64| {
        let (of_a, feature_a) = pair.a.core.outline(normal, angle);
        let (of_b, feature_b) = pair.b.core.outline(pair.back * -normal, angle);
        ([of_a, of_b.placed(&pair.relative)], [feature_a, feature_b])
    };
    let ([of_a, of_b], features) = outlines(limits.parallel);
    let mut manifold = Manifold::new(normal, [pair.a.radius, pair.b.radius], limits);
    manifold.lay_over(&of_a, &of_b);
    if !manifold.reaches(gap) {
        manifold.include_deepest(pair.across(normal, &outlines(EXACTLY).0));
    }
    manifold.append(&a.pose, features, contacts);
}

/// What is turned by no more than this against the contact plane lies in it up to rounding, rad.
const EXACTLY: f64 = 1e-9;

/// Two rounded cores, seen in the frame of A.
struct Pair<'s> {
    a: RoundedCore<'s>,
    b: RoundedCore<'s>,
    /// Frame of B → frame of A.
    relative: Pose,
    turn: DMat3,
    /// Turns directions of A's frame into B's.
    back: DMat3,
}

impl<'s> Pair<'s> {
    fn new(a: &PlacedCore<'s>, b: &PlacedCore<'s>) -> Self {
        let relative = a.pose.inverse() * b.pose;
        let turn = DMat3::from_quat(relative.rotation);
        Self { a: a.rounded, b: b.rounded, relative, turn, back: turn.transpose() }
    }

    /// The points of the cores of A and B that are farthest towards each other along a direction.
    fn supports(&self, direction: DVec3) -> [DVec3; 2] {
        let of_b = self.turn * self.b.core.support(self.back * -direction) + self.relative.translation;
        [self.a.core.support(direction), of_b]
    }

    /// The point of the difference of the cores, {x_A − x_B}, that is farthest along a direction.
    fn difference(&self, direction: DVec3) -> DVec3 {
        let [of_a, of_b] = self.supports(direction);
        of_a - of_b
    }

    /// How far the cores are apart along a unit normal, m.
    fn core_gap(&self, normal: DVec3) -> f64 {
        -normal.dot(self.difference(normal))
    }

    /// About the direction from A to B: that of a face that parts them, or of their origins.
    fn towards(&self, face: Option<&WidestFace>) -> DVec3 {
        let of_face = face.filter(|face| face.gap > 0.0).map(|face| face.normal);
        of_face.or_else(|| self.relative.translation.try_normalize()).unwrap_or(DVec3::X)
    }

    /// The normal of least separation in the frame of A, and the gap along it with the radii taken off.
    fn least_separation(&self, farthest: f64) -> Option<(DVec3, f64)> {
        let radii = self.a.radius + self.b.radius;
        if let Some((normal, gap)) = faces::box_and_point(self) {
            return (gap <= farthest + radii).then_some((normal, gap - radii));
        }
        let face = faces::widest(self, farthest + radii);
        match &face {
            Some(face) if face.gap > farthest + radii => return None,
            Some(face) if face.is_distance => return Some((face.normal, face.gap - radii)),
            _ => {}
        }
        if face.as_ref().is_none_or(|face| face.gap <= 0.0)
            && let Some((normal, gap)) = two_boxes::least_overlap(self)
        {
            return Some((normal, gap - radii));
        }
        let rough = match gjk::search(self, self.towards(face.as_ref()), farthest + radii) {
            gjk::Found::Apart(nearest) => {
                let (normal, gap) = self
                    .across_edges(&nearest, face.as_ref())
                    .unwrap_or_else(|| ascent::ascend(self, nearest.normal, nearest.most));
                return Some((normal, gap - radii));
            }
            gjk::Found::Far => return None,
            gjk::Found::Overlapping => expanding_polytope::search(self),
        };
        let exact = rough.into_iter().map(|normal| ascent::ascend(self, normal, f64::INFINITY));
        let best = exact.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(normal, gap)| (normal, gap - radii))
    }

    /// The normal and the gap across corners and edges of two polytopes, if along no direction they are farther apart; `None` if they are as
    /// far apart along that of a face.
    fn across_edges(&self, nearest: &gjk::Nearest, face: Option<&WidestFace>) -> Option<(DVec3, f64)> {
        self.a.core.as_polytope().and(self.b.core.as_polytope())?;
        let normal = nearest.across_edges()?;
        let (gap, equal) = (self.core_gap(normal), ascent::equal(self, normal));
        (gap >= nearest.most - equal && face?.gap < gap - equal).then_some((normal, gap))
    }

    /// Points of the cores that are across from each other along the normal, given what of them faces it exactly. A lone point
    /// of one is across from a point of the other.
    fn across(&self, normal: DVec3, [of_a, of_b]: &[Outline; 2]) -> [DVec3; 2] {
        let [on_a, on_b] = self.supports(normal);
        let way = normal * normal.dot(on_b - on_a);
        match (of_a, of_b) {
            (Outline::Point(_), Outline::Point(_)) => [on_a, on_b],
            (Outline::Point(_), _) => [on_a, on_a + way],
            (_, Outline::Point(_)) => [on_b - way, on_b],
            _ => {
                let middle = on_a.midpoint(on_b);
                [middle - 0.5 * way, middle + 0.5 * way]
            }
        }
    }
}

#[cfg(test)]
mod tests;
