//! Continuous collision detection of many pairs of moving features.

use std::time::Instant;

use drystone_contact::ccd::{
    self, Answer, CcdError, Kind, METHODS, Metric, Outcome as Meeting, Queries, RootFinder, Settings,
};
use drystone_contact::parallel::prelude::*;
use numpy::ndarray::{ArrayView3, s};
use pyo3::prelude::*;

use crate::arrays::{frozen, shaped, three_dimensional};
use crate::failure::{Failure, Outcome};
use crate::interrupt::BETWEEN_LOOKS;
use crate::threads;

/// Queries of the first part of a batch.
const FIRST: usize = 4096;

/// Queries of a part at most for each thread: their coordinates take 1.5 MB.
const MOST: usize = 8 * 1024;

/// For so many threads at most.
const MOST_THREADS: usize = 32;

impl From<CcdError> for Failure {
    fn from(error: CcdError) -> Self {
        Self::Value(error.to_string())
    }
}

/// When moving features meet: a vertex and a triangle each, or two edges, whose points move in straight lines from t = 0 to t = 1.
///
/// Args:
///     kind: ``"vertex-face"`` or ``"edge-edge"``.
///     start: The four points of each query at t = 0, m, shape (n, 4, 3): the vertex and the corners of the triangle, or the ends of the
///         first and those of the second edge.
///     end: The same points at t = 1.
///     method: ``"inclusion"`` (no meeting is missed and no time is late) or ``"exact"`` (nor is one invented).
///     tolerance: Features that come this near, m, may be told to meet.
///     checks: How many boxes are looked at before a search stops with an early time.
///     t_max: The search is for meetings up to this time, at most 1.
///     separation: Features that are no farther apart than this, m, count as touching.
///     metric: How the separation is measured: ``"chebyshev"`` (largest coordinate) or ``"euclidean"``.
///     exact_after: After so many checks the question is decided in integers; ``None`` for never.
///     threads: How many threads work; one a core by default. The call can be interrupted by Ctrl-C.
///
/// Returns:
///     Three arrays (n,): whether they may meet; the time before which they surely do not, infinite where they do not meet at all; and the
///     time where the search ended, infinite where it stopped before it found out.
///
/// Raises:
///     ValueError: A coordinate is not finite, or a setting is out of range.
///
/// >>> import drystone as ds
/// >>> start = [[[0, 0, 0], [1, 0, 0], [0.5, 1, -1], [0.5, 1, 1]]]
/// >>> end = [[[0, 2, 0], [1, 2, 0], [0.5, 1, -1], [0.5, 1, 1]]]
/// >>> hit, lo, hi = ds.ccd("edge-edge", start, end)
/// >>> bool(hit[0]), bool(lo[0] <= 0.5 <= hi[0])
/// (True, True)
#[pyfunction]
#[pyo3(name = "ccd", signature = (kind, start, end, /, *, method = "inclusion", tolerance = 1e-6, checks = 1_000_000, t_max = 1.0, separation = 0.0, metric = "chebyshev", exact_after = None, threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn find_meetings<'py>(
    py: Python<'py>,
    kind: &str,
    start: &Bound<'py, PyAny>,
    end: &Bound<'py, PyAny>,
    method: &str,
    tolerance: f64,
    checks: u64,
    t_max: f64,
    separation: f64,
    metric: &str,
    exact_after: Option<u64>,
    threads: Option<usize>,
) -> Outcome<[Bound<'py, PyAny>; 3]> {
    let kind = match kind {
        "vertex-face" => Kind::VertexFace,
        "edge-edge" => Kind::EdgeEdge,
        _ => return Err(Failure::Value(format!("kind is '{kind}'; it must be 'vertex-face' or 'edge-edge'"))),
    };
    let metric = match metric {
        "chebyshev" => Metric::Chebyshev,
        "euclidean" => Metric::Euclidean,
        _ => return Err(Failure::Value(format!("metric is '{metric}'; it must be 'chebyshev' or 'euclidean'"))),
    };
    let settings = Settings { tolerance, checks, t_max, separation, metric, exact_after };
    let threads = threads::count(threads)?;
    let solver = Solver::new(method, settings)?;
    // Both times lie in one block, which the allocator keeps for the next call: of two it would give one back to the system.
    let (mut hits, mut times) = (Vec::new(), Vec::new());
    three_dimensional(start, "start", |start| {
        three_dimensional(end, "end", |end| {
            for (array, name) in [(&start, "start"), (&end, "end")] {
                let (count, points, axes) = array.dim();
                if (points, axes) != (4, 3) || count != start.dim().0 {
                    let expected = start.dim().0;
                    let shape = format!("({count}, {points}, {axes})");
                    return Err(Failure::Value(format!("{name} has the shape {shape}; it must be ({expected}, 4, 3)")));
                }
            }
            let count = start.dim().0;
            hits.reserve(count);
            times.resize(2 * count, 0.0);
            let (los, his) = times.split_at_mut(count);
            let (mut first, mut size, mut part) = (0, FIRST, Queries::new(kind));
            while first < count {
                let last = count.min(first + size);
                let begin = Instant::now();
                fill(&mut part, [start, end].map(|array| array.slice_move(s![first..last, .., ..])))?;
                let answers =
                    threads::released(py, threads, || solver.solve(&part).map_err(|error| from(first, error).into()))?;
                for ((answer, lo), hi) in answers.iter().zip(&mut los[first..]).zip(&mut his[first..]) {
                    (*lo, *hi) = match answer.outcome {
                        Meeting::Free => (f64::INFINITY, f64::INFINITY),
                        Meeting::Impact { lo, hi } => (lo, hi),
                        Meeting::Stopped { t } => (t, f64::INFINITY),
                    };
                    hits.push(answer.outcome.is_impact());
                }
                py.check_signals()?;
                first = last;
                let per_look = BETWEEN_LOOKS.as_secs_f64() / begin.elapsed().as_secs_f64().max(1e-9);
                size = ((size as f64 * per_look.clamp(0.1, 2.0)) as usize).clamp(64, MOST * threads.min(MOST_THREADS));
            }
            Ok(())
        })
    })?;
    let count = hits.len();
    let times = shaped(py, times, &[2, count])?;
    Ok([frozen(py, hits).into_any(), times.get_item(0)?, times.get_item(1)?])
}

/// The method that answers.
enum Solver {
    Inclusion(RootFinder),
    Other(Box<dyn ccd::Method>),
}

impl Solver {
    fn new(name: &str, settings: Settings) -> Result<Self, CcdError> {
        if name == RootFinder::NAME {
            return RootFinder::new(settings).map(Self::Inclusion);
        }
        ccd::method(&METHODS, name, settings).map(Self::Other)
    }

    fn solve(&self, queries: &Queries) -> Result<Vec<Answer>, CcdError> {
        match self {
            Self::Inclusion(finder) => finder.solve_all(queries),
            Self::Other(method) => {
                let one = |index| {
                    let at = |error| CcdError::AtQuery { index, error: Box::new(error) };
                    method.solve(&queries.get(index)).map_err(at)
                };
                let answers: Vec<_> = (0..queries.len()).into_par_iter().in_tasks_of(1).map(one).collect();
                answers.into_iter().collect()
            }
        }
    }
}

/// The same error, counted from the start of the whole batch.
fn from(first: usize, error: CcdError) -> CcdError {
    match error {
        CcdError::AtQuery { index, error } => CcdError::AtQuery { index: first + index, error },
        other => other,
    }
}

/// Puts queries in the place of others, coordinate by coordinate, as the solver wants them.
fn fill(queries: &mut Queries, points: [ArrayView3<'_, f64>; 2]) -> Result<(), CcdError> {
    let [start, end] = points.each_ref().map(|array| array.as_standard_layout());
    let [start, end] = [&start, &end].map(|array| array.as_slice().unwrap_or_default().as_chunks().0);
    queries.set_points(start, end)
}
