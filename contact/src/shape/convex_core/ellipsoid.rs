//! An ellipsoid as a convex core: one smooth feature.

use glam::{DMat3, DVec3};

use super::{ConvexCore, LocalFeature, Outline};
use crate::contact::Feature;
use crate::shape::primitive::Ellipsoid;

impl ConvexCore for Ellipsoid {
    fn support(&self, direction: DVec3) -> DVec3 {
        let scaled = self.semi_axes() * direction;
        self.semi_axes() * scaled / scaled.length()
    }

    fn local_features(&self, _: DVec3, _: f64, found: &mut Vec<LocalFeature>) {
        let quadric = DMat3::from_diagonal(self.semi_axes() * self.semi_axes());
        found.push(LocalFeature::Smooth { centre: DVec3::ZERO, quadric });
    }

    fn outline(&self, direction: DVec3, _: f64) -> (Outline, Feature) {
        (Outline::Point(ConvexCore::support(self, direction)), Feature::Surface(0))
    }
}
