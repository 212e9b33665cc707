//! The prescribed motion of a kinematic body: its poses, one a time step, then its velocities until its time is up.
//!
//! Differs from rigid-ipc in:
//! - the time: rigid-ipc ends the motion with the first step that begins after `kinematic_max_time`, we at that time;
//! - constant velocities: rigid-ipc adds the angular velocity, along the principal axes, to the rotation vector, which is
//!   a turn at that rate only where both lie along one line; here it is the angular velocity.

use drystone_contact::shape::Shape;
use drystone_engine::{Phase, PrescribedMotion, PrescribedMotionError};
use glam::{DMat3, DQuat, DVec3};

use super::entry::{Entry, KinematicPose};
use super::error::{Feature, RigidIpcError};

/// Share of the largest moment of inertia below which a product of inertia, or a difference of moments, is rounding.
const ROUNDING: f64 = 1e-9;

/// How a kinematic body of this solid moves in time steps of `time_step` seconds; `None` if it keeps its velocities.
pub fn prescribed_motion(
    entry: &Entry,
    shape: &Shape,
    time_step: f64,
) -> Result<Option<PrescribedMotion>, RigidIpcError> {
    if entry.poses.is_empty() && entry.moves_for.is_infinite() {
        return Ok(None);
    }
    let mut phases = Vec::new();
    if !entry.poses.is_empty() {
        let mass = shape.mass_properties(entry.density).map_err(|error| RigidIpcError::at(&entry.place, error))?;
        if !lies_along_the_axes(entry.rotation, mass.inertia) {
            return Err(RigidIpcError::at(format!("{}, kinematic_poses", entry.place), Feature::PosesOfTiltedAxes));
        }
        let centre = entry.position + entry.rotation * mass.centre;
        phases = phases_of_poses(&entry.poses, centre, time_step, entry.moves_for);
    }
    let left = entry.moves_for - phases.len() as f64 * time_step;
    let rests = entry.velocity == DVec3::ZERO && entry.angular_velocity == DVec3::ZERO;
    if left > 0.0 && !rests {
        let (velocity, angular_velocity) = (entry.velocity, entry.angular_velocity);
        phases.push(Phase { duration: left, velocity, angular_velocity });
    }
    let wrong = |error: PrescribedMotionError| RigidIpcError::at(format!("{}, kinematic_poses", entry.place), error);
    PrescribedMotion::new(phases).map(Some).map_err(wrong)
}

/// Whether the principal axes of a solid so turned are those of the world, in ascending order of their moments, as
/// rigid-ipc sorts them; otherwise the rotation that its poses count from hangs on the signs of eigenvectors.
fn lies_along_the_axes(rotation: DQuat, inertia: DMat3) -> bool {
    let turn = DMat3::from_quat(rotation);
    let inertia = turn * inertia * turn.transpose();
    let moments = DVec3::new(inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z);
    let rounding = ROUNDING * moments.max_element();
    let products = DVec3::new(inertia.x_axis.y, inertia.y_axis.z, inertia.z_axis.x);
    products.abs().max_element() <= rounding && moments.x <= moments.y + rounding && moments.y <= moments.z + rounding
}

/// One phase a pose, from pose to pose with constant velocities; those poses that are reached within the time.
fn phases_of_poses(poses: &[KinematicPose], centre: DVec3, time_step: f64, time: f64) -> Vec<Phase> {
    let mut before = KinematicPose { position: centre, rotation: DQuat::IDENTITY };
    let mut phases = Vec::with_capacity(poses.len());
    for &KinematicPose { position, rotation } in poses {
        if phases.len() as f64 * time_step >= time {
            break;
        }
        let turn = (rotation * before.rotation.inverse()).normalize();
        // The shorter way round.
        let turn = if turn.w < 0.0 { -turn } else { turn };
        phases.push(Phase {
            duration: time_step,
            velocity: (position - before.position) / time_step,
            angular_velocity: turn.to_scaled_axis() / time_step,
        });
        before = KinematicPose { position, rotation };
    }
    phases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_are_reached_at_the_ends_of_the_steps() {
        let turn = |axis: DVec3, angle| DQuat::from_scaled_axis(axis * angle);
        let poses = [
            KinematicPose { position: DVec3::X, rotation: turn(DVec3::Y, 0.5) },
            KinematicPose { position: DVec3::ZERO, rotation: turn(DVec3::Z, -3.0) },
        ];
        let phases = phases_of_poses(&poses, DVec3::Y, 0.1, f64::INFINITY);
        let (mut position, mut rotation) = (DVec3::Y, DQuat::IDENTITY);
        for (phase, pose) in phases.iter().zip(&poses) {
            position += phase.velocity * phase.duration;
            rotation = DQuat::from_scaled_axis(phase.angular_velocity * phase.duration) * rotation;
            assert!((position - pose.position).length() < 1e-15);
            assert!((1.0 - rotation.dot(pose.rotation).abs()) < 1e-15);
        }
        assert_eq!(phases.len(), 2);
        assert_eq!(phases_of_poses(&poses, DVec3::Y, 0.1, 0.1).len(), 1, "time is up after the first");
    }

    #[test]
    fn only_sorted_axes_of_the_world_will_do() {
        let slender = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 2.0));
        assert!(lies_along_the_axes(DQuat::IDENTITY, slender));
        assert!(lies_along_the_axes(DQuat::from_rotation_x(0.3), slender));
        assert!(!lies_along_the_axes(DQuat::from_rotation_z(0.3), slender));
        assert!(!lies_along_the_axes(DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2), slender));
    }
}
