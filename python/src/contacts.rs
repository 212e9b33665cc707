//! Contacts of two shapes, and of many pairs on several threads.

use std::cell::Cell;
use std::time::{Duration, Instant};

use drystone_contact::generator::{Generator, Placed};
use drystone_contact::parallel::prelude::*;
use drystone_contact::shape::Shape;
use drystone_contact::{Pose, Twist};
use pyo3::prelude::*;

use crate::arrays::{frozen, pose};
use crate::batch::{Pairs, Room};
use crate::contact_array::{self, WORDS};
use crate::failure::{Failure, Outcome};
use crate::method::method_or_default;
use crate::shape::PyShape;
use crate::threads;

/// After a call that has taken so long its memory is given back: the next one has little use of it, and it may be much.
const LONG: Duration = Duration::from_millis(1);

thread_local! {
    /// That for calls of [`contacts`] by this thread: a short call that has to ask for all of it takes twice as long.
    static ROOM: Cell<Option<Box<Room>>> = const { Cell::new(None) };
}

/// The contacts of two shapes.
///
/// Args:
///     a: The shape that normals point away from.
///     pose_a: Its pose, shape (4, 4).
///     b: The other shape.
///     pose_b: Its pose.
///     method: How contacts are found; semi-local by default.
///
/// Returns:
///     An array of :data:`drystone.CONTACT`, shape (n,), read-only, in a fixed order.
///
/// Raises:
///     GeneratorError: The method cannot serve a shape.
///     ValueError: A pose is no rigid motion.
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, /, method = None))]
pub fn contacts<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyShape>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyShape>,
    pose_b: &Bound<'py, PyAny>,
    method: Option<&Bound<'py, PyAny>>,
) -> Outcome<Bound<'py, PyAny>> {
    let method = method_or_default(method)?;
    let (pose_a, pose_b) = (pose(pose_a, "pose_a")?, pose(pose_b, "pose_b")?);
    let (a, b) = (&*a.get().0, &*b.get().0);
    let words = threads::released(py, 1, || {
        let generator = &**method.generator();
        generator.prepare(a)?;
        generator.prepare(b)?;
        let start = Instant::now();
        // After an error or a panic it is dropped.
        let mut room = ROOM.take().unwrap_or_default();
        let mut words = Vec::new();
        find(generator, [(a, pose_a), (b, pose_b)], &mut room, &mut words)?;
        if start.elapsed() < LONG {
            ROOM.set(Some(room));
        }
        Ok(words)
    })?;
    Ok(contact_array::array(py, words)?)
}

/// The contacts of many pairs of shapes. Results do not depend on the number of threads.
///
/// Args:
///     shapes: The shapes.
///     a: The number of the first shape of each pair, shape (n,).
///     poses_a: Its pose, shape (n, 4, 4).
///     b: The number of the second shape of each pair.
///     poses_b: Its pose.
///     method: How contacts are found; semi-local by default.
///     threads: How many threads work; one a core by default. The call can be interrupted by Ctrl-C.
///
/// Returns:
///     All contacts as an array of :data:`drystone.CONTACT`, and offsets, shape (n + 1,): those of pair k are
///     ``contacts[offsets[k]:offsets[k + 1]]``.
///
/// Raises:
///     GeneratorError: The method cannot serve a shape.
///     IndexError: A number is that of no shape.
///     ValueError: Arrays do not fit together, or a pose is no rigid motion.
///
/// >>> import drystone as ds, numpy as np
/// >>> ball = ds.Shape.ball(1.0)
/// >>> heights = np.array([1.9, 3.0])
/// >>> at = ds.pose(np.outer(heights, [0, 1, 0]))
/// >>> found, offsets = ds.contacts_many([ball], [0, 0], np.broadcast_to(ds.pose(), (2, 4, 4)), [0, 0], at)
/// >>> offsets.tolist()
/// [0, 1, 1]
#[pyfunction]
#[pyo3(signature = (shapes, a, poses_a, b, poses_b, /, method = None, *, threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn contacts_many<'py>(
    py: Python<'py>,
    shapes: Vec<Bound<'py, PyShape>>,
    a: &Bound<'py, PyAny>,
    poses_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    poses_b: &Bound<'py, PyAny>,
    method: Option<&Bound<'py, PyAny>>,
    threads: Option<usize>,
) -> Outcome<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let method = method_or_default(method)?;
    let threads = threads::count(threads)?;
    let pairs = Pairs::new(&shapes, [a, b], [poses_a, poses_b])?;
    let generator = &**method.generator();
    threads::released(py, threads, || {
        let prepare = |(k, shape): (usize, &&Shape)| {
            generator.prepare(shape).map_err(|error| Failure::from(error).at(&format!("shapes[{k}]")))
        };
        let prepared: Vec<Outcome<()>> = pairs.shapes.par_iter().enumerate().in_tasks_of(1).map(prepare).collect();
        prepared.into_iter().collect::<Outcome<()>>()
    })?;
    let mut all = Vec::new();
    let mut offsets = Vec::with_capacity(pairs.count() + 1);
    offsets.push(0_i64);
    let one = |ends: [(&Shape, Pose); 2], words: &mut Vec<u64>, room: &mut Room| find(generator, ends, room, words);
    pairs.each(py, threads, &one, &mut |counts, words| {
        all.extend_from_slice(words);
        for count in counts {
            offsets.push(offsets[offsets.len() - 1] + (count / WORDS) as i64);
        }
    })?;
    Ok((contact_array::array(py, all)?, frozen(py, offsets).into_any()))
}

/// Appends the contacts of two placed shapes as words.
fn find(
    generator: &dyn Generator,
    [a, b]: [(&Shape, Pose); 2],
    (workspace, contacts): &mut Room,
    words: &mut Vec<u64>,
) -> Outcome<()> {
    let placed = |(shape, pose)| Placed { shape, pose, twist: Twist::default() };
    contacts.clear();
    generator.contacts_into(&placed(a), &placed(b), &[], workspace, contacts)?;
    words.reserve(contacts.len() * WORDS);
    contacts.iter().for_each(|contact| contact_array::push(words, contact));
    Ok(())
}
