//! A torus: all points within the minor radius of a circle, the core.
//!
//! Its signed distance f is that from the core less the minor radius. From the centre of a box, f falls by no more than its
//! gradient says and half a curvature times the square of the radius of the box: f curves down about the axis alone,
//! by (R − ϱ)/(D ϱ) where ϱ is the distance from the axis, R the major radius and D ≥ |R − ϱ| the distance from the core. A
//! box is inside where its corners are within the minor radius of one point of the core.
//!
//! A segment crosses the torus at roots of a quartic. Its critical points, roots of a cubic, cut the segment into pieces on
//! which the quartic is monotone; the sign of f, which is that of the quartic but known better, finds the crossing of a piece.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DVec2, DVec3};

use super::described;
use super::polynomial::{roots, sign_change};
use super::revolution::{self, Piece, append_samples};
use super::span::{Span, within_unit};
use super::{PrimitiveSolid, by_corners, checked, must_be_finite, of_closed_form, rounding_slack};
use crate::bounds::Bounds;
use crate::shape::{MassPropertiesError, ShapeError, SurfacePoint, Triangles};
use crate::solid::Description;
use crate::solid::{BoundedMass, Crossing, NoNormal, OrientedBox, ROUNDING, Relation, Solid};

/// A torus about the origin, its axis along y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torus {
    major: f64,
    minor: f64,
}

/// The ball to which segments are cut is larger than the torus by this factor: rounding does not reach it.
const AROUND: f64 = 1.001;

impl Torus {
    /// Its name in files.
    pub const KIND: &'static str = "torus";

    /// The points within `minor` of the circle with the radius `major` about y, m.
    ///
    /// # Errors
    /// [`ShapeError::Dimension`] unless both are finite and above zero and the minor radius is below the major.
    pub fn new(major: f64, minor: f64) -> Result<Self, ShapeError> {
        let torus = Self {
            major: checked(Self::KIND, "major radius", major)?,
            minor: checked(Self::KIND, "minor radius", minor)?,
        };
        checked(Self::KIND, "major radius less the minor", major - minor)?;
        Ok(torus)
    }

    /// Of the core, m.
    pub fn major(&self) -> f64 {
        self.major
    }

    /// Of the tube, m.
    pub fn minor(&self) -> f64 {
        self.minor
    }

    fn size(&self) -> f64 {
        self.major + self.minor
    }

    /// From the closest point of the core to a point: along the direction away from the axis and along the axis, m.
    fn off_core(&self, point: DVec3) -> DVec2 {
        DVec2::new(DVec2::new(point.x, point.z).length() - self.major, point.y)
    }

    /// The signed distance, m.
    fn distance(&self, point: DVec3) -> f64 {
        self.off_core(point).length() - self.minor
    }

    /// The closest point.
    fn closest(&self, point: DVec3) -> SurfacePoint {
        let radial = DVec3::new(point.x, 0.0, point.z).try_normalize().unwrap_or(DVec3::X);
        let away = self.off_core(point);
        let across = away.try_normalize().unwrap_or(DVec2::X);
        let normal = across.x * radial + across.y * DVec3::Y;
        let position = self.major * radial + self.minor * normal;
        SurfacePoint { position, normal, distance: away.length() - self.minor }
    }

    /// Where, from one point to another, the quartic has its critical points: shares of the way, ascending.
    fn critical(&self, from: DVec3, to: DVec3) -> impl Iterator<Item = f64> + use<> {
        let unit = self.size();
        let (from, way) = (from / unit, (to - from) / unit);
        let (major, minor) = (self.major / unit, self.minor / unit);
        let (flat_from, flat_way) = (DVec2::new(from.x, from.z), DVec2::new(way.x, way.z));
        // (‖p‖² + R² − r²)² − 4 R² (x² + z²), ‖p‖² and x² + z² being quadratic.
        let (square, linear) = (way.length_squared(), 2.0 * from.dot(way));
        let constant = from.length_squared() + (major - minor) * (major + minor);
        let factor = 4.0 * major * major;
        let second = linear * linear + 2.0 * square * constant - factor * flat_way.length_squared();
        let first = 2.0 * linear * constant - 2.0 * factor * flat_from.dot(flat_way);
        roots(&[first, 2.0 * second, 6.0 * square * linear, 4.0 * square * square]).into_iter()
    }

    fn curve(&self) -> [Piece; 1] {
        [Piece::Arc(DVec2::new(self.major, 0.0), self.minor, [FRAC_PI_2, -3.0 * FRAC_PI_2])]
    }
}

impl PrimitiveSolid for Torus {
    fn dimensions(&self) -> Vec<f64> {
        vec![self.major, self.minor]
    }
}

impl Solid for Torus {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn bounds(&self) -> Bounds {
        let high = DVec3::new(self.size(), self.minor, self.size());
        Bounds { low: -high, high }
    }

    fn extent(&self, direction: DVec3) -> f64 {
        self.major * DVec2::new(direction.x, direction.z).length() + self.minor * direction.length()
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        let margin = turned.rounding(self.size());
        let on = self.closest(turned.centre);
        if on.distance < 0.0 {
            let core = on.position - self.minor * on.normal;
            return by_corners(turned, |corner| corner.distance(core) < self.minor - margin);
        }
        let reach = turned.reach(on.normal);
        if reach.is_nan() {
            return Relation::Undecided;
        }
        let (radius, to_core) = (turned.radius(), on.distance + self.minor);
        // The least distance of the box from the axis, and the largest curvature there.
        let inner = DVec2::new(turned.centre.x, turned.centre.z).length() - radius;
        let mut fall = radius;
        if inner > 0.0 {
            let mut curvature = 1.0 / inner;
            if to_core > radius {
                curvature = curvature.min((self.major - inner).max(0.0) / (inner * (to_core - radius)));
            }
            fall = fall.min(reach + 0.5 * curvature * radius * radius);
        }
        if on.distance - fall > margin || turned.centre.y.abs() - turned.reach(DVec3::Y) > self.minor + margin {
            Relation::Outside
        } else {
            Relation::Undecided
        }
    }

    /// Of second order for boxes smaller than a quarter of the tube and of what lies between tube and axis, by the curvature of
    /// the signed distance; else as large as the box.
    fn slack(&self, radius: f64) -> f64 {
        let hole = self.major - self.minor;
        let rounding = rounding_slack(self.size(), radius);
        if radius < 0.25 * self.minor.min(hole) {
            radius.min(radius * radius * (1.0 / hole + 1.0 / self.minor)) + rounding
        } else {
            radius + rounding
        }
    }

    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        let around = AROUND * self.size();
        let span = Span::of_unit_ball(from / around, to / around);
        let (low, high) = (within_unit(span.enter), within_unit(span.leave));
        if span.is_empty() || low >= high {
            return;
        }
        let depth = |share: f64| self.distance(from.lerp(to, share)) - ROUNDING * self.size();
        let mut start = low;
        // What is cut off is outside.
        let mut is_inside = low == 0.0 && self.contains(from);
        let inner = self.critical(from.lerp(to, low), from.lerp(to, high)).map(|s| low + s * (high - low));
        for end in inner.chain([high]) {
            let is_end_inside = if end < high { depth(end) <= 0.0 } else { high == 1.0 && self.contains(to) };
            if is_end_inside != is_inside {
                let share = sign_change(start, end, depth);
                let normal = Some(self.closest(from.lerp(to, share)).normal);
                crossings.push(Crossing { share, normal, is_entry: is_end_inside });
            }
            (start, is_inside) = (end, is_end_inside);
        }
    }

    fn contains(&self, point: DVec3) -> bool {
        self.distance(point) <= ROUNDING * self.size()
    }

    /// The closest point; of those on the core that away from the axis, of those on the axis one towards x.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        must_be_finite(Self::KIND, point)?;
        Ok(self.closest(point))
    }

    fn samples(&self, spacing: f64, samples: &mut Vec<DVec3>) {
        append_samples(&self.curve(), spacing, samples);
    }

    fn thickness(&self) -> f64 {
        1.5 * self.minor
    }

    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        let (major, minor) = (self.major * self.major, self.minor * self.minor);
        let across = 0.5 * major + 0.625 * minor;
        of_closed_form(density, 2.0 * PI * PI * self.major * minor, DVec3::new(across, major + 0.75 * minor, across))
    }

    fn triangles(&self) -> Triangles {
        revolution::triangles(&self.curve(), true)
    }

    fn description(&self) -> Option<Description> {
        Some(described(self))
    }
}
