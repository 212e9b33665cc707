//! Pairs of facets that are near each other, kept while two shapes move little against each other.
//!
//! The pairs are found out of two trees once, with more room than is asked for. As long as no point of a box has come farther than the room since
//! then, a look through the list finds the same pairs as the trees do.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use glam::{DMat3, DVec3};

use super::boxes::{Frames, Placement};
use super::cone::Angle;
use super::{BoxTree, Features};

/// The angle of a rotation is no more than this multiple of the norm of what it changes.
const ANGLE: f64 = 0.5 * PI;

/// Pairs of facets, the first of one shape and the second of another.
#[derive(Clone, Debug, Default)]
pub struct NearFacets {
    /// First those that face each other.
    pairs: Vec<(u32, u32)>,
    facing: usize,
    found: Option<Found>,
}

/// What a list holds.
#[derive(Clone, Copy, Debug)]
struct Found {
    /// Where the other shape was.
    placement: Placement,
    /// Boxes are no farther apart than this, m.
    distance: f64,
    /// Those that face each other do so up to this angle, rad.
    tolerance: f64,
}

impl NearFacets {
    /// Appends all pairs of facets whose boxes are no farther apart than a margin (m) and that face each other up to a tolerance (rad). Where
    /// the list does not hold them all, it is made anew with room for a motion (m). `stack` is scratch space.
    pub fn facing(
        &mut self,
        [own, other]: [&Features; 2],
        placement: &Placement,
        (margin, tolerance): (f64, f64),
        room: f64,
        stack: &mut Vec<(u32, u32)>,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        if !self.covers([own, other], placement, (margin, tolerance)) {
            // Turned by this, the farthest point of the smaller shape has come as far as there is room.
            let angle = room / own.tree().reach().min(other.tree().reach());
            let found = Found { placement: *placement, distance: margin + room, tolerance: tolerance + angle };
            self.find([own.tree(), other.tree()], found, stack);
        }
        let (frames, tolerance) = (Frames::of(placement), Angle::new(tolerance));
        let is_near =
            |&&(f, g): &&(u32, u32)| own.tree().are_facing(other.tree(), (f, g), &frames, (margin, &tolerance));
        pairs.extend(self.pairs[..self.facing].iter().filter(is_near));
    }

    /// The pairs whose boxes are no farther apart than a distance (m), if the list holds them all.
    pub fn within<'n>(
        &'n self,
        shapes: [&'n Features; 2],
        placement: &Placement,
        distance: f64,
    ) -> Option<impl Iterator<Item = (u32, u32)> + 'n> {
        let frames = Frames::of(placement);
        let is_near =
            move |&(f, g): &(u32, u32)| shapes[0].tree().are_near(shapes[1].tree(), (f, g), &frames, distance);
        self.covers(shapes, placement, (distance, f64::NEG_INFINITY))
            .then(|| self.pairs.iter().copied().filter(is_near))
    }

    /// Takes over another list, in the own allocation.
    pub fn copy_from(&mut self, other: &Self) {
        self.pairs.clone_from(&other.pairs);
        (self.facing, self.found) = (other.facing, other.found);
    }

    fn find(&mut self, [own, other]: [&BoxTree; 2], found: Found, stack: &mut Vec<(u32, u32)>) {
        let Self { pairs, facing, .. } = self;
        pairs.clear();
        own.near_pairs(other, &found.placement, (found.distance, f64::INFINITY), stack, pairs);
        let (frames, tolerance) = (Frames::of(&found.placement), Angle::new(found.tolerance));
        let is_facing = |&pair: &(u32, u32)| own.are_facing(other, pair, &frames, (found.distance, &tolerance));
        *facing = 0;
        for k in 0..pairs.len() {
            if is_facing(&pairs[k]) {
                pairs.swap(k, *facing);
                *facing += 1;
            }
        }
        self.found = Some(found);
    }

    /// Whether the list holds all pairs whose boxes are no farther apart than a margin (m), and all of those that face each other up to a
    /// tolerance (rad).
    fn covers(&self, shapes: [&Features; 2], placement: &Placement, (margin, tolerance): (f64, f64)) -> bool {
        let Some(found) = &self.found else { return false };
        // The norm of the difference of two rotations: how far it takes a point at a distance of one.
        let turn = FRAC_1_SQRT_2 * norm(placement.rotation - found.placement.rotation);
        let radii = shapes.map(|shape| shape.tree().reach());
        // Of a point of the other shape in the own frame, and of one of the own shape in the other's.
        let of_other = (placement.translation - found.placement.translation).length() + turn * radii[1];
        let origin = |at: &Placement| at.inverse_point(DVec3::ZERO);
        let of_own = (origin(placement) - origin(&found.placement)).length() + turn * radii[0];
        margin + of_other.max(of_own) <= found.distance && tolerance + ANGLE * turn <= found.tolerance
    }
}

/// The root of the sum of the squares of the entries.
fn norm(matrix: DMat3) -> f64 {
    let DMat3 { x_axis, y_axis, z_axis } = matrix;
    (x_axis.length_squared() + y_axis.length_squared() + z_axis.length_squared()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::FeatureTolerance;
    use super::*;
    use crate::shape::sample;
    use proptest::prelude::*;

    fn placement([x, y, z]: [f64; 3], [axis_x, axis_y, angle]: [f64; 3]) -> Placement {
        let axis = DVec3::new(axis_x, axis_y, 1.0).normalize();
        Placement { rotation: DMat3::from_axis_angle(axis, angle), translation: DVec3::new(x, y, z) }
    }

    fn sorted(pairs: impl IntoIterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
        let mut pairs: Vec<(u32, u32)> = pairs.into_iter().collect();
        pairs.sort_unstable();
        pairs
    }

    proptest! {
        /// Along any motion the list holds the pairs that a look at all of them finds, whether it was made anew or not.
        #[test]
        fn a_list_that_is_kept_holds_the_pairs_of_brute_force(
            start in prop::array::uniform3(-1.5..1.5f64),
            axis in prop::array::uniform2(-1.0..1.0f64),
            angle in 0.0..3.0f64,
            steps in prop::collection::vec(prop::array::uniform4(-0.02..0.02f64), 1..30),
        ) {
            let shapes = [sample::l_prism(), sample::u_prism()];
            let [a, b] = shapes.map(|surface| Features::new(&surface, &FeatureTolerance::default()));
            let (margin, tolerance, room) = (0.05, 0.02, 0.1);
            let (mut near, mut stack) = (NearFacets::default(), Vec::new());
            let (mut at, mut turn) = (start, angle);
            for [x, y, z, turning] in steps {
                (at, turn) = ([at[0] + x, at[1] + y, at[2] + z], turn + turning);
                let placement = placement(at, [axis[0], axis[1], turn]);
                let (frames, angle) = (Frames::of(&placement), Angle::new(tolerance));
                let all = || (0..a.facets().len() as u32).flat_map(|f| (0..b.facets().len() as u32).map(move |g| (f, g)));
                let is_facing = |&pair: &(u32, u32)| a.tree().are_facing(b.tree(), pair, &frames, (margin, &angle));
                let (mut found, mut of_trees) = (Vec::new(), Vec::new());
                near.facing([&a, &b], &placement, (margin, tolerance), room, &mut stack, &mut found);
                prop_assert_eq!(sorted(found), sorted(all().filter(is_facing)));
                a.tree().near_pairs(b.tree(), &placement, (margin, tolerance), &mut stack, &mut of_trees);
                prop_assert_eq!(sorted(of_trees), sorted(all().filter(is_facing)));
                let is_near = |&pair: &(u32, u32)| a.tree().are_near(b.tree(), pair, &frames, margin);
                let within = near.within([&a, &b], &placement, margin).map(sorted);
                prop_assert_eq!(within, Some(sorted(all().filter(is_near))));
            }
        }
    }

    #[test]
    fn a_list_is_kept_for_as_long_as_there_is_room() {
        let shape = Features::new(&sample::l_prism(), &FeatureTolerance::default());
        let (mut near, mut stack, mut pairs) = (NearFacets::default(), Vec::new(), Vec::new());
        let at = |x: f64| placement([x, 1.0, 0.0], [0.0, 0.0, 0.0]);
        assert!(near.within([&shape, &shape], &at(0.0), 0.0).is_none(), "nothing is known");
        near.facing([&shape, &shape], &at(0.0), (0.05, 0.02), 0.1, &mut stack, &mut pairs);
        assert!(near.within([&shape, &shape], &at(0.09), 0.05).is_some());
        assert!(near.within([&shape, &shape], &at(0.11), 0.05).is_none());
        assert!(near.within([&shape, &shape], &at(0.11), 0.03).is_some(), "what is asked for less has more room");
    }
}
