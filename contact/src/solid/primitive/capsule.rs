//! A capsule: all points within a radius of a segment along y.
//!
//! A box is outside where it is farther than the radius from the segment. In the frame of the box the square of the distance
//! is a sum over its axes; along the segment, the derivative of that sum is piecewise linear and does not fall, so its root is
//! found by comparing it at the ends of its pieces.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DVec2, DVec3};

use super::described;
use super::revolution::{self, Piece, append_samples};
use super::span::Span;
use super::{PrimitiveSolid, by_corners, checked, must_be_finite, of_closed_form, rounding_slack, tolerance};
use crate::bounds::Bounds;
use crate::shape::convex_core::Segment;
use crate::shape::{MassPropertiesError, ShapeError, SurfacePoint, Triangles};
use crate::solid::Description;
use crate::solid::{BoundedMass, Crossing, NoNormal, OrientedBox, Relation, Solid};

/// A capsule about the origin, its axis along y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    radius: f64,
    segment: Segment,
}

impl Capsule {
    /// Its name in files.
    pub const KIND: &'static str = "capsule";

    /// The points within `radius` of the segment from (0, −`half_length`, 0) to (0, `half_length`, 0), m.
    ///
    /// # Errors
    /// [`ShapeError::Dimension`] unless both are finite and above zero.
    pub fn new(radius: f64, half_length: f64) -> Result<Self, ShapeError> {
        Ok(Self {
            radius: checked(Self::KIND, "radius", radius)?,
            segment: Segment { half_length: checked(Self::KIND, "half length", half_length)? },
        })
    }

    /// m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Half the length of the segment, m.
    pub fn half_length(&self) -> f64 {
        self.segment.half_length
    }

    pub(crate) fn segment(&self) -> &Segment {
        &self.segment
    }

    fn size(&self) -> f64 {
        self.radius + self.half_length()
    }

    /// From the closest point of the segment to a point, m.
    fn off_segment(&self, point: DVec3) -> DVec3 {
        DVec3::new(point.x, point.y - point.y.clamp(-self.half_length(), self.half_length()), point.z)
    }

    /// As [`Solid::nearest`].
    pub(crate) fn closest(&self, point: DVec3) -> SurfacePoint {
        let away = self.off_segment(point);
        let normal = away.try_normalize().unwrap_or(DVec3::X);
        SurfacePoint { position: point - away + self.radius * normal, normal, distance: away.length() - self.radius }
    }

    /// From the segment to a box, m.
    fn distance_to_box(&self, turned: &OrientedBox) -> f64 {
        let back = turned.axes.transpose();
        let (middle, way) = (back * -turned.centre, back * DVec3::Y * self.half_length());
        // How far outside the box, along its axes.
        let beyond = |share: f64| {
            let at = middle + share * way;
            at - at.clamp(-turned.half, turned.half)
        };
        let slope = |share: f64| beyond(share).dot(way);
        let (mut low, mut high) = (-1.0, 1.0);
        let (mut at_low, mut at_high) = (slope(low), slope(high));
        if at_low >= 0.0 {
            return beyond(low).length();
        }
        if at_high <= 0.0 {
            return beyond(high).length();
        }
        for k in 0..3 {
            for side in [-turned.half[k], turned.half[k]] {
                let share = (side - middle[k]) / way[k];
                if share > low && share < high {
                    let value = slope(share);
                    if value <= 0.0 {
                        (low, at_low) = (share, value);
                    } else {
                        (high, at_high) = (share, value);
                    }
                }
            }
        }
        beyond(low + (high - low) * (at_low / (at_low - at_high))).length()
    }

    fn curve(&self) -> [Piece; 3] {
        let (r, h) = (self.radius, self.half_length());
        [
            Piece::Arc(DVec2::new(0.0, h), r, [FRAC_PI_2, 0.0]),
            Piece::Line(DVec2::new(r, h), DVec2::new(r, -h)),
            Piece::Arc(DVec2::new(0.0, -h), r, [0.0, -FRAC_PI_2]),
        ]
    }
}

impl PrimitiveSolid for Capsule {
    fn dimensions(&self) -> Vec<f64> {
        vec![self.radius, self.half_length()]
    }
}

impl Solid for Capsule {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn bounds(&self) -> Bounds {
        let high = DVec3::new(self.radius, self.size(), self.radius);
        Bounds { low: -high, high }
    }

    fn extent(&self, direction: DVec3) -> f64 {
        self.radius * direction.length() + self.half_length() * direction.y.abs()
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        let margin = turned.rounding(self.size());
        if self.off_segment(turned.centre).length() < self.radius {
            by_corners(turned, |corner| self.off_segment(corner).length() < self.radius - margin)
        } else if self.distance_to_box(turned) > self.radius + margin {
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
        let (r, h) = (self.radius, self.half_length());
        let flat = DVec3::new(1.0, 0.0, 1.0);
        let side = Span::of_unit_ball(from * flat / r, to * flat / r).and(Span::of_slab(from.y, to.y, -h, h));
        let ball = |y: f64| Span::of_unit_ball((from - DVec3::Y * y) / r, (to - DVec3::Y * y) / r);
        let span = side.or(ball(-h)).or(ball(h));
        let ends = [self.contains(from), self.contains(to)];
        span.append([from, to], ends, |p| self.off_segment(p).try_normalize(), crossings);
    }

    fn contains(&self, point: DVec3) -> bool {
        self.off_segment(point).length() - self.radius <= tolerance(self.size(), point)
    }

    /// The closest point; of those on the segment, that along x.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        must_be_finite(Self::KIND, point)?;
        Ok(self.closest(point))
    }

    fn samples(&self, spacing: f64, samples: &mut Vec<DVec3>) {
        append_samples(&self.curve(), spacing, samples);
    }

    fn thickness(&self) -> f64 {
        let (r, h) = (self.radius, self.half_length());
        r * (2.0 * r + 3.0 * h) / (2.0 * (r + h))
    }

    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        let (r, h) = (self.radius, self.half_length());
        // The cylinder, and the two halves of a ball; shares of the mass.
        let (side, ends) = (2.0 * PI * r * r * h, 4.0 / 3.0 * PI * r.powi(3));
        let volume = side + ends;
        let (side, ends) = (side / volume, ends / volume);
        let along = r * r * (0.5 * side + 0.4 * ends);
        let across = side * (r * r / 4.0 + h * h / 3.0) + ends * (0.4 * r * r + h * h + 0.75 * h * r);
        of_closed_form(density, volume, DVec3::new(across, along, across))
    }

    fn triangles(&self) -> Triangles {
        revolution::triangles(&self.curve(), false)
    }

    fn description(&self) -> Option<Description> {
        Some(described(self))
    }
}
