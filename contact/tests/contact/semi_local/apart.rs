//! Pairs that do not touch: beyond the envelope, far away, one in the hollow of the other.

use drystone_contact::Pose;
use drystone_contact::shape::Shape;
use glam::DVec3;

use super::invariants::{Broken, Sample};
use super::pair::{self, Pair};
use super::random::Random;
use super::soup::{distance, overlap};
use super::{run, solids};

/// Poses of one pair of solids.
const POSES: u64 = 10;

fn count() -> u64 {
    u64::from(crate::cases(10_000)) / POSES
}

fn check(pair: &Pair<'_>, broken: &mut Vec<Broken>) {
    let sample = Sample::new(pair);
    let [a, b] = &sample.soups;
    sample.check(broken);
    if !overlap(a, b) && sample.contacts.iter().any(|c| c.gap < -sample.lengths.same) {
        let off = distance(a, b, sample.lengths.envelope).unwrap_or(f64::INFINITY);
        broken.push(("deep though apart", off / sample.lengths.thickness));
    }
}

/// From a gap of nothing to one of twice the envelope.
#[test]
fn shapes_that_have_just_parted() {
    run::all(count(), |seed, broken| {
        let mut random = Random::new(seed);
        let shapes = [solids::any(&mut random), solids::any(&mut random)];
        for k in 0..POSES {
            let place = if k % 2 == 0 { pair::shallow } else { pair::faced };
            let mut pair = place([&shapes[0], &shapes[1]], &mut random);
            let lengths = pair.lengths();
            let direction = random.direction();
            pair.touch_along(direction, -lengths.envelope * random.between(1e-6, 2.0));
            check(&pair, broken);
        }
    });
}

/// A small box in the hole of a ring, in the mouth of a U, in a cavity, or anywhere near: most of the poses are apart.
#[test]
fn small_shapes_inside_the_hollows_of_large_ones() {
    run::all(count(), |seed, broken| {
        let mut random = Random::new(seed);
        let Some(large) = hollow(&mut random) else { return };
        let Some(small) = solids::scaled(&solids::any(&mut random), random.magnitude(0.1, 0.5)) else { return };
        let (low, high) = large.surface().unwrap().bounds();
        for _ in 0..POSES {
            let mut pair = Pair::new([&large, &small], &mut random);
            let rotation = random.rotation();
            let at = low + (high - low) * DVec3::from_array([0; 3].map(|_| random.share()));
            pair.poses[1] = Pose::from_parts(at - rotation * small.features().unwrap().centre(), rotation);
            let [a, b] = pair.soups();
            if !overlap(&a, &b) {
                check(&pair, broken);
                check(&pair.swapped(), broken);
            }
        }
    });
}

fn hollow(random: &mut Random) -> Option<Shape> {
    match random.below(3) {
        0 => solids::ring(random),
        1 => solids::letter(random),
        _ => {
            let all = (0..27).map(|i| [i % 3, i / 3 % 3, i / 9]).filter(|&c| c != [1, 1, 1]);
            let grid = [0.0, 0.3, 1.7, 2.0];
            solids::blocks(&all.collect::<Vec<_>>(), &[grid; 3], |p| p)
        }
    }
}
