//! Rays through the bodies where they are now, and which bodies queries see.

use drystone_engine::query::{BodyRayHit, Fill, QueryFilter, Ray};
use drystone_engine::{BodyHandle, Groups};
use glam::DVec3;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::PyWorld;
use super::bodies::groups_of;
use crate::arrays::{records, vector, vectors};
use crate::failure::{Failure, Outcome};

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

/// Which bodies a query sees.
pub struct Seen {
    groups: Groups,
    sensors: bool,
    exclude: Vec<BodyHandle>,
}

impl Seen {
    /// From the arguments of a query.
    pub fn new(groups: Option<(u32, u32)>, sensors: bool, exclude: Vec<u64>) -> Self {
        let exclude = exclude.into_iter().map(BodyHandle::from_bits).collect();
        Self { groups: groups_of(groups), sensors, exclude }
    }

    /// The same for the engine.
    pub fn filter(&self) -> QueryFilter<'_> {
        QueryFilter { groups: self.groups, sensors: self.sensors, exclude: &self.exclude, predicate: None }
    }
}

/// Appends a hit as the fields of `drystone.RAY_HIT`.
fn push(words: &mut Vec<u64>, hit: Option<&BodyRayHit>) {
    let (body, distance, p, n) = match hit {
        Some(BodyRayHit { body, hit }) => (body.to_bits(), hit.distance, hit.position, hit.normal),
        None => (u64::MAX, f64::INFINITY, DVec3::NAN, DVec3::NAN),
    };
    words.push(body);
    words.extend([distance, p.x, p.y, p.z, n.x, n.y, n.z].map(f64::to_bits));
}

fn array<'py>(py: Python<'py>, words: Vec<u64>) -> Outcome<Bound<'py, PyAny>> {
    static RAY_HIT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let kind = RAY_HIT.import(py, "drystone._world", "RAY_HIT")?;
    Ok(records(words, kind)?)
}

fn fill(solid: bool) -> Fill {
    if solid { Fill::Solid } else { Fill::Hollow }
}

#[pymethods]
impl PyWorld {
    /// The first body on a ray.
    ///
    /// Args:
    ///     origin: Where it begins, world frame, m.
    ///     direction: Of any length but zero.
    ///     max_distance: How far it goes, m.
    ///     solid: Whether a body in which it begins is hit at once, or where the ray leaves it.
    ///     groups: The groups of the query itself, as those of a body: it sees bodies that such a body would touch. All by default.
    ///     sensors: Whether it sees sensors.
    ///     exclude: Bodies that it does not see.
    ///
    /// Returns:
    ///     A hit, or ``None``.
    ///
    /// Raises:
    ///     WorldError: The ray has no direction.
    #[pyo3(signature = (origin, direction, /, *, max_distance = f64::INFINITY, solid = true, groups = None, sensors = false, exclude = Vec::new()))]
    #[allow(clippy::too_many_arguments)]
    fn cast_ray(
        &self,
        py: Python<'_>,
        origin: &Bound<'_, PyAny>,
        direction: &Bound<'_, PyAny>,
        max_distance: f64,
        solid: bool,
        groups: Option<(u32, u32)>,
        sensors: bool,
        exclude: Vec<u64>,
    ) -> Outcome<Option<PyRayHit>> {
        let ray = ray(vector(origin, "origin")?, vector(direction, "direction")?)?;
        let seen = Seen::new(groups, sensors, exclude);
        self.busy(py, |held| {
            let hit = held.world.cast_ray(&ray, max_distance, fill(solid), &seen.filter())?;
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
    ///     groups: As of :meth:`cast_ray`.
    ///     sensors: As of :meth:`cast_ray`.
    ///     exclude: As of :meth:`cast_ray`.
    ///
    /// Returns:
    ///     An array of :data:`drystone.RAY_HIT`, shape (n,); where a ray meets nothing the distance is infinite.
    ///
    /// Raises:
    ///     WorldError: A ray has no direction.
    #[pyo3(signature = (origins, directions, /, *, max_distance = f64::INFINITY, solid = true, groups = None, sensors = false, exclude = Vec::new()))]
    #[allow(clippy::too_many_arguments)]
    fn cast_rays<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        max_distance: f64,
        solid: bool,
        groups: Option<(u32, u32)>,
        sensors: bool,
        exclude: Vec<u64>,
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
        let seen = Seen::new(groups, sensors, exclude);
        let words = self.busy(py, |held| {
            let hits = held.world.cast_rays(&rays, max_distance, fill(solid), &seen.filter())?;
            let mut words = Vec::with_capacity(8 * hits.len());
            hits.iter().for_each(|hit| push(&mut words, hit.as_ref()));
            Ok(words)
        })?;
        array(py, words)
    }

    /// All points of surfaces on a ray: where it gets into bodies and where it gets out.
    ///
    /// Args:
    ///     origin: As of :meth:`cast_ray`.
    ///     direction: As of :meth:`cast_ray`.
    ///     max_distance: As of :meth:`cast_ray`.
    ///     solid: Whether a body in which it begins has a hit there, against the ray.
    ///     groups: As of :meth:`cast_ray`.
    ///     sensors: As of :meth:`cast_ray`.
    ///     exclude: As of :meth:`cast_ray`.
    ///
    /// Returns:
    ///     An array of :data:`drystone.RAY_HIT` by distance, and of hits at the same distance in the order of the bodies.
    ///
    /// Raises:
    ///     WorldError: The ray has no direction.
    #[pyo3(signature = (origin, direction, /, *, max_distance = f64::INFINITY, solid = true, groups = None, sensors = false, exclude = Vec::new()))]
    #[allow(clippy::too_many_arguments)]
    fn cast_ray_all<'py>(
        &self,
        py: Python<'py>,
        origin: &Bound<'py, PyAny>,
        direction: &Bound<'py, PyAny>,
        max_distance: f64,
        solid: bool,
        groups: Option<(u32, u32)>,
        sensors: bool,
        exclude: Vec<u64>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let ray = ray(vector(origin, "origin")?, vector(direction, "direction")?)?;
        let seen = Seen::new(groups, sensors, exclude);
        let words = self.busy(py, |held| {
            let hits = held.world.cast_ray_all(&ray, max_distance, fill(solid), &seen.filter())?;
            let mut words = Vec::with_capacity(8 * hits.len());
            hits.iter().for_each(|hit| push(&mut words, Some(hit)));
            Ok(words)
        })?;
        array(py, words)
    }
}
