//! Many queries at once: most are told apart by a plane across an axis, and that is done for several side by side.

use super::RootFinder;
use super::filter::on_axis;
use crate::ccd::{Answer, CcdError, Kind, Queries, Query};
use crate::parallel::prelude::*;

/// Queries side by side.
const LANES: usize = 8;

/// Queries that a thread takes at once.
const SHARE: usize = 128 * LANES;

/// A number of each of the queries side by side.
type Lanes = [f64; LANES];

#[inline(always)]
fn each(a: Lanes, b: Lanes, f: impl Fn(f64, f64) -> f64) -> Lanes {
    std::array::from_fn(|i| f(a[i], b[i]))
}

impl RootFinder {
    /// Answers many queries on all threads of rayon, each as [`RootFinder::solve`] does, to the last bit.
    ///
    /// # Errors
    /// The first query that cannot be answered.
    pub fn solve_all(&self, queries: &Queries) -> Result<Vec<Answer>, CcdError> {
        let mut answers = vec![Answer::free(1); queries.len()];
        let failed = answers.par_chunks_mut(SHARE).enumerate().in_tasks_of(1).map(|(share, answers)| {
            let start = share * SHARE;
            self.solve_share(queries, start, answers).err().map(|(index, error)| (start + index, error))
        });
        match failed.flatten_iter().min_by_key(|&(index, _)| index) {
            None => Ok(answers),
            Some((index, error)) => Err(CcdError::AtQuery { index, error: Box::new(error) }),
        }
    }

    /// The queries from `start` on, one for each answer. An error comes with its place among them.
    fn solve_share(&self, queries: &Queries, start: usize, answers: &mut [Answer]) -> Result<(), (usize, CcdError)> {
        for (block, answers) in answers.chunks_mut(LANES).enumerate() {
            let first = block * LANES;
            let apart = if answers.len() == LANES { self.apart(queries, start + first) } else { [false; LANES] };
            for (lane, answer) in answers.iter_mut().enumerate().filter(|&(lane, _)| !apart[lane]) {
                let query = queries.get(start + first + lane);
                *answer = self.solve(&query).map_err(|error| (first + lane, error))?;
            }
        }
        Ok(())
    }

    /// Which of the queries are sound and apart along an axis: the first test of `root` side by side.
    #[inline(always)]
    fn apart(&self, queries: &Queries, from: usize) -> [bool; LANES] {
        let mut sound = [true; LANES];
        let mut apart = [false; LANES];
        for axis in 0..3 {
            let point = |i: usize| queries.lanes::<LANES>(3 * i + axis, from);
            let mut largest: Lanes = [0.0; LANES];
            let (mut lo, mut hi) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
            for time in [0, 4] {
                let p = [0, 1, 2, 3].map(|i| point(time + i));
                for p in &p {
                    for lane in 0..LANES {
                        // Not a number is not sound either.
                        sound[lane] &= p[lane].abs() <= Query::LARGEST;
                        largest[lane] = largest[lane].max(p[lane].abs());
                    }
                }
                let pairs: &[(usize, usize)] = match queries.kind() {
                    Kind::VertexFace => &[(0, 1), (0, 2), (0, 3)],
                    Kind::EdgeEdge => &[(0, 2), (0, 3), (1, 2), (1, 3)],
                };
                for &(i, j) in pairs {
                    let difference = each(p[i], p[j], |a, b| a - b);
                    lo = each(lo, difference, f64::min);
                    hi = each(hi, difference, f64::max);
                }
            }
            for lane in 0..LANES {
                let reach = on_axis(largest[lane], self.settings.separation);
                apart[lane] |= lo[lane] > reach || hi[lane] < -reach;
            }
        }
        std::array::from_fn(|lane| sound[lane] && apart[lane])
    }
}
