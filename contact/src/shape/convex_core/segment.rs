//! The cores of balls and capsules: a point, and a segment along y.

use glam::DVec3;

use super::{ConvexCore, LocalFeature, Outline};
use crate::contact::Feature;

/// The origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point;

impl ConvexCore for Point {
    fn support(&self, _: DVec3) -> DVec3 {
        DVec3::ZERO
    }

    fn local_features(&self, _: DVec3, _: f64, found: &mut Vec<LocalFeature>) {
        found.push(LocalFeature::Vertex { point: DVec3::ZERO });
    }

    fn outline(&self, _: DVec3, _: f64) -> (Outline, Feature) {
        (Outline::Point(DVec3::ZERO), Feature::Surface(0))
    }

    fn half_sides(&self) -> Option<DVec3> {
        Some(DVec3::ZERO)
    }
}

/// The segment from (0, −`half_length`, 0) to (0, `half_length`, 0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// m, above zero.
    pub half_length: f64,
}

impl Segment {
    fn end(&self, direction: DVec3) -> DVec3 {
        DVec3::Y * self.half_length.copysign(direction.y)
    }
}

impl ConvexCore for Segment {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.end(direction)
    }

    fn local_features(&self, direction: DVec3, angle: f64, found: &mut Vec<LocalFeature>) {
        found.push(LocalFeature::Vertex { point: self.end(direction) });
        if direction.y.abs() <= libm::sin(angle) {
            found.push(LocalFeature::Vertex { point: -self.end(direction) });
            found.push(LocalFeature::Line { point: DVec3::ZERO, direction: DVec3::Y });
        }
    }

    /// The side is surface 0, the upper and the lower cap are surfaces 1 and 2.
    fn outline(&self, direction: DVec3, angle: f64) -> (Outline, Feature) {
        if direction.y.abs() <= libm::sin(angle) {
            let end = DVec3::Y * self.half_length;
            (Outline::Segment([-end, end]), Feature::Surface(0))
        } else {
            (Outline::Point(self.end(direction)), Feature::Surface(if direction.y > 0.0 { 1 } else { 2 }))
        }
    }

    fn half_sides(&self) -> Option<DVec3> {
        Some(DVec3::Y * self.half_length)
    }
}
