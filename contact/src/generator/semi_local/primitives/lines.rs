//! Contacts of a polyhedron that is not convex with a primitive that has straight lines or flat faces.
//!
//! The places are those of [`super`]; what of the primitive faces a facet, or an edge there, is laid over it
//! ([`Manifold`]), and its corners are the contacts. An edge or a vertex of a facet that has contacts of the same normal has none
//! of its own.

use glam::DVec3;

use super::{Found, Pair};
use crate::generator::semi_local::convex_core::CoreLimits;
use crate::generator::semi_local::convex_core::manifold::Manifold;
use crate::generator::semi_local::{Angles, feature};
use crate::shape::convex_core::Outline;
use crate::shape::features::{Facet, FeatureId};

impl Pair<'_> {
    /// The contacts, in the frame of the polyhedron.
    pub(super) fn contacts_with_lines(&self, limits: &CoreLimits, angles: &Angles) -> Vec<Found> {
        let features = self.polyhedron.features();
        let mut found = Vec::new();
        for (f, facet) in (0..).zip(features.facets()) {
            self.add_facet(f, facet, limits, &mut found);
        }
        let has_same_normal = |found: &[Found], ids: &[FeatureId], normal: DVec3| {
            ids.iter().any(|&id| {
                found.iter().any(|f| f.features[0] == feature(id) && f.normal.distance(normal) <= angles.same)
            })
        };
        for (e, edge) in (0..).zip(features.edges()) {
            let Some((_, on)) = self.closest_of_edge(e, angles.cone) else { continue };
            if !has_same_normal(&found, &edge.facets.map(FeatureId::Facet), -on.normal) {
                let ends = edge.vertices.map(|v| features.vertices()[v as usize].position);
                self.add_region(&Outline::Segment(ends), -on.normal, FeatureId::Edge(e), limits, &mut found);
            }
        }
        let known = found.len();
        for (v, vertex) in (0_u32..).zip(features.vertices()) {
            let on = self.closest(vertex.position);
            if on.distance > self.envelope || !vertex.supports(-on.normal, angles.cone) {
                continue;
            }
            let facets = (0..).zip(features.facets()).filter(|(_, facet)| facet.vertices.contains(&v));
            let edges = (0..).zip(features.edges()).filter(|(_, edge)| edge.vertices.contains(&v));
            let around = facets.map(|(f, _)| FeatureId::Facet(f)).chain(edges.map(|(e, _)| FeatureId::Edge(e)));
            if !has_same_normal(&found[..known], &around.collect::<Vec<_>>(), -on.normal) {
                self.add(vertex.position, on, FeatureId::Vertex(v), &mut found);
            }
        }
        if found.is_empty() {
            found.extend(self.shortest_way_out().filter(|out| out.gap <= self.envelope));
        }
        found
    }

    /// Adds the corners of the region in which the primitive faces a facet.
    fn add_facet(&self, f: u32, facet: &Facet, limits: &CoreLimits, found: &mut Vec<Found>) {
        let [lowest, highest] = [-facet.normal, facet.normal].map(|n| self.support(n).map(|point| facet.height(point)));
        let (Some(lowest), Some(highest)) = (lowest, highest) else { return };
        // On the far side of a thin solid most of the primitive is below the facet.
        if lowest > self.envelope || lowest + highest < 0.0 {
            return;
        }
        let loops = facet.loops().map(|range| facet.corners[range].to_vec()).collect();
        let region = Outline::Region { loops, normal: facet.normal };
        self.add_region(&region, facet.normal, FeatureId::Facet(f), limits, found);
    }

    /// Adds the corners of the region in which the primitive and an outline of the polyhedron face each other along a normal of it.
    fn add_region(&self, own: &Outline, normal: DVec3, id: FeatureId, limits: &CoreLimits, found: &mut Vec<Found>) {
        let Some(rounded) = self.primitive.core() else { return };
        let down = self.pose.rotation.inverse() * -normal;
        let (outline, of_primitive) = rounded.core.outline(down, limits.parallel);
        let mut manifold = Manifold::new(normal, [0.0, rounded.radius], limits);
        manifold.lay_over(own, &outline.placed(&self.pose));
        manifold.include_deepest_within(own, self.pose.transform_point(rounded.core.support(down)));
        for ([on_facet, on_primitive], gap) in manifold.near() {
            let features = [feature(id), of_primitive];
            found.push(Found { own: on_facet, other: on_primitive, normal, gap, features });
        }
    }
}
