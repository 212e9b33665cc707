//! A cylinder as a convex core: two flat ends, two rims, a side of straight lines.

use glam::{DMat3, DVec3};

use super::{ConvexCore, LocalFeature, Outline};
use crate::contact::Feature;
use crate::solid::Cylinder;

/// The part of a direction across the axis y.
pub(super) fn across(direction: DVec3) -> DVec3 {
    DVec3::new(direction.x, 0.0, direction.z)
}

/// A rim about the axis y: a circle of a radius at a height, m.
pub(super) fn rim(radius: f64, height: f64) -> LocalFeature {
    let square = radius * radius;
    let quadric = DMat3::from_diagonal(DVec3::new(square, 0.0, square));
    LocalFeature::Smooth { centre: DVec3::Y * height, quadric }
}

impl ConvexCore for Cylinder {
    fn support(&self, direction: DVec3) -> DVec3 {
        let radial = across(direction).normalize_or_zero();
        radial * self.radius() + DVec3::Y * self.half_height().copysign(direction.y)
    }

    fn local_features(&self, direction: DVec3, angle: f64, found: &mut Vec<LocalFeature>) {
        let (sine, out) = (libm::sin(angle), across(direction).length());
        let height = self.half_height().copysign(direction.y);
        if out > 0.0 {
            found.push(rim(self.radius(), height));
        }
        if direction.y.abs() <= sine {
            found.push(rim(self.radius(), -height));
            found.push(LocalFeature::Line { point: DVec3::ZERO, direction: DVec3::Y });
        }
        if out <= sine {
            found.push(LocalFeature::Face { normal: DVec3::Y * 1_f64.copysign(direction.y) });
        }
    }

    /// The side is surface 0, the upper and the lower end are 1 and 2, their rims 3 and 4.
    fn outline(&self, direction: DVec3, angle: f64) -> (Outline, Feature) {
        let (sine, radial) = (libm::sin(angle), across(direction));
        let end = DVec3::Y * self.half_height().copysign(direction.y);
        let lower = u32::from(direction.y < 0.0);
        if radial.length() <= sine {
            let normal = DVec3::Y * 1_f64.copysign(direction.y);
            let disc = Outline::Disc { centre: end, normal, radius: self.radius(), axis: DVec3::X };
            (disc, Feature::Surface(1 + lower))
        } else if direction.y.abs() <= sine {
            let (side, end) = (radial.normalize() * self.radius(), DVec3::Y * self.half_height());
            (Outline::Segment([side - end, side + end]), Feature::Surface(0))
        } else {
            (Outline::Point(self.support(direction)), Feature::Surface(3 + lower))
        }
    }
}
