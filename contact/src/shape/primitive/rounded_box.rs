//! A box with rounded edges and corners.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::tessellation::rounded_box;
use super::{Primitive, SurfacePoint, checked};
use crate::pose::Pose;
use crate::shape::convex_core::{Polytope, RoundedCore};
use crate::shape::mass_properties::{MassProperties, MassPropertiesError};
use crate::shape::shape::Triangles;
use crate::shape::shape_error::ShapeError;

/// All points within a radius of a box about the origin, its sides along the axes.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundedBox {
    half: DVec3,
    radius: f64,
    core: Polytope,
}

impl RoundedBox {
    /// Its name in files.
    pub const KIND: &'static str = "rounded-box";

    /// All points within `radius` of the box with these half sides along x, y and z, m: outside, the half sides are longer by
    /// the radius.
    ///
    /// # Errors
    /// [`ShapeError::Dimension`] unless all are finite and above zero, and large enough for faces to have an area.
    pub fn new(half: DVec3, radius: f64) -> Result<Self, ShapeError> {
        for value in half.to_array() {
            checked(Self::KIND, "half side", value)?;
        }
        let radius = checked(Self::KIND, "radius", radius)?;
        let too_small = ShapeError::Dimension { kind: Self::KIND, dimension: "half side", value: half.min_element() };
        Ok(Self { half, radius, core: Polytope::cuboid(half).ok_or(too_small)? })
    }

    /// Half the sides of the core along x, y and z, m.
    pub fn half(&self) -> DVec3 {
        self.half
    }

    /// m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// ∫ x² over the solid for the half side a along x and the other two, m⁵: of the core and the slabs on its faces, of
    /// quarters of cylinders along the edges, and of eighths of balls at the corners.
    fn second_moment(&self, a: f64, b: f64, c: f64) -> f64 {
        let r = self.radius;
        let middle = a * a / 3.0;
        let core_and_sides = (8.0 * a * b * c + 8.0 * r * a * (b + c) + 2.0 * PI * r * r * a) * middle;
        let ends = 8.0 * b * c * ((a + r).powi(3) - a.powi(3)) / 3.0;
        let edges = 8.0 * (b + c) * (a * a * PI * r * r / 4.0 + 2.0 * a * r.powi(3) / 3.0 + PI * r.powi(4) / 16.0);
        let corners = 8.0 * (a * a * PI * r.powi(3) / 6.0 + a * PI * r.powi(4) / 8.0 + PI * r.powi(5) / 30.0);
        core_and_sides + ends + edges + corners
    }

    fn volume(&self) -> f64 {
        let (DVec3 { x: a, y: b, z: c }, r) = (self.half, self.radius);
        8.0 * (a * b * c + r * (a * b + b * c + c * a)) + PI * r * r * (2.0 * (a + b + c) + 4.0 / 3.0 * r)
    }

    fn area(&self) -> f64 {
        let (DVec3 { x: a, y: b, z: c }, r) = (self.half, self.radius);
        8.0 * (a * b + b * c + c * a) + 4.0 * PI * r * (a + b + c + r)
    }
}

impl Primitive for RoundedBox {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn dimensions(&self) -> Vec<f64> {
        let [a, b, c] = self.half.to_array();
        vec![a, b, c, self.radius]
    }

    fn bounds_at(&self, pose: &Pose) -> (DVec3, DVec3) {
        let DMat3 { x_axis, y_axis, z_axis } = DMat3::from_quat(pose.rotation);
        let DVec3 { x, y, z } = self.half;
        let reach = x_axis.abs() * x + y_axis.abs() * y + z_axis.abs() * z + self.radius;
        (pose.translation - reach, pose.translation + reach)
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, MassPropertiesError> {
        let DVec3 { x: a, y: b, z: c } = self.half;
        let [x, y, z] = [[a, b, c], [b, c, a], [c, a, b]].map(|[a, b, c]| self.second_moment(a, b, c));
        let moments = density * DVec3::new(y + z, z + x, x + y);
        MassProperties::of_density(density, self.volume(), DMat3::from_diagonal(moments))
    }

    fn thickness(&self) -> f64 {
        3.0 * self.volume() / self.area()
    }

    fn support(&self, _: DVec3) -> Option<DVec3> {
        None
    }

    fn core(&self) -> Option<RoundedCore<'_>> {
        Some(RoundedCore { core: &self.core, radius: self.radius })
    }

    fn closest(&self, point: DVec3) -> SurfacePoint {
        let on_core = point.clamp(-self.half, self.half);
        let away = point - on_core;
        if let Some(normal) = away.try_normalize() {
            let distance = away.length() - self.radius;
            return SurfacePoint { position: on_core + normal * self.radius, normal, distance };
        }
        // In the core: out through the nearest face.
        let beyond = point.abs() - self.half;
        let axis = beyond.max_position();
        let normal = DVec3::AXES[axis] * 1_f64.copysign(point[axis]);
        let distance = beyond[axis] - self.radius;
        SurfacePoint { position: point - normal * distance, normal, distance }
    }

    fn triangles(&self) -> Triangles {
        rounded_box(self.half, self.radius)
    }
}
