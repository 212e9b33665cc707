//! Whether directions that turn with one of two shapes keep them apart at two placements of the other.

use glam::DVec3;

use super::boxes::Placement;
use super::facet::Facet;
use super::{FeatureId, Features, NearFacets, may_facets_be_near};

/// Two facets are looked at along the normals of pairs of their edges if there are no more pairs than this.
const MOST_PAIRS_OF_EDGES: usize = 64;

/// Heights that are needed at both ends of a motion, m: negative ones are depths that are allowed.
#[derive(Clone, Copy, Debug)]
pub struct Heights {
    /// Over planes that turn with A.
    pub own: f64,
    /// Over planes that turn with B.
    pub other: f64,
    /// Over planes along an edge of each, which turn with A: none of them is said to face outwards, so that no depth is allowed.
    pub edges: f64,
    /// Over planes that do not turn.
    pub still: f64,
}

/// What is known of two shapes where a motion begins.
#[derive(Clone, Copy, Debug)]
pub struct Axes<'n, const N: usize> {
    /// Directions from A to B as A's frame sees them at both ends of the motion if they do not turn meanwhile; as many as are counted.
    pub list: [[DVec3; 2]; N],
    /// How many.
    pub count: usize,
    /// Facets that are near each other, which saves looking for them.
    pub near: Option<&'n NearFacets>,
}

impl Features {
    /// Whether any two facets that are no farther apart than a distance (m) at the first of two placements of the other shape are kept
    /// apart by one direction at both: by the normal of one facet, by one of the known axes, which turns with this shape or not at all, or
    /// by one at right angles to an edge of each. `least` are the heights over such planes.
    pub fn are_kept_apart<const N: usize>(
        &self,
        other: &Features,
        placements: &[Placement; 2],
        distance: f64,
        axes: &Axes<'_, N>,
        least: Heights,
    ) -> bool {
        let may_meet = |f: u32, g: u32| {
            let (facet, other_facet) = (&self.facets[f as usize], &other.facets[g as usize]);
            let facets = [facet, other_facet];
            if !may_facets_be_near(facets, &placements[0], distance) {
                return false;
            }
            let is_other_in_front = |p| placements.iter().all(|at| facet.height(at.point(p)) >= least.own);
            let is_in_front = |p| placements.iter().all(|at| other_facet.height(at.inverse_point(p)) >= least.other);
            let keeps_apart = |&[now, then]: &[DVec3; 2]| {
                is_beyond([now, then], facets, placements, least.still)
                    || is_beyond([now; 2], facets, placements, least.own)
            };
            !other.points(FeatureId::Facet(g)).all(is_other_in_front)
                && !self.points(FeatureId::Facet(f)).all(is_in_front)
                && !axes.list[..axes.count].iter().any(keeps_apart)
                && !self.are_edges_between(facets, other, placements, least.edges)
        };
        match axes.near.and_then(|near| near.within([self, other], &placements[0], distance)) {
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
        let keeps_apart = |axis: DVec3| is_beyond([axis; 2], [facet, other_facet], placements, least);
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

/// Whether a facet is beyond another one by a distance (m) at both placements, along the axis at each.
fn is_beyond(axes: [DVec3; 2], [facet, other]: [&Facet; 2], placements: &[Placement; 2], least: f64) -> bool {
    axes.iter().zip(placements).all(|(axis, at)| {
        let highest = facet.corners.iter().fold(f64::NEG_INFINITY, |highest, p| axis.dot(*p).max(highest));
        other.corners.iter().all(|p| axis.dot(at.point(*p)) - highest >= least)
    })
}
