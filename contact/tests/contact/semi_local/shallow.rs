//! Pairs of all kinds of solids in shallow contact.

use drystone_contact::shape::Shape;

use super::invariants::Sample;
use super::pair::{self, Pair};
use super::random::Random;
use super::{run, solids};

/// What breaks in a few of 100,000 pairs, all of them thin or jagged solids that are deep in each other: depths of planes that reach
/// beyond a reflex edge, and those of parts of the overlap, which are found to an eighth.
const KNOWN: [run::Known; 4] = [("too deep", 1.5e-4), ("not enough", 2e-5), ("near A", 5e-5), ("near B", 5e-5)];

/// Poses of one pair of solids.
const POSES: u64 = 10;

/// All tests here together look at 100,000 pairs in the whole tier.
const PAIRS: u32 = 25_000;

/// The pair of a number: ten of the same two solids follow each other.
fn with_pair(
    number: u64,
    solid: fn(&mut Random) -> Shape,
    place: impl for<'s> Fn([&'s Shape; 2], &mut Random) -> Pair<'s>,
    check: impl Fn(&Pair<'_>),
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
    run::all_but(&KNOWN, crate::cases(PAIRS).into(), 1, |number, broken| {
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
