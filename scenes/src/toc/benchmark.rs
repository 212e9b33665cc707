//! What each way of enclosing a path costs and misses, on the same queries.

use std::time::Instant;

use drystone_contact::ccd::time_of_contact::{
    Bound, Boxes, Outcome, RigidPath, TimeOfContact, TocError, TocSettings, determine_toc,
};
use drystone_contact::parallel::prelude::*;
use drystone_contact::shape::ShapeError;
use drystone_contact::split_mix::SplitMix;
use serde::Serialize;
use thiserror::Error;

use super::case::{Case, KINDS, case};
use super::decider::{MovingPoint, Truth};
use super::query::{DURATION, FAMILIES, Family, query};

/// A way of looking for times of contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Variant {
    /// Its name in tables.
    pub name: &'static str,
    /// The bound of the deviation.
    pub bound: Bound,
    /// What encloses the path.
    pub boxes: Boxes,
}

/// The corrected algorithm first, then what the paper prints.
pub const VARIANTS: [Variant; 6] = [
    Variant { name: "exact bound", bound: Bound::Exact, boxes: Boxes::Chord },
    Variant { name: "reading A", bound: Bound::ReadingA, boxes: Boxes::Chord },
    Variant { name: "reading B", bound: Bound::ReadingB, boxes: Boxes::Chord },
    Variant { name: "printed box, A", bound: Bound::ReadingA, boxes: Boxes::Printed },
    Variant { name: "printed box, B", bound: Bound::ReadingB, boxes: Boxes::Printed },
    Variant { name: "without boxes", bound: Bound::Exact, boxes: Boxes::Without },
];

/// What to measure.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Queries of each kind.
    pub queries: usize,
    /// As a share of the size of the solid.
    pub precision: f64,
    /// Whether solids move.
    pub is_moving: bool,
    /// Solids are a metre large or up to so many times more or less.
    pub scales: f64,
    /// Of the random numbers.
    pub seed: u64,
}

/// What one variant did on the queries of one kind of solid.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Queries asked.
    pub queries: u64,
    /// Contacts found.
    pub contacts: u64,
    /// Queries with a certain contact that were said to have none.
    pub missed: u64,
    /// Contacts reported after the point surely was inside.
    pub late: u64,
    /// Contacts reported where the path surely stays outside: it comes within the stated distance at most.
    pub near: u64,
    /// Searches that stopped early, with a time until which they are sure.
    pub stopped: u64,
    /// Searches whose sure time is after the point surely was inside.
    pub unsure: u64,
    /// Boxes or chords tested.
    pub tests: u64,
    /// Intervals whose chord was farther from the path than the precision.
    pub curved: u64,
    /// The largest distance at a contact that is stated ([`drystone_contact::ccd::time_of_contact::Contact::within`]), in precisions.
    pub within: f64,
    /// All together, s; not part of what is compared.
    pub seconds: f64,
}

/// The tallies of one kind of solid, in the order of the variants.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Of [`KINDS`].
    pub kind: String,
    /// One for each variant.
    pub tallies: Vec<Tally>,
}

/// What cannot be measured.
#[derive(Debug, Error)]
pub enum BenchmarkError {
    /// No such kind.
    #[error("\"{0}\" has no certified answers; known are: half-space, ball, box, cylinder, cone, torus")]
    Kind(String),
    /// A solid cannot be made.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A query is refused.
    #[error(transparent)]
    Query(#[from] TocError),
}

/// A query, its solid and the certified answer.
pub struct Sample {
    /// The solid.
    pub case: Case,
    /// The motion.
    pub motion: MovingPoint,
    /// What is hard about it.
    pub family: Family,
    /// The certified answer.
    pub truth: Truth,
}

/// The query of a number, the same each time.
///
/// # Errors
/// [`ShapeError`].
pub fn sample(kind: &str, number: usize, plan: &Plan) -> Result<Sample, ShapeError> {
    let mut random = SplitMix::new(plan.seed ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let case = case(kind, &mut random, plan.scales)?;
    let family = FAMILIES[number % FAMILIES.len()];
    let motion = query(&mut random, family, &*case.solid, case.size, plan.is_moving);
    let truth = motion.first_inside(&case.region, DURATION);
    Ok(Sample { case, motion, family, truth })
}

/// A query that has tested so many boxes counts as stopped.
pub const MOST_BOXES: u32 = 10_000;

/// The answer of a variant to a query.
///
/// # Errors
/// [`TocError`].
pub fn answer(sample: &Sample, variant: &Variant, precision: f64) -> Result<TimeOfContact, TocError> {
    let MovingPoint { solid, body, point } = &sample.motion;
    let settings = TocSettings {
        precision: precision * sample.case.size,
        bound: variant.bound,
        boxes: variant.boxes,
        max_boxes: MOST_BOXES,
    };
    let path = RigidPath::new(solid, body)?;
    determine_toc(&*sample.case.solid, &path.point(*point), [0.0, DURATION], &settings)
}

impl Tally {
    /// Counts an answer.
    pub fn count(&mut self, truth: &Truth, found: &TimeOfContact, precision: f64) {
        self.queries += 1;
        self.tests += u64::from(found.counts.tests);
        self.curved += u64::from(found.counts.curved);
        let is_after = |time: f64| truth.by.is_some_and(|by| time > by);
        match &found.outcome {
            Outcome::Contact(contact) => {
                self.contacts += 1;
                self.late += u64::from(is_after(contact.time));
                self.near += u64::from(truth.after == f64::INFINITY);
                self.within = self.within.max(contact.within / precision);
            }
            Outcome::Apart => self.missed += u64::from(truth.by.is_some()),
            Outcome::Stopped { time, .. } => {
                self.stopped += 1;
                self.unsure += u64::from(is_after(*time));
            }
        }
    }

    /// Both together.
    pub fn joined(mut self, other: &Self) -> Self {
        self.queries += other.queries;
        self.contacts += other.contacts;
        self.missed += other.missed;
        self.late += other.late;
        self.near += other.near;
        self.stopped += other.stopped;
        self.unsure += other.unsure;
        self.tests += other.tests;
        self.curved += other.curved;
        self.within = self.within.max(other.within);
        self.seconds += other.seconds;
        self
    }
}

/// Queries that one thread takes at a time ([`measure`]).
pub const CHUNK: usize = 500;

/// Asks every variant every query of one kind. `goes_on` is asked after each [`CHUNK`] of queries; `None` if it says no.
///
/// # Errors
/// [`BenchmarkError`].
pub fn measure(
    kind: &str,
    plan: &Plan,
    variants: &[Variant],
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Row>, BenchmarkError> {
    if !KINDS.contains(&kind) {
        return Err(BenchmarkError::Kind(kind.into()));
    }
    let chunk = |first: usize| -> Result<Option<Vec<Tally>>, BenchmarkError> {
        let numbers = first..(first + CHUNK).min(plan.queries);
        let samples = numbers.map(|n| sample(kind, n, plan)).collect::<Result<Vec<_>, _>>()?;
        let tally = |variant: &Variant| -> Result<Tally, BenchmarkError> {
            let start = Instant::now();
            let answers = samples.iter().map(|s| answer(s, variant, plan.precision)).collect::<Result<Vec<_>, _>>()?;
            let mut tally = Tally { seconds: start.elapsed().as_secs_f64(), ..Tally::default() };
            for (sample, found) in samples.iter().zip(&answers) {
                tally.count(&sample.truth, found, plan.precision * sample.case.size);
            }
            Ok(tally)
        };
        let tallies = variants.iter().map(tally).collect::<Result<Vec<_>, _>>()?;
        Ok(goes_on().then_some(tallies))
    };
    let firsts: Vec<usize> = (0..plan.queries).step_by(CHUNK).collect();
    let chunks = firsts.into_par_iter().in_tasks_of(1).map(chunk).collect::<Result<Option<Vec<_>>, _>>()?;
    let Some(chunks) = chunks else { return Ok(None) };
    let none = vec![Tally::default(); variants.len()];
    let tallies =
        chunks.iter().fold(none, |sums, chunk| sums.into_iter().zip(chunk).map(|(a, b)| a.joined(b)).collect());
    Ok(Some(Row { kind: kind.into(), tallies }))
}
