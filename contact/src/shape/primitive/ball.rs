//! A ball.

use std::f64::consts::PI;
use std::sync::Arc;

use glam::{DMat3, DVec3};

use super::tessellation::sphere;
use super::{Primitive, SurfacePoint, checked};
use crate::pose::Pose;
use crate::shape::convex_core::{Point, RoundedCore};
use crate::shape::mass_properties::{MassProperties, MassPropertiesError};
use crate::shape::shape::Triangles;
use crate::shape::shape_error::ShapeError;
use crate::solid::Solid;

/// A ball about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    radius: f64,
}

impl Ball {
    /// Its name in files.
    pub const KIND: &'static str = "ball";

    /// A ball of this radius, m.
    ///
    /// # Errors
    /// [`ShapeError::Dimension`] unless the radius is finite and above zero.
    pub fn new(radius: f64) -> Result<Self, ShapeError> {
        Ok(Self { radius: checked(Self::KIND, "radius", radius)? })
    }

    /// m.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl Primitive for Ball {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn dimensions(&self) -> Vec<f64> {
        vec![self.radius]
    }

    fn bounds_at(&self, pose: &Pose) -> (DVec3, DVec3) {
        (pose.translation - self.radius, pose.translation + self.radius)
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassPropertiesError> {
        let volume = 4.0 / 3.0 * PI * self.radius.powi(3);
        let moment = 0.4 * density * volume * self.radius * self.radius;
        MassProperties::of_density(density, volume, DMat3::from_diagonal(DVec3::splat(moment)))
    }

    fn thickness(&self) -> f64 {
        self.radius
    }

    fn support(&self, direction: DVec3) -> Option<DVec3> {
        Some(direction * self.radius)
    }

    fn core(&self) -> Option<RoundedCore<'_>> {
        Some(RoundedCore { core: &Point, radius: self.radius })
    }

    fn closest(&self, point: DVec3) -> SurfacePoint {
        let normal = point.try_normalize().unwrap_or(DVec3::X);
        SurfacePoint { position: normal * self.radius, normal, distance: point.length() - self.radius }
    }

    fn triangles(&self) -> Triangles {
        sphere(DVec3::splat(self.radius))
    }

    fn as_solid(&self) -> Option<Arc<dyn Solid>> {
        Some(Arc::new(*self))
    }
}
