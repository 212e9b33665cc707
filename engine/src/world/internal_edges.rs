//! Seams between bodies: where faces of neighbouring bodies continue each other, the sides that meet in the seam are no
//! obstacle to a third body that moves over them.
//!
//! A generator sees one pair at a time. To it a box that slides towards the next tile of a floor comes near to the side
//! of that tile, and that the tile's top is the plane to keep can be seen only from the tile beside it. So a contact is
//! dropped where a contact of the same body with another neighbour holds it above a plane that keeps the features of
//! the first apart as well: the neighbour's below it, the body's own above it. This is the rule by which the semi-local
//! generator chooses between planes of one pair, across pairs; contacts without facet features are left alone.

use crate::interruption::{Interrupted, Interruption};
use drystone_contact::contact::Feature;
use drystone_contact::generator::Placed;
use drystone_contact::shape::FeatureId;
use drystone_contact::{Contact, shape::Features};
use glam::DVec3;
use std::ops::Range;

/// What neighbours may stand out of the common plane and still continue it, as a share of the distance from the contact
/// that holds the plane: 1 mm on a metre.
const SLOPE: f64 = 1e-3;

/// And as a share of the thickness of the thinner body.
const STEP: f64 = 1e-3;

/// No body.
const NONE: u32 = u32::MAX;

/// Directions that differ by less are one, rad.
const PARALLEL: f64 = 2e-2;

/// A plane that contacts of a pair hold.
#[derive(Clone, Debug)]
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
///
/// # Errors
/// [`Interrupted`]; nothing is dropped then.
pub(super) fn drop_internal_edge_contacts<'s>(
    interruption: &Interruption,
    pairs: &[(usize, usize)],
    lists: &mut [Vec<Contact>],
    placed: impl Fn(usize) -> Placed<'s>,
    margin: impl Fn(usize, usize) -> f64,
) -> Result<usize, Interrupted> {
    let dropped = internal_edge_contacts(interruption, pairs, lists, placed, margin)?;
    for &(k, i) in dropped.iter().rev() {
        lists[k].remove(i);
    }
    Ok(dropped.len())
}

/// The contacts that seams make: the pair, and the place in its list; in ascending order.
pub(super) fn internal_edge_contacts<'s, L: AsRef<[Contact]>>(
    interruption: &Interruption,
    pairs: &[(usize, usize)],
    lists: &[L],
    placed: impl Fn(usize) -> Placed<'s>,
    margin: impl Fn(usize, usize) -> f64,
) -> Result<Vec<(usize, usize)>, Interrupted> {
    let mut internal_edges = InternalEdges::default();
    internal_edges.find(interruption, pairs, |k| lists[k].as_ref(), placed, margin)?;
    Ok(internal_edges.dropped)
}

/// Finds the contacts that seams make, with memory that is kept.
#[derive(Debug, Default)]
pub(super) struct InternalEdges {
    /// The normal of the first contact of each body; zero without one.
    first_normals: Vec<DVec3>,
    planes: Vec<Plane>,
    /// Where the planes of each pair begin; one more at the end.
    starts: Vec<u32>,
    of_body: PlanesOfBodies,
    /// For each contact that a plane holds: that plane, the contact's own plane, and the contact.
    held: Vec<(u32, u32, (usize, usize))>,
    /// The planes of `held`, ascending.
    holds: Vec<(u32, u32)>,
    /// What was found.
    dropped: Vec<(usize, usize)>,
}

impl InternalEdges {
    /// The contacts that seams make: the pair, and the place in its list; in ascending order.
    ///
    /// # Errors
    /// [`Interrupted`] between two pairs.
    pub fn find<'s, 'l, L: IntoIterator<Item = &'l Contact>>(
        &mut self,
        interruption: &Interruption,
        pairs: &[(usize, usize)],
        list: impl Fn(usize) -> L,
        placed: impl Fn(usize) -> Placed<'s>,
        margin: impl Fn(usize, usize) -> f64,
    ) -> Result<&[(usize, usize)], Interrupted> {
        let Self { first_normals, planes, starts, of_body, held, holds, dropped } = self;
        held.clear();
        holds.clear();
        dropped.clear();
        if !is_any_body_between_angled_planes(pairs, &list, first_normals) {
            return Ok(dropped);
        }
        find_planes(pairs, &list, planes, starts);
        of_body.set(planes);
        if of_body.entries.is_empty() {
            return Ok(dropped);
        }
        for (k, &(a, b)) in pairs.iter().enumerate() {
            let known = [a, b].map(|body| of_body.of(body));
            if known.iter().all(|(entries, _)| entries.is_empty()) {
                continue;
            }
            interruption.check()?;
            let (first, end) = (starts[k] as usize, starts[k + 1] as usize);
            for (i, contact) in list(k).into_iter().enumerate() {
                let is_own = |plane: &Plane| plane.normal.dot(contact.normal) > 0.0 && !plane.differs(contact.normal);
                let Some(own_plane) = planes[first..end].iter().position(is_own).map(|p| first + p) else { continue };
                let near = margin(a, b) + contact.gap.abs();
                let ends = [(a, b, contact.feature_a, contact.feature_b), (b, a, contact.feature_b, contact.feature_a)];
                for ((body, other, own, others), &(entries, width)) in ends.into_iter().zip(&known) {
                    // Those whose contacts may come as near along x.
                    let x = contact.position.x;
                    let start = entries.partition_point(|entry| entry.1 < x - near - width);
                    for &(.., p) in entries[start..].iter().take_while(|entry| entry.1 <= x + near) {
                        let plane = &planes[p as usize];
                        let side = if plane.bodies[0] == body { 1.0 } else { -1.0 };
                        if plane.pair != k
                            && plane.is_near(contact, near)
                            && holds_apart(plane, side, &placed(body), own, &placed(other), others)
                        {
                            held.push((p, own_plane as u32, (k, i)));
                        }
                    }
                }
            }
        }
        // Of two planes that hold each other's contacts, as on a ridge along the seam, both stay.
        holds.extend(held.iter().map(|&(by, own, _)| (by, own)));
        holds.sort_unstable();
        let stays = |by: u32, own: u32| holds.binary_search(&(own, by)).is_ok();
        dropped.extend(held.iter().filter(|&&(by, own, _)| !stays(by, own)).map(|&(.., contact)| contact));
        dropped.sort_unstable();
        dropped.dedup();
        Ok(dropped)
    }
}

/// Planes by the bodies that they lie between, each in the order of where its contacts begin along x. Bodies all of whose planes are
/// parallel, which hold nothing of each other, are left out.
#[derive(Debug, Default)]
struct PlanesOfBodies {
    /// The place of each body among those that have planes.
    places: Vec<u32>,
    bodies: Vec<BodyPlanes>,
    /// Body, begin, plane; those of a body one after the other.
    entries: Vec<(usize, f64, u32)>,
}

/// What is known of the planes of a body.
#[derive(Clone, Debug)]
struct BodyPlanes {
    /// The normal of the first one.
    first: DVec3,
    has_angle: bool,
    /// How far the contacts of a plane reach along x at most, m.
    width: f64,
    range: Range<usize>,
}

impl PlanesOfBodies {
    fn set(&mut self, planes: &[Plane]) {
        let Self { places, bodies, entries } = self;
        places.clear();
        bodies.clear();
        entries.clear();
        let count = planes.iter().flat_map(|plane| plane.bodies).max().map_or(0, |body| body + 1);
        places.resize(count, NONE);
        for plane in planes {
            for body in plane.bodies {
                if places[body] == NONE {
                    places[body] = bodies.len() as u32;
                    bodies.push(BodyPlanes { first: plane.normal, has_angle: false, width: 0.0, range: 0..0 });
                }
                let of = &mut bodies[places[body] as usize];
                of.has_angle |= may_differ(plane.normal, of.first);
                of.width = of.width.max(plane.high.x - plane.low.x);
            }
        }
        for (k, plane) in (0..).zip(planes) {
            let with_angle = plane.bodies.into_iter().filter(|&body| bodies[places[body] as usize].has_angle);
            entries.extend(with_angle.map(|body| (body, plane.low.x, k)));
        }
        entries.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        let mut begin = 0;
        for own in entries.chunk_by(|a, b| a.0 == b.0) {
            bodies[places[own[0].0] as usize].range = begin..begin + own.len();
            begin += own.len();
        }
    }

    /// Its entries and the width of its planes, of a body that is not left out.
    fn of(&self, body: usize) -> (&[(usize, f64, u32)], f64) {
        let place = self.places.get(body).copied().unwrap_or(NONE);
        self.bodies.get(place as usize).map_or((&[], 0.0), |of| (&self.entries[of.range.clone()], of.width))
    }
}

/// Whether the contacts of any body may lie in planes that are not parallel. `first_normals` is scratch space.
fn is_any_body_between_angled_planes<'l, L: IntoIterator<Item = &'l Contact>>(
    pairs: &[(usize, usize)],
    list: impl Fn(usize) -> L,
    first_normals: &mut Vec<DVec3>,
) -> bool {
    first_normals.clear();
    first_normals.resize(pairs.iter().map(|&(a, b)| a.max(b) + 1).max().unwrap_or(0), DVec3::ZERO);
    for (k, &(a, b)) in pairs.iter().enumerate() {
        let mut last = DVec3::ZERO;
        for normal in list(k).into_iter().map(|contact| contact.normal) {
            // Contacts of a plane have the same.
            if normal == last {
                continue;
            }
            last = normal;
            for body in [a, b] {
                let first = &mut first_normals[body];
                if *first == DVec3::ZERO {
                    *first = normal;
                } else if may_differ(normal, *first) {
                    return true;
                }
            }
        }
    }
    false
}

/// Whether a normal is so far from the first one of its body that it may differ from another one: within half of what parallel ones may differ
/// of the first, no two differ.
fn may_differ(normal: DVec3, first: DVec3) -> bool {
    normal.cross(first).length_squared() > 0.25 * PARALLEL * PARALLEL
}

/// The planes of all contacts between features; contacts of a pair with one normal hold one plane. `starts` is where those of each pair
/// begin, with one more at the end.
fn find_planes<'l, L: IntoIterator<Item = &'l Contact>>(
    pairs: &[(usize, usize)],
    list: impl Fn(usize) -> L,
    planes: &mut Vec<Plane>,
    starts: &mut Vec<u32>,
) {
    planes.clear();
    starts.clear();
    for (pair, &(a, b)) in pairs.iter().enumerate() {
        let first = planes.len();
        starts.push(first as u32);
        for contact in list(pair).into_iter().filter(|c| is_of_shape(c.feature_a) && is_of_shape(c.feature_b)) {
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
    starts.push(planes.len() as u32);
}

impl Plane {
    fn differs(&self, normal: DVec3) -> bool {
        self.normal.cross(normal).length_squared() > PARALLEL * PARALLEL
    }

    fn is_near(&self, contact: &Contact, distance: f64) -> bool {
        let nearest = contact.position.clamp(self.low, self.high);
        self.differs(contact.normal) && nearest.distance(contact.position) <= distance
    }
}

/// Whether the plane has the body's feature on the body's side (`side` is 1 above it, −1 below) and the other's feature
/// on the other side, with what adjoins it: an edge in the plane from which a face rises is the foot of an obstacle.
fn holds_apart(plane: &Plane, side: f64, body: &Placed<'_>, own: Feature, other: &Placed<'_>, others: Feature) -> bool {
    let (Some(features), Some(other_features)) = (body.shape.features(), other.shape.features()) else { return false };
    let (Some(own), Some(others)) = (feature(own, features), feature(others, other_features)) else { return false };
    let step = STEP * features.thickness().min(other_features.thickness());
    let is_beyond = |placed: &Placed<'_>, features: &Features, feature: FeatureId, sense: f64| {
        features.points(feature).map(|p| placed.pose.transform_point(p) - plane.point).all(|offset| {
            let height = sense * plane.normal.dot(offset);
            height >= -(plane.depth + step + SLOPE * offset.length())
        })
    };
    let rises = |direction: DVec3| side * plane.normal.dot(other.pose.rotation * direction) > PARALLEL;
    is_beyond(body, features, own, side)
        && is_beyond(other, other_features, others, -side)
        && !directions(other_features, others).iter().any(|&direction| rises(direction))
}

/// Where the solid goes from a feature, body frame, unit: into the facets of an edge, along what spans it at a vertex. None of a facet, whose points say
/// it.
fn directions(features: &Features, feature: FeatureId) -> &[DVec3] {
    match feature {
        FeatureId::Facet(_) => &[],
        FeatureId::Edge(edge) => &features.edges()[edge as usize].inward,
        FeatureId::Vertex(vertex) => &features.vertices()[vertex as usize].ring,
    }
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
