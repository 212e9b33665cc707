//! Whether directions that turn with one of two shapes keep them apart at two placements of the other.

use glam::DVec3;

use super::boxes::Placement;
use super::facet::Facet;
use super::{FeatureId, Features, NearFacets, may_facets_be_near};

/// Two facets are looked at along the normals of pairs of their edges if there are no more pairs than this.
const MOST_PAIRS_OF_EDGES: usize = 64;

impl Features {
    /// Whether any two facets that are no farther apart than a distance (m) at the first of two placements of the other shape are kept
    /// apart by one direction at both: by the normal of one facet, by one of the given `normals`, which point from this shape to the other one
    /// and turn with this one, or by one at right angles to an edge of each. Along normals of this
    /// shape they have to be apart by the first of three distances at least, along those of the other one by the second, and along directions
    /// between edges, which turn with this shape, by the third, m. The first two may be negative, as facets face outwards: then they
    /// are depths. Between edges there is no outward, so that the third may not. A list of near facets saves looking for them.
    pub fn are_kept_apart(
        &self,
        other: &Features,
        placements: &[Placement; 2],
        normals: &[DVec3],
        distance: f64,
        [least, other_least, least_between_edges]: [f64; 3],
        near: Option<&NearFacets>,
    ) -> bool {
        let may_meet = |f: u32, g: u32| {
            let (facet, other_facet) = (&self.facets[f as usize], &other.facets[g as usize]);
            if !may_facets_be_near([facet, other_facet], &placements[0], distance) {
                return false;
            }
            let is_other_in_front = |p| placements.iter().all(|at| facet.height(at.point(p)) >= least);
            let is_in_front = |p| placements.iter().all(|at| other_facet.height(at.inverse_point(p)) >= other_least);
            let keeps_apart = |axis: &DVec3| is_beyond(*axis, [facet, other_facet], placements, least);
            !other.points(FeatureId::Facet(g)).all(is_other_in_front)
                && !self.points(FeatureId::Facet(f)).all(is_in_front)
                && !normals.iter().any(keeps_apart)
                && !self.are_edges_between([facet, other_facet], other, placements, least_between_edges)
        };
        match near.and_then(|near| near.within([self, other], &placements[0], distance)) {
            Some(mut pairs) => !pairs.any(|(f, g)| may_meet(f, g)),
            None => !self.tree.is_any_near(&other.tree, &placements[0], distance, may_meet),
        }
    }

    /// Whether a direction at right angles to an edge of each of two facets keeps them apart by a distance (m) at both placements: of
    /// two convex polygons that are apart and not parallel there is one, if no normal does.
    fn are_edges_between(
        &self,
        [facet, other_facet]: [&Facet; 2],
        other: &Features,
        placements: &[Placement; 2],
        least: f64,
    ) -> bool {
        if facet.edges.len() * other_facet.edges.len() > MOST_PAIRS_OF_EDGES {
            return false;
        }
        let keeps_apart = |axis: DVec3| is_beyond(axis, [facet, other_facet], placements, least);
        let towards = placements[0].point(other_facet.centre) - facet.centre;
        other_facet.edges.iter().any(|&d| {
            let direction = placements[0].direction(other.edges[d as usize].direction);
            facet.edges.iter().any(|&e| {
                let axis = self.edges[e as usize].direction.cross(direction).normalize_or_zero();
                axis != DVec3::ZERO && keeps_apart(if axis.dot(towards) < 0.0 { -axis } else { axis })
            })
        })
    }
}

/// Whether a facet is beyond another one by a distance (m) along an axis at both placements.
fn is_beyond(axis: DVec3, [facet, other]: [&Facet; 2], placements: &[Placement; 2], least: f64) -> bool {
    let highest = facet.corners.iter().fold(f64::NEG_INFINITY, |highest, p| axis.dot(*p).max(highest));
    let is_high = |p: &DVec3| placements.iter().all(|at| axis.dot(at.point(*p)) - highest >= least);
    other.corners.iter().all(is_high)
}
