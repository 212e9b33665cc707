//! Contacts of shapes that are deep in each other, where their features no longer tell what is in front of what.
//!
//! Each part of the intersection ([`crate::overlap`]) of which the other contacts say nothing gets contacts of its own.
//! Their normal is the direction of the part's area vector, ½ ∮ x × dx along the contour in which the surfaces cross (Baraff,
//! Witkin and Kass 2003): the force of a pressure in the part. Where that vanishes, as one solid goes through the other or
//! is inside it, the normal is that facet normal along which the way out is shortest. The gap is the way that B has to
//! go along the normal until the part is gone, so that what leaves at once, a corner between two flush walls, is none.

use glam::DVec3;

use super::polyhedra::Solid;
use crate::contact::{Contact, Feature};
use crate::overlap::{self, Component, OverlapError};
use crate::pose::Pose;
use crate::shape::Shape;
use crate::shape::features::{Features, Placement};

/// What is no deeper than this share of the thickness of the thinner shape is left to the features.
const LEAST: f64 = 0.02;

/// A contact is deep if it is deeper than this share of the thickness.
const DEEP: f64 = 0.05;

/// Below this share of the areas of the contour's loops an area vector gives no direction.
const DIRECTED: f64 = 0.3;

/// A contact takes care of a part if the cosine of the angle between their normals is larger than the first, and it is
/// deeper than the second as a share of the part's extent along the normal.
const COVERS: (f64, f64) = (0.2, 0.3);

/// Surfaces are off the planes of their facets by less than this share of their size.
const FLATNESS: f64 = 1e-4;

/// The way out of a part is doubled from the least depth on, then halved so often.
const HALVINGS: usize = 3;

/// Two shapes, and what they are searched for.
struct Pair<'s> {
    shapes: [&'s Shape; 2],
    features: [&'s Features; 2],
    /// Takes the frame of B to that of A.
    relative: Pose,
    /// m.
    least: f64,
}

/// Whether shapes with these contacts may have parts of their intersection of which the contacts say nothing: where there are
/// none, where one is deep, and if it was so in the step before or nothing is known of that. Features tell all there is to
/// know of shapes that came into each other since and are not deep.
pub(super) fn may_be(contacts: &[Contact], previous: &[(Feature, Feature)], a: &Features, b: &Features) -> bool {
    let depth = depth(a, b);
    contacts.is_empty()
        || contacts.iter().any(|c| c.gap < -depth)
        || previous.iter().any(|(feature, _)| matches!(feature, Feature::Overlap(_)))
}

/// From which depth on a contact is deep, m.
pub(super) fn depth(a: &Features, b: &Features) -> f64 {
    DEEP * a.thickness().min(b.thickness())
}

/// Appends contacts for the parts of the intersection that the contacts from `first` on leave without any.
///
/// # Errors
/// [`OverlapError`].
pub(super) fn add(
    shapes: [&Shape; 2],
    solids: [&Solid<'_>; 2],
    first: usize,
    contacts: &mut Vec<Contact>,
) -> Result<(), OverlapError> {
    let [a, b] = solids;
    let features = [a.shape.features(), b.shape.features()];
    let least = LEAST * features[0].thickness().min(features[1].thickness());
    let placement = Placement::of(&a.pose, &b.pose);
    let rounding = FLATNESS * (features[0].radius() + features[1].radius());
    let may_cross = || {
        features[0].is_near(features[1], &placement, rounding.max(least))
            && !features[0].are_apart(features[1], &placement, rounding)
    };
    if features[0].tree().overlap(features[1].tree(), &placement) < least
        || !(may_cross() || may_be_inside(shapes, &placement))
    {
        return Ok(());
    }
    let pair = Pair { shapes, features, relative: a.pose.inverse() * b.pose, least };
    let known = contacts.len();
    for (index, part) in overlap::components(shapes[0], shapes[1], &pair.relative)?.iter().enumerate() {
        let Some((normal, depth)) = pair.way_out(part, &contacts[first..known], &a.pose)? else { continue };
        let feature = Feature::Overlap(index as u32);
        contacts.extend(corners(part, normal, depth, least).into_iter().map(|point| Contact {
            position: a.pose.transform_point(point),
            normal: (a.pose.rotation * normal).normalize(),
            gap: -depth,
            feature_a: feature,
            feature_b: feature,
        }));
    }
    Ok(())
}

/// Whether one of two shapes whose surfaces are apart may be inside the other, or a component of it.
fn may_be_inside(shapes: [&Shape; 2], placement: &Placement) -> bool {
    let [Some(a), Some(b)] = shapes.map(Shape::surface) else { return true };
    if a.component_count() > 1 || b.component_count() > 1 {
        return true;
    }
    if a.volume() > b.volume() {
        a.winding_number(placement.point(b.vertices()[0])) != 0
    } else {
        b.winding_number(placement.inverse_point(a.vertices()[0])) != 0
    }
}

impl Pair<'_> {
    /// The direction in which B leaves a part and how far it has to go, in A's frame; `None` for a part that needs no
    /// contacts of its own. `known` are contacts in world coordinates, where A is at `pose`.
    fn way_out(&self, part: &Component, known: &[Contact], pose: &Pose) -> Result<Option<(DVec3, f64)>, OverlapError> {
        let (low, high) = part.bounds();
        if part.depth < self.least {
            return Ok(None);
        }
        let is_directed = part.area_vector.length() >= DIRECTED * part.loop_area && part.loop_area > 0.0;
        let (normal, width) = if is_directed {
            let normal = part.area_vector.normalize();
            (normal, extent(&part.points, normal))
        } else {
            self.shortest_way_out()
        };
        let is_covered = known.iter().any(|c| {
            let (at, margin) = (pose.inverse_transform_point(c.position), self.least + c.gap.abs());
            at.cmpge(low - margin).all()
                && at.cmple(high + margin).all()
                && (pose.rotation.inverse() * c.normal).dot(normal) > COVERS.0
                && -c.gap > COVERS.1 * width
        });
        if width < self.least || is_covered {
            return Ok(None);
        }
        // How far until the part is gone.
        let is_there = |way: f64| -> Result<bool, OverlapError> {
            let moved = Pose { translation: self.relative.translation + normal * way, ..self.relative };
            let rest = overlap::components(self.shapes[0], self.shapes[1], &moved)?;
            Ok(rest.iter().any(|c| {
                let (other_low, other_high) = c.bounds();
                other_low.cmple(high + way).all() && other_high.cmpge(low - way).all()
            }))
        };
        if !is_there(self.least)? {
            return Ok(None);
        }
        let (mut short, mut long) = (self.least, 2.0 * self.least);
        while long < 4.0 * width && is_there(long)? {
            (short, long) = (long, 2.0 * long);
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (short + long);
            if is_there(middle)? {
                short = middle;
            } else {
                long = middle;
            }
        }
        Ok(Some((normal, long)))
    }

    /// The normal of a facet along which B is past all of A soonest, and the way, m.
    fn shortest_way_out(&self) -> (DVec3, f64) {
        let [a, b] = self.features;
        let points_of_b: Vec<DVec3> = b.vertices().iter().map(|v| self.relative.transform_point(v.position)).collect();
        let of_a = a.facets().iter().map(|f| f.normal);
        let of_b = b.facets().iter().map(|f| -(self.relative.rotation * f.normal));
        let way = |normal: DVec3| {
            let top = a.vertices().iter().map(|v| v.position.dot(normal)).fold(f64::NEG_INFINITY, f64::max);
            top - points_of_b.iter().map(|p| p.dot(normal)).fold(f64::INFINITY, f64::min)
        };
        let ways = of_a.chain(of_b).map(|normal| (normal, way(normal)));
        ways.min_by(|x, y| x.1.total_cmp(&y.1)).unwrap_or((DVec3::Y, 0.0))
    }
}

/// The extent of points along a direction.
fn extent(points: &[DVec3], direction: DVec3) -> f64 {
    let heights = points.iter().map(|p| p.dot(direction));
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    high - low
}

/// Up to four points of a part that lie farthest out across a normal, in its middle along the normal or moved towards it by half the depth.
fn corners(part: &Component, normal: DVec3, depth: f64, least: f64) -> Vec<DVec3> {
    let from = if part.contour.is_empty() { &part.points } else { &part.contour };
    let middle = from.iter().sum::<DVec3>() / from.len() as f64;
    let (s, t) = normal.any_orthonormal_pair();
    let mut corners: Vec<DVec3> = Vec::new();
    for direction in [s, t, -s, -t] {
        let farthest = from.iter().copied().reduce(|p, q| if q.dot(direction) > p.dot(direction) { q } else { p });
        let flat = farthest.map(|p| p - normal * (p - middle).dot(normal).clamp(-0.5 * depth, 0.5 * depth));
        corners.extend(flat.filter(|p| corners.iter().all(|c| c.distance(*p) > least)));
    }
    corners
}
