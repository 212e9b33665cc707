//! How a pose changes under constant velocities.

use crate::body::Pose;
pub use drystone_contact::pose::advance;
use drystone_contact::precision::{Precision, Vector};
use glam::{DQuat, DVec3, Vec3};

/// As [`advance`], computed in the given precision.
pub fn advance_in(precision: Precision, pose: Pose, velocity: DVec3, angular_velocity: DVec3, duration: f64) -> Pose {
    match precision {
        Precision::Double => advance(pose, velocity, angular_velocity, duration),
        Precision::Single => advance_single(pose, velocity, angular_velocity, duration),
    }
}

/// The pose as a body keeps it. In single precision the published program normalises the orientation once more whenever
/// it gives a body a pose, which changes last digits; the motion itself goes on from the pose before that.
pub fn kept_in(precision: Precision, pose: Pose) -> Pose {
    match precision {
        Precision::Double => pose,
        Precision::Single => {
            let q = pose.rotation;
            Pose::from_parts(pose.translation, unit_single([q.x, q.y, q.z, q.w].map(|c| c as f32)))
        }
    }
}

/// The pose of [`advance`] in 32-bit arithmetic, with the products in the order in which the published figures of the
/// assessment suite were computed: their contacts hang on the rounding of touching poses.
fn advance_single(pose: Pose, velocity: DVec3, angular_velocity: DVec3, duration: f64) -> Pose {
    let (narrow, duration) = (<Vec3 as Vector>::narrow, duration as f32);
    let spin = narrow(angular_velocity);
    let half_angle = spin.length() * duration / 2.0;
    let imaginary = Vector::unit(Vector::unit(spin)) * libm::sinf(half_angle);
    let real = libm::cosf(half_angle);
    let old = pose.rotation;
    let (old_imaginary, old_real) = (narrow(DVec3::new(old.x, old.y, old.z)), old.w as f32);
    let turned_real = real * old_real - imaginary.dot(old_imaginary);
    let turned = old_imaginary * real + imaginary * old_real + imaginary.cross(old_imaginary);
    let translation = narrow(pose.translation) + narrow(velocity) * duration;
    let [x, y, z] = turned.to_array();
    Pose::from_parts(translation.widen(), unit_single([x, y, z, turned_real]))
}

/// The quaternion x, y, z, s scaled to unit length in 32-bit arithmetic.
fn unit_single([x, y, z, s]: [f32; 4]) -> DQuat {
    let length = (x * x + y * y + z * z + s * s).sqrt();
    DQuat::from_array([x, y, z, s].map(|c| f64::from(c / length)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn single_precision_follows_double(
            w in prop::array::uniform3(-9.0..9.0f64),
            x in prop::array::uniform3(-9.0..9.0f64),
            duration in 1e-4..0.1f64,
        ) {
            let pose = Pose::from_parts(DVec3::from(x), DQuat::from_scaled_axis(DVec3::from(x)));
            let [single, double] = [Precision::Single, Precision::Double]
                .map(|p| advance_in(p, pose, DVec3::from(w), DVec3::from(w), duration));
            prop_assert!((single.translation - double.translation).length() < 1e-5);
            prop_assert!(single.rotation.angle_between(double.rotation) < 1e-3);
            prop_assert!((single.rotation.length() - 1.0).abs() < 1e-6);
            let kept = kept_in(Precision::Single, single);
            prop_assert!((kept.rotation - single.rotation).length() < 1e-6);
            prop_assert_eq!(kept.translation, single.translation);
            prop_assert_eq!(kept_in(Precision::Double, single), single);
        }
    }
}
