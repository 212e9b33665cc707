//! The semi-local generator: contacts from whole facets, edges and vertices, decided region by region.
//!
//! Local methods look at one pair of triangles or tetrahedra and cannot know whether an edge is an edge of the shape,
//! whether a point belongs to the border of a face-face region, whether the surface around it is convex, and how the
//! bodies move (assessment paper, section 9). This generator looks at features ([`crate::shape::features`]):
//! 1. Near pairs of facets come out of two trees of boxes.
//! 2. Candidates: facet and facet (a polygon), facet and edge (a segment), facet and vertex, edge and crossing edge
//!    (points). The normal of a candidate must lie in the normal cone of its feature of A and, negated, in that of B.
//! 3. Dominance: what lies in the closure of a region of the same normal is no contact of its own ([`dominance`]).
//! 4. Alternatives: of planes that cover each other one is kept, by gap and motion ([`alternatives`]); planes that do
//!    not cover each other hold at once.
//! 5. A region is reported by its corners, each with its own gap.
//!
//! A facet-vertex candidate at the corner of a facet stands for vertex against vertex, a facet-edge candidate on its
//! border for parallel edges: the extreme directions of the common normal cone are normals of facets or cross products
//! of edges.
//!
//! Parts of the intersection that are deeper than features can tell get contacts of their own ([`deep`]).
//!
//! Against a ball or another primitive the same features are looked at, in closed form ([`primitives`]), against a general solid
//! the points that touch it ([`super::time_of_contact`]). Compounds are looked at part by part ([`compound`]), height fields and triangle
//! meshes triangle by triangle, with the features of the whole surface ([`open_surface`]).

mod above;
mod alternatives;
mod candidate;
mod compound;
pub mod convex_core;
mod deep;
mod dominance;
mod edge_edge;
mod facet_edge;
mod facet_facet;
mod facet_vertex;
mod neighbours;
mod open_surface;
pub mod patch;
mod polygon;
mod primitives;
mod sunk;

use std::sync::Arc;

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

use super::time_of_contact::TimeOfContact;
use super::{Generator, GeneratorError, Placed, Workspace};
use crate::contact::{Contact, Feature};
use crate::pose::{Pose, Twist};
use crate::shape::features::{FeatureId, Features, Placement};
use crate::shape::{Polyhedron, Shape};
use alternatives::{Choice, Field, Motion, choose};
pub use candidate::Angles;
use candidate::{Candidate, Candidates, Limits, View};
use dominance::undominated;
use facet_edge::Pieces;
use facet_facet::Facing;
use neighbours::Neighbours;
use patch::{Patch, trace};
use polygon::Polygons;
use sunk::{has_sunk_for_certain, is_open_or_sunk};

/// The generator's settings. Lengths are shares of the thickness ([`Features::thickness`]) of the thinner shape, so
/// that results do not depend on the unit of length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SemiLocal {
    /// Up to this gap features touch: contacts that are not closed yet, speculative contacts.
    pub envelope: f64,
    /// Down to this depth features are looked for.
    pub depth: f64,
    /// If there is nothing so far and the boxes of the shapes overlap by more, they are looked for once more down to
    /// this depth.
    pub last_depth: f64,
    /// Lengths below this are none: a polygon narrower is a segment, a segment shorter is a point.
    pub same: f64,
    /// The angles, rad.
    pub angles: Angles,
}

impl Default for SemiLocal {
    fn default() -> Self {
        let angles = Angles { parallel: 2e-2, cone: 1e-3, same: 2e-2, turn: 1e-2 };
        Self { envelope: 0.02, depth: 0.1, last_depth: 1.0, same: 1e-4, angles }
    }
}

/// Scratch space, so that nothing is allocated once it has grown.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    stack: Vec<(u32, u32)>,
    pairs: Vec<(u32, u32)>,
    candidates: Candidates,
    polygons: Polygons,
    pieces: Pieces,
    neighbours: Neighbours,
    /// The candidates that no other dominates.
    ranked: Vec<u32>,
    is_open: Vec<bool>,
    /// Deep ones that may only have passed by a facet.
    doubtful: Vec<u32>,
    choice: Choice,
    /// The candidates to report.
    keep: Vec<u32>,
    /// Whether a candidate was looked through for repetitions, and whether a corner is one.
    is_done: Vec<bool>,
    is_repeated: Vec<bool>,
    open_surface: open_surface::Buffers,
}

/// A polyhedron at a pose, with its velocity.
#[derive(Clone, Copy)]
struct Solid<'s> {
    shape: &'s Polyhedron,
    pose: Pose,
    twist: Twist,
}

impl<'s> Solid<'s> {
    fn new(placed: &Placed<'s>) -> Option<Self> {
        let Placed { shape, pose, twist } = *placed;
        Some(Self { shape: shape.as_polyhedron()?, pose, twist })
    }
}

impl SemiLocal {
    /// The polygons in which facets of A and B face each other, where a contact lies at each corner: none for regions
    /// that are segments or points, and none with primitives.
    pub fn patches(&self, a: &Placed<'_>, b: &Placed<'_>) -> Vec<Patch> {
        let (Some(a), Some(b)) = (Solid::new(a), Solid::new(b)) else { return Vec::new() };
        let mut buffers = Buffers::default();
        let view = self.find(&a, &b, &[], &mut buffers);
        let mut patches = Vec::new();
        for candidate in buffers.keep.iter().map(|&k| &buffers.candidates.list[k as usize]) {
            let (FeatureId::Facet(f), FeatureId::Facet(g)) = (candidate.a, candidate.b) else { continue };
            let (facet, other) = (&view.own.facets()[f as usize], &view.other.facets()[g as usize]);
            let Some(facing) = Facing::new(&view, facet, other) else { continue };
            let (loops, area) = trace(&view, &facing, &mut buffers.polygons);
            let placed = |c: DVec2| a.pose.transform_point(facing.across(c).middle());
            patches.push(Patch {
                facet_a: f,
                facet_b: g,
                normal: (a.pose.rotation * candidate.normal).normalize(),
                gap: candidate.gap,
                outlines: loops.into_iter().map(|outline| outline.into_iter().map(placed).collect()).collect(),
                area,
            });
        }
        patches
    }

    fn limits(&self, a: &Features, b: &Features) -> Limits {
        let thickness = a.thickness().min(b.thickness());
        Limits { envelope: self.envelope * thickness, depth: self.depth * thickness, same: self.same * thickness }
    }

    /// Fills the buffers with the candidates to keep, and returns the view of A.
    fn find<'s>(
        &self,
        a: &Solid<'s>,
        b: &Solid<'s>,
        previous: &[(Feature, Feature)],
        buffers: &mut Buffers,
    ) -> View<'s> {
        let (own, other) = (a.shape.features(), b.shape.features());
        let placement = Placement::of(&a.pose, &b.pose);
        let view = View { own, other, placement, limits: self.limits(own, other), angles: self.angles };
        // Two convex solids that two facets kept apart in the step before are kept apart by them still, as long as the
        // facets overlap and have sunk into each other by no more than the envelope.
        let exists = |&(f, g): &(u32, u32)| (f as usize) < own.facets().len() && (g as usize) < other.facets().len();
        let are_convex = own.is_convex() && other.is_convex();
        if let Some((f, g)) = held(previous).filter(exists).filter(|_| are_convex) {
            buffers.candidates.clear();
            facet_facet::add(&view, f, g, &mut buffers.polygons, &mut buffers.candidates);
            if buffers.candidates.list.first().is_some_and(|c| c.gap >= -view.limits.envelope) {
                buffers.keep.clear();
                buffers.keep.push(0);
                return view;
            }
        }
        self.collect(&view, buffers);
        self.select([a, b], &view, previous, false, buffers);
        if buffers.keep.is_empty() && own.tree().overlap(other.tree(), &placement) > view.limits.depth {
            // Deeper than bodies should ever be: one more look, and only what lies in a solid counts.
            let depth = self.last_depth * own.thickness().min(other.thickness());
            let deep = View { limits: Limits { depth, ..view.limits }, ..view };
            self.collect(&deep, buffers);
            self.select([a, b], &deep, previous, true, buffers);
            return deep;
        }
        view
    }

    /// Fills the list of candidates.
    fn collect(&self, view: &View<'_>, buffers: &mut Buffers) {
        let (own, other, exchanged) = (view.own, view.other, view.exchanged());
        let Buffers { stack, pairs, candidates, polygons, pieces, .. } = buffers;
        pairs.clear();
        candidates.clear();
        let margin = view.limits.envelope.max(view.limits.depth);
        let angle = self.angles.parallel + self.angles.cone;
        own.tree().near_pairs(other.tree(), &view.placement, (margin, angle), stack, pairs);
        pairs.sort_unstable();
        for &(f, g) in pairs.iter() {
            facet_facet::add(view, f, g, polygons, candidates);
        }
        // An edge is looked at with the lower of its facets, a vertex with the first that has it.
        for &(f, g) in pairs.iter() {
            for e in other.owned_edges(g).iter().copied() {
                facet_edge::add(view, false, f, e, pieces, candidates);
            }
            for e in own.owned_edges(f).iter().copied() {
                facet_edge::add(&exchanged, true, g, e, pieces, candidates);
            }
        }
        for &(f, g) in pairs.iter() {
            for v in other.owned_vertices(g).iter().copied() {
                facet_vertex::add(view, false, f, v, candidates);
            }
            for v in own.owned_vertices(f).iter().copied() {
                facet_vertex::add(&exchanged, true, g, v, candidates);
            }
            for e in own.owned_edges(f).iter().copied() {
                for d in other.owned_edges(g).iter().copied() {
                    edge_edge::add(view, e, d, candidates);
                }
            }
        }
    }

    /// Chooses the candidates to keep. With `is_strict` those that may only have passed by a facet are not among them.
    fn select(
        &self,
        [a, b]: [&Solid<'_>; 2],
        view: &View<'_>,
        previous: &[(Feature, Feature)],
        is_strict: bool,
        buffers: &mut Buffers,
    ) {
        let Buffers { candidates, neighbours, ranked, is_open, doubtful, choice, keep, .. } = buffers;
        let turn = a.pose.rotation.inverse();
        let velocity = |x: DVec3| {
            let world = a.pose.transform_point(x);
            let of = |p: &Solid<'_>| p.twist.linear + p.twist.angular.cross(world - p.pose.translation);
            turn * (of(b) - of(a))
        };
        let towards = view.placement.point(view.other.centre()) - view.own.centre();
        let was_kept = |c: &Candidate| previous.contains(&(feature(c.a), feature(c.b)));
        let motion = Motion { velocity: &velocity, towards, was_kept: &was_kept };
        let largest = candidates.list.iter().map(|c| c.gap.abs()).fold(0.0, f64::max);
        neighbours.find(&candidates.list, view.limits.envelope + 2.0 * largest);
        undominated(view, candidates, neighbours, towards, ranked, is_open);
        if is_strict || !(view.own.is_convex() && view.other.is_convex()) {
            let surfaces = [a.shape.surface(), b.shape.surface()];
            let test = if is_strict { has_sunk_for_certain } else { is_open_or_sunk };
            let is_sound = |c: u32| test(view, surfaces, candidates, &candidates.list[c as usize]);
            doubtful.clear();
            doubtful.extend(ranked.iter().filter(|&&c| !is_sound(c)));
            doubtful.iter().for_each(|&c| is_open[c as usize] = false);
            // At the very corner of a solid what has sunk in may be beside it; such a candidate stands where no other
            // does.
            let has_sunk = |d: u32| is_open[d as usize] && candidates.list[d as usize].gap < -view.limits.same;
            doubtful.retain(|&c| !is_strict && !neighbours.of(c).any(has_sunk));
            doubtful.iter().for_each(|&c| is_open[c as usize] = true);
            ranked.retain(|&c| is_open[c as usize]);
        }
        let field = Field { view, candidates, neighbours, motion: &motion };
        choose(&field, ranked, is_open, keep, choice);
    }

    /// Marks the corners of regions that a region of higher rank has with about the same normal.
    fn mark_repetitions(
        &self,
        candidates: &Candidates,
        neighbours: &Neighbours,
        ranked: &[u32],
        same: f64,
        (is_done, is_repeated): (&mut Vec<bool>, &mut [bool]),
    ) {
        let Candidates { list, points } = candidates;
        is_done.clear();
        is_done.resize(list.len(), false);
        for &k in ranked {
            let candidate = &list[k as usize];
            for p in candidate.points.0 as usize..candidate.points.1 as usize {
                let position = points[p].middle();
                let has_it = |other: &Candidate| {
                    other.normal.dot(candidate.normal) > 0.0
                        && other.normal.cross(candidate.normal).length_squared() <= self.angles.same.powi(2)
                        && (other.points.0 as usize..other.points.1 as usize).any(|q| {
                            !is_repeated[q] && points[q].middle().distance_squared(position) <= 4.0 * same * same
                        })
                };
                let mut others = neighbours.of(k).filter(|&other| is_done[other as usize]);
                let is_there = others.any(|other| has_it(&list[other as usize]));
                is_repeated[p] = is_there;
            }
            is_done[k as usize] = true;
        }
    }
}

/// The pair of facets that all contacts of the step before lay between, if there was one.
fn held(previous: &[(Feature, Feature)]) -> Option<(u32, u32)> {
    let (&first, rest) = previous.split_first()?;
    match first {
        (Feature::Facet(f), Feature::Facet(g)) if rest.iter().all(|pair| *pair == first) => Some((f, g)),
        _ => None,
    }
}

/// How a contact names a feature.
fn feature(id: FeatureId) -> Feature {
    match id {
        FeatureId::Facet(f) => Feature::Facet(f),
        FeatureId::Edge(e) => Feature::FacetEdge(e),
        FeatureId::Vertex(v) => Feature::FacetVertex(v),
    }
}

impl SemiLocal {
    /// Appends the contacts of two polyhedra.
    fn between_polyhedra(
        &self,
        a: &Solid<'_>,
        b: &Solid<'_>,
        previous: &[(Feature, Feature)],
        buffers: &mut Buffers,
        contacts: &mut Vec<Contact>,
    ) {
        self.find(a, b, previous, buffers);
        let same = self.limits(a.shape.features(), b.shape.features()).same;
        let Buffers { candidates, neighbours, keep, is_done, is_repeated, .. } = buffers;
        is_repeated.clear();
        is_repeated.resize(candidates.points.len(), false);
        if keep.len() > 1 {
            self.mark_repetitions(candidates, neighbours, keep, same, (is_done, is_repeated));
        }
        // By features, so that the order stays from step to step.
        keep.sort_unstable_by_key(|&k| (candidates.list[k as usize].a, candidates.list[k as usize].b, k));
        for candidate in keep.iter().map(|&k| &candidates.list[k as usize]) {
            let normal = (a.pose.rotation * candidate.normal).normalize();
            let corners = candidate.corners(&candidates.points).iter().zip(&is_repeated[candidate.points.0 as usize..]);
            contacts.extend(corners.filter(|(_, is_repeated)| !**is_repeated).map(|(corner, _)| Contact {
                position: a.pose.transform_point(corner.middle()),
                normal,
                gap: candidate.normal.dot(corner.b - corner.a),
                feature_a: feature(candidate.a),
                feature_b: feature(candidate.b),
            }));
        }
    }
}

/// Whether a shape is neither a polyhedron nor a primitive.
fn is_general(shape: &Shape) -> bool {
    matches!(shape, Shape::Solid(_))
}

impl SemiLocal {
    /// What finds contacts with general solids: where they touch now, as everywhere here.
    fn between_general(&self) -> TimeOfContact {
        TimeOfContact { duration: 0.0, envelope: self.envelope, ..TimeOfContact::default() }
    }

    fn add_deep(
        &self,
        shapes: [&Shape; 2],
        solids: [&Solid<'_>; 2],
        first: usize,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        deep::add(shapes, solids, first, contacts)
            .map_err(|source| GeneratorError::Failed { generator: self.name().into(), source: Arc::new(source) })
    }
}

impl SemiLocal {
    /// Appends the contacts of two shapes of any kind. Without features of the step before they are those on the way of a motion, which
    /// may begin deep.
    fn find_contacts(
        &self,
        [a, b]: [&Placed<'_>; 2],
        previous: Option<&[(Feature, Feature)]>,
        begins_deep: bool,
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        let is_compound = |placed: &Placed<'_>| placed.shape.as_compound().is_some();
        if is_compound(a) || is_compound(b) {
            let mut find =
                |own: &Placed<'_>, other: &Placed<'_>, of_pair: &[(Feature, Feature)], list: &mut Vec<Contact>| {
                    self.find_contacts([own, other], previous.map(|_| of_pair), begins_deep, workspace, list)
                };
            return compound::contacts(self, [a, b], previous.unwrap_or_default(), &mut find, contacts);
        }
        if a.shape.as_open_surface().is_some() || b.shape.as_open_surface().is_some() {
            return self.with_open_surface([a, b], previous.unwrap_or_default(), workspace, contacts);
        }
        if is_general(a.shape) || is_general(b.shape) {
            return self.between_general().contacts_into(a, b, &[], workspace, contacts);
        }
        let (Some(own), Some(other)) = (Solid::new(a), Solid::new(b)) else {
            primitives::contacts(self, a, b, contacts);
            return Ok(());
        };
        let first = contacts.len();
        self.between_polyhedra(&own, &other, previous.unwrap_or_default(), &mut workspace.semi_local, contacts);
        let is_all = match previous {
            Some(known) => !deep::may_be(&contacts[first..], known, own.shape.features(), other.shape.features()),
            // Features tell all there is to know where shapes come into each other; deep contacts are for what they miss.
            None => begins_deep || contacts.len() > first,
        };
        if is_all {
            return Ok(());
        }
        self.add_deep([a.shape, b.shape], [&own, &other], first, contacts)
    }

    /// Appends the contacts of two shapes of which one is a height field or a triangle mesh; two of these have none.
    fn with_open_surface(
        &self,
        [a, b]: [&Placed<'_>; 2],
        previous: &[(Feature, Feature)],
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        for shape in [a.shape, b.shape] {
            if is_general(shape) {
                return Err(GeneratorError::Unsupported {
                    generator: self.name().into(),
                    kind: shape.kind().into(),
                    needs: "polyhedra, primitives and compounds on a height field or a triangle mesh".into(),
                });
            }
        }
        open_surface::contacts(self, [a, b], previous, &mut workspace.semi_local.open_surface, contacts);
        Ok(())
    }
}

impl Generator for SemiLocal {
    fn name(&self) -> &str {
        "semi-local"
    }

    /// Every shape can be served. The features of polyhedra are found here.
    fn prepare(&self, shape: &Shape) -> Result<(), GeneratorError> {
        if is_general(shape) {
            return self.between_general().prepare(shape);
        }
        compound::prepare(shape);
        Ok(())
    }

    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        let mut contacts = Vec::new();
        self.contacts_into(a, b, &[], &mut Workspace::default(), &mut contacts)?;
        Ok(contacts)
    }

    fn contacts_into(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        previous: &[(Feature, Feature)],
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        self.find_contacts([a, b], Some(previous), false, workspace, contacts)
    }

    fn contacts_on_the_way(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        begins_deep: bool,
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        self.find_contacts([a, b], None, begins_deep, workspace, contacts)
    }

    fn margin(&self, shape: &Shape) -> f64 {
        if let Some(parts) = shape.as_compound() {
            return compound::margin(self, parts);
        }
        // Of two shapes the thinner one counts: a half-space has no thickness of its own.
        let thickness = shape.thickness();
        if thickness.is_finite() { self.envelope * thickness } else { 0.0 }
    }

    fn slop(&self) -> f64 {
        0.0
    }

    fn is_asked_at_impact(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
