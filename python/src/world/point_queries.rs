//! Points among the bodies where they are now.

use drystone_engine::BodyHandle;
use drystone_engine::query::BodyProjection;
use glam::DVec3;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::PyWorld;
use super::queries::Seen;
use crate::arrays::{frozen, records, vector, vectors};
use crate::failure::Outcome;

/// Projections as an array of `drystone.POINT_PROJECTION`.
fn array<'py>(py: Python<'py>, found: &[Option<BodyProjection>]) -> Outcome<Bound<'py, PyAny>> {
    let mut words = Vec::with_capacity(8 * found.len());
    for found in found {
        let (body, distance, p, n) = match found {
            Some(BodyProjection { body, projection: at }) => (body.to_bits(), at.distance, at.position, at.normal),
            None => (u64::MAX, f64::INFINITY, DVec3::NAN, DVec3::NAN),
        };
        words.push(body);
        words.extend([distance, p.x, p.y, p.z, n.x, n.y, n.z].map(f64::to_bits));
    }
    static POINT_PROJECTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let kind = POINT_PROJECTION.import(py, "drystone._world", "POINT_PROJECTION")?;
    Ok(records(words, kind)?)
}

#[pymethods]
impl PyWorld {
    /// The point of a surface that is closest to a point, of the body with the least signed distance from it: the closest one, or of those that
    /// the point is in the one whose surface is farthest. An open mesh has no inside.
    ///
    /// Args:
    ///     point: World frame, m, shape (3,).
    ///     max_distance: How far bodies are looked for, m.
    ///     groups: As of :meth:`cast_ray`.
    ///     sensors: As of :meth:`cast_ray`.
    ///     exclude: As of :meth:`cast_ray`.
    ///
    /// Returns:
    ///     One element of :data:`drystone.POINT_PROJECTION`; where there is no body the distance is infinite.
    ///
    /// Raises:
    ///     WorldError: The distance is negative.
    #[pyo3(signature = (point, /, *, max_distance = f64::INFINITY, groups = None, sensors = false, exclude = Vec::new()))]
    #[allow(clippy::too_many_arguments)]
    fn project_point<'py>(
        &self,
        py: Python<'py>,
        point: &Bound<'py, PyAny>,
        max_distance: f64,
        groups: Option<(u32, u32)>,
        sensors: bool,
        exclude: Vec<u64>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let (point, seen) = (vector(point, "point")?, Seen::new(groups, sensors, exclude));
        let found = self.busy(py, |held| Ok(held.world.project_point(point, max_distance, &seen.filter())?))?;
        Ok(array(py, &[found])?.get_item(0)?)
    }

    /// The same of many points, on the threads of the world.
    ///
    /// Args:
    ///     points: World frame, m, shape (n, 3).
    ///     max_distance: How far bodies are looked for, m.
    ///     groups: As of :meth:`cast_ray`.
    ///     sensors: As of :meth:`cast_ray`.
    ///     exclude: As of :meth:`cast_ray`.
    ///
    /// Returns:
    ///     An array of :data:`drystone.POINT_PROJECTION`, shape (n,), as :meth:`project_point` gives them one by one.
    ///
    /// Raises:
    ///     WorldError: A point is not finite, or the distance is negative.
    #[pyo3(signature = (points, /, *, max_distance = f64::INFINITY, groups = None, sensors = false, exclude = Vec::new()))]
    #[allow(clippy::too_many_arguments)]
    fn project_points<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        max_distance: f64,
        groups: Option<(u32, u32)>,
        sensors: bool,
        exclude: Vec<u64>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let (points, seen) = (vectors(points, "points")?, Seen::new(groups, sensors, exclude));
        let found = self.busy(py, |held| Ok(held.world.project_points(&points, max_distance, &seen.filter())?))?;
        array(py, &found)
    }

    /// The bodies that a point is in, in their order.
    ///
    /// Args:
    ///     point: World frame, m, shape (3,).
    ///     groups: As of :meth:`cast_ray`.
    ///     sensors: As of :meth:`cast_ray`.
    ///     exclude: As of :meth:`cast_ray`.
    ///
    /// Returns:
    ///     Their numbers, shape (k,).
    #[pyo3(signature = (point, /, *, groups = None, sensors = false, exclude = Vec::new()))]
    fn bodies_at<'py>(
        &self,
        py: Python<'py>,
        point: &Bound<'py, PyAny>,
        groups: Option<(u32, u32)>,
        sensors: bool,
        exclude: Vec<u64>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let (point, seen) = (vector(point, "point")?, Seen::new(groups, sensors, exclude));
        let bodies = self.busy(py, |held| {
            let bodies = held.world.bodies_at(point, &seen.filter())?;
            Ok(bodies.into_iter().map(BodyHandle::to_bits).collect())
        })?;
        Ok(frozen::<u64>(py, bodies).into_any())
    }
}
