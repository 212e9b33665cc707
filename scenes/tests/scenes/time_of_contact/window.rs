//! A solid said in several ways, and the times between which each of them has to find the contact.
//!
//! The contact may be reported from the time at which the point is no farther from the solid than the largest distance that may be
//! stated, and has to be reported before it surely is inside: two certified times. So two ways of saying the same solid differ
//! by no more than what lies between, and agree about contact or none except where the path comes nearer than that and
//! does not surely get in.

use std::sync::Arc;

use drystone_contact::Pose;
use drystone_contact::ccd::time_of_contact::Outcome;
use drystone_contact::solid::Solid;
use drystone_contact::split_mix::SplitMix;
use drystone_scenes::toc::query::{DURATION, FAMILIES, query};
use drystone_scenes::toc::region::Region;
use rayon::prelude::*;

use super::grown::grown;
use super::{ALL, PRECISIONS, answer, most_within, rounding};

/// Of a hundred searches against solids with edges so many may end undecided: where the path begins at an edge, or grazes one, and the
/// nearest point that is known lies beyond it. They have to say until when they are sure, like all others.
pub const AT_EDGES: u64 = 3;

/// A solid said in several ways.
pub struct Subject {
    /// Its name in messages.
    pub name: String,
    /// By inequalities.
    pub region: Region,
    /// About half its largest extent, m.
    pub size: f64,
    /// The ways and their names; queries are made for the first.
    pub ways: Vec<(&'static str, Arc<dyn Solid>)>,
}

/// What was seen of one way.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    queries: u64,
    contacts: u64,
    /// Of those with a certain contact.
    missed: u64,
    /// After the point surely was inside.
    late: u64,
    /// Before the point was as near as may be stated, or without it ever being so.
    early: u64,
    /// That are decided: the point surely gets in, or surely stays away.
    certain: u64,
    stopped: u64,
    /// The largest distance stated, as a share of the largest that may be.
    within: f64,
}

impl Seen {
    fn joined(self, other: Self) -> Self {
        Self {
            queries: self.queries + other.queries,
            contacts: self.contacts + other.contacts,
            missed: self.missed + other.missed,
            late: self.late + other.late,
            early: self.early + other.early,
            certain: self.certain + other.certain,
            stopped: self.stopped + other.stopped,
            within: self.within.max(other.within),
        }
    }
}

/// Asks all ways of a subject so many queries, at rest and moving, at all precisions. Of a hundred searches `stopped` at
/// most may end without an answer.
pub fn check(subject: &Subject, queries: u32, seed: u64, stopped: u64) {
    let none = || vec![Seen::default(); subject.ways.len()];
    let joined = |a: Vec<Seen>, b: Vec<Seen>| a.into_iter().zip(b).map(|(a, b)| a.joined(b)).collect();
    let seen = (0..queries as usize).into_par_iter().map(|number| one(subject, number, seed)).reduce(none, joined);
    for ((way, _), seen) in subject.ways.iter().zip(&seen) {
        let name = format!("{} as {way}", subject.name);
        let Seen { queries, contacts, missed, late, early, certain, stopped: ended, within } = *seen;
        println!(
            "{name}: {queries} queries, {contacts} contacts, {missed} missed, {late} late, {early} early, {ended} stopped, \
             {certain} certain, within {within:.3} of what may be stated"
        );
        assert_eq!([missed, late, early], [0; 3], "{name}");
        assert!(within <= 1.0, "{name}: {within}");
        assert!(contacts > queries / 5 && certain > queries / 2, "{name}: {seen:?}");
        assert!(100 * ended <= stopped * queries, "{name}: {seen:?}");
    }
}

/// One query to all ways.
fn one(subject: &Subject, number: usize, seed: u64) -> Vec<Seen> {
    let mut random = SplitMix::new(seed ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    // Every family with every precision, at rest and moving.
    let family = FAMILIES[number % FAMILIES.len()];
    let turn = number / FAMILIES.len();
    let (is_moving, precision) = (turn % 2 == 1, PRECISIONS[turn / 2 % PRECISIONS.len()] * subject.size);
    let motion = query(&mut random, family, &*subject.ways[0].1, subject.size, is_moving);
    let most = most_within(&motion, ALL, precision);
    let truth = motion.first_inside(&subject.region, DURATION);
    let around = grown(&(subject.region.clone(), Pose::IDENTITY), most + rounding(&motion, ALL));
    let near = motion.first_inside(&Region::Union(vec![around]), DURATION);
    let ask = |(way, solid): &(&'static str, Arc<dyn Solid>)| {
        let found = answer(&**solid, &motion, ALL, precision);
        let mut seen = Seen { queries: 1, ..Seen::default() };
        seen.certain = u64::from(truth.by.is_some() || near.after == f64::INFINITY);
        let is_late = truth.by.is_some_and(|by| found.safe_until() > by);
        match &found.outcome {
            Outcome::Contact(contact) => {
                seen.contacts = 1;
                seen.late = u64::from(is_late);
                seen.early = u64::from(contact.time < near.after);
                seen.within = contact.within / most;
            }
            Outcome::Apart => seen.missed = u64::from(is_late),
            Outcome::Stopped { .. } => {
                seen.stopped = 1;
                seen.late = u64::from(is_late);
            }
        }
        if seen.missed + seen.late + seen.early > 0 {
            println!("{} as {way}, number {number}: {found:?}, {truth:?}, near {near:?}, {motion:?}", subject.name);
        }
        seen
    };
    subject.ways.iter().map(ask).collect()
}
