//! The closest points of shapes: by V-Clip of convex polyhedra, with a certificate.

use drystone_contact::Pose;
use drystone_contact::query::{Proximity, QueryError, closest_points};
use drystone_contact::shape::Shape;
use glam::DVec3;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::arrays::{pose, records};
use crate::batch::{Pairs, Room};
use crate::failure::{Failure, Outcome};
use crate::shape::PyShape;
use crate::threads;

/// Eight-byte numbers of an answer.
const WORDS: usize = 10;

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        Self::Value(error.to_string())
    }
}

/// Appends what is found of a pair.
fn find([a, b]: [(&Shape, Pose); 2], max_distance: f64, words: &mut Vec<u64>) -> Outcome<()> {
    push(words, &closest_points([a.0, b.0], [&a.1, &b.1], max_distance)?);
    Ok(())
}

/// Appends closest points as the fields of `drystone.CLOSEST`.
pub fn push(words: &mut Vec<u64>, found: &Proximity) {
    let (distance, points, normal) = match found {
        Proximity::Apart(closest) => (closest.distance, closest.points, closest.normal),
        Proximity::Overlapping => (0.0, [DVec3::NAN; 2], DVec3::NAN),
        Proximity::Beyond => (f64::INFINITY, [DVec3::NAN; 2], DVec3::NAN),
    };
    words.push(distance.to_bits());
    words.extend([points[0], points[1], normal].iter().flat_map(DVec3::to_array).map(f64::to_bits));
}

/// Fields as an array.
///
/// # Errors
/// None that are known.
pub fn array<'py>(py: Python<'py>, words: Vec<u64>) -> PyResult<Bound<'py, PyAny>> {
    static CLOSEST: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let kind = CLOSEST.import(py, "drystone._closest", "CLOSEST")?;
    records(words, kind)
}

/// The closest points of two shapes: of convex polyhedra by V-Clip, with a certificate; of other convex shapes by their support functions;
/// of other surfaces triangle by triangle.
///
/// Args:
///     a: A shape.
///     pose_a: Its pose, shape (4, 4).
///     b: The other shape.
///     pose_b: Its pose.
///     max_distance: How far apart they are looked for, m.
///
/// Returns:
///     One element of :data:`drystone.CLOSEST`. The distance is zero if they overlap, and infinite beyond ``max_distance``.
///
/// Raises:
///     ValueError: A pose is no rigid motion.
///
/// >>> import drystone as ds
/// >>> cube = ds.Shape.box((1, 1, 1))
/// >>> found = ds.closest(cube, ds.pose(), cube, ds.pose((0, 1.25, 0)))
/// >>> float(found["distance"]), found["normal"].tolist()
/// (0.25, [0.0, 1.0, 0.0])
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, /, *, max_distance = f64::INFINITY))]
pub fn closest<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyShape>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyShape>,
    pose_b: &Bound<'py, PyAny>,
    max_distance: f64,
) -> Outcome<Bound<'py, PyAny>> {
    let (pose_a, pose_b) = (pose(pose_a, "pose_a")?, pose(pose_b, "pose_b")?);
    let (a, b) = (&*a.get().0, &*b.get().0);
    let mut words = Vec::with_capacity(WORDS);
    let words = threads::released(py, 1, || {
        find([(a, pose_a), (b, pose_b)], max_distance, &mut words)?;
        Ok(words)
    })?;
    Ok(array(py, words)?.get_item(0)?)
}

/// The closest points of many pairs of shapes.
///
/// Args:
///     shapes: The shapes.
///     a: The number of the first shape of each pair, shape (n,).
///     poses_a: Its pose, shape (n, 4, 4).
///     b: The number of the second shape of each pair.
///     poses_b: Its pose.
///     max_distance: How far apart they are looked for, m.
///     threads: How many threads work; one a core by default. The call can be interrupted by Ctrl-C.
///
/// Returns:
///     An array of :data:`drystone.CLOSEST`, shape (n,), as of :func:`closest`.
///
/// Raises:
///     IndexError: A number is that of no shape.
///     ValueError: Arrays do not fit together, or a pose is no rigid motion.
#[pyfunction]
#[pyo3(signature = (shapes, a, poses_a, b, poses_b, /, *, max_distance = f64::INFINITY, threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn closest_many<'py>(
    py: Python<'py>,
    shapes: Vec<Bound<'py, PyShape>>,
    a: &Bound<'py, PyAny>,
    poses_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    poses_b: &Bound<'py, PyAny>,
    max_distance: f64,
    threads: Option<usize>,
) -> Outcome<Bound<'py, PyAny>> {
    let pairs = Pairs::new(&shapes, [a, b], [poses_a, poses_b])?;
    let mut words = Vec::with_capacity(WORDS * pairs.count());
    let one = |ends: [(&Shape, Pose); 2], words: &mut Vec<u64>, _: &mut Room| find(ends, max_distance, words);
    pairs.each(py, threads::count(threads)?, &one, &mut |_, found| words.extend_from_slice(found))?;
    Ok(array(py, words)?)
}
