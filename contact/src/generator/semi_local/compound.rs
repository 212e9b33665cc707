//! Contacts with compounds: part by part, as contacts of the union.
//!
//! A contact of one part is one of the union if the union lies below its plane around the point: each other part that holds the point must
//! have the normal in its normal cone there. What lies in another part, on a seam between parts, or on an edge that another part continues is
//! dropped by this; corners of a region are looked at a little inside of it. Where parts report the same point it is kept once, and not at all in the middle of a straight border.

use std::cell::OnceCell;

use glam::DVec3;

use super::SemiLocal;
use crate::contact::{Contact, Feature};
use crate::generator::impact::lowest;
use crate::generator::{Generator, GeneratorError, Placed};
use crate::pose::{Pose, Twist};
use crate::shape::separating_axes::SeparatingAxes;
use crate::shape::{Compound, Polyhedron, Shape};

/// Finds the contacts of two parts, given the features of the step before as the parts number them.
pub type FindParts<'f> =
    dyn FnMut(&Placed<'_>, &Placed<'_>, &[(Feature, Feature)], &mut Vec<Contact>) -> Result<(), GeneratorError> + 'f;

/// Scratch space, so that nothing is allocated once it has grown.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    parts: [Vec<u32>; 2],
    previous: Vec<(Feature, Feature)>,
    of_pair: Vec<Contact>,
    found: Vec<OfParts>,
    kept: Vec<OfParts>,
    /// The contacts a little inside of their regions.
    within: Vec<Contact>,
}

/// A contact with the parts that it is of.
#[derive(Clone, Debug)]
struct OfParts {
    contact: Contact,
    parts: [u32; 2],
    /// How many others there were at the same point.
    repetitions: u32,
}

/// A corner of a region is looked at this far inside the region, in units of the length below which lengths are none and the deepest gap.
const WITHIN: f64 = 4.0;

impl OfParts {
    /// The contact a little towards the middle of its region, the contacts of the same features: what the union is like at a corner itself
    /// may be a matter of what is beside the region, such as the wall of a notch. `inset` says how far, m.
    fn within(&self, all: &[OfParts], inset: f64) -> Contact {
        let Self { contact, parts, .. } = self;
        let is_of_region = |other: &&OfParts| {
            (other.parts, other.contact.feature_a, other.contact.feature_b)
                == (*parts, contact.feature_a, contact.feature_b)
        };
        let region = || all.iter().filter(is_of_region).map(|other| other.contact.position);
        let way = region().sum::<DVec3>() / region().count() as f64 - contact.position;
        let share = (inset / way.length()).min(1.0);
        // Along the plane: the gap is that of the corner.
        let along = way - contact.normal * way.dot(contact.normal);
        if share.is_nan() { *contact } else { Contact { position: contact.position + along * share, ..*contact } }
    }
}

/// Appends the contacts of two shapes of which at least one is a compound.
///
/// # Errors
/// Those of `find`.
pub fn contacts(
    settings: &SemiLocal,
    [a, b]: [&Placed<'_>; 2],
    previous: &[(Feature, Feature)],
    find: &mut FindParts<'_>,
    buffers: &mut Buffers,
    contacts: &mut Vec<Contact>,
) -> Result<(), GeneratorError> {
    let margin = settings.margin(a.shape) + settings.margin(b.shape);
    let Buffers { parts: [of_a, of_b], previous: known, of_pair, found, kept, within } = buffers;
    found.clear();
    let mut overlaps = 0;
    let (shapes, axes) = ([a.shape, b.shape], OnceCell::new());
    let distance = margin + [a, b].map(rounding).iter().sum::<f64>();
    near_parts(a, b, margin, of_a);
    for &i in &*of_a {
        let own = part(a, i);
        near_parts(b, &own, margin, of_b);
        for &j in &*of_b {
            let other = part(b, j);
            known.clear();
            known.extend(
                previous.iter().filter_map(|&(f, g)| Some((feature_of_part(a, i, f)?, feature_of_part(b, j, g)?))),
            );
            // Most of those that did not touch in the step before do not touch now.
            let is_new = known.iter().all(|&(feature, _)| feature == Feature::UNKNOWN);
            if is_new
                && axes.get_or_init(|| SeparatingAxes::new(&[[a.pose, b.pose]], distance)).are_apart(shapes, [i, j])
            {
                continue;
            }
            of_pair.clear();
            find(&own, &other, known, of_pair)?;
            let first = overlaps;
            for contact in &*of_pair {
                let numbered = |placed: &Placed<'_>, part: u32, feature: Feature| match feature {
                    Feature::Overlap(k) if k != u32::MAX => Feature::Overlap(first + k),
                    other => placed.shape.as_compound().map_or(other, |compound| compound.feature(part, other)),
                };
                let feature_a = numbered(a, i, contact.feature_a);
                let feature_b = numbered(b, j, contact.feature_b);
                if let Feature::Overlap(k) = feature_a {
                    overlaps = overlaps.max(k.saturating_add(1));
                }
                let contact = Contact { feature_a, feature_b, ..*contact };
                found.push(OfParts { contact, parts: [i, j], repetitions: 0 });
            }
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    let same = settings.same * a.shape.thickness().min(b.shape.thickness());
    let tolerance = Tolerance { same, cone: settings.angles.cone };
    let deepest = found.iter().map(|of| -of.contact.gap).fold(0.0, f64::max);
    let inset = WITHIN * (same + deepest);
    within.clear();
    within.extend(found.iter().map(|of| of.within(found, inset)));
    let mut within = within.iter();
    found.retain(|OfParts { contact, parts, .. }| {
        let Some(within) = within.next() else { return false };
        // What is deep in a part has no feature of its own.
        matches!(contact.feature_a, Feature::Overlap(_))
            || (is_of_union(a, parts[0], within, -1.0, tolerance) && is_of_union(b, parts[1], within, 1.0, tolerance))
    });
    merge(found, kept, same, settings.angles.same);
    contacts.extend(kept.iter().map(|kept| kept.contact));
    Ok(())
}

/// Finds the numbers of the parts of a shape that may touch another one, ascending; one, of a shape that is no compound.
fn near_parts(own: &Placed<'_>, other: &Placed<'_>, margin: f64, numbers: &mut Vec<u32>) {
    numbers.clear();
    let Some(compound) = own.shape.as_compound() else { return numbers.push(0) };
    let (low, high) = other.shape.bounds_at(&(own.pose.inverse() * other.pose));
    let margin = margin + rounding(own);
    compound.parts_within(low - margin, high + margin, numbers);
}

/// What rounding may do to the boxes of the parts of a shape, m.
fn rounding(placed: &Placed<'_>) -> f64 {
    let radius = placed.shape.as_compound().map_or(0.0, Compound::radius);
    ROUNDING * (radius + placed.pose.translation.abs().max_element())
}

/// Boxes are grown by this share of the coordinates.
const ROUNDING: f64 = 1e-12;

/// A part where it is; the shape itself, of one that is no compound.
fn part<'s>(placed: &Placed<'s>, number: u32) -> Placed<'s> {
    let Shape::Compound(compound) = placed.shape else { return *placed };
    let part = &compound.parts()[number as usize];
    let pose = placed.pose * part.pose;
    let arm = pose.translation - placed.pose.translation;
    let Twist { linear, angular } = placed.twist;
    Placed { shape: &part.shape, pose, twist: Twist { linear: linear + angular.cross(arm), angular } }
}

fn feature_of_part(placed: &Placed<'_>, part: u32, feature: Feature) -> Option<Feature> {
    match placed.shape.as_compound() {
        Some(compound) => compound.feature_of_part(part, feature),
        None => Some(feature),
    }
}

/// Up to which length (m) and angle (its sine) a point and a normal are on a part.
#[derive(Clone, Copy)]
struct Tolerance {
    same: f64,
    cone: f64,
}

/// Whether a contact of a part is one of the whole compound. `side` is −1 for A, whose normal points away from it, and 1 for B.
fn is_of_union(placed: &Placed<'_>, number: u32, contact: &Contact, side: f64, tolerance: Tolerance) -> bool {
    let Some(compound) = placed.shape.as_compound() else { return true };
    if compound.parts().len() == 1 {
        return true;
    }
    let point = placed.pose.inverse_transform_point(contact.position + contact.normal * (0.5 * side * contact.gap));
    let outward = placed.pose.rotation.inverse() * (contact.normal * -side);
    is_supported(compound, number, point, outward, tolerance)
}

/// Whether all parts but one lie below the plane of a point and a normal, as far as they hold the point.
fn is_supported(compound: &Compound, number: u32, point: DVec3, outward: DVec3, tolerance: Tolerance) -> bool {
    compound.all_within(point - tolerance.same, point + tolerance.same, |other| {
        if other == number {
            return true;
        }
        let part = &compound.parts()[other as usize];
        let (at, n) = (part.pose.inverse_transform_point(point), part.pose.rotation.inverse() * outward);
        match &*part.shape {
            Shape::Polyhedron(polyhedron) if !polyhedron.features().is_convex() => {
                is_below(polyhedron, at, n, tolerance)
            }
            shape => {
                let is_inside = match shape {
                    Shape::Polyhedron(polyhedron) => {
                        polyhedron.features().facets().iter().all(|facet| facet.height(at) <= tolerance.same)
                    }
                    Shape::Primitive(primitive) => primitive.closest(at).distance <= tolerance.same,
                    _ => false,
                };
                // A convex part is below the plane if its farthest point is.
                !is_inside || -lowest(shape, &Pose::IDENTITY, -n) - n.dot(at) <= tolerance.same
            }
        }
    })
}

/// Whether a polyhedron that is not convex lies below the plane of a point and a normal around that point.
fn is_below(polyhedron: &Polyhedron, at: DVec3, n: DVec3, tolerance: Tolerance) -> bool {
    let (surface, features) = (polyhedron.surface(), polyhedron.features());
    let Tolerance { same, cone } = tolerance;
    let mut is_on_surface = false;
    for facet in features.facets() {
        if facet.height(at).abs() <= same && facet.contains(facet.place(at), same) {
            is_on_surface = true;
            let rises = |corner: &DVec3| n.dot(*corner - at) > same + cone * corner.distance(at);
            if facet.corners.iter().any(rises) {
                return false;
            }
        }
    }
    let probe = if is_on_surface { at + n * (2.0 * same) } else { at };
    surface.winding_number(probe) == 0
}

/// Keeps of contacts at one point with one normal the first, and none that lies in the middle of a straight border which parts share.
fn merge(found: &mut Vec<OfParts>, kept: &mut Vec<OfParts>, same: f64, angle: f64) {
    let is_one_normal = |c: &Contact, d: &Contact| {
        c.normal.dot(d.normal) > 0.0 && c.normal.cross(d.normal).length_squared() <= angle * angle
    };
    kept.clear();
    for new in found.drain(..) {
        let is_there = |old: &&mut OfParts| {
            old.parts != new.parts
                && is_one_normal(&old.contact, &new.contact)
                && old.contact.position.distance(new.contact.position) <= 2.0 * same
        };
        match kept.iter_mut().find(is_there) {
            Some(old) => old.repetitions += 1,
            None => kept.push(new),
        }
    }
    let mut k = 0;
    while k < kept.len() {
        let contact = kept[k].contact;
        let is_between = |(i, p): (usize, &OfParts)| {
            i != k
                && is_one_normal(&p.contact, &contact)
                && kept.iter().enumerate().skip(i + 1).any(|(j, q)| {
                    let [to_p, to_q] = [p, q].map(|other| other.contact.position - contact.position);
                    let distance = to_p.cross(to_q).length() / to_p.distance(to_q);
                    j != k && is_one_normal(&q.contact, &contact) && to_p.dot(to_q) < 0.0 && distance <= same
                })
        };
        if kept[k].repetitions > 0 && kept.iter().enumerate().any(is_between) {
            kept.remove(k);
        } else {
            k += 1;
        }
    }
}

/// Finds the features of a shape or of the parts of a compound.
pub fn prepare(shape: &Shape) {
    match shape {
        Shape::Compound(compound) => compound.parts().iter().for_each(|part| prepare(&part.shape)),
        shape => {
            shape.features();
        }
    }
}
