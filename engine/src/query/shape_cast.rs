//! Shape casts in a world.

use super::{QueryFilter, ShapeHit, ShapeMotion, entry_of};
use crate::body::Pose;
use crate::handle::BodyHandle;
use crate::world::near::bounds_at;
use crate::world::{World, WorldError};
use drystone_contact::query::{QueryError, cast_shape};
use drystone_contact::shape::Shape;
use glam::DVec3;

/// Where a shape that moves touches a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyShapeHit {
    /// The body.
    pub body: BodyHandle,
    /// Where and when.
    pub hit: ShapeHit,
}

impl World {
    /// The first body that a shape touches on a motion from a pose: that it comes as near as `tolerance` (m, above zero). All bodies rest
    /// where they are. A body that the shape overlaps at the start is hit at fraction zero.
    ///
    /// # Errors
    /// [`WorldError::Query`].
    pub fn cast_shape(
        &self,
        shape: &Shape,
        pose: &Pose,
        motion: &ShapeMotion,
        tolerance: f64,
        filter: &QueryFilter<'_>,
    ) -> Result<Option<BodyShapeHit>, WorldError> {
        let is_finite = pose.translation.is_finite() && pose.rotation.is_finite();
        let bounds = is_finite.then(|| bounds_at(shape, pose, 0.0)).ok_or(QueryError::Pose("moving shape"))?;
        if !(motion.translation.is_finite() && motion.rotation.is_finite()) {
            let value = if motion.translation.is_finite() { motion.rotation } else { motion.translation };
            return Err(WorldError::Query(QueryError::NotFinite { quantity: "motion", value }));
        }
        // A turning shape stays in the ball around the origin of its frame.
        let turns = motion.rotation != DVec3::ZERO;
        let (middle, half) = match turns {
            true => (pose.translation, DVec3::splat(shape.radius())),
            false => (bounds.low.midpoint(bounds.high), 0.5 * (bounds.high - bounds.low)),
        };
        let entry = entry_of(middle, motion.translation, half + tolerance);
        // A shape without an end may meet anything.
        let is_bounded = middle.is_finite() && half.is_finite();
        let measure = |bounds: &drystone_contact::Bounds| if is_bounded { entry(bounds) } else { 0.0 };
        let first = self.first_body(filter, 1.0, measure, |body, _| {
            let poses = [pose, &self.bodies()[body].pose()];
            let hit = cast_shape([shape, self.shape_of(body)], poses, motion, tolerance)?;
            Ok(hit.map(|hit| (hit.fraction, hit)))
        })?;
        Ok(first.map(|(body, hit)| BodyShapeHit { body: self.handles()[body], hit }))
    }
}
