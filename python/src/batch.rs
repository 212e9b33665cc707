//! Many pairs of shapes on several threads, in parts, between which Python is asked whether it was interrupted.

use std::time::{Duration, Instant};

use drystone_contact::Pose;
use drystone_contact::parallel::prelude::*;
use drystone_contact::shape::Shape;
use pyo3::prelude::*;

use crate::arrays::{indices, poses};
use crate::failure::{Failure, Outcome};
use crate::shape::PyShape;
use crate::threads;

/// How long a part computes.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Pairs that one thread takes at a time.
const PAIRS_PER_TASK: usize = 16;

/// Placed shapes in pairs.
pub struct Pairs<'a> {
    /// The shapes.
    pub shapes: Vec<&'a Shape>,
    /// For A and for B: the numbers of the shapes, and their poses.
    ends: [(Vec<usize>, Vec<Pose>); 2],
}

impl<'a> Pairs<'a> {
    /// From the arguments of a batch.
    ///
    /// # Errors
    /// [`Failure::Value`] of arrays that do not fit together, [`Failure::Index`] of a number of no shape.
    pub fn new(
        shapes: &'a [Bound<'_, PyShape>],
        [a, b]: [&Bound<'_, PyAny>; 2],
        [poses_a, poses_b]: [&Bound<'_, PyAny>; 2],
    ) -> Outcome<Self> {
        let shapes: Vec<&Shape> = shapes.iter().map(|shape| &*shape.get().0).collect();
        let ends = [
            (indices(a, "a", shapes.len())?, poses(poses_a, "poses_a")?),
            (indices(b, "b", shapes.len())?, poses(poses_b, "poses_b")?),
        ];
        let count = ends[0].0.len();
        for (length, name) in [(ends[0].1.len(), "poses_a"), (ends[1].0.len(), "b"), (ends[1].1.len(), "poses_b")] {
            if length != count {
                let message = format!("{name} has {length} rows and a has {count}; there must be one a pair");
                return Err(Failure::Value(message));
            }
        }
        Ok(Self { shapes, ends })
    }

    /// How many pairs there are.
    pub fn count(&self) -> usize {
        self.ends[0].0.len()
    }

    /// Does `one` for each pair, with room for its words and a workspace; `take` gets the words of pairs in their order, with how many each
    /// pair has.
    ///
    /// # Errors
    /// That of the first pair that has one, whatever the threads did; `KeyboardInterrupt`.
    pub fn each<W: Default>(
        &self,
        py: Python<'_>,
        threads: usize,
        one: impl Fn([(&Shape, Pose); 2], &mut Vec<u64>, &mut W) -> Outcome<()> + Sync,
        mut take: impl FnMut(&[usize], Vec<u64>),
    ) -> Outcome<()> {
        let placed = |end: usize, pair: usize| (self.shapes[self.ends[end].0[pair]], self.ends[end].1[pair]);
        let task = |first: usize, last: usize| -> Outcome<(Vec<usize>, Vec<u64>)> {
            let (mut workspace, mut words, mut counts) = (W::default(), Vec::new(), Vec::with_capacity(last - first));
            for pair in first..last {
                let before = words.len();
                one([placed(0, pair), placed(1, pair)], &mut words, &mut workspace)
                    .map_err(|error| error.at(&format!("pair {pair}")))?;
                counts.push(words.len() - before);
            }
            Ok((counts, words))
        };
        let count = self.count();
        let (mut first, mut size) = (0, PAIRS_PER_TASK * threads);
        while first < count {
            let last = count.min(first + size);
            let start = Instant::now();
            let firsts: Vec<usize> = (first..last).step_by(PAIRS_PER_TASK).collect();
            let found = threads::released(py, threads, || {
                let begun =
                    firsts.par_iter().in_tasks_of(1).map(|&begin| task(begin, last.min(begin + PAIRS_PER_TASK)));
                let found: Vec<_> = begun.collect();
                found.into_iter().collect::<Outcome<Vec<_>>>()
            })?;
            found.into_iter().for_each(|(counts, words)| take(&counts, words));
            py.check_signals()?;
            first = last;
            // Twice as many at most, as pairs differ.
            let per_look = BETWEEN_LOOKS.as_secs_f64() / start.elapsed().as_secs_f64().max(1e-9);
            size = ((size as f64 * per_look.clamp(0.1, 2.0)) as usize).max(PAIRS_PER_TASK);
        }
        Ok(())
    }
}
