//! A cylinder as a primitive.

use std::sync::Arc;

use glam::DVec3;

use super::{Cylinder, Primitive, SurfacePoint};
use crate::pose::Pose;
use crate::shape::convex_core::RoundedCore;
use crate::shape::mass_properties::{MassProperties, MassPropertiesError};
use crate::shape::shape::Triangles;
use crate::solid::{PrimitiveSolid, Solid, bounds_at};

impl Primitive for Cylinder {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn dimensions(&self) -> Vec<f64> {
        PrimitiveSolid::dimensions(self)
    }

    fn bounds_at(&self, pose: &Pose) -> (DVec3, DVec3) {
        bounds_at(self, pose)
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassPropertiesError> {
        Ok(Solid::mass_properties(self, density)?.properties)
    }

    fn thickness(&self) -> f64 {
        Solid::thickness(self)
    }

    fn support(&self, _: DVec3) -> Option<DVec3> {
        None
    }

    fn core(&self) -> Option<RoundedCore<'_>> {
        Some(RoundedCore { core: self, radius: 0.0 })
    }

    fn closest(&self, point: DVec3) -> SurfacePoint {
        Cylinder::closest(self, point)
    }

    fn triangles(&self) -> Triangles {
        Solid::triangles(self)
    }

    fn as_solid(&self) -> Option<Arc<dyn Solid>> {
        Some(Arc::new(*self))
    }
}
