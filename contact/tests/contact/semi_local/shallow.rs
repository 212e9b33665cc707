//! Pairs of all kinds of solids in shallow contact.

use drystone_contact::shape::Shape;

use super::invariants::Sample;
use super::pair::{self, Pair};
use super::random::Random;
use super::{run, solids};

/// Poses of one pair of solids.
const POSES: u64 = 10;

/// All tests here together look at 100,000 pairs in the whole tier.
const PAIRS: u32 = 25_000;

/// The pair of a number: ten of the same two solids follow each other.
fn with_pair(
    number: u64,
    solid: fn(&mut Random) -> Shape,
    place: impl for<'s> Fn([&'s Shape; 2], &mut Random) -> Pair<'s>,
    check: impl FnOnce(&Pair<'_>),
) {
    let mut random = Random::new(number / POSES);
    let shapes = [solid(&mut random), solid(&mut random)];
    check(&place([&shapes[0], &shapes[1]], &mut Random::new(!number)));
}

fn run(solid: fn(&mut Random) -> Shape, place: impl for<'s> Fn([&'s Shape; 2], &mut Random) -> Pair<'s> + Sync) {
    if let Some(number) = std::env::var("PAIR").ok().and_then(|v| v.parse().ok()) {
        with_pair(number, solid, &place, |pair| println!("{}", super::describe::describe(pair)));
        return;
    }
    run::all(crate::cases(PAIRS).into(), |number, broken| {
        let cell = std::cell::RefCell::new(broken);
        with_pair(number, solid, &place, |pair| Sample::new(pair).check(&mut cell.borrow_mut()))
    });
}

#[test]
fn contacts_of_any_pair_keep_the_invariants() {
    run(solids::any, pair::shallow);
}

#[test]
fn contacts_of_faces_on_faces_keep_the_invariants() {
    run(solids::any, pair::faced);
}

#[test]
fn contacts_on_a_lattice_keep_the_invariants() {
    run(solids::on_lattice, pair::aligned);
}

#[test]
fn contacts_of_thin_walls_keep_the_invariants() {
    run(solids::thin, pair::faced);
}

/// Pairs that are rare: an edge on the foot of a wall, faces that meet in pieces, bodies that part and meet again.
#[test]
fn contacts_of_rare_pairs_keep_the_invariants() {
    type Make = fn(&mut Random) -> Shape;
    type Place = for<'s> fn([&'s Shape; 2], &mut Random) -> Pair<'s>;
    let rare: [(&[u64], Make, Place); 3] = [
        (&[185_513, 109_527, 27_537, 87_094, 234_859], solids::any, pair::shallow),
        (&[8_747, 23_341, 34_145, 45_941], solids::any, pair::faced),
        (&[22_503, 79_717, 104_004, 138_920], solids::thin, pair::faced),
    ];
    for (numbers, solid, place) in rare {
        for &number in numbers {
            let mut broken = Vec::new();
            with_pair(number, solid, place, |pair| Sample::new(pair).check(&mut broken));
            assert!(broken.is_empty(), "pair {number}: {broken:?}");
        }
    }
}
