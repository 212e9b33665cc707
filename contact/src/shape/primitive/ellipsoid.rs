//! An ellipsoid.

use std::f64::consts::PI;
use std::sync::Arc;

use glam::{DMat3, DVec3};

use super::tessellation::sphere;
use super::{Primitive, SurfacePoint, checked};
use crate::pose::Pose;
use crate::shape::convex_core::RoundedCore;
use crate::shape::mass_properties::{MassProperties, MassPropertiesError};
use crate::shape::shape::Triangles;
use crate::shape::shape_error::ShapeError;
use crate::solid::Solid;

/// The ellipsoid x²/a² + y²/b² + z²/c² ≤ 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    semi_axes: DVec3,
}

/// Bisections end when the interval has no double between its ends: at most this many.
const BISECTIONS: usize = 1100;

impl Ellipsoid {
    /// Its name in files.
    pub const KIND: &'static str = "ellipsoid";

    /// The ellipsoid about the origin with these semi-axes along x, y and z, m.
    ///
    /// # Errors
    /// [`ShapeError::Dimension`] unless all are finite and above zero.
    pub fn new(semi_axes: DVec3) -> Result<Self, ShapeError> {
        for value in semi_axes.to_array() {
            checked(Self::KIND, "semi-axis", value)?;
        }
        Ok(Self { semi_axes })
    }

    /// Along x, y and z, m.
    pub fn semi_axes(&self) -> DVec3 {
        self.semi_axes
    }

    /// The t for which the point with coordinates aᵢ² pᵢ/(t + aᵢ²) lies on the ellipsoid: the root of
    /// Σ (aᵢ pᵢ/(t + aᵢ²))² = 1 above −min aᵢ², by bisection (D. Eberly, "Distance from a Point to an Ellipse, an
    /// Ellipsoid, or a Hyperellipsoid", section 3). Lengths are in units of the shortest semi-axis. `None` where the sum
    /// stays below one: the point is inside, in the plane across the shortest semi-axis.
    fn parameter(axes: DVec3, p: DVec3) -> Option<f64> {
        let excess = |t: f64| (axes * p / (axes * axes + t)).length_squared() - 1.0;
        // Components along the shortest axes (of length one) decide whether the sum grows without end towards −1.
        let shortest = (0..3).filter(|&i| axes[i] == 1.0 && p[i] != 0.0).map(|i| p[i] * p[i]).sum::<f64>();
        let mut low = -1.0 + shortest.sqrt();
        if shortest == 0.0 {
            let others =
                |i: usize| if axes[i] == 1.0 { 0.0 } else { (axes[i] * p[i] / (axes[i] * axes[i] - 1.0)).powi(2) };
            if (0..3).map(others).sum::<f64>() <= 1.0 {
                return None;
            }
            low = -1.0;
        }
        let mut high = (axes * p).length() - 1.0;
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if excess(middle) > 0.0 { low = middle } else { high = middle }
        }
        Some(0.5 * (low + high))
    }
}

impl Primitive for Ellipsoid {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn dimensions(&self) -> Vec<f64> {
        self.semi_axes.to_array().to_vec()
    }

    fn bounds_at(&self, pose: &Pose) -> (DVec3, DVec3) {
        let axes = DMat3::from_quat(pose.rotation) * DMat3::from_diagonal(self.semi_axes);
        let extent = DVec3::from_array(std::array::from_fn(|i| axes.row(i).length()));
        (pose.translation - extent, pose.translation + extent)
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassPropertiesError> {
        let volume = 4.0 / 3.0 * PI * self.semi_axes.element_product();
        let s = self.semi_axes * self.semi_axes;
        let moments = 0.2 * density * volume * DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y);
        MassProperties::of_density(density, volume, DMat3::from_diagonal(moments))
    }

    /// The shortest semi-axis: the radius of the largest ball inside.
    fn thickness(&self) -> f64 {
        self.semi_axes.min_element()
    }

    fn support(&self, direction: DVec3) -> Option<DVec3> {
        let scaled = self.semi_axes * direction;
        Some(self.semi_axes * scaled / scaled.length())
    }

    fn core(&self) -> Option<RoundedCore<'_>> {
        Some(RoundedCore { core: self, radius: 0.0 })
    }

    fn closest(&self, point: DVec3) -> SurfacePoint {
        let unit = self.semi_axes.min_element();
        let (axes, p) = (self.semi_axes / unit, point / unit);
        let squares = axes * axes;
        let position = match Self::parameter(axes, p) {
            Some(t) => {
                let on = squares * p / (squares + t);
                // Rounding near the centre: back onto the surface along the ray.
                on / (on / axes).length()
            }
            None => {
                // In the plane across a shortest axis: the others as with t = −1, the rest along that axis.
                let across = (0..3).find(|&i| axes[i] == 1.0).unwrap_or(0);
                let mut on = DVec3::from_array(std::array::from_fn(|i| {
                    if axes[i] == 1.0 { 0.0 } else { squares[i] * p[i] / (squares[i] - 1.0) }
                }));
                on[across] = (1.0 - (on / axes).length_squared()).max(0.0).sqrt();
                on
            }
        };
        let normal = (position / squares).normalize();
        let away = p - position;
        let inside = (p / axes).length_squared() < 1.0;
        let distance = if inside { -away.length() } else { away.length() };
        SurfacePoint { position: position * unit, normal, distance: distance * unit }
    }

    fn triangles(&self) -> Triangles {
        sphere(self.semi_axes)
    }

    fn as_solid(&self) -> Option<Arc<dyn Solid>> {
        Some(Arc::new(*self))
    }
}
