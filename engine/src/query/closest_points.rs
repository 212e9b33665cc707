//! The closest points of two bodies.

use super::Proximity;
use crate::handle::BodyHandle;
use crate::world::{World, WorldError};
use drystone_contact::query::closest_points;

impl World {
    /// The closest points of two bodies, if they are no farther apart than `max_distance` (m, may be infinite); normals point from A to B.
    /// Groups and excluded pairs say nothing here.
    ///
    /// # Errors
    /// [`WorldError::Stale`], [`WorldError::OneBody`], [`WorldError::Query`].
    pub fn closest_points(&self, a: BodyHandle, b: BodyHandle, max_distance: f64) -> Result<Proximity, WorldError> {
        let shapes = [&**self.shape(a)?, &**self.shape(b)?];
        if a == b {
            return Err(WorldError::OneBody(a));
        }
        let poses = [self.body(a)?.pose(), self.body(b)?.pose()];
        Ok(closest_points(shapes, [&poses[0], &poses[1]], max_distance)?)
    }

    /// How far two bodies are apart, m; zero if they overlap.
    ///
    /// # Errors
    /// As [`World::closest_points`].
    pub fn distance(&self, a: BodyHandle, b: BodyHandle) -> Result<f64, WorldError> {
        Ok(self.closest_points(a, b, f64::INFINITY)?.distance().unwrap_or(f64::INFINITY))
    }
}
