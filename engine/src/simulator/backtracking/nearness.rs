//! Which bodies are near each other, and what V-Clip says of them.
//!
//! The broad phase holds a box around the bounding sphere of each body; the spheres themselves decide. What V-Clip's
//! searches ended with is where the next ones start.

use super::sets::{Sets, relative_pose, without};
use crate::body::Body;
use crate::broad_phase::{Bounds, BroadPhase};
use drystone_contact::vclip::{NearPieces, Tracking};
use glam::DVec3;
use std::collections::BTreeMap;

/// Boxes are larger than the spheres by this share of their coordinates, so that rounding loses no pair.
const ROUNDING: f64 = 1e-12;

/// Boxes of all bodies, and where V-Clip's searches between them ended.
#[derive(Clone, Debug, Default)]
pub struct Nearness {
    broad_phase: BroadPhase,
    pub trackings: BTreeMap<[usize; 2], Tracking>,
    /// How many pairs were near each other when it was last asked.
    pub pairs: usize,
}

impl Nearness {
    /// Pairs of bodies that may touch and whose bounding spheres are within a distance (m) of each other, in ascending
    /// order. A body whose position is not finite is near nothing.
    pub fn candidates(&mut self, sets: &Sets, bodies: &[Body], reach: f64) -> Vec<[usize; 2]> {
        for ((key, body), solid) in (0..).zip(bodies).zip(&sets.solids) {
            let (centre, half) = (body.position, solid.radius + 0.5 * reach);
            if !(centre.is_finite() && half.is_finite()) {
                self.broad_phase.remove(key);
                continue;
            }
            let bounds = Bounds { low: centre - DVec3::splat(half), high: centre + DVec3::splat(half) };
            self.broad_phase.set(key, bounds.grown(ROUNDING * bounds.largest_coordinate()));
        }
        let wants = |a: u32, b: u32| {
            let [a, b] = [a, b].map(|k| k as usize);
            let distance = bodies[a].position.distance(bodies[b].position);
            distance <= sets.solids[a].radius + sets.solids[b].radius + reach && sets.may_touch(bodies, [a, b])
        };
        let pairs =
            self.broad_phase.pairs(wants).into_iter().map(|(a, b)| [a as usize, b as usize]).collect::<Vec<_>>();
        self.pairs = pairs.len();
        pairs
    }

    /// What V-Clip says of two bodies: all pairs of pieces within a distance.
    pub fn ask(&mut self, sets: &Sets, bodies: &[Body], pair: [usize; 2], reach: f64) -> Vec<NearPieces> {
        let [a, b] = pair.map(|body| &sets.solids[body].pieces);
        self.trackings.entry(pair).or_default().within(a, b, &relative_pose(bodies, pair), reach)
    }

    /// Forgets a body; those behind it move up.
    pub fn remove(&mut self, body: usize) {
        self.broad_phase = BroadPhase::new();
        self.trackings = without(std::mem::take(&mut self.trackings), body);
    }
}

#[cfg(test)]
mod tests {
    use super::super::sets::Solid;
    use super::*;
    use crate::material::MaterialId;
    use crate::new_body::{Groups, Solid as Cuboid};
    use glam::DQuat;
    use proptest::prelude::*;
    use std::sync::Arc;

    /// Bodies of half a metre's reach at positions, and all that is known of them.
    fn scene(positions: &[[f64; 3]], fixed: usize) -> (Sets, Vec<Body>) {
        let cube = Cuboid::cuboid(DVec3::ONE, 1.0).unwrap();
        let pieces = Arc::new(cube.shape.as_polyhedron().unwrap().pieces().unwrap().clone());
        let (mut sets, mut bodies) = (Sets::default(), Vec::new());
        for (k, &position) in positions.iter().enumerate() {
            let stuff = MaterialId::new(0);
            let body = if k < fixed { Body::fixed(stuff) } else { Body::dynamic(1.0, DVec3::ONE, stuff).unwrap() };
            bodies.push(body.at(DVec3::from(position), DQuat::IDENTITY).unwrap());
            let groups = if k % 7 == 3 { Groups { member: 1, with: 2 } } else { Groups::ALL };
            let (shape, pieces) = (Arc::clone(&cube.shape), Arc::clone(&pieces));
            sets.solids.push(Solid { shape, pieces, radius: 0.5, groups });
            sets.handles.insert().unwrap();
        }
        (sets, bodies)
    }

    fn all_pairs(sets: &Sets, bodies: &[Body], reach: f64) -> Vec<[usize; 2]> {
        let pairs = (0..bodies.len()).flat_map(|i| (i + 1..bodies.len()).map(move |j| [i, j]));
        let is_near = |&[i, j]: &[usize; 2]| {
            let sum = sets.solids[i].radius + sets.solids[j].radius + reach;
            sets.may_touch(bodies, [i, j]) && bodies[i].position.distance(bodies[j].position) <= sum
        };
        pairs.filter(is_near).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// Positions on a lattice, so that spheres touch exactly; asked again after all have moved.
        #[test]
        fn candidates_are_those_of_all_pairs(
            cells in prop::collection::vec([-4i32..4, -4i32..4, -4i32..4], 2..40),
            shift in -1.0f64..1.0,
            fixed in 0usize..5,
            reach in prop::sample::select(vec![0.0, 2e-6, 0.3, 1.0]),
        ) {
            let positions: Vec<[f64; 3]> = cells.iter().map(|cell| cell.map(|x| 0.5 * f64::from(x))).collect();
            let (mut sets, mut bodies) = scene(&positions, fixed);
            let [first, last] = [0, positions.len() - 1].map(|k| sets.handle(k));
            sets.excluded.insert((first, last));
            let mut nearness = Nearness::default();
            prop_assert_eq!(nearness.candidates(&sets, &bodies, reach), all_pairs(&sets, &bodies, reach));
            for (k, body) in bodies.iter_mut().enumerate() {
                body.position *= 1.0 + 0.1 * shift * (k % 3) as f64;
            }
            bodies[0].position.x = f64::NAN;
            prop_assert_eq!(nearness.candidates(&sets, &bodies, reach), all_pairs(&sets, &bodies, reach));
        }
    }
}
