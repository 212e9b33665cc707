//! How the published program moves poses: products in its order, orientations normalised as often as there.

use drystone_engine::{Body, Pose};
use glam::{DQuat, DVec3};

use super::arithmetic::Arithmetic;

/// The pose after moving for `duration` seconds with constant velocities in world axes (m/s, rad/s), computed in the
/// precision of `V`: the centre of mass goes straight, the orientation follows the exponential map of the rotation vector.
/// Contacts of published figures hang on the rounding of touching poses.
pub fn advance<V: Arithmetic>(pose: Pose, velocity: DVec3, angular_velocity: DVec3, duration: f64) -> Pose {
    let duration = V::real(duration);
    let spin = V::narrow(angular_velocity);
    let (sine, cosine) = V::sin_cos(spin.length() * duration / V::real(2.0));
    let imaginary = spin.unit().unit() * sine;
    let old = pose.rotation;
    let (old_imaginary, old_real) = (V::narrow(DVec3::new(old.x, old.y, old.z)), V::real(old.w));
    let real = cosine * old_real - imaginary.dot(old_imaginary);
    let turned = old_imaginary * cosine + imaginary * old_real + imaginary.cross(old_imaginary);
    let translation = V::narrow(pose.translation) + V::narrow(velocity) * duration;
    let [x, y, z] = turned.coordinates();
    Pose::from_parts(translation.widen(), unit::<V>([x, y, z, real]))
}

/// The pose as a body keeps it: the published program normalises the orientation once more whenever it gives a body a
/// pose, which changes last digits; the motion itself goes on from the pose before that.
pub fn kept<V: Arithmetic>(pose: Pose) -> Pose {
    let q = pose.rotation;
    Pose::from_parts(pose.translation, unit::<V>([q.x, q.y, q.z, q.w].map(V::real)))
}

/// Where the body's present velocity takes it from `pose`; fixed bodies stay.
pub(super) fn moved<V: Arithmetic>(body: &Body, pose: Pose, duration: f64) -> Pose {
    if body.is_fixed() { pose } else { advance::<V>(pose, body.velocity, body.angular_velocity, duration) }
}

/// A moved pose as the body keeps it; fixed bodies keep theirs to the last bit.
pub(super) fn kept_by<V: Arithmetic>(body: &Body, pose: Pose) -> Pose {
    if body.is_fixed() { pose } else { kept::<V>(pose) }
}

/// The quaternion x, y, z, s scaled to unit length.
fn unit<V: Arithmetic>([x, y, z, s]: [V::Real; 4]) -> DQuat {
    let length = num_traits::Float::sqrt(x * x + y * y + z * z + s * s);
    DQuat::from_array([x, y, z, s].map(|c| (c / length).into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_engine::motion;
    use glam::Vec3;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_precisions_follow_the_engine(
            w in prop::array::uniform3(-9.0..9.0f64),
            x in prop::array::uniform3(-9.0..9.0f64),
            duration in 1e-4..0.1f64,
        ) {
            let (w, x) = (DVec3::from(w), DVec3::from(x));
            let pose = Pose::from_parts(x, DQuat::from_scaled_axis(x));
            let exact = motion::advance(pose, w, w, duration);
            let (single, double) = (advance::<Vec3>(pose, w, w, duration), advance::<DVec3>(pose, w, w, duration));
            prop_assert!((single.translation - exact.translation).length() < 1e-5);
            prop_assert!(single.rotation.angle_between(exact.rotation) < 1e-3);
            prop_assert!((single.rotation.length() - 1.0).abs() < 1e-6);
            prop_assert!((double.rotation - exact.rotation).length() < 1e-14);
            let kept = kept::<Vec3>(single);
            prop_assert!((kept.rotation - single.rotation).length() < 1e-6);
            prop_assert_eq!(kept.translation, single.translation);
        }
    }
}
