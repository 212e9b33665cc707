//! How far shapes are in each other, by their surfaces and not by contacts.

use drystone_contact::Pose;
use drystone_contact::overlap::{OverlapError, components};
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
const WORDS: usize = 5;

impl From<OverlapError> for Failure {
    fn from(error: OverlapError) -> Self {
        Self::Value(error.to_string())
    }
}

/// Appends the overlap of a pair as the fields of `drystone.OVERLAP`.
fn find([(a, pose_a), (b, pose_b)]: [(&Shape, Pose); 2], words: &mut Vec<u64>) -> Outcome<()> {
    let parts = components(a, b, &(pose_a.inverse() * pose_b))?;
    let deepest = parts.iter().max_by(|one, other| one.depth.total_cmp(&other.depth));
    let position = deepest.map_or(DVec3::NAN, |part| pose_a.transform_point(part.middle()));
    let volume: f64 = parts.iter().map(|part| part.volume).sum();
    push(words, deepest.map_or(0.0, |part| part.depth), volume, position);
    Ok(())
}

/// Appends an overlap as the fields of `drystone.OVERLAP`.
pub fn push(words: &mut Vec<u64>, depth: f64, volume: f64, position: DVec3) {
    words.extend([depth, volume, position.x, position.y, position.z].map(f64::to_bits));
}

fn array<'py>(py: Python<'py>, words: Vec<u64>) -> PyResult<Bound<'py, PyAny>> {
    static OVERLAP: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let kind = OVERLAP.import(py, "drystone._overlap", "OVERLAP")?;
    records(words, kind)
}

/// How far two shapes are in each other, measured by their surfaces alone: nothing of it is shared with the methods that find contacts. Of
/// polyhedra depth and volume are exact up to rounding; of curved solids they are of triangles inscribed, at most 1 % too little.
///
/// Args:
///     a: A shape.
///     pose_a: Its pose, shape (4, 4).
///     b: The other shape.
///     pose_b: Its pose.
///
/// Returns:
///     One element of :data:`drystone.OVERLAP`. Depth and volume are zero if the shapes are apart or only touch.
///
/// Raises:
///     ValueError: A pose is no rigid motion, or the overlap of such shapes cannot be measured.
///
/// >>> import drystone as ds
/// >>> cube = ds.Shape.box((1, 1, 1))
/// >>> found = ds.overlap(cube, ds.pose(), cube, ds.pose((0, 0.75, 0.5)))
/// >>> float(found["depth"]), float(found["volume"]), found["position"].tolist()
/// (0.25, 0.125, [0.0, 0.375, 0.25])
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, /))]
pub fn overlap<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyShape>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyShape>,
    pose_b: &Bound<'py, PyAny>,
) -> Outcome<Bound<'py, PyAny>> {
    let (pose_a, pose_b) = (pose(pose_a, "pose_a")?, pose(pose_b, "pose_b")?);
    let (a, b) = (&*a.get().0, &*b.get().0);
    let mut words = Vec::with_capacity(WORDS);
    let words = threads::released(py, 1, || {
        find([(a, pose_a), (b, pose_b)], &mut words)?;
        Ok(words)
    })?;
    Ok(array(py, words)?.get_item(0)?)
}

/// How far the shapes of many pairs are in each other.
///
/// Args:
///     shapes: The shapes.
///     a: The number of the first shape of each pair, shape (n,).
///     poses_a: Its pose, shape (n, 4, 4).
///     b: The number of the second shape of each pair.
///     poses_b: Its pose.
///     threads: How many threads work; one a core by default. The call can be interrupted by Ctrl-C.
///
/// Returns:
///     An array of :data:`drystone.OVERLAP`, shape (n,), as of :func:`overlap`.
///
/// Raises:
///     IndexError: A number is that of no shape.
///     ValueError: Arrays do not fit together, a pose is no rigid motion, or an overlap cannot be measured.
#[pyfunction]
#[pyo3(signature = (shapes, a, poses_a, b, poses_b, /, *, threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn overlap_many<'py>(
    py: Python<'py>,
    shapes: Vec<Bound<'py, PyShape>>,
    a: &Bound<'py, PyAny>,
    poses_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    poses_b: &Bound<'py, PyAny>,
    threads: Option<usize>,
) -> Outcome<Bound<'py, PyAny>> {
    let pairs = Pairs::new(&shapes, [a, b], [poses_a, poses_b])?;
    let mut words = Vec::with_capacity(WORDS * pairs.count());
    let one = |ends: [(&Shape, Pose); 2], words: &mut Vec<u64>, _: &mut Room| find(ends, words);
    pairs.each(py, threads::count(threads)?, &one, &mut |_, found| words.extend_from_slice(found))?;
    Ok(array(py, words)?)
}
