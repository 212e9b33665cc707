//! Ray casts in a world.

use super::{Fill, QueryFilter, Ray, RayHit, entry_of};
use crate::handle::BodyHandle;
use crate::world::{World, WorldError};
use drystone_contact::parallel::prelude::*;
use drystone_contact::query::{QueryError, cast_ray, cast_ray_all};
use drystone_contact::sorting::CompactSort;
use glam::DVec3;

/// Rays that a thread takes at least.
const RAYS_PER_TASK: usize = 16;

/// Where a ray meets a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyRayHit {
    /// The body.
    pub body: BodyHandle,
    /// Where.
    pub hit: RayHit,
}

impl World {
    /// The first body on a ray, no farther than `max_distance` (m, may be infinite). With [`Fill::Solid`] a body in which the ray begins
    /// is hit at distance zero; with [`Fill::Hollow`] where the ray leaves it.
    ///
    /// # Errors
    /// [`WorldError::Query`].
    pub fn cast_ray(
        &self,
        ray: &Ray,
        max_distance: f64,
        fill: Fill,
        filter: &QueryFilter<'_>,
    ) -> Result<Option<BodyRayHit>, WorldError> {
        check(max_distance)?;
        let first = self.first_body(filter, max_distance, along(ray), |body, _| {
            let hit = cast_ray(self.shape_of(body), &self.bodies()[body].pose(), ray, max_distance, fill)?;
            Ok(hit.map(|hit| (hit.distance, hit)))
        })?;
        Ok(first.map(|(body, hit)| BodyRayHit { body: self.handles()[body], hit }))
    }

    /// The first body on each of several rays, in their order: as [`World::cast_ray`] one by one, by all threads of the rayon pool that the
    /// caller runs in.
    ///
    /// # Errors
    /// [`WorldError::Query`].
    pub fn cast_rays(
        &self,
        rays: &[Ray],
        max_distance: f64,
        fill: Fill,
        filter: &QueryFilter<'_>,
    ) -> Result<Vec<Option<BodyRayHit>>, WorldError> {
        let all = rays.par_iter().in_tasks_of(RAYS_PER_TASK);
        all.map(|ray| self.cast_ray(ray, max_distance, fill, filter)).collect()
    }

    /// All points of surfaces of bodies on a ray, no farther than `max_distance` (m), in the order of their distances: where it gets in and
    /// where it gets out. Those at the same distance are in the order of the bodies.
    ///
    /// # Errors
    /// [`WorldError::Query`].
    pub fn cast_ray_all(
        &self,
        ray: &Ray,
        max_distance: f64,
        fill: Fill,
        filter: &QueryFilter<'_>,
    ) -> Result<Vec<BodyRayHit>, WorldError> {
        check(max_distance)?;
        let entry = along(ray);
        let bodies = self.bodies_in(filter, |bounds| {
            let begin = entry(bounds);
            begin <= max_distance && begin < f64::INFINITY
        });
        let (mut all, mut hits) = (Vec::new(), Vec::new());
        for body in bodies {
            hits.clear();
            cast_ray_all(self.shape_of(body), &self.bodies()[body].pose(), ray, max_distance, fill, &mut hits)?;
            all.extend(hits.iter().map(|&hit| BodyRayHit { body: self.handles()[body], hit }));
        }
        // Stable: the order of bodies and, in each, that of its hits stays.
        all.compact_sort_by(|p, q| p.hit.distance.total_cmp(&q.hit.distance));
        Ok(all)
    }
}

fn check(max_distance: f64) -> Result<(), QueryError> {
    let allowed = "it must be a number that is not negative; infinity is allowed";
    let error = QueryError::Length { quantity: "greatest distance", value: max_distance, allowed };
    if max_distance >= 0.0 { Ok(()) } else { Err(error) }
}

/// As its direction is a unit one, shares of it are distances.
fn along(ray: &Ray) -> impl Fn(&drystone_contact::Bounds) -> f64 {
    entry_of(ray.origin(), ray.direction(), DVec3::ZERO)
}
