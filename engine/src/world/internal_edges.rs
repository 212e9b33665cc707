//! Seams between bodies: where faces of neighbouring bodies continue each other, the sides that meet in the seam are no
//! obstacle to a third body that moves over them.
//!
//! A generator sees one pair at a time. To it a box that slides towards the next tile of a floor comes near to the side
//! of that tile, and that the tile's top is the plane to keep can be seen only from the tile beside it. So a contact is
//! dropped where a contact of the same body with another neighbour holds it above a plane that keeps the features of
//! the first apart as well: the neighbour's below it, the body's own above it. This is the rule by which the semi-local
//! generator chooses between planes of one pair, across pairs; contacts without facet features are left alone.

use drystone_contact::contact::Feature;
use drystone_contact::generator::Placed;
use drystone_contact::shape::FeatureId;
use drystone_contact::{Contact, shape::Features};
use glam::DVec3;
use std::collections::BTreeSet;

/// What neighbours may stand out of the common plane and still continue it, as a share of the distance from the contact
/// that holds the plane: 1 mm on a metre.
const SLOPE: f64 = 1e-3;

/// And as a share of the thickness of the thinner body.
const STEP: f64 = 1e-3;

/// Directions that differ by less are one, rad.
const PARALLEL: f64 = 2e-2;

/// A plane that contacts of a pair hold.
struct Plane {
    /// The pair.
    pair: usize,
    /// The body above the plane and the one below, by the normal of its contacts.
    bodies: [usize; 2],
    /// From the lower body to the upper.
    normal: DVec3,
    point: DVec3,
    /// How far both bodies reach beyond the plane, half of the deepest contact, m.
    depth: f64,
    /// The box of the contacts, m.
    low: DVec3,
    high: DVec3,
}

/// Drops the contacts that seams make from the lists of all pairs, and returns how many. `placed` tells where a body is
/// and `margin` up to which distance a pair has contacts, m.
pub(super) fn drop_internal_edge_contacts<'s>(
    pairs: &[(usize, usize)],
    lists: &mut [Vec<Contact>],
    placed: impl Fn(usize) -> Placed<'s>,
    margin: impl Fn(usize, usize) -> f64,
) -> usize {
    let dropped = internal_edge_contacts(pairs, lists, placed, margin);
    for &(k, i) in dropped.iter().rev() {
        lists[k].remove(i);
    }
    dropped.len()
}

/// The contacts that seams make: the pair, and the place in its list; in ascending order.
pub(super) fn internal_edge_contacts<'s, L: AsRef<[Contact]>>(
    pairs: &[(usize, usize)],
    lists: &[L],
    placed: impl Fn(usize) -> Placed<'s>,
    margin: impl Fn(usize, usize) -> f64,
) -> BTreeSet<(usize, usize)> {
    let planes = planes(pairs, lists);
    // Within half of it of the first, no two differ.
    if planes.iter().all(|plane| plane.normal.cross(planes[0].normal).length() <= 0.5 * PARALLEL) {
        return BTreeSet::new();
    }
    let of_body = PlanesOfBodies::new(&planes);
    // For each contact that a plane holds: that plane, the contact's own plane, and the contact.
    let mut held: Vec<(usize, usize, (usize, usize))> = Vec::new();
    for (k, &(a, b)) in pairs.iter().enumerate() {
        let first = planes.partition_point(|plane| plane.pair < k);
        for (i, contact) in lists[k].as_ref().iter().enumerate() {
            let mut of_pair = planes[first..].iter().take_while(|plane| plane.pair == k);
            let is_own = |plane: &Plane| plane.normal.dot(contact.normal) > 0.0 && !plane.differs(contact.normal);
            let Some(own_plane) = of_pair.position(is_own).map(|p| first + p) else { continue };
            let near = margin(a, b) + contact.gap.abs();
            let ends = [(a, b, contact.feature_a, contact.feature_b), (b, a, contact.feature_b, contact.feature_a)];
            for (body, other, own, others) in ends {
                for p in of_body.near(body, contact.position.x, near) {
                    let plane = &planes[p];
                    let side = if plane.bodies[0] == body { 1.0 } else { -1.0 };
                    if plane.pair != k
                        && plane.is_near(contact, near)
                        && holds(plane, side, &placed(body), own, &placed(other), others)
                    {
                        held.push((p, own_plane, (k, i)));
                    }
                }
            }
        }
    }
    // Of two planes that hold each other's contacts, as on a ridge along the seam, both stay.
    let holds_of: BTreeSet<(usize, usize)> = held.iter().map(|&(by, own, _)| (by, own)).collect();
    held.into_iter().filter(|&(by, own, _)| !holds_of.contains(&(own, by))).map(|(.., contact)| contact).collect()
}

/// Planes by the bodies that they lie between, each in the order of where its contacts begin along x.
struct PlanesOfBodies {
    /// Body, begin, plane.
    entries: Vec<(usize, f64, usize)>,
    /// Of each entry's body how far the contacts of a plane reach along x at most, m; infinite below zero for a body all of
    /// whose planes are parallel, which hold nothing of each other.
    widths: Vec<f64>,
}

impl PlanesOfBodies {
    fn new(planes: &[Plane]) -> Self {
        let of = |(k, plane): (usize, &Plane)| plane.bodies.map(|body| (body, plane.low.x, k));
        let mut entries: Vec<(usize, f64, usize)> = planes.iter().enumerate().flat_map(of).collect();
        entries.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        let mut widths = vec![0.0; entries.len()];
        let mut begin = 0;
        while begin < entries.len() {
            let end = begin + entries[begin..].partition_point(|entry| entry.0 == entries[begin].0);
            let width = |entry: &(usize, f64, usize)| planes[entry.2].high.x - planes[entry.2].low.x;
            let first = planes[entries[begin].2].normal;
            // Within half of it of the first, no two differ.
            let is_parallel = |entry: &(usize, f64, usize)| {
                planes[entry.2].normal.cross(first).length_squared() <= 0.25 * PARALLEL * PARALLEL
            };
            let widest = match entries[begin..end].iter().all(is_parallel) {
                true => f64::NEG_INFINITY,
                false => entries[begin..end].iter().map(width).fold(0.0, f64::max),
            };
            widths[begin..end].fill(widest);
            begin = end;
        }
        Self { entries, widths }
    }

    /// The planes of a body whose contacts may come as near to x as by this distance, m.
    fn near(&self, body: usize, x: f64, distance: f64) -> impl Iterator<Item = usize> {
        let first = self.entries.partition_point(|entry| entry.0 < body);
        let widest = self.widths.get(first).copied().unwrap_or(0.0);
        // Below zero without end: no plane begins there.
        let (low, high) = (x - distance - widest, if widest < 0.0 { f64::NEG_INFINITY } else { x + distance });
        let start = first + self.entries[first..].partition_point(|entry| entry.0 == body && entry.1 < low);
        self.entries[start..].iter().take_while(move |entry| entry.0 == body && entry.1 <= high).map(|entry| entry.2)
    }
}

/// The planes of all contacts between features; contacts of a pair with one normal hold one plane.
fn planes<L: AsRef<[Contact]>>(pairs: &[(usize, usize)], lists: &[L]) -> Vec<Plane> {
    let mut planes: Vec<Plane> = Vec::new();
    for (pair, (&(a, b), list)) in pairs.iter().zip(lists).enumerate() {
        let first = planes.len();
        for contact in list.as_ref().iter().filter(|c| is_of_shape(c.feature_a) && is_of_shape(c.feature_b)) {
            let is_same = |plane: &&mut Plane| plane.normal.dot(contact.normal) > 0.0 && !plane.differs(contact.normal);
            if let Some(plane) = planes[first..].iter_mut().find(is_same) {
                plane.depth = plane.depth.max(-0.5 * contact.gap);
                plane.low = plane.low.min(contact.position);
                plane.high = plane.high.max(contact.position);
            } else {
                let (point, normal) = (contact.position, contact.normal);
                let depth = (-0.5 * contact.gap).max(0.0);
                planes.push(Plane { pair, bodies: [b, a], normal, point, depth, low: point, high: point });
            }
        }
    }
    planes
}

impl Plane {
    fn differs(&self, normal: DVec3) -> bool {
        self.normal.cross(normal).length() > PARALLEL
    }

    fn is_near(&self, contact: &Contact, distance: f64) -> bool {
        let nearest = contact.position.clamp(self.low, self.high);
        self.differs(contact.normal) && nearest.distance(contact.position) <= distance
    }
}

/// Whether the plane has the body's feature on the body's side (`side` is 1 above it, −1 below) and the other's feature
/// on the other side.
fn holds(plane: &Plane, side: f64, body: &Placed<'_>, own: Feature, other: &Placed<'_>, others: Feature) -> bool {
    let (Some(features), Some(other_features)) = (body.shape.features(), other.shape.features()) else { return false };
    let (Some(own), Some(others)) = (feature(own, features), feature(others, other_features)) else { return false };
    let step = STEP * features.thickness().min(other_features.thickness());
    let is_beyond = |placed: &Placed<'_>, features: &Features, feature: FeatureId, sense: f64| {
        features.points(feature).map(|p| placed.pose.transform_point(p) - plane.point).all(|offset| {
            let height = sense * plane.normal.dot(offset);
            height >= -(plane.depth + step + SLOPE * offset.length())
        })
    };
    is_beyond(body, features, own, side) && is_beyond(other, other_features, others, -side)
}

/// The facet feature that a contact names, if the shape has it.
fn feature(feature: Feature, features: &Features) -> Option<FeatureId> {
    let exists = |number: u32, list: usize| (number as usize) < list;
    match feature {
        Feature::Facet(f) => exists(f, features.facets().len()).then_some(FeatureId::Facet(f)),
        Feature::FacetEdge(e) => exists(e, features.edges().len()).then_some(FeatureId::Edge(e)),
        Feature::FacetVertex(v) => exists(v, features.vertices().len()).then_some(FeatureId::Vertex(v)),
        _ => None,
    }
}

/// Whether a contact names a feature of a whole shape.
fn is_of_shape(feature: Feature) -> bool {
    matches!(feature, Feature::Facet(_) | Feature::FacetEdge(_) | Feature::FacetVertex(_))
}
