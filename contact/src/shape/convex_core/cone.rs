//! A cone as a convex core: a flat base, its rim, a side of straight lines, a tip.

use glam::DVec3;

use super::cylinder::{across, rim};
use super::{ConvexCore, LocalFeature, Outline};
use crate::contact::Feature;
use crate::solid::Cone;

/// Of the normals of the side: their parts along the axis and across it.
fn slope(cone: &Cone) -> (f64, f64) {
    let side = libm::hypot(cone.radius(), cone.height());
    (cone.radius() / side, cone.height() / side)
}

/// The tip, and the middle of the base, m.
fn ends(cone: &Cone) -> (DVec3, DVec3) {
    (DVec3::Y * (0.75 * cone.height()), DVec3::Y * (-0.25 * cone.height()))
}

impl ConvexCore for Cone {
    fn support(&self, direction: DVec3) -> DVec3 {
        let ((tip, base), radial) = (ends(self), across(direction));
        // Of the rim: |radial| r + y base, of the tip: y tip.
        if radial.length() * self.radius() > direction.y * self.height() {
            base + radial.normalize_or_zero() * self.radius()
        } else {
            tip
        }
    }

    fn local_features(&self, direction: DVec3, angle: f64, found: &mut Vec<LocalFeature>) {
        let ((along, out), (tip, base)) = (slope(self), ends(self));
        let (sine, radial) = (libm::sin(angle), across(direction).length());
        // Of the angle by which the direction is turned from the normal of the side towards the tip.
        let turned = direction.y * out - radial * along;
        if turned >= -sine {
            found.push(LocalFeature::Vertex { point: tip });
        }
        if turned <= sine && radial > 0.0 {
            found.push(rim(self.radius(), base.y));
        }
        if turned.abs() <= sine && radial > 0.0 {
            found.push(LocalFeature::ConeSide { tip, axis: DVec3::Y, sine: along });
        }
        if radial <= sine && direction.y < 0.0 {
            found.push(LocalFeature::Face { normal: DVec3::NEG_Y });
        }
    }

    /// The side is surface 0, the base 1, its rim 2, the tip 3.
    fn outline(&self, direction: DVec3, angle: f64) -> (Outline, Feature) {
        let ((along, out), (tip, base)) = (slope(self), ends(self));
        let (sine, radial) = (libm::sin(angle), across(direction));
        let turned = direction.y * out - radial.length() * along;
        if radial.length() <= sine && direction.y < 0.0 {
            let disc = Outline::Disc { centre: base, normal: DVec3::NEG_Y, radius: self.radius(), axis: DVec3::X };
            (disc, Feature::Surface(1))
        } else if turned.abs() <= sine && radial != DVec3::ZERO {
            (Outline::Segment([base + radial.normalize() * self.radius(), tip]), Feature::Surface(0))
        } else if turned > 0.0 {
            (Outline::Point(tip), Feature::Surface(3))
        } else {
            (Outline::Point(self.support(direction)), Feature::Surface(2))
        }
    }
}
