//! Rays, distances and overlaps, of the bodies where they are now.

use drystone_engine::BodyHandle;
use drystone_engine::query::{BodyRayHit, Fill, QueryFilter, Ray};
use glam::DVec3;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::PyWorld;
use crate::arrays::{frozen, vector, vectors};
use crate::failure::{Failure, Outcome};
use crate::shape::PyShape;

/// Where a ray meets a body.
#[pyclass(name = "RayHit", module = "drystone", frozen, get_all)]
pub struct PyRayHit {
    /// The body.
    body: u64,
    /// From the origin of the ray, m.
    distance: f64,
    /// World frame, m.
    position: (f64, f64, f64),
    /// The outward normal of the surface, world frame.
    normal: (f64, f64, f64),
}

#[pymethods]
impl PyRayHit {
    fn __repr__(&self) -> String {
        let Self { body, distance, position, normal } = self;
        format!("RayHit(body={body}, distance={distance}, position={position:?}, normal={normal:?})")
    }
}

fn ray(origin: DVec3, direction: DVec3) -> Outcome<Ray> {
    Ray::new(origin, direction).map_err(|error| Failure::World(error.to_string()))
}

fn fill(solid: bool) -> Fill {
    if solid { Fill::Solid } else { Fill::Hollow }
}

#[pymethods]
impl PyWorld {
    /// The first body on a ray; sensors are not seen.
    ///
    /// Args:
    ///     origin: Where it begins, world frame, m.
    ///     direction: Of any length but zero.
    ///     max_distance: How far it goes, m.
    ///     solid: Whether a body in which it begins is hit at once, or where the ray leaves it.
    ///     exclude: Bodies that it does not see.
    ///
    /// Returns:
    ///     A hit, or ``None``.
    ///
    /// Raises:
    ///     WorldError: The ray has no direction.
    #[pyo3(signature = (origin, direction, /, *, max_distance = f64::INFINITY, solid = true, exclude = Vec::new()))]
    fn cast_ray(
        &self,
        py: Python<'_>,
        origin: &Bound<'_, PyAny>,
        direction: &Bound<'_, PyAny>,
        max_distance: f64,
        solid: bool,
        exclude: Vec<u64>,
    ) -> Outcome<Option<PyRayHit>> {
        let ray = ray(vector(origin, "origin")?, vector(direction, "direction")?)?;
        let exclude: Vec<BodyHandle> = exclude.into_iter().map(BodyHandle::from_bits).collect();
        self.busy(py, |held| {
            let filter = QueryFilter { exclude: &exclude, ..QueryFilter::default() };
            let hit = held.world.cast_ray(&ray, max_distance, fill(solid), &filter)?;
            Ok(hit.map(|BodyRayHit { body, hit }| PyRayHit {
                body: body.to_bits(),
                distance: hit.distance,
                position: hit.position.into(),
                normal: hit.normal.into(),
            }))
        })
    }

    /// The first body on each of many rays, on the threads of the world.
    ///
    /// Args:
    ///     origins: Where they begin, world frame, m, shape (n, 3).
    ///     directions: Of any length but zero, shape (n, 3).
    ///     max_distance: How far they go, m.
    ///     solid: As of :meth:`cast_ray`.
    ///
    /// Returns:
    ///     An array of :data:`drystone.RAY_HIT`, shape (n,); where a ray meets nothing the distance is infinite.
    ///
    /// Raises:
    ///     WorldError: A ray has no direction.
    #[pyo3(signature = (origins, directions, /, *, max_distance = f64::INFINITY, solid = true))]
    fn cast_rays<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        max_distance: f64,
        solid: bool,
    ) -> Outcome<Bound<'py, PyAny>> {
        let (origins, directions) = (vectors(origins, "origins")?, vectors(directions, "directions")?);
        if origins.len() != directions.len() {
            let (origins, directions) = (origins.len(), directions.len());
            return Err(Failure::Value(format!("there are {origins} origins and {directions} directions")));
        }
        let made = origins.into_iter().zip(directions).enumerate();
        let rays =
            made.map(|(k, (origin, direction))| ray(origin, direction).map_err(|error| error.at(&format!("ray {k}"))));
        let rays = rays.collect::<Outcome<Vec<Ray>>>()?;
        let words = self.busy(py, |held| {
            let hits = held.world.cast_rays(&rays, max_distance, fill(solid), &QueryFilter::default())?;
            let mut words = Vec::with_capacity(8 * hits.len());
            for hit in hits {
                let (body, distance, p, n) = match hit {
                    Some(BodyRayHit { body, hit }) => (body.to_bits(), hit.distance, hit.position, hit.normal),
                    None => (u64::MAX, f64::INFINITY, DVec3::NAN, DVec3::NAN),
                };
                words.push(body);
                words.extend([distance, p.x, p.y, p.z, n.x, n.y, n.z].map(f64::to_bits));
            }
            Ok(words)
        })?;
        static RAY_HIT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let kind = RAY_HIT.import(py, "drystone._world", "RAY_HIT")?;
        Ok(frozen(py, words).call_method1("view", (kind,))?)
    }

    /// The distance of two bodies, m; zero if they overlap.
    ///
    /// Raises:
    ///     WorldError: There is no such body.
    #[pyo3(signature = (a, b, /))]
    fn distance(&self, py: Python<'_>, a: u64, b: u64) -> Outcome<f64> {
        let [a, b] = [a, b].map(BodyHandle::from_bits);
        self.busy(py, |held| Ok(held.world.distance(a, b)?))
    }

    /// The bodies that overlap a shape at a pose.
    ///
    /// Raises:
    ///     WorldError: The query does not serve the shape.
    #[pyo3(signature = (shape, pose, /))]
    fn overlap<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyShape>,
        pose: &Bound<'py, PyAny>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let (shape, at) = (&shape.get().0, crate::arrays::pose(pose, "pose")?);
        let bodies = self.busy(py, |held| {
            let bodies = held.world.overlap_shape(shape, &at, &QueryFilter::default())?;
            Ok(bodies.into_iter().map(BodyHandle::to_bits).collect())
        })?;
        Ok(frozen::<u64>(py, bodies).into_any())
    }
}
