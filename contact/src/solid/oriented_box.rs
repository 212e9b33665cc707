//! Boxes that may be turned.

use glam::{DMat3, DVec3};

use crate::bounds::Bounds;
use crate::pose::Pose;

/// Computed coordinates are off by less than this share of the largest coordinate: a rotation by a quaternion or a matrix
/// and a few sums, for each of two things that are compared.
pub const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A box that may be turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    /// Its centre, m.
    pub centre: DVec3,
    /// Its axes as columns, orthonormal up to rounding.
    pub axes: DMat3,
    /// Half its sides along the axes, m; none below zero.
    pub half: DVec3,
}

impl OrientedBox {
    /// A box along the axes of its frame.
    pub fn aligned(bounds: &Bounds) -> Self {
        Self { centre: bounds.low.midpoint(bounds.high), axes: DMat3::IDENTITY, half: 0.5 * (bounds.high - bounds.low) }
    }

    /// Half its diagonal, m: no point of the box is farther from the centre.
    pub fn radius(&self) -> f64 {
        self.half.length()
    }

    /// How far the box reaches from its centre along a direction (unit), m.
    pub fn reach(&self, direction: DVec3) -> f64 {
        (self.axes.transpose() * direction).abs().dot(self.half)
    }

    /// The box around it along the axes of the frame, m.
    pub fn bounds(&self) -> Bounds {
        let reach = self.axes.x_axis.abs() * self.half.x
            + self.axes.y_axis.abs() * self.half.y
            + self.axes.z_axis.abs() * self.half.z;
        Bounds { low: self.centre - reach, high: self.centre + reach }
    }

    /// The point of the box that is closest to a point, m.
    pub fn closest(&self, point: DVec3) -> DVec3 {
        let local = self.axes.transpose() * (point - self.centre);
        self.centre + self.axes * local.clamp(-self.half, self.half)
    }

    /// The eight corners, m; corner i is on the upper side along the axis k where bit k of i is set.
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let side = |k: usize| if i >> k & 1 == 1 { self.half[k] } else { -self.half[k] };
            self.centre + self.axes * DVec3::new(side(0), side(1), side(2))
        })
    }

    /// The same box as it is seen from another frame (that frame → frame of this box).
    pub fn seen_from(&self, frame: &Pose) -> Self {
        let turn = DMat3::from_quat(frame.rotation.inverse());
        Self { centre: frame.inverse_transform_point(self.centre), axes: turn * self.axes, half: self.half }
    }

    /// The box with its sides moved out by `margin`, m.
    pub fn grown(&self, margin: f64) -> Self {
        Self { half: self.half + margin, ..*self }
    }

    /// How far computed coordinates of the box, and of what is compared with them, may be off through rounding, m. `size`
    /// is the largest magnitude of a coordinate of the other.
    pub fn rounding(&self, size: f64) -> f64 {
        ROUNDING * (self.centre.abs().max_element() + self.radius()).max(size)
    }
}
