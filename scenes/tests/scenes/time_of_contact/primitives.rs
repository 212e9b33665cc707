//! Solids in closed form, at all scales, for every precision.

use drystone_contact::ccd::time_of_contact::Outcome;
use drystone_scenes::toc::benchmark::{Plan, Sample, Tally, VARIANTS, answer, sample};
use drystone_scenes::toc::case::KINDS;
use rayon::prelude::*;

use super::distance::distance;
use super::{ALL, PRECISIONS, most_within, position, rounding};
use crate::cases;

/// Queries of each kind in the whole tier, each asked with every precision.
const QUERIES: u32 = 1000;

/// Solids are a metre large, or up to so many times more or less.
const SCALES: f64 = 1e6;

#[test]
fn contacts_with_solids_at_rest_are_certified() {
    check(false, 0x0c0_ffee);
}

#[test]
fn contacts_with_moving_and_turning_solids_are_certified() {
    check(true, 0x7ea_cafe);
}

/// Counts what is wrong at each precision.
fn check(is_moving: bool, seed: u64) {
    let queries = cases(QUERIES) as usize;
    let moving = if is_moving { "moving" } else { "at rest" };
    for kind in KINDS {
        let plan = Plan { queries, precision: PRECISIONS[0], is_moving, scales: SCALES, seed };
        let none = || [(); PRECISIONS.len()].map(|()| Tally::default());
        let joined = |a: [Tally; 3], b: [Tally; 3]| std::array::from_fn(|k| a[k].clone().joined(&b[k]));
        let of = |number| {
            let sample = sample(kind, number, &plan).expect("a solid");
            PRECISIONS.map(|precision| one(&sample, precision, &format!("{kind} {moving}, number {number}")))
        };
        let tallies: [Tally; 3] = (0..queries).into_par_iter().map(of).reduce(none, joined);
        for (precision, tally) in PRECISIONS.iter().zip(&tallies) {
            let Tally { queries, contacts, missed, late, near, stopped, unsure, within, .. } = *tally;
            println!(
                "{kind} {moving}, {precision:e}: {queries} queries, {contacts} contacts, {missed} missed, {late} late, \
                 {unsure} unsure, {near} near, {stopped} stopped, within {within:.3} precisions"
            );
            assert_eq!([missed, late, unsure], [0; 3], "{kind} {moving}, {precision:e}");
            assert!(within <= super::WITHIN, "{kind} {moving}, {precision:e}: {within}");
            assert!(contacts > queries / 4 && stopped < queries / 100, "{kind} {moving}, {precision:e}: {tally:?}");
        }
    }
}

/// Asks one query at a precision (a share of the size of the solid), and measures how far the point is from the solid at the
/// contact.
fn one(sample: &Sample, precision: f64, name: &str) -> Tally {
    let found = answer(sample, &VARIANTS[0], precision).expect("a query");
    let mut tally = Tally::default();
    let most = most_within(&sample.motion, ALL, precision * sample.case.size);
    tally.count(&sample.truth, &found, most / super::WITHIN);
    if let Outcome::Contact(contact) = &found.outcome {
        let (point, error) = position(&sample.motion, contact.time);
        let error = error + rounding(&sample.motion, ALL);
        let away = distance(&sample.case.region, point);
        assert!(
            away <= contact.within + error,
            "{name}: {away} m from {:?}, {contact:?}, {:?}",
            sample.case,
            sample.motion
        );
        assert!(point.distance(contact.position) <= error, "{name}: {point} {contact:?}");
    }
    tally
}
