//! Points in a world: the body that is closest, and the bodies that a point is in.

use super::{PointProjection, QueryFilter, gap_to};
use crate::handle::BodyHandle;
use crate::world::{World, WorldError};
use drystone_contact::Bounds;
use drystone_contact::parallel::prelude::*;
use drystone_contact::query::{QueryError, contains_point, project_point};
use drystone_contact::shape::Shape;
use glam::DVec3;

/// Points that a thread takes at least.
const POINTS_PER_TASK: usize = 16;

/// The point of a body's surface that is closest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyProjection {
    /// The body.
    pub body: BodyHandle,
    /// Where.
    pub projection: PointProjection,
}

impl World {
    /// The body with the least signed distance from a point (m, world frame), if that is no more than `max_distance` (m): the closest one,
    /// or of those that the point is in the one whose surface is farthest. A triangle mesh has no inside: behind it counts as beside it.
    ///
    /// # Errors
    /// [`WorldError::Query`].
    pub fn project_point(
        &self,
        point: DVec3,
        max_distance: f64,
        filter: &QueryFilter<'_>,
    ) -> Result<Option<BodyProjection>, WorldError> {
        check(point, max_distance)?;
        // A point in a box may be anywhere in the body.
        let gap = gap_to(Bounds { low: point, high: point });
        let measure = |bounds: &Bounds| {
            let gap = gap(bounds);
            if gap > 0.0 { gap } else { f64::NEG_INFINITY }
        };
        let closest = self.first_body(filter, max_distance, measure, |body, _| {
            let shape = self.shape_of(body);
            let found = project_point(shape, &self.bodies()[body].pose(), point)?;
            let is_mesh = matches!(shape, Shape::TriangleMesh(_));
            Ok(Some((if is_mesh { found.distance.abs() } else { found.distance }, found)))
        })?;
        Ok(closest.map(|(body, projection)| BodyProjection { body: self.handles()[body], projection }))
    }

    /// The closest body of each of several points, in their order: as [`World::project_point`] one by one, by all threads.
    ///
    /// # Errors
    /// [`WorldError::Query`].
    pub fn project_points(
        &self,
        points: &[DVec3],
        max_distance: f64,
        filter: &QueryFilter<'_>,
    ) -> Result<Vec<Option<BodyProjection>>, WorldError> {
        let all = points.par_iter().in_tasks_of(POINTS_PER_TASK);
        all.map(|&point| self.project_point(point, max_distance, filter)).collect()
    }

    /// The bodies that a point (m, world frame) is in, in the order of [`World::handles`].
    ///
    /// # Errors
    /// [`WorldError::Query`].
    pub fn bodies_at(&self, point: DVec3, filter: &QueryFilter<'_>) -> Result<Vec<BodyHandle>, WorldError> {
        check(point, 0.0)?;
        self.bodies_that(&Bounds { low: point, high: point }, filter, |shape, pose| contains_point(shape, pose, point))
    }
}

fn check(point: DVec3, max_distance: f64) -> Result<(), QueryError> {
    let allowed = "it must be a number that is not negative; infinity is allowed";
    match max_distance >= 0.0 {
        true if point.is_finite() => Ok(()),
        true => Err(QueryError::NotFinite { quantity: "point", value: point }),
        false => Err(QueryError::Length { quantity: "greatest distance", value: max_distance, allowed }),
    }
}
