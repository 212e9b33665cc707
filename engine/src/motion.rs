//! How a pose changes under constant velocities, and which velocities lead from one pose to another.

pub use drystone_contact::pose::advance;

use crate::body::Pose;
use glam::DVec3;

/// The constant velocities (linear m/s, angular rad/s, world axes) with which [`advance`] takes a body from one pose to
/// another in `duration` (s, above 0): the centre of mass goes straight, the orientation turns about one axis by at most
/// half a turn.
pub fn velocities_between(from: &Pose, to: &Pose, duration: f64) -> (DVec3, DVec3) {
    let turn = to.rotation * from.rotation.conjugate();
    // The two unit quaternions of a rotation differ in sign; that with w ≥ 0 is the shorter way.
    let sign = if turn.w < 0.0 { -1.0 } else { 1.0 };
    let (axis, w) = (turn.xyz() * sign, turn.w * sign);
    let sine = axis.length();
    // The angle over its sine, which tends to one: 2 sin(φ/2) → φ.
    let per_sine = if sine > 0.0 { 2.0 * libm::atan2(sine, w) / sine } else { 2.0 };
    ((to.translation - from.translation) / duration, axis * (per_sine / duration))
}

/// How far a point within `radius` (m) of the centre of mass may have come between two poses, m.
pub fn displacement(from: &Pose, to: &Pose, radius: f64) -> f64 {
    let turn = from.rotation.conjugate() * to.rotation;
    // The chord of an angle is twice the sine of its half.
    let turned = turn.xyz().length();
    (to.translation - from.translation).length() + if turned > 0.0 { 2.0 * radius * turned } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use proptest::prelude::*;

    fn pose(position: [f64; 3], [x, y, z, w]: [f64; 4]) -> Pose {
        Pose::from_parts(DVec3::from(position), DQuat::from_xyzw(x, y, z, w).normalize())
    }

    proptest! {
        #[test]
        fn velocities_between_poses_lead_from_one_to_the_other(
            positions in prop::array::uniform2(prop::array::uniform3(-10.0..10.0f64)),
            quaternions in prop::array::uniform2(prop::array::uniform4(0.1..1.0f64)),
            small in 0.0..9.0f64,
            duration in 1e-4..1.0f64,
        ) {
            let from = pose(positions[0], quaternions[0]);
            // From turns of a third of a turn down to those of rounding.
            let to = pose(positions[1], quaternions[1]);
            let to = Pose::from_parts(to.translation, from.rotation.slerp(to.rotation, 10f64.powf(-2.0 * small)).normalize());
            let (velocity, angular_velocity) = velocities_between(&from, &to, duration);
            let reached = advance(from, velocity, angular_velocity, duration);
            prop_assert!((reached.translation - to.translation).length() < 1e-13);
            let corners = [DVec3::X, DVec3::Y, DVec3::Z];
            prop_assert!(corners.iter().all(|&v| (reached.rotation * v - to.rotation * v).length() < 1e-14));
        }
    }

    #[test]
    fn the_shorter_way_is_taken() {
        let turned = |angle: f64| Pose::from_parts(DVec3::ZERO, DQuat::from_rotation_y(angle));
        let spin = |from: f64, to: f64| velocities_between(&turned(from), &turned(to), 0.5).1;
        assert!((spin(0.0, 3.0) - DVec3::Y * 6.0).length() < 1e-14);
        assert!((spin(0.0, 4.0) - DVec3::Y * 2.0 * (4.0 - std::f64::consts::TAU)).length() < 1e-14);
        assert!((spin(-3.0, 3.0) - DVec3::Y * 2.0 * (6.0 - std::f64::consts::TAU)).length() < 1e-14);
        assert!((spin(0.0, std::f64::consts::PI).length() - std::f64::consts::TAU).abs() < 1e-14);
        assert_eq!(spin(0.7, 0.7), DVec3::ZERO);
    }
}
