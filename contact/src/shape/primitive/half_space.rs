//! A half-space.

use std::sync::Arc;

use glam::DVec3;

use super::{Primitive, SurfacePoint};
use crate::pose::Pose;
use crate::shape::convex_core::RoundedCore;
use crate::shape::mass_properties::{MassProperties, MassPropertiesError};
use crate::shape::shape::Triangles;
use crate::solid::Solid;

/// All points with y ≤ 0. Only bodies that no force moves can have it for a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace;

/// Half the side of the square that is drawn, m.
const DRAWN: f64 = 50.0;

/// Below this a component of the normal (dimensionless) is zero, and the box around the half-space has no end there.
const ALONG_AXIS: f64 = 1e-15;

impl HalfSpace {
    /// Its name in files.
    pub const KIND: &'static str = "half-space";
}

impl Primitive for HalfSpace {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn dimensions(&self) -> Vec<f64> {
        Vec::new()
    }

    fn bounds_at(&self, pose: &Pose) -> (DVec3, DVec3) {
        let normal = pose.rotation * DVec3::Y;
        let (mut low, mut high) = (DVec3::NEG_INFINITY, DVec3::INFINITY);
        for axis in 0..3 {
            let others = normal.length_squared() - normal[axis] * normal[axis];
            if others <= ALONG_AXIS * ALONG_AXIS {
                if normal[axis] > 0.0 {
                    high[axis] = pose.translation[axis];
                } else {
                    low[axis] = pose.translation[axis];
                }
            }
        }
        (low, high)
    }

    fn mass_properties(&self, _: f64) -> Result<MassProperties, MassPropertiesError> {
        Err(MassPropertiesError::MassOrVolume { mass: f64::INFINITY, volume: f64::INFINITY })
    }

    fn thickness(&self) -> f64 {
        f64::INFINITY
    }

    fn support(&self, _: DVec3) -> Option<DVec3> {
        None
    }

    fn core(&self) -> Option<RoundedCore<'_>> {
        None
    }

    fn closest(&self, point: DVec3) -> SurfacePoint {
        SurfacePoint { position: DVec3::new(point.x, 0.0, point.z), normal: DVec3::Y, distance: point.y }
    }

    fn triangles(&self) -> Triangles {
        let corner = |x: f64, z: f64| DVec3::new(x, 0.0, z) * DRAWN;
        Triangles {
            vertices: vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }

    fn as_solid(&self) -> Option<Arc<dyn Solid>> {
        Some(Arc::new(*self))
    }
}
