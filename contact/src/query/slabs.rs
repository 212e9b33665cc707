//! Where a ray gets into boxes (slab test, Kay and Kajiya, "Ray tracing complex scenes", 1986).

use glam::DVec3;

use super::ray::Ray;
use crate::bounds::Bounds;

/// Coordinates may be off by this share of the largest one.
const ROUNDING: f64 = 1e-14;

/// Components of a direction are taken to be no smaller, so that quotients stay finite.
const LEAST_COMPONENT: f64 = 1e-150;

/// A ray, ready for tests against many boxes.
#[derive(Clone, Copy, Debug)]
pub struct Slabs {
    origin: DVec3,
    inverse: DVec3,
    /// m.
    margin: f64,
}

impl Slabs {
    /// For boxes whose coordinates are no larger than `size`, m.
    pub fn new(ray: &Ray, size: f64) -> Self {
        let component = |x: f64| if x.abs() < LEAST_COMPONENT { LEAST_COMPONENT.copysign(x) } else { x };
        let margin = ROUNDING * ray.origin().abs().max_element().max(size);
        Self { origin: ray.origin(), inverse: ray.direction().map(component).recip(), margin }
    }

    /// Before which distance along the ray it is surely not in a box, m; infinity if it never is.
    pub fn entry(&self, bounds: &Bounds) -> f64 {
        let one = (bounds.low - self.margin - self.origin) * self.inverse;
        let other = (bounds.high + self.margin - self.origin) * self.inverse;
        let (begin, end) = (one.min(other).max_element().max(0.0), one.max(other).min_element());
        if begin <= end { begin } else { f64::INFINITY }
    }
}
