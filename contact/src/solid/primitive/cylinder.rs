//! A cylinder.
//!
//! A plane through the point that is closest to the centre of a box tells most boxes apart; [`shadow::is_apart`] decides of
//! the others.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

use super::described;
use super::revolution::{self, Piece, append_samples};
use super::span::Span;
use super::{
    PrimitiveSolid, by_corners, checked, is_beyond_plane, must_be_finite, of_closed_form, rounding_slack, shadow,
    tolerance,
};
use crate::bounds::Bounds;
use crate::shape::{MassPropertiesError, ShapeError, SurfacePoint, Triangles};
use crate::solid::Description;
use crate::solid::{BoundedMass, Crossing, NoNormal, OrientedBox, Relation, Solid};

/// A cylinder about the origin, its axis along y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    radius: f64,
    half_height: f64,
}

impl Cylinder {
    /// Its name in files.
    pub const KIND: &'static str = "cylinder";

    /// The points within `radius` of the axis y and between −`half_height` and `half_height` along it, m.
    ///
    /// # Errors
    /// [`ShapeError::Dimension`] unless both are finite and above zero.
    pub fn new(radius: f64, half_height: f64) -> Result<Self, ShapeError> {
        Ok(Self {
            radius: checked(Self::KIND, "radius", radius)?,
            half_height: checked(Self::KIND, "half height", half_height)?,
        })
    }

    /// m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Half the height, m.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }

    fn size(&self) -> f64 {
        self.radius.max(self.half_height)
    }

    /// How far beyond the side and beyond the nearer end a point is, m.
    fn beyond(&self, point: DVec3) -> DVec2 {
        DVec2::new(DVec2::new(point.x, point.z).length() - self.radius, point.y.abs() - self.half_height)
    }

    /// As [`Solid::nearest`], with one of the normals on the edge.
    pub(crate) fn closest(&self, point: DVec3) -> SurfacePoint {
        let beyond = self.beyond(point);
        let radial = DVec3::new(point.x, 0.0, point.z).try_normalize().unwrap_or(DVec3::X);
        let axial = DVec3::Y * 1f64.copysign(point.y);
        let outside = beyond.max(DVec2::ZERO);
        let (distance, across) = if outside == DVec2::ZERO {
            (beyond.max_element(), if beyond.x > beyond.y { DVec2::X } else { DVec2::Y })
        } else {
            (outside.length(), outside.normalize())
        };
        // Onto the surface along each direction that has a part in the normal.
        let onto = |value: f64, part: f64| if part == 0.0 { value.min(0.0) } else { 0.0 };
        let position =
            (self.radius + onto(beyond.x, across.x)) * radial + (self.half_height + onto(beyond.y, across.y)) * axial;
        SurfacePoint { position, normal: across.x * radial + across.y * axial, distance }
    }

    fn curve(&self) -> [Piece; 3] {
        let corner = DVec2::new(self.radius, self.half_height);
        let lower = DVec2::new(self.radius, -self.half_height);
        let axis = DVec2::new(0.0, 1.0);
        [Piece::Line(corner * axis, corner), Piece::Line(corner, lower), Piece::Line(lower, lower * axis)]
    }
}

impl PrimitiveSolid for Cylinder {
    fn dimensions(&self) -> Vec<f64> {
        vec![self.radius, self.half_height]
    }
}

impl Solid for Cylinder {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn bounds(&self) -> Bounds {
        let high = DVec3::new(self.radius, self.half_height, self.radius);
        Bounds { low: -high, high }
    }

    fn extent(&self, direction: DVec3) -> f64 {
        self.radius * DVec2::new(direction.x, direction.z).length() + self.half_height * direction.y.abs()
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        let margin = turned.rounding(self.size());
        let on = self.closest(turned.centre);
        if on.distance < 0.0 {
            return by_corners(turned, |corner| self.beyond(corner).max_element() < -margin);
        }
        let ends = [-self.half_height - margin, self.half_height + margin];
        if is_beyond_plane(turned, on.normal, self.extent(on.normal), margin)
            || shadow::is_apart(turned, ends, |_| self.radius, margin)
        {
            Relation::Outside
        } else {
            Relation::Undecided
        }
    }

    /// None but for rounding.
    fn slack(&self, radius: f64) -> f64 {
        rounding_slack(self.size(), radius)
    }

    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        let flat = DVec3::new(1.0, 0.0, 1.0) / self.radius;
        let ends = Span::of_slab(from.y, to.y, -self.half_height, self.half_height);
        let span = Span::of_unit_ball(from * flat, to * flat).and(ends);
        let ends = [self.contains(from), self.contains(to)];
        span.append([from, to], ends, |p| self.nearest(p).ok().map(|on| on.normal), crossings);
    }

    fn contains(&self, point: DVec3) -> bool {
        self.beyond(point).max_element() <= tolerance(self.size(), point)
    }

    /// The closest point; of those outside beside an edge, with the direction to the point for a normal, and of those inside
    /// that are as near to several, one of them.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        must_be_finite(Self::KIND, point)?;
        if self.beyond(point).abs().max_element() <= tolerance(self.size(), point) {
            return Err(NoNormal { kind: Self::KIND, point, why: "the point is on an edge" });
        }
        Ok(self.closest(point))
    }

    fn samples(&self, spacing: f64, samples: &mut Vec<DVec3>) {
        append_samples(&self.curve(), spacing, samples);
    }

    fn thickness(&self) -> f64 {
        3.0 * self.radius * self.half_height / (self.radius + 2.0 * self.half_height)
    }

    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        let (r, h) = (self.radius, self.half_height);
        let across = r * r / 4.0 + h * h / 3.0;
        of_closed_form(density, 2.0 * PI * r * r * h, DVec3::new(across, 0.5 * r * r, across))
    }

    fn triangles(&self) -> Triangles {
        revolution::triangles(&self.curve(), false)
    }

    fn description(&self) -> Option<Description> {
        Some(described(self))
    }
}
