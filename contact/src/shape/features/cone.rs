//! Cones of directions: an axis and an angle around it, by which a node of a tree bounds the normals below it.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

/// An angle with its cosine and sine, so that sums of angles are compared without asking for a cosine each time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Angle {
    /// Rad.
    size: f64,
    /// Cosine and sine.
    turn: DVec2,
}

impl Angle {
    /// Of so many rad; without a turn if it is infinite, which no comparison asks for.
    pub fn new(size: f64) -> Self {
        let (sin, cos) = libm::sincos(size);
        Self { size, turn: DVec2::new(cos, sin) }
    }

    /// Rad.
    pub fn size(&self) -> f64 {
        self.size
    }
}

/// Directions around an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Unit.
    pub(super) axis: DVec3,
    /// The largest angle from the axis; π for all directions.
    angle: Angle,
}

impl Cone {
    /// All directions.
    pub fn every_direction() -> Self {
        Self::new(DVec3::Y, PI)
    }

    /// All directions that are no farther from an axis (unit) than an angle, rad.
    pub fn new(axis: DVec3, angle: f64) -> Self {
        Self { axis, angle: Angle::new(angle.min(PI)) }
    }

    /// A cone around both.
    pub(super) fn around(self, other: Cone) -> Cone {
        let axis = (self.axis + other.axis).normalize_or(self.axis);
        let angles = [self, other].map(|c| angle(c.axis, axis) + c.angle.size);
        Self::new(axis, angles.into_iter().fold(0.0, f64::max))
    }

    /// The same axis with an angle that is larger by so much, rad.
    pub(super) fn widened(self, by: f64) -> Self {
        Self::new(self.axis, self.angle.size + by)
    }

    /// Whether it has a direction that is opposite to one of another cone up to a tolerance. `turned` is the axis of the other cone in this
    /// one's frame.
    #[inline]
    pub(super) fn is_facing(&self, other: &Cone, turned: DVec3, tolerance: &Angle) -> bool {
        if self.angle.size + other.angle.size + tolerance.size >= PI {
            return true;
        }
        // Turns follow each other by the product of complex numbers, of which the real part is the cosine of the sum.
        let cos = self.angle.turn.rotate(other.angle.turn).dot(DVec2::new(tolerance.turn.x, -tolerance.turn.y));
        -self.axis.dot(turned) >= cos
    }
}

/// The angle between two unit vectors, rad.
pub(super) fn angle(u: DVec3, v: DVec3) -> f64 {
    libm::atan2(u.cross(v).length(), u.dot(v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unit() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from).prop_filter_map("no direction", DVec3::try_normalize)
    }

    proptest! {
        /// Cones face each other where the angle between one axis and the other's opposite is no more than all angles together.
        #[test]
        fn cones_face_each_other_by_the_sum_of_their_angles(
            axes in [unit(), unit()],
            angles in prop::array::uniform2(0.0..PI),
            tolerance in 0.0..1.0f64,
        ) {
            let cones = [0, 1].map(|i| Cone::new(axes[i], angles[i]));
            let between = angle(axes[0], -axes[1]);
            let together = angles[0] + angles[1] + tolerance;
            prop_assume!((between - together).abs() > 1e-9);
            prop_assert_eq!(cones[0].is_facing(&cones[1], axes[1], &Angle::new(tolerance)), between < together);
        }

        /// A cone around two holds what they hold.
        #[test]
        fn a_cone_around_two_holds_them(axes in [unit(), unit()], angles in prop::array::uniform2(0.0..2.0f64), to in unit()) {
            let cones = [0, 1].map(|i| Cone::new(axes[i], angles[i]));
            let around = cones[0].around(cones[1]).widened(1e-9);
            for (axis, size) in axes.into_iter().zip(angles) {
                if angle(axis, to) <= size {
                    prop_assert!(angle(around.axis, to) <= around.angle.size);
                }
            }
        }
    }

    #[test]
    fn an_infinite_tolerance_leaves_no_cones_out() {
        let cone = Cone::new(DVec3::X, 0.0);
        assert!(cone.is_facing(&cone, DVec3::X, &Angle::new(f64::INFINITY)));
        assert!(!cone.is_facing(&cone, DVec3::X, &Angle::new(1.0)));
    }
}
