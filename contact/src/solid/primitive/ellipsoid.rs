//! An ellipsoid as a general solid.
//!
//! Seen in units of its semi-axes it is a ball, and a box a skewed one. The tangent plane across the ray from the centre to a
//! point of the skewed box may keep box and ellipsoid apart; that point goes, coordinate by coordinate (Gauss and Seidel with
//! clamping), to the one that is closest to the centre. Lengths that are compared are those of space, not of the ball.

use std::f64::consts::FRAC_PI_2;

use glam::{DVec2, DVec3};

use super::described;
use super::revolution::{Piece, append_samples};
use super::span::Span;
use super::{PrimitiveSolid, by_corners, exact, is_beyond_plane, must_be_finite, rounding_slack, tolerance};
use crate::bounds::Bounds;
use crate::shape::{Ellipsoid, MassPropertiesError, Primitive, SurfacePoint, Triangles};
use crate::solid::Description;
use crate::solid::{BoundedMass, Crossing, NoNormal, OrientedBox, Relation, Solid};

/// Planes that are tried. The first alone makes the error one of second order.
const PLANES: usize = 8;

impl PrimitiveSolid for Ellipsoid {
    fn dimensions(&self) -> Vec<f64> {
        Primitive::dimensions(self)
    }
}

/// Whether a plane surely keeps a box and the ellipsoid with these semi-axes (m) apart.
fn is_apart(axes: DVec3, turned: &OrientedBox, margin: f64) -> bool {
    let skewed = [0, 1, 2].map(|k| turned.axes.col(k) * turned.half[k] / axes);
    let mut shares = [0.0; 3];
    let mut point = turned.centre / axes;
    for _ in 0..PLANES {
        if point.length_squared() <= 1.0 {
            return false;
        }
        let normal = (point / axes).normalize();
        if is_beyond_plane(turned, normal, (axes * normal).length(), margin) {
            return true;
        }
        for (share, side) in shares.iter_mut().zip(skewed) {
            let square = side.length_squared();
            if square > 0.0 {
                let next = (*share - point.dot(side) / square).clamp(-1.0, 1.0);
                point += (next - *share) * side;
                *share = next;
            }
        }
    }
    false
}

impl Solid for Ellipsoid {
    fn kind(&self) -> &'static str {
        Self::KIND
    }

    fn bounds(&self) -> Bounds {
        Bounds { low: -self.semi_axes(), high: self.semi_axes() }
    }

    fn extent(&self, direction: DVec3) -> f64 {
        (self.semi_axes() * direction).length()
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        let axes = self.semi_axes();
        let margin = turned.rounding(axes.max_element());
        if (turned.centre / axes).length_squared() < 1.0 {
            // From a point s < 1 along a ray it is at least (1 − s) shortest semi-axes to the surface.
            let deepest = 1.0 - margin / axes.min_element();
            by_corners(turned, |corner| (corner / axes).length() < deepest)
        } else if is_apart(axes, turned, margin) {
            Relation::Outside
        } else {
            Relation::Undecided
        }
    }

    /// Of second order: a box that meets the tangent plane at the end of the ray through its centre meets it within
    /// t = `radius`·(1 + longest/shortest) of that end, and there the ball with the least radius of curvature that touches the plane from
    /// inside is no farther than t²/(ϱ + √(ϱ² + t²)). Rounding comes to that, the more the flatter the ellipsoid.
    fn slack(&self, radius: f64) -> f64 {
        let (least, most) = (self.semi_axes().min_element(), self.semi_axes().max_element());
        let (aside, curvature) = (radius * (1.0 + most / least), least * least / most);
        aside * aside / (curvature + libm::hypot(curvature, aside)) + most / least * rounding_slack(most, radius)
    }

    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        let axes = self.semi_axes();
        let ends = [self.contains(from), self.contains(to)];
        let normal = |p: DVec3| (p / axes / axes).try_normalize();
        Span::of_unit_ball(from / axes, to / axes).append([from, to], ends, normal, crossings);
    }

    fn contains(&self, point: DVec3) -> bool {
        let axes = self.semi_axes();
        let scaled = point / axes;
        let share = scaled.length();
        // Near the surface the way to it is about (share − 1)/‖gradient of the share‖.
        share <= 1.0 || (share - 1.0) * share <= tolerance(axes.max_element(), point) * (scaled / axes).length()
    }

    /// The closest point.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        must_be_finite(Self::KIND, point)?;
        Ok(Primitive::closest(self, point))
    }

    fn samples(&self, spacing: f64, samples: &mut Vec<DVec3>) {
        let start = samples.len();
        let longest = self.semi_axes().max_element();
        // The ball of the longest semi-axis, shrunk: no two points get farther from each other.
        append_samples(&[Piece::Arc(DVec2::ZERO, longest, [FRAC_PI_2, -FRAC_PI_2])], spacing, samples);
        for sample in &mut samples[start..] {
            *sample *= self.semi_axes() / longest;
        }
    }

    /// The shortest semi-axis.
    fn thickness(&self) -> f64 {
        Primitive::thickness(self)
    }

    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        Primitive::mass_properties(self, density).map(exact)
    }

    fn triangles(&self) -> Triangles {
        Primitive::triangles(self)
    }

    fn description(&self) -> Option<Description> {
        Some(described(self))
    }
}
