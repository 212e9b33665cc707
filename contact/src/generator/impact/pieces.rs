//! Two shapes by their pieces: the parts of compounds, each with those of the other shape that are near it.

use glam::DVec3;

use super::apart_of;
use super::heights::Heights;
use super::kept_apart::{Directions, Samples, are_kept_apart};
use super::known::KnownAxes;
use crate::pose::Pose;
use crate::shape::features::{NearFacets, Placement};
use crate::shape::{Compound, Shape};

/// A part of a compound, or a whole shape.
struct Piece<'s> {
    shape: &'s Shape,
    /// In the frame of the compound; none of a whole shape.
    place: Option<Pose>,
    /// Where it is.
    now: Pose,
    /// The lower and upper corner of the box around it, m.
    bounds: (DVec3, DVec3),
}

/// The parts of a compound; the shape itself, if it is none.
fn pieces<'s>(shape: &'s Shape, now: Pose) -> impl Iterator<Item = Piece<'s>> {
    let compound = shape.as_compound();
    let whole = compound.is_none().then(|| piece(shape, None, now));
    let of_compound = compound.into_iter().flat_map(Compound::parts);
    of_compound.map(move |part| piece(&part.shape, Some(part.pose), now)).chain(whole)
}

/// A part at its place in a compound, or a whole shape; `now` is the pose of the whole.
fn piece(shape: &Shape, place: Option<Pose>, now: Pose) -> Piece<'_> {
    let now = place.map_or(now, |place| now * place);
    Piece { shape, place, now, bounds: shape.bounds_at(&now) }
}

/// How far two boxes (lower and upper corner, m) are apart, m: negative if they overlap.
fn gap([(low, high), (other_low, other_high)]: [(DVec3, DVec3); 2]) -> f64 {
    (low - other_high).max(other_low - high).max_element()
}

/// A piece of A and one of B where a time begins.
pub struct PieceCouple<'s> {
    shapes: [&'s Shape; 2],
    places: [Option<Pose>; 2],
    now: [Pose; 2],
    /// How far their boxes are apart, m: negative if they overlap, minus infinity of whole shapes, whose boxes nobody has asked for.
    pub of_boxes: f64,
    directions: Directions,
    /// The facets that may meet, of two whole polyhedra; all, if it is not known.
    facets: Option<Vec<(u32, u32)>>,
}

impl<'s> PieceCouple<'s> {
    /// Two shapes, none of them a compound, of which no more is looked at than what is no farther apart than a distance, m. `known` may hold
    /// facets that are near each other.
    pub fn whole(shapes: [&'s Shape; 2], now: [Pose; 2], distance: f64, known: Option<&NearFacets>) -> Self {
        let facets = match shapes.map(Shape::features) {
            [Some(own), Some(other)] => {
                let mut pairs = Vec::new();
                own.pairs_within(other, &Placement::of(&now[0], &now[1]), distance, known, &mut pairs);
                Some(pairs)
            }
            _ => None,
        };
        let directions = Directions::default();
        Self { shapes, places: [None; 2], now, of_boxes: f64::NEG_INFINITY, directions, facets }
    }

    /// Whether nothing of the shapes may meet.
    pub fn is_apart(&self) -> bool {
        self.facets.as_ref().is_some_and(Vec::is_empty)
    }

    /// The pieces of A with those of B whose boxes are no farther from theirs than a distance, m.
    pub fn near([a, b]: [&'s Shape; 2], now: [Pose; 2], distance: f64) -> Vec<Self> {
        let others: Vec<Piece<'_>> = pieces(b, now[1]).collect();
        let mut near = Vec::new();
        for own in pieces(a, now[0]) {
            for other in &others {
                if gap([own.bounds, other.bounds]) <= distance {
                    near.push(Self::new(&own, other));
                }
            }
        }
        near
    }

    /// Those of the pieces with these numbers, pairs of one of A and one of B, whose boxes are no farther apart than a distance, m: the parts of
    /// compounds, or 0 of a whole shape.
    pub fn of(shapes: [&'s Shape; 2], now: [Pose; 2], pairs: &[(u32, u32)], distance: f64) -> Vec<Self> {
        let couple = |&(i, j): &(u32, u32)| {
            let [own, other] = [(shapes[0], now[0], i), (shapes[1], now[1], j)].map(|(shape, now, number)| {
                let part = shape.as_compound().map(|compound| &compound.parts()[number as usize]);
                part.map_or_else(|| piece(shape, None, now), |part| piece(&part.shape, Some(part.pose), now))
            });
            Self::new(&own, &other)
        };
        pairs.iter().map(couple).filter(|couple| couple.of_boxes <= distance).collect()
    }

    fn new(own: &Piece<'s>, other: &Piece<'s>) -> Self {
        Self {
            shapes: [own.shape, other.shape],
            places: [own.place, other.place],
            now: [own.now, other.now],
            of_boxes: gap([own.bounds, other.bounds]),
            directions: Directions::default(),
            facets: None,
        }
    }

    /// Moves the pieces to other poses of the bodies.
    pub fn move_to(&mut self, poses: &[Pose; 2]) {
        let now = [0, 1].map(|k| self.places[k].map_or(poses[k], |place| poses[k] * place));
        if now != self.now {
            let of_boxes = if self.of_boxes == f64::NEG_INFINITY {
                f64::NEG_INFINITY
            } else {
                gap([0, 1].map(|k| self.shapes[k].bounds_at(&now[k])))
            };
            (self.now, self.of_boxes, self.directions) = (now, of_boxes, Directions::default());
        }
    }

    /// A distance by which all couples are apart for certain, m: no more than the first of two, and `None` if it is not above the second.
    pub fn all_apart(couples: &[Self], [most, least]: [f64; 2]) -> Option<f64> {
        couples.iter().try_fold(most, |apart, couple| match couple.of_boxes {
            of_boxes if of_boxes >= apart => Some(apart),
            of_boxes => apart_of(couple.shapes, &couple.now, of_boxes, [apart, least], couple.facets.as_deref()),
        })
    }

    /// Whether directions keep the pieces apart while the bodies move from where they are through these poses; see [`are_kept_apart`].
    pub fn are_kept_apart(
        &mut self,
        [_, middle, end]: &Samples,
        distance: f64,
        least: &Heights,
        known: &KnownAxes,
    ) -> bool {
        let at = |poses: &[Pose; 2]| [0, 1].map(|k| self.places[k].map_or(poses[k], |place| poses[k] * place));
        let poses = [self.now, at(middle), at(end)];
        are_kept_apart(self.shapes, &poses, distance, least, known, self.facets.as_deref(), &mut self.directions)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Motion;
    use super::*;
    use crate::generator::Placed;
    use crate::pose::Twist;
    use crate::shape::{CompoundPart, RoundedBox};
    use crate::split_mix::SplitMix;
    use glam::DQuat;
    use std::sync::Arc;

    /// The half sides of the bars of a jack, m.
    const BARS: [DVec3; 3] = [DVec3::new(0.5, 0.1, 0.1), DVec3::new(0.1, 0.5, 0.1), DVec3::new(0.1, 0.1, 0.5)];

    /// The radius of all edges, m.
    const ROUND: f64 = 0.02;

    fn jack() -> Shape {
        let bar = |half: DVec3| CompoundPart {
            shape: Arc::new(RoundedBox::new(half - ROUND, ROUND).unwrap().into()),
            pose: Pose::IDENTITY,
        };
        Compound::new(BARS.map(bar)).unwrap().into()
    }

    /// Whether any point of a bar, on a grid in it, is deeper than this in another one, m.
    fn is_deep([own, other]: [usize; 2], poses: &[Pose; 2], depth: f64) -> bool {
        let at = |k: u32| 2.0 * f64::from(k) / 10.0 - 1.0;
        let grid = (0..11 * 11 * 11).map(|k| DVec3::new(at(k % 11), at(k / 11 % 11), at(k / 121)));
        let relative = poses[1].inverse() * poses[0];
        grid.map(|p| relative.transform_point(p * BARS[own])).any(|p| (BARS[other] - p.abs()).min_element() > depth)
    }

    #[test]
    fn what_an_axis_keeps_apart_does_not_meet_on_its_way() {
        let jack = jack();
        let mut random = SplitMix::new(93);
        // Couples that are left out, those that meet, and those that meet in the middle of their way alone.
        let mut counts = [0; 3];
        for round in 0..400 {
            let mut vector = |most: f64| DVec3::from_array([0; 3].map(|_| random.next_between(-most, most)));
            let spin = if round % 4 == 0 { 20.0 } else { 4.0 };
            let mut placed = || Placed {
                shape: &jack,
                pose: Pose::from_parts(vector(0.5), DQuat::from_scaled_axis(vector(3.0))),
                twist: Twist { linear: vector(4.0), angular: vector(spin) },
            };
            let motion = Motion { placed: [placed(), placed()], duration: 0.08, allowed: 0.004 };
            let mut pairs = Vec::new();
            assert!(motion.separating_axes().find_near([&jack; 2], &mut pairs));
            for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
                let at = |k: u32| motion.poses(motion.duration * f64::from(k) / 16.0);
                let bars = [i as usize, j as usize];
                let meets: Vec<bool> = (0..=16).map(|k| is_deep(bars, &at(k), motion.allowed)).collect();
                let ends = meets[0] || meets[16];
                let is_any = meets.contains(&true);
                counts[0] += u32::from(!pairs.contains(&(i, j)));
                counts[1] += u32::from(is_any);
                counts[2] += u32::from(is_any && !ends);
                assert!(!is_any || pairs.contains(&(i, j)), "round {round}: parts {i} and {j}, {meets:?}");
            }
        }
        assert!(counts[0] > 900 && counts[1] > 300 && counts[2] > 60, "{counts:?}");
    }
}
