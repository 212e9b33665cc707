//! Whether directions that turn with one of two shapes keep them apart while the other one moves.

use glam::DVec3;

use super::boxes::{Frames, Placement};
use super::facet::Facet;
use super::{FeatureId, Features, NearFacets, may_facets_be_near};

/// Two facets are looked at along the normals of pairs of their edges if there are no more pairs than this.
const MOST_PAIRS_OF_EDGES: usize = 64;

/// Facets with more corners, and shapes with more vertices, are not looked at along known axes.
const MOST_POINTS: usize = 32;

/// Heights that keep points apart all the way, m, for the parabola through those of each at the beginning, in the middle and at the end: negative
/// ones are depths that are allowed.
#[derive(Clone, Copy, Debug)]
pub struct Heights {
    /// Over planes that turn with A.
    pub own: f64,
    /// Over planes that turn with B.
    pub other: f64,
    /// Over planes along an edge of each, which turn with A: none of them is said to face outwards, so that no depth is allowed.
    pub edges: f64,
}

/// An axis from A to B in A's frame at the beginning, in the middle and at the end of a motion.
#[derive(Clone, Copy, Debug, Default)]
pub struct Axis {
    /// As long as the heights along them say.
    pub directions: [DVec3; 3],
    /// The height that keeps points apart along it, m, as in [`Heights`].
    pub least: f64,
}

/// What is known of two shapes where a motion begins.
#[derive(Clone, Copy, Debug)]
pub struct Axes<const N: usize> {
    /// As many as are counted.
    pub list: [Axis; N],
    /// How many.
    pub count: usize,
}

impl Features {
    /// Appends the pairs of facets, one of each shape, that may come within a distance (m). `known` may hold some that are near each other.
    pub fn pairs_within(
        &self,
        other: &Features,
        placement: &Placement,
        distance: f64,
        known: Option<&NearFacets>,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let mut add = |f: u32, g: u32| {
            if may_facets_be_near([&self.facets[f as usize], &other.facets[g as usize]], placement, distance) {
                pairs.push((f, g));
            }
            false
        };
        match known.and_then(|known| known.within([self, other], placement, distance)) {
            Some(all) => all.for_each(|(f, g)| _ = add(f, g)),
            None => _ = self.tree.is_any_near(&other.tree, placement, distance, add),
        }
    }

    /// Whether any two facets that are no farther apart than a distance (m) at the first of three placements of the other shape, at the
    /// beginning, in the middle and at the end of a motion, are kept apart by one direction all the way: by the normal of one facet, by one
    /// of the known axes, or by one at right angles to an edge of each that turns with this shape. `least` are the heights over such planes;
    /// `pairs` are those of [`Features::pairs_within`] that are looked at, all of them if they are not given.
    pub fn are_kept_apart<const N: usize>(
        &self,
        other: &Features,
        placements: &[Placement; 3],
        distance: f64,
        axes: &Axes<N>,
        least: &Heights,
        pairs: Option<&[(u32, u32)]>,
    ) -> bool {
        let may_meet = |f: u32, g: u32| {
            let (facet, other_facet) = (&self.facets[f as usize], &other.facets[g as usize]);
            let facets = [facet, other_facet];
            if !may_facets_be_near(facets, &placements[0], distance) {
                return false;
            }
            let is_other_in_front = |p| stays_above(least.own, placements, |at| facet.height(at.point(p)));
            let is_in_front = |p| stays_above(least.other, placements, |at| other_facet.height(at.inverse_point(p)));
            let corners = || [&facet.corners, &other_facet.corners].map(|list| list.iter().copied());
            let keeps_apart = |axis: &Axis| axis.keeps_apart(corners(), placements);
            !other.points(FeatureId::Facet(g)).all(is_other_in_front)
                && !self.points(FeatureId::Facet(f)).all(is_in_front)
                && !axes.list[..axes.count].iter().any(keeps_apart)
                && !self.are_edges_between(facets, other, placements, least.edges)
        };
        let Some(pairs) = pairs else { return !self.tree.is_any_near(&other.tree, &placements[0], distance, may_meet) };
        let frames = Frames::of(&placements[0]);
        let mut near = pairs.iter().filter(|&&pair| self.tree.are_near(&other.tree, pair, &frames, distance));
        !near.any(|&(f, g)| may_meet(f, g))
    }

    /// Whether planes keep any two facets apart by a distance, m: those of one of them, or those along an edge of each.
    pub fn are_apart(&self, other: &Features, placement: &Placement, distance: f64) -> bool {
        let none = Axes { list: [], count: 0 };
        let least = Heights { own: distance, other: distance, edges: distance };
        self.are_kept_apart(other, &[*placement; 3], distance, &none, &least, None)
    }

    /// Whether a direction at right angles to an edge of each of two facets keeps them apart by a distance (m) all the way: of two convex
    /// polygons that are apart and not parallel there is one, if no normal does.
    fn are_edges_between(
        &self,
        [facet, other_facet]: [&Facet; 2],
        other: &Features,
        placements: &[Placement; 3],
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

impl Axis {
    /// Whether the points of B, in its frame, are beyond those of A in A's all the way. False of too many points.
    pub fn keeps_apart(&self, points: [impl Iterator<Item = DVec3>; 2], placements: &[Placement; 3]) -> bool {
        let [own, other] = points;
        let (mut below, mut above) = ([[0.0; 3]; MOST_POINTS], [[0.0; 3]; MOST_POINTS]);
        let samples = [0, 1, 2];
        let (Some(below), Some(above)) = (
            filled(&mut below, own.map(|p| samples.map(|k| self.directions[k].dot(p)))),
            filled(&mut above, other.map(|p| samples.map(|k| self.directions[k].dot(placements[k].point(p))))),
        ) else {
            return false;
        };
        below.iter().all(|low| above.iter().all(|high| stays_above(self.least, &samples, |&k| high[k] - low[k])))
    }
}

/// Fills a list from its start, and returns what is filled; `None` if it is too short.
fn filled<T>(list: &mut [T], values: impl Iterator<Item = T>) -> Option<&[T]> {
    let mut count = 0;
    for value in values {
        *list.get_mut(count)? = value;
        count += 1;
    }
    Some(&list[..count])
}

/// Whether a facet is beyond another one by a distance (m) all the way, along an axis that turns with that one.
fn is_beyond(axis: DVec3, [facet, other]: [&Facet; 2], placements: &[Placement; 3], least: f64) -> bool {
    let highest = facet.corners.iter().fold(f64::NEG_INFINITY, |highest, p| axis.dot(*p).max(highest)) + least;
    other.corners.iter().all(|&p| stays_above(highest, placements, |at| axis.dot(at.point(p))))
}

/// Whether the parabola through the heights at the beginning, in the middle and at the end of a motion stays above a height, m.
pub fn stays_above<T>(least: f64, samples: &[T; 3], height: impl Fn(&T) -> f64) -> bool {
    let [start, end] = [&samples[0], &samples[2]].map(&height);
    if !(start >= least && end >= least) {
        return false;
    }
    let middle = height(&samples[1]);
    // start + slope s + bend s² for s from 0 to 1.
    let bend = 2.0 * (start + end - 2.0 * middle);
    let slope = end - start - bend;
    let is_lowest_between = slope < 0.0 && -slope < 2.0 * bend;
    middle >= least && (!is_lowest_between || slope * slope <= 4.0 * bend * (start - least))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::features::FeatureTolerance;
    use crate::shape::sample;
    use crate::split_mix::SplitMix;
    use glam::DMat3;

    #[test]
    fn parabolas_stay_above_what_is_below_all_of_their_points() {
        let mut random = SplitMix::new(31);
        let mut dips = 0;
        for _ in 0..2000 {
            let samples: [f64; 3] = std::array::from_fn(|_| random.next_between(0.0, 1.0));
            let [start, middle, end] = samples;
            // By the polynomials that are one at a sample and zero at the others.
            let at =
                |s: f64| start * (2.0 * s - 1.0) * (s - 1.0) + middle * 4.0 * s * (1.0 - s) + end * s * (2.0 * s - 1.0);
            let lowest = (0..=1000).map(|k| at(f64::from(k) / 1000.0)).fold(f64::INFINITY, f64::min);
            dips += u32::from(lowest < start.min(middle).min(end) - 1e-3);
            let is_above = |least: f64| stays_above(least, &samples, |height| *height);
            assert!(is_above(lowest - 1e-5) && !is_above(lowest + 1e-9), "{samples:?}: {lowest}");
        }
        assert!(dips > 200, "{dips} of the parabolas are lowest between the samples");
    }

    #[test]
    fn pairs_of_facets_are_those_of_brute_force_and_no_farther_apart_than_is_said() {
        let mut random = SplitMix::new(32);
        let [a, b] =
            [sample::l_prism(), sample::u_prism()].map(|surface| Features::new(&surface, &FeatureTolerance::default()));
        let all = || (0..a.facets().len() as u32).flat_map(|f| (0..b.facets().len() as u32).map(move |g| (f, g)));
        let mut counts = [0; 2];
        for _ in 0..300 {
            let mut vector = |most: f64| DVec3::from_array(std::array::from_fn(|_| random.next_between(-most, most)));
            let rotation = DMat3::from_axis_angle(vector(1.0).normalize_or(DVec3::X), vector(3.0).x);
            let placement = Placement { rotation, translation: vector(1.5) };
            let distance = vector(0.3).x.abs();
            let frames = Frames::of(&placement);
            let may_be_near = |&(f, g): &(u32, u32), distance: f64| {
                a.tree().are_near(b.tree(), (f, g), &frames, distance)
                    && may_facets_be_near([&a.facets()[f as usize], &b.facets()[g as usize]], &placement, distance)
            };
            let mut pairs = Vec::new();
            a.pairs_within(&b, &placement, distance, None, &mut pairs);
            pairs.sort_unstable();
            assert_eq!(pairs, all().filter(|pair| may_be_near(pair, distance)).collect::<Vec<_>>());
            for pairs in [None, Some(&pairs[..])] {
                let Some(apart) = a.apart(&b, &placement, [distance, 0.01], pairs) else { continue };
                counts[usize::from(pairs.is_some())] += 1;
                assert!(!all().any(|pair| may_be_near(&pair, apart * (1.0 - 1e-12))), "{apart} of {distance} m");
            }
        }
        assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
    }
}
