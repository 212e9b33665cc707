//! Contacts of two polyhedra: candidates of near facets, edges and vertices, of which those are kept that no other one dominates and no
//! alternative takes the place of.

use glam::{DVec2, DVec3};

use super::alternatives::{Field, Motion, choose, covers};
use super::candidate::{Candidate, Candidates, Limits, View};
use super::dominance::{is_near, undominated};
use super::facet_facet::Facing;
use super::neighbours::Neighbours;
use super::patch::{Patch, trace};
use super::sunk::{has_sunk_for_certain, is_at_solid, is_open_or_sunk};
use super::{Buffers, SemiLocal, convex_facets, edge_edge, facet_edge, facet_facet, facet_vertex, feature, two_facets};
use crate::contact::{Contact, Feature};
use crate::generator::Placed;
use crate::pose::{Pose, Twist};
use crate::shape::Polyhedron;
use crate::shape::features::{FeatureId, Features, NearFacets, Placement};

/// Near facets are kept until the shapes have moved by this share of the distance up to which facets are near.
const ROOM: f64 = 1.0;

/// A polyhedron at a pose, with its velocity.
#[derive(Clone, Copy)]
pub(super) struct Solid<'s> {
    pub shape: &'s Polyhedron,
    pub pose: Pose,
    pub twist: Twist,
}

impl<'s> Solid<'s> {
    pub fn new(placed: &Placed<'s>) -> Option<Self> {
        let Placed { shape, pose, twist } = *placed;
        Some(Self { shape: shape.as_polyhedron()?, pose, twist })
    }
}

fn are_convex(view: &View<'_>) -> bool {
    view.own.is_convex() && view.other.is_convex()
}

impl SemiLocal {
    /// The polygons in which facets of A and B face each other, where a contact lies at each corner: none for regions
    /// that are segments or points, and none with primitives.
    pub fn patches(&self, a: &Placed<'_>, b: &Placed<'_>) -> Vec<Patch> {
        let (Some(a), Some(b)) = (Solid::new(a), Solid::new(b)) else { return Vec::new() };
        let mut buffers = Buffers::default();
        let view = self.view([&a, &b]);
        let mut regions = Vec::new();
        let mut contacts = Vec::new();
        let poses = [&a.pose, &b.pose];
        if are_convex(&view)
            && let Some(pair) = two_facets::touch(&view, poses, &mut buffers, &mut contacts)
        {
            regions.push((pair, contacts.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min)));
        } else {
            self.find([&a, &b], &view, &[], None, &mut buffers);
            let kept = buffers.keep.iter().map(|&k| &buffers.candidates.list[k as usize]);
            regions.extend(kept.filter_map(|candidate| match (candidate.a, candidate.b) {
                (FeatureId::Facet(f), FeatureId::Facet(g)) => Some(([f, g], candidate.gap)),
                _ => None,
            }));
        }
        let mut patches = Vec::new();
        for ([f, g], gap) in regions {
            let (facet, other) = (&view.own.facets()[f as usize], &view.other.facets()[g as usize]);
            let Some(facing) = Facing::new(&view, facet, other) else { continue };
            let (loops, area) = trace(&view, &facing, &mut buffers.polygons);
            let placed = |c: DVec2| a.pose.transform_point(facing.across(c).middle());
            patches.push(Patch {
                facet_a: f,
                facet_b: g,
                normal: (a.pose.rotation * facing.normal).normalize(),
                gap,
                outlines: loops.into_iter().map(|outline| outline.into_iter().map(placed).collect()).collect(),
                area,
            });
        }
        patches
    }

    /// Appends the contacts of two polyhedra. `near` is what is kept of their facets.
    pub(super) fn between_polyhedra(
        &self,
        [a, b]: [&Solid<'_>; 2],
        previous: &[(Feature, Feature)],
        near: Option<&mut Option<Box<NearFacets>>>,
        buffers: &mut Buffers,
        contacts: &mut Vec<Contact>,
    ) {
        let view = self.view([a, b]);
        if are_convex(&view) && two_facets::touch(&view, [&a.pose, &b.pose], buffers, contacts).is_some() {
            return;
        }
        let limits = self.find([a, b], &view, previous, near, buffers);
        // The same to the last bit whether the facets are known from the step before or not.
        if are_convex(&view)
            && let &[one] = buffers.keep.as_slice()
            && let Candidate { a: FeatureId::Facet(f), b: FeatureId::Facet(g), .. } =
                buffers.candidates.list[one as usize]
        {
            let placed = [(view.own, &a.pose), (view.other, &b.pose)];
            let settings = (&limits, &self.angles);
            if convex_facets::add(placed, [f, g], settings, &mut buffers.polygons, contacts) {
                return;
            }
        }
        let same = limits.same;
        let Buffers { candidates, neighbours, keep, is_done, is_repeated, .. } = buffers;
        is_repeated.clear();
        is_repeated.resize(candidates.points.len(), false);
        if keep.len() > 1 {
            self.mark_repetitions(candidates, neighbours, keep, same, (is_done, is_repeated));
        }
        // By features, so that the order stays from step to step.
        keep.sort_unstable_by_key(|&k| (candidates.list[k as usize].a, candidates.list[k as usize].b, k));
        for candidate in keep.iter().map(|&k| &candidates.list[k as usize]) {
            let all = candidate.contacts(&candidates.points, &a.pose).zip(&is_repeated[candidate.points.0 as usize..]);
            contacts.extend(all.filter(|(_, is_repeated)| !**is_repeated).map(|(contact, _)| contact));
        }
    }

    pub(super) fn limits(&self, a: &Features, b: &Features) -> Limits {
        let thickness = a.thickness().min(b.thickness());
        Limits { envelope: self.envelope * thickness, depth: self.depth * thickness, same: self.same * thickness }
    }

    /// The view of A.
    fn view<'s>(&self, [a, b]: [&Solid<'s>; 2]) -> View<'s> {
        let (own, other) = (a.shape.features(), b.shape.features());
        let placement = Placement::of(&a.pose, &b.pose);
        View { own, other, placement, limits: self.limits(own, other), angles: self.angles }
    }

    /// Fills the buffers with the candidates to keep, of two solids of which A has this view, and returns the limits within which they were
    /// found.
    fn find(
        &self,
        [a, b]: [&Solid<'_>; 2],
        view: &View<'_>,
        previous: &[(Feature, Feature)],
        near: Option<&mut Option<Box<NearFacets>>>,
        buffers: &mut Buffers,
    ) -> Limits {
        self.collect(view, near, buffers);
        self.select([a, b], view, previous, false, buffers);
        let View { own, other, placement, .. } = view;
        if buffers.keep.is_empty() && own.tree().overlap(other.tree(), placement) > view.limits.depth {
            // Deeper than bodies should ever be: one more look, and only what lies in a solid counts.
            let depth = self.last_depth * own.thickness().min(other.thickness());
            let deep = View { limits: Limits { depth, ..view.limits }, ..*view };
            self.collect(&deep, None, buffers);
            self.select([a, b], &deep, previous, true, buffers);
            return deep.limits;
        }
        view.limits
    }

    /// Fills the list of candidates.
    pub(super) fn collect(&self, view: &View<'_>, near: Option<&mut Option<Box<NearFacets>>>, buffers: &mut Buffers) {
        let (own, other, exchanged) = (view.own, view.other, view.exchanged());
        let Buffers { stack, pairs, candidates, polygons, pieces, reaching, .. } = buffers;
        pairs.clear();
        candidates.clear();
        let margin = view.limits.envelope.max(view.limits.depth);
        let angle = self.angles.parallel + self.angles.cone;
        match near {
            Some(near) => near.get_or_insert_default().facing(
                [own, other],
                &view.placement,
                (margin, angle),
                ROOM * margin,
                stack,
                pairs,
            ),
            None => own.tree().near_pairs(other.tree(), &view.placement, (margin, angle), stack, pairs),
        }
        pairs.sort_unstable();
        for &(f, g) in pairs.iter() {
            facet_facet::add(view, f, g, polygons, candidates);
        }
        // An edge is looked at with the lower of its facets, a vertex with the first that has it.
        reaching.find([view, &exchanged], pairs);
        for (&(f, g), [own_edges, others]) in pairs.iter().zip(reaching.lists()) {
            for &e in others {
                facet_edge::add(view, false, f, e, pieces, candidates);
            }
            for &e in own_edges {
                facet_edge::add(&exchanged, true, g, e, pieces, candidates);
            }
        }
        for (&(f, g), [own_edges, others]) in pairs.iter().zip(reaching.lists()) {
            for v in other.owned_vertices(g).iter().copied() {
                facet_vertex::add(view, false, f, v, candidates);
            }
            for v in own.owned_vertices(f).iter().copied() {
                facet_vertex::add(&exchanged, true, g, v, candidates);
            }
            for &e in own_edges {
                for &d in others {
                    edge_edge::add(view, e, d, candidates);
                }
            }
        }
    }

    /// Chooses the candidates to keep. With `is_strict` those that may only have passed by a facet are not among them.
    pub(super) fn select(
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
        let (solids, are_convex) = ([a.shape, b.shape], view.own.is_convex() && view.other.is_convex());
        let may_stand = |c: &Candidate| are_convex || is_at_solid(view, solids, candidates, c);
        undominated(view, candidates, neighbours, towards, may_stand, (ranked, is_open));
        if is_strict || !are_convex {
            let test = if is_strict { has_sunk_for_certain } else { is_open_or_sunk };
            let is_sound = |c: u32| test(view, solids, candidates, &candidates.list[c as usize]);
            doubtful.clear();
            doubtful.extend(ranked.iter().filter(|&&c| !is_sound(c)));
            doubtful.iter().for_each(|&c| is_open[c as usize] = false);
            // At the very corner of a solid what has sunk in may be beside it; such a candidate stands where no other
            // touches or keeps its features apart.
            let explains = |d: u32, c: u32| {
                let [own, other] = [c, d].map(|c| &candidates.list[c as usize]);
                let reach = view.limits.envelope + own.gap.abs() + other.gap.abs();
                let touches = other.gap < view.limits.same && is_near(own, other, reach);
                is_open[d as usize] && (touches || covers(view, candidates, other, own))
            };
            doubtful.retain(|&c| !is_strict && !neighbours.of(c).any(|d| explains(d, c)));
            doubtful.iter().for_each(|&c| is_open[c as usize] = true);
            ranked.retain(|&c| is_open[c as usize]);
        }
        let field = Field { view, candidates, neighbours, motion: &motion };
        choose(&field, ranked, is_open, keep, choice);
    }

    /// Marks of the corners that regions have in common with regions of about the same normal all but one: that of the highest rank, unless
    /// another is deeper.
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
        let range = |c: &Candidate| c.points.0 as usize..c.points.1 as usize;
        for &k in ranked {
            let candidate = &list[k as usize];
            for other in neighbours.of(k).filter(|&other| is_done[other as usize]).map(|other| &list[other as usize]) {
                let is_same_normal = other.normal.dot(candidate.normal) > 0.0
                    && other.normal.cross(candidate.normal).length_squared() <= self.angles.same.powi(2);
                if !is_same_normal {
                    continue;
                }
                for p in range(candidate) {
                    let (position, gap) = (points[p].middle(), candidate.normal.dot(points[p].b - points[p].a));
                    for q in range(other) {
                        if is_repeated[p] || is_repeated[q] {
                            continue;
                        }
                        if points[q].middle().distance_squared(position) <= 4.0 * same * same {
                            let is_deeper = gap < other.normal.dot(points[q].b - points[q].a) - same;
                            is_repeated[if is_deeper { q } else { p }] = true;
                        }
                    }
                }
            }
            is_done[k as usize] = true;
        }
    }
}
