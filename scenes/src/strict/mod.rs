//! Strict scores: what the measures of the paper do not look at. Which way normals point, where points lie, what the gaps are,
//! whether the bodies touch at all, what is there twice, and which bodies that touch have no contact.
//!
//! Everything is measured at the surfaces of the bodies, at the poses where the contacts were found, and independently of
//! any generator. The definitions and their reasons are in `docs/strict-scores.md`.

mod surface_near;

use std::collections::BTreeMap;

use drystone_contact::query::closest_points;
use drystone_engine::{BodyId, ContactBetween, Pose};
use glam::DVec3;
use serde::Serialize;

use self::surface_near::{Facet, PlacedSurface};
use crate::measure::Matching;
use crate::scene::Scene;
use crate::truth::{PairTruth, Truth};

/// How strict strict is. All lengths as shares of the [thickness](drystone_contact::shape::Shape::thickness) of the thinner
/// shape of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrictSettings {
    /// A point lies on a surface that comes as near to it as this, besides the gap; bodies as near to each other touch.
    pub near: f64,
    /// Of a gap no more than this adds to that distance.
    pub depth: f64,
    /// By how much a gap may be wrong.
    pub gap: f64,
    /// Contacts as near to each other as this are one, if their normals are.
    pub same: f64,
    /// Directions that differ by less are one, rad.
    pub angle: f64,
}

impl Default for StrictSettings {
    /// Nearness, depth and sameness are those of the normal-cone filter; a gap may be wrong by a 500th of the thickness.
    fn default() -> Self {
        StrictSettings { near: 0.02, depth: 0.1, gap: 2e-3, same: 1e-3, angle: 0.02 }
    }
}

/// How many of some things are right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Those that are.
    pub right: usize,
    /// All that were looked at.
    pub of: usize,
}

impl Count {
    /// Counts.
    pub fn of(all: impl IntoIterator<Item = bool>) -> Self {
        let mut count = Count::default();
        for is_right in all {
            count.of += 1;
            count.right += usize::from(is_right);
        }
        count
    }

    /// The share, 0…1: 0 of nothing.
    pub fn share(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.right as f64 / self.of as f64 }
    }
}

/// The strict scores of a list of contacts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Strict {
    /// Contacts that point from A to B, of those that match an expected normal in either sense.
    pub orientation: Count,
    /// Contacts whose point lies on both surfaces, of all.
    pub position: Count,
    /// The largest distance of a point from one of its two surfaces, m; `None` without contacts.
    pub farthest: Option<f64>,
    /// Contacts with the right gap, of those that match an expected normal.
    pub gap: Count,
    /// The largest error of a gap, m, over the contacts with surfaces near their points; `None` without such contacts.
    pub gap_error: Option<f64>,
    /// Contacts between bodies that touch, of all.
    pub touching: Count,
    /// Contacts that are not there twice, of all.
    pub distinct: Count,
    /// Pairs with a contact, of those that should have some and touch at these poses.
    pub pairs: Count,
    /// The pairs without, by the numbers of their bodies from 0.
    pub missing: Vec<[usize; 2]>,
    /// Contacts that are right in everything, of all: quality, strictly.
    pub contacts: Count,
    /// Expected normals that such a contact has, of all: coverage, strictly.
    pub normals: Count,
}

/// What is found of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Examined {
    /// Whether it matches an expected normal of its pair, in either sense.
    pub matches: bool,
    /// Whether it points from A to B; `None` if it matches none, or no surface near it tells.
    pub points_from_a_to_b: Option<bool>,
    /// The distances of its point from the surfaces of A and B, m; `None` where a shape does not tell.
    pub distances: [Option<f64>; 2],
    /// Whether its point lies on both surfaces.
    pub is_in_place: bool,
    /// Its gap minus that of the surfaces, m; `None` if it matches no expected normal, or if no surfaces are near.
    pub gap_error: Option<f64>,
    /// Whether its gap is right.
    pub has_right_gap: bool,
    /// Whether its bodies touch.
    pub bodies_touch: bool,
    /// Whether an earlier contact of the list is the same.
    pub is_duplicate: bool,
}

impl Examined {
    /// Whether it is right in everything.
    pub fn is_right(&self) -> bool {
        self.points_from_a_to_b == Some(true)
            && self.is_in_place
            && self.has_right_gap
            && self.bodies_touch
            && !self.is_duplicate
    }
}

/// Scores contacts against the surfaces of the bodies at these poses and the truth there ([`Truth::at`]).
pub fn strict(
    scene: &Scene,
    contacts: &[ContactBetween],
    truth: &Truth,
    poses: &[Pose],
    matching: &Matching,
    settings: &StrictSettings,
) -> Strict {
    let examined = examine(scene, contacts, truth, poses, matching, settings);
    let pairs = Pairs { scene, poses, settings };
    let expected = truth.pairs.iter().filter(|pair| !pair.normals.is_empty() && pairs.touch(pair.a, pair.b));
    let has_contact = |pair: &&PairTruth| contacts.iter().any(|c| key(c.a, c.b) == key(pair.a, pair.b));
    let (with, without): (Vec<_>, Vec<_>) = expected.partition(has_contact);
    let right: Vec<&ContactBetween> =
        contacts.iter().zip(&examined).filter(|(_, e)| e.is_right()).map(|(contact, _)| contact).collect();
    let is_covered = |pair: &PairTruth, direction: DVec3| {
        right.iter().any(|c| key(c.a, c.b) == key(pair.a, pair.b) && matching.matches(c.contact.normal, direction))
    };
    let normals = truth.pairs.iter().flat_map(|pair| pair.directions().map(move |n| (pair, n)));
    let matching = || examined.iter().filter(|e| e.matches);
    Strict {
        orientation: Count::of(matching().map(|e| e.points_from_a_to_b == Some(true))),
        position: Count::of(examined.iter().map(|e| e.is_in_place)),
        farthest: examined.iter().flat_map(|e| e.distances).flatten().reduce(f64::max),
        gap: Count::of(matching().map(|e| e.has_right_gap)),
        gap_error: examined.iter().filter_map(|e| e.gap_error).map(f64::abs).reduce(f64::max),
        touching: Count::of(examined.iter().map(|e| e.bodies_touch)),
        distinct: Count::of(examined.iter().map(|e| !e.is_duplicate)),
        pairs: Count { right: with.len(), of: with.len() + without.len() },
        missing: without.iter().map(|pair| [pair.a.index(), pair.b.index()]).collect(),
        contacts: Count { right: right.len(), of: contacts.len() },
        normals: Count::of(normals.map(|(pair, direction)| is_covered(pair, direction))),
    }
}

/// What there is to say of each contact, in their order.
pub fn examine(
    scene: &Scene,
    contacts: &[ContactBetween],
    truth: &Truth,
    poses: &[Pose],
    matching: &Matching,
    settings: &StrictSettings,
) -> Vec<Examined> {
    let pairs = Pairs { scene, poses, settings };
    let mut touch: BTreeMap<[BodyId; 2], bool> = BTreeMap::new();
    let mut surfaces: BTreeMap<BodyId, PlacedSurface<'_>> = BTreeMap::new();
    for c in contacts {
        touch.entry(key(c.a, c.b)).or_insert_with(|| pairs.touch(c.a, c.b));
        for body in [c.a, c.b] {
            let place = || PlacedSurface::new(&scene.bodies[body.index()].shape, poses[body.index()]);
            surfaces.entry(body).or_insert_with(place);
        }
    }
    let duplicates = duplicates(contacts, |a, b| settings.same * pairs.thickness(a, b), settings.angle);
    let of_contact = |(c, is_duplicate): (&ContactBetween, bool)| {
        let sides = [&surfaces[&c.a], &surfaces[&c.b]];
        let thickness = pairs.thickness(c.a, c.b);
        let (near, depth) = (settings.near * thickness, settings.depth * thickness);
        let lengths = Lengths { around: near + depth, facing: libm::cos(settings.angle) };
        let point = c.contact.position;
        let distances = sides.map(|side| side.distance(point));
        let mut directions = truth.of(c.a, c.b).into_iter().flat_map(PairTruth::directions);
        let expected = directions.find(|&e| matching.matches(c.contact.normal, e));
        let local = expected.and_then(|e| Local::of(sides, point, e, &lengths, distances));
        let gap = local.as_ref().and_then(|local| local.gap);
        let gap_error = gap.map(|gap| c.contact.gap - gap);
        // Without a gap that is known, the point must lie on both surfaces.
        let most = near + gap.unwrap_or_default().abs().min(depth);
        Examined {
            matches: expected.is_some(),
            points_from_a_to_b: local.map(|local| c.contact.normal.dot(local.normal) > 0.0),
            distances,
            is_in_place: distances.iter().all(|distance| distance.is_some_and(|d| d <= most)),
            gap_error,
            has_right_gap: gap_error.is_some_and(|error| error.abs() <= settings.gap * thickness),
            bodies_touch: touch[&key(c.a, c.b)],
            is_duplicate,
        }
    };
    contacts.iter().zip(duplicates).map(of_contact).collect()
}

/// How the surfaces of A and B face each other near a point.
struct Local {
    /// The expected normal in the sense from A to B.
    normal: DVec3,
    /// From A to B along that normal, m; `None` if one of the surfaces is not near.
    gap: Option<f64>,
}

impl Local {
    /// Facets of both bodies near the point are looked at; the one that lies across the expected normal, and of several the
    /// nearest, says which way it points. The gap is that from the facet's plane to the nearest facet of the other body that
    /// faces it, or, where none does, to what of that body comes first. If no facet lies across, as where two edges cross, it is
    /// that between what of either body comes first.
    fn of(
        sides: [&PlacedSurface<'_>; 2],
        point: DVec3,
        expected: DVec3,
        settings: &Lengths,
        distances: [Option<f64>; 2],
    ) -> Option<Self> {
        /// Cosines that differ by less are the same: bodies of single precision have such facets.
        const SAME: f64 = 1e-6;
        let radii = distances.map(|distance| distance.map(|d| d + settings.around));
        let facets = [0, 1].map(|k| radii[k].map(|radius| sides[k].facets(point, radius)).unwrap_or_default());
        let across = |facet: &Facet| facet.normal.dot(expected).abs();
        let most = facets.iter().flatten().map(across).reduce(f64::max)?;
        let nearest = |one: &&Facet, other: &&Facet| one.distance.total_cmp(&other.distance);
        let best = |k: usize| facets[k].iter().filter(|f| across(f) >= most - SAME).min_by(nearest).map(|f| (k, f));
        let found = [best(0), best(1)].into_iter().flatten();
        let (k, facet) = found.min_by(|(_, one), (_, other)| nearest(one, other))?;
        let faces = |other: &&Facet| -other.normal.dot(facet.normal) >= settings.facing;
        let height = match facets[1 - k].iter().filter(faces).min_by(nearest) {
            Some(facing) => Some(facing.point.dot(facet.normal)),
            None => radii[1 - k].and_then(|radius| sides[1 - k].lowest(point, radius, facet.normal)),
        };
        let outward = if facet.normal.dot(expected) > 0.0 { expected } else { -expected };
        let normal = if k == 0 { outward } else { -outward };
        if across(facet) < settings.facing {
            let first = |side: usize, way: DVec3| radii[side].and_then(|radius| sides[side].lowest(point, radius, way));
            let gap = first(1, normal).zip(first(0, -normal)).map(|(of_b, of_a)| of_b + of_a);
            return Some(Local { normal, gap });
        }
        Some(Local { normal, gap: height.map(|height| height - facet.point.dot(facet.normal)) })
    }
}

/// What near means for a pair.
struct Lengths {
    /// Facets that are no farther than the nearest one and this are looked at, m: a point may lie on another facet of a body and as
    /// deep below the one that counts.
    around: f64,
    /// The cosine of the angle by which facets that face each other may be turned.
    facing: f64,
}

/// Pairs of bodies at their poses.
struct Pairs<'a> {
    scene: &'a Scene,
    poses: &'a [Pose],
    settings: &'a StrictSettings,
}

impl Pairs<'_> {
    /// That of the thinner one, m; 1 where both have none.
    fn thickness(&self, a: BodyId, b: BodyId) -> f64 {
        let thickness = |body: BodyId| self.scene.bodies[body.index()].shape.thickness();
        let thinner = thickness(a).min(thickness(b));
        if thinner.is_finite() { thinner } else { 1.0 }
    }

    /// Whether two bodies come near enough to each other. Of shapes whose distance is not known, that they touch.
    fn touch(&self, a: BodyId, b: BodyId) -> bool {
        let shapes = [a, b].map(|body| &*self.scene.bodies[body.index()].shape);
        let poses = [a, b].map(|body| &self.poses[body.index()]);
        let most = self.settings.near * self.thickness(a, b);
        closest_points(shapes, poses, most).map_or(true, |proximity| proximity.distance().is_some())
    }
}

/// Which contacts are the same as an earlier one that is none: as near as `same` of their bodies (m), with normals that
/// differ by less than `angle`.
fn duplicates(contacts: &[ContactBetween], same: impl Fn(BodyId, BodyId) -> f64, angle: f64) -> Vec<bool> {
    let mut kept: BTreeMap<([BodyId; 2], [i64; 3]), Vec<usize>> = BTreeMap::new();
    // The same sense for both orders of a pair.
    let normal = |c: &ContactBetween| if c.a < c.b { c.contact.normal } else { -c.contact.normal }.normalize_or_zero();
    let is_same = |c: &ContactBetween, d: &ContactBetween, most: f64| {
        c.contact.position.distance(d.contact.position) <= most && normal(c).distance(normal(d)) < angle
    };
    let mut found = Vec::with_capacity(contacts.len());
    for (k, c) in contacts.iter().enumerate() {
        let most = same(c.a, c.b);
        let pair = key(c.a, c.b);
        // Cells as large as that distance: what is near lies in this one or beside it. The cast saturates.
        let cell = (c.contact.position / most).floor().to_array().map(|x| x as i64);
        let around = (-1..=1).flat_map(|x| (-1..=1).flat_map(move |y| (-1..=1).map(move |z| [x, y, z])));
        let beside = around.map(|way: [i64; 3]| std::array::from_fn(|i| cell[i].saturating_add(way[i])));
        let is_duplicate = beside
            .filter_map(|cell| kept.get(&(pair, cell)))
            .flatten()
            .any(|&earlier| is_same(c, &contacts[earlier], most));
        if !is_duplicate {
            kept.entry((pair, cell)).or_default().push(k);
        }
        found.push(is_duplicate);
    }
    found
}

/// A pair in ascending order.
fn key(a: BodyId, b: BodyId) -> [BodyId; 2] {
    if a < b { [a, b] } else { [b, a] }
}

#[cfg(test)]
mod tests;
