//! The normal-cone filter on arrays of contacts.

use drystone_contact::Twist;
use drystone_contact::generator::Placed;
use drystone_contact::generator::cone_filter::{ConeFilter, Sides, Verdict};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::arrays::{pose, records};
use crate::contact_array;
use crate::failure::{Failure, Outcome};
use crate::method::method_or_default;
use crate::shape::PyShape;
use crate::threads;

/// The sides of a name.
pub fn sides(name: &str, value: &str) -> Outcome<Sides> {
    match value {
        "both" => Ok(Sides::Both),
        "a" => Ok(Sides::A),
        "b" => Ok(Sides::B),
        other => Err(Failure::Value(format!("{name} is '{other}'; it must be 'both', 'a' or 'b'"))),
    }
}

/// A verdict as the fields of `drystone.VERDICT`.
fn word(verdict: Verdict) -> u64 {
    let (kept, by, into) = match verdict {
        Verdict::Kept => (true, None, -1),
        Verdict::Rejected { by } => (false, Some(by), -1),
        // There are no so many contacts.
        Verdict::Merged { into } => (false, None, i32::try_from(into).unwrap_or(i32::MAX)),
    };
    let mut bytes = [0; 8];
    bytes[0] = u8::from(kept);
    bytes[1] = u8::from(matches!(by, Some(Sides::A | Sides::Both)));
    bytes[2] = u8::from(matches!(by, Some(Sides::B | Sides::Both)));
    bytes[4..].copy_from_slice(&into.to_ne_bytes());
    u64::from_ne_bytes(bytes)
}

/// What the normal-cone filter says of contacts of two shapes, found by any method: whether their normals can be those of a plane between
/// the two, and which of them say the same. What the lengths and angles mean is in ``docs/filter.md``.
///
/// Args:
///     a: The shape that normals point away from.
///     pose_a: Its pose, shape (4, 4).
///     b: The other shape.
///     pose_b: Its pose.
///     contacts: An array of :data:`drystone.CONTACT`, shape (n,); :func:`contact_array` makes one.
///     method: The method that has found them, as the filter looks at the same shapes and allows for its reach; semi-local by default.
///     near: How far from its point the features of a contact may be, as a share of the thickness of the thinner shape; 0.02 by default.
///     depth: No more of a gap counts, as such a share; 0.1 by default.
///     cone: How far a normal may lie outside of a cone, rad; 0.02 by default.
///     same: Points as near as this are one, as such a share; 0.001 by default.
///     sides: On which shapes normals are tested: 'both', 'a' or 'b'.
///
/// Returns:
///     An array of :data:`drystone.VERDICT`, shape (n,), read-only.
///
/// Raises:
///     GeneratorError: The method cannot serve a shape.
///     TypeError: ``contacts`` is another array.
///     ValueError: A pose is no rigid motion, or a number cannot be.
///
/// >>> import drystone as ds
/// >>> cube, at = ds.Shape.box((1, 1, 1)), ds.pose((0.25, 0.99, 0.25))
/// >>> found = ds.contacts(cube, ds.pose(), cube, at).copy()
/// >>> found["normal"][0] = (1, 0, 0)
/// >>> verdicts = ds.cone_filter(cube, ds.pose(), cube, at, found)
/// >>> verdicts["kept"].tolist()
/// [False, True, True, True]
#[pyfunction]
#[pyo3(signature = (
    a, pose_a, b, pose_b, contacts, /, method = None, *, near = None, depth = None, cone = None, same = None, sides = "both"
))]
#[allow(clippy::too_many_arguments)]
pub fn cone_filter<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyShape>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyShape>,
    pose_b: &Bound<'py, PyAny>,
    contacts: &Bound<'py, PyAny>,
    method: Option<&Bound<'py, PyAny>>,
    near: Option<f64>,
    depth: Option<f64>,
    cone: Option<f64>,
    same: Option<f64>,
    sides: &str,
) -> Outcome<Bound<'py, PyAny>> {
    let method = method_or_default(method)?;
    let (pose_a, pose_b) = (pose(pose_a, "pose_a")?, pose(pose_b, "pose_b")?);
    let contacts = contact_array::read(contacts).map_err(|error| error.at("contacts"))?;
    let number = |name: &str, value: Option<f64>, usual: f64| match value {
        Some(value) if !(value.is_finite() && value >= 0.0) => {
            Err(Failure::Value(format!("{name} is {value}; it must be a finite number, zero or above")))
        }
        value => Ok(value.unwrap_or(usual)),
    };
    let usual = ConeFilter::default();
    let filter = ConeFilter {
        near: number("near", near, usual.near)?,
        depth: number("depth", depth, usual.depth)?,
        cone: number("cone", cone, usual.cone)?,
        same: number("same", same, usual.same)?,
        sides: self::sides("sides", sides)?,
    };
    let (a, b) = (&*a.get().0, &*b.get().0);
    let words: Vec<u64> = threads::released(py, 1, || {
        let generator = &**method.generator();
        generator.prepare(a)?;
        generator.prepare(b)?;
        let envelope = generator.margin(a).max(generator.margin(b));
        let [a, b] = [(a, pose_a), (b, pose_b)].map(|(shape, pose)| Placed {
            shape: generator.contact_shape(shape),
            pose,
            twist: Twist::default(),
        });
        Ok(filter.verdicts(&a, &b, envelope, &contacts).into_iter().map(word).collect())
    })?;
    static VERDICT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    Ok(records(words, VERDICT.import(py, "drystone._contact", "VERDICT")?)?)
}
