//! Shapes that move or stand among the bodies where they are now, and distances of bodies.

use drystone_contact::parallel::prelude::*;
use drystone_contact::{Bounds, Pose};
use drystone_engine::BodyHandle;
use drystone_engine::query::{BodyShapeHit, ShapeMotion};
use glam::DVec3;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::PyWorld;
use super::queries::Seen;
use crate::arrays::{bodies, frozen, pose, poses, records, vector, vectors};
use crate::closest;
use crate::failure::{Failure, Outcome};
use crate::shape::PyShape;

/// Hits as an array of `drystone.SHAPE_HIT`.
fn array<'py>(py: Python<'py>, hits: &[Option<BodyShapeHit>]) -> Outcome<Bound<'py, PyAny>> {
    let mut words = Vec::with_capacity(12 * hits.len());
    for hit in hits {
        let (body, fraction) = hit.map_or((u64::MAX, f64::INFINITY), |hit| (hit.body.to_bits(), hit.hit.fraction));
        let closest = hit.and_then(|hit| hit.hit.closest);
        let nowhere = (DVec3::NAN, [DVec3::NAN; 2], if hit.is_some() { 0.0 } else { f64::INFINITY });
        let (n, [p, q], distance) = closest.map_or(nowhere, |own| (own.normal, own.points, own.distance));
        words.extend([body, fraction.to_bits(), distance.to_bits()]);
        words.extend([p, q, n].iter().flat_map(DVec3::to_array).map(f64::to_bits));
    }
    static SHAPE_HIT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let kind = SHAPE_HIT.import(py, "drystone._world", "SHAPE_HIT")?;
    Ok(records(words, kind)?)
}

fn numbers<'py>(py: Python<'py>, bodies: Vec<BodyHandle>) -> Bound<'py, PyAny> {
    frozen::<u64>(py, bodies.into_iter().map(BodyHandle::to_bits).collect()).into_any()
}

/// As many as `count`.
fn counted<T>(list: Vec<T>, name: &str, count: usize) -> Outcome<Vec<T>> {
    match list.len() {
        own if own == count => Ok(list),
        own => Err(Failure::Value(format!("{name} has {own} rows; there must be {count}, one a cast"))),
    }
}

#[pymethods]
impl PyWorld {
    /// The first body that a shape touches on its way; bodies rest where they are.
    ///
    /// Args:
    ///     shape: The shape that moves.
    ///     pose: Where it begins, shape (4, 4).
    ///     translation: How far the origin of its frame goes, straight and at constant speed, world frame, m, shape (3,).
    ///     rotation: By which it turns about that origin meanwhile, at constant angular velocity: a rotation vector, world frame, rad, shape (3,).
    ///     tolerance: So near to a body it touches it, m, above zero.
    ///     groups: As of :meth:`cast_ray`.
    ///     sensors: As of :meth:`cast_ray`.
    ///     exclude: As of :meth:`cast_ray`.
    ///
    /// Returns:
    ///     One element of :data:`drystone.SHAPE_HIT`; if it touches nothing the fraction is infinite.
    ///
    /// Raises:
    ///     WorldError: The tolerance is not above zero, a half-space or a height field turns, or a shape is a general solid.
    ///
    /// >>> import drystone as ds
    /// >>> world = ds.World()
    /// >>> wall = world.add(ds.Shape.box((1, 4, 4)), ds.pose((5, 0, 0)), fixed=True)
    /// >>> hit = world.cast_shape(ds.Shape.ball(0.5), ds.pose(), (8, 0, 0))
    /// >>> int(hit["body"]) == wall, round(float(hit["fraction"]), 3), hit["normal"].tolist()
    /// (True, 0.5, [1.0, 0.0, 0.0])
    #[pyo3(signature = (shape, pose, translation, rotation = None, /, *, tolerance = 1e-4, groups = None, sensors = false, exclude = Vec::new()))]
    #[allow(clippy::too_many_arguments)]
    fn cast_shape<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyShape>,
        pose: &Bound<'py, PyAny>,
        translation: &Bound<'py, PyAny>,
        rotation: Option<&Bound<'py, PyAny>>,
        tolerance: f64,
        groups: Option<(u32, u32)>,
        sensors: bool,
        exclude: Vec<u64>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let (shape, pose) = (&shape.get().0, self::pose(pose, "pose")?);
        let rotation = rotation.map_or(Ok(DVec3::ZERO), |rotation| vector(rotation, "rotation"))?;
        let motion = ShapeMotion { translation: vector(translation, "translation")?, rotation };
        let seen = Seen::new(groups, sensors, exclude);
        let hit =
            self.busy(py, |held| Ok(held.world.cast_shape(shape, &pose, &motion, tolerance, &seen.filter())?))?;
        Ok(array(py, &[hit])?.get_item(0)?)
    }

    /// The same of many motions of one shape, on the threads of the world.
    ///
    /// Args:
    ///     shape: The shape that moves.
    ///     poses: Where it begins, shape (n, 4, 4).
    ///     translations: As of :meth:`cast_shape`, shape (n, 3).
    ///     rotations: As of :meth:`cast_shape`, shape (n, 3); it does not turn by default.
    ///     tolerance: As of :meth:`cast_shape`.
    ///     groups: As of :meth:`cast_ray`.
    ///     sensors: As of :meth:`cast_ray`.
    ///     exclude: As of :meth:`cast_ray`.
    ///
    /// Returns:
    ///     An array of :data:`drystone.SHAPE_HIT`, shape (n,), as :meth:`cast_shape` gives them one by one.
    ///
    /// Raises:
    ///     ValueError: The arrays do not fit together.
    ///     WorldError: As of :meth:`cast_shape`.
    #[pyo3(signature = (shape, poses, translations, rotations = None, /, *, tolerance = 1e-4, groups = None, sensors = false, exclude = Vec::new()))]
    #[allow(clippy::too_many_arguments)]
    fn cast_shapes<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyShape>,
        poses: &Bound<'py, PyAny>,
        translations: &Bound<'py, PyAny>,
        rotations: Option<&Bound<'py, PyAny>>,
        tolerance: f64,
        groups: Option<(u32, u32)>,
        sensors: bool,
        exclude: Vec<u64>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let (shape, poses) = (&shape.get().0, self::poses(poses, "poses")?);
        let translations = counted(vectors(translations, "translations")?, "translations", poses.len())?;
        let rotations = match rotations {
            Some(rotations) => counted(vectors(rotations, "rotations")?, "rotations", poses.len())?,
            None => vec![DVec3::ZERO; poses.len()],
        };
        let seen = Seen::new(groups, sensors, exclude);
        let hits = self.busy(py, |held| {
            let (world, watch) = (&held.world, &held.watch);
            let all = poses.par_iter().zip(&translations).zip(&rotations).in_tasks_of(1);
            let cast = |((pose, &translation), &rotation): ((&Pose, &DVec3), &DVec3)| {
                watch.check()?;
                let motion = ShapeMotion { translation, rotation };
                Ok(world.cast_shape(shape, pose, &motion, tolerance, &seen.filter())?)
            };
            all.map(cast).collect::<Vec<Outcome<_>>>().into_iter().collect::<Outcome<Vec<_>>>()
        })?;
        array(py, &hits)
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

    /// The closest points of two bodies, whatever their groups.
    ///
    /// Args:
    ///     a: A body.
    ///     b: Another one.
    ///     max_distance: How far apart they are looked for, m.
    ///
    /// Returns:
    ///     One element of :data:`drystone.CLOSEST`.
    ///
    /// Raises:
    ///     WorldError: There is no such body, or both are the same.
    #[pyo3(signature = (a, b, /, *, max_distance = f64::INFINITY))]
    fn closest_points<'py>(&self, py: Python<'py>, a: u64, b: u64, max_distance: f64) -> Outcome<Bound<'py, PyAny>> {
        let [a, b] = [a, b].map(BodyHandle::from_bits);
        let words = self.busy(py, |held| {
            let mut words = Vec::new();
            closest::push(&mut words, &held.world.closest_points(a, b, max_distance)?);
            Ok(words)
        })?;
        Ok(closest::array(py, words)?.get_item(0)?)
    }

    /// The same of many pairs of bodies, on the threads of the world.
    ///
    /// Args:
    ///     a: Bodies, unsigned, shape (n,), as :attr:`bodies` has them.
    ///     b: The other ones.
    ///     max_distance: How far apart they are looked for, m.
    ///
    /// Returns:
    ///     An array of :data:`drystone.CLOSEST`, shape (n,), as :meth:`closest_points` gives them one by one.
    ///
    /// Raises:
    ///     ValueError: There are not as many a as b.
    ///     WorldError: There is no such body, or both of a pair are the same.
    #[pyo3(signature = (a, b, /, *, max_distance = f64::INFINITY))]
    fn closest_points_many<'py>(
        &self,
        py: Python<'py>,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
        max_distance: f64,
    ) -> Outcome<Bound<'py, PyAny>> {
        let (a, b) = (bodies(a, "a")?, bodies(b, "b")?);
        if a.len() != b.len() {
            return Err(Failure::Value(format!("there are {} bodies a and {} bodies b", a.len(), b.len())));
        }
        let words = self.busy(py, |held| {
            let (world, watch) = (&held.world, &held.watch);
            let ask = |(&a, &b): (&BodyHandle, &BodyHandle)| {
                watch.check()?;
                Ok(world.closest_points(a, b, max_distance)?)
            };
            let found: Vec<Outcome<_>> = a.par_iter().zip(&b).in_tasks_of(1).map(ask).collect();
            let mut words = Vec::with_capacity(10 * found.len());
            for found in found {
                closest::push(&mut words, &found?);
            }
            Ok(words)
        })?;
        Ok(closest::array(py, words)?)
    }

    /// The bodies that overlap a shape at a pose, in their order.
    ///
    /// Args:
    ///     shape: The shape.
    ///     pose: Its pose, shape (4, 4).
    ///     groups: As of :meth:`cast_ray`.
    ///     sensors: As of :meth:`cast_ray`.
    ///     exclude: As of :meth:`cast_ray`.
    ///
    /// Returns:
    ///     Their numbers, shape (k,).
    ///
    /// Raises:
    ///     WorldError: The query does not serve the shape.
    #[pyo3(signature = (shape, pose, /, *, groups = None, sensors = false, exclude = Vec::new()))]
    #[allow(clippy::too_many_arguments)]
    fn overlap<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyShape>,
        pose: &Bound<'py, PyAny>,
        groups: Option<(u32, u32)>,
        sensors: bool,
        exclude: Vec<u64>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let (shape, at) = (&shape.get().0, self::pose(pose, "pose")?);
        let seen = Seen::new(groups, sensors, exclude);
        Ok(numbers(py, self.busy(py, |held| Ok(held.world.overlap_shape(shape, &at, &seen.filter())?))?))
    }

    /// The bodies that overlap a box along the axes of the world, in their order.
    ///
    /// Args:
    ///     low: Its lowest corner, world frame, m, shape (3,).
    ///     high: Its highest corner.
    ///     groups: As of :meth:`cast_ray`.
    ///     sensors: As of :meth:`cast_ray`.
    ///     exclude: As of :meth:`cast_ray`.
    ///
    /// Returns:
    ///     Their numbers, shape (k,).
    ///
    /// Raises:
    ///     WorldError: The lowest corner is above the highest one.
    #[pyo3(signature = (low, high, /, *, groups = None, sensors = false, exclude = Vec::new()))]
    #[allow(clippy::too_many_arguments)]
    fn overlap_box<'py>(
        &self,
        py: Python<'py>,
        low: &Bound<'py, PyAny>,
        high: &Bound<'py, PyAny>,
        groups: Option<(u32, u32)>,
        sensors: bool,
        exclude: Vec<u64>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let bounds = Bounds { low: vector(low, "low")?, high: vector(high, "high")? };
        let seen = Seen::new(groups, sensors, exclude);
        Ok(numbers(py, self.busy(py, |held| Ok(held.world.overlap_box(&bounds, &seen.filter())?))?))
    }
}
