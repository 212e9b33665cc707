//! The bodies that overlap a shape or a box.

use super::{QueryFilter, gap_to};
use crate::body::Pose;
use crate::handle::BodyHandle;
use crate::world::near::bounds_at;
use crate::world::{World, WorldError};
use drystone_contact::Bounds;
use drystone_contact::query::{QueryError, overlap_box, overlaps};
use drystone_contact::shape::Shape;

impl World {
    /// The bodies that have a point in common with a shape at a pose, or touch it up to rounding, in the order of [`World::handles`].
    ///
    /// # Errors
    /// [`WorldError::Query`].
    pub fn overlap_shape(
        &self,
        shape: &Shape,
        pose: &Pose,
        filter: &QueryFilter<'_>,
    ) -> Result<Vec<BodyHandle>, WorldError> {
        let is_finite = pose.translation.is_finite() && pose.rotation.is_finite();
        let bounds = is_finite.then(|| bounds_at(shape, pose, 0.0)).ok_or(QueryError::Pose("shape"))?;
        self.bodies_that(&bounds, filter, |own, own_pose| overlaps([shape, own], [pose, own_pose]))
    }

    /// The bodies that have a point in common with a box along the world's axes (m), in the order of [`World::handles`].
    ///
    /// # Errors
    /// [`WorldError::Query`].
    pub fn overlap_box(&self, bounds: &Bounds, filter: &QueryFilter<'_>) -> Result<Vec<BodyHandle>, WorldError> {
        let Bounds { low, high } = *bounds;
        if !(bounds.is_finite() && low.cmple(high).all()) {
            return Err(WorldError::Query(QueryError::Box { low, high }));
        }
        self.bodies_that(bounds, filter, |shape, pose| overlap_box(shape, pose, bounds))
    }

    /// The bodies that pass a test, of those whose boxes overlap another one.
    pub(crate) fn bodies_that(
        &self,
        bounds: &Bounds,
        filter: &QueryFilter<'_>,
        test: impl Fn(&Shape, &Pose) -> Result<bool, QueryError>,
    ) -> Result<Vec<BodyHandle>, WorldError> {
        let gap = gap_to(*bounds);
        self.those_that(self.bodies_in(filter, |own| gap(own) <= 0.0), test)
    }

    /// The same by a loop over all bodies, which is faster than to fit the tree for a few boxes: what the balls around bodies miss is
    /// passed over.
    pub(crate) fn bodies_by_loop_that(
        &self,
        bounds: &Bounds,
        filter: &QueryFilter<'_>,
        test: impl Fn(&Shape, &Pose) -> Result<bool, QueryError>,
    ) -> Result<Vec<BodyHandle>, WorldError> {
        let gap = gap_to(*bounds);
        let is_near = |&i: &usize| {
            let (body, shape) = (&self.bodies()[i], self.shape_of(i));
            let centre = body.pose().translation;
            (bounds.low - centre).max(centre - bounds.high).max_element() <= shape.radius()
                && self.sees(filter, i)
                && body.state_is_finite()
                && gap(&bounds_at(shape, &body.pose(), 0.0)) <= 0.0
        };
        self.those_that((0..self.bodies().len()).filter(is_near), test)
    }

    /// The bodies that pass a test, of some by their indices.
    fn those_that(
        &self,
        near: impl IntoIterator<Item = usize>,
        test: impl Fn(&Shape, &Pose) -> Result<bool, QueryError>,
    ) -> Result<Vec<BodyHandle>, WorldError> {
        let mut found = Vec::new();
        for body in near {
            if test(self.shape_of(body), &self.bodies()[body].pose())? {
                found.push(self.handles()[body]);
            }
        }
        Ok(found)
    }
}
