//! An axis-aligned bounding box.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A box along the world's axes, m. Boxes that touch overlap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// The corner with the smallest coordinates.
    pub low: DVec3,
    /// The corner with the largest coordinates.
    pub high: DVec3,
}

impl Bounds {
    /// The smallest box around points; `None` if there are none.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = points.next()?;
        let grow = |b: Self, p: DVec3| Self { low: b.low.min(p), high: b.high.max(p) };
        Some(points.fold(Self { low: first, high: first }, grow))
    }

    /// The box with its sides moved out by `margin`, m.
    pub fn grown(self, margin: f64) -> Self {
        Self { low: self.low - DVec3::splat(margin), high: self.high + DVec3::splat(margin) }
    }

    /// How far apart they are along the axis along which they are farthest; zero or less where they overlap.
    pub fn gap(&self, other: &Self) -> f64 {
        (other.low - self.high).max(self.low - other.high).max_element()
    }

    /// How far the box reaches along a direction, m.
    pub fn extent(&self, direction: DVec3) -> f64 {
        let along = |axis: usize| {
            let part = direction[axis];
            let end = if part > 0.0 { self.high[axis] } else { self.low[axis] };
            if part == 0.0 { 0.0 } else { part * end }
        };
        along(0) + along(1) + along(2)
    }

    /// Whether the boxes have a point in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// The largest magnitude of a coordinate, m.
    pub fn largest_coordinate(&self) -> f64 {
        self.low.abs().max(self.high.abs()).max_element()
    }

    /// The largest magnitude of a coordinate that is finite, m; 0 if there is none.
    pub fn largest_finite_coordinate(&self) -> f64 {
        let all = self.low.to_array().into_iter().chain(self.high.to_array());
        all.filter(|x| x.is_finite()).map(f64::abs).fold(0.0, f64::max)
    }

    /// Whether all coordinates are finite.
    pub fn is_finite(&self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_that_touch_overlap() {
        let unit = Bounds::around([DVec3::ONE, DVec3::ZERO]).unwrap();
        let beside = |x: f64| Bounds { low: unit.low + DVec3::X * x, high: unit.high + DVec3::X * x };
        assert!(unit.overlaps(&beside(1.0)) && beside(1.0).overlaps(&unit));
        assert!(!unit.overlaps(&beside(1.0_f64.next_up())));
        assert!(unit.grown(0.25).overlaps(&beside(1.25)));
        assert_eq!((unit.grown(0.5).high, unit.grown(2.0).largest_coordinate()), (DVec3::splat(1.5), 3.0));
        assert!(Bounds::around([]).is_none() && unit.is_finite() && !unit.grown(f64::INFINITY).is_finite());
    }
}
